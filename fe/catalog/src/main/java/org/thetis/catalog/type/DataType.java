// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.type;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.thetis.wire.thrift.DataTypeDesc;

/**
 * A logical SQL type with its parameters. Immutable; compare with {@code equals}. Fields that a type does not have are 0 (length,
 * precision, scale) or empty (children). Written in JSON as its SQL text.
 *
 * @param length CHAR, VARCHAR: bytes
 * @param precision DECIMAL: digits
 * @param scale DECIMAL, DATETIME, TIME: digits after the point
 * @param children ARRAY: element; MAP: key, value; STRUCT: fields
 * @param childNames STRUCT: field names
 */
public record DataType(
        TypeId id, int length, int precision, int scale, List<DataType> children, List<String> childNames) {
    public static final int MAX_VARCHAR_LENGTH = 65533;
    public static final int MAX_CHAR_LENGTH = 255;
    public static final int MAX_DECIMAL_PRECISION = 38;
    public static final int MAX_TIME_SCALE = 6;

    public static final DataType NULL = of(TypeId.NULL);
    public static final DataType BOOLEAN = of(TypeId.BOOLEAN);
    public static final DataType TINYINT = of(TypeId.TINYINT);
    public static final DataType SMALLINT = of(TypeId.SMALLINT);
    public static final DataType INT = of(TypeId.INT);
    public static final DataType BIGINT = of(TypeId.BIGINT);
    public static final DataType LARGEINT = of(TypeId.LARGEINT);
    public static final DataType FLOAT = of(TypeId.FLOAT);
    public static final DataType DOUBLE = of(TypeId.DOUBLE);
    public static final DataType DATE = of(TypeId.DATE);
    public static final DataType DATETIME = of(TypeId.DATETIME);
    public static final DataType TIME = of(TypeId.TIME);
    public static final DataType STRING = of(TypeId.STRING);
    public static final DataType VARCHAR = varchar(MAX_VARCHAR_LENGTH);
    public static final DataType JSON = of(TypeId.JSON);
    public static final DataType VARIANT = of(TypeId.VARIANT);
    public static final DataType BITMAP = of(TypeId.BITMAP);
    public static final DataType HLL = of(TypeId.HLL);
    public static final DataType QUANTILE_STATE = of(TypeId.QUANTILE_STATE);
    public static final DataType IPV4 = of(TypeId.IPV4);
    public static final DataType IPV6 = of(TypeId.IPV6);

    public DataType {
        children = List.copyOf(children);
        childNames = List.copyOf(childNames);
    }

    /** A type without parameters. */
    public static DataType of(TypeId id) {
        return new DataType(id, 0, 0, 0, List.of(), List.of());
    }

    public static DataType decimal(int precision, int scale) {
        return new DataType(TypeId.DECIMAL, 0, precision, scale, List.of(), List.of());
    }

    public static DataType character(int length) {
        return new DataType(TypeId.CHAR, length, 0, 0, List.of(), List.of());
    }

    public static DataType varchar(int length) {
        return new DataType(TypeId.VARCHAR, length, 0, 0, List.of(), List.of());
    }

    public static DataType datetime(int scale) {
        return new DataType(TypeId.DATETIME, 0, 0, scale, List.of(), List.of());
    }

    public static DataType time(int scale) {
        return new DataType(TypeId.TIME, 0, 0, scale, List.of(), List.of());
    }

    public static DataType array(DataType element) {
        return new DataType(TypeId.ARRAY, 0, 0, 0, List.of(element), List.of());
    }

    public static DataType map(DataType key, DataType value) {
        return new DataType(TypeId.MAP, 0, 0, 0, List.of(key, value), List.of());
    }

    public static DataType struct(List<String> names, List<DataType> types) {
        return new DataType(TypeId.STRUCT, 0, 0, 0, types, names);
    }

    /** Parses a type as SQL writes it, with every alias of the contract; fails with INVALID_ARGUMENT. */
    @JsonCreator
    public static DataType parse(String text) {
        return new TypeParser(text).parse();
    }

    /** The type as DESC and SHOW CREATE TABLE show it. */
    @JsonValue
    public String toSql() {
        return switch (id) {
            case CHAR, VARCHAR -> id.sqlName() + "(" + length + ")";
            case STRING -> "text";
            case DECIMAL -> "decimal(" + precision + "," + scale + ")";
            case DATETIME, TIME -> scale == 0 ? id.sqlName() : id.sqlName() + "(" + scale + ")";
            case ARRAY, MAP ->
                id.sqlName() + "<"
                        + String.join(
                                ",", children.stream().map(DataType::toSql).toList()) + ">";
            case STRUCT -> "struct<" + String.join(",", fields()) + ">";
            default -> id.sqlName();
        };
    }

    private List<String> fields() {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < children.size(); i++) {
            fields.add(childNames.get(i) + ":" + children.get(i).toSql());
        }
        return fields;
    }

    /** How one value is held in memory. */
    public TypeId.Physical physical() {
        if (id.physical() != TypeId.Physical.BY_PRECISION) {
            return id.physical();
        }
        return precision <= 9
                ? TypeId.Physical.INT32
                : precision <= 18 ? TypeId.Physical.INT64 : TypeId.Physical.INT128;
    }

    /** TINYINT to LARGEINT; not BOOLEAN. */
    public boolean isInteger() {
        return switch (id) {
            case TINYINT, SMALLINT, INT, BIGINT, LARGEINT -> true;
            default -> false;
        };
    }

    public boolean isFloatingPoint() {
        return id == TypeId.FLOAT || id == TypeId.DOUBLE;
    }

    public boolean isDecimal() {
        return id == TypeId.DECIMAL;
    }

    /** Integers, decimals and floating point; not BOOLEAN. */
    public boolean isNumeric() {
        return isInteger() || isFloatingPoint() || isDecimal();
    }

    /** CHAR, VARCHAR and STRING. */
    public boolean isText() {
        return id == TypeId.CHAR || id == TypeId.VARCHAR || id == TypeId.STRING;
    }

    /** DATE and DATETIME. */
    public boolean isDateLike() {
        return id == TypeId.DATE || id == TypeId.DATETIME;
    }

    /** ARRAY, MAP, STRUCT. */
    public boolean isNested() {
        return id == TypeId.ARRAY || id == TypeId.MAP || id == TypeId.STRUCT;
    }

    /** Aggregate states that only their own functions read. */
    public boolean isAggregateState() {
        return switch (id) {
            case BITMAP, HLL, QUANTILE_STATE, AGG_STATE -> true;
            default -> false;
        };
    }

    /** Whether a column of this type may be part of a key. */
    public boolean canBeKey() {
        return isInteger()
                || isDecimal()
                || isDateLike()
                || switch (id) {
                    case BOOLEAN, CHAR, VARCHAR, IPV4, IPV6 -> true;
                    default -> false;
                };
    }

    /** Bytes one value takes in a short key: fixed width, the declared length of CHAR, 20 of a VARCHAR. */
    public int indexBytes() {
        return switch (id) {
            case CHAR -> length;
            case VARCHAR -> 20;
            default ->
                switch (physical()) {
                    case BOOL, INT8 -> 1;
                    case INT16 -> 2;
                    case INT32, FLOAT -> 4;
                    case INT64, DOUBLE -> 8;
                    case INT128 -> 16;
                    default -> 16;
                };
        };
    }

    public DataTypeDesc toThrift(boolean nullable) {
        DataTypeDesc desc = new DataTypeDesc(id.id(), nullable);
        switch (id) {
            case CHAR, VARCHAR -> desc.setLength(length);
            case DECIMAL -> desc.setPrecision(precision).setScale(scale);
            case DATETIME, TIME -> desc.setScale(scale);
            case ARRAY, MAP, STRUCT ->
                desc.setChildren(
                        children.stream().map(child -> child.toThrift(true)).toList());
            default -> {}
        }
        if (id == TypeId.STRUCT) {
            desc.setChild_names(childNames);
        }
        return desc;
    }

    public static DataType fromThrift(DataTypeDesc desc) {
        List<DataType> children = Optional.ofNullable(desc.getChildren()).orElse(List.of()).stream()
                .map(DataType::fromThrift)
                .toList();
        List<String> names = Optional.ofNullable(desc.getChild_names()).orElse(List.of());
        return new DataType(
                TypeId.of(desc.getId()), desc.getLength(), desc.getPrecision(), desc.getScale(), children, names);
    }

    @Override
    public String toString() {
        return toSql();
    }
}
