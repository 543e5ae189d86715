// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.config;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** One entry of the settings catalog: what the key is called, which values it takes, and whether it may change at run time. */
public record ConfigKey(
        String name,
        Type type,
        String defaultValue,
        boolean isMutable,
        boolean masterOnly,
        @Nullable BigDecimal min,
        @Nullable BigDecimal max,
        String doc,
        boolean isActedOn) {
    /** What a value must look like. */
    public enum Type {
        INT,
        LONG,
        BOOL,
        DOUBLE,
        STRING
    }

    /** Fails with INVALID_ARGUMENT, naming key and value, unless the value has the key's type and lies in its range. */
    public void check(String value) {
        switch (type) {
            case STRING -> {}
            case BOOL -> {
                if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
                    throw refused(value, "true or false");
                }
            }
            case INT, LONG, DOUBLE -> checkNumber(value);
        }
    }

    private void checkNumber(String value) {
        BigDecimal number;
        try {
            number = new BigDecimal(value);
            if (type == Type.INT) {
                number.intValueExact();
            } else if (type == Type.LONG) {
                number.longValueExact();
            }
        } catch (ArithmeticException | NumberFormatException e) {
            throw refused(value, "a number of type " + typeName());
        }
        if (min != null && number.compareTo(min) < 0) {
            throw refused(value, "at least " + min.toPlainString());
        }
        if (max != null && number.compareTo(max) > 0) {
            throw refused(value, "at most " + max.toPlainString());
        }
    }

    private ThetisException refused(String value, String expected) {
        return new ThetisException(
                ErrorCode.INVALID_ARGUMENT, "configuration key " + name + " must be " + expected + ": '" + value + "'");
    }

    /** The type as SHOW FRONTEND CONFIG names it. */
    public String typeName() {
        return switch (type) {
            case INT -> "int";
            case LONG -> "long";
            case BOOL -> "boolean";
            case DOUBLE -> "double";
            case STRING -> "String";
        };
    }
}
