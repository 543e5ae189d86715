// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.mysql;

import org.thetis.base.error.ThetisException;

/** The text of an error packet: generic errors carry the prefix that existing tests and tools cut off. */
final class ClientErrorText {
    private static final int GENERIC = 1105;

    private ClientErrorText() {}

    static String of(ThetisException failure) {
        String text = failure.text();
        if (failure.code().mysqlCode() != GENERIC || text.startsWith("errCode = ")) {
            return text;
        }
        return "errCode = 2, detailMessage = " + text;
    }
}
