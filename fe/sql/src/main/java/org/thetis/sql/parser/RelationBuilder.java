// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import static org.thetis.sql.parser.SourceText.position;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.JoinKind;
import org.thetis.sql.ast.Relation;
import org.thetis.sql.ast.TableSample;
import org.thetis.sql.ast.TableSnapshot;
import org.thetis.sql.grammar.ThetisParser;

/** Builds tables, derived tables, joins and lateral views. */
final class RelationBuilder {
    private final TreeBuilders builders;

    RelationBuilder(TreeBuilders builders) {
        this.builders = builders;
    }

    /** Relations separated by commas become cross joins from the left. */
    Relation build(ThetisParser.RelationsContext context) {
        int numRelations = context.relation().size();
        int levels = numRelations
                + context.relation().stream()
                        .mapToInt(relation -> relation.joinPart().size())
                        .sum();
        builders.expressions().enter(levels, context);
        Relation result = relation(context.relation(0));
        for (int index = 1; index < numRelations; index++) {
            ThetisParser.RelationContext next = context.relation(index);
            result = new Relation.Join(
                    position(next), JoinKind.CROSS, result, relation(next), null, List.of(), false, null);
        }
        builders.expressions().leave(levels);
        return result;
    }

    private Relation relation(ThetisParser.RelationContext context) {
        List<ThetisParser.JoinPartContext> parts = context.joinPart();
        Set<ThetisParser.JoinPartContext> waiting = waitingParts(parts);
        Deque<Relation> lefts = new ArrayDeque<>();
        Deque<ThetisParser.JoinPartContext> pending = new ArrayDeque<>();
        Relation result = primary(context.relationPrimary());
        for (ThetisParser.JoinPartContext part : parts) {
            Relation right = primary(part.relationPrimary());
            if (waiting.contains(part)) {
                lefts.push(result);
                pending.push(part);
                result = right;
                continue;
            }
            List<ThetisParser.JoinConditionContext> conditions = part.joinCondition();
            result = join(part, result, right, conditions.isEmpty() ? null : conditions.get(0));
            for (int i = 1; i < conditions.size(); i++) {
                result = join(pending.pop(), lefts.pop(), result, conditions.get(i));
            }
        }
        return result;
    }

    /** Joins whose condition stands behind a later join: each condition beyond a join's first goes to the nearest one without. */
    private static Set<ThetisParser.JoinPartContext> waitingParts(List<ThetisParser.JoinPartContext> parts) {
        Set<ThetisParser.JoinPartContext> waiting = new HashSet<>();
        Deque<ThetisParser.JoinPartContext> bare = new ArrayDeque<>();
        for (ThetisParser.JoinPartContext part : parts) {
            if (part.joinCondition().isEmpty()) {
                bare.push(part);
            }
            for (int i = 1; i < part.joinCondition().size(); i++) {
                if (bare.isEmpty()) {
                    throw Texts.failure(part.joinCondition(i).getStart(), "there is no join for this condition");
                }
                waiting.add(bare.pop());
            }
        }
        return waiting;
    }

    private Relation join(
            ThetisParser.JoinPartContext part,
            Relation left,
            Relation right,
            ThetisParser.@Nullable JoinConditionContext condition) {
        boolean natural = part.joinKind() != null && part.joinKind().NATURAL() != null;
        if (natural && condition != null) {
            throw Texts.failure(condition.getStart(), "a NATURAL JOIN takes no condition");
        }
        return new Relation.Join(
                position(part),
                kind(part),
                left,
                right,
                condition == null ? null : builders.expressions().optional(condition.expression()),
                condition == null ? List.of() : Texts.names(condition.identifierList()),
                natural,
                distribution(part.joinDistribution()));
    }

    private static JoinKind kind(ThetisParser.JoinPartContext part) {
        ThetisParser.JoinKindContext kind = part.joinKind();
        if (kind == null) {
            return JoinKind.INNER;
        }
        boolean left = kind.LEFT() != null;
        if (kind.AWARE() != null) {
            return JoinKind.NULL_AWARE_LEFT_ANTI;
        }
        if (kind.SEMI() != null) {
            return left ? JoinKind.LEFT_SEMI : JoinKind.RIGHT_SEMI;
        }
        if (kind.ANTI() != null) {
            return left ? JoinKind.LEFT_ANTI : JoinKind.RIGHT_ANTI;
        }
        if (kind.FULL() != null) {
            return JoinKind.FULL_OUTER;
        }
        if (kind.CROSS() != null) {
            return JoinKind.CROSS;
        }
        if (left) {
            return JoinKind.LEFT_OUTER;
        }
        return kind.RIGHT() != null ? JoinKind.RIGHT_OUTER : JoinKind.INNER;
    }

    private static @Nullable String distribution(ThetisParser.@Nullable JoinDistributionContext context) {
        return context == null ? null : Texts.upper(Texts.name(context.identifier()));
    }

    private Relation primary(ThetisParser.RelationPrimaryContext context) {
        if (context instanceof ThetisParser.TableRelationContext table) {
            return lateral(table(table), table.lateralView());
        }
        if (context instanceof ThetisParser.SubqueryRelationContext subquery) {
            Relation result = new Relation.Subquery(
                    position(context),
                    builders.queries().build(subquery.query()),
                    alias(subquery.tableAlias()),
                    columnAliases(subquery.tableAlias()));
            return lateral(result, subquery.lateralView());
        }
        if (context instanceof ThetisParser.FunctionRelationContext function) {
            Relation result = new Relation.TableFunction(
                    position(context),
                    Texts.qualified(function.qualifiedName()),
                    Texts.properties(function.propertyList(), builders.source()),
                    alias(function.tableAlias()),
                    columnAliases(function.tableAlias()));
            return lateral(result, function.lateralView());
        }
        return build(((ThetisParser.NestedRelationContext) context).relations());
    }

    private Relation lateral(Relation input, List<ThetisParser.LateralViewContext> views) {
        Relation result = input;
        for (ThetisParser.LateralViewContext view : views) {
            List<String> names = Texts.names(view.identifier());
            result = new Relation.LateralView(
                    position(view),
                    result,
                    view.OUTER() != null,
                    builders.expressions().primaries().functions().functionCall(view.functionCall()),
                    names.get(0),
                    names.subList(1, names.size()));
        }
        return result;
    }

    private Relation table(ThetisParser.TableRelationContext context) {
        ThetisParser.ScanParametersContext parameters = context.scanParameters();
        Map<String, String> settings =
                parameters == null ? Map.of() : Texts.properties(parameters.propertyList(), builders.source());
        return new Relation.Table(
                position(context),
                Texts.qualified(context.qualifiedName()),
                alias(context.tableAlias()),
                columnAliases(context.tableAlias()),
                Texts.optionalName(context.identifier()),
                snapshot(context.tableSnapshot()),
                Texts.partitions(context.partitionSelection()),
                context.tabletSelection() == null
                        ? List.of()
                        : Texts.longs(context.tabletSelection().integerList()),
                sample(context.tableSample()),
                parameters == null ? null : Texts.name(parameters.identifier()),
                settings,
                context.relationHint() == null
                        ? List.of()
                        : Texts.names(context.relationHint().identifier()));
    }

    private @Nullable TableSnapshot snapshot(ThetisParser.@Nullable TableSnapshotContext context) {
        if (context == null) {
            return null;
        }
        return context.VERSION() != null
                ? new TableSnapshot(true, context.INTEGER_LITERAL().getText())
                : new TableSnapshot(false, Texts.string(context.STRING_LITERAL(), builders.source()));
    }

    private static @Nullable TableSample sample(List<ThetisParser.TableSampleContext> contexts) {
        if (contexts.isEmpty()) {
            return null;
        }
        ThetisParser.TableSampleContext context = contexts.get(0);
        Long seed = context.REPEATABLE() == null ? null : Texts.longValue(context.INTEGER_LITERAL(1));
        return new TableSample(Texts.longValue(context.INTEGER_LITERAL(0)), context.PERCENT_KEYWORD() != null, seed);
    }

    @Nullable
    String alias(ThetisParser.@Nullable TableAliasContext context) {
        return context == null ? null : Texts.nameOrText(context.identifierOrText(), builders.source());
    }

    private static List<String> columnAliases(ThetisParser.@Nullable TableAliasContext context) {
        return context == null ? List.of() : Texts.names(context.identifierList());
    }
}
