package dev.patchbay.repl;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file of code on its way into a session: a Java source file, or a script of snippets. */
final class SourceFileReader {
    private SourceFileReader() {}

    /** The code of a file, to be evaluated in the session. */
    static PreparedSource read(Path file, ReplSession session)
            throws ReplException, InterruptedException {
        String name = String.valueOf(file.getFileName());
        if (!name.endsWith(".java") && !name.endsWith(".jsh") && !name.endsWith(".jshell")) {
            throw new ReplException("Only .java and .jsh files can be run, not " + name);
        }
        String text = text(file);
        return name.endsWith(".java") ? session.prepareFile(text) : script(text);
    }

    private static String text(Path file) throws ReplException {
        try {
            if (!Files.isRegularFile(file)) {
                throw new ReplException("There is no file " + file.toAbsolutePath());
            }
            if (Files.size(file) > ReplSession.CODE_CHARS_MAX) {
                throw new ReplException(
                        file + " is larger than " + ReplSession.CODE_CHARS_MAX + " bytes");
            }
            return Files.readString(file);
        } catch (MalformedInputException e) {
            throw new ReplException(file + " is no text in UTF-8", e);
        } catch (IOException e) {
            throw new ReplException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** A script without the commands of the jshell tool, which are not Java. */
    private static PreparedSource script(String text) {
        var code = new StringBuilder();
        var ignored = new ArrayList<String>();
        for (String line : text.lines().toList()) {
            if (line.matches("/(?![/*]).*")) {
                if (line.startsWith("/exit")) {
                    break;
                }
                ignored.add(line);
                code.append('\n');
            } else {
                code.append(line).append('\n');
            }
        }
        return new PreparedSource(code.toString(), "", List.copyOf(ignored));
    }
}
