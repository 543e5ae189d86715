// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** User and password of an Authorization header. */
record BasicCredentials(String user, String password) {
    private static final String SCHEME = "Basic ";

    /** Empty when there is no such header or it cannot be read. */
    static Optional<BasicCredentials> of(HttpHeaders headers) {
        String header = headers.get(HttpHeaderNames.AUTHORIZATION);
        if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        try {
            byte[] decoded =
                    Base64.getDecoder().decode(header.substring(SCHEME.length()).strip());
            String pair = new String(decoded, StandardCharsets.UTF_8);
            int colon = pair.indexOf(':');
            return Optional.of(
                    colon < 0
                            ? new BasicCredentials(pair, "")
                            : new BasicCredentials(pair.substring(0, colon), pair.substring(colon + 1)));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }
}
