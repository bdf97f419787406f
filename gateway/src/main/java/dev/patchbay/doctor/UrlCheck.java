package dev.patchbay.doctor;

import dev.patchbay.doctor.Diagnosis.Subject;
import dev.patchbay.http.client.HttpChannel.Target;
import dev.patchbay.http.client.ProbeResult;
import dev.patchbay.http.client.UrlProbe;
import dev.patchbay.server.FailureKind;
import dev.patchbay.server.OAuthConfig;
import dev.patchbay.server.OAuthConfig.Grant;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerId;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Probes the URL of a server that does not work: name, port, TLS, HTTP and MCP. */
final class UrlCheck {
    private final Subject subject;
    private final Target target;
    private final ServerFailure failure;
    private final OAuthConfig signIn;

    UrlCheck(ServerId server, Target target, OAuthConfig signIn, ServerFailure failure) {
        this.subject = Subject.server(server.value());
        this.target = target;
        this.failure = failure;
        this.signIn = signIn;
    }

    /** What prevents a connection; empty if a probe cannot tell. */
    Optional<Diagnosis> run(Duration patience) throws InterruptedException {
        return switch (new UrlProbe(target, patience).probe()) {
            case ProbeResult.UnknownHost(String host) ->
                    diagnosis(
                            Cause.HOST_UNKNOWN,
                            "The host name in the URL cannot be resolved.",
                            List.of("Host not found: " + host),
                            "Correct the URL, or check the network connection.");
            case ProbeResult.ConnectionRefused(String address, String why) ->
                    diagnosis(
                            Cause.PORT_CLOSED,
                            "Nothing listens at the URL.",
                            List.of(address + ": " + why),
                            "Start the server, or correct the port in the URL.");
            case ProbeResult.ConnectTimeout(String address) ->
                    diagnosis(
                            Cause.HOST_SILENT,
                            "The host in the URL does not answer.",
                            List.of(address + " did not accept in " + formatMillis(patience)),
                            "Check firewall and VPN, or correct the URL.");
            case ProbeResult.TlsFailed(String why, String certificate) ->
                    tlsFailure(why, certificate);
            case ProbeResult.ResponseTimeout(String host) -> noResponse(host, patience);
            case ProbeResult.TlsRequired(String certificate) ->
                    diagnosis(
                            Cause.TLS_FAILED,
                            "The URL begins with http://, but the server requires TLS.",
                            List.of("The certificate is " + certificate),
                            "Write https:// in the URL.");
            case ProbeResult.Disconnected(String why) ->
                    diagnosis(
                            Cause.NOT_MCP,
                            "The program at the URL does not speak HTTP.",
                            List.of(why, failure.message()),
                            "Correct the URL: scheme, port and path.");
            case ProbeResult.Answered answer -> checkResponse(answer);
        };
    }

    private Optional<Diagnosis> noResponse(String host, Duration patience) {
        return diagnosis(
                Cause.HANGS_AT_CONNECT,
                "The server accepts the connection but does not answer.",
                List.of(
                        host + " did not answer a request within " + formatMillis(patience),
                        failure.message()),
                "Check the log of the server and restart it.");
    }

    private Optional<Diagnosis> tlsFailure(String why, String certificate) {
        if (certificate.isEmpty() && !why.contains("alert")) {
            return diagnosis(
                    Cause.TLS_FAILED,
                    "The URL begins with https://, but the server does not use TLS.",
                    List.of(why),
                    "Correct the port; if the server has no TLS, write http:// in the URL.");
        }
        return diagnosis(
                Cause.TLS_FAILED,
                "No secure connection is possible.",
                List.of(why, certificate.isEmpty() ? "" : "The certificate is " + certificate),
                "Give the server a certificate for its name that this machine trusts, or add its"
                        + " authority to the trust store:"
                        + " PATCHBAY_JAVA_OPTS=-Djavax.net.ssl.trustStore=FILE.");
    }

    private Optional<Diagnosis> checkResponse(ProbeResult.Answered answer) {
        return switch (answer.status()) {
            case 401, 407 -> unauthorized(answer);
            case 403 ->
                    diagnosis(
                            Cause.FORBIDDEN,
                            "The server refuses access.",
                            evidence(answer, ""),
                            "Ask the operator for access; the credential may lack a permission.");
            case 404, 405, 410 -> wrongPath(answer);
            case 301, 302, 303, 307, 308 ->
                    diagnosis(
                            Cause.REDIRECTED,
                            "The server redirects to another URL. Redirects are not followed,"
                                    + " because credentials must not be sent there.",
                            evidence(answer, "Location: " + answer.location()),
                            "If you trust that URL, write it into the configuration.");
            default -> otherStatus(answer);
        };
    }

    private Optional<Diagnosis> unauthorized(ProbeResult.Answered answer) {
        boolean shown = hasCredential();
        if (!shown && failure.kind() == FailureKind.UNAUTHORIZED) {
            var words = new ArrayList<>(evidence(answer, challengeLine(answer)));
            if (!signIn.needsPerson()) {
                words.add(failure.message()); // the message of the authorization server
            }
            return Optional.of(signInRequired(subject, signIn, words));
        }
        if (!shown && acceptsTokens(answer)) {
            return Optional
                    .empty(); // the probe has no token, but the gateway was authorized with one
        }
        return diagnosis(
                Cause.UNAUTHORIZED,
                shown ? "The server rejects the credential." : "The server requires a credential.",
                evidence(answer, challengeLine(answer)),
                shown
                        ? "Put a valid credential under headers; the present one may have expired."
                        : "Add it: \"headers\": {\"Authorization\": \"Bearer ${TOKEN}\"}, and set"
                                + " TOKEN.");
    }

    private static boolean acceptsTokens(ProbeResult.Answered answer) {
        String challenge = answer.challenge().toLowerCase(Locale.ROOT);
        return answer.status() == 401 && (challenge.isEmpty() || challenge.contains("bearer"));
    }

    /** The diagnosis for a server that requires sign-in, which depends on the configured grant. */
    static Diagnosis signInRequired(Subject subject, OAuthConfig signIn, List<String> evidence) {
        return switch (signIn.grant()) {
            case Grant.JwtBearer _, Grant.IdentityAssertion _ ->
                    Diagnosis.of(
                            Cause.UNAUTHORIZED,
                            subject,
                            "The configured assertion was refused.",
                            evidence,
                            "Check that the file in assertionFile under oauth holds a JWT that has"
                                    + " not expired and is meant for this authorization server.");
            case Grant.ClientCredentials _ ->
                    Diagnosis.of(
                            Cause.UNAUTHORIZED,
                            subject,
                            "The configured client credentials were refused.",
                            evidence,
                            "Correct clientId and clientSecret under oauth, and issuer if it is"
                                    + " set; they may have been revoked.");
            case Grant.AuthorizationCode _ ->
                    Diagnosis.of(
                            Cause.SIGN_IN_NEEDED,
                            subject,
                            "The server requires sign-in.",
                            evidence,
                            "Sign in: patchbay login %s. If it takes a fixed token instead, add it:"
                                            .formatted(subject.server())
                                    + " \"headers\": {\"Authorization\": \"Bearer ${TOKEN}\"}, and"
                                    + " set TOKEN.");
        };
    }

    /** An MCP server may answer 404 for an unknown session, but then in JSON. */
    private Optional<Diagnosis> wrongPath(ProbeResult.Answered answer) {
        return isJson(answer)
                ? Optional.empty()
                : diagnosis(
                        Cause.WRONG_PATH,
                        "There is a web server at the URL, but no MCP endpoint at this path.",
                        evidence(answer, ""),
                        "Correct the path; many servers use /mcp, old ones /sse.");
    }

    private Optional<Diagnosis> otherStatus(ProbeResult.Answered answer) {
        int status = answer.status();
        if (status >= 500 || status == 429) {
            return diagnosis(
                    Cause.SERVER_FAULT,
                    "The server reports that it is unavailable.",
                    evidence(answer, ""),
                    "Check the log of the server, or try again later.");
        }
        boolean events = answer.type().equals("text/event-stream");
        boolean mcp = isJson(answer) || events || status == 202 || status >= 400;
        return mcp
                ? Optional.empty()
                : diagnosis(
                        Cause.NOT_MCP,
                        "The response is not MCP.",
                        evidence(answer, "Content-Type: " + answer.type()),
                        "Correct the URL: this looks like a web page.");
    }

    private static boolean isJson(ProbeResult.Answered answer) {
        return answer.type().equals("application/json");
    }

    private boolean hasCredential() {
        return target.headers().keySet().stream().anyMatch("authorization"::equalsIgnoreCase);
    }

    private static String challengeLine(ProbeResult.Answered answer) {
        return answer.challenge().isEmpty() ? "" : "WWW-Authenticate: " + answer.challenge();
    }

    private List<String> evidence(ProbeResult.Answered answer, String more) {
        String start = answer.bodyStart().isEmpty() ? "" : ": " + answer.bodyStart();
        return List.of(
                withoutQuery(target.url()) + " answers HTTP " + answer.status() + start, more);
    }

    /** A URL without the parts that may contain a secret. */
    private static String withoutQuery(URI url) {
        String port = url.getPort() < 0 ? "" : ":" + url.getPort();
        String path = url.getRawPath() == null ? "" : url.getRawPath();
        return url.getScheme() + "://" + url.getHost() + port + path;
    }

    private static String formatMillis(Duration time) {
        return time.toMillis() + " ms";
    }

    private Optional<Diagnosis> diagnosis(
            Cause cause, String problem, List<String> evidence, String nextStep) {
        return Optional.of(Diagnosis.of(cause, subject, problem, evidence, nextStep));
    }
}
