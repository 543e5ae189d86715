// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.thetis.base.error.SourcePosition;
import org.thetis.sql.ast.IntervalUnit;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.Literal;

/** An interval whose text has several fields, such as '1:30' MINUTE_SECOND, as shifts by single units. */
record CompoundInterval(List<Step> steps) {
    /** A shift by so many units; units is the plural that function names use. */
    record Step(String units, int count) {}

    private static final List<String> FIELDS =
            List.of("year", "month", "day", "hour", "minute", "second", "microsecond");
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    /** Reads a constant; fields that are missing are the large ones. */
    static CompoundInterval read(IntervalUnit unit, Expr amount, SourcePosition position) {
        if (!(amount instanceof Literal literal) || literal.isNull()) {
            throw Errors.analysis("INTERVAL ... " + unit + " needs a constant text", position);
        }
        String[] ends = unit.name().toLowerCase(Locale.ROOT).split("_");
        List<String> fields = FIELDS.subList(FIELDS.indexOf(ends[0]), FIELDS.indexOf(ends[1]) + 1);
        String text = String.valueOf(literal.text()).strip();
        List<String> numbers = new ArrayList<>();
        Matcher matcher = NUMBER.matcher(text);
        while (matcher.find()) {
            numbers.add(matcher.group());
        }
        if (numbers.isEmpty()
                || numbers.size() > fields.size()
                || numbers.stream().anyMatch(n -> n.length() > 9)) {
            throw Errors.analysis("'" + text + "' is no interval of " + unit, position);
        }
        int sign = text.startsWith("-") ? -1 : 1;
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < numbers.size(); i++) {
            String field = fields.get(fields.size() - numbers.size() + i);
            String digits = numbers.get(i);
            if (field.equals("microsecond") && digits.length() < 6) {
                char[] zeros = new char[6 - digits.length()];
                Arrays.fill(zeros, '0');
                digits += new String(zeros);
            }
            int count = Integer.parseInt(digits);
            if (count != 0) {
                steps.add(new Step(field + "s", sign * count));
            }
        }
        return new CompoundInterval(steps);
    }
}
