package dev.patchbay.embedding;

import dev.patchbay.http.client.HttpChannel;
import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.mcp.HeaderParam;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.oauth.SignInRegistry;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.TransportFactory;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

/** Gets ready to reach servers over HTTP. */
final class HttpTransportFactory implements TransportFactory {
    private final BiFunction<ServerId, String, List<HeaderParam>> headerParams;
    private final SignInRegistry signIns;

    /** An opener that is told which arguments of a server's tool go into headers. */
    HttpTransportFactory(
            BiFunction<ServerId, String, List<HeaderParam>> headerParams, SignInRegistry signIns) {
        this.headerParams = headerParams;
        this.signIns = signIns;
    }

    @Override
    public TransportConnection open(ServerSpec spec) throws IOException {
        var target =
                switch (spec.transport()) {
                    case Transport.Http(var url, var headers, _) ->
                            new HttpChannel.Target(
                                    url, headers, false, signIns.credentialFor(spec));
                    case Transport.Sse(var url, var headers, _) ->
                            new HttpChannel.Target(url, headers, true, signIns.credentialFor(spec));
                    case Transport.Stdio _,
                            Transport.MissingVariables _,
                            Transport.NotTrusted _,
                            Transport.Invalid _ ->
                            throw new IOException("Not a URL");
                };
        return new HttpTransportConnection(
                new HttpChannel(target, tool -> headerParams.apply(spec.id(), tool)));
    }

    /** A server behind a URL as its supervisor sees it. */
    private record HttpTransportConnection(HttpChannel http) implements TransportConnection {
        @Override
        public Channel channel() {
            return http;
        }

        @Override
        public String closeReason() {
            return http.closeReason();
        }

        @Override
        public Duration retryAfter() {
            return http.retryAfter();
        }

        @Override
        public boolean treatsSilenceAsLegacy() {
            return false;
        }

        @Override
        public void onVersionNegotiated(ProtocolVersion version) {
            http.setVersion(version);
        }
    }
}
