// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.error;

/** A place in a statement's text: line from 1, column from 0 as editors and MySQL clients count it, and the token there. */
public record SourcePosition(int line, int column, String token) {
    @Override
    public String toString() {
        return "line " + line + ", pos " + column;
    }
}
