package dev.patchbay.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The registry's API, against a server on this machine. */
class HttpRegistryTest {
    private static final String ENTRY =
            "{\"server\":{\"name\":\"io.github.kim/%s\",\"description\":\"Weather data\","
                    + "\"version\":\"1.0.0\"},\"_meta\":{"
                    + "\"io.modelcontextprotocol.registry/official\":{\"status\":\"%s\"}}}";

    @TempDir private Path folder;

    private final Map<String, byte[]> answers = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private String base;

    @BeforeEach
    void start() throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        server = HttpServer.create(address, 0);
        server.createContext(
                "/",
                exchange -> {
                    String path = exchange.getRequestURI().toString();
                    requests.add(path);
                    byte[] body = answers.get(path);
                    if (path.startsWith("/moved")) {
                        exchange.getResponseHeaders().set("Location", path.substring(6));
                        exchange.sendResponseHeaders(302, -1);
                    } else if (body == null) {
                        exchange.sendResponseHeaders(404, -1);
                    } else {
                        exchange.sendResponseHeaders(200, body.length);
                        exchange.getResponseBody().write(body);
                    }
                    exchange.close();
                });
        server.start();
        base = "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(String path, String body) {
        answers.put(path, body.getBytes(UTF_8));
    }

    @Test
    void searchFollowsThePagesAndFiltersByAllWords() throws Exception {
        String first = "/v0.1/servers?version=latest&limit=100&search=weather";
        answer(
                first,
                "{\"servers\":[%s,%s],\"metadata\":{\"nextCursor\":\"a/b c\"}}"
                        .formatted(
                                ENTRY.formatted("weather", "active"),
                                ENTRY.formatted("gone-weather", "deleted")));
        answer(
                first + "&cursor=a%2Fb%20c",
                "{\"servers\":[%s,7],\"metadata\":{}}"
                        .formatted(ENTRY.formatted("weather-two", "active")));

        RegistrySource registry = HttpRegistry.at(base + "/");
        assertThat(registry.search(List.of("weather"), 10)).hasSize(2);
        assertThat(registry.search(List.of("Two", "weather"), 10)).hasSize(1);
        assertThat(registry.search(List.of("weather"), 1)).hasSize(1);
        assertThat(requests).contains(first);
    }

    @Test
    void findAsksForTheLatestOrTheGivenVersion() throws Exception {
        String path = "/v0.1/servers/io.github.kim%2Fweather/versions/";
        answer(path + "latest", ENTRY.formatted("weather", "active"));
        answer(path + "1.0.0%2Bb", ENTRY.formatted("weather", "deprecated"));
        answer("/v0.1/servers/io.github.kim%2Fother/versions/latest", ENTRY.formatted("x", "a"));
        answer("/v0.1/servers/io.github.kim%2Fbad/versions/latest", "<html>");
        RegistrySource registry = HttpRegistry.at(base);

        assertThat(registry.find("io.github.kim/weather", null).version()).isEqualTo("1.0.0");
        assertThat(registry.find("io.github.kim/weather", "1.0.0+b").status())
                .isEqualTo("deprecated");
        assertThatThrownBy(() -> registry.find("io.github.kim/none", null))
                .hasMessageContaining("There is no such server");
        assertThatThrownBy(() -> registry.find("io.github.kim/other", null))
                .hasMessageContaining("another server");
        assertThatThrownBy(() -> registry.find("io.github.kim/bad", null))
                .hasMessageContaining("did not answer with JSON");
    }

    @Test
    void registryThatCannotBeReachedIsReportedWithTheWayOut() throws Exception {
        server.stop(0);
        assertThatThrownBy(() -> HttpRegistry.at(base).find("a.b/c", null))
                .hasMessageContaining("cannot be reached")
                .hasMessageContaining("--registry FILE");
        assertThatThrownBy(() -> HttpRegistry.at("http://192.0.2.1").find("a.b/c", null))
                .hasMessageContaining("must begin with https");
        assertThatThrownBy(() -> HttpRegistry.at("ftp://x")).hasMessageContaining("not the URL");
    }

    @Test
    void mirrorFileAnswersWithoutANetwork() throws Exception {
        Path file = folder.resolve("mirror.json");
        Files.writeString(file, "{\"servers\":[" + ENTRY.formatted("weather", "active") + "]}");
        RegistrySource mirror = RegistryMirror.read(file);

        assertThat(mirror.search(List.of("data"), 5)).hasSize(1);
        assertThat(mirror.find("io.github.kim/weather", "1.0.0").description())
                .isEqualTo("Weather data");
        assertThatThrownBy(() -> mirror.find("io.github.kim/wether", null))
                .hasMessageContaining("Did you mean io.github.kim/weather?");
        assertThatThrownBy(() -> mirror.find("io.github.kim/weather", "2"))
                .hasMessageContaining("There is no server io.github.kim/weather 2");
        assertThatThrownBy(() -> RegistryMirror.read(folder.resolve("absent.json")))
                .hasMessageContaining("cannot be read");
    }

    @Test
    void bundleIsDownloadedThroughRedirectsAndItsDigestIsChecked() throws Exception {
        Path bundle = new TestBundle().add("manifest.json", "{}").write(folder.resolve("x.mcpb"));
        answers.put("/x.mcpb", Files.readAllBytes(bundle));
        String digest = BundleArchive.open(bundle, null, BundleLimits.DEFAULTS).sha256();
        Path target = folder.resolve("bundles");

        var good = new LaunchSource.Bundle(base + "/moved/x.mcpb", digest);
        Path file = BundleDownload.get(good, target, BundleLimits.DEFAULTS);
        assertThat(file).hasSameBinaryContentAs(bundle);
        Files.delete(file);
        for (LaunchSource.Bundle wrong :
                List.of(
                        new LaunchSource.Bundle(base + "/x.mcpb", "00".repeat(32)),
                        new LaunchSource.Bundle(base + "/absent.mcpb", digest),
                        new LaunchSource.Bundle(base + "/moved/moved/absent", digest),
                        new LaunchSource.Bundle("no url", digest))) {
            assertThatThrownBy(() -> BundleDownload.get(wrong, target, BundleLimits.DEFAULTS))
                    .isInstanceOf(RegistryException.class);
            assertThat(target).isEmptyDirectory();
        }
        var limits = new BundleLimits(100, 10, 100, 10);
        assertThatThrownBy(() -> BundleDownload.get(good, target, limits))
                .hasMessageContaining("larger than 100 bytes");
        assertThat(target).isEmptyDirectory();
    }
}
