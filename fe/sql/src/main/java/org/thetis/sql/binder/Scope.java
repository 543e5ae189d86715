// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.SourcePosition;
import org.thetis.sql.expr.SlotReference;

/**
 * Columns that names can mean at one place of a query. The parent is the scope of the query around a subquery; names found there
 * are correlations. Immutable.
 */
record Scope(List<Column> columns, @Nullable Scope parent) {
    /** How a column can be named. */
    enum Reach {
        /** By its name and as part of a star. */
        PLAIN,
        /** Only with its qualifier, as the second of a USING pair; part of `t.*`. */
        QUALIFIED,
        /** By its name but never as part of a star, as the hidden columns of a table. */
        NAMED
    }

    /** A column under its qualifier. */
    record Column(@Nullable String database, @Nullable String qualifier, SlotReference slot, Reach reach) {
        Column(@Nullable String database, @Nullable String qualifier, SlotReference slot) {
            this(database, qualifier, slot, Reach.PLAIN);
        }

        Column asQualified() {
            return new Column(database, qualifier, slot, Reach.QUALIFIED);
        }
    }

    Scope {
        columns = List.copyOf(columns);
    }

    static Scope empty(@Nullable Scope parent) {
        return new Scope(List.of(), parent);
    }

    /** Scope over a derived table's columns. */
    static Scope of(@Nullable String qualifier, List<SlotReference> slots, @Nullable Scope parent) {
        List<Column> columns = new ArrayList<>();
        slots.forEach(slot -> columns.add(new Column(null, qualifier, slot)));
        return new Scope(columns, parent);
    }

    /** Finds the column a dotted name means here, not in the parent; fails when there are several. */
    Optional<SlotReference> findLocal(List<String> parts, SourcePosition position) {
        List<Column> found = matching(parts);
        if (found.stream().map(Column::slot).distinct().count() > 1) {
            throw Errors.at(
                    ErrorCode.AMBIGUOUS_COLUMN,
                    "Column '" + String.join(".", parts) + "' in field list is ambiguous",
                    position);
        }
        return found.isEmpty() ? Optional.empty() : Optional.of(found.get(0).slot());
    }

    private List<Column> matching(List<String> parts) {
        int count = parts.size();
        String name = parts.get(count - 1);
        String qualifier = count > 1 ? parts.get(count - 2) : null;
        String database = count > 2 ? parts.get(count - 3) : null;
        List<Column> found = new ArrayList<>();
        for (Column column : columns) {
            if (column.slot().name().equalsIgnoreCase(name)
                    && (qualifier == null
                            ? column.reach() != Reach.QUALIFIED
                            : qualifier.equalsIgnoreCase(column.qualifier()))
                    && (database == null
                            || column.database() == null
                            || database.equalsIgnoreCase(column.database()))) {
                found.add(column);
            }
        }
        return found;
    }

    /** Columns of a star, all or those under a qualifier. */
    List<Column> star(List<String> qualifier) {
        String table = qualifier.isEmpty() ? null : qualifier.get(qualifier.size() - 1);
        String database = qualifier.size() > 1 ? qualifier.get(qualifier.size() - 2) : null;
        return columns.stream()
                .filter(column -> column.reach() != Reach.NAMED)
                .filter(column ->
                        table == null ? column.reach() == Reach.PLAIN : table.equalsIgnoreCase(column.qualifier()))
                .filter(column ->
                        database == null || column.database() == null || database.equalsIgnoreCase(column.database()))
                .toList();
    }

    /** Names for hints in errors, from here outwards. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        for (Scope scope = this; scope != null; scope = scope.parent()) {
            scope.columns().stream()
                    .filter(column -> column.reach() != Reach.NAMED)
                    .forEach(column -> names.add(column.slot().name()));
        }
        return names;
    }

    /** Both sides of a join, left first. */
    Scope join(Scope right) {
        List<Column> all = new ArrayList<>(columns);
        all.addAll(right.columns());
        return new Scope(all, parent);
    }

    /** The same names over changed slots (outer joins make them nullable). */
    Scope withSlots(List<SlotReference> output) {
        List<Column> changed = new ArrayList<>();
        for (Column column : columns) {
            int i = output.indexOf(column.slot());
            changed.add(
                    i < 0 ? column : new Column(column.database(), column.qualifier(), output.get(i), column.reach()));
        }
        return new Scope(changed, parent);
    }
}
