package dev.patchbay.app.cli;

import dev.patchbay.app.cli.TextTable.Cell;
import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.SecretVaults;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.secret.SecretLookup;
import dev.patchbay.secret.SecretVault;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.Console;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** {@code patchbay secret}: keeps the secrets that a configuration refers to. */
@Command(
        name = "secret",
        description =
                "Manage secrets of servers: set NAME, list, remove NAME. The value is read from"
                        + " standard input, or asked for on a terminal. In the configuration, write"
                        + " $${secret:NAME} in env or headers.",
        mixinStandardHelpOptions = true)
final class SecretCommand implements Callable<Integer> {
    private final AppContext context;

    @Parameters(
            index = "0",
            paramLabel = "ACTION",
            description = "What to do: set, list or remove.")
    private String action;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NAME",
            description = "The name of the secret, for set and remove.")
    private @Nullable String name;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description =
                    "Where to keep the secret, for set: keyring, keychain, pass or file. Default:"
                            + " the first that works here.")
    private @Nullable String store;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    SecretCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        SecretVault vault = SecretVaults.open(context.environment());
        return switch (action) {
            case "set" -> set(vault, requireName());
            case "list" -> list(vault);
            case "remove" -> remove(vault, requireName());
            default ->
                    throw wrongUsage(
                            "Unknown action %s; use set, list or remove."
                                    .formatted(DisplayText.quote(action)));
        };
    }

    private int set(SecretVault vault, String secret) throws IOException {
        List<String> stores = vault.availableStores();
        if (store != null && !stores.contains(store)) {
            throw wrongUsage(
                    "The store %s is not available here. Available: %s."
                            .formatted(DisplayText.quote(store), String.join(", ", stores)));
        }
        SecretVault.Location kept = vault.write(secret, readValue(secret), store);
        if (json) {
            var writer = new JsonWriter().beginObject();
            write(writer, kept);
            context.terminal().print(writer.endObject().toJson().toString());
        } else {
            context.terminal()
                    .print(
                            "Stored %s in %s. Use it as ${secret:%s} in env or headers."
                                    .formatted(secret, storeName(kept.store()), secret));
        }
        return ExitCode.OK;
    }

    private static String storeName(String store) {
        return switch (store) {
            case "keyring" -> "the keyring";
            case "keychain" -> "the keychain";
            case "file" -> "a file that only you can read, not encrypted";
            default -> store;
        };
    }

    private String readValue(String secret) throws IOException {
        Optional<Console> console = context.terminal().console();
        String value =
                console.isPresent() ? ask(console.get(), secret) : decode(readStandardInput());
        if (value.isEmpty() || value.indexOf('\0') >= 0) {
            throw wrongUsage(
                    value.isEmpty()
                            ? "The value is empty. Nothing was stored."
                            : "The value contains a NUL character. Nothing was stored.");
        }
        return value;
    }

    private static String ask(Console console, String secret) {
        char[] typed = console.readPassword("Value of %s (not shown): ", secret);
        return typed == null ? "" : new String(typed);
    }

    private byte[] readStandardInput() throws IOException {
        byte[] bytes = context.streams().in().readNBytes(SecretVault.VALUE_BYTES_MAX + 1);
        if (bytes.length > SecretVault.VALUE_BYTES_MAX) {
            throw wrongUsage(
                    "The value is larger than %d bytes. Nothing was stored."
                            .formatted(SecretVault.VALUE_BYTES_MAX));
        }
        return bytes;
    }

    private static String decode(byte[] bytes) {
        try {
            return SecretLookup.decode(bytes);
        } catch (IOException _) {
            throw wrongUsage("The value is not UTF-8 text. Nothing was stored.");
        }
    }

    private int list(SecretVault vault) throws IOException {
        List<SecretVault.Location> all = vault.list();
        if (json) {
            var writer = new JsonWriter().beginObject().name("secrets").beginArray();
            for (SecretVault.Location secret : all) {
                writer.beginObject();
                write(writer, secret);
                writer.endObject();
            }
            context.terminal().print(writer.endArray().endObject().toJson().toString());
        } else if (all.isEmpty()) {
            context.terminal().printMessage("No secrets. Add one with: patchbay secret set NAME");
        } else {
            var table = new TextTable("NAME", "STORE");
            all.forEach(secret -> table.add(Cell.of(secret.name()), Cell.of(secret.store())));
            table.print(context.terminal());
        }
        return ExitCode.OK;
    }

    private int remove(SecretVault vault, String secret) throws IOException {
        if (!vault.remove(secret)) {
            throw new CommandFailedException(
                    ExitCode.FAILED,
                    "There is no secret named %s. See: patchbay secret list".formatted(secret));
        }
        var writer = new JsonWriter().beginObject().member("name", secret);
        String object = writer.member("changed", true).endObject().toJson().toString();
        context.terminal().print(json ? object : "Removed " + secret);
        return ExitCode.OK;
    }

    private static void write(JsonWriter writer, SecretVault.Location secret) {
        writer.member("name", secret.name()).member("store", secret.store());
    }

    private String requireName() {
        if (name == null || !SecretVault.isValidName(name)) {
            throw wrongUsage(
                    "NAME is missing or not valid: use letters, digits, dots, hyphens and"
                            + " underscores, 100 at most.");
        }
        return name;
    }

    private static CommandFailedException wrongUsage(String message) {
        return new CommandFailedException(ExitCode.WRONG_USAGE, message);
    }
}
