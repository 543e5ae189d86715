// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.functions;

import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.NullMode;

/** Named rules for result types and nullability that a signature cannot say. */
final class ReturnRules {
    private static final Map<String, BiFunction<List<Expr>, DataType, DataType>> TYPES = Map.of(
            "sum", (arguments, plain) -> sum(arguments, plain),
            "avg", (arguments, plain) -> average(arguments, plain),
            "round", (arguments, plain) -> round(arguments, plain),
            "decimal_add", (arguments, plain) -> plain,
            "decimal_multiply", (arguments, plain) -> plain,
            "decimal_divide", (arguments, plain) -> plain,
            "decimal_mod", (arguments, plain) -> plain,
            "date_shift", (arguments, plain) -> plain);
    private static final Map<String, NullMode> NULLS =
            Map.of("coalesce", NullMode.ALL_ARGUMENTS, "if", NullMode.BRANCHES, "nullif", NullMode.ALWAYS);

    private ReturnRules() {}

    static DataType type(String rule, List<Expr> arguments, DataType plain) {
        if (rule.isEmpty() || NULLS.containsKey(rule)) {
            return plain;
        }
        BiFunction<List<Expr>, DataType, DataType> function = TYPES.get(rule);
        if (function == null) {
            throw new ThetisException(ErrorCode.INTERNAL, "function catalog: unknown return_rule '" + rule + "'");
        }
        return function.apply(arguments, plain);
    }

    static NullMode nulls(String rule, NullMode plain) {
        return NULLS.getOrDefault(rule, plain);
    }

    private static DataType sum(List<Expr> arguments, DataType plain) {
        DataType type = arguments.get(0).type();
        return switch (type.id()) {
            case BOOLEAN, TINYINT, SMALLINT, INT, BIGINT -> DataType.BIGINT;
            case LARGEINT -> DataType.LARGEINT;
            case DECIMAL -> DataType.decimal(DataType.MAX_DECIMAL_PRECISION, type.scale());
            case FLOAT, DOUBLE -> DataType.DOUBLE;
            default -> plain;
        };
    }

    private static DataType average(List<Expr> arguments, DataType plain) {
        DataType type = arguments.get(0).type();
        return type.isDecimal()
                ? DataType.decimal(DataType.MAX_DECIMAL_PRECISION, Math.max(type.scale(), 4))
                : DataType.DOUBLE;
    }

    private static DataType round(List<Expr> arguments, DataType plain) {
        DataType type = arguments.get(0).type();
        if (type.id() != TypeId.DECIMAL) {
            return plain;
        }
        int digits = 0;
        if (arguments.size() > 1) {
            digits = arguments.get(1) instanceof Literal literal && !literal.isNull()
                    ? (int) Math.max(-38, Math.min(38, literal.longValue()))
                    : type.scale();
        }
        return DataType.decimal(type.precision(), Math.min(Math.max(digits, 0), type.scale()));
    }
}
