package dev.patchbay.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** A receiver of OTLP over HTTP, in the binary format. It keeps what it receives. */
public final class OtlpReceiver implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private final List<String> metrics = new CopyOnWriteArrayList<>();
    private final List<String> logs = new CopyOnWriteArrayList<>();
    private final List<Map<String, String>> resources = new CopyOnWriteArrayList<>();

    /**
     * A received span.
     *
     * @param kind 2 for a server, 3 for a client
     * @param status 2 for an error
     */
    public record Span(
            String traceId,
            String spanId,
            String parentId,
            String name,
            long kind,
            long status,
            Map<String, String> attributes) {}

    private OtlpReceiver(HttpServer server) {
        this.server = server;
    }

    /** Starts a receiver on a free port. */
    public static OtlpReceiver start() throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        HttpServer server = HttpServer.create(address, 0);
        var receiver = new OtlpReceiver(server);
        server.createContext("/v1/traces", it -> receiver.take(it, receiver::addSpans));
        server.createContext("/v1/metrics", it -> receiver.take(it, receiver::addMetrics));
        server.createContext("/v1/logs", it -> receiver.take(it, receiver::addLogs));
        server.setExecutor(receiver.threads);
        server.start();
        return receiver;
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The spans of a trace, in the order of their arrival. */
    public List<Span> spans(String traceId) {
        return spans.stream().filter(span -> span.traceId.equals(traceId)).toList();
    }

    /** The names of the metrics, once for each time they were received. */
    public List<String> metrics() {
        return List.copyOf(metrics);
    }

    /** The texts of the log records. */
    public List<String> logs() {
        return List.copyOf(logs);
    }

    /** The attributes of the resources that sent something. */
    public List<Map<String, String>> resources() {
        return List.copyOf(resources);
    }

    private void take(HttpExchange exchange, Consumer<ProtobufMessage> scope) throws IOException {
        try (exchange) {
            var request = new ProtobufMessage(exchange.getRequestBody().readAllBytes());
            for (ProtobufMessage resource : request.messages(1)) {
                resource.messages(1).forEach(it -> resources.add(attributes(it, 1)));
                resource.messages(2).forEach(scope);
            }
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private void addSpans(ProtobufMessage scope) {
        for (ProtobufMessage span : scope.messages(2)) {
            long status = span.messages(15).stream().mapToLong(it -> it.number(3)).sum();
            spans.add(
                    new Span(
                            span.hex(1),
                            span.hex(2),
                            span.hex(4),
                            span.text(5),
                            span.number(6),
                            status,
                            attributes(span, 9)));
        }
    }

    private void addMetrics(ProtobufMessage scope) {
        scope.messages(2).forEach(metric -> metrics.add(metric.text(1)));
    }

    private void addLogs(ProtobufMessage scope) {
        for (ProtobufMessage log : scope.messages(2)) {
            log.messages(5).forEach(body -> logs.add(body.text(1)));
        }
    }

    private static Map<String, String> attributes(ProtobufMessage message, int number) {
        var attributes = new HashMap<String, String>();
        for (ProtobufMessage attribute : message.messages(number)) {
            ProtobufMessage value = attribute.messages(2).getFirst();
            String text = value.text(1);
            attributes.put(
                    attribute.text(1), text.isEmpty() ? Long.toString(value.number(3)) : text);
        }
        return attributes;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
