// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import static org.thetis.sql.parser.SourceText.position;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.ddl.PartitionClause;
import org.thetis.sql.ast.ddl.PartitionDefinition;
import org.thetis.sql.ast.ddl.PartitionValue;
import org.thetis.sql.grammar.ThetisParser;

/** Builds PARTITION BY and partition definitions. */
final class PartitionBuilder {
    private final TreeBuilders builders;

    PartitionBuilder(TreeBuilders builders) {
        this.builders = builders;
    }

    PartitionClause clause(ThetisParser.PartitionClauseContext context) {
        List<Expression> expressions = context.functionCall() != null
                ? List.of(builders.expressions().primaries().functions().call(context.functionCall()))
                : builders.expressions().build(context.expression());
        return new PartitionClause(
                position(context),
                context.AUTO() != null,
                context.LIST() != null,
                expressions,
                context.partitionDefinition().stream().map(this::definition).toList());
    }

    PartitionDefinition definition(ThetisParser.PartitionDefinitionContext context) {
        if (context instanceof ThetisParser.LessThanPartitionContext partition) {
            return new PartitionDefinition.LessThan(
                    position(context),
                    Texts.name(partition.identifier()),
                    partition.ifNotExists() != null,
                    partition.partitionTuple() == null ? List.of() : tuple(partition.partitionTuple()),
                    properties(partition.propertyList()));
        }
        if (context instanceof ThetisParser.FixedPartitionContext partition) {
            return new PartitionDefinition.FixedRange(
                    position(context),
                    Texts.name(partition.identifier()),
                    partition.ifNotExists() != null,
                    tuple(partition.partitionTuple(0)),
                    tuple(partition.partitionTuple(1)),
                    properties(partition.propertyList()));
        }
        if (context instanceof ThetisParser.InPartitionContext partition) {
            List<List<PartitionValue>> rows = partition.partitionTuple().isEmpty()
                    ? partition.partitionBound().stream()
                            .map(bound -> List.of(value(bound)))
                            .toList()
                    : partition.partitionTuple().stream().map(this::tuple).toList();
            return new PartitionDefinition.InValues(
                    position(context),
                    Texts.name(partition.identifier()),
                    partition.ifNotExists() != null,
                    rows,
                    properties(partition.propertyList()));
        }
        if (context instanceof ThetisParser.BarePartitionContext partition) {
            return new PartitionDefinition.Bare(
                    position(context),
                    Texts.name(partition.identifier()),
                    partition.ifNotExists() != null,
                    properties(partition.propertyList()));
        }
        ThetisParser.BatchPartitionContext batch = (ThetisParser.BatchPartitionContext) context;
        String unit = Texts.optionalName(batch.identifier());
        return new PartitionDefinition.Batch(
                position(context),
                tuple(batch.partitionTuple(0)),
                tuple(batch.partitionTuple(1)),
                Texts.longValue(batch.INTEGER_LITERAL()),
                unit == null ? null : Texts.upper(unit),
                properties(batch.propertyList()));
    }

    private Map<String, String> properties(ThetisParser.@Nullable PropertyListContext context) {
        return Texts.properties(context, builders.source());
    }

    private List<PartitionValue> tuple(ThetisParser.PartitionTupleContext context) {
        return context.partitionBound().stream().map(this::value).toList();
    }

    private PartitionValue value(ThetisParser.PartitionBoundContext context) {
        Expression value =
                context.MAXVALUE() != null ? null : builders.expressions().value(context.valueExpression());
        return new PartitionValue(position(context), value);
    }
}
