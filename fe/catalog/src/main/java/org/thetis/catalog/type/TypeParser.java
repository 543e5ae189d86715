// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.type;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** Reads the SQL text of a type, with the aliases and defaults that existing clients use. */
final class TypeParser {
    private final String text;
    private int position;

    TypeParser(String text) {
        this.text = text;
    }

    DataType parse() {
        DataType type = type(0);
        skipSpace();
        if (position != text.length()) {
            throw bad("unexpected '" + text.substring(position) + "'");
        }
        return type;
    }

    private DataType type(int depth) {
        if (depth > 9) {
            throw bad("types nest at most 9 deep");
        }
        String name = word();
        return switch (name) {
            case "null" -> DataType.NULL;
            case "boolean", "bool" -> DataType.BOOLEAN;
            case "tinyint" -> integer(DataType.TINYINT);
            case "smallint" -> integer(DataType.SMALLINT);
            case "int", "integer" -> integer(DataType.INT);
            case "bigint" -> integer(DataType.BIGINT);
            case "largeint" -> integer(DataType.LARGEINT);
            case "float" -> DataType.FLOAT;
            case "double" -> DataType.DOUBLE;
            case "decimal", "decimalv3", "decimal32", "decimal64", "decimal128", "numeric", "dec" -> decimal(38, 9);
            case "decimalv2" -> decimal(27, 9);
            case "date", "datev2" -> DataType.DATE;
            case "datetime", "datetimev2" -> DataType.datetime(scale());
            case "time" -> DataType.time(scale());
            case "char", "character" -> text(TypeId.CHAR, 1, DataType.MAX_CHAR_LENGTH);
            case "varchar" -> text(TypeId.VARCHAR, DataType.MAX_VARCHAR_LENGTH, DataType.MAX_VARCHAR_LENGTH);
            case "string", "text" -> DataType.STRING;
            case "json", "jsonb" -> DataType.JSON;
            case "variant" -> DataType.VARIANT;
            case "bitmap" -> DataType.BITMAP;
            case "hll" -> DataType.HLL;
            case "quantile_state" -> DataType.QUANTILE_STATE;
            case "agg_state" -> DataType.of(TypeId.AGG_STATE);
            case "ipv4" -> DataType.IPV4;
            case "ipv6" -> DataType.IPV6;
            case "array" -> nested(depth, 1);
            case "map" -> nested(depth, 2);
            case "struct" -> struct(depth);
            default -> throw bad("unknown type '" + name + "'");
        };
    }

    /** A display width is accepted and means nothing. */
    private DataType integer(DataType type) {
        numbers();
        return type;
    }

    private DataType decimal(int defaultPrecision, int defaultScale) {
        List<Integer> numbers = numbers();
        int precision = numbers.isEmpty() ? defaultPrecision : numbers.get(0);
        int scale = numbers.size() > 1 ? numbers.get(1) : numbers.isEmpty() ? defaultScale : 0;
        if (precision < 1 || precision > DataType.MAX_DECIMAL_PRECISION) {
            throw bad("DECIMAL precision must be between 1 and " + DataType.MAX_DECIMAL_PRECISION + ": " + precision);
        }
        if (scale < 0 || scale > precision) {
            throw bad("DECIMAL scale must be between 0 and the precision " + precision + ": " + scale);
        }
        return DataType.decimal(precision, scale);
    }

    private int scale() {
        List<Integer> numbers = numbers();
        int scale = numbers.isEmpty() ? 0 : numbers.get(0);
        if (scale < 0 || scale > DataType.MAX_TIME_SCALE) {
            throw bad("scale must be between 0 and " + DataType.MAX_TIME_SCALE + ": " + scale);
        }
        return scale;
    }

    private DataType text(TypeId id, int defaultLength, int maxLength) {
        List<Integer> numbers = numbers();
        int length = numbers.isEmpty() ? defaultLength : numbers.get(0);
        if (length < 1 || length > maxLength) {
            throw bad(id.name() + " length must be between 1 and " + maxLength + ": " + length);
        }
        return id == TypeId.CHAR ? DataType.character(length) : DataType.varchar(length);
    }

    private DataType nested(int depth, int count) {
        expect('<');
        List<DataType> children = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (i > 0) {
                expect(',');
            }
            children.add(type(depth + 1));
        }
        expect('>');
        return count == 1 ? DataType.array(children.get(0)) : DataType.map(children.get(0), children.get(1));
    }

    private DataType struct(int depth) {
        List<String> names = new ArrayList<>();
        List<DataType> types = new ArrayList<>();
        expect('<');
        do {
            names.add(word());
            expect(':');
            types.add(type(depth + 1));
        } while (accept(','));
        expect('>');
        return DataType.struct(names, types);
    }

    /** `(n)`, `(n, m)`, `(*)` as the VARCHAR maximum, or nothing. */
    private List<Integer> numbers() {
        List<Integer> numbers = new ArrayList<>();
        if (!accept('(')) {
            return numbers;
        }
        do {
            numbers.add(accept('*') ? DataType.MAX_VARCHAR_LENGTH : number());
        } while (accept(','));
        expect(')');
        return numbers;
    }

    private int number() {
        skipSpace();
        int start = position;
        while (position < text.length() && Character.isDigit(text.charAt(position))) {
            position++;
        }
        if (start == position || position - start > 9) {
            throw bad("expected a number");
        }
        return Integer.parseInt(text.substring(start, position));
    }

    private String word() {
        skipSpace();
        boolean quoted = accept('`');
        int start = position;
        while (position < text.length()
                && (Character.isLetterOrDigit(text.charAt(position)) || text.charAt(position) == '_')) {
            position++;
        }
        String word = text.substring(start, position);
        if (quoted) {
            expect('`');
        }
        if (word.isEmpty()) {
            throw bad("expected a name");
        }
        return quoted ? word : word.toLowerCase(Locale.ROOT);
    }

    private boolean accept(char wanted) {
        skipSpace();
        if (position < text.length() && text.charAt(position) == wanted) {
            position++;
            return true;
        }
        return false;
    }

    private void expect(char wanted) {
        if (!accept(wanted)) {
            throw bad("expected '" + wanted + "'");
        }
    }

    private void skipSpace() {
        while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
            position++;
        }
    }

    private ThetisException bad(String reason) {
        return new ThetisException(ErrorCode.INVALID_ARGUMENT, "Not a type: '" + text + "', " + reason);
    }
}
