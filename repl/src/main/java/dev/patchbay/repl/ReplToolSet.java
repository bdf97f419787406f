package dev.patchbay.repl;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The tools over one session.
 *
 * @param maven resolves coordinates
 * @param resources keeps what is too large for an answer
 */
record ReplToolSet(MavenResolver maven, ResourceStore resources) {
    static final ToolParameter SESSION =
            ToolParameter.text(
                            "session",
                            SessionRegistry.NAME_CHARS_MAX,
                            "The session: main (default), client for your own, or a started one.")
                    .optional();

    /** All tools that work in a session, by name. */
    Map<String, ReplTool> tools(ReplSession session) {
        var tools = new LinkedHashMap<String, ReplTool>();
        Stream.of(
                        new RunTools(session, resources).all(),
                        new InspectTools(session).all(),
                        new LookupTools(session).all(),
                        new CodeTools(session).all(),
                        new ProfileTools(session, resources).all(),
                        new RuntimeTools(session).all(),
                        new SessionTools(session, maven).all())
                .flatMap(List::stream)
                .map(ReplToolSet::withSession)
                .forEach(tool -> tools.put(tool.name(), tool));
        return tools;
    }

    private static ReplTool withSession(ReplTool tool) {
        var parameters = new ArrayList<>(tool.parameters());
        parameters.add(SESSION);
        return new ReplTool(
                tool.name(),
                tool.title(),
                tool.description(),
                tool.effect(),
                List.copyOf(parameters),
                tool.outputSchema(),
                tool.action());
    }
}
