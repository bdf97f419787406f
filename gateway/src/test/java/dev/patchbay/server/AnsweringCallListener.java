package dev.patchbay.server;

import dev.patchbay.json.Json;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A call of a client of some principal, which answers when it is let. */
final class AnsweringCallListener implements CallListener {
    final List<String> inputRequests = new CopyOnWriteArrayList<>();
    final CountDownLatch mayAnswer = new CountDownLatch(1);
    private final String client;
    private final String principal;
    private final boolean acceptsRequests;

    AnsweringCallListener(String client, String principal, boolean able) {
        this.client = client;
        this.principal = principal;
        this.acceptsRequests = able;
    }

    static AnsweringCallListener of(String client) {
        return new AnsweringCallListener(client, "ann", true);
    }

    /** The same, and it has all the answers. */
    AnsweringCallListener answering() {
        mayAnswer.countDown();
        return this;
    }

    @Override
    public Object client() {
        return client;
    }

    @Override
    public String principal() {
        return principal;
    }

    @Override
    public boolean acceptsInputRequest(String method, Json params) {
        return acceptsRequests;
    }

    @Override
    public Json requestInput(String method, Json params) throws InterruptedException {
        inputRequests.add(params.toString());
        mayAnswer.await();
        return Json.of("{\"by\":\"" + client + "\"}");
    }
}
