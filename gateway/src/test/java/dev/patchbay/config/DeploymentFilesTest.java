package dev.patchbay.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.read.ConfigSamples;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The files in {@code deploy} can be read, fit together, and give the gateway few rights. */
class DeploymentFilesTest {
    private static final Path DEPLOY = Path.of("..", "deploy");
    private static final Path KUBERNETES = DEPLOY.resolve("kubernetes");

    private static JsonNode read(Path file) {
        try {
            return new YAMLMapper().readTree(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The manifests by their kinds. */
    private static Map<String, JsonNode> manifests() {
        var byKind = new TreeMap<String, JsonNode>();
        for (JsonNode name : read(KUBERNETES.resolve("kustomization.yaml")).get("resources")) {
            JsonNode manifest = read(KUBERNETES.resolve(name.asString()));
            byKind.put(manifest.get("kind").asString(), manifest);
        }
        return byKind;
    }

    private static JsonNode container() {
        return manifests().get("Deployment").at("/spec/template/spec/containers/0");
    }

    @Test
    void kustomizationNamesEveryManifest() throws IOException {
        List<String> named =
                read(KUBERNETES.resolve("kustomization.yaml"))
                        .get("resources")
                        .valueStream()
                        .map(JsonNode::asString)
                        .toList();
        try (Stream<Path> files = Files.list(KUBERNETES)) {
            assertThat(files.map(it -> it.getFileName().toString()))
                    .filteredOn(it -> !it.equals("kustomization.yaml"))
                    .containsExactlyInAnyOrderElementsOf(named);
        }
        assertThat(manifests())
                .containsOnlyKeys(
                        "ConfigMap",
                        "Deployment",
                        "HorizontalPodAutoscaler",
                        "NetworkPolicy",
                        "PodDisruptionBudget",
                        "Secret",
                        "Service");
    }

    @Test
    void containerRunsWithoutRightsOnAReadOnlyRoot() {
        JsonNode pod = manifests().get("Deployment").at("/spec/template/spec");
        assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(pod.get("automountServiceAccountToken").asBoolean()).isFalse();
        JsonNode rights = container().get("securityContext");
        assertThat(rights.get("readOnlyRootFilesystem").asBoolean()).isTrue();
        assertThat(rights.get("allowPrivilegeEscalation").asBoolean()).isFalse();
        assertThat(rights.at("/capabilities/drop/0").asString()).isEqualTo("ALL");
    }

    @Test
    void everyVolumeIsMounted() {
        JsonNode volumes = manifests().get("Deployment").at("/spec/template/spec/volumes");
        assertThat(container().get("volumeMounts").valueStream().map(it -> it.get("name")))
                .containsExactlyInAnyOrderElementsOf(
                        volumes.valueStream().map(it -> it.get("name")).toList());
    }

    @Test
    void selectorsFindThePods() {
        JsonNode labels = manifests().get("Deployment").at("/spec/template/metadata/labels");
        assertThat(manifests().get("Service").at("/spec/selector")).isEqualTo(labels);
        for (String kind : List.of("Deployment", "PodDisruptionBudget")) {
            assertThat(manifests().get(kind).at("/spec/selector/matchLabels")).isEqualTo(labels);
        }
        assertThat(manifests().get("NetworkPolicy").at("/spec/podSelector/matchLabels"))
                .isEqualTo(labels);
    }

    @Test
    void configurationsAreValid() throws IOException {
        String manifest = manifests().get("ConfigMap").at("/data/patchbay.json").asString();
        assertThat(ConfigSamples.readValid(manifest).configuration().servers()).isNotEmpty();
        String compose = Files.readString(DEPLOY.resolve("compose/patchbay.json"));
        assertThat(ConfigSamples.readValid(compose).configuration().settings().http().auth())
                .isEqualTo(PatchbaySettings.Auth.OAUTH);
    }

    @Test
    void composeAndChartCanBeRead() {
        JsonNode compose = read(DEPLOY.resolve("compose/compose.yaml"));
        assertThat(compose.at("/services/patchbay/read_only").asBoolean()).isTrue();
        assertThat(read(DEPLOY.resolve("helm/patchbay/Chart.yaml")).get("name").asString())
                .isEqualTo("patchbay");
        JsonNode values = read(DEPLOY.resolve("helm/patchbay/values.yaml"));
        assertThat(values.at("/autoscaling/enabled").asBoolean()).isFalse();
        String config = values.get("config").toString();
        assertThat(ConfigSamples.readValid(config).configuration().servers()).isNotEmpty();
    }
}
