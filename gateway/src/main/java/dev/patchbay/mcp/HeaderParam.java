package dev.patchbay.mcp;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * An argument of a tool that is also sent in the HTTP header {@code Mcp-Param-NAME}.
 *
 * @param path the path of member names from the arguments to the value
 */
public record HeaderParam(String name, List<String> path) {
    public HeaderParam {
        path = List.copyOf(path);
    }

    /** Its value in the arguments of a call; null if it is absent or null. */
    public @Nullable Json valueIn(Json arguments) {
        Json value = arguments;
        for (String step : path) {
            value = value.member(step);
            if (value == null) {
                return null;
            }
        }
        return value.isNull() ? null : value;
    }
}
