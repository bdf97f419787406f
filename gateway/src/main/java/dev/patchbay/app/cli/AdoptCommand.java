package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AdoptionJournals;
import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.ProductInfo;
import dev.patchbay.config.ConfigLocator;
import dev.patchbay.config.edit.EditResult;
import dev.patchbay.config.hosts.Adopter;
import dev.patchbay.config.hosts.AdoptionJournal;
import dev.patchbay.config.hosts.AdoptionPlan;
import dev.patchbay.config.hosts.AdoptionPlan.FileChange;
import dev.patchbay.config.hosts.AdoptionPlanner;
import dev.patchbay.config.hosts.HostFinder;
import dev.patchbay.config.hosts.ImportPlan;
import dev.patchbay.config.hosts.Installer.LaunchCommand;
import dev.patchbay.config.hosts.McpHost;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code patchbay adopt}: moves the servers of hosts into Patchbay, and undoes that. */
@Command(
        name = "adopt",
        description =
                "Move the servers of hosts into Patchbay: import them, add Patchbay to each host,"
                        + " and take the originals out. --undo restores every file.",
        mixinStandardHelpOptions = true)
final class AdoptCommand implements Callable<Integer> {
    private final AppContext context;

    @Mixin private ConfigOption config = new ConfigOption();

    @Parameters(
            arity = "0..*",
            paramLabel = "HOST",
            completionCandidates = HostNames.class,
            description =
                    "The hosts. Default: all that are on this machine, or with --undo all that were"
                            + " adopted. Known: "
                            + HostNames.LIST
                            + ".")
    private List<String> names = List.of();

    @Option(names = "--undo", description = "Put the files of adopted hosts back as they were.")
    private boolean undo;

    @Option(names = "--dry-run", description = "Show what would change, but change nothing.")
    private boolean dryRun;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    @Option(
            names = "--store-secrets",
            description =
                    "Keep values that look like secrets in the secret store, and write references"
                            + " to them.")
    private boolean storeSecrets;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    AdoptCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        AdoptionJournal journal = AdoptionJournals.open(context.environment());
        var adopter = new Adopter(context.environment(), journal, InstantSource.system());
        return undo ? undo(adopter, journal) : adopt(adopter);
    }

    private List<McpHost> hosts() {
        return names.stream().map(HostEditOptions::hostNamed).distinct().toList();
    }

    private int adopt(Adopter adopter) throws IOException {
        List<McpHost> hosts =
                names.isEmpty() ? new HostFinder(context.environment()).find() : hosts();
        // Always a file of the user: a host may start the gateway in any project's directory.
        Path file =
                config.file == null
                        ? new ConfigLocator(context.environment()).userFile()
                        : config.file.toAbsolutePath();
        var program = new LaunchCommand(ProductInfo.launcher(), file);
        AdoptionPlan plan = new AdoptionPlanner(context.environment()).plan(hosts, file, program);
        var report = new AdoptionReport(context.terminal(), plan);
        if (!json) {
            report.printPlan(hosts);
        }
        boolean wanted = !dryRun && !plan.isEmpty();
        if (wanted && !yes) {
            requireConfirmation("Adopt these hosts");
        }
        if (wanted) {
            apply(adopter, plan);
        }
        if (json) {
            report.printJson(wanted);
        } else {
            report.printDone(wanted, dryRun);
        }
        return plan.refusals().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
    }

    private void apply(Adopter adopter, AdoptionPlan plan) throws IOException {
        if (!plan.imported().entries().isEmpty()) {
            var mover = new SecretMover(context);
            ImportPlan written =
                    storeSecrets
                            ? plan.imported().withEntries(mover::withoutSecrets)
                            : plan.imported();
            mover.store();
            EditResult result = adopter.addServers(written);
            if (!(result instanceof EditResult.Changed)) {
                mover.undo();
                EditReporter.of(context, json).report(result, "");
            }
        }
        for (FileChange change : plan.changes()) {
            Path backup = adopter.apply(change);
            if (backup != null && !json) {
                context.terminal().print("Backup: " + backup);
            }
        }
    }

    private void requireConfirmation(String question) throws IOException {
        if (!context.terminal().isInteractive()) {
            throw new CommandFailedException(
                    ExitCode.WRONG_USAGE,
                    "There is no terminal to ask on. Run the command again with --yes, or with"
                            + " --dry-run to see what it would do. Nothing was changed.");
        }
        if (!Confirmation.isGiven(context, question)) {
            throw new CommandFailedException(ExitCode.FAILED, "Nothing was changed.");
        }
    }

    private int undo(Adopter adopter, AdoptionJournal journal) throws IOException {
        EnumSet<McpHost> wanted =
                names.isEmpty() ? EnumSet.allOf(McpHost.class) : EnumSet.copyOf(hosts());
        List<AdoptionJournal.ChangedFile> changes =
                journal.changes().stream()
                        .filter(it -> it.host() == null || wanted.contains(it.host()))
                        .toList();
        if (dryRun || changes.stream().noneMatch(it -> it.host() != null)) {
            AdoptionReport.printUndoPlan(context.terminal(), changes, json);
            return ExitCode.OK;
        }
        if (!yes && !json && context.terminal().isInteractive()) {
            AdoptionReport.printUndoPlan(context.terminal(), changes, false);
            requireConfirmation("Undo this");
        }
        AdoptionReport.printUndone(context.terminal(), adopter.undo(wanted), json);
        return ExitCode.OK;
    }
}
