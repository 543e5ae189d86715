// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** INTO OUTFILE: where and how a result is written instead of returned. */
public record Outfile(String url, @Nullable String format, Map<String, String> properties) {
    /** Copies the collections. */
    public Outfile {
        properties = ImmutableMap.copyOf(properties);
    }
}
