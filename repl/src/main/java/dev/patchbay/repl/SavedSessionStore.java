package dev.patchbay.repl;

import dev.patchbay.files.PrivateFile;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The saved sessions in a folder, one file for each. Only their owner can read them. */
record SavedSessionStore(Path folder) {
    private static final Pattern NAME = Pattern.compile("[\\w-][\\w.-]{0,63}");
    private static final String SUFFIX = ".json";
    private static final int FILES_MAX = 1_000;
    private static final long FILE_BYTES_MAX = 32L * 1024 * 1024;

    void save(String name, SessionSnapshot snapshot) throws ReplException {
        Path file = file(name);
        try {
            PrivateFile.createFolder(folder);
            if (!Files.exists(file) && list().size() >= FILES_MAX) {
                throw new ReplException(
                        "There are %d saved sessions already: delete one".formatted(FILES_MAX));
            }
            PrivateFile.replace(file, snapshot.toJson().toBytes());
        } catch (IOException e) {
            throw new ReplException("The session cannot be saved: " + e.getMessage(), e);
        }
    }

    SessionSnapshot load(String name) throws ReplException {
        Path file = file(name);
        try {
            if (!Files.isRegularFile(file)) {
                throw new ReplException(
                        "There is no saved session %s. There are: %s"
                                .formatted(name, String.join(", ", list())));
            }
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw new ReplException(file + " is too large for a saved session");
            }
            return SessionSnapshot.from(Json.parse(Files.readAllBytes(file)));
        } catch (IOException | JsonException e) {
            throw new ReplException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    void delete(String name) throws ReplException {
        try {
            if (!Files.deleteIfExists(file(name))) {
                throw new ReplException("There is no saved session " + name);
            }
        } catch (IOException e) {
            throw new ReplException("The saved session cannot be deleted: " + e.getMessage(), e);
        }
    }

    List<String> list() throws ReplException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(SUFFIX))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                    .sorted()
                    .limit(FILES_MAX)
                    .toList();
        } catch (IOException e) {
            throw new ReplException(folder + " cannot be read: " + e.getMessage(), e);
        }
    }

    private Path file(String name) throws ReplException {
        if (!NAME.matcher(name).matches()) {
            throw new ReplException(
                    "A name has letters, digits, dots, dashes and underscores, at most 64");
        }
        return folder.resolve(name + SUFFIX);
    }
}
