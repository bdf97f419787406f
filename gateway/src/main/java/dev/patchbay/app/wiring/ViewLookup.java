package dev.patchbay.app.wiring;

import dev.patchbay.catalog.CatalogView;
import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.PatchbaySettings;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Checks that a view that a command names is defined. */
public final class ViewLookup {
    private ViewLookup() {}

    /**
     * Fails if the configuration has no view of this name.
     *
     * @param chosen the file that the user named; null to search for one
     */
    public static void require(AppContext context, @Nullable Path chosen, String view) {
        ConfigSource source = ConfigSource.find(context, chosen);
        Path file = source.file().orElse(null);
        if (file == null || !Files.exists(file)) {
            throw new CommandFailedException(
                    ExitCode.WRONG_USAGE,
                    "There is no view %s: %s."
                            .formatted(
                                    DisplayText.quoteName(view),
                                    file == null
                                            ? "there is no configuration yet"
                                            : file + " does not exist"));
        }
        if (source.read() instanceof ConfigReadResult.Valid valid) {
            require(valid.configuration().settings(), file, view);
        } else {
            throw new CommandFailedException(
                    ExitCode.WRONG_USAGE, file + " has errors. Run patchbay check.");
        }
    }

    /** Fails if the settings of a file have no view of this name. */
    static void require(PatchbaySettings settings, @Nullable Path file, String view) {
        if (settings.view(view).isPresent()) {
            return;
        }
        List<String> names = settings.views().stream().map(CatalogView::name).toList();
        throw new CommandFailedException(
                ExitCode.WRONG_USAGE,
                "There is no view %s in %s. %s"
                        .formatted(
                                DisplayText.quoteName(view),
                                file == null ? "the configuration" : file.toString(),
                                names.isEmpty()
                                        ? "It defines no views; add one under patchbay.views."
                                        : "Its views: " + String.join(", ", names) + "."));
    }
}
