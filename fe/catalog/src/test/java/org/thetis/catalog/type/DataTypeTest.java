// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataTypeTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "INT|int",
                "integer|int",
                "INT(11)|int",
                "bool|boolean",
                "decimal|decimal(38,9)",
                "DECIMALV3(10,2)|decimal(10,2)",
                "decimal(5)|decimal(5,0)",
                "numeric(7, 3)|decimal(7,3)",
                "datev2|date",
                "DATETIMEV2(3)|datetime(3)",
                "datetime|datetime",
                "char|char(1)",
                "varchar|varchar(65533)",
                "varchar(*)|varchar(65533)",
                "string|text",
                "TEXT|text",
                "jsonb|json",
                "largeint|largeint",
                "time(6)|time(6)",
                "ARRAY<INT>|array<int>",
                "map<varchar(10), array<decimal(5,1)>>|map<varchar(10),array<decimal(5,1)>>",
                "struct<a:int, b:string>|struct<a:int,b:text>",
                "ipv6|ipv6",
                "hll|hll"
            })
    void parsesEveryNameAndPrintsTheOneShown(String text, String shown) {
        DataType type = DataType.parse(text);
        assertThat(type.toSql()).isEqualTo(shown);
        assertThat(DataType.parse(type.toSql())).isEqualTo(type);
        assertThat(DataType.fromThrift(type.toThrift(true))).isEqualTo(type);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nope",
                "decimal(39,1)",
                "decimal(5,6)",
                "datetime(7)",
                "char(256)",
                "varchar(0)",
                "varchar(65534)",
                "array<>",
                "int)",
                "array<int",
                "map<int>",
                "varchar(99999999999)",
                "array<array<array<array<array<array<array<array<array<array<array<int>>>>>>>>>>>"
            })
    void refusesWhatIsNoType(String text) {
        assertThatThrownBy(() -> DataType.parse(text)).hasMessageStartingWith("Not a type: ");
    }

    @Test
    void physicalWidthOfDecimalsFollowsPrecision() {
        assertThat(DataType.decimal(9, 2).physical()).isEqualTo(TypeId.Physical.INT32);
        assertThat(DataType.decimal(10, 2).physical()).isEqualTo(TypeId.Physical.INT64);
        assertThat(DataType.decimal(19, 2).physical()).isEqualTo(TypeId.Physical.INT128);
    }

    @Test
    void datesAreDaysAndMicroseconds() {
        assertThat(ScalarText.parse(DataType.DATE, "1970-01-02")).isEqualTo(BigInteger.ONE);
        assertThat(ScalarText.parse(DataType.DATE, "0000-01-01")).isEqualTo(BigInteger.valueOf(-719528));
        assertThat(ScalarText.parse(DataType.datetime(3), "1970-01-01 00:00:01.2345"))
                .isEqualTo(BigInteger.valueOf(1_234_000));
        assertThat(ScalarText.parse(DataType.DATE, "20240229")).isEqualTo(ScalarText.parse(DataType.DATE, "2024-2-29"));
        assertThat(ScalarText.format(DataType.datetime(3), BigInteger.valueOf(-1000)))
                .isEqualTo("1969-12-31 23:59:59.999");
        assertThatThrownBy(() -> ScalarText.parse(DataType.DATE, "2023-02-29"))
                .hasMessageContaining("not a value of type date");
        assertThatThrownBy(() -> ScalarText.parse(DataType.TINYINT, "128"))
                .hasMessageContaining("out of range of type tinyint");
    }

    @Test
    void wideLiteralsAreLittleEndian() {
        byte[] bytes =
                LiteralCodec.of(DataType.LARGEINT, BigInteger.valueOf(-2)).getInt128_value();
        assertThat(bytes).hasSize(16).startsWith(new byte[] {-2, -1}).endsWith(new byte[] {-1});
        assertThat(LiteralCodec.parse(DataType.decimal(10, 2), "1.005").getInt_value())
                .isEqualTo(101);
        assertThatThrownBy(() -> LiteralCodec.parse(DataType.decimal(4, 2), "123.4"))
                .hasMessageContaining("out of range");
    }
}
