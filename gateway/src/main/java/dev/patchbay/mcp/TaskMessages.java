package dev.patchbay.mcp;

import dev.patchbay.json.Json;
import dev.patchbay.json.MemberPatch;

import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the parts of messages that concern tasks: calls whose results are fetched later.
 * 2025-11-25 has them as an experiment, the modern era as an extension with another format.
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

    /** The capabilities of a client without the task capability of 2025-11-25. */
    public static Json withoutLegacyTasks(Json capabilities) {
        return MemberPatch.without(capabilities, CAPABILITY);
    }

    /** The capabilities of a client without tasks in either format. */
    public static Json withoutTasks(Json capabilities) {
        Json rest = withoutLegacyTasks(capabilities);
        Json extensions = rest.member(EXTENSIONS);
        return extensions == null || !extensions.isObject() || extensions.member(EXTENSION) == null
                ? rest
                : MemberPatch.with(rest, EXTENSIONS, MemberPatch.without(extensions, EXTENSION));
    }

    /** Whether capabilities of a client or a server have the extension. */
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

    /** The id of the task that a result of 2025-11-25 started; null if there is none. */
    public static @Nullable String legacyTaskId(Json result) {
        Json task = result.member(TASK);
        return task == null || !task.isObject() ? null : task.memberText(TASK_ID);
    }

    /** A result of 2025-11-25 with another task id. */
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

    /** The id of the task that a message belongs to; null if it names none. */
    public static @Nullable String relatedTaskId(Json message) {
        Json meta = message.member(MetaKeys.META);
        Json mark = meta == null || !meta.isObject() ? null : meta.member(RELATED_TASK);
        return mark == null || !mark.isObject() ? null : mark.memberText(TASK_ID);
    }

    /** A message that belongs to a task, with another task id. Other messages are unchanged. */
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
