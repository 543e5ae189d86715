// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.result;

import java.util.List;
import java.util.Locale;

/** Byte counts as SHOW statements print them: three decimals and a unit. */
public final class SizeText {
    private static final List<String> UNITS = List.of("", "KB", "MB", "GB", "TB", "PB");

    private SizeText() {}

    public static String of(long bytes) {
        double value = bytes;
        int unit = 0;
        while (Math.abs(value) >= 1024 && unit + 1 < UNITS.size()) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, "%.3f %s", value, UNITS.get(unit));
    }

    /** Share of a whole in percent, as `12.34 %`. */
    public static String percent(long part, long whole) {
        return String.format(Locale.ROOT, "%.2f %%", whole <= 0 ? 0.0 : 100.0 * part / whole);
    }
}
