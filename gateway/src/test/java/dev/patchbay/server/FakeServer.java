package dev.patchbay.server;

import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.jsonrpc.DecodedFrame;
import dev.patchbay.jsonrpc.Decoder;
import dev.patchbay.jsonrpc.Message;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiFunction;

/** A server in memory that says what its script says. */
public final class FakeServer implements TransportFactory.TransportConnection, Channel {
    /** Answers any legacy greeting, and everything else with an empty result. */
    static final BiFunction<String, Json, String> LEGACY =
            (method, _) ->
                    switch (method) {
                        case "server/discover" -> error(-32601, "Method not found");
                        case "initialize" -> result(initialized("2025-11-25"));
                        default -> result("{}");
                    };

    static final BiFunction<String, Json, String> MODERN =
            (method, _) ->
                    switch (method) {
                        case "server/discover" ->
                                result(
                                        """
                                        {"supportedVersions":["2026-07-28"],"capabilities":{}}\
                                        """);
                        case "initialize" -> error(-32601, "Method not found");
                        default -> result("{}");
                    };

    /** Says nothing to a request. */
    public static final String NO_RESPONSE = "";

    /** Ends instead of an answer. */
    static final String CLOSE = "end";

    public final List<Message> received = new CopyOnWriteArrayList<>();
    private final BiFunction<String, Json, String> script;
    private final BlockingQueue<Optional<DecodedFrame>> output = new LinkedBlockingQueue<>();
    private volatile boolean ended;

    public FakeServer(BiFunction<String, Json, String> script) {
        this.script = script;
    }

    public static String result(String json) {
        return "\"result\":" + json;
    }

    public static String error(int code, String message) {
        return "\"error\":{\"code\":%d,\"message\":\"%s\"}".formatted(code, message);
    }

    static String initialized(String version) {
        return """
        {"protocolVersion":"%s","capabilities":{"tools":{}},\
        "serverInfo":{"name":"fake","version":"1"}}\
        """
                .formatted(version);
    }

    /** Says a whole message. */
    public void sendMessage(String json) {
        output.add(Optional.of(Decoder.decode(Json.of(json))));
    }

    void terminate() {
        ended = true;
        output.add(Optional.empty());
    }

    /** What was heard of one method. */
    List<Json> params(String method) {
        return received.stream()
                .map(
                        message ->
                                switch (message) {
                                    case Request request when request.method().equals(method) ->
                                            request.params();
                                    case Notification notice when notice.method().equals(method) ->
                                            notice.params();
                                    default -> null;
                                })
                .filter(params -> params != null)
                .toList();
    }

    /** The requests of one method that were received. */
    List<Request> requests(String method) {
        return received.stream()
                .filter(Request.class::isInstance)
                .map(Request.class::cast)
                .filter(request -> request.method().equals(method))
                .toList();
    }

    /** The responses to a request of this server. */
    List<Message.Response> responses(int id) {
        return received.stream()
                .filter(Message.Response.class::isInstance)
                .map(Message.Response.class::cast)
                .filter(response -> response.id().toString().equals(Integer.toString(id)))
                .toList();
    }

    @Override
    public Channel channel() {
        return this;
    }

    @Override
    public String closeReason() {
        return "it ended";
    }

    @Override
    public void receive(Receiver sink) throws IOException {
        try {
            Optional<DecodedFrame> next = output.take();
            while (next.isPresent()) {
                sink.accept(next.get());
                next = output.take();
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void send(EncodedJson frame) throws IOException {
        trySend(frame, Duration.ZERO);
    }

    @Override
    public boolean trySend(EncodedJson frame, Duration patience) throws IOException {
        if (ended) {
            throw new IOException("gone");
        }
        if (!(Decoder.decode(Json.of(frame.toString())) instanceof Message message)) {
            throw new AssertionError("no message: " + frame);
        }
        received.add(message);
        if (message instanceof Request request) {
            Json params = request.params();
            String answer =
                    script.apply(request.method(), params == null ? Json.EMPTY_OBJECT : params);
            if (answer.equals(CLOSE)) {
                terminate();
            } else if (!answer.equals(NO_RESPONSE)) {
                sendMessage("{\"jsonrpc\":\"2.0\",\"id\":%s,%s}".formatted(request.id(), answer));
            }
        }
        return true;
    }

    @Override
    public int frameBytesMax() {
        return Integer.MAX_VALUE;
    }

    @Override
    public void close() {
        terminate();
    }

    public boolean hasEnded() {
        return ended;
    }
}
