// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import static org.thetis.sql.parser.SourceText.position;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.tree.ParseTree;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ThetisException;
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
        if (context.lockingClause() != null) {
            throw ThetisException.notSupported("SELECT ... "
                    + builders.source().text(context.lockingClause()).toUpperCase(Locale.ROOT));
        }
        ThetisParser.OutfileClauseContext into = context.outfileClause();
        if (into != null && into.OUTFILE() == null) {
            throw ThetisException.notSupported(
                    into.DUMPFILE() != null ? "SELECT INTO DUMPFILE" : "SELECT INTO @variable");
        }
        Query query = query(context.withClause(), context.bareQuery());
        return new QueryStatement(query, outfile(into));
    }

    private @Nullable Outfile outfile(ThetisParser.@Nullable OutfileClauseContext context) {
        if (context == null) {
            return null;
        }
        return new Outfile(
                Texts.string(context.STRING_LITERAL(), builders.source()),
                context.FORMAT() == null ? null : Texts.nameOrText(context.identifierOrText(0), builders.source()),
                Texts.properties(context.propertyClause(), builders.source()));
    }

    Query build(ThetisParser.QueryContext context) {
        builders.expressions().enter(1, context);
        Query query = query(context.withClause(), context.bareQuery());
        builders.expressions().leave(1);
        return query;
    }

    private Query query(ThetisParser.@Nullable WithClauseContext with, ThetisParser.BareQueryContext bare) {
        List<NamedQuery> named = namedQueries(with);
        ThetisParser.WindowClauseContext windows = onlySelect(bare.queryTerm())
                .map(ThetisParser.SelectClauseContext::windowClause)
                .orElse(null);
        builders.windows().enter(windows);
        QueryBody body = term(bare.queryTerm());
        List<SortItem> orderBy = orderBy(bare.orderByClause());
        builders.windows().leave();
        return new Query(position(with != null ? with : bare), named, body, orderBy, limit(bare.limitClause()));
    }

    /** The SELECT that is the whole term, whose windows the ORDER BY after it may name. */
    private static Optional<ThetisParser.SelectClauseContext> onlySelect(ThetisParser.QueryTermContext term) {
        boolean single = term.intersectTerm().size() == 1
                && term.intersectTerm(0).queryPrimary().size() == 1;
        return single && term.intersectTerm(0).queryPrimary(0) instanceof ThetisParser.SelectQueryContext select
                ? Optional.of(select.selectClause())
                : Optional.empty();
    }

    List<NamedQuery> namedQueries(ThetisParser.@Nullable WithClauseContext context) {
        if (context == null) {
            return List.of();
        }
        return context.namedQuery().stream()
                .map(table -> new NamedQuery(
                        position(table),
                        context.RECURSIVE() != null,
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
        if (context.count == null) {
            // FETCH FIRST ROW ONLY
            return new Limit(
                    new Expression.IntegerLiteral(position(context), BigInteger.ONE),
                    context.offset == null ? null : limitValue(context.offset));
        }
        return new Limit(
                context.count.ALL() != null ? null : limitValue(context.count),
                context.offset == null ? null : limitValue(context.offset));
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
        builders.windows().enter(context.windowClause());
        Relation from = context.relations() == null ? null : relations.build(context.relations());
        boolean distinct = context.selectModifier().stream()
                .anyMatch(modifier -> modifier.DISTINCT() != null || modifier.DISTINCTROW() != null);
        QueryBody.Select select = new QueryBody.Select(
                position(context),
                hints,
                distinct,
                context.selectItem().stream().map(this::item).toList(),
                from,
                expressions.optional(context.where),
                context.groupBy() == null ? null : groupBy(context.groupBy()),
                expressions.optional(context.having),
                expressions.optional(context.qualify));
        builders.windows().leave();
        return select;
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
        List<GroupBy> elements =
                context.groupElement().stream().map(this::element).toList();
        boolean plain = elements.stream().allMatch(GroupBy.Expressions.class::isInstance);
        if (plain) {
            List<Expression> keys = new ArrayList<>();
            elements.forEach(element -> keys.addAll(((GroupBy.Expressions) element).expressions()));
            if (context.ROLLUP() != null) {
                return GroupingElements.rollup(keys.stream().map(List::of).toList());
            }
            return context.CUBE() != null
                    ? GroupingElements.cube(keys.stream().map(List::of).toList())
                    : new GroupBy.Expressions(keys);
        }
        if (context.WITH() != null) {
            throw Texts.failure(context.WITH().getSymbol(), "WITH ROLLUP and WITH CUBE stand behind plain keys only");
        }
        return elements.size() == 1 ? elements.get(0) : GroupingElements.product(elements);
    }

    private GroupBy element(ThetisParser.GroupElementContext context) {
        if (context instanceof ThetisParser.RollupGroupContext rollup) {
            return GroupingElements.rollup(sets(rollup.groupingSet()));
        }
        if (context instanceof ThetisParser.CubeGroupContext cube) {
            return GroupingElements.cube(sets(cube.groupingSet()));
        }
        if (context instanceof ThetisParser.GroupingSetsGroupContext sets) {
            return new GroupBy.GroupingSets(sets(sets.groupingSet()));
        }
        return context instanceof ThetisParser.PlainGroupContext plain
                ? new GroupBy.Expressions(List.of(builders.expressions().build(plain.expression())))
                : new GroupBy.Expressions(List.of());
    }

    private List<List<Expression>> sets(List<ThetisParser.GroupingSetContext> contexts) {
        return contexts.stream()
                .map(set -> builders.expressions().build(set.expression()))
                .toList();
    }
}
