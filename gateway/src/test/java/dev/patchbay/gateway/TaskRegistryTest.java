package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.Era;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

class TaskRegistryTest {
    private static final Json EMPTY = Json.EMPTY_OBJECT;
    private static final ServerId SERVER = new ServerId("files");

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"t-1", "", "a.b/c", "é😀", "\u0000\"\\", "786512e2-9e0d-44bd"})
    void idIsValidAfterARestart(String id) {
        String name = registry(folder).register(task(id), "ann", null);
        assertThat(name).matches("files\\.[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]{22}");
        assertThat(find(registry(folder), name, "ann")).isEqualTo(task(id));
    }

    @Test
    void idIsValidOnlyForItsPrincipalAndEra() {
        var desk = registry(folder);
        String name = desk.register(task("t-1"), "ann", null);
        var later = registry(folder);
        assertThat(find(later, name, "bob")).isNull();
        assertThat(later.find(name, Era.MODERN, "ann", null)).isNull();
        assertThat(find(later, name, "ann")).isNotNull();
    }

    @Test
    void idCannotBeForged() {
        var desk = registry(folder);
        String name = desk.register(task("t-1"), "ann", null);
        for (int i = 0; i < name.length(); i++) {
            for (char other : new char[] {'A', 'b', '0', '.', '_', '=', ' '}) {
                String changed = name.substring(0, i) + other + name.substring(i + 1);
                if (!changed.equals(name)) {
                    assertThat(find(desk, changed, "ann")).as(changed).isNull();
                }
            }
        }
        for (String no :
                List.of("", "t-1", "files", "files..", "a.b.c.d", name + "A", name + "=")) {
            assertThat(find(desk, no, "ann")).as(no).isNull();
        }
    }

    @Test
    void withoutStateDirIdsEndWithTheGateway() {
        var desk = registry(null);
        String name = desk.register(task("t-1"), "ann", null);
        assertThat(find(desk, name, "ann")).isNotNull();
        assertThat(find(registry(null), name, "ann")).isNull();
    }

    @Test
    void keyFileIsCreatedWithTheFirstTaskForTheOwnerOnly() throws IOException {
        Path key = folder.resolve("state").resolve("task-key");
        var desk = registry(folder.resolve("state"));
        assertThat(key).doesNotExist();
        desk.register(task("t-1"), "ann", null);
        assertThat(key).hasSize(32);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
    }

    /** A server that counts its tasks may give the same id again when it was restarted. */
    @Test
    void reusedServerTaskIdBelongsToTheLastHolder() {
        var desk = registry(folder);
        var first = new RecordingListener();
        var second = new RecordingListener();
        String old = desk.register(task("t-1"), "ann", first);
        String young = desk.register(task("t-1"), "bob", second);
        assertThat(find(desk, old, "ann")).isNull();
        assertThat(find(desk, young, "bob")).isEqualTo(task("t-1"));
        sendStatus(desk, "t-1");
        assertThat(first.received).isEmpty();
        assertThat(second.received).containsExactly("{\"taskId\":\"" + young + "\",\"n\":1}");
    }

    @Test
    void onlyTheConnectedHolderIsNotifiedOfATask() {
        var desk = registry(folder);
        var one = new RecordingListener();
        var other = new RecordingListener();
        String name = desk.register(task("t-1"), "ann", one);
        desk.register(task("t-2"), "ann", other);
        sendStatus(desk, "t-1");
        assertThat(one.received).hasSize(1);
        desk.removeListener(one);
        sendStatus(desk, "t-1");
        assertThat(one.received).hasSize(1);
        assertThat(desk.find(name, Era.LEGACY, "ann", other)).isNotNull();
        sendStatus(desk, "t-1");
        sendStatus(desk, "t-3");
        assertThat(other.received).hasSize(1);
    }

    private static TaskRegistry registry(@Nullable Path stateDir) {
        return new TaskRegistry(
                stateDir,
                (connection, _, _, _) -> new CallResult.Answered(connection.server(), EMPTY));
    }

    private static void sendStatus(TaskRegistry desk, String id) {
        desk.taskNotification(SERVER, Era.LEGACY, Json.of("{\"taskId\":\"" + id + "\",\"n\":1}"));
    }

    private static ServerTask task(String id) {
        return new ServerTask(SERVER, Era.LEGACY, id);
    }

    private static @Nullable ServerTask find(TaskRegistry desk, String name, String principal) {
        return desk.find(name, Era.LEGACY, principal, null);
    }

    /** Keeps what it hears. */
    private static final class RecordingListener implements TaskRegistry.TaskListener {
        private final List<String> received = new ArrayList<>();

        @Override
        public void taskChanged(Json params) {
            received.add(params.toString());
        }
    }
}
