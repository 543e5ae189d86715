// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.result;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Times as SHOW statements print them. */
public final class TimeText {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private TimeText() {}

    /** `yyyy-MM-dd HH:mm:ss` in the front end's zone; null for a time that never was. */
    public static @Nullable String of(long millis) {
        return millis <= 0 ? null : FORMAT.format(Instant.ofEpochMilli(millis).atZone(ZoneId.systemDefault()));
    }

    /** Like {@link #of}, with a text for never. */
    public static String of(long millis, String never) {
        String text = of(millis);
        return text == null ? never : text;
    }
}
