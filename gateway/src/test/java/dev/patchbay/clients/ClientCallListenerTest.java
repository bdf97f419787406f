package dev.patchbay.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.gateway.Caller;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RequestContext;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.ProtocolVersion;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/** What a server may ask the client of a request that cannot end with a question. */
class ClientCallListenerTest {
    private final List<String> asked = new ArrayList<>();

    /** A completion or a subscription of a modern client has no rounds of input. */
    @Test
    void modernClientIsNeverSentARequest() {
        ClientCallListener ear = listener(ProtocolVersion.V2026_07_28);
        assertThat(ear.acceptsInputRequest("roots/list", Json.EMPTY_OBJECT)).isFalse();
        assertThatThrownBy(() -> ear.requestInput("roots/list", Json.EMPTY_OBJECT))
                .isInstanceOfSatisfying(
                        RpcException.class,
                        e -> assertThat(e.error().code()).isEqualTo(RpcError.METHOD_NOT_FOUND));
        assertThat(asked).isEmpty();
    }

    @Test
    void legacyClientIsAskedOnlyForDeclaredCapabilities() throws Exception {
        ClientCallListener ear = listener(ProtocolVersion.V2025_11_25);
        assertThat(ear.acceptsInputRequest("roots/list", Json.EMPTY_OBJECT)).isTrue();
        assertThat(ear.requestInput("roots/list", Json.EMPTY_OBJECT)).hasToString("{\"roots\":[]}");
        assertThat(ear.acceptsInputRequest("sampling/createMessage", Json.EMPTY_OBJECT)).isFalse();
        assertThatThrownBy(() -> ear.requestInput("sampling/createMessage", Json.EMPTY_OBJECT))
                .hasMessageContaining("did not declare sampling/createMessage");
        assertThat(asked).containsExactly("roots/list");
    }

    private ClientCallListener listener(ProtocolVersion version) {
        var client = new Implementation("c", "1");
        var caller =
                new ClientContext(
                        "ann",
                        new ClientContext.StatelessClient("ann", client),
                        "connection",
                        version,
                        client,
                        Json.of("{\"roots\":{}}"),
                        null,
                        new RecordingContext(asked),
                        Caller.GATEWAY);
        return new ClientCallListener(caller, Json.EMPTY_OBJECT);
    }

    /** A client that has no roots. */
    private record RecordingContext(List<String> asked) implements RequestContext {
        @Override
        public void sendNotification(Notification notification) {}

        @Override
        public CallOutcome call(
                String method, LongFunction<@Nullable Json> params, Duration timeout) {
            asked.add(method);
            return new CallOutcome.Result(Json.of("{\"roots\":[]}"));
        }

        @Override
        public void cancelRequest(RequestId id) {}
    }
}
