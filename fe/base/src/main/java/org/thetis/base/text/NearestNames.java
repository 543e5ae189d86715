// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.text;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the known names that a mistyped one most likely meant, by edit distance without regard to case. */
public final class NearestNames {
    private NearestNames() {}

    /** The closest candidate, or empty when none is within a third of the name's length (at least two edits). */
    public static Optional<String> nearest(String name, Collection<String> candidates) {
        return nearest(name, candidates, 1).stream().findFirst();
    }

    /** Up to `limit` candidates in order of distance, then of name. */
    public static List<String> nearest(String name, Collection<String> candidates, int limit) {
        record Scored(String candidate, int distance) {}
        String wanted = name.toLowerCase(Locale.ROOT);
        int allowed = Math.max(2, wanted.length() / 3);
        List<Scored> scored = new ArrayList<>();
        for (String candidate : candidates) {
            int distance = distance(wanted, candidate.toLowerCase(Locale.ROOT), allowed);
            if (distance <= allowed && distance < Math.max(wanted.length(), candidate.length())) {
                scored.add(new Scored(candidate, distance));
            }
        }
        scored.sort(Comparator.comparingInt(Scored::distance).thenComparing(Scored::candidate));
        return scored.stream().limit(limit).map(Scored::candidate).toList();
    }

    /** Text to append to a message about an unknown name: `, did you mean 'x'?`, or nothing. */
    public static String suggestion(String name, Collection<String> candidates) {
        return nearest(name, candidates)
                .map(found -> ", did you mean '" + found + "'?")
                .orElse("");
    }

    /** Edit distance with adjacent transpositions counted once; anything above `limit` is reported as `limit + 1`. */
    static int distance(String left, String right, int limit) {
        if (Math.abs(left.length() - right.length()) > limit) {
            return limit + 1;
        }
        int[] beforePrevious = new int[right.length() + 1];
        int[] previous = new int[right.length() + 1];
        int[] current = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                int replace = previous[j - 1] + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                int best = Math.min(replace, Math.min(previous[j], current[j - 1]) + 1);
                if (i > 1
                        && j > 1
                        && left.charAt(i - 1) == right.charAt(j - 2)
                        && left.charAt(i - 2) == right.charAt(j - 1)) {
                    best = Math.min(best, beforePrevious[j - 2] + 1);
                }
                current[j] = best;
            }
            int[] recycled = beforePrevious;
            beforePrevious = previous;
            previous = current;
            current = recycled;
        }
        return Math.min(previous[right.length()], limit + 1);
    }
}
