package dev.patchbay.dashboard;

import dev.patchbay.doctor.Diagnosis;
import dev.patchbay.doctor.Doctor;
import dev.patchbay.gateway.DiscoveryRequest;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.http.WebPart;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.server.ServerId;

import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/** What the page asks for and does, under {@code /api}. */
final class Api implements WebPart {
    private static final Map<String, String> HEADERS =
            Map.of(
                    "X-Content-Type-Options",
                    "nosniff",
                    "Cross-Origin-Resource-Policy",
                    "same-origin",
                    "Cache-Control",
                    "no-store");

    private final Observatory observatory;
    private final Views views;
    private final Feed feed;
    private final Doctor doctor;
    private final IntSupplier sessions;

    Api(Observatory observatory, Views views, Feed feed, Doctor doctor, IntSupplier sessions) {
        this.observatory = observatory;
        this.views = views;
        this.feed = feed;
        this.doctor = doctor;
        this.sessions = sessions;
    }

    @Override
    public Answer serve(Ask ask) throws InterruptedException {
        List<String> path = List.of(ask.path().substring(1).split("/", -1));
        Answer answer =
                switch (ask.method()) {
                    case "GET" -> look(path);
                    case "POST" -> act(path);
                    default -> Answer.text(405, "Only GET and POST\n");
                };
        return answer.with(HEADERS);
    }

    private Answer look(List<String> path) throws InterruptedException {
        String what = path.size() > 1 ? path.get(1) : "";
        return switch (path.size() + what) {
            case "2overview" -> json(views.overview(sessions.getAsInt()));
            case "2tools" -> json(views.tools());
            case "2calls" -> json(calls());
            case "3calls" -> call(path.get(2));
            case "3doctor" -> diagnoses(path.get(2));
            case "2events" -> Answer.events(feed::watch);
            default -> unknown();
        };
    }

    private Json calls() {
        var writer = new JsonWriter().beginArray();
        observatory.log().since(0).forEach(entry -> writer.value(views.call(entry)));
        return writer.endArray().toJson();
    }

    private Answer call(String number) {
        return number.matches("[0-9]{1,18}")
                ? observatory
                        .log()
                        .find(Long.parseLong(number))
                        .map(entry -> json(views.detail(entry)))
                        .orElseGet(() -> Answer.text(404, "That call is forgotten\n"))
                : unknown();
    }

    /** What the doctor finds wrong with a server; it may look around for some seconds. */
    private Answer diagnoses(String id) throws InterruptedException {
        ServerReport server =
                ServerId.isLegal(id)
                        ? observatory.gateway().server(new ServerId(id)).orElse(null)
                        : null;
        if (server == null) {
            return unknown();
        }
        var writer = new JsonWriter().beginArray();
        for (Diagnosis diagnosis : doctor.examine(server)) {
            writer.value(views.diagnosis(diagnosis));
        }
        return json(writer.endArray().toJson());
    }

    /** Does something with a server: {@code /api/servers/ID/ACTION}. */
    private Answer act(List<String> path) throws InterruptedException {
        Gateway gateway = observatory.gateway();
        if (path.size() != 4 || !path.get(1).equals("servers") || !ServerId.isLegal(path.get(2))) {
            return unknown();
        }
        var id = new ServerId(path.get(2));
        if (gateway.server(id).isEmpty()) {
            return Answer.text(404, "There is no server " + id + "\n");
        }
        switch (path.get(3)) {
            case "enable" -> gateway.enable(id);
            case "disable" -> gateway.disable(id);
            case "reconnect" -> gateway.reconnect(id);
            case "refresh" ->
                    gateway.discover(new DiscoveryRequest(List.of(id.value()), true, false));
            default -> {
                return unknown();
            }
        }
        return gateway.server(id)
                .map(it -> json(views.server(it, History.STEPS_MAX)))
                .orElseGet(Api::unknown);
    }

    private static Answer json(Json json) {
        return new Answer(200, "application/json", json.toBytes());
    }

    private static Answer unknown() {
        return Answer.text(404, "Nothing is here\n");
    }
}
