package dev.patchbay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

class TransportOpenLimiterTest {
    private static final ServerSpec SPEC =
            new ServerSpec(
                    new ServerId("a"),
                    new Transport.Stdio("none", List.of(), Map.of(), null),
                    Options.DEFAULTS);

    @Test
    void limitsConcurrentOpensOfOneServer() throws Exception {
        var begun = new CountDownLatch(4);
        var end = new CountDownLatch(1);
        var openings =
                new TransportOpenLimiter(
                        _ -> {
                            begun.countDown();
                            try {
                                end.await();
                            } catch (InterruptedException e) {
                                throw new IOException(e);
                            }
                            return new FakeServer(FakeServer.LEGACY);
                        });
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4; i++) {
                Future<?> _ = threads.submit(() -> openings.open(SPEC));
            }
            begun.await();
            assertThatThrownBy(() -> openings.open(SPEC))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("4 earlier attempts to start it still hang");
            end.countDown();
        }
        assertThat(openings.open(SPEC)).as("when they are over").isNotNull();
    }
}
