package dev.patchbay.front;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Exchange;
import dev.patchbay.jsonrpc.Message.Notification;
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
class ClientEarTest {
    private final List<String> asked = new ArrayList<>();

    /** A completion or a subscription of a modern client has no rounds of input. */
    @Test
    void aModernClientIsNeverSentARequest() {
        ClientEar ear = ear(ProtocolVersion.V2026_07_28);
        assertThat(ear.takes("roots/list", Json.EMPTY_OBJECT)).isFalse();
        assertThatThrownBy(() -> ear.ask("roots/list", Json.EMPTY_OBJECT))
                .isInstanceOfSatisfying(
                        RpcException.class,
                        e -> assertThat(e.error().code()).isEqualTo(RpcError.METHOD_NOT_FOUND));
        assertThat(asked).isEmpty();
    }

    @Test
    void aLegacyClientIsAskedWhatItDeclared() throws Exception {
        ClientEar ear = ear(ProtocolVersion.V2025_11_25);
        assertThat(ear.takes("roots/list", Json.EMPTY_OBJECT)).isTrue();
        assertThat(ear.ask("roots/list", Json.EMPTY_OBJECT)).hasToString("{\"roots\":[]}");
        assertThat(ear.takes("sampling/createMessage", Json.EMPTY_OBJECT)).isFalse();
        assertThatThrownBy(() -> ear.ask("sampling/createMessage", Json.EMPTY_OBJECT))
                .hasMessageContaining("did not declare sampling/createMessage");
        assertThat(asked).containsExactly("roots/list");
    }

    private ClientEar ear(ProtocolVersion version) {
        var client = new Implementation("c", "1");
        var caller =
                new Caller(
                        "ann",
                        new Caller.Visitor("ann", client),
                        version,
                        client,
                        Json.of("{\"roots\":{}}"),
                        null,
                        new Answering(asked));
        return new ClientEar(caller, Json.EMPTY_OBJECT);
    }

    /** A client that has no roots. */
    private record Answering(List<String> asked) implements Exchange {
        @Override
        public void notify(Notification notification) {}

        @Override
        public CallOutcome call(
                String method, LongFunction<@Nullable Json> params, Duration timeout) {
            asked.add(method);
            return new CallOutcome.Result(Json.of("{\"roots\":[]}"));
        }

        @Override
        public void cancel(RequestId id) {}
    }
}
