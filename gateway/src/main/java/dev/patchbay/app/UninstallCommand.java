package dev.patchbay.app;

import dev.patchbay.config.HostPlan;
import dev.patchbay.config.Installer;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.io.IOException;
import java.util.concurrent.Callable;

/** {@code patchbay uninstall}: takes Patchbay out of the configuration of a host again. */
@Command(
        name = "uninstall",
        description = "Take Patchbay out of the configuration of a program again.",
        mixinStandardHelpOptions = true)
final class UninstallCommand implements Callable<Integer> {
    private final Context context;

    @Mixin private HostOptions host = new HostOptions();

    UninstallCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        Installer installer = host.installer(context);
        HostPlan plan = installer.planUninstall(host.host(), host.scope());
        return host.carryOut(context, installer, plan);
    }
}
