// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprId;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.ScalarCall;
import org.thetis.sql.expr.SlotReference;

/** Result types of operators, as the semantics contract tables them. */
class ArithmeticTest {
    private static Expr column(String type) {
        return new SlotReference(new ExprId(type.hashCode()), null, "c", DataType.parse(type), true, null);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "add | tinyint | tinyint | smallint",
                "add | tinyint | smallint | int",
                "subtract | int | smallint | bigint",
                "multiply | bigint | int | bigint",
                "add | largeint | tinyint | largeint",
                "add | boolean | boolean | smallint",
                "add | int | double | double",
                "add | decimal(9,2) | float | double",
                "add | date | int | bigint",
                "add | varchar(5) | int | double",
                "add | decimal(15,2) | decimal(10,4) | decimal(18,4)",
                "subtract | decimal(38,2) | decimal(38,4) | decimal(38,1)",
                "multiply | decimal(15,2) | decimal(16,2) | decimal(31,4)",
                "multiply | decimal(31,4) | decimal(16,2) | decimal(38,6)",
                "multiply | decimal(20,10) | decimal(20,10) | decimal(38,18)",
                "multiply | int | decimal(9,3) | decimal(19,3)",
                "divide | int | int | double",
                "divide | bigint | double | double",
                "int_divide | int | bigint | bigint",
                "int_divide | decimal(9,2) | int | bigint",
                "mod | int | bigint | bigint",
                "mod | float | float | float",
                "mod | decimal(9,3) | decimal(5,4) | decimal(10,4)"
            })
    void resultTypes(String operator, String left, String right, String result) {
        assertThat(Arithmetic.binary(operator, column(left), column(right)).type())
                .isEqualTo(DataType.parse(result));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "decimal(3,2) | decimal(16,2) | 6",
                "decimal(2,1) | decimal(16,2) | 5",
                "decimal(9,3) | tinyint | 7"
            })
    void quotientsHaveFourMoreDigits(String left, String right, int scale) {
        Expr quotient = Arithmetic.binary("divide", column(left), column(right));
        assertThat(quotient.type().scale()).isEqualTo(scale);
        ScalarCall call = (ScalarCall) quotient;
        assertThat(call.child(0).type().scale() - call.child(1).type().scale()).isEqualTo(scale);
        assertThat(call.child(0).type().physical())
                .isEqualTo(call.child(1).type().physical());
    }

    @Test
    void divisionIsAlwaysNullable() {
        Expr notNull = ((SlotReference) column("int")).withNullable(false);
        assertThat(Arithmetic.binary("divide", notNull, notNull).nullable()).isTrue();
        assertThat(Arithmetic.binary("add", notNull, notNull).nullable()).isFalse();
    }

    @Test
    void decimalFactorsShareOneWidth() {
        ScalarCall product =
                (ScalarCall) Arithmetic.binary("multiply", column("decimal(5,2)"), column("decimal(20,2)"));
        assertThat(product.child(0).type().physical())
                .isEqualTo(product.child(1).type().physical());
        assertThat(product.child(0).type().scale()).isEqualTo(2);
    }

    @Test
    void smallestIntegerKeepsItsType() {
        Expr literal = Literal.integer(new java.math.BigInteger("9223372036854775808"));
        assertThat(literal.type()).isEqualTo(DataType.LARGEINT);
        assertThat(Arithmetic.negate(literal).type()).isEqualTo(DataType.BIGINT);
    }

    @Test
    void textThatIsNoNumberIsRefused() {
        assertThatThrownBy(() -> Arithmetic.binary("add", Literal.string("abc"), column("int")))
                .isInstanceOf(ThetisException.class)
                .hasMessageContaining("abc");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tinyint | bigint | bigint",
                "int | varchar(5) | double",
                "decimal(9,2) | int | decimal(12,2)",
                "decimal(9,2) | double | double",
                "date | datetime(3) | datetime(3)",
                "date | varchar(5) | datetime(6)",
                "boolean | int | int",
                "varchar(3) | string | string"
            })
    void comparisonTypes(String left, String right, String common) {
        assertThat(WidenedTypes.comparison(DataType.parse(left), DataType.parse(right)))
                .contains(DataType.parse(common));
        assertThat(WidenedTypes.comparison(DataType.parse(right), DataType.parse(left)))
                .contains(DataType.parse(common));
    }

    @Test
    void branchesOfNumberAndTextAreText() {
        assertThat(WidenedTypes.branch(DataType.INT, DataType.VARCHAR)).contains(DataType.STRING);
        assertThat(WidenedTypes.branch(DataType.NULL, DataType.DATE)).contains(DataType.DATE);
    }

    @Test
    void literalsTakeTheColumnsTypeWhenTheyFit() {
        Coercion.Pair pair = Coercion.comparison(column("decimal(15,2)"), Literal.integer(24));
        assertThat(pair.left().type()).isEqualTo(DataType.parse("decimal(15,2)"));
        assertThat(pair.right()).isInstanceOf(Literal.class);
        pair = Coercion.comparison(column("date"), Literal.string("2020-02-03"));
        assertThat(pair.right())
                .isEqualTo(Literal.date(java.time.LocalDate.of(2020, 2, 3).toEpochDay()));
        pair = Coercion.comparison(column("int"), Literal.string("3000000000"));
        assertThat(pair.left().type()).isEqualTo(DataType.DOUBLE);
        pair = Coercion.comparison(column("date"), Literal.string("2020-02-03 10:00:00"));
        assertThat(pair.left().type().id().sqlName()).isEqualTo("datetime");
    }
}
