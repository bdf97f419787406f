package dev.patchbay.embedding;

import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewayException;
import dev.patchbay.server.ServerId;

import java.util.function.Consumer;

/** Has a gateway connect a server anew when somebody has signed in to it, or out. */
record ReconnectOnSignIn(Gateway gateway) implements Consumer<ServerId> {
    @Override
    public void accept(ServerId server) {
        try {
            gateway.reconnect(server);
        } catch (GatewayException _) {
            // It is not registered any more.
        }
    }
}
