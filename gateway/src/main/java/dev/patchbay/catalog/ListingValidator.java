package dev.patchbay.catalog;

import dev.patchbay.catalog.WithheldEntry.Fault;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonLimits;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.mcp.HeaderParamParser;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Goes through the lists of one server, once: each bad entry costs that entry alone. */
final class ListingValidator {
    private static final int WITHHELD_MAX = 100;
    private static final int DEFINITION_BYTES_MAX = 512 * 1024;

    /** So that no message with the definition in it nests deeper than a message may. */
    private static final int DEFINITION_DEPTH_MAX = JsonLimits.DEFAULTS.depthMax() - 10;

    /** What keeps an entry from being shown. */
    private record Defect(Fault fault, String text) {
        static @Nullable Defect of(Fault fault, @Nullable String text) {
            return text == null ? null : new Defect(fault, text);
        }
    }

    private final ServerId server;
    private final int entriesMax;
    private final List<WithheldEntry> withheld = new ArrayList<>();
    private int omitted;

    ListingValidator(ServerId server, int entriesMax) {
        this.server = server;
        this.entriesMax = entriesMax;
    }

    Listing validate(RawLists lists) {
        var tools = validTools(lists.tools());
        var prompts = validPrompts(lists.prompts());
        var resources = validResources(lists.resources());
        var templates = validTemplates(lists.templates());
        lists.warnings()
                .forEach(
                        note ->
                                withheld.add(
                                        new WithheldEntry("list", "", note, Fault.ENDLESS_PAGES)));
        if (omitted > 0) {
            withheld.add(new WithheldEntry("", "", omitted + " more are withheld"));
        }
        return new Listing(
                server, tools, prompts, resources, templates, List.copyOf(withheld), List.of(), "");
    }

    private List<Tool> validTools(List<Json> definitions) {
        var tools = new ArrayList<Tool>();
        var taken = new HashSet<String>();
        for (Json listed : definitions) {
            Json definition = listed.detached();
            String name = text(definition, "name");
            Json schema = definition.member("inputSchema");
            Defect fault = nameDefect(definition, name, tools.size());
            if (fault == null) {
                fault = Defect.of(Fault.SCHEMA, InputSchemaSanitizer.defect(schema));
            }
            if (fault == null && schema != null) {
                fault = headerDefect(schema);
            }
            if (fault == null) {
                fault = claimNames(taken, new FullName(server, name));
            }
            if (fault != null) {
                withhold("tool", name, fault);
                continue;
            }
            Json mended = InputSchemaSanitizer.sanitize(schema);
            Json shown = DefinitionSanitizer.TOOL.sanitize(definition);
            shown = mended.equals(schema) ? shown : MemberPatch.with(shown, "inputSchema", mended);
            tools.add(new Tool(new FullName(server, name), shown, mended));
        }
        return List.copyOf(tools);
    }

    /** Clients over HTTP must drop a tool that says wrongly which arguments are headers. */
    private static @Nullable Defect headerDefect(Json schema) {
        return HeaderParamParser.parse(schema)
                        instanceof HeaderParamParser.ParseResult.Invalid(String why)
                ? new Defect(Fault.SCHEMA, "Its inputSchema is wrong: " + why)
                : null;
    }

    private List<Prompt> validPrompts(List<Json> definitions) {
        var prompts = new ArrayList<Prompt>();
        var taken = new HashSet<String>();
        for (Json definition : definitions) {
            String name = text(definition, "name");
            Defect fault = nameDefect(definition, name, prompts.size());
            if (fault == null) {
                fault = claimNames(taken, new FullName(server, name));
            }
            if (fault == null) {
                Json shown = DefinitionSanitizer.PROMPT.sanitize(definition.detached());
                prompts.add(new Prompt(new FullName(server, name), shown));
            } else {
                withhold("prompt", name, fault);
            }
        }
        return List.copyOf(prompts);
    }

    private List<Resource> validResources(List<Json> definitions) {
        var resources = new ArrayList<Resource>();
        var taken = new HashSet<String>();
        for (Json definition : definitions) {
            String uri = text(definition, "uri");
            Defect fault = uriDefect(definition, uri, resources.size());
            if (fault == null && !taken.add(uri)) {
                fault = new Defect(Fault.DUPLICATE, "The server offers this URI twice");
            }
            if (fault == null) {
                resources.add(new Resource(server, uri, sanitizeResource(definition, uri)));
            } else {
                withhold("resource", uri, fault);
            }
        }
        return List.copyOf(resources);
    }

    private List<ResourceTemplate> validTemplates(List<Json> definitions) {
        var templates = new ArrayList<ResourceTemplate>();
        var taken = new HashSet<String>();
        for (Json definition : definitions) {
            String uri = text(definition, "uriTemplate");
            Defect fault = uriDefect(definition, uri, templates.size());
            UriTemplate template = UriTemplate.of(fault == null ? uri : "");
            if (template.expressions() > UriTemplate.EXPRESSIONS_MAX) {
                fault =
                        new Defect(
                                Fault.SIZE,
                                "Its URI template has more than %d expressions"
                                        .formatted(UriTemplate.EXPRESSIONS_MAX));
            }
            if (fault == null && !taken.add(uri)) {
                fault = new Defect(Fault.DUPLICATE, "The server offers this URI template twice");
            }
            if (fault == null) {
                Json shown = sanitizeResource(definition, uri);
                templates.add(new ResourceTemplate(server, template, shown));
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

    private @Nullable Defect nameDefect(Json definition, String name, int before) {
        Defect fault = sizeDefect(definition, before);
        return fault != null ? fault : Defect.of(Fault.NAME, NameValidator.defect(name));
    }

    private @Nullable Defect uriDefect(Json definition, String uri, int before) {
        Defect fault = sizeDefect(definition, before);
        return fault != null ? fault : Defect.of(Fault.NAME, NameValidator.uriDefect(uri));
    }

    private @Nullable Defect sizeDefect(Json definition, int before) {
        if (before >= entriesMax) {
            return new Defect(Fault.SIZE, "The server offers more than " + entriesMax);
        }
        if (!definition.isObject()) {
            return new Defect(Fault.OTHER, "It is not an object");
        }
        if (definition.length() > DEFINITION_BYTES_MAX) {
            return new Defect(
                    Fault.SIZE, "Its definition is longer than " + DEFINITION_BYTES_MAX + " bytes");
        }
        return definition.isDeeperThan(DEFINITION_DEPTH_MAX)
                ? new Defect(Fault.SIZE, "Its definition nests deeper than " + DEFINITION_DEPTH_MAX)
                : null;
    }

    /**
     * Takes all the names by which a client may call it. A server can make the shortened name of
     * one entry the name of another; the first keeps it, so that no name ever means two things.
     */
    private static @Nullable Defect claimNames(Set<String> taken, FullName name) {
        var names = new HashSet<String>();
        names.add(name.text());
        names.add(name.advertisedName(NameStyle.DOTTED));
        names.add(name.advertisedName(NameStyle.SAFE));
        if (!Collections.disjoint(taken, names)) {
            return new Defect(
                    Fault.DUPLICATE,
                    "The server offers this name twice, or another that is shortened to it");
        }
        taken.addAll(names);
        return null;
    }

    /** A resource without a name, which official clients refuse, is called by its URI. */
    private static Json sanitizeResource(Json definition, String uri) {
        Json mended = DefinitionSanitizer.RESOURCE.sanitize(definition.detached());
        return definition.memberText("name") == null
                ? MemberPatch.with(mended, "name", Json.string(uri))
                : mended;
    }

    private void withhold(String kind, String name, Defect why) {
        if (withheld.size() < WITHHELD_MAX) {
            withheld.add(new WithheldEntry(kind, name, why.text(), why.fault()));
        } else {
            omitted++;
        }
    }
}
