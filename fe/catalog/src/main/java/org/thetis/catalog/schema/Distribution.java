// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.schema;

import java.util.List;

/**
 * How a partition's rows are spread over its buckets.
 *
 * @param columns HASH: names in the order they are hashed; RANDOM: empty
 * @param autoBuckets whether the number was chosen for the user
 */
public record Distribution(Kind kind, List<String> columns, int buckets, boolean autoBuckets) {
    /** By hash of columns, or round robin. */
    public enum Kind {
        HASH,
        RANDOM
    }

    public Distribution {
        columns = List.copyOf(columns);
    }

    public static Distribution hash(List<String> columns, int buckets) {
        return new Distribution(Kind.HASH, columns, buckets, false);
    }

    public static Distribution random(int buckets) {
        return new Distribution(Kind.RANDOM, List.of(), buckets, false);
    }

    public Distribution withBuckets(int number) {
        return new Distribution(kind, columns, number, autoBuckets);
    }

    /** As in SHOW CREATE TABLE, after DISTRIBUTED BY. */
    public String toSql() {
        String by = kind == Kind.RANDOM
                ? "RANDOM"
                : "HASH("
                        + String.join(
                                ", ",
                                columns.stream().map(name -> "`" + name + "`").toList()) + ")";
        return by + " BUCKETS " + (autoBuckets ? "AUTO" : Integer.toString(buckets));
    }
}
