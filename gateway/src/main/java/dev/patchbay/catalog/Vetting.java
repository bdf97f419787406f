package dev.patchbay.catalog;

import dev.patchbay.catalog.Withheld.Fault;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonLimits;
import dev.patchbay.json.Splice;
import dev.patchbay.mcp.HeaderParams;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Goes through the lists of one server, once: each bad entry costs that entry alone. */
final class Vetting {
    private static final int WITHHELD_MAX = 100;
    private static final int DEFINITION_BYTES_MAX = 512 * 1024;

    /** So that no message with the definition in it nests deeper than a message may. */
    private static final int DEFINITION_DEPTH_MAX = JsonLimits.DEFAULTS.depthMax() - 10;

    /** What keeps an entry from being shown. */
    private record Blemish(Fault fault, String text) {
        static @Nullable Blemish of(Fault fault, @Nullable String text) {
            return text == null ? null : new Blemish(fault, text);
        }
    }

    private final ServerId server;
    private final int entriesMax;
    private final List<Withheld> withheld = new ArrayList<>();
    private int omitted;

    Vetting(ServerId server, int entriesMax) {
        this.server = server;
        this.entriesMax = entriesMax;
    }

    Listing vet(Lists lists) {
        var tools = tools(lists.tools());
        var prompts = prompts(lists.prompts());
        var resources = resources(lists.resources());
        var templates = templates(lists.templates());
        lists.notes().forEach(note -> withheld.add(new Withheld("list", "", note, Fault.PAGES)));
        if (omitted > 0) {
            withheld.add(new Withheld("", "", omitted + " more are withheld"));
        }
        return new Listing(
                server, tools, prompts, resources, templates, List.copyOf(withheld), List.of(), "");
    }

    private List<Tool> tools(List<Json> definitions) {
        var tools = new ArrayList<Tool>();
        var taken = new HashSet<String>();
        for (Json definition : definitions) {
            String name = text(definition, "name");
            Json schema = definition.member("inputSchema");
            Blemish fault = fault(definition, name, tools.size());
            if (fault == null) {
                fault = Blemish.of(Fault.SCHEMA, ArgumentSchema.fault(schema));
            }
            if (fault == null && schema != null) {
                fault = headerFault(schema);
            }
            if (fault == null) {
                fault = take(taken, new FullName(server, name));
            }
            if (fault != null) {
                withhold("tool", name, fault);
                continue;
            }
            Json mended = ArgumentSchema.mended(schema);
            Json shown = Shape.TOOL.mended(definition);
            shown = mended.equals(schema) ? shown : Splice.with(shown, "inputSchema", mended);
            tools.add(new Tool(new FullName(server, name), shown, mended));
        }
        return List.copyOf(tools);
    }

    /** Clients over HTTP must drop a tool that says wrongly which arguments are headers. */
    private static @Nullable Blemish headerFault(Json schema) {
        return HeaderParams.of(schema) instanceof HeaderParams.Reading.Invalid(String why)
                ? new Blemish(Fault.SCHEMA, "Its inputSchema is wrong: " + why)
                : null;
    }

    private List<Prompt> prompts(List<Json> definitions) {
        var prompts = new ArrayList<Prompt>();
        var taken = new HashSet<String>();
        for (Json definition : definitions) {
            String name = text(definition, "name");
            Blemish fault = fault(definition, name, prompts.size());
            if (fault == null) {
                fault = take(taken, new FullName(server, name));
            }
            if (fault == null) {
                Json shown = Shape.PROMPT.mended(definition);
                prompts.add(new Prompt(new FullName(server, name), shown));
            } else {
                withhold("prompt", name, fault);
            }
        }
        return List.copyOf(prompts);
    }

    private List<Resource> resources(List<Json> definitions) {
        var resources = new ArrayList<Resource>();
        var taken = new HashSet<String>();
        for (Json definition : definitions) {
            String uri = text(definition, "uri");
            Blemish fault = uriFault(definition, uri, resources.size());
            if (fault == null && !taken.add(uri)) {
                fault = new Blemish(Fault.TWICE, "The server offers this URI twice");
            }
            if (fault == null) {
                resources.add(new Resource(server, uri, shown(definition, uri)));
            } else {
                withhold("resource", uri, fault);
            }
        }
        return List.copyOf(resources);
    }

    private List<ResourceTemplate> templates(List<Json> definitions) {
        var templates = new ArrayList<ResourceTemplate>();
        var taken = new HashSet<String>();
        for (Json definition : definitions) {
            String uri = text(definition, "uriTemplate");
            Blemish fault = uriFault(definition, uri, templates.size());
            if (fault == null && !taken.add(uri)) {
                fault = new Blemish(Fault.TWICE, "The server offers this URI template twice");
            }
            if (fault == null) {
                Json shown = shown(definition, uri);
                templates.add(new ResourceTemplate(server, UriTemplate.of(uri), shown));
            } else {
                withhold("resourceTemplate", uri, fault);
            }
        }
        return List.copyOf(templates);
    }

    private static String text(Json definition, String member) {
        String text = definition.memberText(member);
        return text == null ? "" : text;
    }

    private @Nullable Blemish fault(Json definition, String name, int before) {
        Blemish fault = sizeFault(definition, before);
        return fault != null ? fault : Blemish.of(Fault.NAME, LegalName.fault(name));
    }

    private @Nullable Blemish uriFault(Json definition, String uri, int before) {
        Blemish fault = sizeFault(definition, before);
        return fault != null ? fault : Blemish.of(Fault.NAME, LegalName.uriFault(uri));
    }

    private @Nullable Blemish sizeFault(Json definition, int before) {
        if (before >= entriesMax) {
            return new Blemish(Fault.SIZE, "The server offers more than " + entriesMax);
        }
        if (!definition.isObject()) {
            return new Blemish(Fault.OTHER, "It is not an object");
        }
        if (definition.length() > DEFINITION_BYTES_MAX) {
            return new Blemish(
                    Fault.SIZE, "Its definition is longer than " + DEFINITION_BYTES_MAX + " bytes");
        }
        return definition.isDeeperThan(DEFINITION_DEPTH_MAX)
                ? new Blemish(
                        Fault.SIZE, "Its definition nests deeper than " + DEFINITION_DEPTH_MAX)
                : null;
    }

    /**
     * Takes all the names by which a client may call it. A server can make the shortened name of
     * one entry the name of another; the first keeps it, so that no name ever means two things.
     */
    private static @Nullable Blemish take(Set<String> taken, FullName name) {
        var names = new HashSet<String>();
        names.add(name.text());
        names.add(name.advertised(NameStyle.DOTTED));
        names.add(name.advertised(NameStyle.SAFE));
        if (!Collections.disjoint(taken, names)) {
            return new Blemish(
                    Fault.TWICE,
                    "The server offers this name twice, or another that is shortened to it");
        }
        taken.addAll(names);
        return null;
    }

    /** A resource without a name, which official clients refuse, is called by its URI. */
    private static Json shown(Json definition, String uri) {
        Json mended = Shape.RESOURCE.mended(definition);
        return definition.memberText("name") == null
                ? Splice.with(mended, "name", Json.string(uri))
                : mended;
    }

    private void withhold(String kind, String name, Blemish why) {
        if (withheld.size() < WITHHELD_MAX) {
            withheld.add(new Withheld(kind, name, why.text(), why.fault()));
        } else {
            omitted++;
        }
    }
}
