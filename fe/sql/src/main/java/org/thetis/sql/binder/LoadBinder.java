// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.text.NearestNames;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.Cast;
import org.thetis.sql.expr.Conjuncts;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.functions.Coercion;
import org.thetis.sql.parser.SqlParser;
import org.thetis.sql.plan.WrittenColumns;

/**
 * Binds the column mapping of a stream load: `columns: a, b, t, c = t + 1, d = now()` names the fields of the data in order; an
 * assignment to a table column computes it, any other assignment makes a temporary that later ones may use.
 */
public final class LoadBinder {
    /**
     * A bound mapping.
     *
     * @param sources fields of the data, as text
     * @param temporaries computed first; each sees the sources and the ones before it
     * @param values one per table column, over sources then temporaries
     * @param sourceOf per table column the source that feeds it directly, -1 if it is computed
     * @param where over the table's columns; null for all rows
     */
    public record Bound(
            List<SlotReference> sources,
            List<SlotReference> temporarySlots,
            List<Expr> temporaries,
            List<SlotReference> columns,
            List<Expr> values,
            List<Integer> sourceOf,
            @Nullable Expr where) {}

    private final BindContext context;
    private final QueryBinder queries;
    private final SqlParser parser = new SqlParser();

    public LoadBinder(BindContext context) {
        this.context = context;
        this.queries = new QueryBinder(context);
    }

    /** One part of the columns header: a field, or a name and the text of its expression. */
    private record Part(String name, @Nullable String expression) {}

    /** Binds the texts of the columns and where headers; empty ones mean all table columns in order, and all rows. */
    public Bound bind(OlapTable table, String columns, String where) {
        List<Part> parts = new ArrayList<>();
        if (columns.isBlank()) {
            table.baseIndex().visibleColumns().forEach(column -> parts.add(new Part(column.name(), null)));
        } else {
            split(columns).forEach(text -> parts.add(part(text)));
        }
        List<SlotReference> sources = new ArrayList<>();
        List<SlotReference> visible = new ArrayList<>();
        Map<String, Integer> sourceByName = new HashMap<>();
        for (Part part : parts) {
            if (part.expression() == null) {
                if (sourceByName.putIfAbsent(key(part.name()), sources.size()) != null) {
                    throw bad("column '" + part.name() + "' is named twice in the columns header");
                }
                sources.add(slot(part.name(), DataType.STRING));
            }
        }
        visible.addAll(sources);

        List<SlotReference> temporarySlots = new ArrayList<>();
        List<Expr> temporaries = new ArrayList<>();
        Map<String, Expr> computed = new HashMap<>();
        for (Part part : parts) {
            if (part.expression() == null) {
                continue;
            }
            Expr value = expression(part.expression(), Scope.of(null, visible, null));
            if (table.findColumn(part.name()).isPresent()) {
                if (computed.putIfAbsent(key(part.name()), value) != null) {
                    throw bad("column '" + part.name() + "' is assigned twice in the columns header");
                }
            } else {
                SlotReference slot = slot(part.name(), value.type());
                temporaries.add(value);
                temporarySlots.add(slot);
                visible.add(slot);
            }
        }
        return finish(
                table,
                where,
                new Mapping(sources, sourceByName, temporarySlots, temporaries, computed),
                columns.isBlank());
    }

    private record Mapping(
            List<SlotReference> sources,
            Map<String, Integer> sourceByName,
            List<SlotReference> temporarySlots,
            List<Expr> temporaries,
            Map<String, Expr> computed) {}

    private Bound finish(OlapTable table, String where, Mapping mapping, boolean implied) {
        List<SlotReference> columns = new ArrayList<>();
        List<Expr> values = new ArrayList<>();
        List<Integer> sourceOf = new ArrayList<>();
        for (SchemaColumn column : WrittenColumns.whole(table).columns()) {
            columns.add(slot(column.name(), column.type()));
            Expr assigned = mapping.computed().get(key(column.name()));
            Integer source = mapping.sourceByName().get(key(column.name()));
            if (assigned != null) {
                values.add(Coercion.to(assigned, column.type()));
                sourceOf.add(-1);
            } else if (source != null) {
                SlotReference field = mapping.sources().get(source);
                // Text columns take the field as it is: a value that is too long is a bad row, not one to cut.
                values.add(column.type().isText() ? field : new Cast(field, column.type(), false));
                sourceOf.add(source);
            } else if (column.isOptionalOnInsert()) {
                values.add(Defaults.of(column, context.session()));
                sourceOf.add(-1);
            } else {
                throw new ThetisException(
                        ErrorCode.NO_DEFAULT_FOR_FIELD, "Column has no default value. column: " + column.name());
            }
        }
        requireKnown(table, mapping, implied);
        Expr condition = where.isBlank()
                ? null
                : Conjuncts.and(
                        Conjuncts.split(Coercion.toBoolean(expression(where, Scope.of(table.name(), columns, null)))));
        return new Bound(
                mapping.sources(),
                mapping.temporarySlots(),
                mapping.temporaries(),
                columns,
                values,
                sourceOf,
                condition);
    }

    /** A field that is neither a column nor used in an expression is fine; one mapping must hit the table at all. */
    private static void requireKnown(OlapTable table, Mapping mapping, boolean implied) {
        boolean hit = implied || !mapping.computed().isEmpty();
        for (SlotReference source : mapping.sources()) {
            hit |= table.findColumn(source.name()).isPresent();
        }
        if (!hit) {
            List<String> known =
                    table.columns().stream().map(SchemaColumn::name).toList();
            String first =
                    mapping.sources().isEmpty() ? "" : mapping.sources().get(0).name();
            throw new ThetisException(
                    ErrorCode.UNKNOWN_COLUMN,
                    "no field of the columns header is a column of table '" + table.name() + "'"
                            + NearestNames.suggestion(first, known));
        }
    }

    private SlotReference slot(String name, DataType type) {
        return new SlotReference(context.ids().next(), null, name, type, true, null);
    }

    private Expr expression(String text, Scope scope) {
        return queries.expressions(scope, "columns header").bind(parser.parseExpression(text));
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    private static ThetisException bad(String message) {
        return new ThetisException(ErrorCode.INVALID_ARGUMENT, message);
    }

    private static Part part(String text) {
        String stripped = text.strip();
        int at = 0;
        if (stripped.startsWith("`")) {
            int close = stripped.indexOf('`', 1);
            if (close < 0) {
                throw bad("unclosed backquote in the columns header: " + stripped);
            }
            at = close + 1;
        } else {
            while (at < stripped.length()
                    && (Character.isLetterOrDigit(stripped.charAt(at)) || "_$@.-".indexOf(stripped.charAt(at)) >= 0)) {
                at++;
            }
        }
        String name = stripped.substring(0, at).replace("`", "");
        String rest = stripped.substring(at).strip();
        if (name.isEmpty() || !rest.isEmpty() && (!rest.startsWith("=") || rest.length() == 1)) {
            throw bad("malformed part of the columns header: '" + stripped + "'");
        }
        return new Part(name, rest.isEmpty() ? null : rest.substring(1));
    }

    /** Splits at commas outside quotes and parentheses. */
    private static List<String> split(String header) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        char quote = 0;
        int begin = 0;
        for (int i = 0; i < header.length(); i++) {
            char c = header.charAt(i);
            if (quote != 0) {
                if (c == '\\' && quote != '`') {
                    i++;
                } else if (c == quote) {
                    quote = 0;
                }
            } else if (c == '\'' || c == '"' || c == '`') {
                quote = c;
            } else if (c == '(' || c == ')') {
                depth += c == '(' ? 1 : -1;
            } else if (c == ',' && depth == 0) {
                parts.add(header.substring(begin, i));
                begin = i + 1;
            }
        }
        parts.add(header.substring(begin));
        parts.removeIf(String::isBlank);
        return parts;
    }
}
