package dev.patchbay.app;

import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewaySettings;
import dev.patchbay.oauth.SignIns;
import dev.patchbay.stdio.Child;
import dev.patchbay.stdio.Janitor;

import java.time.InstantSource;

/**
 * A gateway as part of another program. It reaches servers in every way that there is, and leaves
 * no process behind, also when that program is killed.
 */
public final class EmbeddedGateway implements AutoCloseable {
    private final Janitor janitor = new Janitor();
    private final SignIns signIns;
    private final Gateway gateway;

    private EmbeddedGateway(GatewaySettings settings) {
        signIns = new SignIns(settings.stateDir(), InstantSource.system());
        var openers = new Openers(janitor, Child.Limits.DEFAULTS, signIns);
        gateway = Gateway.open(settings, openers, InstantSource.system());
        openers.belongTo(gateway);
        signIns.watch(new SignInNews(gateway));
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
        try (janitor;
                signIns) {
            gateway.close();
        }
    }
}
