package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.ReplTool.Effect;
import dev.patchbay.repl.SessionRegistry.NamedSession;

import java.util.ArrayList;
import java.util.List;

/** The tool that lists, starts and ends sessions. */
final class SessionListTools {
    private final SessionRegistry sessions;

    SessionListTools(SessionRegistry sessions) {
        this.sessions = sessions;
    }

    /** The tool for one client, which sees its own session beside the others. */
    ReplTool sessions(Object client) {
        return new ReplTool(
                "sessions",
                "List, start and end sessions",
                """
                Sessions are separate: each has its own JVM, definitions and class path. Every \
                other tool takes session, the name of one; without it main is used. "client" is \
                your own, which no other client sees; it starts when it is first named.\
                """,
                Effect.CHANGES_SESSION,
                List.of(
                        ToolParameter.choice(
                                "action", List.of("list", "start", "end"), "Default list."),
                        ToolParameter.text(
                                        "name",
                                        SessionRegistry.NAME_CHARS_MAX,
                                        "The session to start or end.")
                                .optional()),
                Json.of(
                        """
                        {"type":"object","properties":{"sessions":{"type":"array",
                        "items":{"type":"object","properties":{"name":{"type":"string"},
                        "state":{"type":"string"},"definitions":{"type":"integer"},
                        "classpath":{"type":"integer"}},"required":["name","state"]}}},
                        "required":["sessions"]}
                        """),
                (arguments, progress) -> change(arguments, client));
    }

    private ReplToolResult change(ToolArguments arguments, Object client) throws ReplException {
        String name = arguments.text("name");
        String done = "";
        switch (arguments.text("action")) {
            case "start" -> {
                sessions.start(name).session().startInBackground();
                done = "Started " + name + ".";
            }
            case "end" -> {
                sessions.end(name, client);
                done = "Ended " + name + ".";
            }
            default -> {}
        }
        var lines = new ArrayList<String>();
        if (!done.isEmpty()) {
            lines.add(done);
        }
        JsonWriter structured = new JsonWriter().beginObject().name("sessions").beginArray();
        for (NamedSession one : sessions.list(client)) {
            ReplSession.SessionSummary summary = one.session().summary();
            structured.beginObject().member("name", one.name()).member("state", summary.state());
            structured.member("definitions", summary.definitions());
            structured.member("classpath", summary.classpathEntries()).endObject();
            lines.add(
                    "%s: %s, %d definitions, %d class path entries"
                            .formatted(
                                    one.name(),
                                    summary.state(),
                                    summary.definitions(),
                                    summary.classpathEntries()));
        }
        return ReplToolResult.of(String.join("\n", lines), structured.endArray());
    }
}
