package dev.patchbay.mcp;

import dev.patchbay.json.Json;
import dev.patchbay.json.Splice;

import org.jspecify.annotations.Nullable;

/**
 * The words of tasks: calls whose results are fetched later. 2025-11-25 has them as an experiment,
 * the modern era as an extension of another shape.
 */
public final class Tasks {
    /** The member of a call that asks for a task, and of the result that is one. */
    public static final String TASK = "task";

    public static final String TASK_ID = "taskId";
    public static final String RELATED = "io.modelcontextprotocol/related-task";

    private static final String CAPABILITY = "tasks";
    private static final String EXTENSIONS = "extensions";
    private static final String EXTENSION = "io.modelcontextprotocol/tasks";

    private Tasks() {}

    /** The capabilities of a client without what only 2025-11-25 says of tasks. */
    public static Json modern(Json capabilities) {
        return Splice.without(capabilities, CAPABILITY);
    }

    /** The capabilities of a client without what they say of tasks, in either form. */
    public static Json undeclared(Json capabilities) {
        Json rest = modern(capabilities);
        Json extensions = rest.member(EXTENSIONS);
        return extensions == null || !extensions.isObject() || extensions.member(EXTENSION) == null
                ? rest
                : Splice.with(rest, EXTENSIONS, Splice.without(extensions, EXTENSION));
    }

    /** Whether these capabilities, of a client or a server, have the extension. */
    public static boolean isDeclared(Json capabilities) {
        Json extensions = capabilities.member(EXTENSIONS);
        return extensions != null && extensions.member(EXTENSION) != null;
    }

    /** The capabilities with the extension. */
    public static Json declared(Json capabilities) {
        Json extensions = capabilities.member(EXTENSIONS);
        Json others = extensions == null || !extensions.isObject() ? Json.EMPTY_OBJECT : extensions;
        return isDeclared(capabilities)
                ? capabilities
                : Splice.with(
                        capabilities,
                        EXTENSIONS,
                        Splice.with(others, EXTENSION, Json.EMPTY_OBJECT));
    }

    /** Whether a legacy server with these capabilities runs calls of tools as tasks. */
    public static boolean areServed(Json capabilities) {
        Json at = capabilities.member(CAPABILITY);
        for (String step : new String[] {"requests", "tools", "call"}) {
            at = at == null || !at.isObject() ? null : at.member(step);
        }
        return at != null;
    }

    /** The id of the task that a result of 2025-11-25 has begun; null if it has begun none. */
    public static @Nullable String begun(Json result) {
        Json task = result.member(TASK);
        return task == null || !task.isObject() ? null : task.memberText(TASK_ID);
    }

    /** Such a result with another id. */
    public static Json begunAs(Json result, String id) {
        Json task = result.member(TASK);
        return task == null ? result : Splice.with(result, TASK, called(task, id));
    }

    /** The id of the task that a modern result is; null if it is none. */
    public static @Nullable String idOf(Json result) {
        Json type = result.member("resultType");
        return type == null || !type.isText(TASK) ? null : result.memberText(TASK_ID);
    }

    /** A task with another id. */
    public static Json called(Json task, String id) {
        return Splice.with(task, TASK_ID, Json.string(id));
    }

    /** The id of the task that a message is marked to belong to; null if it is not marked. */
    public static @Nullable String related(Json message) {
        Json meta = message.member(MetaKeys.META);
        Json mark = meta == null || !meta.isObject() ? null : meta.member(RELATED);
        return mark == null || !mark.isObject() ? null : mark.memberText(TASK_ID);
    }

    /** A message whose mark, if it has one, names another id. */
    public static Json relatedTo(Json message, String id) {
        Json meta = message.member(MetaKeys.META);
        Json mark = meta == null || related(message) == null ? null : meta.member(RELATED);
        return meta == null || mark == null
                ? message
                : Splice.with(message, MetaKeys.META, Splice.with(meta, RELATED, called(mark, id)));
    }
}
