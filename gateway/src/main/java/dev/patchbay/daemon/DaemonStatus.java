package dev.patchbay.daemon;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import java.util.List;

/** The state of the daemon, as {@code patchbay daemon status} shows it. */
final class DaemonStatus {
    private DaemonStatus() {}

    static Json toJson(
            BuildInfo build,
            String state,
            DaemonFiles files,
            List<AttachedClient> clients,
            Json gateways) {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("state", state)
                        .member("pid", ProcessHandle.current().pid())
                        .member("version", build.version())
                        .member("build", build.id())
                        .member("socket", files.socket().toString())
                        .member("log", files.log().toString())
                        .name("clients")
                        .beginArray();
        clients.forEach(client -> client.describe(writer));
        return writer.endArray().member("gateways", gateways).endObject().toJson();
    }
}
