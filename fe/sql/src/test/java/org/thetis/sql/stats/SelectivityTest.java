// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprIds;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.functions.Calls;

class SelectivityTest {
    private final SlotReference column =
            new SlotReference(new ExprIds().next(), null, "c", DataType.BIGINT, false, null);
    private final Estimate input =
            new Estimate(10_000, Map.of(column.id(), 1_000.0), Map.of(column.id(), new Estimate.Range(0, 1_000)));

    private Expr compare(String operator, long bound) {
        return Calls.compare(operator, column, Literal.bigint(bound));
    }

    @Test
    void boundsOfOneColumnCutOneRange() {
        assertThat(Selectivity.ofAll(List.of(compare("ge", 900)), input)).isEqualTo(0.1, within(1e-9));
        assertThat(Selectivity.ofAll(List.of(compare("ge", 400), compare("lt", 600)), input))
                .isEqualTo(0.2, within(1e-9));
        assertThat(Selectivity.ofAll(List.of(compare("le", 5_000)), input)).isEqualTo(1);
    }

    @Test
    void nothingLiesOutsideOfTheRange() {
        assertThat(Selectivity.ofAll(List.of(compare("gt", 5_000)), input)).isZero();
        assertThat(Selectivity.ofAll(List.of(compare("lt", -1)), input)).isZero();
        assertThat(Selectivity.ofAll(List.of(compare("gt", 600), compare("lt", 500)), input))
                .isZero();
    }

    @Test
    void aNarrowRangeHoldsAtLeastOneValue() {
        assertThat(Selectivity.ofAll(List.of(compare("ge", 500), compare("le", 500)), input))
                .isEqualTo(0.001, within(1e-9));
    }

    @Test
    void withoutBoundsARangeIsGuessed() {
        Estimate blind = new Estimate(10_000, Map.of());
        assertThat(Selectivity.ofAll(List.of(compare("ge", 900)), blind)).isEqualTo(0.3);
    }
}
