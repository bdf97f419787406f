package dev.patchbay.doctor;

import dev.patchbay.config.Environment;
import dev.patchbay.doctor.Diagnosis.Subject;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.http.client.HttpChannel.Target;
import dev.patchbay.server.ConfiguredValues;
import dev.patchbay.server.FailureKind;
import dev.patchbay.server.OAuthConfig;
import dev.patchbay.server.SecretMissingException;
import dev.patchbay.server.SecretResolver;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerSpec.EraChoice;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.ServerState.Status;
import dev.patchbay.server.StrayOutput;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds out why one server does not work, from what is known of it and by looking itself. */
final class ServerCheck {
    private static final int FAULTS_SHOWN_MAX = 20;

    private final ServerReport report;
    private final Subject subject;
    private final String id;
    private final Environment environment;
    private final Duration stepTimeout;
    private final SecretResolver secrets;

    ServerCheck(
            ServerReport report,
            Environment surroundings,
            Duration patience,
            SecretResolver secrets) {
        this.report = report;
        this.id = report.spec().id().value();
        this.subject = Subject.server(id);
        this.environment = surroundings;
        this.stepTimeout = patience;
        this.secrets = secrets;
    }

    List<Diagnosis> run() throws InterruptedException {
        var found = new ArrayList<Diagnosis>();
        ServerFailure trouble = report.lastError();
        if (!report.enabled()) {
            found.add(disabled());
            return found;
        }
        if (trouble != null) {
            found.add(
                    report.state().status() == Status.CONNECTED
                            ? listFailure(trouble)
                            : withNextAttempt(connectFailure(trouble)));
        } else if (report.state().status() == Status.CONNECTED) {
            found.addAll(checkConnected());
        }
        found.addAll(OfferingCheck.withheld(report));
        return found;
    }

    private Diagnosis withNextAttempt(Diagnosis found) {
        Instant next = report.nextAttemptAt();
        if (next == null) {
            return found;
        }
        var evidence = new ArrayList<>(found.evidence());
        evidence.add("next attempt in the background: " + next.truncatedTo(ChronoUnit.SECONDS));
        return Diagnosis.of(
                        found.cause(), found.subject(), found.problem(), evidence, found.nextStep())
                .withSeverity(found.severity());
    }

    private Diagnosis disabled() {
        return Diagnosis.of(
                Cause.DISABLED,
                subject,
                "The server is disabled in the configuration.",
                List.of(),
                "To use it: patchbay enable " + id);
    }

    /** What can be said of a server that works. */
    private List<Diagnosis> checkConnected() {
        var found = new ArrayList<Diagnosis>();
        StrayOutput chatter = report.strayOutput();
        if (chatter.lines() > 0) {
            found.add(strayOutput(FailureEvidence.linesFor(chatter)));
        }
        if (!report.stale()
                && report.counts().tools() == 0
                && report.withheld().isEmpty()
                && report.filtered().isEmpty()) {
            found.add(
                    Diagnosis.of(
                            Cause.NO_TOOLS,
                            subject,
                            "Connected, but the server offers no tools.",
                            List.of(
                                    "%d prompts, %d resources"
                                            .formatted(
                                                    report.counts().prompts(),
                                                    report.counts().resources())),
                            "If it should have tools, see its documentation."));
        }
        return found;
    }

    private Diagnosis strayOutput(List<String> evidence) {
        return Diagnosis.of(
                Cause.BANNER_ON_STDOUT,
                subject,
                "The server writes text to standard output, which is reserved for messages.",
                evidence,
                "Patchbay passes such lines over; other clients may not. Have the server log to"
                        + " standard error.");
    }

    private Diagnosis listFailure(ServerFailure trouble) {
        return switch (trouble.kind()) {
            case TIMEOUT ->
                    Diagnosis.of(
                            Cause.HANGS_AT_LIST,
                            subject,
                            "Connected, but the server does not answer list requests.",
                            FailureEvidence.linesFor(trouble, report.strayOutput()),
                            "Check the log of the server. If it is only slow, raise"
                                    + " connectionTimeoutMs.");
            case ENDED_DURING_CONNECT, ENDED_AFTER_CONNECT -> exitAfterConnect(trouble);
            case UNAUTHORIZED ->
                    signInRequired(FailureEvidence.linesFor(trouble, report.strayOutput()));
            case START_FAILED,
                    NO_COMMON_VERSION,
                    NOT_TRUSTED,
                    INVALID_CONFIG,
                    SECRET_MISSING,
                    ERROR_RESPONSE,
                    PROTOCOL_ERROR,
                    OTHER ->
                    Diagnosis.of(
                            Cause.LIST_FAILED,
                            subject,
                            "Connected, but listing failed.",
                            FailureEvidence.linesFor(trouble, report.strayOutput()),
                            "Check the log of the server; report the response to its author.");
        };
    }

    private Diagnosis exitAfterConnect(ServerFailure trouble) {
        return Diagnosis.of(
                Cause.ENDS_AFTER_START,
                subject,
                "The server connected and then exited.",
                FailureEvidence.linesFor(trouble, report.strayOutput()),
                "Its last output says more. Run its command by hand to see all of them.");
    }

    private Diagnosis connectFailure(ServerFailure trouble) throws InterruptedException {
        if (trouble.kind() == FailureKind.SECRET_MISSING) {
            return secretMissing(trouble);
        }
        return switch (report.spec().transport()) {
            case Transport.Stdio stdio -> programFailure(stdio, trouble);
            case Transport.Http(var url, var headers, var signIn) ->
                    urlFailure(url, headers, false, signIn, trouble);
            case Transport.Sse(var url, var headers, var signIn) ->
                    urlFailure(url, headers, true, signIn, trouble);
            case Transport.MissingVariables unset -> missingVariables(unset);
            case Transport.NotTrusted untrusted -> notTrusted(untrusted);
            case Transport.Invalid invalid -> invalidEntry(invalid);
        };
    }

    private Diagnosis invalidEntry(Transport.Invalid invalid) {
        var evidence =
                invalid.faults().stream().limit(FAULTS_SHOWN_MAX).map(Object::toString).toList();
        return Diagnosis.of(
                Cause.CONFIG_FAULT,
                subject,
                "Not started: its entry in the configuration file is invalid.",
                evidence,
                invalid.faults().getFirst().remedy() + ".");
    }

    private Diagnosis notTrusted(Transport.NotTrusted untrusted) {
        return Diagnosis.of(
                Cause.NOT_TRUSTED,
                subject,
                "Not started: a project supplies this server and you have not approved it.",
                List.of(untrusted.problem()),
                "Review what it would run, then approve it: patchbay trust");
    }

    private Diagnosis secretMissing(ServerFailure trouble) {
        return Diagnosis.of(
                Cause.SECRET_MISSING,
                subject,
                "Not started: a secret that its configuration refers to is not there.",
                List.of(trouble.message()),
                "Set the secret, or change the configuration: patchbay secret set NAME");
    }

    private Diagnosis missingVariables(Transport.MissingVariables unset) {
        return Diagnosis.of(
                Cause.VARIABLE_MISSING,
                subject,
                unset.problem() + ".",
                List.of("Patchbay was started without it; hosts often pass no variables on"),
                "Set it where Patchbay is started, or write ${%s:-default} in the configuration."
                        .formatted(unset.variables().getFirst()));
    }

    private Diagnosis programFailure(Transport.Stdio stdio, ServerFailure trouble) {
        var exam = new ProgramCheck(report.spec().id(), stdio, environment);
        Optional<Diagnosis> found =
                switch (trouble.kind()) {
                    case START_FAILED -> exam.checkStart();
                    case ENDED_DURING_CONNECT, TIMEOUT ->
                            exam.checkRun().map(it -> withFailureLines(it, trouble));
                    case NO_COMMON_VERSION,
                            NOT_TRUSTED,
                            INVALID_CONFIG,
                            SECRET_MISSING,
                            ERROR_RESPONSE,
                            UNAUTHORIZED,
                            PROTOCOL_ERROR,
                            ENDED_AFTER_CONNECT,
                            OTHER ->
                            Optional.empty();
                };
        return found.orElseGet(() -> fromFailure(trouble));
    }

    /** What was seen from outside, with what the server said itself. */
    private static Diagnosis withFailureLines(Diagnosis found, ServerFailure trouble) {
        var evidence = new ArrayList<>(found.evidence());
        evidence.addAll(FailureEvidence.linesFor(trouble));
        return Diagnosis.of(
                found.cause(), found.subject(), found.problem(), evidence, found.nextStep());
    }

    private Diagnosis urlFailure(
            URI url,
            ConfiguredValues headers,
            boolean isSse,
            OAuthConfig signIn,
            ServerFailure trouble)
            throws InterruptedException {
        boolean told = trouble.kind() == FailureKind.ENDED_AFTER_CONNECT || stepTimeout.isZero();
        Target target;
        try {
            target = new Target(url, headers.resolve(secrets).values(), isSse);
        } catch (SecretMissingException _) {
            return fromFailure(trouble);
        }
        Optional<Diagnosis> found =
                told
                        ? Optional.empty()
                        : new UrlCheck(report.spec().id(), target, signIn, trouble)
                                .run(stepTimeout);
        return found.orElseGet(() -> fromFailure(trouble));
    }

    /** What the failed attempt itself tells. */
    private Diagnosis fromFailure(ServerFailure trouble) {
        List<String> words = FailureEvidence.linesFor(trouble, report.strayOutput());
        return switch (trouble.kind()) {
            case ENDED_DURING_CONNECT ->
                    report.spec().transport() instanceof Transport.Stdio
                            ? exitBeforeAnswer(words)
                            : unexplainedFailure(words);
            case TIMEOUT -> handshakeTimeout(words);
            case NO_COMMON_VERSION -> noCommonVersion(words);
            case UNAUTHORIZED -> signInRequired(words);
            case ERROR_RESPONSE ->
                    Diagnosis.of(
                            Cause.REFUSES_HANDSHAKE,
                            subject,
                            "The server answered the handshake with an error.",
                            words,
                            "The error says why; see the documentation of the server.");
            case PROTOCOL_ERROR ->
                    Diagnosis.of(
                            Cause.NOT_MCP,
                            subject,
                            "The response is not MCP.",
                            words,
                            "Check that the command or URL is an MCP server.");
            case ENDED_AFTER_CONNECT -> exitAfterConnect(trouble);
            case SECRET_MISSING -> secretMissing(trouble);
            case START_FAILED, NOT_TRUSTED, INVALID_CONFIG, OTHER -> unexplainedFailure(words);
        };
    }

    private Diagnosis signInRequired(List<String> words) {
        OAuthConfig configured =
                switch (report.spec().transport()) {
                    case Transport.Http http -> http.oauth();
                    case Transport.Sse sse -> sse.oauth();
                    case Transport.Stdio _,
                            Transport.MissingVariables _,
                            Transport.NotTrusted _,
                            Transport.Invalid _ ->
                            OAuthConfig.DISCOVER;
                };
        return UrlCheck.signInRequired(subject, configured, words);
    }

    private Diagnosis exitBeforeAnswer(List<String> words) {
        return Diagnosis.of(
                Cause.EXITS_AT_ONCE,
                subject,
                "The program exits before it answers.",
                words,
                StderrAdvice.nextStepAfterExit(words));
    }

    private Diagnosis unexplainedFailure(List<String> words) {
        return Diagnosis.of(
                Cause.NOT_CONNECTED,
                subject,
                "The connection failed.",
                words,
                "Run patchbay with \"logLevel\": \"debug\" to see more.");
    }

    private Diagnosis handshakeTimeout(List<String> words) {
        // A line that has a message in it, and something before: the answer was there.
        if (report.strayOutput().last().contains("jsonrpc")) {
            return strayOutput(words).withSeverity(DiagnosisSeverity.ERROR);
        }
        return Diagnosis.of(
                Cause.HANGS_AT_CONNECT,
                subject,
                "The server runs but does not answer the handshake.",
                words,
                report.spec().transport() instanceof Transport.Stdio stdio
                        ? StderrAdvice.nextStepWithoutAnswer(stdio)
                        : "Check the log of the server. If it is only slow, raise"
                                + " connectionTimeoutMs.");
    }

    private Diagnosis noCommonVersion(List<String> words) {
        EraChoice era = report.spec().options().era();
        return Diagnosis.of(
                Cause.WRONG_ERA,
                subject,
                "The server supports no MCP version that is allowed for it.",
                words,
                era == EraChoice.AUTO
                        ? "Update the server, or Patchbay."
                        : "Remove \"era\" from its configuration, so that it is asked what it"
                                + " speaks.");
    }
}
