// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.point;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.parser.ParsedStatement;
import org.thetis.sql.parser.ParserOptions;
import org.thetis.sql.parser.SqlParser;

/** What the quick pass over a text takes for literals, what it gives up on, and that it agrees with the grammar. */
class NormalizedTextTest {
    private static final ParserOptions NO_ESCAPES = ParserOptions.ofSqlMode("STRICT_TRANS_TABLES,NO_BACKSLASH_ESCAPES");

    private static NormalizedText text(String sql) {
        return requireNonNull(NormalizedText.of(sql, ParserOptions.DEFAULT), sql);
    }

    private static List<String> literals(String sql) {
        NormalizedText text = text(sql);
        List<String> sources = new ArrayList<>();
        for (int i = 0; i < text.numLiterals(); i++) {
            sources.add(text.source(i));
        }
        return sources;
    }

    @Test
    void literalsOfAllKinds() {
        assertThat(literals("select a1, t.b2 from t where k = 17 and d = -1.5 and e = .5 and f = 1. and s = 'x''y'"))
                .containsExactly("17", "1.5", ".5", "1.", "'x''y'");
        assertThat(literals("SELECT \"text\", `1 'x'`, 'a\\'b', '' FROM t"))
                .containsExactly("\"text\"", "'a\\'b'", "''");
        assertThat(literals("select 1e5, 0x1F, 1bd, 2a, t.3, t.4b from 5c where k=6"))
                .as("numbers with letters are left to the grammar")
                .containsExactly("6");
    }

    @Test
    void commentsAreNoLiterals() {
        assertThat(literals("/* 1 'x */ -- 2\n select /* 3 /* nested */ 4 */ 5 -- 6 ' \n + 7"))
                .containsExactly("5", "7");
        assertThat(text("/* trace 77 */ select 1").fingerprint())
                .isEqualTo(text("select 1").fingerprint());
    }

    @Test
    void kindsAndSpacesMakeFingerprints() {
        assertThat(text("select 1").fingerprint()).isEqualTo(text("select 22;").fingerprint());
        assertThat(text("select 1").fingerprint())
                .isNotEqualTo(text("select '1'").fingerprint());
        assertThat(text("select 1").fingerprint())
                .isNotEqualTo(text("select 1.0").fingerprint());
        assertThat(text("select a+1").fingerprint())
                .as("the text names the column")
                .isNotEqualTo(text("select a + 1").fingerprint());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "insert into t values (1)",
                "select 1; select 2",
                "select ?",
                "select 1 # comment",
                "select 'open",
                "select `open",
                "select /* open",
                "select /*+ SET_VAR(query_timeout = 1) */ 1",
                "select x'1F', 1",
                "select n'text'",
                "select r'te\\xt'",
                "select '\uD83D\uDE00'",
                "select \001",
            })
    void unsureTexts(String sql) {
        assertThat(NormalizedText.of(sql, ParserOptions.DEFAULT)).isNull();
    }

    @Test
    void changesAreTakenApartFromTheirConditionOn() {
        NormalizedText update = requireNonNull(NormalizedText.ofChange(
                "update t set a = 5, b = (select 1 from x where y = 2), `where` = 'where' WHERE k = 7 and c = 8",
                ParserOptions.DEFAULT));
        assertThat(update.numLiterals()).isEqualTo(6);
        assertThat(update.conditionBegin()).isEqualTo(4);
        assertThat(update.source(4)).isEqualTo("7");
        NormalizedText delete =
                requireNonNull(NormalizedText.ofChange("/* c */ DELETE FROM t WHERE k = 7", ParserOptions.DEFAULT));
        assertThat(delete.conditionBegin()).isZero();
        assertThat(requireNonNull(NormalizedText.ofChange("update t set a = 5", ParserOptions.DEFAULT))
                        .conditionBegin())
                .as("without a condition every literal counts")
                .isZero();
        assertThat(NormalizedText.ofChange("select 1", ParserOptions.DEFAULT)).isNull();
        assertThat(NormalizedText.of("update t set a = 5 where k = 7", ParserOptions.DEFAULT))
                .isNull();
    }

    @Test
    void valuesAreThoseOfTheBinder() {
        NormalizedText text =
                text("select 5, 300, 70000, 5000000000, 99999999999999999999, 1.50, 'it''s', \"a\\tb\\%\", 'x\"y'");
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < text.numLiterals(); i++) {
            values.add(text.value(i));
        }
        assertThat(values)
                .containsExactly(
                        Literal.integer(java.math.BigInteger.valueOf(5)),
                        Literal.integer(java.math.BigInteger.valueOf(300)),
                        Literal.integer(java.math.BigInteger.valueOf(70000)),
                        Literal.integer(java.math.BigInteger.valueOf(5000000000L)),
                        Literal.integer(new java.math.BigInteger("99999999999999999999")),
                        Literal.decimal(new java.math.BigDecimal("1.50")),
                        Literal.string("it's"),
                        Literal.string("a\tb\\%"),
                        Literal.string("x\"y"));
        NormalizedText plain = requireNonNull(NormalizedText.of("select 'a\\', 'b'", NO_ESCAPES));
        assertThat(plain.value(0)).isEqualTo(Literal.string("a\\"));
        assertThat(plain.numLiterals()).isEqualTo(2);
    }

    // --- random texts ---

    private static final String[] PIECES = {
        "select ",
        "SELECT",
        " from t",
        " where ",
        "k",
        " = ",
        "and ",
        "1",
        "23",
        "0",
        "4.5",
        ".6",
        "7.",
        "8e9",
        "1e+2",
        "0x1f",
        "'",
        "''",
        "\"",
        "`",
        "\\",
        "\\'",
        "'text'",
        "\"text\"",
        "'it''s'",
        "-",
        "--",
        "\n",
        "/*",
        "*/",
        "/*+",
        ";",
        "?",
        "@",
        "#",
        "(",
        ")",
        ",",
        "*",
        " ",
        "a",
        "b1",
        "1b",
        "t.",
        ".5a",
        "_utf8",
        "x'",
        "é",
        "\uD83D\uDE00",
        "\uE001",
        "in (1, 2)",
        " limit 1",
        " as ",
        "null",
        "\t",
        "!",
        "<>"
    };

    @Test
    void nothingThrows() {
        Random random = new Random(20240229);
        for (int round = 0; round < 50_000; round++) {
            StringBuilder sql = new StringBuilder(random.nextBoolean() ? "select " : "");
            for (int i = random.nextInt(12); i >= 0; i--) {
                sql.append(PIECES[random.nextInt(PIECES.length)]);
            }
            NormalizedText text =
                    NormalizedText.of(sql.toString(), random.nextBoolean() ? ParserOptions.DEFAULT : NO_ESCAPES);
            for (int i = 0; text != null && i < text.numLiterals(); i++) {
                text.value(i);
            }
        }
    }

    /** Statements of one fingerprint parse alike, and differ in nothing but their literals. */
    @Test
    void equalFingerprintsAreOneStatement() {
        Random random = new Random(7);
        SqlParser parser = new SqlParser();
        Map<String, String> shapes = new HashMap<>();
        int met = 0;
        for (int round = 0; round < 12_000; round++) {
            boolean escapes = round % 4 != 0;
            String sql = statement(random);
            NormalizedText text = NormalizedText.of(sql, escapes ? ParserOptions.DEFAULT : NO_ESCAPES);
            if (text == null) {
                continue;
            }
            String shape = shape(parser, sql, escapes);
            String before = shapes.putIfAbsent(escapes + text.fingerprint(), shape);
            if (before != null) {
                assertThat(shape).as(sql).isEqualTo(before);
                met++;
            }
        }
        assertThat(met).isGreaterThan(300);
    }

    private static String statement(Random random) {
        StringBuilder sql = new StringBuilder("select ").append(operand(random)).append(" from t where k = ");
        sql.append(operand(random));
        if (random.nextInt(3) == 0) {
            sql.append(" and s ").append(random.nextBoolean() ? "=" : "<>").append(operand(random));
        }
        if (random.nextInt(4) == 0) {
            sql.append(" limit ").append(random.nextInt(100));
        }
        return sql.toString();
    }

    private static String operand(Random random) {
        return switch (random.nextInt(9)) {
            case 0 -> Integer.toString(random.nextInt(1 << random.nextInt(1, 31)));
            case 1 -> random.nextInt(100) + "." + random.nextInt(100);
            case 2 -> "'" + inside(random, '\'') + "'";
            case 3 -> "\"" + inside(random, '"') + "\"";
            case 4 -> "-" + random.nextInt(1000);
            case 5 -> "a" + random.nextInt(3);
            case 6 -> "t." + random.nextInt(3) + "x";
            case 7 -> random.nextInt(10) + "e" + random.nextInt(3);
            default -> "/* " + random.nextInt(3) + " */ " + random.nextInt(1000);
        };
    }

    private static String inside(Random random, char quote) {
        String[] pieces = {
            "a", " ", "1", "\\\\", "\\" + quote, "" + quote + quote, "\\n", "--", "/*", "é", ";", "?", "%"
        };
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(pieces[random.nextInt(pieces.length)]);
        }
        return text.toString();
    }

    /** The tree without its literals' values and places; the failure's kind for texts that do not parse. */
    private static String shape(SqlParser parser, String sql, boolean escapes) {
        List<ParsedStatement> statements;
        try {
            statements = parser.parseAll(sql, escapes ? ParserOptions.DEFAULT : NO_ESCAPES);
        } catch (ThetisException failure) {
            return failure.code().toString();
        }
        assertThat(statements).hasSize(1);
        String tree = statements.get(0).statement().toString();
        return tree.replaceAll("(?s)SourcePosition.*?(, (?=[a-z][A-Za-z]*=)|])", "")
                .replaceAll("position=line \\d+, pos \\d+(, )?", "")
                .replaceAll("(?s)(IntegerLiteral|DecimalLiteral|StringLiteral)\\[.*?\\](?=[,\\]])", "$1")
                .replaceAll("(?s)text=.*?\\](?=[,\\]])", "text]");
    }
}
