package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.registry.RegistryEntry;
import dev.patchbay.registry.RegistryException;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code patchbay search}: searches the registry for servers. */
@Command(
        name = "search",
        description = "Search the MCP registry for servers. Add one with: patchbay add NAME",
        mixinStandardHelpOptions = true)
final class SearchCommand implements Callable<Integer> {
    private static final int ALL = 100_000;

    private final AppContext context;

    @Mixin private RegistryOptions registry = new RegistryOptions();

    @Parameters(
            arity = "0..*",
            paramLabel = "WORD",
            description = "Only servers with all of these words in name or description.")
    private List<String> words = List.of();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "30",
            description = "How many servers to show. Default: 30.")
    private int limit;

    @Option(
            names = "--save",
            paramLabel = "FILE",
            description =
                    "Write all entries that match to this file, for --registry FILE without a"
                            + " network.")
    private @Nullable Path file;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    SearchCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        if (limit < 1) {
            throw new CommandFailedException(ExitCode.WRONG_USAGE, "--limit must be at least 1.");
        }
        try {
            List<Json> found = registry.open(context).search(words, file == null ? limit : ALL);
            if (file != null) {
                save(found, file);
                return ExitCode.OK;
            }
            var entries = new ArrayList<RegistryEntry>();
            for (Json entry : found) {
                entries.add(RegistryEntry.read(entry));
            }
            if (json) {
                var writer = new JsonWriter().beginArray();
                entries.forEach(entry -> writer.value(toJson(entry)));
                context.terminal().print(writer.endArray().toJson().toString());
            } else {
                print(entries);
            }
            return ExitCode.OK;
        } catch (RegistryException e) {
            throw new CommandFailedException(ExitCode.FAILED, e.sentence());
        }
    }

    private void save(List<Json> found, Path target) throws IOException {
        var writer = new JsonWriter().beginObject().name("servers").beginArray();
        found.forEach(writer::value);
        Files.write(target, writer.endArray().endObject().toJson().toBytes());
        context.terminal().print("Wrote %d servers to %s".formatted(found.size(), target));
    }

    private static Json toJson(RegistryEntry entry) {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("name", entry.name())
                        .member("version", entry.version());
        if (!entry.title().isEmpty()) {
            writer.member("title", entry.title());
        }
        writer.member("description", entry.description()).member("status", entry.status());
        if (!entry.repository().isEmpty()) {
            writer.member("repository", entry.repository());
        }
        writer.name("kinds").beginArray();
        entry.kinds().forEach(writer::string);
        return writer.endArray().endObject().toJson();
    }

    private void print(List<RegistryEntry> entries) {
        Terminal terminal = context.terminal();
        if (entries.isEmpty()) {
            terminal.printMessage("No server matches.");
            return;
        }
        var table = new TextTable("NAME", "VERSION", "KIND", "DESCRIPTION");
        for (RegistryEntry entry : entries) {
            String mark = entry.status().equals("active") ? "" : "(" + entry.status() + ") ";
            table.add(
                    TextTable.Cell.of(entry.name(), terminal::bold),
                    TextTable.Cell.of(entry.version()),
                    TextTable.Cell.of(String.join(",", entry.kinds())),
                    TextTable.Cell.of(mark + entry.description()));
        }
        table.print(terminal);
    }
}
