package dev.patchbay.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The lines of {@link DaemonRequest}, {@link DaemonReply} and {@link CommandEvent}. */
class DaemonRequestTest {
    private static final BuildInfo BUILD = new BuildInfo("1.0", "2-3", "/opt/patchbay");

    private static Json parse(String text) {
        try {
            return Json.parse(text.getBytes(StandardCharsets.UTF_8));
        } catch (JsonException e) {
            throw new AssertionError(text, e);
        }
    }

    static List<DaemonRequest> requests() {
        var client =
                new DaemonRequest.ClientStart(
                        7, Path.of("/c"), Path.of("/w"), Path.of("/h"), Map.of("A", "\u00e9\n"));
        return List.of(
                new DaemonRequest.Attach(BUILD, true, client, "work", 3),
                new DaemonRequest.Attach(BUILD, false, client, null, 0),
                new DaemonRequest.Run(BUILD, client, List.of("call", "a=\"b\""), true, 80),
                new DaemonRequest.Status(),
                new DaemonRequest.Stop(),
                new DaemonRequest.Drain());
    }

    @ParameterizedTest
    @MethodSource("requests")
    void requestIsReadAsItWasWritten(DaemonRequest request) {
        assertThat(DaemonRequest.parse(parse(request.toJson().toString()))).isEqualTo(request);
    }

    static List<DaemonReply> replies() {
        return List.of(
                new DaemonReply.Accepted(9, List.of("m")),
                new DaemonReply.Running(),
                new DaemonReply.Refused(DaemonReply.Reason.NO_GATEWAY, "x", 2, List.of()),
                new DaemonReply.Done(parse("{\"a\":1}")));
    }

    @ParameterizedTest
    @MethodSource("replies")
    void replyIsReadAsItWasWritten(DaemonReply reply) {
        assertThat(DaemonReply.parse(parse(reply.toJson().toString()))).isEqualTo(reply);
    }

    static List<CommandEvent> events() {
        return List.of(
                new CommandEvent.Output("a\n\u001b[1m"),
                new CommandEvent.Message(""),
                new CommandEvent.Ended(2));
    }

    @ParameterizedTest
    @MethodSource("events")
    void eventIsReadAsItWasWritten(CommandEvent event) {
        assertThat(CommandEvent.parse(parse(event.toJson().toString()))).isEqualTo(event);
    }

    @Test
    void unknownLinesAreNoRequests() {
        assertThat(DaemonRequest.parse(parse("{\"patchbay\":1,\"request\":\"fly\"}"))).isNull();
        assertThat(DaemonRequest.parse(parse("{\"patchbay\":2,\"request\":\"stop\"}"))).isNull();
        assertThat(CommandEvent.parse(parse("{\"other\":1}"))).isNull();
    }
}
