package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.registry.HttpRegistry;
import dev.patchbay.registry.RegistryException;
import dev.patchbay.registry.RegistryMirror;
import dev.patchbay.registry.RegistrySource;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

/** The option {@code --registry}. */
final class RegistryOptions {
    private static final String VARIABLE = "PATCHBAY_REGISTRY";

    @Option(
            names = "--registry",
            paramLabel = "REGISTRY",
            description =
                    "The registry: its base URL, or a file with entries of one. Default: the"
                            + " environment variable PATCHBAY_REGISTRY, or the official registry.")
    @Nullable String location;

    RegistrySource open(AppContext context) throws RegistryException {
        String chosen =
                location != null
                        ? location
                        : context.environment()
                                .variables()
                                .getOrDefault(VARIABLE, HttpRegistry.OFFICIAL);
        return chosen.matches("https?://.*")
                ? HttpRegistry.at(chosen)
                : RegistryMirror.read(context.environment().workingDirectory().resolve(chosen));
    }
}
