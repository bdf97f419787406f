package dev.patchbay.conformance.bridge;

import static dev.patchbay.conformance.bridge.TaskFeatures.begin;
import static dev.patchbay.conformance.bridge.TaskFeatures.id;
import static dev.patchbay.conformance.bridge.TaskFeatures.params;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.Host;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Tasks belong to the one who began them, for as long as their server keeps them. */
class TaskTest {
    private static final String TOKEN = ",\"_meta\":{\"progressToken\":\"mine\"}}";

    @TempDir private Path folder;

    private Site site(String era, boolean http) {
        return new Site(folder)
                .server("s", era, http, it -> it.tools("task", "finishTask", "echo", "crash"));
    }

    @Test
    void onlyTheirOwnVersionIsToldOfTasks() throws Exception {
        try (Site site = site("legacy", false)) {
            for (String version : List.of("2025-11-25", "2025-06-18", "2024-11-05")) {
                EraClient client = site.stranger(false, true);
                String params = Messages.initializeParams(version);
                JsonTree greeting = client.request("initialize", params).at("result");
                assertThat(greeting.at("capabilities").has("tasks"))
                        .isEqualTo(version.equals("2025-11-25"));
                assertThat(greeting.at("capabilities").write()).doesNotContain("list\":{}");
            }
        }
    }

    /** An older client cannot ask for a task, and an own method of it does not exist there. */
    @Test
    void anOlderClientGetsTheResultItself() throws Exception {
        try (Site site = site("legacy", false)) {
            EraClient client = site.stranger(false, false).begin("2025-06-18");
            site.awaitListed(client);
            JsonTree answer = client.request("tools/call", params("s.task", "done"));
            assertThat(answer.at("result", "content", 0, "text").text())
                    .isEqualTo("done as a task");
            assertThat(client.request("tasks/get", id("x")).at("error", "code").integer())
                    .isEqualTo(-32601);
        }
    }

    @Test
    void aTaskIsFetchedAfterTheGatewayWasRestarted() throws Exception {
        try (Site site = site("legacy", true)) {
            EraClient before = site.client(false, true);
            String task = begin(before, "s.task", "wait");
            before.close();
            site.restart();
            EraClient after = site.client(false, true);
            assertThat(after.request("tasks/get", id(task)).at("result", "status").text())
                    .isEqualTo("working");
            String waits = after.send("tasks/result", id(task));
            assertThat(after.text("s.finishTask", "{\"task\":\"t-1\"}")).isEqualTo("finished");
            assertThat(after.answer(waits).at("result", "content", 0, "text").text())
                    .isEqualTo("done as a task");
            after.awaitNotice(
                    "notifications/tasks/status",
                    it -> it.at("params", "taskId").text().equals(task));
        }
    }

    /** Whoever is on stdio is another principal than whoever comes over an open port. */
    @Test
    void aTaskIsNotThereForAnotherPrincipal() throws Exception {
        try (Site site = site("legacy", true)) {
            EraClient owner = site.client(false, true);
            String task = begin(owner, "s.task", "wait");
            EraClient other = site.client(false, false);
            assertThat(Files.exists(folder.resolve(".local/state/patchbay/task-key"))).isTrue();
            int before = site.record("s").received("tasks/get").size();
            for (String method : List.of("tasks/get", "tasks/result", "tasks/cancel")) {
                assertThat(other.request(method, id(task)).at("error", "code").integer())
                        .as(method)
                        .isEqualTo(-32602);
            }
            assertThat(site.record("s").received("tasks/get")).hasSize(before);
            assertThat(site.record("s").received("tasks/cancel")).isEmpty();
            // The scripted server has one session: that of the other gateway ended the owner's, of
            // which the first call may have to tell.
            boolean working =
                    Host.await(
                            Host.PATIENCE,
                            () ->
                                    owner.request("tasks/get", id(task))
                                            .find("result", "status")
                                            .filter(it -> it.text().equals("working"))
                                            .isPresent());
            assertThat(working).isTrue();
        }
    }

    /** Of clients that the gateway cannot tell apart, each still needs the id, and hears alone. */
    @Test
    void aTaskIsToldToTheClientThatBeganIt() throws Exception {
        try (Site site = site("legacy", false)) {
            EraClient one = site.client(false, true);
            EraClient two = site.client(false, true);
            String first = begin(one, "s.task", "wait");
            String second = begin(two, "s.task", "wait");
            assertThat(first).isNotEqualTo(second);
            String mixed = first.substring(0, first.lastIndexOf('.'));
            mixed += second.substring(second.lastIndexOf('.'));
            assertThat(two.request("tasks/get", id(mixed)).at("error", "code").integer())
                    .isEqualTo(-32602);
            two.request("tasks/cancel", id(second));
            one.request("tasks/cancel", id(first));
            String status = "notifications/tasks/status";
            one.awaitNotice(status, it -> it.at("params", "taskId").text().equals(first));
            two.awaitNotice(status, it -> it.at("params", "taskId").text().equals(second));
            assertThat(one.notices(status)).hasSize(1);
            assertThat(two.notices(status)).hasSize(1);
        }
    }

    @Test
    void progressIsToldForAsLongAsTheTaskRuns() throws Exception {
        for (boolean http : new boolean[] {false, true}) {
            Path own = Files.createDirectory(folder.resolve("http-" + http));
            try (Site site = new Site(own).server("s", "legacy", false, it -> it.tools("task"))) {
                EraClient client = site.client(false, http);
                String call = params("s.task", "wait");
                String marked = call.substring(0, call.length() - 1) + TOKEN;
                JsonTree begun = client.request("tools/call", marked).at("result", "task");
                client.request("tasks/cancel", id(begun.at("taskId").text()));
                client.awaitNotice(
                        "notifications/progress",
                        it -> it.at("params", "progressToken").write().equals("\"mine\""));
            }
        }
    }

    /** A mark says whose question it is, also where several clients wait at one stdio server. */
    @Test
    void aQuestionOfATaskReachesTheClientThatWaitsForIt() throws Exception {
        try (Site site = site("legacy", false)) {
            EraClient one = site.client(false, true);
            EraClient two = site.client(false, true);
            String still = begin(two, "s.task", "wait");
            String waits = two.send("tasks/result", id(still));
            assertThat(EraClient.await(() -> !site.record("s").received("tasks/result").isEmpty()))
                    .isTrue();
            String task = begin(one, "s.task", "ask");
            JsonTree result = one.request("tasks/result", id(task)).at("result");
            assertThat(result.at("content", 0, "text").text()).contains("Ann");
            assertThat(one.questions()).hasSize(1);
            assertThat(two.questions()).isEmpty();
            assertThat(two.isAnswered(waits)).isFalse();
            two.request("tasks/cancel", id(still));
        }
    }

    /** The call that asks is in flight, and still not the one that the mark names. */
    @Test
    void aQuestionOfATaskThatNobodyWaitsForReachesNobody() throws Exception {
        try (Site site = new Site(folder).server("s", "legacy", false, it -> it.tools("ask"))) {
            EraClient client = site.client(false, true);
            String arguments =
                    ("{\"method\":\"elicitation/create\",\"params\":{\"message\":\"m\","
                                    + "\"requestedSchema\":{\"type\":\"object\","
                                    + "\"properties\":{}},"
                                    + "\"_meta\":{\"%s\":{\"taskId\":\"t-9\"}}}}")
                            .formatted(TaskFeatures.RELATED);
            assertThat(client.text("s.ask", arguments)).contains("-32603", "Nobody waits");
            assertThat(client.questions()).isEmpty();
        }
    }

    @Test
    void aToolThatHasNoTasksIsNotRunAsOne() throws Exception {
        try (Site site = site("legacy", false)) {
            EraClient client = site.client(false, true);
            JsonTree answer = client.request("tools/call", params("s.echo", "done"));
            assertThat(answer.at("error", "code").integer()).isEqualTo(-32601);
            assertThat(site.record("s").calls("echo")).isEmpty();
        }
    }

    @Test
    void theResultOfATaskIsWaitedForLongerThanACallMayTake() throws Exception {
        try (Site site =
                new Site(folder)
                        .with("\"requestTimeoutMs\":3000")
                        .server("s", "legacy", false, it -> it.tools("task", "finishTask"))) {
            EraClient client = site.client(false, true);
            String task = begin(client, "s.task", "wait");
            String waits = client.send("tasks/result", id(task));
            EraClient older = site.stranger(false, true).begin("2025-06-18");
            for (int i = 0; i < 2; i++) {
                JsonTree late = older.call("s.task", "{\"how\":\"wait\"}");
                assertThat(late.write()).contains("INVOCATION_FAILED", " 3000 ms");
            }
            assertThat(client.isAnswered(waits)).isFalse();
            assertThat(client.text("s.finishTask", "{\"task\":\"t-1\"}")).isEqualTo("finished");
            assertThat(client.answer(waits).at("result", "content", 0, "text").text())
                    .isEqualTo("done as a task");
        }
    }

    /** What the server says when it is back is passed on: it does not know the task any more. */
    @Test
    void theTasksOfAServerThatDiedAreReportedLost() throws Exception {
        try (Site site = site("legacy", false)) {
            EraClient client = site.client(false, true);
            String task = begin(client, "s.task", "wait");
            String waits = client.send("tasks/result", id(task));
            assertThat(EraClient.await(() -> !site.record("s").received("tasks/result").isEmpty()))
                    .isTrue();
            client.request("tools/call", Messages.callParams("s.crash", "{}"));
            JsonTree lost = client.answer(waits).at("error");
            assertThat(lost.at("code").integer()).isEqualTo(-32603);
            assertThat(lost.at("data", "reason").text()).isEqualTo("INVOCATION_FAILED");
            assertThat(lost.at("data", "execution").text()).isEqualTo("unknown");
            assertThat(client.request("tasks/get", id(task)).at("error", "message").text())
                    .isEqualTo("No such task");
        }
    }

    /** In the modern era too: there is no session, and nothing that could get lost. */
    @Test
    void aModernTaskIsOfItsPrincipalAndOutlivesTheGateway() throws Exception {
        try (Site site = site("modern", true)) {
            EraClient owner = modern(site, true);
            String task = begin(owner, "s.task", "wait");
            EraClient other = modern(site, false);
            for (String method : List.of("tasks/get", "tasks/cancel")) {
                assertThat(other.request(method, id(task)).at("error", "code").integer())
                        .as(method)
                        .isEqualTo(-32602);
            }
            assertThat(TaskFeatures.listen(other, task).list()).isEmpty();
            owner.close();
            site.restart();
            EraClient again = modern(site, true);
            assertThat(TaskFeatures.listen(again, task).list()).hasSize(1);
            assertThat(again.text("s.finishTask", "{\"task\":\"t-1\"}")).isEqualTo("finished");
            again.awaitNotice(
                    "notifications/tasks", it -> it.at("params", "taskId").text().equals(task));
            JsonTree seen = again.request("tasks/get", id(task)).at("result");
            assertThat(seen.at("result", "content", 0, "text").text()).isEqualTo("done as a task");
            assertThat(other.notices("notifications/tasks")).isEmpty();
        }
    }

    private static EraClient modern(Site site, boolean http) {
        EraClient client = site.client(true, http).declaring(EraMatrixTest.declared());
        site.awaitListed(client);
        return client;
    }

    /** A modern client says with each request what it knows. */
    @Test
    void whoDoesNotDeclareTasksIsToldTo() throws Exception {
        try (Site site = site("modern", false)) {
            EraClient client = site.client(true, true);
            String listen = "{\"notifications\":{\"taskIds\":[\"x\"]}}";
            for (String request :
                    List.of(
                            client.send("tasks/get", id("x")),
                            client.send("subscriptions/listen", listen))) {
                JsonTree error = client.answer(request).at("error");
                assertThat(error.at("code").integer()).isEqualTo(-32021);
                assertThat(error.at("data", "requiredCapabilities").write())
                        .isEqualTo("{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}");
                assertThat(client.wire().status(request)).isEqualTo(400);
            }
            for (String gone : List.of("tasks/list", "tasks/result")) {
                String id = client.send(gone, id("x"));
                assertThat(client.answer(id).at("error", "code").integer()).isEqualTo(-32601);
                assertThat(client.wire().status(id)).isEqualTo(404);
            }
        }
    }

    /** However little of it is left when the task has begun, it is the call's that is told. */
    @ParameterizedTest
    @ValueSource(strings = {"legacy", "modern"})
    void aTaskThatTheGatewayWaitsForHasTheTimeOfItsCall(String era) throws Exception {
        try (Site site =
                new Site(folder)
                        .with("\"requestTimeoutMs\":1000")
                        .server("s", era, false, it -> it.tools("task"))) {
            EraClient client = site.stranger(false, false).begin("2025-06-18");
            site.awaitListed(client);
            JsonTree late = client.call("s.task", "{\"how\":\"wait\"}");
            assertThat(late.write()).contains("INVOCATION_FAILED", " 1000 ms");
        }
    }

    /** A call that is given up takes its task along. */
    @Test
    void aTaskThatTheGatewayWaitsForEndsWithItsCall() throws Exception {
        for (String era : List.of("legacy", "modern")) {
            Path own = Files.createDirectory(folder.resolve(era));
            try (Site site = new Site(own).server("s", era, false, it -> it.tools("task"))) {
                EraClient client = site.client(false, false);
                String call = Messages.callParams("s.task", "{\"how\":\"wait\"}");
                String id = client.send("tools/call", call);
                String waits = era.equals("modern") ? "tasks/get" : "tasks/result";
                assertThat(EraClient.await(() -> !site.record("s").received(waits).isEmpty()))
                        .isTrue();
                client.wire().giveUp(id);
                assertThat(
                                EraClient.await(
                                        () ->
                                                site.record("s").received("tasks/cancel").size()
                                                        == 1))
                        .as(era)
                        .isTrue();
            }
        }
    }
}
