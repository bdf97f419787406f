package dev.patchbay.conformance.bridge;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.RawClient;
import dev.patchbay.testkit.StrictJson;

import java.time.Duration;
import java.util.function.Consumer;

/** A gateway on stdio, started for one client. */
final class StdioWire implements Wire {
    private static final Duration LOOK = Duration.ofMillis(200);

    private final RawClient gateway;

    StdioWire(RawClient gateway) {
        this.gateway = gateway;
    }

    @Override
    public void open(Consumer<JsonTree> receiver) {
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            try {
                                while (!gateway.awaitEnd(Duration.ZERO)) {
                                    gateway.poll(LOOK).map(StrictJson::parse).ifPresent(receiver);
                                }
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
    }

    @Override
    public void send(String json) {
        gateway.sendLine(json);
    }

    @Override
    public void giveUp(String rawId) {
        send(Messages.cancelled(rawId));
    }

    @Override
    public int status(String rawId) {
        return 200;
    }

    @Override
    public void close() {
        gateway.close();
    }
}
