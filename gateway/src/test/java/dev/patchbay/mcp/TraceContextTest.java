package dev.patchbay.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The W3C trace context in the params of messages. */
class TraceContextTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";
    private static final String PARENT = "00-" + TRACE + "-" + SPAN + "-01";

    @Test
    void readsTheMembersOfMeta() {
        Json params =
                Json.of(
                        """
                        {"_meta":{"traceparent":"%s","tracestate":"a=1","baggage":"user=ann"}}\
                        """
                                .formatted(PARENT));
        assertThat(TraceContext.in(params)).isEqualTo(new TraceContext(PARENT, "a=1", "user=ann"));
        assertThat(TraceContext.in(Json.of("{\"_meta\":{}}"))).isNull();
        assertThat(TraceContext.in(Json.of("{\"_meta\":7}"))).isNull();
        assertThat(TraceContext.in(Json.EMPTY_OBJECT)).isNull();
        assertThat(TraceContext.in(null)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00-1-2-01",
                "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0\n",
                "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
            })
    void invalidTraceparentIsAbsent(String text) {
        assertThat(TraceContext.of(text, "a=1", null)).isNull();
        assertThat(TraceContext.of(text, "a=1", "k=v"))
                .isEqualTo(new TraceContext(null, null, "k=v"));
    }

    @Test
    void laterVersionsMayBeLonger() {
        String later = "cc" + PARENT.substring(2) + "-more";
        assertThat(TraceContext.of(later, null, null))
                .isEqualTo(new TraceContext(later, null, null));
    }

    @Test
    void valuesThatCannotBeHeadersAreAbsent() {
        assertThat(TraceContext.of(PARENT, "a=1\r\nX: y", "b=ü"))
                .isEqualTo(new TraceContext(PARENT, null, null));
        assertThat(TraceContext.of(PARENT, "a".repeat(513), "b".repeat(8_193)))
                .isEqualTo(new TraceContext(PARENT, null, null));
    }

    @Test
    void addingReplacesWhatIsThere() {
        var context = new TraceContext(PARENT, null, "k=v");
        assertThat(context.addTo(Json.EMPTY_OBJECT))
                .hasToString(
                        "{\"_meta\":{\"traceparent\":\"" + PARENT + "\",\"baggage\":\"k=v\"}}");
        Json params = Json.of("{\"name\":\"t\",\"_meta\":{\"tracestate\":\"old\",\"x/y\":[1]}}");
        assertThat(context.addTo(params))
                .hasToString(
                        "{\"name\":\"t\",\"_meta\":{\"x/y\":[1],\"traceparent\":\""
                                + PARENT
                                + "\",\"baggage\":\"k=v\"}}");
        assertThat(context.addTo(Json.of("{\"_meta\":7}"))).hasToString("{\"_meta\":7}");
    }

    @Test
    void onlyRecordedSpansAreShown() {
        assertThat(new TraceContext(PARENT, null, null).recordedSpan())
                .isEqualTo(new TraceContext.SpanIds(TRACE, SPAN));
        String dropped = PARENT.substring(0, 53) + "00";
        assertThat(new TraceContext(dropped, null, null).recordedSpan()).isNull();
        assertThat(new TraceContext(null, null, "k=v").recordedSpan()).isNull();
    }
}
