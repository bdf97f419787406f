package dev.patchbay.mcp;

import dev.patchbay.json.Json;

/** Whether a tool of 2025-11-25 runs as a task. */
public enum TaskSupport {
    FORBIDDEN,
    OPTIONAL,
    REQUIRED;

    /** Reads the support from the definition of a tool. */
    public static TaskSupport fromDefinition(Json definition) {
        Json execution = definition.member("execution");
        Json said = execution == null ? null : execution.member("taskSupport");
        if (said == null) {
            return FORBIDDEN;
        }
        return said.isText("required") ? REQUIRED : said.isText("optional") ? OPTIONAL : FORBIDDEN;
    }

    /** Whether clients can read a value of {@code execution}. */
    public static boolean isValid(Json execution) {
        if (!execution.isObject()) {
            return false;
        }
        Json said = execution.member("taskSupport");
        return said == null
                || said.isText("required")
                || said.isText("optional")
                || said.isText("forbidden");
    }
}
