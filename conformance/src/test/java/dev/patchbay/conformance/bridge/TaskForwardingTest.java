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

/** Tasks belong to the one who began them, for as long as their server keeps them. */
class TaskForwardingTest {
    private static final String PROGRESS_TOKEN_META = ",\"_meta\":{\"progressToken\":\"mine\"}}";

    @TempDir private Path folder;

    private BridgeFixture newFixture(String era, boolean http) {
        return new BridgeFixture(folder)
                .withServer("s", era, http, it -> it.tools("task", "finishTask", "echo", "crash"));
    }

    @Test
    void tasksAreAdvertisedOnlyInTheirProtocolVersion() throws Exception {
        try (BridgeFixture site = newFixture("legacy", false)) {
            for (String version : List.of("2025-11-25", "2025-06-18", "2024-11-05")) {
                EraClient client = site.newClient(false, true);
                String params = ClientMessages.initializeParams(version);
                JsonTree greeting = client.request("initialize", params).at("result");
                assertThat(greeting.at("capabilities").has("tasks"))
                        .isEqualTo(version.equals("2025-11-25"));
                assertThat(greeting.at("capabilities").write()).doesNotContain("list\":{}");
            }
        }
    }

    /** An older client cannot ask for a task, and an own method of it does not exist there. */
    @Test
    void olderClientGetsTheResultDirectly() throws Exception {
        try (BridgeFixture site = newFixture("legacy", false)) {
            EraClient client = site.newClient(false, false).initialize("2025-06-18");
            site.awaitListed(client);
            JsonTree answer = client.request("tools/call", taskCallParams("s.task", "done"));
            assertThat(answer.at("result", "content", 0, "text").asText())
                    .isEqualTo("done as a task");
            assertThat(client.request("tasks/get", taskIdParams("x")).at("error", "code").asLong())
                    .isEqualTo(-32601);
        }
    }

    @Test
    void taskResultIsAvailableAfterGatewayRestart() throws Exception {
        try (BridgeFixture site = newFixture("legacy", true)) {
            EraClient before = site.connectClient(false, true);
            String task = startTask(before, "s.task", "wait");
            before.close();
            site.stopHttpGateway();
            EraClient after = site.connectClient(false, true);
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

    /** Whoever is on stdio is another principal than whoever comes over an open port. */
    @Test
    void taskIsInvisibleToOtherPrincipals() throws Exception {
        try (BridgeFixture site = newFixture("legacy", true)) {
            EraClient owner = site.connectClient(false, true);
            String task = startTask(owner, "s.task", "wait");
            EraClient other = site.connectClient(false, false);
            assertThat(Files.exists(folder.resolve(".local/state/patchbay/task-key"))).isTrue();
            int before = site.record("s").received("tasks/get").size();
            for (String method : List.of("tasks/get", "tasks/result", "tasks/cancel")) {
                assertThat(other.request(method, taskIdParams(task)).at("error", "code").asLong())
                        .as(method)
                        .isEqualTo(-32602);
            }
            assertThat(site.record("s").received("tasks/get")).hasSize(before);
            assertThat(site.record("s").received("tasks/cancel")).isEmpty();
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

    /** Of clients that the gateway cannot tell apart, each still needs the id, and hears alone. */
    @Test
    void taskNotificationsReachOnlyTheClientThatStartedTheTask() throws Exception {
        try (BridgeFixture site = newFixture("legacy", false)) {
            EraClient one = site.connectClient(false, true);
            EraClient two = site.connectClient(false, true);
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
            try (BridgeFixture site =
                    new BridgeFixture(own)
                            .withServer("s", "legacy", false, it -> it.tools("task"))) {
                EraClient client = site.connectClient(false, http);
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

    /** A mark says whose question it is, also where several clients wait at one stdio server. */
    @Test
    void inputRequestOfATaskReachesTheClientThatWaitsForIt() throws Exception {
        try (BridgeFixture site = newFixture("legacy", false)) {
            EraClient one = site.connectClient(false, true);
            EraClient two = site.connectClient(false, true);
            String still = startTask(two, "s.task", "wait");
            String waits = two.send("tasks/result", taskIdParams(still));
            assertThat(EraClient.await(() -> !site.record("s").received("tasks/result").isEmpty()))
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

    /** The call that asks is in flight, and still not the one that the mark names. */
    @Test
    void inputRequestOfATaskWithoutWaitingClientIsNotForwarded() throws Exception {
        try (BridgeFixture site =
                new BridgeFixture(folder).withServer("s", "legacy", false, it -> it.tools("ask"))) {
            EraClient client = site.connectClient(false, true);
            String arguments =
                    ("{\"method\":\"elicitation/create\",\"params\":{\"message\":\"m\","
                                    + "\"requestedSchema\":{\"type\":\"object\","
                                    + "\"properties\":{}},"
                                    + "\"_meta\":{\"%s\":{\"taskId\":\"t-9\"}}}}")
                            .formatted(TaskFeatureChecks.RELATED_TASK_KEY);
            assertThat(client.callForText("s.ask", arguments)).contains("-32603", "Nobody waits");
            assertThat(client.serverRequests()).isEmpty();
        }
    }

    @Test
    void toolWithoutTaskSupportIsNotRunAsATask() throws Exception {
        try (BridgeFixture site = newFixture("legacy", false)) {
            EraClient client = site.connectClient(false, true);
            JsonTree answer = client.request("tools/call", taskCallParams("s.echo", "done"));
            assertThat(answer.at("error", "code").asLong()).isEqualTo(-32601);
            assertThat(site.record("s").callArguments("echo")).isEmpty();
        }
    }

    @Test
    void taskResultMayTakeLongerThanTheRequestTimeout() throws Exception {
        try (BridgeFixture site =
                new BridgeFixture(folder)
                        .withEntryMembers("\"requestTimeoutMs\":3000")
                        .withServer("s", "legacy", false, it -> it.tools("task", "finishTask"))) {
            EraClient client = site.connectClient(false, true);
            String task = startTask(client, "s.task", "wait");
            String waits = client.send("tasks/result", taskIdParams(task));
            EraClient older = site.newClient(false, true).initialize("2025-06-18");
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

    /** What the server says when it is back is passed on: it does not know the task any more. */
    @Test
    void tasksOfADeadServerAreReportedLost() throws Exception {
        try (BridgeFixture site = newFixture("legacy", false)) {
            EraClient client = site.connectClient(false, true);
            String task = startTask(client, "s.task", "wait");
            String waits = client.send("tasks/result", taskIdParams(task));
            assertThat(EraClient.await(() -> !site.record("s").received("tasks/result").isEmpty()))
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

    /** In the modern era too: there is no session, and nothing that could get lost. */
    @Test
    void modernTaskBelongsToItsPrincipalAndSurvivesRestart() throws Exception {
        try (BridgeFixture site = newFixture("modern", true)) {
            EraClient owner = modernTaskClient(site, true);
            String task = startTask(owner, "s.task", "wait");
            EraClient other = modernTaskClient(site, false);
            for (String method : List.of("tasks/get", "tasks/cancel")) {
                assertThat(other.request(method, taskIdParams(task)).at("error", "code").asLong())
                        .as(method)
                        .isEqualTo(-32602);
            }
            assertThat(TaskFeatureChecks.listenToTask(other, task).asList()).isEmpty();
            owner.close();
            site.stopHttpGateway();
            EraClient again = modernTaskClient(site, true);
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

    private static EraClient modernTaskClient(BridgeFixture site, boolean http) {
        EraClient client =
                site.connectClient(true, http).withCapabilities(EraMatrixTest.clientCapabilities());
        site.awaitListed(client);
        return client;
    }

    /** A modern client says with each request what it knows. */
    @Test
    void clientThatDoesNotDeclareTasksIsToldToDeclareThem() throws Exception {
        try (BridgeFixture site = newFixture("modern", false)) {
            EraClient client = site.connectClient(true, true);
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

    /** However little of it is left when the task has begun, it is the call's that is told. */
    @ParameterizedTest
    @ValueSource(strings = {"legacy", "modern"})
    void taskAwaitedByTheGatewayHasTheTimeoutOfItsCall(String era) throws Exception {
        try (BridgeFixture site =
                new BridgeFixture(folder)
                        .withEntryMembers("\"requestTimeoutMs\":1000")
                        .withServer("s", era, false, it -> it.tools("task"))) {
            EraClient client = site.newClient(false, false).initialize("2025-06-18");
            site.awaitListed(client);
            JsonTree late = client.call("s.task", "{\"how\":\"wait\"}");
            assertThat(late.write()).contains("INVOCATION_FAILED", " 1000 ms");
        }
    }

    /** A call that is given up takes its task along. */
    @Test
    void taskAwaitedByTheGatewayIsCancelledWithItsCall() throws Exception {
        for (String era : List.of("legacy", "modern")) {
            Path own = Files.createDirectory(folder.resolve(era));
            try (BridgeFixture site =
                    new BridgeFixture(own).withServer("s", era, false, it -> it.tools("task"))) {
                EraClient client = site.connectClient(false, false);
                String call = ClientMessages.callParams("s.task", "{\"how\":\"wait\"}");
                String id = client.send("tools/call", call);
                String waits = era.equals("modern") ? "tasks/get" : "tasks/result";
                assertThat(EraClient.await(() -> !site.record("s").received(waits).isEmpty()))
                        .isTrue();
                client.transport().cancel(id);
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
