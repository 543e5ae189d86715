// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.type.DataType;
import org.thetis.query.result.ResultColumn;
import org.thetis.query.result.StatementResult;
import org.thetis.sql.ast.show.ShowFilter;

/** Collects the rows of a SHOW and applies its LIKE, WHERE, ORDER BY and LIMIT. */
final class ShowRows {
    private final List<ResultColumn> columns;
    private final List<List<@Nullable String>> rows = new ArrayList<>();

    ShowRows(String... names) {
        this.columns = Arrays.stream(names).map(ResultColumn::text).toList();
    }

    private ShowRows(List<ResultColumn> columns) {
        this.columns = columns;
    }

    /** The same columns, some of them numbers: clients may rely on the type of ids and counts. */
    ShowRows numeric(String... names) {
        List<String> numbers = List.of(names);
        return new ShowRows(columns.stream()
                .map(column ->
                        numbers.contains(column.name()) ? ResultColumn.of(column.name(), DataType.BIGINT) : column)
                .toList());
    }

    /** Adds a row; values are shown by their text, null as NULL. */
    ShowRows add(@Nullable Object... values) {
        if (values.length != columns.size()) {
            throw new IllegalArgumentException(values.length + " values for " + columns.size() + " columns");
        }
        List<@Nullable String> row = new ArrayList<>(values.length);
        for (Object value : values) {
            row.add(value == null ? null : value.toString());
        }
        rows.add(row);
        return this;
    }

    StatementResult result() {
        return new StatementResult.Held(columns, rows);
    }

    /** The rows that pass; LIKE looks at the first column. */
    StatementResult result(ShowFilter filter) {
        return result(filter, 0);
    }

    StatementResult result(ShowFilter filter, int likeColumn) {
        RowFilter applied =
                new RowFilter(filter, columns.stream().map(ResultColumn::name).toList(), likeColumn);
        return new StatementResult.Held(columns, applied.apply(rows));
    }
}
