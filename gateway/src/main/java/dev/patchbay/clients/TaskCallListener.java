package dev.patchbay.clients;

import dev.patchbay.gateway.ServerTask;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.TaskMessages;
import dev.patchbay.server.CallListener;

import org.jspecify.annotations.Nullable;

/** A listener for the client of a task. It replaces the server's task id with the client's. */
record TaskCallListener(CallListener delegate, ServerTask task, String clientTaskId)
        implements CallListener {
    @Override
    public Object client() {
        return delegate.client();
    }

    @Override
    public Object origin() {
        return delegate.origin();
    }

    @Override
    public String principal() {
        return delegate.principal();
    }

    @Override
    public boolean wantsProgress() {
        return delegate.wantsProgress();
    }

    @Override
    public void onProgress(Json params) {
        delegate.onProgress(TaskMessages.withRelatedTaskId(params, clientTaskId));
    }

    @Override
    public boolean onLogMessage(Json params) {
        return delegate.onLogMessage(TaskMessages.withRelatedTaskId(params, clientTaskId));
    }

    @Override
    public boolean acceptsInputRequest(String method, Json params) {
        return delegate.acceptsInputRequest(method, params);
    }

    @Override
    public @Nullable Json requestInput(String method, Json params) throws InterruptedException {
        Json answer =
                delegate.requestInput(method, TaskMessages.withRelatedTaskId(params, clientTaskId));
        return answer == null ? null : TaskMessages.withRelatedTaskId(answer, task.id());
    }
}
