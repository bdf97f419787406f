package dev.patchbay.app;

import dev.patchbay.catalog.FullName;
import dev.patchbay.catalog.Lookup;
import dev.patchbay.catalog.Tool;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.mcp.HeaderParam;
import dev.patchbay.mcp.HeaderParams;
import dev.patchbay.oauth.SignIns;
import dev.patchbay.server.Opener;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.stdio.Child;
import dev.patchbay.stdio.Janitor;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.List;

/** Opens each server in the way its transport wants. */
final class Openers implements Opener {
    private final Opener processes;
    private final Opener urls;

    /** The gateway whose servers are opened; it can only be made after its opener. */
    private volatile @Nullable Gateway gateway;

    Openers(Janitor janitor, Child.Limits children, SignIns signIns) {
        processes = new ProcessOpener(janitor, children);
        urls = new HttpOpener(this::headerParams, signIns);
    }

    /** Tells whose servers these are, so that their tools can be looked up. */
    void belongTo(Gateway owner) {
        gateway = owner;
    }

    @Override
    public Opened open(ServerSpec spec) throws IOException {
        return switch (spec.transport()) {
            case Transport.Stdio _ -> processes.open(spec);
            case Transport.Http _, Transport.Sse _ -> urls.open(spec);
            case Transport.Unset unset -> throw new IOException(unset.problem());
        };
    }

    private List<HeaderParam> headerParams(ServerId server, String tool) {
        Gateway owner = gateway;
        if (owner != null
                && owner.lookup(new FullName(server, tool).text())
                        instanceof Lookup.Found<Tool>(Tool found)
                && HeaderParams.of(found.inputSchema())
                        instanceof HeaderParams.Reading.Valid(List<HeaderParam> params)) {
            return params;
        }
        return List.of();
    }
}
