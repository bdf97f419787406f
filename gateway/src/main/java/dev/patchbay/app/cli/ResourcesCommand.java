package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandGateway;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.ResourceLookup;
import dev.patchbay.catalog.ResourceRoute;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code patchbay resources}: lists the resources and resource templates of all servers. */
@Command(
        name = "resources",
        description = "List the resources and resource templates of the servers.",
        mixinStandardHelpOptions = true)
final class ResourcesCommand implements Callable<Integer>, GatewayCommand {
    private final AppContext context;

    @Mixin private GatewayOptions config = new GatewayOptions();
    @Mixin private ServerOption servers = new ServerOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "PATTERN",
            description = "Only URIs that contain this text; * matches any characters.")
    private @Nullable String pattern;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    /** A resource or a template, under the URI that clients use. */
    private record Row(String uri, @Nullable String server, Json definition, boolean isTemplate) {
        Json toJson() {
            var writer =
                    new JsonWriter().beginObject().member(isTemplate ? "uriTemplate" : "uri", uri);
            if (server != null) {
                writer.member("serverId", server);
            }
            for (String member : List.of("name", "title", "description", "mimeType", "size")) {
                Json value = definition.member(member);
                if (value != null) {
                    writer.member(member, value);
                }
            }
            return writer.endObject().toJson();
        }

        /** The first of description, title and name that is there and says more than the URI. */
        String text() {
            for (String member : List.of("description", "title", "name")) {
                String text = definition.memberText(member);
                if (text != null && !text.isBlank() && !text.equals(uri)) {
                    return text;
                }
            }
            return "";
        }
    }

    ResourcesCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public GatewayOptions gatewayOptions() {
        return config;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (CommandGateway configured = servers.open(context, config.file)) {
            boolean complete = configured.discoverAll();
            List<Row> rows = rows(configured.gateway().catalog());
            if (json) {
                ResultPrinter.printArray(context.terminal(), rows.stream().map(Row::toJson));
            } else {
                print(rows);
            }
            return complete ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    private List<Row> rows(Catalog catalog) {
        var rows = new ArrayList<Row>();
        for (Json resource : catalog.advertisedResources()) {
            String uri = String.valueOf(resource.memberText("uri"));
            rows.add(new Row(uri, server(catalog.routeResource(uri)), resource, false));
        }
        for (Json template : catalog.advertisedTemplates()) {
            String uri = String.valueOf(template.memberText("uriTemplate"));
            rows.add(new Row(uri, server(catalog.routeTemplate(uri)), template, true));
        }
        rows.removeIf(row -> !isSelected(row));
        return rows;
    }

    private boolean isSelected(Row row) {
        return servers.includes(row.server())
                && (pattern == null || ToolsCommand.matches(row.uri(), pattern));
    }

    private static @Nullable String server(ResourceLookup lookup) {
        return lookup instanceof ResourceLookup.Found(ResourceRoute route)
                ? route.server().value()
                : null;
    }

    private void print(List<Row> rows) {
        Terminal terminal = context.terminal();
        if (rows.isEmpty()) {
            terminal.printMessage(
                    pattern == null ? "No server offers a resource." : "No resource matches.");
            return;
        }
        var table = new TextTable("RESOURCE", "SERVER", "TYPE", "DESCRIPTION");
        for (Row row : rows) {
            String type = row.definition().memberText("mimeType");
            table.add(
                    TextTable.Cell.of(row.uri(), terminal::bold),
                    TextTable.Cell.of(row.server() == null ? "-" : row.server()),
                    TextTable.Cell.of(type == null ? "-" : type),
                    TextTable.Cell.of(row.text()));
        }
        table.print(terminal);
    }
}
