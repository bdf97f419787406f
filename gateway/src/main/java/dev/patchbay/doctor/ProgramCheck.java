package dev.patchbay.doctor;

import dev.patchbay.config.Environment;
import dev.patchbay.config.ShellText;
import dev.patchbay.doctor.Diagnosis.Subject;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec.Transport.Stdio;
import dev.patchbay.stdio.ProcessCommand;
import dev.patchbay.text.DisplayText;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Examines the program of a server without running it. */
final class ProgramCheck {
    private static final int HEAD_BYTES_MAX = 256;

    /** The interpreters for each file extension. */
    private static final Map<String, List<String>> INTERPRETERS =
            Map.of(
                    ".py", List.of("python", "pypy", "uv"),
                    ".js", List.of("node", "bun", "deno"),
                    ".mjs", List.of("node", "bun", "deno"),
                    ".cjs", List.of("node", "bun"),
                    ".ts", List.of("node", "bun", "deno", "tsx", "ts-node"),
                    ".rb", List.of("ruby"),
                    ".pl", List.of("perl"),
                    ".sh", List.of("sh", "bash", "dash", "zsh", "ksh"),
                    ".jar", List.of("java"));

    private final Subject subject;
    private final Stdio stdio;
    private final String path;
    private final Path home;

    ProgramCheck(ServerId server, Stdio stdio, Environment environment) {
        this.subject = Subject.server(server.value());
        this.stdio = stdio;
        this.path = environment.variables().getOrDefault("PATH", "");
        this.home = environment.home();
    }

    /** Why the program cannot be started. */
    Optional<Diagnosis> checkStart() {
        String folder = stdio.cwd();
        if (folder != null && !Files.isDirectory(Path.of(folder))) {
            return diagnosis(
                    Cause.FOLDER_MISSING,
                    "The working directory does not exist.",
                    List.of("cwd: " + folder),
                    "Create the directory, or correct cwd in the configuration.");
        }
        try {
            command().findProgram(path);
            return Optional.empty();
        } catch (IOException e) {
            Optional<Path> there = findNonExecutable();
            return there.isPresent()
                    ? diagnosis(
                            Cause.COMMAND_NOT_EXECUTABLE,
                            "The program exists but is not executable.",
                            List.of(there.get() + " is not executable"),
                            "Run: chmod +x " + ShellText.quote(there.get().toString()))
                    : missingProgram(String.valueOf(e.getMessage()));
        }
    }

    private Optional<Diagnosis> missingProgram(String message) {
        var advice =
                new MissingProgramAdvice(stdio.command(), resolveInFolder(stdio.command()), home)
                        .advice();
        return diagnosis(
                Cause.COMMAND_MISSING,
                "Command not found: " + DisplayText.escape(stdio.command(), 200) + ".",
                List.of(message, advice.evidence()),
                advice.nextStep());
    }

    /** Why the program cannot run, although it starts. */
    Optional<Diagnosis> checkRun() {
        try {
            Path program = command().findProgram(path);
            Optional<Diagnosis> wrong = checkHead(program);
            return wrong.isPresent() ? wrong : checkScript(program);
        } catch (IOException | InvalidPathException _) {
            return Optional.empty();
        }
    }

    private ProcessCommand command() {
        String folder = stdio.cwd();
        return new ProcessCommand(
                stdio.command(),
                stdio.args(),
                Map.of(), // it is looked at, and not started
                folder == null ? null : Path.of(folder));
    }

    /** A file with the name of the command that is not executable. */
    private Optional<Path> findNonExecutable() {
        String name = stdio.command();
        if (name.indexOf('/') >= 0) {
            return Optional.of(resolveInFolder(name)).filter(Files::isRegularFile);
        }
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .filter(folder -> folder.startsWith(File.separator))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isRegularFile)
                .findFirst();
    }

    private Path resolveInFolder(String name) {
        String folder = stdio.cwd();
        return Path.of(folder == null ? "" : folder).toAbsolutePath().resolve(name).normalize();
    }

    /** Checks the interpreter line of a program that is a text file. */
    private Optional<Diagnosis> checkHead(Path program) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(program)) {
            bytes = in.readNBytes(HEAD_BYTES_MAX);
        }
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        if (text.startsWith("#!")) {
            return checkShebang(program, text.lines().findFirst().orElse(""), text);
        }
        boolean binary = text.chars().anyMatch(c -> c == 0);
        return binary || text.isEmpty()
                ? Optional.empty()
                : diagnosis(
                        Cause.WRONG_INTERPRETER,
                        "The program is a text file without an interpreter line.",
                        List.of(program + " does not begin with #!, so the shell runs it"),
                        "Write #!/usr/bin/env and the interpreter in its first line, or make the"
                                + " interpreter the command and the file its first argument.");
    }

    private Optional<Diagnosis> checkShebang(Path program, String line, String text) {
        String first = program + " begins with " + line;
        if (text.startsWith(line + "\r\n")) {
            return diagnosis(
                    Cause.WRONG_INTERPRETER,
                    "The program has Windows line endings, which become part of the"
                            + " interpreter's name.",
                    List.of(first + "\\r"),
                    "Run: sed -i 's/\\r$//' " + ShellText.quote(program.toString()));
        }
        String[] words = line.substring(2).strip().split("\\s+", -1);
        boolean env = words[0].endsWith("/env") && words.length > 1;
        String interpreter =
                env
                        ? Arrays.stream(words)
                                .skip(1)
                                .filter(w -> !w.startsWith("-") && !w.contains("="))
                                .findFirst()
                                .orElse("")
                        : words[0];
        return interpreter.isEmpty() || isInstalled(interpreter)
                ? Optional.empty()
                : diagnosis(
                        Cause.WRONG_INTERPRETER,
                        "The interpreter of the program does not exist.",
                        List.of(first, "There is no " + interpreter),
                        "Install %s, or correct the first line of %s."
                                .formatted(interpreter, program));
    }

    private boolean isInstalled(String interpreter) {
        try {
            new ProcessCommand(interpreter, List.of(), Map.of(), null).findProgram(path);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    /** Checks that the script exists and matches the interpreter. */
    private Optional<Diagnosis> checkScript(Path program) {
        String runner = String.valueOf(program.getFileName()).toLowerCase(Locale.ROOT);
        boolean interpreter =
                INTERPRETERS.values().stream()
                        .flatMap(List::stream)
                        .anyMatch(name -> runner.startsWith(name));
        Optional<String> script =
                stdio.args().stream().filter(ProgramCheck::isScriptName).findFirst();
        if (!interpreter || script.isEmpty()) {
            return Optional.empty();
        }
        if (!Files.exists(resolveInFolder(script.get()))) {
            return diagnosis(
                    Cause.SCRIPT_MISSING,
                    "The script for %s does not exist.".formatted(runner),
                    List.of("There is no " + resolveInFolder(script.get())),
                    "Correct the path in args; a relative path is resolved against cwd.");
        }
        String name = script.get().toLowerCase(Locale.ROOT);
        List<String> fit =
                INTERPRETERS.getOrDefault(name.substring(name.lastIndexOf('.')), List.of());
        return fit.stream().anyMatch(runner::startsWith)
                ? Optional.empty()
                : diagnosis(
                        Cause.WRONG_INTERPRETER,
                        "The interpreter does not match the script.",
                        List.of(program + " cannot run " + script.get()),
                        "Make %s the command.".formatted(String.join(" or ", fit)));
    }

    private static boolean isScriptName(String argument) {
        int dot = argument.lastIndexOf('.');
        return dot > 0
                && !argument.startsWith("-")
                && INTERPRETERS.containsKey(argument.substring(dot).toLowerCase(Locale.ROOT));
    }

    private Optional<Diagnosis> diagnosis(
            Cause cause, String problem, List<String> evidence, String nextStep) {
        return Optional.of(Diagnosis.of(cause, subject, problem, evidence, nextStep));
    }
}
