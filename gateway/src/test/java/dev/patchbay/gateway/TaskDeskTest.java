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

class TaskDeskTest {
    private static final Json EMPTY = Json.EMPTY_OBJECT;
    private static final ServerId SERVER = new ServerId("files");

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"t-1", "", "a.b/c", "é😀", "\u0000\"\\", "786512e2-9e0d-44bd"})
    void anIdLeadsBackToItsTaskAfterARestart(String id) {
        String name = desk(folder).give(task(id), "ann", null);
        assertThat(name).matches("files\\.[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]{22}");
        assertThat(find(desk(folder), name, "ann")).isEqualTo(task(id));
    }

    @Test
    void anIdIsGoodForItsPrincipalAndItsFormOnly() {
        var desk = desk(folder);
        String name = desk.give(task("t-1"), "ann", null);
        var later = desk(folder);
        assertThat(find(later, name, "bob")).isNull();
        assertThat(later.find(name, Era.MODERN, "ann", null)).isNull();
        assertThat(find(later, name, "ann")).isNotNull();
    }

    @Test
    void nobodyCanMakeAnId() {
        var desk = desk(folder);
        String name = desk.give(task("t-1"), "ann", null);
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
    void withoutAFolderAnIdLivesAsLongAsTheGateway() {
        var desk = desk(null);
        String name = desk.give(task("t-1"), "ann", null);
        assertThat(find(desk, name, "ann")).isNotNull();
        assertThat(find(desk(null), name, "ann")).isNull();
    }

    @Test
    void theKeyIsMadeWithTheFirstTaskForTheUserAlone() throws IOException {
        Path key = folder.resolve("state").resolve("task-key");
        var desk = desk(folder.resolve("state"));
        assertThat(key).doesNotExist();
        desk.give(task("t-1"), "ann", null);
        assertThat(key).hasSize(32);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
    }

    /** A server that counts its tasks may give the same id again when it was restarted. */
    @Test
    void anIdThatAServerGivesTwiceIsOfTheSecond() {
        var desk = desk(folder);
        var first = new Ear();
        var second = new Ear();
        String old = desk.give(task("t-1"), "ann", first);
        String young = desk.give(task("t-1"), "bob", second);
        assertThat(find(desk, old, "ann")).isNull();
        assertThat(find(desk, young, "bob")).isEqualTo(task("t-1"));
        tell(desk, "t-1");
        assertThat(first.heard).isEmpty();
        assertThat(second.heard).containsExactly("{\"taskId\":\"" + young + "\",\"n\":1}");
    }

    @Test
    void onlyTheHolderHearsOfATaskAndOnlyWhileHeIsThere() {
        var desk = desk(folder);
        var one = new Ear();
        var other = new Ear();
        String name = desk.give(task("t-1"), "ann", one);
        desk.give(task("t-2"), "ann", other);
        tell(desk, "t-1");
        assertThat(one.heard).hasSize(1);
        desk.leave(one);
        tell(desk, "t-1");
        assertThat(one.heard).hasSize(1);
        assertThat(desk.find(name, Era.LEGACY, "ann", other)).isNotNull();
        tell(desk, "t-1");
        tell(desk, "t-3");
        assertThat(other.heard).hasSize(1);
    }

    private static TaskDesk desk(@Nullable Path stateDir) {
        return new TaskDesk(stateDir, (server, _, _, _) -> new Reply.Answered(server, EMPTY));
    }

    private static void tell(TaskDesk desk, String id) {
        desk.told(SERVER, Era.LEGACY, Json.of("{\"taskId\":\"" + id + "\",\"n\":1}"));
    }

    private static ServerTask task(String id) {
        return new ServerTask(SERVER, Era.LEGACY, id);
    }

    private static @Nullable ServerTask find(TaskDesk desk, String name, String principal) {
        return desk.find(name, Era.LEGACY, principal, null);
    }

    /** Keeps what it hears. */
    private static final class Ear implements TaskDesk.Client {
        private final List<String> heard = new ArrayList<>();

        @Override
        public void taskChanged(Json params) {
            heard.add(params.toString());
        }
    }
}
