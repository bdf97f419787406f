package dev.patchbay.dashboard;

import dev.patchbay.doctor.Diagnosis;
import dev.patchbay.doctor.Doctor;
import dev.patchbay.gateway.DiscoveryRequest;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.http.server.AccessScope;
import dev.patchbay.http.server.HttpRoute;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.server.ServerId;

import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/** The API of the page, under {@code /api}. */
final class DashboardApi implements HttpRoute {
    private static final Map<String, String> HEADERS =
            Map.of(
                    "X-Content-Type-Options",
                    "nosniff",
                    "Cross-Origin-Resource-Policy",
                    "same-origin",
                    "Cache-Control",
                    "no-store");

    private final CallStatistics statistics;
    private final DashboardJson dashboardJson;
    private final LiveUpdates liveUpdates;
    private final Doctor doctor;
    private final IntSupplier sessionCount;

    DashboardApi(
            CallStatistics observatory,
            DashboardJson views,
            LiveUpdates feed,
            Doctor doctor,
            IntSupplier sessions) {
        this.statistics = observatory;
        this.dashboardJson = views;
        this.liveUpdates = feed;
        this.doctor = doctor;
        this.sessionCount = sessions;
    }

    @Override
    public AccessScope scope() {
        return AccessScope.DASHBOARD;
    }

    @Override
    public Response serve(Request ask) throws InterruptedException {
        List<String> path = List.of(ask.path().substring(1).split("/", -1));
        Response answer =
                switch (ask.method()) {
                    case "GET" -> handleGet(path, CallVisibility.of(ask.principal()));
                    case "POST" -> mayChange(ask) ? handlePost(path) : forbidden();
                    default -> Response.text(405, "Only GET and POST\n");
                };
        return answer.withHeaders(HEADERS);
    }

    private Response handleGet(List<String> path, CallVisibility visibility)
            throws InterruptedException {
        String what = path.size() > 1 ? path.get(1) : "";
        return switch (path.size() + what) {
            case "2overview" -> json(dashboardJson.overview(sessionCount.getAsInt()));
            case "2tools" -> json(dashboardJson.tools());
            case "2calls" -> json(calls(visibility));
            case "3calls" -> call(path.get(2), visibility);
            case "3doctor" -> diagnoses(path.get(2));
            case "2events" -> Response.events(sink -> liveUpdates.subscribe(sink, visibility));
            default -> notFound();
        };
    }

    private Json calls(CallVisibility visibility) {
        var writer = new JsonWriter().beginArray();
        statistics.log().since(0).stream()
                .filter(visibility::shows)
                .forEach(entry -> writer.value(dashboardJson.callSummary(entry)));
        return writer.endArray().toJson();
    }

    private Response call(String number, CallVisibility visibility) {
        return number.matches("[0-9]{1,18}")
                ? statistics
                        .log()
                        .find(Long.parseLong(number))
                        .filter(visibility::shows)
                        .map(entry -> json(dashboardJson.callDetail(entry)))
                        .orElseGet(() -> Response.text(404, "This call is no longer kept\n"))
                : notFound();
    }

    /** Diagnoses a server; this may take some seconds. */
    private Response diagnoses(String id) throws InterruptedException {
        ServerReport server =
                ServerId.isValid(id)
                        ? statistics.gateway().server(new ServerId(id)).orElse(null)
                        : null;
        if (server == null) {
            return notFound();
        }
        var writer = new JsonWriter().beginArray();
        for (Diagnosis diagnosis : doctor.examine(server)) {
            writer.value(dashboardJson.diagnosis(diagnosis));
        }
        return json(writer.endArray().toJson());
    }

    /** Whether a principal may change servers: the scope {@code dashboard} alone shows them. */
    private static boolean mayChange(Request ask) {
        return ask.principal() != null && ask.principal().has(AccessScope.ADMIN);
    }

    private static Response forbidden() {
        return Response.text(403, "Changing a server needs a token with the scope admin\n");
    }

    /** Changes a server: {@code /api/servers/ID/ACTION}. */
    private Response handlePost(List<String> path) throws InterruptedException {
        Gateway gateway = statistics.gateway();
        if (path.size() != 4 || !path.get(1).equals("servers") || !ServerId.isValid(path.get(2))) {
            return notFound();
        }
        var id = new ServerId(path.get(2));
        if (gateway.server(id).isEmpty()) {
            return Response.text(404, "There is no server " + id + "\n");
        }
        switch (path.get(3)) {
            case "enable" -> gateway.enable(id);
            case "disable" -> gateway.disable(id);
            case "reconnect" -> gateway.reconnect(id);
            case "refresh" ->
                    gateway.discover(new DiscoveryRequest(List.of(id.value()), true, false));
            default -> {
                return notFound();
            }
        }
        return gateway.server(id)
                .map(it -> json(dashboardJson.server(it, CallRateHistory.STEPS_MAX)))
                .orElseGet(DashboardApi::notFound);
    }

    private static Response json(Json json) {
        return new Response(200, "application/json", json.toBytes());
    }

    private static Response notFound() {
        return Response.text(404, "Not found\n");
    }
}
