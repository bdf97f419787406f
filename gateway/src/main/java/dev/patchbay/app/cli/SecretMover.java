package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.SecretVaults;
import dev.patchbay.config.edit.ConfigEntry;
import dev.patchbay.config.read.LiteralSecrets;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.secret.SecretVault;
import dev.patchbay.text.DisplayText;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Moves secrets out of entries before these are written: the values go to the secret store, and the
 * entries refer to them.
 */
final class SecretMover {
    private static final List<String> VALUE_KEYS = List.of("env", "headers");
    private static final Set<String> SCHEMES = Set.of("bearer", "basic", "token");

    private final AppContext context;

    /** The values to store, by the name of the secret. */
    private final Map<String, String> secrets = new LinkedHashMap<>();

    private final List<String> added = new ArrayList<>();

    SecretMover(AppContext context) {
        this.context = context;
    }

    /** Whether the person at the terminal wants the secrets of these entries to be moved. */
    boolean isWanted(List<ConfigEntry> entries) throws IOException {
        var probe = new SecretMover(context);
        entries.forEach(probe::withoutSecrets);
        if (probe.secrets.isEmpty() || !context.terminal().isInteractive()) {
            return false;
        }
        return Confirmation.isGiven(
                context,
                "These look like secrets: "
                        + DisplayText.oneLine(String.join(", ", probe.secrets.keySet()))
                        + ". Keep them in the secret store instead of the file");
    }

    /** Adds a secret that an entry refers to already. */
    void keep(String name, String value) {
        secrets.put(name, value);
    }

    /** Returns the entry with references in place of its secrets. */
    ConfigEntry withoutSecrets(ConfigEntry entry) {
        Json definition = entry.definition();
        for (String key : VALUE_KEYS) {
            Json values = definition.member(key);
            if (values != null && values.isObject()) {
                definition = MemberPatch.with(definition, key, withReferences(entry, values));
            }
        }
        return new ConfigEntry(entry.key(), definition);
    }

    private Json withReferences(ConfigEntry entry, Json values) {
        var writer = new JsonWriter().beginObject();
        for (Json.Member member : values.members()) {
            boolean isSecret =
                    member.value().isString()
                            && LiteralSecrets.isLiteralSecret(member.name(), member.value().text());
            if (isSecret) {
                String name = LiteralSecrets.secretName(entry.key(), member.name());
                String value = member.value().text();
                String scheme = scheme(value);
                secrets.put(name, value.substring(scheme.length()));
                writer.member(member.name(), scheme + "${secret:" + name + "}");
            } else {
                writer.member(member.name(), member.value());
            }
        }
        return writer.endObject().toJson();
    }

    /** What comes before the credential in a header such as {@code Bearer abc}. */
    private static String scheme(String value) {
        int space = value.indexOf(' ');
        boolean isScheme =
                space > 0
                        && space + 1 < value.length()
                        && SCHEMES.contains(value.substring(0, space).toLowerCase(Locale.ROOT));
        return isScheme ? value.substring(0, space + 1) : "";
    }

    /** Stores the secrets that were moved out. */
    void store() throws IOException {
        if (secrets.isEmpty()) {
            return;
        }
        SecretVault vault = SecretVaults.open(context.environment());
        for (var secret : secrets.entrySet()) {
            boolean isNew = vault.read(secret.getKey()) == null;
            SecretVault.Location kept = vault.write(secret.getKey(), secret.getValue(), null);
            if (isNew) {
                added.add(secret.getKey());
            }
            context.terminal()
                    .printMessage("Stored %s in %s".formatted(secret.getKey(), kept.store()));
        }
    }

    /** Removes the secrets that were added, as nothing refers to them. */
    void undo() throws IOException {
        SecretVault vault = SecretVaults.open(context.environment());
        for (String name : added) {
            boolean _ = vault.remove(name);
        }
    }
}
