package dev.patchbay.http.server;

import dev.patchbay.http.AcceptHeader;
import dev.patchbay.jsonrpc.Encoder;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.RequestId;
import dev.patchbay.jsonrpc.RpcError;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

import java.nio.ByteBuffer;

/** Replaces Jetty's error pages with JSON errors, without internal details. */
final class JsonErrorHandler implements Request.Handler {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String what = HttpStatus.getMessage(response.getStatus());
        var error = RpcError.of(RpcError.INVALID_REQUEST, what);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, AcceptHeader.JSON);
        byte[] body = Encoder.encode(new Failure(RequestId.UNKNOWN, error)).toBytes();
        response.write(true, ByteBuffer.wrap(body), callback);
        return true;
    }
}
