// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.result;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;
import org.thetis.query.schedule.RowStream;

/** What a statement gives back to its client. */
public sealed interface StatementResult {
    /** Nothing but counts and a text. */
    record Done(long affectedRows, int warnings, String text) implements StatementResult {
        public static final Done NOTHING = new Done(0, 0, "");
    }

    /** Rows the front end holds, as text by column; null is NULL. */
    record Held(List<ResultColumn> columns, List<List<@Nullable String>> rows) implements StatementResult {
        public Held {
            columns = List.copyOf(columns);
        }

        /** Rows of text columns, as SHOW statements give them. */
        public static Held text(List<String> names, List<List<@Nullable String>> rows) {
            return new Held(names.stream().map(ResultColumn::text).toList(), rows);
        }

        /** One row with one text column. */
        public static Held single(String name, String value) {
            return new Held(List.of(ResultColumn.of(name, DataType.VARCHAR)), List.of(List.of(value)));
        }
    }

    /** Rows that back ends encode; they are fetched as the client reads. */
    record Streamed(List<ResultColumn> columns, RowStream stream) implements StatementResult {
        public Streamed {
            columns = List.copyOf(columns);
        }
    }
}
