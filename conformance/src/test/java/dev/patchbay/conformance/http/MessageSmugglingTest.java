package dev.patchbay.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.RawHttpConnection;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * What is checked is what is sent: no message means one thing to the gateway and another to a
 * server, and what may pass arrives as it left.
 */
class MessageSmugglingTest {
    @TempDir private static Path folder;
    private static ServeProcess gateway;
    private static String session;

    @BeforeAll
    static void open() throws IOException {
        gateway = ServeProcess.startWithoutToken(folder, "echo").awaitTool("s.echo");
        session = gateway.openSession();
    }

    @AfterAll
    static void close() {
        gateway.close();
    }

    private static RawHttpConnection.Response post(String body) throws IOException {
        return post(body.getBytes(StandardCharsets.UTF_8));
    }

    private static RawHttpConnection.Response post(byte[] body) throws IOException {
        return gateway.send(RawHttpConnection.postRequest("/mcp", gateway.headers(session), body));
    }

    private static int callCount() {
        return gateway.script().recording().callArguments("echo").size();
    }

    private static String echoCall(String arguments) {
        return ServeProcess.call("1", "s.echo", arguments);
    }

    /** Threats D1 and D2: names are compared as they are, and none is there twice. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'jsonrpc':'2.0','id':1,'Method':'tools/call','params':{'name':'s.echo'}}",
                "{'jsonrpc':'2.0','id':1,'METHOD':'tools/call','params':{'name':'s.echo'}}",
                "{'jsonrpc':'2.0','id':1,'method\\u0000':'tools/call','params':{'name':'s.echo'}}",
                "{'jsonrpc':'2.0','id':1,'method':'tools/call','param\u017F':{'name':'s.echo'}}",
                "{'jsonrpc':'2.0','id':1,'method':'tools/call','Params':{'name':'s.echo'}}",
                "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'Name':'s.echo'}}",
                "{'jsonrpc':'2.0','id':1,'method':'ping','method':'tools/call',"
                        + "'params':{'name':'s.echo'}}",
                "{'jsonrpc':'2.0','id':1,'method':'ping','\\u006dethod':'tools/call',"
                        + "'params':{'name':'s.echo'}}",
                "{'jsonrpc':'2.0','id':1,'id':2,'method':'tools/call','params':{'name':'s.echo'}}",
                "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':'x'},"
                        + "'params':{'name':'s.echo'}}",
                "{'jsonrpc':'2.0','id':1,'method':'tools/call',"
                        + "'params':{'name':'x','name':'s.echo'}}",
                "{'jsonrpc':'2.0','id':1,'method':'tools/call',"
                        + "'params':{'name':'s.echo','arguments':{'a':1,'a':2}}}",
                "{'jsonrpc':'2.0','id':1,'method':'tools/call',"
                        + "'params':{'name':'s.echo','arguments':{'x':[{'a':1,'\\u0061':2}]}}}",
            })
    void memberNamesAreExactAndUnique(String text) throws Exception {
        int before = callCount();
        RawHttpConnection.Response reply = post(text.replace('\'', '"'));
        assertThat(reply.errorCode()).isIn(-32600, -32602);
        assertThat(callCount()).isEqualTo(before);
    }

    @Test
    void escapedNameIsTheSameName() throws Exception {
        String text = echoCall("{\"a\":1}").replace("\"method\"", "\"\\u006dethod\"");
        assertThat(post(text).body()).contains("\"content\"");
    }

    /** Threats D3, D4 and D5: what an argument is, and how it is written, stays. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"n\":9007199254740993}",
                "{\"n\":1e400}",
                "{\"n\":1.0}",
                "{\"n\":-0}",
                "{\"n\":1.10000000000000000000000001}",
                "{\"n\":18446744073709551617}",
                "{\"t\":\"\u2028\u2029\u0085\"}",
                "{\"t\":\"\\r\\n\\u0000\\u001b[2J\"}",
                "{\"t\":\"\\ud83d\\ude00 😀\"}",
                "{\"__proto__\":{\"a\":1},\"unknown\":[[],{}]}",
            })
    void argumentsAreForwardedUnchanged(String arguments) throws Exception {
        RawHttpConnection.Response reply = post(echoCall(arguments));
        assertThat(gateway.script().recording().callArguments("echo").getLast())
                .isEqualTo(arguments);
        JsonTree structured = reply.json().at("result", "structuredContent");
        assertThat(reply.body()).contains(arguments);
        assertThat(structured).isNotNull();
        assertThat(reply.body().lines().count()).isEqualTo(1);
    }

    /** Space between the parts of a message is no part of it, least of all an end of line. */
    @Test
    void multilineMessageIsForwardedAsOneLine() throws Exception {
        String spread = echoCall("{\"a\":1}").replace(",", ",\r\n ").replace(":", " :\n\t");
        assertThat(post(spread).body()).contains("\"content\"");
    }

    /** Threat D6. */
    @Test
    void invalidUtf8IsRejected() throws Exception {
        int before = callCount();
        byte[][] bad = {
            {(byte) 0xC0, (byte) 0xAF},
            {(byte) 0xED, (byte) 0xA0, (byte) 0x80},
            {(byte) 0xE2, (byte) 0x82},
            {(byte) 0xFF},
            {(byte) 0xF4, (byte) 0x90, (byte) 0x80, (byte) 0x80}
        };
        for (byte[] bytes : bad) {
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            byte[] body =
                    echoCall("{\"a\":\"" + text + "\"}").getBytes(StandardCharsets.ISO_8859_1);
            assertThat(post(body).errorCode()).isEqualTo(-32700);
        }
        assertThat(post(echoCall("{}").getBytes(StandardCharsets.UTF_16LE)).errorCode())
                .isEqualTo(-32700);
        assertThat(callCount()).isEqualTo(before);
    }

    /** Threats D4 and D7. */
    @ParameterizedTest
    @ValueSource(strings = {"9007199254740993", "\"\"", "\"1\"", "1", "-5", "18446744073709551617"})
    void idsAreReturnedUnchanged(String id) throws Exception {
        RawHttpConnection.Response reply = post(ServeProcess.call(id, "s.echo", "{}"));
        assertThat(reply.body()).contains("\"id\":" + id + ",");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.5", "1e999", "{}", "[]", "true", "null"})
    void illegalIdIsRejected(String id) throws Exception {
        int before = callCount();
        assertThat(post(ServeProcess.call(id, "s.echo", "{}")).errorCode()).isEqualTo(-32600);
        assertThat(callCount()).isEqualTo(before);
    }
}
