package dev.patchbay.embedding;

import dev.patchbay.http.client.HttpChannel;
import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.mcp.HeaderParam;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.oauth.SignInRegistry;
import dev.patchbay.server.ConfiguredValues;
import dev.patchbay.server.PermanentOpenException;
import dev.patchbay.server.SecretMask;
import dev.patchbay.server.SecretResolver;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.TransportFactory;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

/** Gets ready to reach servers over HTTP. */
final class HttpTransportFactory implements TransportFactory {
    private final BiFunction<ServerId, String, List<HeaderParam>> headerParams;
    private final SignInRegistry signIns;
    private final SecretResolver secrets;

    /** An opener that is told which arguments of a server's tool go into headers. */
    HttpTransportFactory(
            BiFunction<ServerId, String, List<HeaderParam>> headerParams,
            SignInRegistry signIns,
            SecretResolver secrets) {
        this.headerParams = headerParams;
        this.signIns = signIns;
        this.secrets = secrets;
    }

    @Override
    public TransportConnection open(ServerSpec spec) throws IOException {
        return switch (spec.transport()) {
            case Transport.Http(var url, var headers, _) -> open(spec, url, headers, false);
            case Transport.Sse(var url, var headers, _) -> open(spec, url, headers, true);
            case Transport.Stdio _,
                    Transport.MissingVariables _,
                    Transport.NotTrusted _,
                    Transport.Invalid _ ->
                    throw new IOException("Not a URL");
        };
    }

    private TransportConnection open(
            ServerSpec spec, URI url, ConfiguredValues configured, boolean isSse)
            throws IOException {
        ConfiguredValues.Resolved headers = configured.resolve(secrets);
        for (var header : headers.values().entrySet()) {
            if (header.getValue().chars().anyMatch(c -> c < ' ' && c != '\t')) {
                throw new PermanentOpenException(
                        "The secret in the header %s contains a line break or a control character"
                                .formatted(header.getKey()));
            }
        }
        var target =
                new HttpChannel.Target(url, headers.values(), isSse, signIns.credentialFor(spec));
        return new HttpTransportConnection(
                new HttpChannel(target, tool -> headerParams.apply(spec.id(), tool)),
                headers.mask());
    }

    /** A server behind a URL as its supervisor sees it. */
    private record HttpTransportConnection(HttpChannel http, SecretMask mask)
            implements TransportConnection {
        @Override
        public Channel channel() {
            return http;
        }

        @Override
        public String closeReason() {
            return mask.apply(http.closeReason());
        }

        @Override
        public String maskSecrets(String text) {
            return mask.apply(text);
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
