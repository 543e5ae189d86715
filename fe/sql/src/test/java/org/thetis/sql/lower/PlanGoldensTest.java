// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Shapes of plans against the files of regression-test/plans, with TPC-H row counts of scale factor 1 on three back ends. Run with the
 * environment variable THETIS_UPDATE_PLANS=1 to write the files anew, and review the difference.
 */
class PlanGoldensTest {
    private static final Path PLANS = Path.of("../../regression-test/plans");

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22})
    void tpch(int query) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String sql : TpchTest.statements(query)) {
            text.append(TpchTest.tpch(3).shape(sql));
        }
        check(PLANS.resolve(String.format("tpch/q%02d.plan", query)), text.toString());
    }

    /** Each statement of shapes.sql, which ends at a semicolon, with its plan below. */
    @Test
    void shapes() throws IOException {
        TestCluster cluster = TpchTest.tpch(3);
        StringBuilder text = new StringBuilder();
        for (String sql : Files.readString(PLANS.resolve("shapes.sql")).split(";")) {
            List<String> lines = new ArrayList<>();
            sql.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("--"))
                    .forEach(lines::add);
            if (!lines.isEmpty()) {
                String statement = String.join("\n", lines);
                text.append(statement)
                        .append(";\n")
                        .append(cluster.shape(statement).stripTrailing())
                        .append("\n\n");
            }
        }
        check(PLANS.resolve("shapes.plan"), text.toString());
    }

    private static void check(Path golden, String found) throws IOException {
        String plan = found.stripTrailing() + "\n";
        if (System.getenv("THETIS_UPDATE_PLANS") != null) {
            Files.createDirectories(golden.getParent());
            Files.writeString(golden, plan);
            return;
        }
        assertThat(plan).as(golden.toString()).isEqualTo(Files.readString(golden));
    }
}
