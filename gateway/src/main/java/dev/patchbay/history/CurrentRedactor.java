package dev.patchbay.history;

import dev.patchbay.gateway.Gateway;

import org.jspecify.annotations.Nullable;

import java.util.Set;
import java.util.function.Supplier;

/** Provides a redactor of the secrets that the configuration of a gateway holds at present. */
public final class CurrentRedactor implements Supplier<SecretRedactor> {
    private final Gateway gateway;
    private final Supplier<Set<String>> secrets;
    private volatile @Nullable SecretRedactor known;

    /**
     * @param secrets the secrets that servers were given
     */
    public CurrentRedactor(Gateway gateway, Supplier<Set<String>> secrets) {
        this.gateway = gateway;
        this.secrets = secrets;
    }

    @Override
    public SecretRedactor get() {
        SecretRedactor current = known;
        if (current == null || current.isExpired()) {
            current = SecretRedactor.of(gateway, secrets.get());
            known = current;
        }
        return current;
    }
}
