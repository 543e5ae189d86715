// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.functions;

import java.util.List;
import java.util.Optional;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.TypeId;

/** The type that two values are brought to before they are compared or become branches of one result. */
public final class WidenedTypes {
    private static final int MAX_PRECISION = DataType.MAX_DECIMAL_PRECISION;

    private WidenedTypes() {}

    /** Type in which two values are compared; empty when they cannot be. */
    public static Optional<DataType> comparison(DataType a, DataType b) {
        Optional<DataType> same = alike(a, b);
        if (same.isPresent()) {
            return same;
        }
        if (isNumberLike(a) && isNumberLike(b)) {
            return Optional.of(numeric(a, b));
        }
        if (a.isDateLike() || b.isDateLike()) {
            DataType date = a.isDateLike() ? a : b;
            DataType other = a.isDateLike() ? b : a;
            if (other.isText()) {
                return Optional.of(DataType.datetime(DataType.MAX_TIME_SCALE));
            }
            return isNumberLike(other)
                    ? Optional.of(date.id() == TypeId.DATETIME ? date : DataType.datetime(0))
                    : Optional.empty();
        }
        if (a.isText() || b.isText()) {
            DataType other = a.isText() ? b : a;
            return switch (other.id()) {
                case TIME, IPV4, IPV6 -> Optional.of(other);
                case JSON, VARIANT -> Optional.of(DataType.STRING);
                default -> isNumberLike(other) ? Optional.of(DataType.DOUBLE) : Optional.empty();
            };
        }
        if (a.id() == TypeId.IPV4 && b.id() == TypeId.IPV6 || a.id() == TypeId.IPV6 && b.id() == TypeId.IPV4) {
            return Optional.of(DataType.IPV6);
        }
        return Optional.empty();
    }

    /** Type of a result that is one or the other (CASE, IF, COALESCE, UNION); empty when there is none. */
    public static Optional<DataType> branch(DataType a, DataType b) {
        Optional<DataType> same = alike(a, b);
        if (same.isPresent()) {
            return same;
        }
        if (isNumberLike(a) && isNumberLike(b)) {
            return Optional.of(numeric(a, b));
        }
        boolean plain = isPlain(a) && isPlain(b);
        return plain ? Optional.of(DataType.STRING) : Optional.empty();
    }

    /** Type of a result that is any one of several values. */
    public static Optional<DataType> branch(List<DataType> types) {
        DataType common = DataType.NULL;
        for (DataType type : types) {
            Optional<DataType> next = branch(common, type);
            if (next.isEmpty()) {
                return next;
            }
            common = next.get();
        }
        return Optional.of(common);
    }

    private static Optional<DataType> alike(DataType a, DataType b) {
        if (a.equals(b) || b.id() == TypeId.NULL) {
            return Optional.of(a);
        }
        if (a.id() == TypeId.NULL) {
            return Optional.of(b);
        }
        if (a.isText() && b.isText()) {
            boolean bounded = a.id() != TypeId.STRING && b.id() != TypeId.STRING;
            return Optional.of(bounded ? DataType.varchar(Math.max(a.length(), b.length())) : DataType.STRING);
        }
        if (a.isDateLike() && b.isDateLike()) {
            return Optional.of(DataType.datetime(Math.max(a.scale(), b.scale())));
        }
        if (a.id() == TypeId.TIME && b.id() == TypeId.TIME) {
            return Optional.of(DataType.time(Math.max(a.scale(), b.scale())));
        }
        return Optional.empty();
    }

    private static boolean isPlain(DataType type) {
        return isNumberLike(type)
                || type.isText()
                || type.isDateLike()
                || switch (type.id()) {
                    case TIME, JSON, IPV4, IPV6 -> true;
                    default -> false;
                };
    }

    /** Numbers and BOOLEAN. */
    public static boolean isNumberLike(DataType type) {
        return type.isNumeric() || type.id() == TypeId.BOOLEAN;
    }

    /** The narrowest number type that holds both. */
    public static DataType numeric(DataType a, DataType b) {
        DataType left = a.id() == TypeId.BOOLEAN ? DataType.TINYINT : a;
        DataType right = b.id() == TypeId.BOOLEAN ? DataType.TINYINT : b;
        if (left.isFloatingPoint() || right.isFloatingPoint()) {
            return left.id() == TypeId.FLOAT && right.id() == TypeId.FLOAT ? DataType.FLOAT : DataType.DOUBLE;
        }
        if (left.isDecimal() || right.isDecimal()) {
            return wider(asDecimal(left), asDecimal(right));
        }
        return left.id().rank() >= right.id().rank() ? left : right;
    }

    /**
     * The decimal that holds both. Past 38 digits the scale stays: sums have 38 digits by type but rarely by value, and a value that
     * does not fit is an error, not a wrong comparison.
     */
    private static DataType wider(DataType a, DataType b) {
        int scale = Math.max(a.scale(), b.scale());
        int integerDigits = Math.max(a.precision() - a.scale(), b.precision() - b.scale());
        return DataType.decimal(Math.min(MAX_PRECISION, integerDigits + scale), scale);
    }

    /** A number type as the decimal that arithmetic takes it for. */
    public static DataType asDecimal(DataType type) {
        return switch (type.id()) {
            case DECIMAL -> type;
            case BOOLEAN -> DataType.decimal(1, 0);
            case NULL, TINYINT -> DataType.decimal(3, 0);
            case SMALLINT -> DataType.decimal(5, 0);
            case INT -> DataType.decimal(10, 0);
            case BIGINT -> DataType.decimal(20, 0);
            case LARGEINT -> DataType.decimal(38, 0);
            case FLOAT -> DataType.decimal(14, 7);
            case DOUBLE -> DataType.decimal(30, 15);
            default -> throw new IllegalArgumentException("not a number type: " + type);
        };
    }
}
