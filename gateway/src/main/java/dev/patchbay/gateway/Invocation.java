package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.json.MemberPatch;

import org.jspecify.annotations.Nullable;

/**
 * A call of a tool.
 *
 * @param tool the full name, an advertised name, or a bare name that only one server has
 * @param serverId the server to look at; null to go by the name alone
 * @param params what the server gets, its own name of the tool put in: {@code arguments} and
 *     whatever else the client sent along
 * @param timeoutMs how long to wait, 1,000 to 300,000; null for what the server's entry says
 */
public record Invocation(
        String tool,
        @Nullable String serverId,
        Json params,
        @Nullable Long timeoutMs,
        CallContext context) {

    public Invocation {
        if (!params.isObject()) {
            throw new IllegalArgumentException("params must be an object");
        }
    }

    /** A call with arguments only, without a client. */
    public static Invocation of(String tool, @Nullable Json arguments) {
        Json params =
                arguments == null
                        ? Json.EMPTY_OBJECT
                        : MemberPatch.with(Json.EMPTY_OBJECT, "arguments", arguments);
        return new Invocation(tool, null, params, null, CallContext.NONE);
    }

    public Invocation withTimeoutMs(@Nullable Long timeout) {
        return new Invocation(tool, serverId, params, timeout, context);
    }

    /**
     * The call that the arguments of {@code patchbay.invoke} describe, for the same client. What
     * else the client sent along is kept.
     */
    Invocation target(Json invokeArguments) {
        Json name = invokeArguments.member("name");
        Json arguments = invokeArguments.member("arguments");
        Json named = MemberPatch.with(params, "name", name == null ? Json.string("") : name);
        Json complete =
                MemberPatch.with(
                        named, "arguments", arguments == null ? Json.EMPTY_OBJECT : arguments);
        String target = invokeArguments.memberText("name");
        return new Invocation(target == null ? "" : target, null, complete, timeoutMs, context);
    }

    public Invocation onServer(@Nullable String server) {
        return new Invocation(tool, server, params, timeoutMs, context);
    }
}
