package dev.patchbay.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.Implementation;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The tools that look into the session's JVM. */
class RuntimeToolsTest {
    private static final ReplTestSession REPL = new ReplTestSession();
    private static final ReplService SERVICE =
            ReplService.of(new Implementation("repl", "1"), REPL.session);
    private static final ReplServiceClient CLIENT = new ReplServiceClient(SERVICE);

    @AfterAll
    static void end() {
        SERVICE.close();
    }

    @Test
    void showsHeapCollectionsAndTheLargestClasses() throws Exception {
        REPL.value(
                """
                record Ballast(long a, long b) {}
                var ballast = new ArrayList<Ballast>();
                for (int i = 0; i < 100_000; i++) ballast.add(new Ballast(i, i));
                ballast.size()
                """);
        Json result = CLIENT.call("memory", "{\"histogram\":10,\"collect\":true}");
        Json structured = result.member("structuredContent");
        Json heap = structured.member("memory").member("heap");
        assertThat(JsonFields.number(heap, "usedBytes")).isGreaterThan(2_400_000);
        Json histogram = structured.member("histogram");
        Json counted =
                JsonFields.elements(histogram, "histogram").stream()
                        .filter(it -> JsonFields.text(it, "class").equals("Ballast"))
                        .findFirst()
                        .orElseThrow();
        assertThat(JsonFields.number(counted, "instances")).isEqualTo(100_000);
        assertThat(JsonFields.number(histogram, "omitted")).isPositive();
        assertThat(ReplServiceClient.text(result)).contains("Heap: ", "Collector ", "Ballast");
    }

    @Test
    void showsThreadsWithWhatTheyWaitFor() throws Exception {
        REPL.value(
                """
                var gate = new Object();
                var holder = new Thread(() -> {
                    synchronized (gate) {
                        try { gate.wait(); } catch (InterruptedException e) { }
                    }
                }, "holder");
                holder.setDaemon(true);
                holder.start();
                var carried = Thread.ofVirtual().name("carried").start(() -> {
                    try { new CountDownLatch(1).await(); } catch (InterruptedException e) { }
                });
                while (holder.getState() != Thread.State.WAITING) Thread.onSpinWait();
                while (carried.getState() != Thread.State.WAITING) Thread.onSpinWait();
                0
                """);
        Json result = CLIENT.call("threads", "{}");
        assertThat(ReplServiceClient.text(result))
                .contains("\"holder\" WAITING waits for java.lang.Object")
                .contains("\"carried\" virtual")
                .doesNotContain("\"wire\"");
        assertThat(ReplServiceClient.text(CLIENT.call("threads", "{\"all\":true}")))
                .contains("\"wire\"");
        REPL.value("holder.interrupt();\ncarried.interrupt();\n0");
    }

    @Test
    void namesDeadlocks() throws Exception {
        REPL.value(
                """
                var one = new Object();
                var two = new Object();
                var both = new CountDownLatch(2);
                Thread locker(String name, Object first, Object second) {
                    var thread = new Thread(() -> {
                        synchronized (first) {
                            both.countDown();
                            try { both.await(); } catch (InterruptedException e) { }
                            synchronized (second) { }
                        }
                    }, name);
                    thread.setDaemon(true);
                    thread.start();
                    return thread;
                }
                var left = locker("left", one, two);
                var right = locker("right", two, one);
                while (left.getState() != Thread.State.BLOCKED) Thread.onSpinWait();
                while (right.getState() != Thread.State.BLOCKED) Thread.onSpinWait();
                0
                """);
        assertThat(ReplServiceClient.text(CLIENT.call("threads", "{}")))
                .contains("[DEADLOCK] \"left\" BLOCKED", "held by \"right\"");
    }
}
