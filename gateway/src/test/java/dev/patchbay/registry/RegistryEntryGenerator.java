package dev.patchbay.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import java.util.function.Supplier;

/** Makes entries as authors write them, with a fixed seed. */
final class RegistryEntryGenerator {
    private static final List<String> KINDS =
            List.of("npm", "pypi", "oci", "nuget", "mcpb", "remote", "remote", "npm", "pypi");

    private final Random random;

    RegistryEntryGenerator(long seed) {
        random = new Random(seed);
    }

    String next(int number) {
        String kind = pick(KINDS);
        String head =
                "{\"name\":\"%s/server%s%d\",\"description\":\"%s\",\"version\":\"%s\""
                        .formatted(
                                pick(List.of("io.github.kim", "com.example", "ai.acme-tools")),
                                pick(List.of("-", "_", ".")),
                                number,
                                pick(List.of("Does things", "Ünïcode – 東京 ☕", "Costs ${PRICE}")),
                                version());
        if (random.nextBoolean()) {
            head +=
                    ",\"repository\":{\"url\":\"https://example.com/r\",\"source\":\"github\"}"
                            + ",\"title\":\"Server "
                            + number
                            + "\"";
        }
        boolean hasBoth = random.nextInt(8) == 0;
        String packages = kind.equals("remote") ? "" : ",\"packages\":[" + packageOf(kind) + "]";
        String remotes = kind.equals("remote") || hasBoth ? ",\"remotes\":[" + remote() + "]" : "";
        return head + packages + remotes + "}";
    }

    private String version() {
        return pick(List.of("1.0.0", "0.1.2-beta.1", "2025.11.3", "1.2.3+build7", "v3"));
    }

    private String packageOf(String kind) {
        var members = new StringJoiner(",", "{", "}");
        members.add("\"registryType\":\"" + kind + "\"");
        String version = pick(List.of("1.0.0", "0.4.0-beta", "2.11.0rc1", "20.1.1"));
        switch (kind) {
            case "npm" ->
                    members.add(
                            identifier("@kim/weather", "weather-mcp", "@a.b/c_d", "mcp-Server"));
            case "pypi" -> members.add(identifier("weather-mcp", "mcp_server_x", "acme[all]"));
            case "nuget" -> members.add(identifier("Knap.Sample", "Acme.Mcp.Server"));
            case "oci" ->
                    members.add(
                            identifier(
                                    "docker.io/kim/weather:" + version,
                                    "ghcr.io/kim/weather@sha256:" + "ab".repeat(32),
                                    "registry.example.com:5000/team/app:1.0"));
            default -> members.add(identifier("https://example.com/x.mcpb"));
        }
        if (kind.equals("mcpb")) {
            members.add("\"fileSha256\":\"" + "0f".repeat(32) + "\"");
        } else if (!kind.equals("oci")) {
            members.add("\"version\":\"" + version + "\"");
        }
        members.add("\"transport\":{\"type\":\"stdio\"}");
        addOptional(kind, members);
        return members.toString();
    }

    private void addOptional(String kind, StringJoiner members) {
        if (random.nextBoolean()) {
            members.add("\"environmentVariables\":[" + several(this::variable) + "]");
        }
        if (random.nextInt(3) == 0) {
            members.add("\"packageArguments\":[" + several(this::argument) + "]");
        }
        if (kind.equals("oci") && random.nextBoolean()) {
            members.add("\"runtimeHint\":\"docker\"");
            members.add("\"runtimeArguments\":[" + several(this::runtimeArgument) + "]");
        }
        if (kind.equals("npm") && random.nextInt(4) == 0) {
            members.add("\"runtimeHint\":\"npx\"");
            members.add("\"runtimeArguments\":[{\"type\":\"positional\",\"value\":\"-y\"}]");
            members.add("\"registryBaseUrl\":\"https://registry.npmjs.org\"");
        }
    }

    private String identifier(String... names) {
        return "\"identifier\":\"" + pick(List.of(names)) + "\"";
    }

    private String variable() {
        return pick(
                List.of(
                        "{\"name\":\"API_KEY\",\"description\":\"The key\",\"isRequired\":true,"
                                + "\"isSecret\":true}",
                        "{\"name\":\"UNITS\",\"default\":\"metric\",\"choices\":[\"metric\","
                                + "\"imperial\"]}",
                        "{\"name\":\"DEBUG\",\"format\":\"boolean\",\"default\":\"false\"}",
                        "{\"name\":\"PORT\",\"format\":\"number\"}",
                        "{\"name\":\"DATA\",\"format\":\"filepath\",\"isRequired\":true}",
                        "{\"name\":\"AUTH\",\"value\":\"Bearer {token}\",\"variables\":{\"token\":"
                                + "{\"isRequired\":true,\"isSecret\":true}}}",
                        "{\"name\":\"TEMPLATE\",\"value\":\"${HOME}/{unknown} ${secret:x}\"}"));
    }

    private String argument() {
        return pick(
                List.of(
                        "{\"type\":\"positional\",\"value\":\"mcp\"}",
                        "{\"type\":\"positional\",\"valueHint\":\"target_dir\",\"isRequired\":true,"
                                + "\"isRepeated\":true,\"format\":\"filepath\"}",
                        "{\"type\":\"named\",\"name\":\"--port\",\"default\":\"8080\","
                                + "\"format\":\"number\"}",
                        "{\"type\":\"named\",\"name\":\"--stdio\"}",
                        "{\"type\":\"named\",\"name\":\"--mode\",\"value\":\"\"}",
                        "{\"type\":\"named\",\"name\":\"--verbose\",\"format\":\"boolean\","
                                + "\"default\":\"true\"}",
                        "{\"type\":\"named\",\"name\":\"--dsn\",\"value\":\"db://{host}/{name}\","
                                + "\"variables\":{\"host\":{\"default\":\"localhost\"},\"name\":"
                                + "{\"isRequired\":true}}}"));
    }

    private String runtimeArgument() {
        return pick(
                List.of(
                        "{\"type\":\"positional\",\"value\":\"run\"}",
                        "{\"type\":\"named\",\"name\":\"--rm\"}",
                        "{\"type\":\"named\",\"name\":\"--network\",\"value\":\"host\"}",
                        "{\"type\":\"named\",\"name\":\"--mount\",\"value\":\"type=bind,"
                                + "src={source_path},dst=/project\",\"isRepeated\":true,"
                                + "\"variables\":{\"source_path\":{\"format\":\"filepath\","
                                + "\"isRequired\":true}}}",
                        "{\"type\":\"named\",\"name\":\"-e\",\"value\":\"DB_TYPE={db_type}\","
                                + "\"variables\":{\"db_type\":{\"choices\":[\"pg\",\"my\"],"
                                + "\"isRequired\":true}}}"));
    }

    private String remote() {
        String type = pick(List.of("streamable-http", "streamable-http", "sse"));
        String url =
                pick(
                        List.of(
                                "\"url\":\"https://mcp.example.com/mcp\"",
                                "\"url\":\"https://mcp.example.com/sse\"",
                                "\"url\":\"http://127.0.0.1:9000/\"",
                                "\"url\":\"https://{tenant}.example.com/{region}/mcp\","
                                        + "\"variables\":{\"tenant\":{\"isRequired\":true},"
                                        + "\"region\":{\"default\":\"eu\",\"choices\":[\"eu\","
                                        + "\"us\"]}}",
                                "\"url\":\"{baseUrl}/mcp\",\"variables\":{\"baseUrl\":"
                                        + "{\"default\":\"https://x.example.com\"}}"));
        String headers = random.nextBoolean() ? ",\"headers\":[" + several(this::header) + "]" : "";
        return "{\"type\":\"" + type + "\"," + url + headers + "}";
    }

    private String header() {
        return pick(
                List.of(
                        "{\"name\":\"Authorization\",\"value\":\"Bearer {key}\",\"isSecret\":true,"
                                + "\"variables\":{\"key\":{\"isRequired\":true}}}",
                        "{\"name\":\"X-API-Key\",\"isRequired\":true,\"isSecret\":true}",
                        "{\"name\":\"X-Region\",\"default\":\"eu\"}",
                        "{\"name\":\"X-Trace\"}"));
    }

    private String several(Supplier<String> maker) {
        var made = new ArrayList<String>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            String one = maker.get();
            if (!made.contains(one)) {
                made.add(one);
            }
        }
        return String.join(",", made);
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
