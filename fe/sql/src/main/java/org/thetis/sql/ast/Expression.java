// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.SourcePosition;

/** An expression as written: names are not resolved and nothing is typed. */
public sealed interface Expression {
    /** Where the expression starts; for operators, where the operator stands. */
    SourcePosition position();

    /** NULL. */
    record NullLiteral(SourcePosition position) implements Expression {}

    /** TRUE or FALSE. */
    record BooleanLiteral(SourcePosition position, boolean value) implements Expression {}

    /** An integer without sign; it may exceed every integer type. */
    record IntegerLiteral(SourcePosition position, BigInteger value) implements Expression {}

    /** A number with a point or an exponent, exactly as written. */
    record DecimalLiteral(SourcePosition position, BigDecimal value, String text) implements Expression {}

    /** A string with its escapes resolved. */
    record StringLiteral(SourcePosition position, String value) implements Expression {}

    /** DATE '...' and the like; type is upper-case (DATE, DATEV2, DATETIME, DATETIMEV2, TIMESTAMP, TIME). */
    record TypedLiteral(SourcePosition position, String type, String text) implements Expression {}

    /** INTERVAL amount unit. */
    record Interval(SourcePosition position, Expression amount, IntervalUnit unit) implements Expression {}

    /** [a, b]. */
    record ArrayLiteral(SourcePosition position, List<Expression> elements) implements Expression {
        /** Copies the collections. */
        public ArrayLiteral {
            elements = List.copyOf(elements);
        }
    }

    /** {k: v, ...}; keys and values are in step. */
    record MapLiteral(SourcePosition position, List<Expression> keys, List<Expression> values) implements Expression {
        /** Copies the collections. */
        public MapLiteral {
            keys = List.copyOf(keys);
            values = List.copyOf(values);
        }
    }

    /** {a, b}: a struct without field names. */
    record StructLiteral(SourcePosition position, List<Expression> fields) implements Expression {
        /** Copies the collections. */
        public StructLiteral {
            fields = List.copyOf(fields);
        }
    }

    /** The placeholder ?, counted from 0 in the order of the text. */
    record Parameter(SourcePosition position, int ordinal) implements Expression {}

    /** A dotted name; the binder decides which parts are database, table, column and struct fields. */
    record ColumnReference(SourcePosition position, List<String> parts) implements Expression {
        /** Copies the collections. */
        public ColumnReference {
            parts = List.copyOf(parts);
        }
    }

    /** * or t.*, as a function argument such as in count(*). */
    record Star(SourcePosition position, List<String> qualifier) implements Expression {
        /** Copies the collections. */
        public Star {
            qualifier = List.copyOf(qualifier);
        }
    }

    /** DEFAULT as a value of INSERT or UPDATE. */
    record DefaultMarker(SourcePosition position) implements Expression {}

    /** @@name, @@session.name or @@global.name. */
    record SystemVariable(SourcePosition position, VariableScope scope, String name) implements Expression {}

    /** @name. */
    record UserVariable(SourcePosition position, String name) implements Expression {}

    /**
     * A call with the function name as written (one part, or database and name). window is set for name(...) OVER
     * (...). ignoreNulls is null when not said.
     */
    record FunctionCall(
            SourcePosition position,
            List<String> name,
            boolean distinct,
            List<Expression> arguments,
            List<SortItem> orderBy,
            @Nullable Boolean ignoreNulls,
            @Nullable WindowSpecification window)
            implements Expression {
        /** Copies the collections. */
        public FunctionCall {
            name = List.copyOf(name);
            arguments = List.copyOf(arguments);
            orderBy = List.copyOf(orderBy);
        }
    }

    /** A binary arithmetic or bit operator. */
    record Arithmetic(SourcePosition position, ArithmeticOperator operator, Expression left, Expression right)
            implements Expression {}

    /** Unary minus, plus or bit negation. */
    record Unary(SourcePosition position, UnaryOperator operator, Expression operand) implements Expression {}

    /** A comparison of two values. */
    record Comparison(SourcePosition position, ComparisonOperator operator, Expression left, Expression right)
            implements Expression {}

    /** AND, OR, XOR over two or more operands; a chain of one operator is one node. */
    record Logical(SourcePosition position, LogicalOperator operator, List<Expression> operands) implements Expression {
        /** Copies the collections. */
        public Logical {
            operands = List.copyOf(operands);
        }
    }

    /** Logical negation. */
    record Not(SourcePosition position, Expression operand) implements Expression {}

    /** value [NOT] BETWEEN low AND high. */
    record Between(SourcePosition position, boolean negated, Expression value, Expression low, Expression high)
            implements Expression {}

    /** value [NOT] IN (options). */
    record InList(SourcePosition position, boolean negated, Expression value, List<Expression> options)
            implements Expression {
        /** Copies the collections. */
        public InList {
            options = List.copyOf(options);
        }
    }

    /** value [NOT] IN (query). value is a StructLiteral for a row of values. */
    record InSubquery(SourcePosition position, boolean negated, Expression value, Query query) implements Expression {}

    /** value operator ANY (query), or ALL. = ANY and <> ALL are InSubquery instead. */
    record Quantified(SourcePosition position, ComparisonOperator operator, boolean all, Expression value, Query query)
            implements Expression {}

    /** @name := value. */
    record UserVariableAssignment(SourcePosition position, String name, Expression value) implements Expression {}

    /** EXISTS (query); NOT EXISTS is Not around it. */
    record Exists(SourcePosition position, Query query) implements Expression {}

    /** (query) as a value. */
    record ScalarSubquery(SourcePosition position, Query query) implements Expression {}

    /** value [NOT] LIKE pattern [ESCAPE c], or REGEXP when regexp is true. */
    record Like(
            SourcePosition position,
            boolean negated,
            boolean regexp,
            Expression value,
            Expression pattern,
            @Nullable Expression escape)
            implements Expression {}

    /** value [NOT] MATCH_ANY pattern and its kin; operator is upper-case, such as MATCH_PHRASE. */
    record Match(SourcePosition position, boolean negated, String operator, Expression value, Expression pattern)
            implements Expression {}

    /** value IS [NOT] NULL. */
    record IsNull(SourcePosition position, boolean negated, Expression value) implements Expression {}

    /** value IS [NOT] TRUE or FALSE. */
    record IsTruth(SourcePosition position, boolean negated, Expression value, boolean truth) implements Expression {}

    /** CASE; operand is null for the searched form. */
    record Case(
            SourcePosition position,
            @Nullable Expression operand,
            List<WhenClause> whens,
            @Nullable Expression otherwise)
            implements Expression {
        /** Copies the collections. */
        public Case {
            whens = List.copyOf(whens);
        }
    }

    /** CAST, CONVERT(e, type) or TRY_CAST (tolerant). SIGNED and UNSIGNED appear as type names. */
    record Cast(SourcePosition position, Expression value, TypeName type, boolean tolerant) implements Expression {}

    /** value[index]. */
    record Subscript(SourcePosition position, Expression value, Expression index) implements Expression {}

    /** value[begin:end]; end is null when not given. */
    record Slice(SourcePosition position, Expression value, Expression begin, @Nullable Expression end)
            implements Expression {}

    /** value.field where value is not itself a plain dotted name. */
    record FieldAccess(SourcePosition position, Expression value, String field) implements Expression {}

    /** x -> body or (x, y) -> body. */
    record Lambda(SourcePosition position, List<String> parameters, Expression body) implements Expression {
        /** Copies the collections. */
        public Lambda {
            parameters = List.copyOf(parameters);
        }
    }

    /** KEY [db.]name: the text of an encryption key. */
    record EncryptKey(SourcePosition position, QualifiedName name) implements Expression {}
}
