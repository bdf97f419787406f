package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.patchbay.conformance.ecosystem.Disk.Fault;
import dev.patchbay.conformance.ecosystem.Workbench.Outcome;
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
 * The disk takes nothing of what the gateway would keep there: calls go on, commands fail with a
 * word, what was there stays, and all is as before once there is room.
 */
class DiskFaultTest {
    private static final String FAULTS = "dev.patchbay.conformance.ecosystem.Disk#faults";

    private static final String MOUNTED = "dev.patchbay.conformance.ecosystem.Disk#faultsOfMounted";
    private static final List<List<String>> EDITS =
            List.of(List.of("add", "b", "--", "cat"), List.of("disable", "a"));

    @TempDir private Path folder;

    /** Everything works, it is said whose list is not kept, and later ones are kept again. */
    @Test
    void aDiskThatTakesNothingIsToldAndStopsNobody() throws Exception {
        Path file = Files.writeString(folder.resolve("disk"), "no folder");
        String state = StrictJson.quote(file.resolve("state").toString());
        var bench = new Workbench(folder).settings("\"stateDir\": " + state);
        try (var around = new Neighbourhood(bench)) {
            Host host = around.host();
            try (Watch _ = around.watch()) {
                ServerScript alpha = around.connect(around.script("alpha").tools("echo"));
                assertThat(host.text(alpha.name() + ".echo", "{}")).isEqualTo("{}");
                awaitSaid(host, "The list of " + alpha.name() + " cannot be kept");
                Files.delete(file);
                ServerScript beta = around.connect(around.script("beta").tools("echo"));
                assertThat(Host.await(Host.PATIENCE, () -> Files.exists(file.resolve("state"))))
                        .isTrue();
                assertThat(says(host, "The list of " + beta.name())).isFalse();
            }
            around.clear();
        }
    }

    /** The same while a disk that worked gets full, or read-only; and nothing lies about after. */
    @Test
    void aDiskThatFailsMeanwhileIsToldAndStopsNobody() throws Exception {
        assumeFalse(Disk.faultsOfMounted().isEmpty(), "no disk can be mounted here");
        try (var disk = new Disk(folder.resolve("disk"))) {
            String state = StrictJson.quote(folder.resolve("disk/state").toString());
            var bench = new Workbench(folder).through(disk::around);
            try (var around = new Neighbourhood(bench.settings("\"stateDir\": " + state))) {
                for (Fault fault : Disk.faultsOfMounted()) {
                    serveThrough(fault, disk, around);
                }
            }
        }
    }

    private static void serveThrough(Fault fault, Disk disk, Neighbourhood around)
            throws Exception {
        Host host = around.host();
        Path lists = disk.inside().resolve("state/lists");
        assertThat(Host.await(Host.PATIENCE, () -> areKept(lists, 1))).isTrue();
        List<String> before = names(lists);
        ServerScript silent = around.script("silent").at("tools/list=error:-32000");
        disk.fail(fault);
        try (Watch _ = around.watch()) {
            ServerScript alpha = around.connect(around.script("alpha").tools("echo"));
            assertThat(host.text(alpha.name() + ".echo", "{}")).isEqualTo("{}");
            around.join(silent, "\"maxRetries\": 0", "connected");
            awaitSaid(host, "The list of " + alpha.name() + " cannot be kept", fault.told());
            awaitSaid(host, "The failure of " + silent.name() + " cannot be kept");
            assertThat(names(lists)).as("what was there, and nothing else").isEqualTo(before);
            disk.heal();
            around.connect(around.script("beta").tools("echo"));
            assertThat(Host.await(Host.PATIENCE, () -> areKept(lists, 2))).isTrue();
        }
        around.clear();
        Files.delete(lists.resolve(newest(before, names(lists))));
    }

    /** Whether so many lists lie there, and none that is just being written. */
    private static boolean areKept(Path lists, int count) {
        List<String> names = names(lists);
        return names.size() == count && names.stream().noneMatch(it -> it.endsWith(".tmp"));
    }

    private static String newest(List<String> before, List<String> after) {
        return after.stream().filter(name -> !before.contains(name)).findFirst().orElseThrow();
    }

    @ParameterizedTest
    @MethodSource(FAULTS)
    void commandsThatEditLeaveTheFileAsItWasAndSaySo(Fault fault) throws Exception {
        try (var disk = new Disk(folder.resolve("disk"))) {
            Path file = disk.inside().resolve("patchbay.json");
            String text = "{\"mcpServers\": {\"a\": {\"command\": \"cat\"}}}" + " ".repeat(2_000);
            Files.writeString(file, text);
            Files.writeString(disk.inside().resolve(".claude.json"), "{}" + " ".repeat(2_000));
            List<String> before = names(disk.inside());
            String there = folder.resolve("disk").toString();
            var bench = new Workbench(folder).env("HOME", there).through(disk::around);
            disk.fail(fault);
            String told = there + "/patchbay.json: left as it was: " + fault.told();
            for (List<String> edit : EDITS) {
                assertThat(edited(bench, there, edit)).contains(told).contains(remedy(fault));
                assertThat(Files.readString(file)).isEqualTo(text);
            }
            Outcome install = bench.bare("install", "claude-code");
            assertThat(install.status()).isEqualTo(1);
            assertThat(install.err()).contains("left as it was: " + fault.told());
            disk.heal();
            assertThat(names(disk.inside())).as("nothing is left lying about").isEqualTo(before);
            for (List<String> edit : EDITS) {
                assertThat(edited(bench, there, edit)).isEmpty();
            }
            assertThat(Files.readString(file)).contains("\"b\"", "\"enabled\": false");
            assertThat(bench.bare("install", "claude-code").status()).isZero();
        }
    }

    /** Runs a command on the file of the disk; what it had to say. */
    private static String edited(Workbench bench, String disk, List<String> edit)
            throws InterruptedException {
        var words = new ArrayList<>(edit);
        words.addAll(1, List.of("--config", disk + "/patchbay.json"));
        Outcome outcome = bench.bare(words.toArray(String[]::new));
        assertThat(outcome.status()).as(outcome.err()).isEqualTo(outcome.err().isEmpty() ? 0 : 1);
        return outcome.err();
    }

    private static String remedy(Fault fault) {
        return switch (fault) {
            case FULL -> "Make room on its disk first.";
            case READ_ONLY -> "Make its file system writable first.";
            case SHORT_FILES -> "";
        };
    }

    /** Half a token would be one, and an empty file none. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource(MOUNTED)
    void aTokenIsMadeWholeOrNotAtAll(Fault fault) throws Exception {
        try (var disk = new Disk(folder.resolve("disk"))) {
            String home = folder.resolve("disk").toString();
            var bench = new Workbench(folder).env("HOME", home).through(disk::around);
            String[] serve = {"serve", "--listen", "127.0.0.1:0"};
            disk.fail(fault);
            Outcome refused = bench.bare(serve);
            assertThat(refused.status()).isEqualTo(1);
            assertThat(refused.err()).contains("no token", home, fault.told(), remedy(fault));
            assertThat(refused.err().lines()).hasSize(1);
            disk.heal();
            try (var client = bench.start(Workbench.program().launcher(serve)).client()) {
                boolean serves =
                        Host.await(
                                Host.PATIENCE,
                                () -> client.stderr().contains("Authorization: Bearer "));
                assertThat(serves).as(client.stderr()).isTrue();
                client.signal("TERM");
                assertThat(client.exitCode(Host.PATIENCE)).isZero();
            }
        }
    }

    /** A renewal that could not be kept would be the last: none is made until it can be. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource(MOUNTED)
    void aSignInIsRenewedWhenThatCanBeKept(Fault fault) throws Exception {
        try (var disk = new Disk(folder.resolve("disk"));
                var authority = new AuthorizationServer()) {
            String state = StrictJson.quote(folder.resolve("disk/state").toString());
            var bench =
                    new Workbench(folder).through(disk::around).settings("\"stateDir\": " + state);
            bench.with("guarded", authority.guarded().config("\"maxRetries\": 1")).save();
            disk.fail(fault);
            try (var login = new Login(bench)) {
                assertThat(login.exitCode()).isEqualTo(1);
                assertThat(login.stderr()).contains(fault.told()).doesNotContain("Sign in at");
            }
            disk.heal();
            try (var login = new Login(bench)) {
                assertThat(login.finish()).as(login.stderr()).isZero();
            }
            try (Host host = bench.open()) {
                host.awaitListed("guarded");
                disk.fail(fault);
                authority.expireAccess();
                JsonTree failure = host.failure("guarded.echo", "{}");
                assertThat(failure.at("message").text()).contains("cannot be kept", fault.told());
                awaitSaid(host, "The tokens of server guarded could not be kept", fault.told());
                assertThat(authority.count("/token")).as("asked for a token").isEqualTo(1);
                disk.heal();
                boolean served =
                        Host.await(
                                Host.PATIENCE, () -> !Host.isError(result(host, "guarded.echo")));
                assertThat(served).as(host.client().stderr()).isTrue();
                assertThat(authority.count("/token")).as("asked for a token").isEqualTo(2);
            }
        }
    }

    private static JsonTree result(Host host, String tool) {
        try {
            return host.result(tool, "{}");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** What a script would take for the whole output, if nothing else said that it is not. */
    @ParameterizedTest
    @ValueSource(strings = {"tools --json", "--help"})
    void outputThatIsLostIsAFailure(String words) throws Exception {
        var bench = new Workbench(folder).save();
        bench.through(
                command -> {
                    var all = new ArrayList<>(List.of("/bin/sh", "-c", "\"$@\" >/dev/full", "sh"));
                    all.addAll(command);
                    return all;
                });
        Outcome outcome = bench.bare(words.split(" ", -1));
        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err()).contains("Standard output does not take");
    }

    private static void awaitSaid(Host host, String... words) {
        boolean said =
                Host.await(Host.PATIENCE, () -> Stream.of(words).allMatch(it -> says(host, it)));
        assertThat(said).as(host.client().stderr()).isTrue();
    }

    private static boolean says(Host host, String words) {
        return host.client().stderr().contains(words);
    }

    private static List<String> names(Path folder) {
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
