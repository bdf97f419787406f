package dev.patchbay.embedding;

import dev.patchbay.catalog.FullName;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.catalog.Tool;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.mcp.HeaderParam;
import dev.patchbay.mcp.HeaderParamParser;
import dev.patchbay.oauth.SignInRegistry;
import dev.patchbay.server.PermanentOpenException;
import dev.patchbay.server.SecretResolver;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.TransportFactory;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;

/** Opens each server in the way its transport wants. */
final class DefaultTransportFactory implements TransportFactory {
    private final TransportFactory stdioFactory;
    private final TransportFactory httpFactory;

    /** The gateway whose servers are opened; it can only be made after its opener. */
    private volatile @Nullable Gateway gateway;

    DefaultTransportFactory(
            StdioTransportFactory stdioFactory, SignInRegistry signIns, SecretResolver secrets) {
        this.stdioFactory = stdioFactory;
        httpFactory = new HttpTransportFactory(this::headerParams, signIns, secrets);
    }

    /** Tells whose servers these are, so that their tools can be looked up. */
    void attachGateway(Gateway owner) {
        gateway = owner;
    }

    @Override
    public TransportConnection open(ServerSpec spec) throws IOException {
        return switch (spec.transport()) {
            case Transport.Stdio _ -> stdioFactory.open(spec);
            case Transport.Http _, Transport.Sse _ -> httpFactory.open(spec);
            case Transport.MissingVariables missing ->
                    throw new PermanentOpenException(missing.problem());
            case Transport.NotTrusted untrusted ->
                    throw new PermanentOpenException(untrusted.problem());
            case Transport.Invalid invalid -> throw new PermanentOpenException(invalid.problem());
        };
    }

    private List<HeaderParam> headerParams(ServerId server, String tool) {
        Gateway owner = gateway;
        if (owner != null
                && owner.lookup(new FullName(server, tool).text())
                        instanceof LookupResult.Found<Tool>(Tool found)
                && HeaderParamParser.parse(found.inputSchema())
                        instanceof HeaderParamParser.ParseResult.Valid(List<HeaderParam> params)) {
            return params;
        }
        return List.of();
    }
}
