// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.text.NearestNames;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.HiddenColumns;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.sql.ast.PartitionSelection;
import org.thetis.sql.ast.QualifiedName;
import org.thetis.sql.ast.Relation;

/** The stored table that a statement writes. */
record WriteTarget(String catalog, String database, OlapTable table) {
    /** Resolves a name; fails for unknown tables and those that are not stored in tablets. */
    static WriteTarget of(QualifiedName name, String statement, BindContext context) {
        List<String> parts = name.parts();
        String table = parts.get(parts.size() - 1);
        String catalog = parts.size() > 2
                ? parts.get(parts.size() - 3)
                : context.session().currentCatalog();
        String database = parts.size() > 1
                ? parts.get(parts.size() - 2)
                : context.session()
                        .currentDatabase()
                        .orElseThrow(() ->
                                Errors.at(ErrorCode.NO_DATABASE_SELECTED, "No database selected", name.position()));
        ResolvedTable resolved = context.tables()
                .find(catalog, database, table)
                .orElseThrow(() -> Errors.at(
                        ErrorCode.UNKNOWN_TABLE,
                        "Unknown table '" + table + "' in database '" + database + "'"
                                + NearestNames.suggestion(
                                        table, context.tables().tableNames(catalog, database)),
                        name.position()));
        if (resolved instanceof ResolvedTable.Stored stored) {
            return new WriteTarget(stored.catalog(), stored.database(), stored.table());
        }
        throw Errors.at(
                ErrorCode.NOT_OLAP_TABLE,
                statement + " needs a stored table, '" + table + "' is none",
                name.position());
    }

    /** The rows that are there now, without deleted ones; names are found under the alias. */
    RelationBinder.Bound scan(
            QueryBinder queries, QualifiedName name, @Nullable String alias, @Nullable PartitionSelection partitions) {
        Relation.Table relation = new Relation.Table(
                name.position(),
                name,
                alias,
                List.of(),
                null,
                null,
                partitions,
                List.of(),
                null,
                null,
                java.util.Map.of(),
                List.of());
        queries.context().met().add(new BindContext.Met(catalog, database, table.name()));
        ResolvedTable.Stored stored = new ResolvedTable.Stored(catalog, database, table);
        return new RelationBinder(queries, null).scan(stored, alias == null ? table.name() : alias, relation, false);
    }

    /** Names of the chosen partitions as the table has them; empty for all. */
    List<String> partitions(@Nullable PartitionSelection selection) {
        List<String> names = new ArrayList<>();
        if (selection != null && !selection.all()) {
            selection
                    .names()
                    .forEach(name -> names.add(
                            table.getPartition(name, selection.temporary()).name()));
        }
        return names;
    }

    /** The visible column whose value orders rows with equal keys, if the table has one. */
    Optional<SchemaColumn> mappedSequence() {
        String name = table.properties().sequenceColumn();
        return name.isEmpty() ? Optional.empty() : table.findColumn(name);
    }

    boolean isMergeOnWrite() {
        return table.properties().mergeOnWrite();
    }

    static boolean isSequence(SchemaColumn column) {
        return !column.visible() && column.name().equals(HiddenColumns.SEQUENCE);
    }

    static boolean isDeleteSign(SchemaColumn column) {
        return !column.visible() && column.name().equals(HiddenColumns.DELETE_SIGN);
    }
}
