package dev.patchbay.conformance.ecosystem;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * Opens one {@link GatewayWithFaultyServer} for all tests of a class. After each test it removes
 * the faulty servers and checks that the gateway still works.
 */
final class SharedGateway implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    private @Nullable Path folder;
    private @Nullable GatewayWithFaultyServer gateway;

    GatewayWithFaultyServer gateway() {
        return requireNonNull(gateway, "Used outside of a test");
    }

    TestHost host() {
        return gateway().host();
    }

    Path folder() {
        return requireNonNull(folder, "Used outside of a test");
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        folder = Files.createTempDirectory("gateway");
        gateway = new GatewayWithFaultyServer(folder);
    }

    @Override
    public void afterEach(ExtensionContext context) throws InterruptedException {
        gateway().removeFaultyServers();
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (gateway != null) {
            gateway.close();
        }
        try (Stream<Path> files = Files.walk(folder())) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
