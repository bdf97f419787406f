package dev.patchbay.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The lists of a {@link ScriptedServer}: tools, resources, templates, prompts, in pages. */
final class ScriptedLists {
    private static final int EVERYTHING = Integer.MAX_VALUE;

    private final ScriptedResponses responses;
    private final ScriptedTools tools;
    private final List<String> resources;
    private final List<String> templates;
    private final List<String> prompts;
    private final int pageSize;
    private final String cursorMode;

    ScriptedLists(ScriptedServerOptions options, ScriptedResponses answers, ScriptedTools tools) {
        this.responses = answers;
        this.tools = tools;
        String name = options.text("name", "scripted");
        this.resources = options.namesOrCount("resources", "test://" + name + "/");
        this.templates = options.namesOrCount("templates", "test://" + name + "/{x}/");
        this.prompts = options.namesOrCount("prompts", "prompt");
        this.pageSize = options.number("page-size", EVERYTHING);
        this.cursorMode = options.text("cursor", "normal");
    }

    boolean hasResources() {
        return !resources.isEmpty() || !templates.isEmpty();
    }

    boolean hasPrompts() {
        return !prompts.isEmpty();
    }

    /** The number of the page a list request asks for; 0 if its cursor is not one of ours. */
    int page(ScriptedRequest request) {
        Optional<JsonTree> cursor = request.param("cursor");
        if (cursor.isEmpty()) {
            return 1;
        }
        String text = cursor.get() instanceof JsonTree.Str string ? string.value() : "?";
        if (text.isEmpty() && cursorMode.equals("empty")) {
            return 2;
        }
        boolean ours = text.startsWith("page") && text.substring(4).matches("[1-9][0-9]{0,8}");
        return ours ? Integer.parseInt(text.substring(4)) : 0;
    }

    void tools(ScriptedRequest request) {
        page(request, "tools", tools.definitions());
    }

    void resources(ScriptedRequest request) {
        var items = new ArrayList<String>();
        for (String uri : resources) {
            items.add(
                    "{\"uri\":"
                            + StrictJson.quote(uri)
                            + ",\"name\":"
                            + StrictJson.quote(uri)
                            + ",\"mimeType\":\"text/plain\"}");
        }
        page(request, "resources", items);
    }

    void templates(ScriptedRequest request) {
        var items = new ArrayList<String>();
        for (String uri : templates) {
            items.add(
                    "{\"uriTemplate\":"
                            + StrictJson.quote(uri)
                            + ",\"name\":"
                            + StrictJson.quote(uri)
                            + "}");
        }
        page(request, "resourceTemplates", items);
    }

    void prompts(ScriptedRequest request) {
        var items = new ArrayList<String>();
        for (String name : prompts) {
            items.add(
                    "{\"name\":"
                            + StrictJson.quote(name)
                            + ",\"arguments\":[{\"name\":\"topic\",\"required\":false}]}");
        }
        page(request, "prompts", items);
    }

    void readResource(ScriptedRequest request) {
        Optional<JsonTree> uri = request.param("uri");
        String text = uri.isPresent() && uri.get() instanceof JsonTree.Str s ? s.value() : "";
        if (!resources.contains(text)) {
            responses.sendError(request, request.modern() ? -32602 : -32002, "No resource " + text);
            return;
        }
        String quoted = StrictJson.quote(text);
        responses.sendCacheableResult(
                request,
                "\"contents\":[{\"uri\":"
                        + quoted
                        + ",\"mimeType\":\"text/plain\",\"text\":"
                        + StrictJson.quote("content of " + text)
                        + "}]");
    }

    void sendPrompt(ScriptedRequest request) {
        Optional<JsonTree> name = request.param("name");
        String text = name.isPresent() && name.get() instanceof JsonTree.Str s ? s.value() : "";
        if (!prompts.contains(text)) {
            responses.sendError(request, -32602, "No prompt " + text);
            return;
        }
        String said = text + " " + request.rawArguments();
        responses.sendResult(
                request,
                "\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":"
                        + StrictJson.quote(said)
                        + "}}]");
    }

    private void page(ScriptedRequest request, String member, List<String> items) {
        int page = page(request);
        if (page == 0) {
            responses.sendError(request, -32602, "No such cursor");
            return;
        }
        boolean endless = !List.of("normal", "empty", "null", "number").contains(cursorMode);
        int shown = endless ? 1 : page;
        long from = Math.min(items.size(), (shown - 1L) * pageSize);
        long to = Math.min(items.size(), from + pageSize);
        var part = new ArrayList<>(items.subList((int) from, (int) to));
        if (cursorMode.equals("grow") && page > 1) {
            part = new ArrayList<>(List.of(ScriptedTools.definition("grown" + page, "echo")));
        }
        String next = nextCursor(page, to < items.size());
        String rest = next.isEmpty() ? "" : ",\"nextCursor\":" + next;
        responses.sendCacheableResult(
                request, "\"" + member + "\":[" + String.join(",", part) + "]" + rest);
    }

    /** The cursor after this page as JSON text, empty for none. */
    private String nextCursor(int page, boolean more) {
        return switch (cursorMode) {
            case "same" -> "\"page2\"";
            case "new", "grow" -> "\"page" + (page + 1) + "\"";
            case "null" -> more ? "\"page" + (page + 1) + "\"" : "null";
            case "number" -> "5";
            case "empty" -> more ? (page == 1 ? "\"\"" : "\"page" + (page + 1) + "\"") : "";
            default -> more ? "\"page" + (page + 1) + "\"" : "";
        };
    }
}
