// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

/** Capability bits of the handshake that matter here. */
final class Capability {
    static final int LONG_PASSWORD = 1;
    static final int FOUND_ROWS = 1 << 1;
    static final int LONG_FLAG = 1 << 2;
    static final int CONNECT_WITH_DB = 1 << 3;
    static final int LOCAL_FILES = 1 << 7;
    static final int PROTOCOL_41 = 1 << 9;
    static final int SSL = 1 << 11;
    static final int SECURE_CONNECTION = 1 << 15;
    static final int MULTI_STATEMENTS = 1 << 16;
    static final int MULTI_RESULTS = 1 << 17;
    static final int PLUGIN_AUTH = 1 << 19;
    static final int CONNECT_ATTRIBUTES = 1 << 20;
    static final int PLUGIN_AUTH_LENGTH_ENCODED = 1 << 21;
    static final int DEPRECATE_EOF = 1 << 24;

    /**
     * What the greeting offers. Clients that set further bits are honoured where noted in the protocol contract. Connector/J sends
     * several statements only to servers that offer it.
     */
    static final int OFFERED = CONNECT_WITH_DB
            | LONG_FLAG
            | LOCAL_FILES
            | PROTOCOL_41
            | SECURE_CONNECTION
            | MULTI_STATEMENTS
            | MULTI_RESULTS
            | PLUGIN_AUTH;

    private Capability() {}

    static boolean has(int capabilities, int bit) {
        return (capabilities & bit) != 0;
    }
}
