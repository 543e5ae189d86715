// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import java.util.Map;
import org.thetis.base.json.Json;

/** An HTTP answer. */
public record HttpReply(int status, String contentType, ByteString body, Map<String, String> headers) {
    public static final int GENERIC_FAILURE = 1;
    private static final String JSON = "application/json;charset=UTF-8";

    public HttpReply {
        headers = Map.copyOf(headers);
    }

    /** Any value as JSON, without the envelope. */
    public static HttpReply json(int status, Object value) {
        return new HttpReply(status, JSON, ByteString.copyFrom(Json.writeBytes(value)), Map.of());
    }

    /** The usual envelope around data. */
    public static HttpReply ok(Object data) {
        return envelope(200, "success", 0, data);
    }

    /** The envelope of a failure: HTTP 200 with a code, as existing clients expect. */
    public static HttpReply failure(int code, String message, Object data) {
        return envelope(200, message, code, data);
    }

    /** Login missing or refused. */
    public static HttpReply unauthorized(String reason) {
        HttpReply reply = envelope(401, "Unauthorized", 401, reason);
        return new HttpReply(401, reply.contentType, reply.body, Map.of("WWW-Authenticate", "Basic realm=\"\""));
    }

    public static HttpReply text(int status, String contentType, String text) {
        return new HttpReply(status, contentType, ByteString.copyFromUtf8(text), Map.of());
    }

    private static HttpReply envelope(int status, String message, int code, Object data) {
        ObjectNode envelope = Json.object();
        envelope.put("msg", message);
        envelope.put("code", code);
        envelope.set("data", Json.mapper().valueToTree(data));
        envelope.put("count", 0);
        return json(status, envelope);
    }
}
