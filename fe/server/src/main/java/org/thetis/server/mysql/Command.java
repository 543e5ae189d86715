// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

/** Command codes clients send. */
final class Command {
    static final int QUIT = 1;
    static final int INIT_DB = 2;
    static final int QUERY = 3;
    static final int FIELD_LIST = 4;
    static final int STATISTICS = 9;
    static final int DEBUG = 13;
    static final int PING = 14;
    static final int CHANGE_USER = 17;
    static final int STMT_PREPARE = 22;
    static final int STMT_EXECUTE = 23;
    static final int STMT_SEND_LONG_DATA = 24;
    static final int STMT_CLOSE = 25;
    static final int STMT_RESET = 26;
    static final int SET_OPTION = 27;
    static final int RESET_CONNECTION = 31;

    private Command() {}
}
