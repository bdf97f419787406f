package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.ProductInfo;
import dev.patchbay.app.wiring.ViewLookup;
import dev.patchbay.config.ConfigLocator;
import dev.patchbay.config.hosts.HostFinder;
import dev.patchbay.config.hosts.InstallPlan;
import dev.patchbay.config.hosts.Installer;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** {@code patchbay install}: adds Patchbay to the servers of a host. */
@Command(
        name = "install",
        description =
                "Add Patchbay to the MCP servers of a host, such as Claude Desktop or Cursor.",
        mixinStandardHelpOptions = true)
final class InstallCommand implements Callable<Integer> {
    private final AppContext context;

    @Mixin private ConfigOption config = new ConfigOption();
    @Mixin private HostEditOptions host = new HostEditOptions();

    @Option(
            names = "--view",
            paramLabel = "NAME",
            description = "Give the host a view of the configuration instead of all tools.")
    private @Nullable String view;

    InstallCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        // Always a file of the user: a host may start the gateway in any project's directory.
        Path chosen =
                config.file == null
                        ? new ConfigLocator(context.environment()).userFile()
                        : config.file.toAbsolutePath();
        if (!host.hasHost()) {
            return HostOverview.print(
                    context, chosen, host.isJson(), "Add Patchbay to one: patchbay install HOST");
        }
        if (view != null) {
            ViewLookup.require(context, chosen, view);
        }
        var program = new Installer.LaunchCommand(ProductInfo.launcher(), chosen, view);
        Installer installer = host.installer(context);
        InstallPlan plan = installer.planInstall(host.host(), host.scope(context), program);
        int code = host.apply(context, installer, plan);
        if (!host.isJson() && !host.isDryRun()) {
            var finder = new HostFinder(context.environment());
            HostOverview.printCopies(context.terminal(), finder.examine(host.host(), chosen));
        }
        return code;
    }
}
