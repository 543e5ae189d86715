// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.json.Json;
import org.thetis.catalog.object.User;

/** One HTTP request with everything parsed. user is null when the endpoint asks for none. */
public record HttpCall(
        String method,
        String path,
        Map<String, String> pathParts,
        Map<String, List<String>> query,
        HttpHeaders headers,
        ByteString body,
        String clientHost,
        int clientPort,
        @Nullable User user) {
    /** A `{part}` of the matched path. */
    public String part(String name) {
        String value = pathParts.get(name);
        if (value == null) {
            throw new ThetisException(ErrorCode.INTERNAL, "route has no part {" + name + "}");
        }
        return value;
    }

    /** The first value of a query parameter. */
    public Optional<String> parameter(String name) {
        List<String> values = query.get(name);
        return values == null || values.isEmpty() ? Optional.empty() : Optional.of(values.get(0));
    }

    /** A query parameter; fails when it is missing. */
    public String requireParameter(String name) {
        return parameter(name)
                .filter(value -> !value.isEmpty())
                .orElseThrow(() -> new ThetisException(ErrorCode.INVALID_ARGUMENT, "Missing parameter '" + name + "'"));
    }

    /** The body as JSON; an empty one is an empty object. */
    public JsonNode json() {
        return body.isEmpty() ? Json.object() : Json.parse(body.toStringUtf8());
    }

    /** The user who called; endpoints that declare no access have none. */
    public User requireUser() {
        if (user == null) {
            throw new ThetisException(ErrorCode.ACCESS_DENIED, "Need auth information.");
        }
        return user;
    }
}
