package dev.patchbay.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.http.server.ViewAccess.Decision;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.RpcHandler;
import dev.patchbay.mcp.HeaderParam;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

class ViewAccessTest {
    /** Has the views work and home, of which tokens can use work only. */
    private static final class Handlers implements HandlerFactory {
        private final String name;

        Handlers(String name) {
            this.name = name;
        }

        @Override
        public @Nullable HandlerFactory forView(String view) {
            return Set.of("work", "home").contains(view) ? new Handlers(view) : null;
        }

        @Override
        public @Nullable HandlerFactory forTokenView(String view) {
            return view.equals("work") ? forView(view) : null;
        }

        @Override
        public RpcHandler modernHandler(String principal) {
            throw new AssertionError();
        }

        @Override
        public SessionHandler newLegacyHandler(
                String principal, Consumer<Notification> unsolicited) {
            throw new AssertionError();
        }

        @Override
        public boolean servesMethod(String method) {
            throw new AssertionError();
        }

        @Override
        public List<HeaderParam> headerParams(String tool) {
            throw new AssertionError();
        }
    }

    private final ViewAccess access = new ViewAccess(new Handlers("all"));

    private static Principal principal(@Nullable String view) {
        return new Principal("p", Set.of(AccessScope.MCP), view);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, /mcp, all",
                "-, /mcp/views/work, work",
                "-, /mcp/views/home, home",
                "-, /mcp/views/none, 404",
                "-, /mcp/views/, 404",
                "-, /mcp/views/work/, 404",
                "-, /mcp/views/work/x, 404",
                "work, /mcp, work",
                "work, /mcp/views/work, work",
                "work, /mcp/views/home, 403",
                "work, /mcp/views/none, 403",
                "home, /mcp, 404",
                "home, /mcp/views/home, 404",
                "gone, /mcp, 404",
            })
    void tokenAndPathDecideOnTheView(@Nullable String token, String path, String expected) {
        assertThat(ViewAccess.isEndpoint(path)).isTrue();
        String actual =
                switch (access.decide(principal(token), path)) {
                    case Decision.Granted(EndpointClient client) -> {
                        String handlers = ((Handlers) client.handlers()).name;
                        assertThat(client.view()).isEqualTo(handlers.equals("all") ? "" : handlers);
                        yield handlers;
                    }
                    case Decision.Refused(int status, String reason) -> {
                        assertThat(reason).isNotEmpty();
                        yield Integer.toString(status);
                    }
                };
        assertThat(actual).isEqualTo(expected);
    }

    @Test
    void otherPathsAreNotTheEndpoint() {
        assertThat(List.of("/", "/mcp/", "/mcp/views", "/mcp2", "/mcp/other", "/api"))
                .noneMatch(ViewAccess::isEndpoint);
        assertThat(ViewAccess.isEndpoint(null)).isFalse();
    }
}
