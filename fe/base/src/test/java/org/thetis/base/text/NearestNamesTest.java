// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNamesTest {
    private static final List<String> NAMES = List.of("l_orderkey", "l_partkey", "l_comment", "O_ORDERKEY");

    @Test
    void findsTyposAndSwaps() {
        assertThat(NearestNames.nearest("l_oderkey", NAMES)).contains("l_orderkey");
        assertThat(NearestNames.nearest("L_COMMNET", NAMES)).contains("l_comment");
        assertThat(NearestNames.nearest("o_orderkey", NAMES)).contains("O_ORDERKEY");
        assertThat(NearestNames.nearest("completely_else", NAMES)).isEmpty();
        assertThat(NearestNames.nearest("x", List.of("y")))
                .as("nothing in common")
                .isEmpty();
    }

    @Test
    void givesSeveralInOrder() {
        assertThat(NearestNames.nearest("l_orderky", NAMES, 3))
                .startsWith("l_orderkey")
                .contains("O_ORDERKEY");
        assertThat(NearestNames.suggestion("l_coment", NAMES)).isEqualTo(", did you mean 'l_comment'?");
        assertThat(NearestNames.suggestion("zzzzzzzz", NAMES)).isEmpty();
    }

    @Test
    void distanceCountsASwapOnce() {
        assertThat(NearestNames.distance("ab", "ba", 5)).isEqualTo(1);
        assertThat(NearestNames.distance("kitten", "sitting", 5)).isEqualTo(3);
        assertThat(NearestNames.distance("kitten", "sitting", 2)).isEqualTo(3);
    }
}
