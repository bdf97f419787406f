package dev.patchbay.mcp;

import dev.patchbay.json.Json;
import dev.patchbay.json.MemberPatch;

import org.jspecify.annotations.Nullable;

/**
 * The words of tasks: calls whose results are fetched later. 2025-11-25 has them as an experiment,
 * the modern era as an extension of another shape.
 */
public final class TaskMessages {
    /** The member of a call that asks for a task, and of the result that is one. */
    public static final String TASK = "task";

    public static final String TASK_ID = "taskId";
    public static final String RELATED_TASK = "io.modelcontextprotocol/related-task";

    private static final String CAPABILITY = "tasks";
    private static final String EXTENSIONS = "extensions";
    private static final String EXTENSION = "io.modelcontextprotocol/tasks";

    private TaskMessages() {}

    /** The capabilities of a client without what only 2025-11-25 says of tasks. */
    public static Json withoutLegacyTasks(Json capabilities) {
        return MemberPatch.without(capabilities, CAPABILITY);
    }

    /** The capabilities of a client without what they say of tasks, in either form. */
    public static Json withoutTasks(Json capabilities) {
        Json rest = withoutLegacyTasks(capabilities);
        Json extensions = rest.member(EXTENSIONS);
        return extensions == null || !extensions.isObject() || extensions.member(EXTENSION) == null
                ? rest
                : MemberPatch.with(rest, EXTENSIONS, MemberPatch.without(extensions, EXTENSION));
    }

    /** Whether these capabilities, of a client or a server, have the extension. */
    public static boolean hasTasksExtension(Json capabilities) {
        Json extensions = capabilities.member(EXTENSIONS);
        return extensions != null && extensions.member(EXTENSION) != null;
    }

    /** The capabilities with the extension. */
    public static Json withTasksExtension(Json capabilities) {
        Json extensions = capabilities.member(EXTENSIONS);
        Json others = extensions == null || !extensions.isObject() ? Json.EMPTY_OBJECT : extensions;
        return hasTasksExtension(capabilities)
                ? capabilities
                : MemberPatch.with(
                        capabilities,
                        EXTENSIONS,
                        MemberPatch.with(others, EXTENSION, Json.EMPTY_OBJECT));
    }

    /** Whether a legacy server with these capabilities runs calls of tools as tasks. */
    public static boolean supportsTaskCalls(Json capabilities) {
        Json at = capabilities.member(CAPABILITY);
        for (String step : new String[] {"requests", "tools", "call"}) {
            at = at == null || !at.isObject() ? null : at.member(step);
        }
        return at != null;
    }

    /** The id of the task that a result of 2025-11-25 has begun; null if it has begun none. */
    public static @Nullable String legacyTaskId(Json result) {
        Json task = result.member(TASK);
        return task == null || !task.isObject() ? null : task.memberText(TASK_ID);
    }

    /** Such a result with another id. */
    public static Json withLegacyTaskId(Json result, String id) {
        Json task = result.member(TASK);
        return task == null ? result : MemberPatch.with(result, TASK, withTaskId(task, id));
    }

    /** The id of the task that a modern result is; null if it is none. */
    public static @Nullable String modernTaskId(Json result) {
        Json type = result.member("resultType");
        return type == null || !type.isText(TASK) ? null : result.memberText(TASK_ID);
    }

    /** A task with another id. */
    public static Json withTaskId(Json task, String id) {
        return MemberPatch.with(task, TASK_ID, Json.string(id));
    }

    /** The id of the task that a message is marked to belong to; null if it is not marked. */
    public static @Nullable String relatedTaskId(Json message) {
        Json meta = message.member(MetaKeys.META);
        Json mark = meta == null || !meta.isObject() ? null : meta.member(RELATED_TASK);
        return mark == null || !mark.isObject() ? null : mark.memberText(TASK_ID);
    }

    /** A message whose mark, if it has one, names another id. */
    public static Json withRelatedTaskId(Json message, String id) {
        Json meta = message.member(MetaKeys.META);
        Json mark =
                meta == null || relatedTaskId(message) == null ? null : meta.member(RELATED_TASK);
        return meta == null || mark == null
                ? message
                : MemberPatch.with(
                        message,
                        MetaKeys.META,
                        MemberPatch.with(meta, RELATED_TASK, withTaskId(mark, id)));
    }
}
