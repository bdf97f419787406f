package dev.patchbay.repl;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.repl.maven.CentralSearch;
import dev.patchbay.repl.maven.DependencyTree;
import dev.patchbay.repl.maven.LocalRepository;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The tools about libraries and projects, with scripts that stand in for the build tools. */
@DisabledOnOs(OS.WINDOWS)
class ArtifactToolsTest {
    private static final ReplTestSession REPL = new ReplTestSession();

    @TempDir private static Path folder;

    private static HttpServer central;
    private static ReplService service;
    private static ReplServiceClient client;

    @BeforeAll
    static void open() throws Exception {
        central = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        central.createContext(
                "/solrsearch/select",
                exchange -> {
                    byte[] answer =
                            """
                            {"response":{"numFound":7,"docs":[{"g":"org.example","a":"thing",
                            "latestVersion":"2.0","versionCount":3,"q":"%s"}]}}
                            """
                                    .formatted(exchange.getRequestURI().getQuery())
                                    .getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, answer.length);
                    exchange.getResponseBody().write(answer);
                    exchange.close();
                });
        central.start();
        Path repository = folder.resolve("repository");
        artifact(repository, "org/example", "thing", "1.0", "org/example/Thing.class");
        artifact(repository, "org/example", "thing", "1.1", "org/example/Thing.class");
        artifact(repository, "org/other", "helper", "0.1", "org/other/Inner$Thing.class");
        client = client("http://127.0.0.1:" + central.getAddress().getPort(), repository);
        service = client.service();
    }

    private static ReplServiceClient client(String url, Path repository) {
        var environment =
                new ReplEnvironment(
                        new MavenResolver(List.of(folder), Duration.ofSeconds(30)),
                        new LocalRepository(repository, Duration.ofSeconds(30)),
                        new CentralSearch(URI.create(url), Duration.ofSeconds(5)),
                        folder.resolve("saved"));
        return new ReplServiceClient(
                ReplService.of(new Implementation("repl", "1"), REPL.session, environment));
    }

    private static void artifact(
            Path repository, String group, String name, String version, String entry)
            throws IOException {
        Path place = repository.resolve(group).resolve(name).resolve(version);
        Files.createDirectories(place);
        Files.writeString(place.resolve(name + "-" + version + ".pom"), "<project/>");
        Path jar = place.resolve(name + "-" + version + ".jar");
        try (var zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(new ZipEntry(entry));
            zip.write(new byte[10]);
        }
    }

    private static void script(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    @AfterAll
    static void close() {
        central.stop(0);
        service.close();
    }

    private static String text(String tool, String arguments) throws Exception {
        return ReplServiceClient.text(client.call(tool, arguments));
    }

    @Test
    void showsTreeSizesAndConflicts() throws Exception {
        Path jar = folder.resolve("repository/org/example/thing/1.1/thing-1.1.jar");
        script(
                "mvn",
                """
                for a; do case "$a" in
                  -DoutputFile=*) tree="${a#*=}";;
                  -Dmdep.outputFile=*) out="${a#*=}";;
                esac; done
                cat > "$tree" <<'END'
                session:session:pom:1
                \\- org.example:thing:jar:1.1:compile
                   +- org.example:base:jar:2.0:compile
                   |  \\- (org.example:core:jar:1.0:compile - omitted for conflict with 1.5)
                   \\- org.example:core:jar:tests:1.5:runtime
                END
                printf '%s' > "$out"
                """
                        .formatted(jar));
        Json result = client.call("dependencies", "{\"coordinate\":\"org.example:thing:1.1\"}");
        assertThat(ReplServiceClient.text(result))
                .startsWith("org.example:thing:1.1: 1 jars, " + Files.size(jar) + " bytes")
                .contains("  org.example:thing:1.1  " + Files.size(jar) + " bytes")
                .contains("      org.example:core:1.0  (omitted for conflict with 1.5)")
                .contains("    org.example:core:1.5")
                .endsWith("Conflicts:\n  org.example:core:1.0 omitted for conflict with 1.5");
        Json structured = result.member("structuredContent");
        assertThat(JsonFields.elements(structured, "artifacts")).hasSize(4);
    }

    @Test
    void parsesManagedVersions() {
        List<DependencyTree.Node> nodes =
                DependencyTree.parse(
                        "a:b:pom:1\n+- g:x:jar:1.0:compile (version managed from 0.9)"
                                + "\n\\- g:y:jar:2");
        assertThat(nodes)
                .extracting(DependencyTree.Node::coordinate)
                .containsExactly("g:x:1.0", "g:y:2");
    }

    @Test
    void searchesTheLocalRepository() throws Exception {
        assertThat(text("search_artifacts", "{\"words\":\"example thing\"}"))
                .isEqualTo("org.example:thing  1.0, 1.1");
        assertThat(text("search_artifacts", "{\"words\":\"absent\"}"))
                .isEqualTo("No artifact has such a name.");
    }

    @Test
    void searchesMavenCentral() throws Exception {
        assertThat(text("search_artifacts", "{\"words\":\"some thing\",\"where\":\"central\"}"))
                .isEqualTo("org.example:thing:2.0\n… and 6 more");
    }

    @Test
    void offlineSearchSaysWhy() throws Exception {
        int unused;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            unused = socket.getLocalPort();
        }
        ReplServiceClient offline = client("http://127.0.0.1:" + unused, folder);
        Json result = offline.call("search_artifacts", "{\"words\":\"x\",\"where\":\"central\"}");
        assertThat(result.member("isError").isTrue()).isTrue();
        assertThat(ReplServiceClient.text(result))
                .startsWith("[ERROR] The search of Maven Central at http://127.0.0.1:" + unused)
                .contains("use where local", "PATCHBAY_REPL_MAVEN_SEARCH_URL");
    }

    @Test
    void findsTheJarOfAClass() throws Exception {
        assertThat(text("find_jar", "{\"class\":\"org.example.Thing\"}"))
                .contains("thing-1.0.jar", "thing-1.1.jar")
                .doesNotContain("helper");
        assertThat(text("find_jar", "{\"class\":\"Thing\"}")).contains("helper-0.1.jar");
        assertThat(text("find_jar", "{\"class\":\"java.util.ArrayList\"}"))
                .contains("java.util.ArrayList is in java.base");
    }

    @Test
    void attachesAMavenProject() throws Exception {
        Path project = Files.createDirectories(folder.resolve("project"));
        Files.writeString(project.resolve("pom.xml"), "<project/>");
        Path classes = Files.createDirectories(project.resolve("target/classes"));
        Path jar = folder.resolve("repository/org/example/thing/1.0/thing-1.0.jar");
        script(
                "mvn",
                """
                for a; do case "$a" in -Dmdep.outputFile=*) out="${a#*=}";; esac; done
                printf '%s' > "$out"
                """
                        .formatted(jar));
        Json result =
                client.call(
                        "attach_project",
                        "{\"folder\":" + Json.string(project.toString()) + ",\"tests\":true}");
        Json structured = result.member("structuredContent");
        assertThat(JsonFields.texts(structured, "added"))
                .containsExactly(classes.toString(), jar.toString());
        assertThat(JsonFields.texts(structured, "missing"))
                .containsExactly(project.resolve("target/test-classes").toString());
        assertThat(REPL.session.classpath()).contains(jar.toString());
    }

    @Test
    void attachesAGradleProject() throws Exception {
        Path project = Files.createDirectories(folder.resolve("gradle"));
        Files.writeString(project.resolve("build.gradle.kts"), "");
        Path classes = Files.createDirectories(project.resolve("build/classes/java/main"));
        Path wrapper =
                Files.writeString(
                        project.resolve("gradlew"),
                        "#!/bin/sh\necho noise\necho 'PATCHBAY-CLASSPATH %s'\n".formatted(classes));
        Files.setPosixFilePermissions(wrapper, PosixFilePermissions.fromString("rwx------"));
        Json result =
                client.call(
                        "attach_project", "{\"folder\":" + Json.string(project.toString()) + "}");
        assertThat(ReplServiceClient.text(result))
                .isEqualTo("Gradle: added 1 entries to the class path.");
    }

    @Test
    void otherFoldersAreNoProjects() throws Exception {
        Path parent = Files.createDirectories(folder.resolve("parent"));
        Files.writeString(parent.resolve("pom.xml"), "<project><module>core</module></project>");
        for (Map.Entry<Path, String> wrong :
                Map.of(folder, "has no pom.xml", parent, "has modules: name the folder of one")
                        .entrySet()) {
            assertThat(
                            text(
                                    "attach_project",
                                    "{\"folder\":" + Json.string(wrong.getKey().toString()) + "}"))
                    .startsWith("[ERROR]")
                    .contains(wrong.getValue());
        }
    }

    @Test
    void settingsNameTheRepository() throws Exception {
        Path home = Files.createDirectories(folder.resolve("home/.m2")).getParent();
        Duration time = Duration.ofSeconds(1);
        assertThat(LocalRepository.ofUser("", home, time).folder())
                .isEqualTo(home.resolve(".m2/repository"));
        Files.writeString(
                home.resolve(".m2/settings.xml"),
                "<settings><localRepository>${user.home}/jars</localRepository></settings>");
        assertThat(LocalRepository.ofUser("", home, time).folder()).isEqualTo(home.resolve("jars"));
        assertThat(LocalRepository.ofUser("/other", home, time).folder())
                .isEqualTo(Path.of("/other"));
    }
}
