package dev.patchbay.daemon;

import static java.lang.System.Logger.Level.DEBUG;

import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.Connection;
import dev.patchbay.text.LoggedFailure;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A client that is attached to the daemon by its relay. */
final class AttachedClient {
    private final DaemonRequest.Attach request;
    private final DaemonSocket socket;
    private final GatewayProvider.Lease lease;
    private final AttachedChannel channel;

    AttachedClient(DaemonRequest.Attach request, DaemonSocket socket, GatewayProvider.Lease lease) {
        this.request = request;
        this.socket = socket;
        this.lease = lease;
        GatewayProvider.Limits limits = lease.limits();
        this.channel =
                new AttachedChannel(
                        socket,
                        Long.toString(request.client().pid()),
                        limits.lineBytesMax(),
                        limits.frameBytesMax());
    }

    Duration idleExit() {
        return lease.idleExit();
    }

    /** The daemon ended in the meantime. */
    void refuse() throws IOException {
        socket.writeLine(
                new DaemonReply.Refused(
                                DaemonReply.Reason.ENDING, "the daemon is ending", 1, List.of())
                        .toJson());
    }

    /** Serves the client until it ends its input, and answers what it has asked before. */
    void serve() throws IOException, InterruptedException {
        int lineBytesMax = lease.limits().lineBytesMax();
        socket.writeLine(new DaemonReply.Accepted(lineBytesMax, lease.messages()).toJson());
        try (GatewayProvider.ClientConnection client = lease.connect(channel)) {
            Connection connection = client.connection();
            connection.calls().startIdsAt(request.questionIdMin());
            try {
                connection.run();
            } catch (IOException e) {
                System.getLogger(AttachedClient.class.getName())
                        .log(DEBUG, "A relay is gone", new LoggedFailure(e));
                return; // nobody reads the answers
            }
            connection.drain(lease.limits().shutdownGrace());
        } finally {
            channel.close();
        }
    }

    void askToMove() {
        channel.send(new ControlLine.Move());
    }

    void announceStop() {
        channel.send(new ControlLine.Stopped());
    }

    /** Reads no more requests. Those that were read are still answered. */
    void end() {
        socket.endInput();
    }

    void describe(JsonWriter writer) {
        writer.beginObject().member("pid", request.client().pid());
        var config = request.client().config();
        if (config != null) {
            writer.member("config", config.toString());
        }
        String view = request.view();
        if (view != null) {
            writer.member("view", view);
        }
        writer.member("workingDirectory", request.client().workingDirectory().toString())
                .member("version", request.build().version())
                .endObject();
    }
}
