package dev.patchbay.conformance.bridge;

import static dev.patchbay.conformance.bridge.TaskFeatureChecks.startTask;
import static dev.patchbay.conformance.bridge.TaskFeatureChecks.taskCallParams;
import static dev.patchbay.conformance.bridge.TaskFeatureChecks.taskIdParams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestHost;
import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Tasks belong to the principal that started them, as long as their server keeps them. */
class TaskForwardingTest {
    private static final String PROGRESS_TOKEN_META = ",\"_meta\":{\"progressToken\":\"mine\"}}";

    @TempDir private Path folder;

    private BridgeFixture newFixture(String era, boolean http) {
        return new BridgeFixture(folder)
                .withServer("s", era, http, it -> it.tools("task", "finishTask", "echo", "crash"));
    }

    @Test
    void tasksAreAdvertisedOnlyInTheirProtocolVersion() throws Exception {
        try (BridgeFixture fixture = newFixture("legacy", false)) {
            for (String version : List.of("2025-11-25", "2025-06-18", "2024-11-05")) {
                EraClient client = fixture.newClient(false, true);
                String params = ClientMessages.initializeParams(version);
                JsonTree initialized = client.request("initialize", params).at("result");
                assertThat(initialized.at("capabilities").has("tasks"))
                        .isEqualTo(version.equals("2025-11-25"));
                assertThat(initialized.at("capabilities").write()).doesNotContain("list\":{}");
            }
        }
    }

    /** Older versions have no tasks and no task methods. */
    @Test
    void olderClientGetsTheResultDirectly() throws Exception {
        try (BridgeFixture fixture = newFixture("legacy", false)) {
            EraClient client = fixture.newClient(false, false).initialize("2025-06-18");
            fixture.awaitListed(client);
            JsonTree answer = client.request("tools/call", taskCallParams("s.task", "done"));
            assertThat(answer.at("result", "content", 0, "text").asText())
                    .isEqualTo("done as a task");
            assertThat(client.request("tasks/get", taskIdParams("x")).at("error", "code").asLong())
                    .isEqualTo(-32601);
        }
    }

    @Test
    void taskResultIsAvailableAfterGatewayRestart() throws Exception {
        try (BridgeFixture fixture = newFixture("legacy", true)) {
            EraClient before = fixture.connectClient(false, true);
            String task = startTask(before, "s.task", "wait");
            before.close();
            fixture.stopHttpGateway();
            EraClient after = fixture.connectClient(false, true);
            assertThat(
                            after.request("tasks/get", taskIdParams(task))
                                    .at("result", "status")
                                    .asText())
                    .isEqualTo("working");
            String waits = after.send("tasks/result", taskIdParams(task));
            assertThat(after.callForText("s.finishTask", "{\"task\":\"t-1\"}"))
                    .isEqualTo("finished");
            assertThat(after.awaitResponse(waits).at("result", "content", 0, "text").asText())
                    .isEqualTo("done as a task");
            after.awaitNotification(
                    "notifications/tasks/status",
                    it -> it.at("params", "taskId").asText().equals(task));
        }
    }

    /** A client on stdio is a different principal from a client over HTTP. */
    @Test
    void taskIsInvisibleToOtherPrincipals() throws Exception {
        try (BridgeFixture fixture = newFixture("legacy", true)) {
            EraClient owner = fixture.connectClient(false, true);
            String task = startTask(owner, "s.task", "wait");
            EraClient other = fixture.connectClient(false, false);
            assertThat(Files.exists(folder.resolve(".local/state/patchbay/task-key"))).isTrue();
            int before = fixture.record("s").received("tasks/get").size();
            for (String method : List.of("tasks/get", "tasks/result", "tasks/cancel")) {
                assertThat(other.request(method, taskIdParams(task)).at("error", "code").asLong())
                        .as(method)
                        .isEqualTo(-32602);
            }
            assertThat(fixture.record("s").received("tasks/get")).hasSize(before);
            assertThat(fixture.record("s").received("tasks/cancel")).isEmpty();
            // The scripted server has one session: that of the other gateway ended the owner's, of
            // which the first call may have to tell.
            boolean working =
                    TestHost.await(
                            TestHost.TIMEOUT,
                            () ->
                                    owner.request("tasks/get", taskIdParams(task))
                                            .findAt("result", "status")
                                            .filter(it -> it.asText().equals("working"))
                                            .isPresent());
            assertThat(working).isTrue();
        }
    }

    /** Clients of one principal still need the task id, and only the owner is notified. */
    @Test
    void taskNotificationsReachOnlyTheClientThatStartedTheTask() throws Exception {
        try (BridgeFixture fixture = newFixture("legacy", false)) {
            EraClient one = fixture.connectClient(false, true);
            EraClient two = fixture.connectClient(false, true);
            String first = startTask(one, "s.task", "wait");
            String second = startTask(two, "s.task", "wait");
            assertThat(first).isNotEqualTo(second);
            String mixed = first.substring(0, first.lastIndexOf('.'));
            mixed += second.substring(second.lastIndexOf('.'));
            assertThat(two.request("tasks/get", taskIdParams(mixed)).at("error", "code").asLong())
                    .isEqualTo(-32602);
            two.request("tasks/cancel", taskIdParams(second));
            one.request("tasks/cancel", taskIdParams(first));
            String status = "notifications/tasks/status";
            one.awaitNotification(status, it -> it.at("params", "taskId").asText().equals(first));
            two.awaitNotification(status, it -> it.at("params", "taskId").asText().equals(second));
            assertThat(one.notifications(status)).hasSize(1);
            assertThat(two.notifications(status)).hasSize(1);
        }
    }

    @Test
    void progressIsForwardedUntilTheTaskEnds() throws Exception {
        for (boolean http : new boolean[] {false, true}) {
            Path own = Files.createDirectory(folder.resolve("http-" + http));
            try (BridgeFixture fixture =
                    new BridgeFixture(own)
                            .withServer("s", "legacy", false, it -> it.tools("task"))) {
                EraClient client = fixture.connectClient(false, http);
                String call = taskCallParams("s.task", "wait");
                String marked = call.substring(0, call.length() - 1) + PROGRESS_TOKEN_META;
                JsonTree begun = client.request("tools/call", marked).at("result", "task");
                client.request("tasks/cancel", taskIdParams(begun.at("taskId").asText()));
                client.awaitNotification(
                        "notifications/progress",
                        it -> it.at("params", "progressToken").write().equals("\"mine\""));
            }
        }
    }

    /**
     * The related-task member says whose request it is, also with several clients at one stdio
     * server.
     */
    @Test
    void inputRequestOfATaskReachesTheClientThatWaitsForIt() throws Exception {
        try (BridgeFixture fixture = newFixture("legacy", false)) {
            EraClient one = fixture.connectClient(false, true);
            EraClient two = fixture.connectClient(false, true);
            String still = startTask(two, "s.task", "wait");
            String waits = two.send("tasks/result", taskIdParams(still));
            assertThat(
                            EraClient.await(
                                    () -> !fixture.record("s").received("tasks/result").isEmpty()))
                    .isTrue();
            String task = startTask(one, "s.task", "ask");
            JsonTree result = one.request("tasks/result", taskIdParams(task)).at("result");
            assertThat(result.at("content", 0, "text").asText()).contains("Ann");
            assertThat(one.serverRequests()).hasSize(1);
            assertThat(two.serverRequests()).isEmpty();
            assertThat(two.hasResponse(waits)).isFalse();
            two.request("tasks/cancel", taskIdParams(still));
        }
    }

    /** The asking call is in flight, but the related-task member names another. */
    @Test
    void inputRequestOfATaskWithoutWaitingClientIsNotForwarded() throws Exception {
        try (BridgeFixture fixture =
                new BridgeFixture(folder).withServer("s", "legacy", false, it -> it.tools("ask"))) {
            EraClient client = fixture.connectClient(false, true);
            String arguments =
                    ("{\"method\":\"elicitation/create\",\"params\":{\"message\":\"m\","
                                    + "\"requestedSchema\":{\"type\":\"object\","
                                    + "\"properties\":{}},"
                                    + "\"_meta\":{\"%s\":{\"taskId\":\"t-9\"}}}}")
                            .formatted(TaskFeatureChecks.RELATED_TASK_KEY);
            assertThat(client.callForText("s.ask", arguments))
                    .contains("-32603", "No client waits");
            assertThat(client.serverRequests()).isEmpty();
        }
    }

    @Test
    void toolWithoutTaskSupportIsNotRunAsATask() throws Exception {
        try (BridgeFixture fixture = newFixture("legacy", false)) {
            EraClient client = fixture.connectClient(false, true);
            JsonTree answer = client.request("tools/call", taskCallParams("s.echo", "done"));
            assertThat(answer.at("error", "code").asLong()).isEqualTo(-32601);
            assertThat(fixture.record("s").callArguments("echo")).isEmpty();
        }
    }

    @Test
    void taskResultMayTakeLongerThanTheRequestTimeout() throws Exception {
        try (BridgeFixture fixture =
                new BridgeFixture(folder)
                        .withEntryMembers("\"requestTimeoutMs\":3000")
                        .withServer("s", "legacy", false, it -> it.tools("task", "finishTask"))) {
            EraClient client = fixture.connectClient(false, true);
            String task = startTask(client, "s.task", "wait");
            String waits = client.send("tasks/result", taskIdParams(task));
            EraClient older = fixture.newClient(false, true).initialize("2025-06-18");
            for (int i = 0; i < 2; i++) {
                JsonTree late = older.call("s.task", "{\"how\":\"wait\"}");
                assertThat(late.write()).contains("INVOCATION_FAILED", " 3000 ms");
            }
            assertThat(client.hasResponse(waits)).isFalse();
            assertThat(client.callForText("s.finishTask", "{\"task\":\"t-1\"}"))
                    .isEqualTo("finished");
            assertThat(client.awaitResponse(waits).at("result", "content", 0, "text").asText())
                    .isEqualTo("done as a task");
        }
    }

    /** After its restart the server does not know the task, and its error is forwarded. */
    @Test
    void tasksOfADeadServerAreReportedLost() throws Exception {
        try (BridgeFixture fixture = newFixture("legacy", false)) {
            EraClient client = fixture.connectClient(false, true);
            String task = startTask(client, "s.task", "wait");
            String waits = client.send("tasks/result", taskIdParams(task));
            assertThat(
                            EraClient.await(
                                    () -> !fixture.record("s").received("tasks/result").isEmpty()))
                    .isTrue();
            client.request("tools/call", ClientMessages.callParams("s.crash", "{}"));
            JsonTree lost = client.awaitResponse(waits).at("error");
            assertThat(lost.at("code").asLong()).isEqualTo(-32603);
            assertThat(lost.at("data", "reason").asText()).isEqualTo("INVOCATION_FAILED");
            assertThat(lost.at("data", "execution").asText()).isEqualTo("unknown");
            assertThat(
                            client.request("tasks/get", taskIdParams(task))
                                    .at("error", "message")
                                    .asText())
                    .isEqualTo("No such task");
        }
    }

    /** The modern era has no session that could be lost. */
    @Test
    void modernTaskBelongsToItsPrincipalAndSurvivesRestart() throws Exception {
        try (BridgeFixture fixture = newFixture("modern", true)) {
            EraClient owner = modernTaskClient(fixture, true);
            String task = startTask(owner, "s.task", "wait");
            EraClient other = modernTaskClient(fixture, false);
            for (String method : List.of("tasks/get", "tasks/cancel")) {
                assertThat(other.request(method, taskIdParams(task)).at("error", "code").asLong())
                        .as(method)
                        .isEqualTo(-32602);
            }
            assertThat(TaskFeatureChecks.listenToTask(other, task).asList()).isEmpty();
            owner.close();
            fixture.stopHttpGateway();
            EraClient again = modernTaskClient(fixture, true);
            assertThat(TaskFeatureChecks.listenToTask(again, task).asList()).hasSize(1);
            assertThat(again.callForText("s.finishTask", "{\"task\":\"t-1\"}"))
                    .isEqualTo("finished");
            again.awaitNotification(
                    "notifications/tasks", it -> it.at("params", "taskId").asText().equals(task));
            JsonTree seen = again.request("tasks/get", taskIdParams(task)).at("result");
            assertThat(seen.at("result", "content", 0, "text").asText())
                    .isEqualTo("done as a task");
            assertThat(other.notifications("notifications/tasks")).isEmpty();
        }
    }

    private static EraClient modernTaskClient(BridgeFixture fixture, boolean http) {
        EraClient client =
                fixture.connectClient(true, http)
                        .withCapabilities(EraMatrixTest.clientCapabilities());
        fixture.awaitListed(client);
        return client;
    }

    /** A modern client declares its capabilities with each request. */
    @Test
    void clientThatDoesNotDeclareTasksIsToldToDeclareThem() throws Exception {
        try (BridgeFixture fixture = newFixture("modern", false)) {
            EraClient client = fixture.connectClient(true, true);
            String listen = "{\"notifications\":{\"taskIds\":[\"x\"]}}";
            for (String request :
                    List.of(
                            client.send("tasks/get", taskIdParams("x")),
                            client.send("subscriptions/listen", listen))) {
                JsonTree error = client.awaitResponse(request).at("error");
                assertThat(error.at("code").asLong()).isEqualTo(-32021);
                assertThat(error.at("data", "requiredCapabilities").write())
                        .isEqualTo("{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}");
                assertThat(client.transport().httpStatus(request)).isEqualTo(400);
            }
            for (String gone : List.of("tasks/list", "tasks/result")) {
                String id = client.send(gone, taskIdParams("x"));
                assertThat(client.awaitResponse(id).at("error", "code").asLong()).isEqualTo(-32601);
                assertThat(client.transport().httpStatus(id)).isEqualTo(404);
            }
        }
    }

    /**
     * The error names the timeout of the call, not the time that was left when the task started.
     */
    @ParameterizedTest
    @ValueSource(strings = {"legacy", "modern"})
    void taskAwaitedByTheGatewayHasTheTimeoutOfItsCall(String era) throws Exception {
        try (BridgeFixture fixture =
                new BridgeFixture(folder)
                        .withEntryMembers("\"requestTimeoutMs\":1000")
                        .withServer("s", era, false, it -> it.tools("task"))) {
            EraClient client = fixture.newClient(false, false).initialize("2025-06-18");
            fixture.awaitListed(client);
            JsonTree late = client.call("s.task", "{\"how\":\"wait\"}");
            assertThat(late.write()).contains("INVOCATION_FAILED", " 1000 ms");
        }
    }

    /** Cancelling the call cancels its task. */
    @Test
    void taskAwaitedByTheGatewayIsCancelledWithItsCall() throws Exception {
        for (String era : List.of("legacy", "modern")) {
            Path own = Files.createDirectory(folder.resolve(era));
            try (BridgeFixture fixture =
                    new BridgeFixture(own).withServer("s", era, false, it -> it.tools("task"))) {
                EraClient client = fixture.connectClient(false, false);
                String call = ClientMessages.callParams("s.task", "{\"how\":\"wait\"}");
                String id = client.send("tools/call", call);
                String waits = era.equals("modern") ? "tasks/get" : "tasks/result";
                assertThat(EraClient.await(() -> !fixture.record("s").received(waits).isEmpty()))
                        .isTrue();
                client.transport().cancel(id);
                assertThat(
                                EraClient.await(
                                        () ->
                                                fixture.record("s").received("tasks/cancel").size()
                                                        == 1))
                        .as(era)
                        .isTrue();
            }
        }
    }
}
