package dev.patchbay.front;

import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Completion;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Method;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.CountDownLatch;

/** One request of a modern client for something that may take several rounds. */
final class ModernRounds {

    private final GatewayService service;
    private final ParkedCalls calls;

    ModernRounds(GatewayService service, ParkedCalls calls) {
        this.service = service;
        this.calls = calls;
    }

    /** The result of this round: the end, or questions. */
    Json run(Method method, Json params, Caller caller) throws InterruptedException {
        var origin = ParkedCalls.Origin.of(method, params, caller);
        var ear = new ClientEar(caller, params);
        var slot = new Slot();
        Parked call = calls.take(params, origin);
        if (call == null) {
            call = new Parked(calls, origin, ear, slot);
            begin(call, method, params, caller);
        } else {
            call.goOn(params.member("inputResponses"), ear, slot);
        }
        try {
            return slot.await();
        } catch (InterruptedException e) {
            call.stop();
            throw e;
        }
    }

    /** Calls the server on a thread that outlives the request if the server asks something. */
    private void begin(Parked call, Method method, Json params, Caller caller) {
        Thread worker =
                Thread.ofVirtual().unstarted(() -> callServer(call, method, params, caller));
        call.stopWith(worker::interrupt);
        worker.start();
    }

    private void callServer(Parked call, Method method, Json params, Caller caller) {
        try {
            call.end(service.once(method, params, caller, call), null);
        } catch (RpcException e) {
            call.end(null, e.error());
        } catch (InterruptedException _) {
            call.end(null, RpcError.of(RpcError.INTERNAL_ERROR, "Cancelled"));
        } catch (Throwable e) { // whoever waits must be told
            log().log(ERROR, "Request " + method.wireName() + " failed", e);
            call.end(null, RpcError.of(RpcError.INTERNAL_ERROR, "Internal error"));
        }
    }

    /** Where a thread waits for what a completion is told. */
    private static final class Slot implements Completion {
        private final CountDownLatch told = new CountDownLatch(1);
        private volatile @Nullable Json result;
        private volatile @Nullable RpcError error;

        @Override
        public void complete(Json value) {
            result = value;
            told.countDown();
        }

        @Override
        public void fail(RpcError failure) {
            error = failure;
            told.countDown();
        }

        @Override
        public void resume(Work work) {
            throw new IllegalStateException("A thread waits already");
        }

        @Override
        public void onCancel(Runnable action) {}

        /** What came. The call behind it has a deadline of its own. */
        Json await() throws InterruptedException {
            told.await();
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
        return System.getLogger(ModernRounds.class.getName());
    }
}
