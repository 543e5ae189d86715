// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.collection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PersistentSortedMapTest {
    @Test
    void behavesLikeATreeMapAndKeepsOldVersions() {
        long seed = 4711;
        Random random = new Random(seed);
        TreeMap<Integer, Integer> expected = new TreeMap<>();
        PersistentSortedMap<Integer, Integer> map = PersistentSortedMap.empty();
        List<PersistentSortedMap<Integer, Integer>> versions = new ArrayList<>();
        List<TreeMap<Integer, Integer>> copies = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            int key = random.nextInt(500);
            if (random.nextInt(3) == 0) {
                expected.remove(key);
                map = map.without(key);
            } else {
                expected.put(key, i);
                map = map.with(key, i);
            }
            assertThat(map.size()).as("seed %s", seed).isEqualTo(expected.size());
            if (i % 500 == 0) {
                versions.add(map);
                copies.add(new TreeMap<>(expected));
            }
            int probe = random.nextInt(500);
            assertThat(map.find(probe).orElse(null)).isEqualTo(expected.get(probe));
            assertThat(map.floor(probe).map(Map.Entry::getKey).orElse(null)).isEqualTo(expected.floorKey(probe));
        }
        for (int i = 0; i < versions.size(); i++) {
            assertThat(versions.get(i).keys())
                    .isEqualTo(List.copyOf(copies.get(i).keySet()));
            assertThat(versions.get(i).values())
                    .isEqualTo(List.copyOf(copies.get(i).values()));
        }
    }

    @Test
    void equalityIsByContentWhateverTheHistory() {
        PersistentSortedMap<String, Integer> one = PersistentSortedMap.<String, Integer>empty()
                .with("a", 1)
                .with("b", 2)
                .with("c", 3)
                .without("b");
        PersistentSortedMap<String, Integer> other =
                PersistentSortedMap.<String, Integer>empty().with("c", 3).with("a", 1);
        assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
        assertThat(one.with("a", 2)).isNotEqualTo(other);
    }
}
