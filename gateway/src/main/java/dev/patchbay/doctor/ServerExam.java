package dev.patchbay.doctor;

import dev.patchbay.config.Surroundings;
import dev.patchbay.doctor.Diagnosis.Subject;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.http.HttpChannel.Target;
import dev.patchbay.server.Chatter;
import dev.patchbay.server.ServerSpec.EraChoice;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.server.SignIn;
import dev.patchbay.server.Symptom;
import dev.patchbay.server.Trouble;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds out why one server does not work, from what is known of it and by looking itself. */
final class ServerExam {
    private final ServerReport report;
    private final Subject subject;
    private final String id;
    private final Surroundings surroundings;
    private final Duration patience;

    ServerExam(ServerReport report, Surroundings surroundings, Duration patience) {
        this.report = report;
        this.id = report.spec().id().value();
        this.subject = Subject.server(id);
        this.surroundings = surroundings;
        this.patience = patience;
    }

    List<Diagnosis> run() throws InterruptedException {
        var found = new ArrayList<Diagnosis>();
        Trouble trouble = report.lastError();
        if (!report.enabled()) {
            found.add(disabled());
            return found;
        }
        if (trouble != null) {
            found.add(
                    report.state().status() == Status.CONNECTED
                            ? listing(trouble)
                            : connecting(trouble));
        } else if (report.state().status() == Status.CONNECTED) {
            found.addAll(working());
        }
        found.addAll(OfferExam.withheld(report));
        return found;
    }

    private Diagnosis disabled() {
        return Diagnosis.of(
                Cause.DISABLED,
                subject,
                "It is switched off in the configuration.",
                List.of(),
                "To use it: patchbay enable " + id);
    }

    /** What can be said of a server that works. */
    private List<Diagnosis> working() {
        var found = new ArrayList<Diagnosis>();
        Chatter chatter = report.chatter();
        if (chatter.lines() > 0) {
            found.add(banner(Words.of(chatter)));
        }
        if (!report.stale()
                && report.counts().tools() == 0
                && report.withheld().isEmpty()
                && report.filtered().isEmpty()) {
            found.add(
                    Diagnosis.of(
                            Cause.NO_TOOLS,
                            subject,
                            "It is connected and offers no tools.",
                            List.of(
                                    "%d prompts, %d resources"
                                            .formatted(
                                                    report.counts().prompts(),
                                                    report.counts().resources())),
                            "If it should have tools, look into its own documentation."));
        }
        return found;
    }

    private Diagnosis banner(List<String> evidence) {
        return Diagnosis.of(
                Cause.BANNER_ON_STDOUT,
                subject,
                "It writes text to its standard output, where only messages belong.",
                evidence,
                "Patchbay passes such lines over; other clients may not. Have the server log to"
                        + " standard error.");
    }

    private Diagnosis listing(Trouble trouble) {
        return switch (trouble.symptom()) {
            case SILENT ->
                    Diagnosis.of(
                            Cause.HANGS_AT_LIST,
                            subject,
                            "It is connected, but does not tell its lists.",
                            Words.of(trouble, report.chatter()),
                            "Look into the log of the server. If it is only slow, raise"
                                    + " connectionTimeoutMs.");
            case ENDED, ENDED_LATER -> ended(trouble);
            case NOT_LET_IN -> signIn(Words.of(trouble, report.chatter()));
            case NOT_STARTED, NO_COMMON_VERSION, REFUSED, ANSWERED_WRONGLY, OTHER ->
                    Diagnosis.of(
                            Cause.LIST_FAILED,
                            subject,
                            "It is connected, but could not be asked for its lists.",
                            Words.of(trouble, report.chatter()),
                            "Look into the log of the server; tell its author what it answers.");
        };
    }

    private Diagnosis ended(Trouble trouble) {
        return Diagnosis.of(
                Cause.ENDS_AFTER_START,
                subject,
                "It was connected and then ended.",
                Words.of(trouble, report.chatter()),
                "Its last words tell more. Run its command by hand to see all of them.");
    }

    private Diagnosis connecting(Trouble trouble) throws InterruptedException {
        return switch (report.spec().transport()) {
            case Transport.Stdio stdio -> program(stdio, trouble);
            case Transport.Http(var url, var headers, var signIn) ->
                    remote(new Target(url, headers, false), signIn, trouble);
            case Transport.Sse(var url, var headers, var signIn) ->
                    remote(new Target(url, headers, true), signIn, trouble);
            case Transport.Unset unset -> variables(unset);
        };
    }

    private Diagnosis variables(Transport.Unset unset) {
        return Diagnosis.of(
                Cause.VARIABLE_MISSING,
                subject,
                unset.problem() + ".",
                List.of("Patchbay was started without it; hosts often pass no variables on"),
                "Set it where Patchbay is started, or write ${%s:-default} in the configuration."
                        .formatted(unset.variables().getFirst()));
    }

    private Diagnosis program(Transport.Stdio stdio, Trouble trouble) {
        var exam = new ProgramExam(report.spec().id(), stdio, surroundings);
        Optional<Diagnosis> found =
                switch (trouble.symptom()) {
                    case NOT_STARTED -> exam.start();
                    case ENDED, SILENT -> exam.run().map(it -> with(it, trouble));
                    case NO_COMMON_VERSION,
                            REFUSED,
                            NOT_LET_IN,
                            ANSWERED_WRONGLY,
                            ENDED_LATER,
                            OTHER ->
                            Optional.empty();
                };
        return found.orElseGet(() -> told(trouble));
    }

    /** What was seen from outside, with what the server said itself. */
    private static Diagnosis with(Diagnosis found, Trouble trouble) {
        var evidence = new ArrayList<>(found.evidence());
        evidence.addAll(Words.of(trouble));
        return Diagnosis.of(
                found.cause(), found.subject(), found.problem(), evidence, found.nextStep());
    }

    private Diagnosis remote(Target target, SignIn signIn, Trouble trouble)
            throws InterruptedException {
        boolean told = trouble.symptom() == Symptom.ENDED_LATER || patience.isZero();
        Optional<Diagnosis> found =
                told
                        ? Optional.empty()
                        : new UrlExam(report.spec().id(), target, signIn, trouble).go(patience);
        return found.orElseGet(() -> told(trouble));
    }

    /** What the failed attempt itself tells. */
    private Diagnosis told(Trouble trouble) {
        List<String> words = Words.of(trouble, report.chatter());
        return switch (trouble.symptom()) {
            case ENDED ->
                    report.spec().transport() instanceof Transport.Stdio
                            ? exits(words)
                            : unexplained(words);
            case SILENT -> silent(words);
            case NO_COMMON_VERSION -> wrongEra(words);
            case NOT_LET_IN -> signIn(words);
            case REFUSED ->
                    Diagnosis.of(
                            Cause.REFUSES_HANDSHAKE,
                            subject,
                            "It answers the handshake with an error.",
                            words,
                            "Its error tells why; look into its own documentation.");
            case ANSWERED_WRONGLY ->
                    Diagnosis.of(
                            Cause.NOT_MCP,
                            subject,
                            "It answers, but not in MCP.",
                            words,
                            "Look whether the command or URL is that of an MCP server.");
            case ENDED_LATER -> ended(trouble);
            case NOT_STARTED, OTHER -> unexplained(words);
        };
    }

    private Diagnosis signIn(List<String> words) {
        SignIn configured =
                switch (report.spec().transport()) {
                    case Transport.Http http -> http.signIn();
                    case Transport.Sse sse -> sse.signIn();
                    case Transport.Stdio _, Transport.Unset _ -> SignIn.FOUND_OUT;
                };
        return UrlExam.notLetIn(subject, configured, words);
    }

    private Diagnosis exits(List<String> words) {
        return Diagnosis.of(
                Cause.EXITS_AT_ONCE,
                subject,
                "Its program ends before it has answered.",
                words,
                LastWords.nextStep(words));
    }

    private Diagnosis unexplained(List<String> words) {
        return Diagnosis.of(
                Cause.NOT_CONNECTED,
                subject,
                "It could not be connected.",
                words,
                "Run patchbay with \"logLevel\": \"debug\" to see more.");
    }

    private Diagnosis silent(List<String> words) {
        // A line that has a message in it, and something before: the answer was there.
        if (report.chatter().last().contains("jsonrpc")) {
            return banner(words).withSeverity(Severity.ERROR);
        }
        return Diagnosis.of(
                Cause.HANGS_AT_CONNECT,
                subject,
                "It runs, but does not answer the handshake.",
                words,
                report.spec().transport() instanceof Transport.Stdio stdio
                        ? LastWords.whenSilent(stdio)
                        : "Look into the log of the server. If it is only slow, raise"
                                + " connectionTimeoutMs.");
    }

    private Diagnosis wrongEra(List<String> words) {
        EraChoice era = report.spec().options().era();
        return Diagnosis.of(
                Cause.WRONG_ERA,
                subject,
                "It speaks no version of MCP that may be spoken with it.",
                words,
                era == EraChoice.AUTO
                        ? "Update the server, or Patchbay."
                        : "Remove \"era\" from its configuration, so that it is asked what it"
                                + " speaks.");
    }
}
