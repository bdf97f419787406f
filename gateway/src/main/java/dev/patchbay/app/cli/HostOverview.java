package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.config.SanitizedText;
import dev.patchbay.config.hosts.HostFinder;
import dev.patchbay.config.hosts.HostFinder.FoundHost;
import dev.patchbay.json.JsonWriter;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Shows the hosts on this machine and their servers. */
final class HostOverview {
    private HostOverview() {}

    /**
     * Prints what was found.
     *
     * @param next the command to run next
     */
    static int print(AppContext context, Path config, boolean json, String next)
            throws IOException {
        List<FoundHost> hosts = new HostFinder(context.environment()).examine(config);
        Terminal terminal = context.terminal();
        if (json) {
            printJson(terminal, hosts);
        } else if (hosts.isEmpty()) {
            terminal.print("No host was found. Known hosts: " + HostNames.LIST + ".");
        } else {
            var table = new TextTable("HOST", "PATCHBAY", "SERVERS", "FILE");
            for (FoundHost found : hosts) {
                String servers =
                        found.servers().isEmpty() ? "-" : String.join(", ", found.servers());
                table.add(
                        TextTable.Cell.of(found.host().cliName(), terminal::bold),
                        TextTable.Cell.of(found.hasPatchbay() ? "yes" : "-"),
                        TextTable.Cell.of(
                                found.readable() ? SanitizedText.sanitize(servers) : "unreadable"),
                        TextTable.Cell.of(found.file().toString()));
            }
            table.printWrapped(terminal);
            hosts.forEach(found -> printCopies(terminal, found));
            terminal.printMessage(next);
        }
        return ExitCode.OK;
    }

    /** Warns that a host offers the tools of some servers twice. */
    static void printCopies(Terminal terminal, FoundHost found) {
        if (found.hasPatchbay() && !found.copies().isEmpty()) {
            terminal.printMessage(
                    "%s has Patchbay and its own copies of %s, so their tools appear twice. Take"
                                    .formatted(
                                            found.host().displayName(),
                                            SanitizedText.sanitize(
                                                    String.join(", ", found.copies())))
                            + " them out: patchbay adopt "
                            + found.host().cliName());
        }
    }

    private static void printJson(Terminal terminal, List<FoundHost> hosts) {
        var json = new JsonWriter().beginArray();
        for (FoundHost found : hosts) {
            json.beginObject().member("host", found.host().cliName());
            json.member("file", found.file().toString());
            json.member("patchbay", found.hasPatchbay()).member("readable", found.readable());
            json.name("servers").beginArray();
            found.servers().forEach(json::string);
            json.endArray().name("copies").beginArray();
            found.copies().forEach(json::string);
            json.endArray().endObject();
        }
        terminal.print(json.endArray().toJson().toString());
    }
}
