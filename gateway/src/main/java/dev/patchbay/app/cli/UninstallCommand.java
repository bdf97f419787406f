package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.config.hosts.InstallPlan;
import dev.patchbay.config.hosts.Installer;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.io.IOException;
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
        Installer installer = host.installer(context);
        InstallPlan plan = installer.planUninstall(host.host(), host.scope(context));
        return host.apply(context, installer, plan);
    }
}
