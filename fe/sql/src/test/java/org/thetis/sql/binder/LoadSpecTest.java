// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.thetis.base.error.ThetisException;

class LoadSpecTest {
    @Test
    void readsHeaders() {
        LoadSpec plain = LoadSpec.of(Map.of());
        assertThat(plain.merge()).isEqualTo(LoadSpec.Merge.APPEND);
        assertThat(plain.partialUpdate()).isFalse();
        LoadSpec merge = LoadSpec.of(Map.of("merge_type", "merge", "delete", "v > 3", "hidden_columns", "a, `b`"));
        assertThat(merge.merge()).isEqualTo(LoadSpec.Merge.MERGE);
        assertThat(merge.hiddenColumns()).containsExactly("a", "b");
        assertThat(LoadSpec.of(Map.of("unique_key_update_mode", "UPDATE_FIXED_COLUMNS"))
                        .partialUpdate())
                .isTrue();
    }

    @Test
    void strictModeRefusesNewKeysUnlessTheHeaderSaysOtherwise() {
        assertThat(LoadSpec.of(Map.of("partial_columns", "true")).existingOnly())
                .isFalse();
        assertThat(LoadSpec.of(Map.of("partial_columns", "true", "strict_mode", "true"))
                        .existingOnly())
                .isTrue();
        assertThat(LoadSpec.of(Map.of(
                                "partial_columns",
                                "true",
                                "strict_mode",
                                "true",
                                "partial_update_new_key_behavior",
                                "append"))
                        .existingOnly())
                .isFalse();
        assertThat(LoadSpec.of(Map.of("partial_columns", "true", "partial_update_new_key_behavior", "ERROR"))
                        .existingOnly())
                .isTrue();
    }

    @Test
    void contradictionsAreErrors() {
        refused("needs the header delete", Map.of("merge_type", "MERGE"));
        refused("needs merge_type MERGE", Map.of("delete", "a = 1"));
        refused("needs merge_type MERGE", Map.of("delete", "a = 1", "merge_type", "DELETE"));
        refused("must be APPEND, DELETE or MERGE", Map.of("merge_type", "REPLACE"));
        refused("cannot be used together", Map.of("columns", "a", "hidden_columns", "b"));
        refused("contradicts partial_columns", Map.of("partial_columns", "true", "unique_key_update_mode", "UPSERT"));
        refused("not supported", Map.of("unique_key_update_mode", "UPDATE_FLEXIBLE_COLUMNS"));
        refused("unique_key_update_mode must be", Map.of("unique_key_update_mode", "x"));
        refused("needs partial_columns", Map.of("partial_update_new_key_behavior", "ERROR"));
        refused(
                "must be APPEND or ERROR",
                Map.of("partial_columns", "true", "partial_update_new_key_behavior", "maybe"));
    }

    private static void refused(String text, Map<String, String> headers) {
        assertThatThrownBy(() -> LoadSpec.of(headers))
                .isInstanceOf(ThetisException.class)
                .hasMessageContaining(text);
    }
}
