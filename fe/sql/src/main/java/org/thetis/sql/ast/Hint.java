// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import org.thetis.base.error.SourcePosition;

/** One hint of a hint block: its name as written, its text between the parentheses, and for SET_VAR its pairs. */
public record Hint(SourcePosition position, String name, String arguments, Map<String, String> settings) {
    /** Copies the collections. */
    public Hint {
        settings = ImmutableMap.copyOf(settings);
    }
}
