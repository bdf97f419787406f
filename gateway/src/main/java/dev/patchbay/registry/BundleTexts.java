package dev.patchbay.registry;

import dev.patchbay.config.Environment;
import dev.patchbay.config.Environment.Platform;
import dev.patchbay.registry.LaunchTemplate.ArgumentTemplate;
import dev.patchbay.registry.ValueTemplate.Part;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/** The texts of a manifest, with their variables. Unknown variables are left as they are. */
record BundleTexts(Path folder, Environment environment, Map<String, DeclaredInput> inputs) {
    private static final String INPUT_PREFIX = "user_config.";

    ValueTemplate template(String text) {
        var parts = new ArrayList<Part>();
        int from = 0;
        int open = text.indexOf("${");
        while (open >= 0) {
            int close = text.indexOf('}', open);
            Part part = close < 0 ? null : part(text.substring(open + 2, close));
            if (part != null) {
                if (open > from) {
                    parts.add(new Part.Literal(text.substring(from, open)));
                }
                parts.add(part);
                from = close + 1;
            }
            open = text.indexOf("${", part == null ? open + 2 : from);
        }
        if (from < text.length() || parts.isEmpty()) {
            parts.add(new Part.Literal(text.substring(from)));
        }
        return new ValueTemplate(parts);
    }

    private @Nullable Part part(String variable) {
        if (variable.startsWith(INPUT_PREFIX)) {
            DeclaredInput input = inputs.get(variable.substring(INPUT_PREFIX.length()));
            return input == null ? null : new Part.Slot(input);
        }
        if (variable.equals("__dirname")) {
            return new Part.Literal(folder.toString());
        }
        String value = folder(variable, environment);
        return value == null ? null : new Part.Literal(value);
    }

    /** A text in which the variables for the folders of the user have their values. */
    static String withFolders(String text, Environment environment) {
        String filled = text;
        for (String name : new String[] {"HOME", "DESKTOP", "DOCUMENTS", "DOWNLOADS", "/"}) {
            String value = folder(name, environment);
            filled = filled.replace("${" + name + "}", value == null ? "" : value);
        }
        return filled;
    }

    private static @Nullable String folder(String variable, Environment environment) {
        Path home = environment.home();
        return switch (variable) {
            case "HOME" -> home.toString();
            case "DESKTOP" -> home.resolve("Desktop").toString();
            case "DOCUMENTS" -> home.resolve("Documents").toString();
            case "DOWNLOADS" -> home.resolve("Downloads").toString();
            case "/", "pathSeparator" -> File.separator;
            default -> null;
        };
    }

    /** The program: one of the bundle by its whole path, or one of the machine by its name. */
    ArgumentTemplate program(String command, String type, Predicate<String> isInstalled)
            throws RegistryException {
        ValueTemplate template = template(command);
        if (template.parts().stream().anyMatch(Part.Slot.class::isInstance) || command.isBlank()) {
            throw new RegistryException("The bundle does not say which program it starts");
        }
        var text = new StringBuilder();
        for (Part part : template.parts()) {
            if (part instanceof Part.Literal(String literal)) {
                text.append(literal);
            }
        }
        String program = text.toString();
        if (program.equals("python") && !isInstalled.test(program) && isInstalled.test("python3")) {
            return ArgumentTemplate.word("python3");
        }
        if (!program.contains("/") && !program.contains("\\") && !type.equals("binary")) {
            return ArgumentTemplate.word(program);
        }
        boolean isBare = !program.contains("/") && !program.contains("\\");
        Path path = folder.resolve(program).normalize();
        if (!isBare && !path.startsWith(folder) && !Path.of(program).isAbsolute()) {
            throw new RegistryException("The program is outside of the bundle: " + program);
        }
        boolean needsEnding =
                environment.platform() == Platform.WINDOWS
                        && type.equals("binary")
                        && !program.toLowerCase(Locale.ROOT).endsWith(".exe");
        return ArgumentTemplate.word(path + (needsEnding ? ".exe" : ""));
    }
}
