package dev.patchbay.app;

import dev.patchbay.http.HttpChannel;
import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.mcp.HeaderParam;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.oauth.SignIns;
import dev.patchbay.server.Opener;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Transport;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

/** Gets ready to reach servers over HTTP. */
final class HttpOpener implements Opener {
    private final BiFunction<ServerId, String, List<HeaderParam>> headerParams;
    private final SignIns signIns;

    /** An opener that is told which arguments of a server's tool go into headers. */
    HttpOpener(BiFunction<ServerId, String, List<HeaderParam>> headerParams, SignIns signIns) {
        this.headerParams = headerParams;
        this.signIns = signIns;
    }

    @Override
    public Opened open(ServerSpec spec) throws IOException {
        var target =
                switch (spec.transport()) {
                    case Transport.Http(var url, var headers, _) ->
                            new HttpChannel.Target(url, headers, false, signIns.of(spec));
                    case Transport.Sse(var url, var headers, _) ->
                            new HttpChannel.Target(url, headers, true, signIns.of(spec));
                    case Transport.Stdio _, Transport.Unset _ -> throw new IOException("Not a URL");
                };
        return new OpenedUrl(new HttpChannel(target, tool -> headerParams.apply(spec.id(), tool)));
    }

    /** A server behind a URL as its supervisor sees it. */
    private record OpenedUrl(HttpChannel http) implements Opened {
        @Override
        public Channel channel() {
            return http;
        }

        @Override
        public String lastWords() {
            return http.lastWords();
        }

        @Override
        public Duration retryAfter() {
            return http.retryAfter();
        }

        @Override
        public boolean isEraToldBySilence() {
            return false;
        }

        @Override
        public void agreed(ProtocolVersion version) {
            http.agreed(version);
        }
    }
}
