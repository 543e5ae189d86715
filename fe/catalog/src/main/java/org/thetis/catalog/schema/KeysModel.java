// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

/** What happens to rows with equal keys. */
public enum KeysModel {
    /** All are kept. */
    DUPLICATE("DUPLICATE KEY", "DUP_KEYS"),
    /** Value columns are aggregated. */
    AGGREGATE("AGGREGATE KEY", "AGG_KEYS"),
    /** The newest wins. */
    UNIQUE("UNIQUE KEY", "UNIQUE_KEYS");

    private final String sql;
    private final String showName;

    KeysModel(String sql, String showName) {
        this.sql = sql;
        this.showName = showName;
    }

    /** As in CREATE TABLE. */
    public String sql() {
        return sql;
    }

    /** As in DESC ALL and the HTTP schema call. */
    public String showName() {
        return showName;
    }

    public org.thetis.wire.thrift.KeysModel toThrift() {
        return org.thetis.wire.thrift.KeysModel.valueOf(name());
    }
}
