package dev.patchbay.app.wiring;

import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.http.server.HttpRoute;
import dev.patchbay.json.JsonWriter;

import java.util.Map;
import java.util.TreeMap;

/** Serves {@code /healthz}: the number of servers in each state. */
final class HealthRoute implements HttpRoute {
    private final Gateway gateway;

    HealthRoute(Gateway gateway) {
        this.gateway = gateway;
    }

    @Override
    public boolean isPublic() {
        return true;
    }

    @Override
    public Response serve(Request ask) {
        Map<String, Integer> states = new TreeMap<>();
        for (ServerReport server : gateway.servers()) {
            states.merge(server.state().status().text(), 1, Integer::sum);
        }
        var writer = new JsonWriter().beginObject().member("status", "ok").name("servers");
        writer.beginObject();
        states.forEach((state, count) -> writer.member(state, count));
        byte[] body = writer.endObject().endObject().toJson().toBytes();
        return new Response(200, "application/json", body);
    }
}
