// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import static org.thetis.sql.parser.SourceText.position;

import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.tree.ParseTree;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.GroupBy;
import org.thetis.sql.ast.Hint;
import org.thetis.sql.ast.Limit;
import org.thetis.sql.ast.NamedQuery;
import org.thetis.sql.ast.Outfile;
import org.thetis.sql.ast.Query;
import org.thetis.sql.ast.QueryBody;
import org.thetis.sql.ast.QueryStatement;
import org.thetis.sql.ast.Relation;
import org.thetis.sql.ast.SelectItem;
import org.thetis.sql.ast.SetOperator;
import org.thetis.sql.ast.SortItem;
import org.thetis.sql.grammar.ThetisParser;

/** Builds queries; what stands in FROM is built by RelationBuilder. */
final class QueryBuilder {
    private final TreeBuilders builders;
    private final RelationBuilder relations;

    QueryBuilder(TreeBuilders builders) {
        this.builders = builders;
        this.relations = new RelationBuilder(builders);
    }

    RelationBuilder relations() {
        return relations;
    }

    QueryStatement statement(ThetisParser.QueryOrWriteContext context) {
        Query query = query(context.withClause(), context.bareQuery());
        return new QueryStatement(query, outfile(context.outfileClause()));
    }

    private @Nullable Outfile outfile(ThetisParser.@Nullable OutfileClauseContext context) {
        if (context == null) {
            return null;
        }
        return new Outfile(
                Texts.string(context.STRING_LITERAL(), builders.source()),
                context.identifierOrText() == null
                        ? null
                        : Texts.nameOrText(context.identifierOrText(), builders.source()),
                Texts.properties(context.propertyClause(), builders.source()));
    }

    Query build(ThetisParser.QueryContext context) {
        builders.expressions().enter(1, context);
        Query query = query(context.withClause(), context.bareQuery());
        builders.expressions().leave(1);
        return query;
    }

    private Query query(ThetisParser.@Nullable WithClauseContext with, ThetisParser.BareQueryContext bare) {
        return new Query(
                position(with != null ? with : bare),
                namedQueries(with),
                term(bare.queryTerm()),
                orderBy(bare.orderByClause()),
                limit(bare.limitClause()));
    }

    List<NamedQuery> namedQueries(ThetisParser.@Nullable WithClauseContext context) {
        if (context == null) {
            return List.of();
        }
        return context.namedQuery().stream()
                .map(table -> new NamedQuery(
                        position(table),
                        Texts.name(table.identifier()),
                        Texts.names(table.identifierList()),
                        build(table.query())))
                .toList();
    }

    List<SortItem> orderBy(ThetisParser.@Nullable OrderByClauseContext context) {
        return context == null ? List.of() : builders.expressions().sortItems(context.sortItem());
    }

    @Nullable
    Limit limit(ThetisParser.@Nullable LimitClauseContext context) {
        if (context == null) {
            return null;
        }
        return new Limit(limitValue(context.count), context.offset == null ? null : limitValue(context.offset));
    }

    private Expression limitValue(ThetisParser.LimitValueContext context) {
        return context.QUESTION_MARK() != null
                ? new Expression.Parameter(position(context), builders.source().parameterOrdinal(context.getStart()))
                : builders.expressions().primaries().number(context.getStart());
    }

    private QueryBody term(ThetisParser.QueryTermContext context) {
        List<QueryBody> operands =
                context.intersectTerm().stream().map(this::intersect).toList();
        List<Link> links = context.setOperator().stream()
                .map(operator -> new Link(
                        operator.UNION() != null ? SetOperator.UNION : SetOperator.EXCEPT, operator.ALL() != null))
                .toList();
        return chain(operands, links, context);
    }

    private QueryBody intersect(ThetisParser.IntersectTermContext context) {
        List<QueryBody> operands =
                context.queryPrimary().stream().map(this::primary).toList();
        List<Link> links = context.intersectOperator().stream()
                .map(operator -> new Link(SetOperator.INTERSECT, operator.ALL() != null))
                .toList();
        return chain(operands, links, context);
    }

    /** The operator between two operands of a chain. */
    private record Link(SetOperator operator, boolean all) {}

    /**
     * Joins operands from the left. A long run of one associative operator becomes a balanced tree, so that the depth
     * stays small however many operands there are; other long chains are refused.
     */
    private QueryBody chain(List<QueryBody> operands, List<Link> links, ParserRuleContext context) {
        QueryBody result = operands.get(0);
        int depth = 0;
        int index = 0;
        while (index < links.size()) {
            Link link = links.get(index);
            int end = index;
            while (link.operator() != SetOperator.EXCEPT
                    && end + 1 < links.size()
                    && links.get(end + 1).equals(link)) {
                end++;
            }
            if (end > index) {
                List<QueryBody> run = new ArrayList<>(operands.subList(index + 1, end + 2));
                run.add(0, result);
                result = balanced(run, link);
            } else {
                result = setOperation(link, result, operands.get(index + 1));
            }
            depth++;
            index = end + 1;
        }
        builders.expressions().enter(depth, context);
        builders.expressions().leave(depth);
        return result;
    }

    private static QueryBody balanced(List<QueryBody> operands, Link link) {
        if (operands.size() == 1) {
            return operands.get(0);
        }
        int middle = operands.size() / 2;
        return setOperation(
                link,
                balanced(operands.subList(0, middle), link),
                balanced(operands.subList(middle, operands.size()), link));
    }

    private static QueryBody setOperation(Link link, QueryBody left, QueryBody right) {
        return new QueryBody.SetOperation(left.position(), link.operator(), link.all(), left, right);
    }

    private QueryBody primary(ThetisParser.QueryPrimaryContext context) {
        if (context instanceof ThetisParser.SelectQueryContext select) {
            return select(select.selectClause());
        }
        if (context instanceof ThetisParser.NestedQueryContext nested) {
            return new QueryBody.Nested(position(nested), build(nested.query()));
        }
        ThetisParser.ValuesQueryContext values = (ThetisParser.ValuesQueryContext) context;
        List<List<Expression>> rows = new ArrayList<>(values.valuesRow().size());
        for (ThetisParser.ValuesRowContext row : values.valuesRow()) {
            rows.add(builders.expressions().items(row.listItem()));
        }
        return new QueryBody.Values(position(values), rows);
    }

    private QueryBody select(ThetisParser.SelectClauseContext context) {
        ExpressionBuilder expressions = builders.expressions();
        List<Hint> hints = builders.source().hintsAfter(context.SELECT().getSymbol()).stream()
                .flatMap(token -> HintReader.read(token, builders.source()).stream())
                .toList();
        Relation from = context.relations() == null ? null : relations.build(context.relations());
        return new QueryBody.Select(
                position(context),
                hints,
                context.DISTINCT() != null,
                context.selectItem().stream().map(this::item).toList(),
                from,
                expressions.optional(context.where),
                context.groupBy() == null ? null : groupBy(context.groupBy()),
                expressions.optional(context.having),
                expressions.optional(context.qualify));
    }

    private SelectItem item(ThetisParser.SelectItemContext context) {
        if (context instanceof ThetisParser.AllItemContext all) {
            return allItem(all);
        }
        ThetisParser.SingleItemContext single = (ThetisParser.SingleItemContext) context;
        String alias = single.identifierOrText() == null
                ? null
                : Texts.nameOrText(single.identifierOrText(), builders.source());
        return new SelectItem.Single(
                builders.expressions().build(single.expression()),
                alias,
                builders.source().text(single.expression()));
    }

    private SelectItem allItem(ThetisParser.AllItemContext context) {
        List<String> qualifier = new ArrayList<>();
        List<String> except = new ArrayList<>();
        boolean beforeStar = true;
        for (ParseTree child : context.children) {
            if (child.getText().equals("*")) {
                beforeStar = false;
            } else if (child instanceof ThetisParser.IdentifierContext identifier) {
                (beforeStar ? qualifier : except).add(Texts.name(identifier));
            }
        }
        List<SelectItem.Single> replace = context.replaceItem().stream()
                .map(item -> new SelectItem.Single(
                        builders.expressions().build(item.expression()),
                        Texts.name(item.identifier()),
                        builders.source().text(item.expression())))
                .toList();
        return new SelectItem.All(position(context), qualifier, except, replace);
    }

    private GroupBy groupBy(ThetisParser.GroupByContext context) {
        ExpressionBuilder expressions = builders.expressions();
        if (context instanceof ThetisParser.RollupGroupContext rollup) {
            return new GroupBy.Rollup(expressions.build(rollup.expression()));
        }
        if (context instanceof ThetisParser.CubeGroupContext cube) {
            return new GroupBy.Cube(expressions.build(cube.expression()));
        }
        if (context instanceof ThetisParser.GroupingSetsGroupContext sets) {
            return new GroupBy.GroupingSets(sets.groupingSet().stream()
                    .map(set -> expressions.build(set.expression()))
                    .toList());
        }
        ThetisParser.PlainGroupContext plain = (ThetisParser.PlainGroupContext) context;
        List<Expression> keys = expressions.build(plain.expression());
        if (plain.ROLLUP() != null) {
            return new GroupBy.Rollup(keys);
        }
        return plain.CUBE() != null ? new GroupBy.Cube(keys) : new GroupBy.Expressions(keys);
    }
}
