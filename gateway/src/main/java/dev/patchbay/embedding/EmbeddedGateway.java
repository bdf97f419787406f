package dev.patchbay.embedding;

import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewaySettings;
import dev.patchbay.oauth.SignInRegistry;
import dev.patchbay.stdio.ChildProcess;
import dev.patchbay.stdio.ProcessReaper;

import java.time.InstantSource;

/**
 * A gateway as part of another program. It reaches servers in every way that there is, and leaves
 * no process behind, also when that program is killed.
 */
public final class EmbeddedGateway implements AutoCloseable {
    private final ProcessReaper processReaper = new ProcessReaper();
    private final SignInRegistry signIns;
    private final Gateway gateway;

    private EmbeddedGateway(GatewaySettings settings) {
        signIns = new SignInRegistry(settings.stateDir(), InstantSource.system());
        var openers =
                new DefaultTransportFactory(
                        processReaper, ChildProcess.OutputLimits.DEFAULTS, signIns);
        gateway = Gateway.open(settings, openers, InstantSource.system());
        openers.attachGateway(gateway);
        signIns.setListener(new ReconnectOnSignIn(gateway));
    }

    public static EmbeddedGateway open(GatewaySettings settings) {
        return new EmbeddedGateway(settings);
    }

    public Gateway gateway() {
        return gateway;
    }

    /** Ends all servers. */
    @Override
    public void close() {
        try (processReaper;
                signIns) {
            gateway.close();
        }
    }
}
