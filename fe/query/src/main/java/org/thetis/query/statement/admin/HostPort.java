// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.admin;

import com.google.common.net.HostAndPort;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** A node's address as ALTER SYSTEM writes it. */
record HostPort(String host, int port) {
    static HostPort parse(String text) {
        try {
            HostAndPort parsed = HostAndPort.fromString(text.strip());
            if (parsed.getHost().isEmpty() || !parsed.hasPort()) {
                throw bad(text);
            }
            return new HostPort(parsed.getHost(), parsed.getPort());
        } catch (IllegalArgumentException notAnAddress) {
            throw bad(text);
        }
    }

    private static ThetisException bad(String text) {
        return new ThetisException(ErrorCode.ANALYSIS, "Invalid host port: " + text);
    }
}
