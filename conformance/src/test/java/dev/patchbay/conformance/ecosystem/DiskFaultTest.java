package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.patchbay.conformance.ecosystem.FaultyDisk.Fault;
import dev.patchbay.conformance.ecosystem.TestInstallation.CommandResult;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A failing disk: calls continue, commands report the failure, existing files stay intact, and
 * everything works again when the disk does.
 */
class DiskFaultTest {
    private static final String ALL_FAULTS_SOURCE =
            "dev.patchbay.conformance.ecosystem.FaultyDisk#faults";

    private static final String MOUNT_FAULTS_SOURCE =
            "dev.patchbay.conformance.ecosystem.FaultyDisk#mountFaults";
    private static final List<List<String>> EDIT_COMMANDS =
            List.of(List.of("add", "--no-try", "b", "--", "cat"), List.of("disable", "a"));

    @TempDir private Path folder;

    /**
     * Calls work, the lists that cannot be stored are reported, and later lists are stored again.
     */
    @Test
    void failedDiskIsReportedAndCallsContinue() throws Exception {
        Path file = Files.writeString(folder.resolve("disk"), "no folder");
        String state = StrictJson.quote(file.resolve("state").toString());
        var installation = new TestInstallation(folder).settings("\"stateDir\": " + state);
        try (var gateway = new GatewayWithFaultyServer(installation)) {
            TestHost host = gateway.host();
            try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
                ServerScript alpha = gateway.connect(gateway.script("alpha").tools("echo"));
                assertThat(host.callForText(alpha.name() + ".echo", "{}")).isEqualTo("{}");
                awaitStderr(host, "The list of " + alpha.name() + " cannot be kept");
                Files.delete(file);
                ServerScript beta = gateway.connect(gateway.script("beta").tools("echo"));
                assertThat(
                                TestHost.await(
                                        TestHost.TIMEOUT,
                                        () -> Files.exists(file.resolve("state"))))
                        .isTrue();
                assertThat(hasStderr(host, "The list of " + beta.name())).isFalse();
            }
            gateway.removeFaultyServers();
        }
    }

    /** The same if the disk fails later; no temporary files are left. */
    @Test
    void diskFailureAtRunTimeIsReportedAndCallsContinue() throws Exception {
        assumeFalse(FaultyDisk.mountFaults().isEmpty(), "no disk can be mounted here");
        try (var disk = new FaultyDisk(folder.resolve("disk"))) {
            String state = StrictJson.quote(folder.resolve("disk/state").toString());
            var installation = new TestInstallation(folder).wrapCommands(disk::wrapCommand);
            try (var gateway =
                    new GatewayWithFaultyServer(installation.settings("\"stateDir\": " + state))) {
                for (Fault fault : FaultyDisk.mountFaults()) {
                    assertServesDuring(fault, disk, gateway);
                }
            }
        }
    }

    private static void assertServesDuring(
            Fault fault, FaultyDisk disk, GatewayWithFaultyServer gateway) throws Exception {
        TestHost host = gateway.host();
        Path lists = disk.mountedPath().resolve("state/lists");
        assertThat(TestHost.await(TestHost.TIMEOUT, () -> areListsStored(lists, 1))).isTrue();
        List<String> before = fileNames(lists);
        ServerScript silent = gateway.script("silent").at("tools/list=error:-32000");
        disk.fail(fault);
        try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
            ServerScript alpha = gateway.connect(gateway.script("alpha").tools("echo"));
            assertThat(host.callForText(alpha.name() + ".echo", "{}")).isEqualTo("{}");
            gateway.add(silent, "\"maxRetries\": 0", "connected");
            awaitStderr(
                    host, "The list of " + alpha.name() + " cannot be kept", fault.systemMessage());
            awaitStderr(host, "The failure of " + silent.name() + " cannot be kept");
            assertThat(fileNames(lists)).as("what was there, and nothing else").isEqualTo(before);
            disk.repair();
            gateway.connect(gateway.script("beta").tools("echo"));
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> areListsStored(lists, 2))).isTrue();
        }
        gateway.removeFaultyServers();
        Files.delete(lists.resolve(addedName(before, fileNames(lists))));
    }

    /** Whether this many lists are stored, and none is being written. */
    private static boolean areListsStored(Path lists, int count) {
        List<String> names = fileNames(lists);
        return names.size() == count && names.stream().noneMatch(it -> it.endsWith(".tmp"));
    }

    private static String addedName(List<String> before, List<String> after) {
        return after.stream().filter(name -> !before.contains(name)).findFirst().orElseThrow();
    }

    @ParameterizedTest
    @MethodSource(ALL_FAULTS_SOURCE)
    void failedEditsAreReportedAndLeaveTheFileUnchanged(Fault fault) throws Exception {
        try (var disk = new FaultyDisk(folder.resolve("disk"))) {
            Path file = disk.mountedPath().resolve("patchbay.json");
            String text = "{\"mcpServers\": {\"a\": {\"command\": \"cat\"}}}" + " ".repeat(2_000);
            Files.writeString(file, text);
            Files.writeString(disk.mountedPath().resolve(".claude.json"), "{}" + " ".repeat(2_000));
            List<String> before = fileNames(disk.mountedPath());
            String there = folder.resolve("disk").toString();
            var installation =
                    new TestInstallation(folder).env("HOME", there).wrapCommands(disk::wrapCommand);
            disk.fail(fault);
            String reported = there + "/patchbay.json: not changed: " + fault.systemMessage();
            for (List<String> edit : EDIT_COMMANDS) {
                assertThat(runFailingEdit(installation, there, edit))
                        .contains(reported)
                        .contains(expectedAdvice(fault));
                assertThat(Files.readString(file)).isEqualTo(text);
            }
            CommandResult install = installation.runWithoutConfig("install", "claude-code");
            assertThat(install.status()).isEqualTo(1);
            assertThat(install.err()).contains("not changed: " + fault.systemMessage());
            disk.repair();
            assertThat(fileNames(disk.mountedPath()))
                    .as("nothing is left lying about")
                    .isEqualTo(before);
            for (List<String> edit : EDIT_COMMANDS) {
                assertThat(runFailingEdit(installation, there, edit)).isEmpty();
            }
            assertThat(Files.readString(file)).contains("\"b\"", "\"enabled\": false");
            assertThat(installation.runWithoutConfig("install", "claude-code").status()).isZero();
        }
    }

    /** Runs an edit command that must fail, and returns its message. */
    private static String runFailingEdit(
            TestInstallation installation, String disk, List<String> edit)
            throws InterruptedException {
        var words = new ArrayList<>(edit);
        words.addAll(1, List.of("--config", disk + "/patchbay.json"));
        CommandResult outcome = installation.runWithoutConfig(words.toArray(String[]::new));
        assertThat(outcome.status()).as(outcome.err()).isEqualTo(outcome.err().isEmpty() ? 0 : 1);
        return outcome.err();
    }

    private static String expectedAdvice(Fault fault) {
        return switch (fault) {
            case FULL -> "The disk is full.";
            case READ_ONLY -> "The file system is read-only.";
            case FILE_SIZE_LIMIT -> "";
        };
    }

    /** A partial token would look valid, and an empty file would not be one. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource(MOUNT_FAULTS_SOURCE)
    void tokenFileIsWrittenCompletelyOrNotAtAll(Fault fault) throws Exception {
        try (var disk = new FaultyDisk(folder.resolve("disk"))) {
            String home = folder.resolve("disk").toString();
            var installation =
                    new TestInstallation(folder).env("HOME", home).wrapCommands(disk::wrapCommand);
            String[] serve = {"serve", "--listen", "127.0.0.1:0"};
            disk.fail(fault);
            CommandResult refused = installation.runWithoutConfig(serve);
            assertThat(refused.status()).isEqualTo(1);
            assertThat(refused.err())
                    .contains(
                            "The token for clients cannot be stored",
                            home,
                            fault.systemMessage(),
                            expectedAdvice(fault));
            assertThat(refused.err().lines()).hasSize(1);
            disk.repair();
            try (var client =
                    installation
                            .start(TestInstallation.program().launcherCommand(serve))
                            .client()) {
                boolean serves =
                        TestHost.await(
                                TestHost.TIMEOUT,
                                () -> client.stderr().contains("The token is in "));
                assertThat(serves).as(client.stderr()).isTrue();
                client.signal("TERM");
                assertThat(client.exitCode(TestHost.TIMEOUT)).isZero();
            }
        }
    }

    /**
     * A renewal that cannot be stored would lose the refresh token, so none is made until it can
     * be.
     */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource(MOUNT_FAULTS_SOURCE)
    void signInIsRenewedOnlyWhenItCanBeStored(Fault fault) throws Exception {
        try (var disk = new FaultyDisk(folder.resolve("disk"));
                var authorizationServer = new FakeAuthorizationServer()) {
            String state = StrictJson.quote(folder.resolve("disk/state").toString());
            var installation =
                    new TestInstallation(folder)
                            .wrapCommands(disk::wrapCommand)
                            .settings("\"stateDir\": " + state);
            installation
                    .withServer(
                            "guarded",
                            authorizationServer.mcpServer().configEntry("\"maxRetries\": 1"))
                    .save();
            disk.fail(fault);
            try (var login = new LoginProcess(installation)) {
                assertThat(login.exitCode()).isEqualTo(1);
                assertThat(login.stderr())
                        .contains(fault.systemMessage())
                        .doesNotContain("Sign in at");
            }
            disk.repair();
            try (var login = new LoginProcess(installation)) {
                assertThat(login.signIn()).as(login.stderr()).isZero();
            }
            assertRenewsOnlyAfterRepair(installation, disk, fault, authorizationServer);
        }
    }

    private static void assertRenewsOnlyAfterRepair(
            TestInstallation installation,
            FaultyDisk disk,
            Fault fault,
            FakeAuthorizationServer authorizationServer)
            throws Exception {
        try (TestHost host = installation.connect()) {
            host.awaitListed("guarded");
            disk.fail(fault);
            authorizationServer.expireAccessTokens();
            JsonTree failure = host.failureDetails("guarded.echo", "{}");
            assertThat(failure.at("message").asText())
                    .contains("cannot be stored", fault.systemMessage());
            awaitStderr(
                    host,
                    "The tokens of server guarded could not be stored",
                    fault.systemMessage());
            assertThat(authorizationServer.count("/token")).as("token requests").isEqualTo(1);
            disk.repair();
            boolean served =
                    TestHost.await(
                            TestHost.TIMEOUT,
                            () -> !TestHost.isError(callResult(host, "guarded.echo")));
            assertThat(served).as(host.client().stderr()).isTrue();
            assertThat(authorizationServer.count("/token")).as("token requests").isEqualTo(2);
        }
    }

    private static JsonTree callResult(TestHost host, String tool) {
        try {
            return host.callForResult(tool, "{}");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** A script could mistake truncated output for all of it. */
    @ParameterizedTest
    @ValueSource(strings = {"tools --json", "--help"})
    void lostOutputIsAFailure(String words) throws Exception {
        var installation = new TestInstallation(folder).save();
        installation.wrapCommands(
                command -> {
                    var all = new ArrayList<>(List.of("/bin/sh", "-c", "\"$@\" >/dev/full", "sh"));
                    all.addAll(command);
                    return all;
                });
        CommandResult outcome = installation.runWithoutConfig(words.split(" ", -1));
        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err()).contains("Could not write all output to standard output");
    }

    private static void awaitStderr(TestHost host, String... words) {
        boolean output =
                TestHost.await(
                        TestHost.TIMEOUT,
                        () -> Stream.of(words).allMatch(it -> hasStderr(host, it)));
        assertThat(output).as(host.client().stderr()).isTrue();
    }

    private static boolean hasStderr(TestHost host, String words) {
        return host.client().stderr().contains(words);
    }

    private static List<String> fileNames(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(it -> String.valueOf(it.getFileName()))
                    .filter(it -> !it.equals("filling"))
                    .sorted()
                    .toList();
        } catch (IOException _) {
            return List.of();
        }
    }
}
