// SPDX-License-Identifier: Apache-2.0
package org.thetis.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import org.thetis.base.config.Config;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** Makes sure before anything starts that every port is free, so that a clash is one clear line. */
final class PortCheck {
    private static final List<String> KEYS = List.of("edit_log_port", "http_port", "query_port", "rpc_port");

    private PortCheck() {}

    /** Fails with IO_ERROR naming the key and port of the first one taken. */
    static void run(Config config) {
        for (String key : KEYS) {
            int port = config.getInt(key);
            try (ServerSocket socket = new ServerSocket()) {
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(port));
            } catch (IOException taken) {
                throw new ThetisException(
                        ErrorCode.IO_ERROR,
                        key + " " + port + " is in use; stop what listens there or set " + key + " in conf/fe.conf",
                        taken);
            }
        }
    }
}
