package dev.patchbay.front;

import dev.patchbay.gateway.ServerTask;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.Tasks;
import dev.patchbay.server.CallListener;

import org.jspecify.annotations.Nullable;

/** The client that waits for a task, which it knows by a name of its own. */
record TaskEar(CallListener ear, ServerTask task, String name) implements CallListener {
    @Override
    public Object client() {
        return ear.client();
    }

    @Override
    public String principal() {
        return ear.principal();
    }

    @Override
    public boolean wantsProgress() {
        return ear.wantsProgress();
    }

    @Override
    public void progress(Json params) {
        ear.progress(Tasks.relatedTo(params, name));
    }

    @Override
    public boolean logged(Json params) {
        return ear.logged(Tasks.relatedTo(params, name));
    }

    @Override
    public boolean takes(String method, Json params) {
        return ear.takes(method, params);
    }

    @Override
    public @Nullable Json ask(String method, Json params) throws InterruptedException {
        Json answer = ear.ask(method, Tasks.relatedTo(params, name));
        return answer == null ? null : Tasks.relatedTo(answer, task.id());
    }
}
