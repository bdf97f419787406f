package dev.patchbay.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.gateway.CallResult;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.server.HandshakeResult;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerState;
import dev.patchbay.server.ServerState.Status;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics, read as a program that collects them reads them. */
class MetricsEndpointTest {
    private static final Pattern SAMPLE =
            Pattern.compile("([a-z_:]+)(?:\\{(.*)\\})? (-?[0-9.]+|\\+Inf|NaN)");
    private static final Pattern LABEL =
            Pattern.compile("([a-z_]+)=\"((?:[^\"\\\\\\n]|\\\\[\\\\\"n])*)\"(?:,|$)");

    private final CallStatisticsFixture fixture = new CallStatisticsFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    /** A line with a value: its name, its labels with what they really say, and the value. */
    private record Sample(String name, Map<String, String> labels, double value) {}

    /** Reads the text; anything that is not of the format fails the test. */
    private List<Sample> read() {
        String text =
                new MetricsEndpoint(fixture.statistics, () -> 2).text(MetricsFormat.PROMETHEUS);
        var samples = new ArrayList<Sample>();
        String family = "";
        assertThat(text).endsWith("\n");
        for (String line : text.lines().toList()) {
            if (line.startsWith("# HELP ")) {
                family = line.split(" ", -1)[2];
            } else if (line.startsWith("# TYPE ")) {
                assertThat(line.split(" ", -1)[2]).isEqualTo(family);
                assertThat(line.split(" ", -1)[3]).isIn("counter", "gauge", "histogram");
            } else {
                Matcher sample = SAMPLE.matcher(line);
                assertThat(sample.matches()).as(line).isTrue();
                assertThat(sample.group(1)).startsWith(family);
                samples.add(
                        new Sample(
                                sample.group(1),
                                labels(sample.group(2)),
                                Double.parseDouble(sample.group(3))));
            }
        }
        return samples;
    }

    private static Map<String, String> labels(String text) {
        var labels = new LinkedHashMap<String, String>();
        Matcher label = LABEL.matcher(text == null ? "" : text);
        int end = 0;
        while (label.find() && label.start() == end) {
            end = label.end();
            labels.put(
                    label.group(1),
                    label.group(2)
                            .replace("\\n", "\n")
                            .replace("\\\"", "\"")
                            .replace("\\\\", "\\"));
        }
        assertThat(end).isEqualTo(text == null ? 0 : text.length());
        return labels;
    }

    private double value(String name, Map<String, String> labels) {
        return read().stream()
                .filter(it -> it.name.equals(name) && it.labels.equals(labels))
                .findFirst()
                .orElseThrow()
                .value;
    }

    @Test
    void callsAndErrorsAreCountedByServerAndKind() {
        fixture.recordCall(
                "x",
                "{}",
                CallStatisticsFixture.successfulResult("{\"content\":[]}"),
                Duration.ofMillis(3));
        fixture.recordCall(
                "x",
                "{}",
                CallStatisticsFixture.successfulResult("{\"isError\":true}"),
                Duration.ofMillis(3));
        fixture.recordCall("x", "{}", null, Duration.ofMillis(3));
        var trouble =
                new ServerFailure(
                        ErrorReason.OVERLOADED, "busy", "tools/call", 1, ExecutionStatus.NOT_SENT);
        fixture.recordCall(
                "x",
                "{}",
                new CallResult.Failed(CallStatisticsFixture.FILES, trouble),
                Duration.ofMillis(3));
        assertThat(value("patchbay_calls_total", Map.of("server", "files"))).isEqualTo(4);
        for (String kind : List.of("tool_error", "cancelled", "overloaded")) {
            var labels = Map.of("server", "files", "kind", kind);
            assertThat(value("patchbay_call_errors_total", labels)).isEqualTo(1);
        }
        assertThat(read()).extracting(Sample::labels).noneMatch(it -> "ok".equals(it.get("kind")));
    }

    @Test
    void histogramIsCumulativeWithSumInSeconds() {
        for (int ms : new int[] {1, 20, 20, 90_000}) {
            fixture.recordCall(
                    "x", "{}", CallStatisticsFixture.successfulResult("{}"), Duration.ofMillis(ms));
        }
        List<Double> buckets =
                read().stream()
                        .filter(it -> it.name.equals("patchbay_call_duration_seconds_bucket"))
                        .filter(it -> "files".equals(it.labels.get("server")))
                        .map(Sample::value)
                        .toList();
        assertThat(buckets).isSorted().hasSize(ServerMeter.BUCKET_BOUNDS_MICROS.size() + 1);
        assertThat(buckets.getLast()).isEqualTo(4);
        assertThat(bucket("0.01")).isEqualTo(1);
        assertThat(bucket("0.025")).isEqualTo(3);
        assertThat(bucket("60")).isEqualTo(3);
        assertThat(value("patchbay_call_duration_seconds_count", Map.of("server", "files")))
                .isEqualTo(4);
        assertThat(value("patchbay_call_duration_seconds_sum", Map.of("server", "files")))
                .isBetween(90.04, 90.2);
    }

    private double bucket(String bound) {
        return value(
                "patchbay_call_duration_seconds_bucket", Map.of("server", "files", "le", bound));
    }

    @Test
    void serverIsInExactlyOneState() {
        List<Sample> states =
                read().stream().filter(it -> it.name.equals("patchbay_server_state")).toList();
        assertThat(states).hasSize(5);
        assertThat(states.stream().mapToDouble(Sample::value).sum()).isEqualTo(1);
        var disabled = Map.of("server", "files", "state", "disabled");
        assertThat(value("patchbay_server_state", disabled)).isEqualTo(1);
    }

    @Test
    void onlyReconnectionCountsAsRestart() {
        var facts =
                new HandshakeResult(
                        ProtocolVersion.V2025_11_25,
                        new Implementation("files", "1"),
                        Json.EMPTY_OBJECT,
                        null);
        var first = new ServerState(Status.CONNECTED, null, Instant.EPOCH, 1, facts);
        var never = new ServerState(Status.CONNECTING, null, null, 1, null);
        var again = new ServerState(Status.CONNECTING, null, Instant.EPOCH, 1, null);
        var labels = Map.of("server", "files");
        fixture.statistics.stateChanged(CallStatisticsFixture.FILES, never, first);
        assertThat(value("patchbay_server_restarts_total", labels)).isZero();
        fixture.statistics.stateChanged(CallStatisticsFixture.FILES, first, again);
        fixture.statistics.stateChanged(CallStatisticsFixture.FILES, again, first);
        assertThat(value("patchbay_server_restarts_total", labels)).isEqualTo(1);
    }

    @Test
    void clientNameIsEscaped() {
        String hostile = "a\"} 1\nevil{x=\"\\";
        fixture.recordCall(
                hostile, "{}", CallStatisticsFixture.successfulResult("{}"), Duration.ofMillis(1));
        assertThat(value("patchbay_client_calls_total", Map.of("client", hostile))).isEqualTo(1);
        assertThat(value("patchbay_client_sessions", Map.of())).isEqualTo(2);
    }

    @Test
    void numberOfDistinctClientsIsLimited() {
        for (int i = 0; i < 150; i++) {
            fixture.recordCall(
                    "client-" + i,
                    "{}",
                    CallStatisticsFixture.successfulResult("{}"),
                    Duration.ofMillis(1));
        }
        Map<String, Long> calls = fixture.statistics.clients().calls();
        assertThat(calls).hasSize(51).containsEntry("other", 100L);
        assertThat(calls.values().stream().mapToLong(it -> it).sum()).isEqualTo(150);
    }

    /** A server that is not asked, or does not answer, has not been seen to work. */
    @Test
    void answerProvesThatServerWorks() {
        var views = new DashboardJson(fixture.statistics, Set::of);
        fixture.recordCall("x", "{}", null, Duration.ofMillis(1));
        assertThat(views.overview(0).toString()).doesNotContain("lastProofAt");
        fixture.recordCall(
                "x", "{}", CallStatisticsFixture.successfulResult("{}"), Duration.ofMillis(1));
        assertThat(views.overview(0).toString()).contains("lastProofAt");
    }

    @Test
    void reportsVersionAndStartTime() {
        List<Sample> samples = read();
        Sample build = samples.getFirst();
        assertThat(build.name).isEqualTo("patchbay_build_info");
        assertThat(build.labels).containsOnlyKeys("version");
        assertThat(build.value).isEqualTo(1);
        double now = System.currentTimeMillis() / 1000.0;
        assertThat(value("process_start_time_seconds", Map.of())).isBetween(now - 600, now + 1);
    }

    @Test
    void requestWithoutServerIsCountedWithEmptyServer() {
        var absent =
                new CallResult.Rejected(ErrorReason.TOOL_NOT_FOUND, "No tool x", null, List.of());
        fixture.recordCall(null, absent);
        fixture.recordCall(
                CallStatisticsFixture.FILES,
                new CallResult.ServerError(
                        CallStatisticsFixture.FILES, new RpcError(-32000, "no", null)));
        assertThat(value("patchbay_calls_total", Map.of("server", ""))).isEqualTo(1);
        var labels = Map.of("server", "", "kind", "tool_not_found");
        assertThat(value("patchbay_call_errors_total", labels)).isEqualTo(1);
        labels = Map.of("server", "files", "kind", "rpc_error");
        assertThat(value("patchbay_call_errors_total", labels)).isEqualTo(1);
    }

    /** With its type and its labels. */
    @Test
    void documentedMetricsMatchExportedMetrics() throws Exception {
        fixture.recordCall("x", "{}", null, Duration.ofMillis(1));
        Set<String> told = new TreeSet<>();
        for (String line :
                new MetricsEndpoint(fixture.statistics, () -> 0)
                        .text(MetricsFormat.PROMETHEUS)
                        .lines()
                        .toList()) {
            if (line.startsWith("# TYPE ")) {
                String[] words = line.split(" ", -1);
                told.add(words[2] + " " + words[3] + " " + labelsOf(words[2]));
            }
        }
        String page =
                Files.readString(Path.of("..", "docs", "dashboard.md"), StandardCharsets.UTF_8);
        Set<String> documented = new TreeSet<>();
        Matcher row =
                Pattern.compile("(?m)^\\| `([a-z_]+)` \\| ([a-z]+) \\| ([a-z, ]*)\\|")
                        .matcher(page);
        while (row.find()) {
            documented.add(row.group(1) + " " + row.group(2) + " " + row.group(3).strip());
        }
        assertThat(documented).isEqualTo(told);
    }

    private String labelsOf(String family) {
        Set<String> labels = new LinkedHashSet<>();
        read().stream()
                .filter(it -> it.name.equals(family) || it.name.equals(family + "_bucket"))
                .forEach(it -> labels.addAll(it.labels.keySet()));
        return String.join(", ", labels);
    }

    @Test
    void openMetricsLinksTheBucketsToTraces() {
        fixture.recordCall(
                CallStatisticsFixture.FILES, CallStatisticsFixture.successfulResult("{}"));
        var endpoint = new MetricsEndpoint(fixture.statistics, () -> 0);
        String text = endpoint.text(MetricsFormat.OPEN_METRICS);
        assertThat(text)
                .endsWith("# EOF\n")
                .contains("# TYPE patchbay_calls counter\n")
                .contains("patchbay_calls_total{server=\"files\"} 1\n")
                .contains("le=\"1.0\"")
                .containsPattern(
                        "patchbay_call_duration_seconds_bucket\\{le=\"0.001\",server=\"files\"} 1"
                                + " # \\{trace_id=\"0af7651916cd43dd8448eb211c80319c\","
                                + "span_id=\"b7ad6b7169203331\"} 0.001 [0-9]+\\.[0-9]{3}\n");
        assertThat(endpoint.text(MetricsFormat.PROMETHEUS)).doesNotContain("trace_id", "# EOF");
    }

    @Test
    void acceptHeaderChoosesTheFormat() {
        assertThat(MetricsFormat.acceptedBy(null)).isEqualTo(MetricsFormat.PROMETHEUS);
        assertThat(MetricsFormat.acceptedBy("text/plain;version=0.0.4"))
                .isEqualTo(MetricsFormat.PROMETHEUS);
        assertThat(
                        MetricsFormat.acceptedBy(
                                "application/openmetrics-text;version=1.0.0,text/plain;q=0.5"))
                .isEqualTo(MetricsFormat.OPEN_METRICS);
    }
}
