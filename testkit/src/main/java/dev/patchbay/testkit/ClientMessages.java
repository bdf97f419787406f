package dev.patchbay.testkit;

import dev.patchbay.testkit.JsonTree.Member;
import dev.patchbay.testkit.JsonTree.Obj;

import java.util.ArrayList;
import java.util.List;

/** The MCP messages a client sends, spelled out. Params are JSON text; an empty text means none. */
public final class ClientMessages {
    public static final String MODERN = "2026-07-28";
    public static final List<String> LEGACY =
            List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25");
    public static final String VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
    public static final String CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
    public static final String CLIENT_KEY = "io.modelcontextprotocol/clientInfo";

    /** The name of a client that is known to accept tool names with dots. */
    public static final String CLIENT_NAME = "mcp-inspector";

    private static final String CLIENT = "{\"name\":\"" + CLIENT_NAME + "\",\"version\":\"1\"}";

    private ClientMessages() {}

    /** A request; the id is given as it shall be spelled. */
    public static String request(String rawId, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":"
                + rawId
                + ",\"method\":"
                + StrictJson.quote(method)
                + params(params)
                + "}";
    }

    public static String notification(String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"method\":" + StrictJson.quote(method) + params(params) + "}";
    }

    public static String cancelled(String rawId) {
        return notification("notifications/cancelled", "{\"requestId\":" + rawId + "}");
    }

    public static String initializeParams(String version) {
        return "{\"protocolVersion\":"
                + StrictJson.quote(version)
                + ",\"capabilities\":{},\"clientInfo\":"
                + CLIENT
                + "}";
    }

    public static String callParams(String tool, String arguments) {
        String rest = arguments.isEmpty() ? "" : ",\"arguments\":" + arguments;
        return "{\"name\":" + StrictJson.quote(tool) + rest + "}";
    }

    /** These params with the {@code _meta} of 2026-07-28, which declares no capabilities. */
    public static String modernParams(String params) {
        return modernParams(params, "{}");
    }

    /** These params with the {@code _meta} of 2026-07-28 and these client capabilities. */
    public static String modernParams(String params, String capabilities) {
        var members = new ArrayList<Member>();
        var meta = new ArrayList<Member>();
        JsonTree given = StrictJson.parse(params.isEmpty() ? "{}" : params);
        if (!(given instanceof Obj object)) {
            throw new IllegalArgumentException("Params must be an object: " + params);
        }
        for (Member member : object.members()) {
            if (member.name().equals("_meta") && member.value() instanceof Obj own) {
                meta.addAll(own.members());
            } else {
                members.add(member);
            }
        }
        meta.add(new Member(VERSION_KEY, new JsonTree.Str(MODERN)));
        if (meta.stream().noneMatch(it -> it.name().equals(CLIENT_KEY))) {
            meta.add(new Member(CLIENT_KEY, StrictJson.parse(CLIENT)));
        }
        meta.add(new Member(CAPABILITIES_KEY, StrictJson.parse(capabilities)));
        members.add(new Member("_meta", new Obj(meta)));
        return new Obj(members).write();
    }

    private static String params(String params) {
        return params.isEmpty() ? "" : ",\"params\":" + params;
    }
}
