package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AdoptionJournals;
import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.config.ConfigLocator;
import dev.patchbay.config.hosts.HostFile.Scope;
import dev.patchbay.config.hosts.InstallPlan;
import dev.patchbay.config.hosts.Installer;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** {@code patchbay uninstall}: removes Patchbay from the servers of a host. */
@Command(
        name = "uninstall",
        description = "Remove Patchbay from the MCP servers of a host.",
        mixinStandardHelpOptions = true)
final class UninstallCommand implements Callable<Integer> {
    private final AppContext context;

    @Mixin private HostEditOptions host = new HostEditOptions();

    UninstallCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        if (!host.hasHost()) {
            Path config = new ConfigLocator(context.environment()).userFile();
            return HostOverview.print(
                    context,
                    config,
                    host.isJson(),
                    "Remove Patchbay from one: patchbay uninstall HOST");
        }
        boolean adopted =
                AdoptionJournals.open(context.environment()).hasAdopted(host.host())
                        && host.scope(context) == Scope.USER;
        if (adopted) {
            throw new CommandFailedException(
                    ExitCode.FAILED,
                    host.host().displayName()
                            + " was adopted: its own servers were taken out. Put them back, and"
                            + " remove Patchbay: patchbay adopt --undo "
                            + host.host().cliName());
        }
        Installer installer = host.installer(context);
        InstallPlan plan = installer.planUninstall(host.host(), host.scope(context));
        return host.apply(context, installer, plan);
    }
}
