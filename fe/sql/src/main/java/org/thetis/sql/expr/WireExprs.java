// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.type.DataType;
import org.thetis.wire.thrift.CaseWhen;
import org.thetis.wire.thrift.Cast;
import org.thetis.wire.thrift.Connective;
import org.thetis.wire.thrift.Expr;
import org.thetis.wire.thrift.ExprNode;
import org.thetis.wire.thrift.FunctionCall;
import org.thetis.wire.thrift.InList;
import org.thetis.wire.thrift.Literal;
import org.thetis.wire.thrift.SlotRef;

/**
 * Turns expressions over the columns of one input into their wire form, where a column is a position. Nullability is derived
 * afresh from the input, as rewriting may have left stale marks above.
 */
public final class WireExprs {
    private final Map<ExprId, Integer> positions = new HashMap<>();
    private final List<SlotReference> input;

    /** For expressions over these columns, in the order of the batch. */
    public WireExprs(List<SlotReference> input) {
        this.input = input;
        for (int i = 0; i < input.size(); i++) {
            positions.putIfAbsent(input.get(i).id(), i);
        }
    }

    /** Position of a column; fails with INTERNAL when the input does not have it. */
    public int position(SlotReference slot) {
        Integer position = positions.get(slot.id());
        if (position == null) {
            throw new ThetisException(ErrorCode.INTERNAL, "column " + slot + " is not in the input " + input);
        }
        return position;
    }

    /** The wire form of each expression. */
    public List<Expr> all(List<? extends org.thetis.sql.expr.Expr> expressions) {
        List<Expr> result = new ArrayList<>(expressions.size());
        expressions.forEach(expression -> result.add(one(expression)));
        return result;
    }

    /** The wire form of an expression. */
    public Expr one(org.thetis.sql.expr.Expr expression) {
        if (expression instanceof Alias alias) {
            return one(alias.child());
        }
        if (expression instanceof SlotReference slot) {
            int position = position(slot);
            SlotReference actual = input.get(position);
            return new Expr(ExprNode.slot(new SlotRef(position)), actual.type().toThrift(actual.nullable()));
        }
        if (expression instanceof org.thetis.sql.expr.Literal literal) {
            return new Expr(ExprNode.literal(literal(literal)), literal.type().toThrift(literal.isNull()));
        }
        List<Expr> children = all(expression.children());
        boolean anyNull = children.stream().anyMatch(child -> child.getType().isNullable());
        return node(expression, children, anyNull).setChildren(children);
    }

    private static Expr node(org.thetis.sql.expr.Expr expression, List<Expr> children, boolean anyNull) {
        DataType type = expression.type();
        if (expression instanceof ScalarCall call) {
            boolean nullable = call.nulls()
                    .nullable(children.stream()
                            .map(child -> child.getType().isNullable())
                            .toList());
            return new Expr(ExprNode.call(new FunctionCall(call.name())), type.toThrift(nullable));
        }
        if (expression instanceof org.thetis.sql.expr.Cast cast) {
            boolean nullable = anyNull || !Casts.neverFails(cast.child().type(), type);
            return new Expr(ExprNode.cast(new Cast()), type.toThrift(nullable));
        }
        if (expression instanceof org.thetis.sql.expr.Connective connective) {
            return new Expr(ExprNode.connective(new Connective(connective.and())), type.toThrift(anyNull));
        }
        if (expression instanceof org.thetis.sql.expr.InList in) {
            return new Expr(ExprNode.in_list(new InList(in.negated())), type.toThrift(anyNull));
        }
        if (expression instanceof org.thetis.sql.expr.CaseWhen when) {
            boolean nullable = when.otherwise() == null;
            for (int i = 0; i < children.size(); i++) {
                boolean isResult = i % 2 == 1 || i == children.size() - 1 && when.otherwise() != null;
                nullable |= isResult && children.get(i).getType().isNullable();
            }
            return new Expr(ExprNode.case_when(new CaseWhen(false, when.otherwise() != null)), type.toThrift(nullable));
        }
        throw new ThetisException(ErrorCode.INTERNAL, "expression cannot be sent to back ends: " + expression.sql());
    }

    /** The wire form of a literal. */
    public static Literal literal(org.thetis.sql.expr.Literal literal) {
        Object value = literal.value();
        Literal wire = new Literal(value == null);
        if (value instanceof Boolean truth) {
            wire.setInt_value(truth ? 1 : 0);
        } else if (value instanceof Long number) {
            wire.setInt_value(number);
        } else if (value instanceof Double number) {
            wire.setDouble_value(number);
        } else if (value instanceof String text) {
            wire.setBytes_value(text.getBytes(StandardCharsets.UTF_8));
        } else if (value instanceof BigInteger number) {
            wire.setInt128_value(littleEndian(number));
        } else if (value instanceof BigDecimal decimal) {
            BigInteger unscaled = decimal.setScale(literal.type().scale()).unscaledValue();
            if (literal.type().precision() <= 18) {
                wire.setInt_value(unscaled.longValueExact());
            } else {
                wire.setInt128_value(littleEndian(unscaled));
            }
        }
        return wire;
    }

    /** 16 bytes of two's complement, least significant first. */
    public static byte[] littleEndian(BigInteger value) {
        byte[] big = value.toByteArray();
        byte[] little = new byte[16];
        java.util.Arrays.fill(little, (byte) (value.signum() < 0 ? -1 : 0));
        for (int i = 0; i < big.length && i < 16; i++) {
            little[i] = big[big.length - 1 - i];
        }
        return little;
    }
}
