package dev.patchbay.conformance.bridge;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.RawStdioClient;
import dev.patchbay.testkit.StrictJson;

import java.time.Duration;
import java.util.function.Consumer;

/** A gateway on stdio, started for one client. */
final class StdioTestTransport implements TestTransport {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    private final RawStdioClient gateway;

    StdioTestTransport(RawStdioClient gateway) {
        this.gateway = gateway;
    }

    @Override
    public void open(Consumer<JsonTree> receiver) {
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            try {
                                while (!gateway.awaitOutputEnd(Duration.ZERO)) {
                                    gateway.poll(POLL_INTERVAL)
                                            .map(StrictJson::parse)
                                            .ifPresent(receiver);
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
    public void cancel(String rawId) {
        send(ClientMessages.cancelled(rawId));
    }

    @Override
    public int httpStatus(String rawId) {
        return 200;
    }

    @Override
    public void close() {
        gateway.close();
    }
}
