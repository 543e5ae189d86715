// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.ast.QueryStatement;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.UnsupportedStatement;

/** Every statement of the surface parses, and to the right record. */
class SqlSurfaceTest {
    private final SqlParser parser = new SqlParser();

    @Test
    void everyStatementParsesToItsRecord() throws IOException {
        List<String> failures = new ArrayList<>();
        int count = 0;
        for (String line : read("statements.txt").lines().toList()) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            count++;
            int separator = line.indexOf(" | ");
            String found = describe(line.substring(separator + 3));
            if (!found.equals(line.substring(0, separator))) {
                failures.add(line + " -> " + found);
            }
        }
        assertThat(failures).isEmpty();
        assertThat(count).isGreaterThan(400);
    }

    @Test
    void keywordsAreCaseInsensitive() throws IOException {
        List<String> failures = new ArrayList<>();
        for (String line : read("statements.txt").lines().toList()) {
            if (line.isBlank() || line.startsWith("#") || line.contains("'") || line.contains("\"")) {
                continue;
            }
            int separator = line.indexOf(" | ");
            String found = describe(Texts.upper(line.substring(separator + 3)));
            if (!found.equals(line.substring(0, separator))) {
                failures.add(line + " -> " + found);
            }
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void tpchQueriesParse() throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.list(Path.of("../../regression-test/data/tpch/queries"))) {
            files = found.sorted().toList();
        }
        assertThat(files).hasSize(22);
        for (Path file : files) {
            List<ParsedStatement> statements = parser.parseAll(Files.readString(file), ParserOptions.DEFAULT);
            assertThat(statements).as(file.toString()).isNotEmpty();
            assertThat(statements.get(statements.size() - 1).statement()).isInstanceOf(QueryStatement.class);
        }
    }

    @Test
    void reportingQueriesParse() throws IOException {
        List<ParsedStatement> statements = parser.parseAll(read("reporting_queries.sql"), ParserOptions.DEFAULT);
        assertThat(statements).hasSize(6).allSatisfy(statement -> assertThat(statement.statement())
                .isInstanceOf(QueryStatement.class));
    }

    private String describe(String sql) {
        try {
            Statement statement = parser.parse(sql);
            return statement instanceof UnsupportedStatement unsupported
                    ? "!" + unsupported.name()
                    : statement.getClass().getSimpleName();
        } catch (ThetisException e) {
            return e.text();
        }
    }

    private static String read(String name) throws IOException {
        try (InputStream stream = Objects.requireNonNull(SqlSurfaceTest.class.getResourceAsStream(name), name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
