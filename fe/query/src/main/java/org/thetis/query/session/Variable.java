// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

/** What is known of one variable: its value type, default, where it may be set, and how clients see its name. */
public record Variable(
        String name,
        Type type,
        String defaultText,
        Scope scope,
        boolean experimental,
        boolean deprecated,
        boolean toBackend) {
    /** How a value is checked. */
    public enum Type {
        BOOL,
        DOUBLE,
        INT,
        LONG,
        STRING
    }

    /** Where a variable may be set. */
    public enum Scope {
        BOTH,
        GLOBAL,
        READ_ONLY,
        SESSION
    }

    /** The name with its experimental_ or deprecated_ prefix, as SHOW VARIABLES lists it. */
    public String shownName() {
        return experimental ? "experimental_" + name : deprecated ? "deprecated_" + name : name;
    }
}
