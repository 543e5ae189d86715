// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import static org.thetis.sql.parser.SourceText.position;

import java.util.ArrayList;
import java.util.List;
import org.thetis.sql.ast.Assignment;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.NamedQuery;
import org.thetis.sql.ast.PartitionSelection;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.QueryBody;
import org.thetis.sql.ast.Relation;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.UnsupportedStatement;
import org.thetis.sql.ast.dml.BeginTransaction;
import org.thetis.sql.ast.dml.Commit;
import org.thetis.sql.ast.dml.Delete;
import org.thetis.sql.ast.dml.Insert;
import org.thetis.sql.ast.dml.Replace;
import org.thetis.sql.ast.dml.Rollback;
import org.thetis.sql.ast.dml.Update;
import org.thetis.sql.grammar.ThetisParser;

/** Builds statements that write rows, and transactions. */
final class DmlBuilder extends StatementVisitor {
    DmlBuilder(TreeBuilders builders) {
        super(builders);
    }

    Statement insert(List<NamedQuery> with, ThetisParser.InsertStatementContext context) {
        if (context.onDuplicateKey() != null) {
            return new UnsupportedStatement("INSERT ... ON DUPLICATE KEY UPDATE");
        }
        if (context.insertModifier().stream().anyMatch(modifier -> modifier.IGNORE() != null)) {
            return new UnsupportedStatement("INSERT IGNORE");
        }
        PartitionSelection partitions =
                context.partitionSelection() == null ? null : partitions(context.partitionSelection());
        String label = null;
        for (ThetisParser.InsertTargetOptionContext option : context.insertTargetOption()) {
            if (option.partitionSelection() != null) {
                partitions = partitions(option.partitionSelection());
            } else {
                label = nameOrText(option.identifierOrText());
            }
        }
        Insert insert = new Insert(
                position(context),
                name(context.qualifiedName()),
                context.OVERWRITE() != null,
                partitions,
                label,
                columns(context),
                context.relationHint() == null
                        ? List.of()
                        : Texts.names(context.relationHint().identifier()),
                prepend(with, source(context)));
        return context.REPLACE() == null ? insert : new Replace(insert);
    }

    /** The columns named in front of the rows, or those that SET assigns. */
    private static List<String> columns(ThetisParser.InsertStatementContext context) {
        if (context.assignment().isEmpty()) {
            return Texts.names(context.identifierList());
        }
        List<String> names = new ArrayList<>();
        for (ThetisParser.AssignmentContext assignment : context.assignment()) {
            List<String> parts = name(assignment.qualifiedName()).parts();
            names.add(parts.get(parts.size() - 1));
        }
        return names;
    }

    private Query source(ThetisParser.InsertStatementContext context) {
        if (context.query() != null) {
            return builders().queries().build(context.query());
        }
        List<List<Expression>> rows = new ArrayList<>();
        if (context.assignment().isEmpty()) {
            context.valuesRow().forEach(row -> rows.add(expressions().items(row.listItem())));
        } else {
            rows.add(context.assignment().stream()
                    .map(assignment -> expressions().item(assignment.listItem()))
                    .toList());
        }
        return new Query(position(context), List.of(), new QueryBody.Values(position(context), rows), List.of(), null);
    }

    /** A WITH before INSERT belongs to its query. */
    private static Query prepend(List<NamedQuery> with, Query query) {
        if (with.isEmpty()) {
            return query;
        }
        List<NamedQuery> all = new ArrayList<>(with);
        all.addAll(query.with());
        return new Query(query.position(), all, query.body(), query.orderBy(), query.limit());
    }

    Statement update(List<NamedQuery> with, ThetisParser.UpdateStatementContext context) {
        Relation from = context.relations() == null
                ? null
                : builders().queries().relations().build(context.relations());
        return new Update(
                with,
                name(context.qualifiedName()),
                builders().queries().relations().alias(context.tableAlias()),
                context.assignment().stream().map(this::assignment).toList(),
                from,
                expressions().optional(context.expression()));
    }

    private Assignment assignment(ThetisParser.AssignmentContext context) {
        return new Assignment(name(context.qualifiedName()), expressions().item(context.listItem()));
    }

    Statement delete(List<NamedQuery> with, ThetisParser.DeleteStatementContext context) {
        Relation using = context.relations() == null
                ? null
                : builders().queries().relations().build(context.relations());
        return new Delete(
                with,
                name(context.qualifiedName()),
                builders().queries().relations().alias(context.tableAlias()),
                context.partitionSelection().isEmpty() ? null : partitions(context.partitionSelection(0)),
                using,
                expressions().optional(context.expression()));
    }

    @Override
    public Statement visitBeginTransaction(ThetisParser.BeginTransactionContext context) {
        return new BeginTransaction(optionalNameOrText(context.identifierOrText()));
    }

    @Override
    public Statement visitStartTransaction(ThetisParser.StartTransactionContext context) {
        return new BeginTransaction(null);
    }

    @Override
    public Statement visitCommit(ThetisParser.CommitContext context) {
        return new Commit();
    }

    @Override
    public Statement visitRollback(ThetisParser.RollbackContext context) {
        return new Rollback();
    }
}
