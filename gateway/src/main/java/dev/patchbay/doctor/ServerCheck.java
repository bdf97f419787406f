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

/** Diagnoses one server from its report, its program and its URL. */
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
            Environment environment,
            Duration patience,
            SecretResolver secrets) {
        this.report = report;
        this.id = report.spec().id().value();
        this.subject = Subject.server(id);
        this.environment = environment;
        this.stepTimeout = patience;
        this.secrets = secrets;
    }

    List<Diagnosis> run() throws InterruptedException {
        var found = new ArrayList<Diagnosis>();
        ServerFailure failure = report.lastError();
        if (!report.enabled()) {
            found.add(disabled());
            return found;
        }
        if (failure != null) {
            found.add(
                    report.state().status() == Status.CONNECTED
                            ? listFailure(failure)
                            : withNextAttempt(connectFailure(failure)));
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

    /** Findings about a connected server. */
    private List<Diagnosis> checkConnected() {
        var found = new ArrayList<Diagnosis>();
        StrayOutput stray = report.strayOutput();
        if (stray.lines() > 0) {
            found.add(strayOutput(FailureEvidence.linesFor(stray)));
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
                "Patchbay ignores such lines, but other clients may not. Configure the server to"
                        + " log to standard error.");
    }

    private Diagnosis listFailure(ServerFailure failure) {
        return switch (failure.kind()) {
            case TIMEOUT ->
                    Diagnosis.of(
                            Cause.HANGS_AT_LIST,
                            subject,
                            "Connected, but the server does not answer list requests.",
                            FailureEvidence.linesFor(failure, report.strayOutput()),
                            "Check the log of the server. If it is only slow, raise"
                                    + " connectionTimeoutMs.");
            case ENDED_DURING_CONNECT, ENDED_AFTER_CONNECT -> exitAfterConnect(failure);
            case UNAUTHORIZED ->
                    signInRequired(FailureEvidence.linesFor(failure, report.strayOutput()));
            case START_FAILED,
                    NO_COMMON_VERSION,
                    NOT_TRUSTED,
                    INVALID_CONFIG,
                    SECRET_MISSING,
                    SANDBOX_UNAVAILABLE,
                    ERROR_RESPONSE,
                    PROTOCOL_ERROR,
                    OTHER ->
                    Diagnosis.of(
                            Cause.LIST_FAILED,
                            subject,
                            "Connected, but listing failed.",
                            FailureEvidence.linesFor(failure, report.strayOutput()),
                            "Check the log of the server; report the response to its author.");
        };
    }

    private Diagnosis exitAfterConnect(ServerFailure failure) {
        return Diagnosis.of(
                Cause.ENDS_AFTER_START,
                subject,
                "The server connected and then exited.",
                FailureEvidence.linesFor(failure, report.strayOutput()),
                "See its last output above. Run the command by hand to see all of it.");
    }

    private Diagnosis connectFailure(ServerFailure failure) throws InterruptedException {
        if (failure.kind() == FailureKind.SECRET_MISSING) {
            return secretMissing(failure);
        }
        if (failure.kind() == FailureKind.SANDBOX_UNAVAILABLE) {
            return sandboxUnavailable(failure);
        }
        return switch (report.spec().transport()) {
            case Transport.Stdio stdio -> programFailure(stdio, failure);
            case Transport.Http(var url, var headers, var signIn) ->
                    urlFailure(url, headers, false, signIn, failure);
            case Transport.Sse(var url, var headers, var signIn) ->
                    urlFailure(url, headers, true, signIn, failure);
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

    private Diagnosis secretMissing(ServerFailure failure) {
        return Diagnosis.of(
                Cause.SECRET_MISSING,
                subject,
                "Not started: a secret that its configuration refers to is not there.",
                List.of(failure.message()),
                "Set the secret, or change the configuration: patchbay secret set NAME");
    }

    private Diagnosis sandboxUnavailable(ServerFailure failure) {
        return Diagnosis.of(
                Cause.SANDBOX_UNAVAILABLE,
                subject,
                "Not started: this machine cannot confine it as its setting sandbox demands.",
                List.of(failure.message()),
                "Install bubblewrap, or choose another sandbox for the server.");
    }

    private Diagnosis missingVariables(Transport.MissingVariables unset) {
        return Diagnosis.of(
                Cause.VARIABLE_MISSING,
                subject,
                unset.problem() + ".",
                List.of("Patchbay was started without it; hosts often do not pass variables on"),
                "Set it where Patchbay is started, or write ${%s:-default} in the configuration."
                        .formatted(unset.variables().getFirst()));
    }

    private Diagnosis programFailure(Transport.Stdio stdio, ServerFailure failure) {
        var check = new ProgramCheck(report.spec().id(), stdio, environment);
        Optional<Diagnosis> found =
                switch (failure.kind()) {
                    case START_FAILED -> check.checkStart();
                    case ENDED_DURING_CONNECT, TIMEOUT ->
                            check.checkRun().map(it -> withFailureLines(it, failure));
                    case NO_COMMON_VERSION,
                            NOT_TRUSTED,
                            INVALID_CONFIG,
                            SECRET_MISSING,
                            SANDBOX_UNAVAILABLE,
                            ERROR_RESPONSE,
                            UNAUTHORIZED,
                            PROTOCOL_ERROR,
                            ENDED_AFTER_CONNECT,
                            OTHER ->
                            Optional.empty();
                };
        return found.orElseGet(() -> fromFailure(failure));
    }

    /** Adds the lines of the failure to a diagnosis. */
    private static Diagnosis withFailureLines(Diagnosis found, ServerFailure failure) {
        var evidence = new ArrayList<>(found.evidence());
        evidence.addAll(FailureEvidence.linesFor(failure));
        return Diagnosis.of(
                found.cause(), found.subject(), found.problem(), evidence, found.nextStep());
    }

    private Diagnosis urlFailure(
            URI url,
            ConfiguredValues headers,
            boolean isSse,
            OAuthConfig signIn,
            ServerFailure failure)
            throws InterruptedException {
        boolean told = failure.kind() == FailureKind.ENDED_AFTER_CONNECT || stepTimeout.isZero();
        Target target;
        try {
            target = new Target(url, headers.resolve(secrets).values(), isSse);
        } catch (SecretMissingException _) {
            return fromFailure(failure);
        }
        Optional<Diagnosis> found =
                told
                        ? Optional.empty()
                        : new UrlCheck(report.spec().id(), target, signIn, failure)
                                .run(stepTimeout);
        return found.orElseGet(() -> fromFailure(failure));
    }

    /** The diagnosis that follows from the failure itself. */
    private Diagnosis fromFailure(ServerFailure failure) {
        List<String> words = FailureEvidence.linesFor(failure, report.strayOutput());
        return switch (failure.kind()) {
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
            case ENDED_AFTER_CONNECT -> exitAfterConnect(failure);
            case SECRET_MISSING -> secretMissing(failure);
            case SANDBOX_UNAVAILABLE -> sandboxUnavailable(failure);
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
                "Set \"logLevel\": \"debug\" in the configuration to see more.");
    }

    private Diagnosis handshakeTimeout(List<String> words) {
        // The response was in a line with other text before it.
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
                        : "Remove \"era\" from its configuration, so that the version is"
                                + " negotiated.");
    }
}
