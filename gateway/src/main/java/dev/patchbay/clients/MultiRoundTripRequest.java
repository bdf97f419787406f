package dev.patchbay.clients;

import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Responder;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.McpMethod;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.CountDownLatch;

/** One request of a modern client for something that may take several rounds. */
final class MultiRoundTripRequest {

    private final GatewayService service;
    private final SuspendedCallRegistry suspendedCalls;

    MultiRoundTripRequest(GatewayService service, SuspendedCallRegistry calls) {
        this.service = service;
        this.suspendedCalls = calls;
    }

    /** The result of this round: the end, or questions. */
    Json run(McpMethod method, Json params, ClientContext caller) throws InterruptedException {
        var origin = SuspendedCallRegistry.RequestKey.of(method, params, caller);
        var ear = new ClientCallListener(caller, params);
        var slot = new BlockingResponder();
        SuspendedCall call = suspendedCalls.take(params, origin);
        if (call == null) {
            call = new SuspendedCall(suspendedCalls, origin, ear, slot);
            startServerCall(call, method, params, caller);
        } else {
            call.resume(params.member("inputResponses"), ear, slot);
        }
        try {
            return slot.await();
        } catch (InterruptedException e) {
            call.stop();
            throw e;
        }
    }

    /** Calls the server on a thread that outlives the request if the server asks something. */
    private void startServerCall(
            SuspendedCall call, McpMethod method, Json params, ClientContext caller) {
        Thread worker =
                Thread.ofVirtual().unstarted(() -> callServer(call, method, params, caller));
        call.setStopAction(worker::interrupt);
        worker.start();
    }

    private void callServer(
            SuspendedCall call, McpMethod method, Json params, ClientContext caller) {
        try {
            call.complete(service.sendOnce(method, params, caller, call), null);
        } catch (RpcException e) {
            call.complete(null, e.error());
        } catch (InterruptedException _) {
            call.complete(null, RpcError.of(RpcError.INTERNAL_ERROR, "Cancelled"));
        } catch (Throwable e) { // whoever waits must be told
            log().log(ERROR, "Request " + method.wireName() + " failed", e);
            call.complete(null, RpcError.of(RpcError.INTERNAL_ERROR, "Internal error"));
        }
    }

    /** Where a thread waits for what a completion is told. */
    private static final class BlockingResponder implements Responder {
        private final CountDownLatch done = new CountDownLatch(1);
        private volatile @Nullable Json result;
        private volatile @Nullable RpcError error;

        @Override
        public void succeed(Json value) {
            result = value;
            done.countDown();
        }

        @Override
        public void fail(RpcError failure) {
            error = failure;
            done.countDown();
        }

        @Override
        public void fork(BlockingWork work) {
            throw new IllegalStateException("A thread waits already");
        }

        @Override
        public void onCancel(Runnable action) {}

        /** What came. The call behind it has a deadline of its own. */
        Json await() throws InterruptedException {
            done.await();
            Json value = result;
            RpcError failure = error;
            if (value != null) {
                return value;
            }
            throw new RpcException(
                    failure != null
                            ? failure
                            : RpcError.of(RpcError.INTERNAL_ERROR, "Internal error"));
        }
    }

    /** Looked up when needed: the first one made costs a start several milliseconds. */
    private static System.Logger log() {
        return System.getLogger(MultiRoundTripRequest.class.getName());
    }
}
