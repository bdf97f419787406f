package dev.patchbay.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonLimits;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.jsonrpc.Decoder;
import dev.patchbay.jsonrpc.Encoder;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.testkit.MessageGenerator;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

class RequestMetaWriterTest {
    private static final Implementation CLIENT = new Implementation("patchbay", "1");
    private static final RequestMetaWriter LEGACY =
            new RequestMetaWriter(ProtocolVersion.V2025_11_25, CLIENT);
    private static final RequestMetaWriter MODERN =
            new RequestMetaWriter(ProtocolVersion.V2026_07_28, CLIENT);
    private static final CallListener PROGRESS =
            new CallListener() {
                @Override
                public boolean wantsProgress() {
                    return true;
                }
            };

    @Test
    void leavesLegacyParamsUnchanged() {
        Json params = Json.of("{\"name\":\"a\",\"arguments\":{\"x\":1.0}}");
        assertThat(LEGACY.withMeta(params, options(CallListener.NONE, null), 7)).isSameAs(params);
    }

    /** Threat D3: random arguments leave as they came, with nothing beside them. */
    @Test
    void sendsExactlyTheArgumentsThatWereChecked() {
        MessageGenerator random = MessageGenerator.seeded();
        var decoder = new Decoder(JsonLimits.DEFAULTS);
        int sent = 0;
        for (int i = 0; i < 100_000; i++) {
            String arguments = random.object(2).write();
            String line =
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\","
                            + "\"params\":{\"name\":\"s.a\",\"arguments\":"
                            + arguments
                            + ",\"_meta\":{\"k\":1}}}";
            byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
            if (decoder.decode(bytes, 0, bytes.length) instanceof Request request) {
                Json named = MemberPatch.with(request.params(), "name", Json.string("a"));
                RequestMetaWriter envelope = i % 2 == 0 ? LEGACY : MODERN;
                Json around = envelope.withMeta(named, options(CallListener.NONE, null), 7);
                byte[] out =
                        Encoder.encode(new Request(RequestId.of(i), "tools/call", around))
                                .toJson()
                                .toBytes();
                assertThat(StrictJson.rawValue(out, "params", "arguments"))
                        .as(random.seedNote())
                        .contains(arguments);
                assertThat(StrictJson.rawValue(out, "params", "name")).contains("\"a\"");
                sent++;
            }
        }
        assertThat(sent).as(random.seedNote()).isGreaterThan(90_000);
    }

    @Test
    void removesClientMetadata() {
        Json params =
                Json.of(
                        """
                        {"_meta":{"progressToken":"theirs","io.modelcontextprotocol/clientInfo":{},
                        "io.modelcontextprotocol/protocolVersion":"2026-07-28"},"name":"a"}\
                        """);
        assertThat(LEGACY.withMeta(params, options(CallListener.NONE, null), 7))
                .hasToString("{\"name\":\"a\"}");
    }

    @Test
    void keepsUnknownMetaAndArgumentsVerbatim() {
        Json params =
                Json.of(
                        """
                        {"name":"a","arguments":{"n":0.1000,"big":12345678901234567890},
                         "_meta":{"traceparent":"00-1","progressToken":1,"x/y":[1]}}\
                        """);
        assertThat(LEGACY.withMeta(params, options(PROGRESS, null), 7))
                .hasToString(
                        "{\"name\":\"a\",\"arguments\":{\"n\":0.1000,"
                                + "\"big\":12345678901234567890},\"_meta\":{\"progressToken\":7,"
                                + "\"traceparent\":\"00-1\",\"x/y\":[1]}}");
    }

    @Test
    void addsModernVersionAndClientCapabilities() {
        var options =
                new CallOptions(
                        Duration.ofSeconds(1), PROGRESS, Json.of("{\"sampling\":{}}"), "warning");
        assertThat(MODERN.withMeta(Json.of("{\"uri\":\"u\"}"), options, 3))
                .hasToString(
                        "{\"uri\":\"u\",\"_meta\":{"
                            + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                            + "\"io.modelcontextprotocol/clientInfo\":"
                            + "{\"name\":\"patchbay\",\"version\":\"1\"},"
                            + "\"io.modelcontextprotocol/clientCapabilities\":{\"sampling\":{}},"
                            + "\"io.modelcontextprotocol/logLevel\":\"warning\","
                            + "\"progressToken\":3}}");
    }

    private static CallOptions options(CallListener caller, String logLevel) {
        return new CallOptions(Duration.ofSeconds(1), caller, Json.EMPTY_OBJECT, logLevel);
    }
}
