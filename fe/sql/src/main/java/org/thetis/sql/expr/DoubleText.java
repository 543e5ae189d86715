// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.expr;

/** Shortest text that reads back as the same number, in the form that back ends print. */
final class DoubleText {
    private DoubleText() {}

    static String shortest(double value, boolean single) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        String java = single ? Float.toString((float) value) : Double.toString(value);
        java.math.BigDecimal exact = new java.math.BigDecimal(java);
        double magnitude = Math.abs(value);
        if (magnitude != 0 && (magnitude >= 1e16 || magnitude < 1e-4)) {
            java.math.BigDecimal bare = exact.stripTrailingZeros();
            String digits = bare.unscaledValue().abs().toString();
            int exponent = digits.length() - 1 - bare.scale();
            String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
            return (value < 0 ? "-" : "") + mantissa + "e" + (exponent < 0 ? "-" : "+")
                    + String.format("%02d", Math.abs(exponent));
        }
        String plain = exact.stripTrailingZeros().toPlainString();
        return exact.signum() == 0 ? (1 / value < 0 ? "-0" : "0") : plain;
    }
}
