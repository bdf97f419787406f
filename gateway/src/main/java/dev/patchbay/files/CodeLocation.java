package dev.patchbay.files;

import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Objects;

/** Finds the jar or folder that a class was loaded from. */
public final class CodeLocation {
    private CodeLocation() {}

    public static Path of(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        if (location != null) {
            return Path.of(URI.create(location.toString()));
        }
        // A class from an archive that was made with a relative class path has no location.
        String file = type.getName().replace('.', '/') + ".class";
        return ofResource(Objects.requireNonNull(type.getResource("/" + file)), file);
    }

    /** The jar or folder of a file in it. */
    static Path ofResource(URL resource, String file) {
        String text = resource.toString();
        String root = text.substring(0, text.length() - file.length());
        return Path.of(
                URI.create(
                        root.startsWith("jar:")
                                ? root.substring("jar:".length(), root.length() - "!/".length())
                                : root));
    }
}
