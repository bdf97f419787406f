package dev.patchbay.registry;

import dev.patchbay.config.edit.ConfigEntry;
import dev.patchbay.config.read.LiteralSecrets;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.registry.LaunchTemplate.ArgumentTemplate;
import dev.patchbay.registry.ValueTemplate.Part;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Fills the values of the user into a launch template. */
public final class ServerPlanner {
    private static final int VALUES_MAX = 100;

    private final String id;
    private final InputAnswers answers;
    private final Map<String, String> secrets = new LinkedHashMap<>();

    private ServerPlanner(String id, InputAnswers answers) {
        this.id = id;
        this.answers = answers;
    }

    /**
     * Makes the entry of a server.
     *
     * @param description what the server is for; empty for nothing
     * @throws RegistryException if a required value is missing, or a secret would be readable
     */
    public static ServerPlan plan(
            String id, String description, LaunchTemplate launch, InputAnswers answers)
            throws RegistryException {
        List<DeclaredInput> missing = answers.missing(launch.inputs());
        if (!missing.isEmpty()) {
            throw new RegistryException(
                    "These inputs are required: "
                            + String.join(
                                    ", ",
                                    missing.stream().map(it -> it.name() + "=VALUE").toList()));
        }
        var planner = new ServerPlanner(id, answers);
        ConfigEntry entry =
                switch (launch) {
                    case LaunchTemplate.Command command -> planner.command(command);
                    case LaunchTemplate.Remote remote -> planner.remote(remote);
                };
        if (!description.isBlank()) {
            Json text = Json.string(literal(description));
            entry = new ConfigEntry(id, MemberPatch.with(entry.definition(), "description", text));
        }
        List<DeclaredInput> unset =
                launch.inputs().stream()
                        .filter(it -> !answers.isGiven(it) && it.defaultValues().isEmpty())
                        .toList();
        return new ServerPlan(entry, planner.secrets, unset);
    }

    private ConfigEntry command(LaunchTemplate.Command command) throws RegistryException {
        var words = new ArrayList<String>();
        for (ArgumentTemplate argument : command.words()) {
            addWords(argument, words);
        }
        ConfigEntry entry = ConfigEntry.stdio(id, words, values(command.env()));
        String cwd = command.cwd();
        return cwd == null
                ? entry
                : new ConfigEntry(
                        id, MemberPatch.with(entry.definition(), "cwd", Json.string(literal(cwd))));
    }

    private ConfigEntry remote(LaunchTemplate.Remote remote) throws RegistryException {
        List<String> url = publicTexts(remote.url(), "the URL, which ends up in logs");
        if (url.isEmpty()) {
            throw new RegistryException("The URL of the server lacks a value");
        }
        var json =
                new JsonWriter()
                        .beginObject()
                        .member("type", remote.type())
                        .member("url", url.getFirst());
        Map<String, String> headers = values(remote.headers());
        if (!headers.isEmpty()) {
            json.name("headers").beginObject();
            headers.forEach(json::member);
            json.endObject();
        }
        return new ConfigEntry(id, json.endObject().toJson());
    }

    private void addWords(ArgumentTemplate argument, List<String> words) throws RegistryException {
        String flag = argument.flag();
        ValueTemplate value = argument.value();
        if (value == null) {
            words.add(literal(String.valueOf(flag)));
            return;
        }
        String where = "the command line, which every user of this machine can read";
        for (String text : publicTexts(value, where)) {
            if (flag == null) {
                words.add(text);
            } else if (argument.isJoined()) {
                words.add(literal(flag) + "=" + text);
            } else {
                words.add(literal(flag));
                words.add(text);
            }
        }
    }

    /** The values of environment variables or headers; those without a value are left out. */
    private Map<String, String> values(Map<String, ValueTemplate> templates) {
        var values = new LinkedHashMap<String, String>();
        templates.forEach(
                (name, template) -> {
                    String text = privateText(name, template);
                    if (text != null) {
                        values.put(name, text);
                    }
                });
        return values;
    }

    /** A text that may refer to secrets; null if a value in it is missing. */
    private @Nullable String privateText(String name, ValueTemplate template) {
        var text = new StringBuilder();
        for (Part part : template.parts()) {
            switch (part) {
                case Part.Literal(String written) -> text.append(literal(written));
                case Part.Slot(DeclaredInput input) -> {
                    List<String> values = valuesOf(input);
                    if (values.isEmpty()) {
                        return null;
                    }
                    String value = String.join(",", values);
                    boolean isStored = input.rules().isSecret() && answers.isGiven(input);
                    text.append(isStored ? reference(name, input, value) : value);
                }
            }
        }
        return text.toString();
    }

    /** Keeps a secret for the store and returns the reference to it. */
    private String reference(String name, DeclaredInput input, String value) {
        if (value.isEmpty() || value.contains("${")) {
            return value; // the user refers to a secret or a variable already
        }
        String secret = LiteralSecrets.secretName(id, input.name().isEmpty() ? name : input.name());
        secrets.put(secret, value);
        return "${secret:" + secret + "}";
    }

    /** The texts of a template, one for each value of a repeated input; none if one is missing. */
    private List<String> publicTexts(ValueTemplate template, String where)
            throws RegistryException {
        List<String> texts = List.of("");
        for (Part part : template.parts()) {
            List<String> values =
                    switch (part) {
                        case Part.Literal(String written) -> List.of(literal(written));
                        case Part.Slot(DeclaredInput input) -> publicValues(input, where);
                    };
            var longer = new ArrayList<String>();
            for (String text : texts) {
                values.forEach(value -> longer.add(text + value));
            }
            if (longer.size() > VALUES_MAX) {
                throw new RegistryException("There are too many values");
            }
            texts = longer;
        }
        return texts;
    }

    private List<String> publicValues(DeclaredInput input, String where) throws RegistryException {
        List<String> values = valuesOf(input);
        boolean isExposed =
                input.rules().isSecret() && values.stream().anyMatch(it -> !it.contains("${"));
        if (isExposed && answers.isGiven(input)) {
            throw new RegistryException(
                    ("%s is a secret, but the server wants it in %s. Set an environment variable"
                                    + " and name it: '%s=${NAME}'")
                            .formatted(input.name(), where, input.name()));
        }
        return values;
    }

    private List<String> valuesOf(DeclaredInput input) {
        return answers.isGiven(input)
                ? answers.values(input)
                : input.defaultValues().stream().map(ServerPlanner::literal).toList();
    }

    /** A text of others, written so that no variable or secret of the user is put into it. */
    private static String literal(String text) {
        return text.replace("${", "$${");
    }
}
