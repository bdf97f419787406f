package dev.patchbay.server;

import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberCursor;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

/**
 * What a server may say to a person. Questions and log messages name the server that they come
 * from, since a client knows the gateway only. Forms that ask for a secret are withheld.
 *
 * @param allowsSecretForms whether the configuration allows such forms for the server
 */
public record QuestionPolicy(ServerId server, boolean allowsSecretForms) {
    private static final String ELICITATION = "elicitation/create";
    private static final String SAMPLING = "sampling/createMessage";
    private static final String INPUT_REQUESTS = "inputRequests";

    public static QuestionPolicy of(ServerSpec spec) {
        return new QuestionPolicy(spec.id(), spec.options().allowSecretForms());
    }

    /**
     * Returns a question as a client gets it.
     *
     * @throws RpcException if the question is withheld
     */
    public Json label(String method, Json params) {
        return switch (method) {
            case ELICITATION -> {
                requireNoSecret(params);
                yield labelElicitation(params);
            }
            case SAMPLING -> labelSampling(params);
            default -> params;
        };
    }

    /** Returns a result or a task of a modern server with its questions as a client gets them. */
    public Json labelInputRequests(Json result) {
        Json questions = result.member(INPUT_REQUESTS);
        if (questions == null || !questions.isObject()) {
            return result;
        }
        var writer = new JsonWriter().beginObject();
        MemberCursor members = questions.memberCursor();
        while (members.next()) {
            writer.name(members.name()).value(labelInputRequest(members.value()));
        }
        return MemberPatch.with(result, INPUT_REQUESTS, writer.endObject().toJson());
    }

    /** The same for a notification about a task, which cannot be refused: it asks less instead. */
    Json labelTask(Json params) {
        try {
            return labelInputRequests(params);
        } catch (RpcException _) {
            return MemberPatch.without(params, INPUT_REQUESTS);
        }
    }

    private Json labelInputRequest(Json question) {
        String method = question.isObject() ? question.memberText("method") : null;
        Json params = method == null ? null : question.member("params");
        return method == null || params == null || !params.isObject()
                ? question
                : MemberPatch.with(question, "params", label(method, params));
    }

    /** Returns an error that lists URLs to visit, with each as a client gets it. */
    public RpcError labelError(RpcError error) {
        Json data = error.data();
        Json listed = data == null || !data.isObject() ? null : data.member("elicitations");
        if (data == null || listed == null || !listed.isArray()) {
            return error;
        }
        var writer = new JsonWriter().beginArray();
        for (Json params : listed.elements()) {
            writer.value(params.isObject() ? labelElicitation(params) : params);
        }
        Json labelled = MemberPatch.with(data, "elicitations", writer.endArray().toJson());
        return new RpcError(error.code(), error.message(), labelled);
    }

    /** Returns the params of a log message with the server's id before the name of its logger. */
    Json labelLogMessage(Json params) {
        String logger = params.memberText("logger");
        String named = server + (logger == null || logger.isEmpty() ? "" : "/" + logger);
        return MemberPatch.with(params, "logger", Json.string(named));
    }

    private Json labelElicitation(Json params) {
        String message = params.memberText("message");
        String named = "[" + server + "] " + (message == null ? "" : message);
        return MemberPatch.with(params, "message", Json.string(named));
    }

    private Json labelSampling(Json params) {
        String prompt = params.memberText("systemPrompt");
        String named =
                "This request comes from the MCP server "
                        + server
                        + "."
                        + (prompt == null || prompt.isEmpty() ? "" : "\n\n" + prompt);
        return MemberPatch.with(params, "systemPrompt", Json.string(named));
    }

    private void requireNoSecret(Json params) {
        @Nullable String field = allowsSecretForms ? null : SecretFormDetector.secretField(params);
        if (field == null) {
            return;
        }
        String shown = DisplayText.quoteName(field);
        System.getLogger(QuestionPolicy.class.getName())
                .log(
                        WARNING,
                        "Server {0} asked for a secret in a form (field {1}). The form was"
                                + " withheld. To allow it, set allowSecretForms for the server",
                        server,
                        shown);
        throw new RpcException(
                RpcError.INVALID_PARAMS,
                "The gateway withheld the form: its field %s asks for a secret. Use an elicitation"
                                .formatted(shown)
                        + " of the mode url, or set allowSecretForms for the server "
                        + server);
    }
}
