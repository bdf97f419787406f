package dev.patchbay.repl;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The tools over one session.
 *
 * @param environment what they use of the machine
 * @param resources keeps what is too large for an answer
 */
record ReplToolSet(ReplEnvironment environment, ResourceStore resources) {
    static final ToolParameter SESSION =
            ToolParameter.text(
                            "session",
                            SessionRegistry.NAME_CHARS_MAX,
                            "The session: main (default), client for your own, or a started one.")
                    .optional();

    /** All tools that work in a session, by name. */
    Map<String, ReplTool> tools(ReplSession session) {
        var saved = new SavedSessionStore(environment.savedSessions());
        var tools = new LinkedHashMap<String, ReplTool>();
        Stream.of(
                        new RunTools(session, resources).all(),
                        new InspectTools(session).all(),
                        new LookupTools(session).all(),
                        new CodeTools(session).all(),
                        new ProfileTools(session, resources).all(),
                        new RuntimeTools(session).all(),
                        new TestTools(session, environment.maven()).all(),
                        new SessionTools(session, environment.maven()).all(),
                        new ProjectTools(session, environment.maven()).all(),
                        new ArtifactTools(session, environment).all(),
                        new SavedSessionTools(session, saved, resources).all())
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
