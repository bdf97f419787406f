package dev.patchbay.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ProcessInspector;
import dev.patchbay.testkit.RawHttpConnection;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Clients of both eras at one gateway, with a server that has a process for each of them. */
class ProcessPerClientTest {
    private static final Pattern PID = Pattern.compile("pid-(\\d+)");

    /** A legacy server whose only tool tells the id of its process. */
    private static final String SERVER =
            """
            while read -r line; do
              id=$(echo "$line" | sed -n 's/.*"id":\\([0-9]*\\).*/\\1/p')
              case "$line" in
                *'"initialize"'*) result='{"protocolVersion":"2025-11-25",\
            "capabilities":{"tools":{}},"serverInfo":{"name":"pid","version":"1"}}' ;;
                *'"tools/list"'*) result='{"tools":[{"name":"pid",\
            "inputSchema":{"type":"object"}}]}' ;;
                *'"tools/call"'*) result='{"content":[{"type":"text","text":"pid-'$$'"}]}' ;;
                *'"server/discover"'*) echo '{"jsonrpc":"2.0","id":'$id',\
            "error":{"code":-32601,"message":"Method not found"}}'; continue ;;
                *) continue ;;
              esac
              echo '{"jsonrpc":"2.0","id":'$id',"result":'$result'}'
            done
            """;

    @TempDir private Path folder;

    private ServeProcess start(String scope) throws IOException {
        String entry =
                "\"s\": {\"command\": \"sh\", \"args\": [\"-c\", %s], \"scope\": \"%s\"}"
                        .formatted(StrictJson.quote(SERVER), scope);
        return ServeProcess.start(
                        folder,
                        ServerScript.named("s", folder),
                        "\"http\": {\"auth\": \"none\"}",
                        entry)
                .awaitTool("s.pid");
    }

    private static long pid(RawHttpConnection.Response response) {
        Matcher pid = PID.matcher(response.body());
        assertThat(pid.find()).as(response.body()).isTrue();
        return Long.parseLong(pid.group(1));
    }

    private static long legacyPid(ServeProcess gateway, String session) throws IOException {
        return pid(
                gateway.send(gateway.postRequest(ServeProcess.call("1", "s.pid", "{}"), session)));
    }

    private static long modernPid(ServeProcess gateway) throws IOException {
        return pid(gateway.send(gateway.modernCall("1", "s.pid", "{}")));
    }

    @Test
    void eachClientKeepsItsOwnProcessWhichEndsWithIt() throws Exception {
        try (ServeProcess gateway = start("client")) {
            String one = gateway.openSession();
            String two = gateway.openSession();
            long modern = modernPid(gateway);
            long first = legacyPid(gateway, one);
            long second = legacyPid(gateway, two);
            assertThat(new HashSet<>(Set.of(modern, first, second))).hasSize(3);
            assertThat(modernPid(gateway)).isEqualTo(modern);
            assertThat(legacyPid(gateway, one)).isEqualTo(first);
            byte[] delete =
                    gateway.requestWithoutBody("DELETE", one).getBytes(StandardCharsets.US_ASCII);
            assertThat(gateway.send(delete).status()).isEqualTo(204);
            ServeProcess.await("the process ends", () -> !ProcessInspector.isAlive(first));
            assertThat(legacyPid(gateway, two)).isEqualTo(second);
        }
    }

    @Test
    void allClientsUseOneProcessOfASharedServer() throws Exception {
        try (ServeProcess gateway = start("shared")) {
            long modern = modernPid(gateway);
            assertThat(legacyPid(gateway, gateway.openSession())).isEqualTo(modern);
            assertThat(legacyPid(gateway, gateway.openSession())).isEqualTo(modern);
        }
    }
}
