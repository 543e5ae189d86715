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
import org.thetis.catalog.schema.HiddenColumns;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.expr.CaseWhen;
import org.thetis.sql.expr.Cast;
import org.thetis.sql.expr.Conjuncts;
import org.thetis.sql.expr.Expr;
import org.thetis.sql.expr.ExprId;
import org.thetis.sql.expr.Literal;
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
     * @param written the columns that the sink gets
     * @param sources fields of the data, as text
     * @param temporaries computed first; each sees the sources and the ones before it
     * @param columns the written columns as the where condition sees them
     * @param values one per written column, over sources then temporaries
     * @param sourceOf per written column the source that feeds it directly, -1 if it is computed
     * @param where over the written columns; null for all rows
     */
    public record Bound(
            WrittenColumns written,
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

    /** Binds what the headers say for one table; fails for what the table or the data cannot give. */
    public Bound bind(OlapTable table, LoadSpec spec) {
        List<ColumnsHeader.Part> parts = parts(table, spec);
        Mapping mapping = new Mapping();
        for (ColumnsHeader.Part part : parts) {
            if (part.expression() == null) {
                mapping.addSource(slot(part.name(), DataType.STRING));
            }
        }
        for (ColumnsHeader.Part part : parts) {
            if (part.expression() != null) {
                Expr value = expression(part.expression(), Scope.of(null, mapping.visible(), null));
                if (table.findColumn(part.name()).isPresent()) {
                    mapping.compute(part.name(), value);
                } else {
                    mapping.addTemporary(slot(part.name(), value.type()), value);
                }
            }
        }
        requireKnown(table, mapping, spec.columns().isEmpty());
        return finish(table, spec, mapping);
    }

    private static List<ColumnsHeader.Part> parts(OlapTable table, LoadSpec spec) {
        List<ColumnsHeader.Part> parts = new ArrayList<>();
        if (spec.columns().isEmpty()) {
            table.baseIndex()
                    .visibleColumns()
                    .forEach(column -> parts.add(new ColumnsHeader.Part(column.name(), null)));
            for (String name : spec.hiddenColumns()) {
                SchemaColumn hidden = table.findColumn(name)
                        .filter(column -> !column.visible())
                        .orElseThrow(() -> new ThetisException(
                                ErrorCode.UNKNOWN_COLUMN,
                                "table '" + table.name() + "' has no hidden column '" + name
                                        + "', which the header hidden_columns names"));
                parts.add(new ColumnsHeader.Part(hidden.name(), null));
            }
        } else {
            parts.addAll(ColumnsHeader.parse(spec.columns()));
        }
        for (ColumnsHeader.Part part : parts) {
            table.findColumn(part.name()).filter(HiddenColumns::isMadeByBackend).ifPresent(column -> {
                throw bad("column '" + column.name() + "' is filled in by the storage engine and cannot be loaded");
            });
        }
        return parts;
    }

    /** Fields and expressions of the data by name. */
    private static final class Mapping {
        private final List<SlotReference> sources = new ArrayList<>();
        private final Map<String, Integer> sourceByName = new HashMap<>();
        private final List<SlotReference> temporarySlots = new ArrayList<>();
        private final List<Expr> temporaries = new ArrayList<>();
        private final Map<String, Expr> computed = new HashMap<>();

        void addSource(SlotReference slot) {
            if (sourceByName.putIfAbsent(key(slot.name()), sources.size()) != null) {
                throw bad("column '" + slot.name() + "' is named twice in the columns header");
            }
            sources.add(slot);
        }

        void addTemporary(SlotReference slot, Expr value) {
            temporaries.add(value);
            temporarySlots.add(slot);
        }

        void compute(String name, Expr value) {
            if (computed.putIfAbsent(key(name), value) != null) {
                throw bad("column '" + name + "' is assigned twice in the columns header");
            }
        }

        boolean has(String column) {
            return computed.containsKey(key(column)) || sourceByName.containsKey(key(column));
        }

        List<SlotReference> visible() {
            List<SlotReference> visible = new ArrayList<>(sources);
            visible.addAll(temporarySlots);
            return visible;
        }
    }

    /** A column's value and the source it comes from as it is, -1 for none. */
    private record Value(Expr expression, int source) {}

    private Bound finish(OlapTable table, LoadSpec spec, Mapping mapping) {
        LoadTarget target = new LoadTarget(table, spec, mapping::has);
        WrittenColumns written = target.written(context.session());
        List<SlotReference> columns = new ArrayList<>();
        List<Expr> values = new ArrayList<>();
        List<Integer> sourceOf = new ArrayList<>();
        Map<ExprId, Expr> definitions = new HashMap<>();
        for (SchemaColumn column : written.columns()) {
            SlotReference slot = slot(column.name(), column.type());
            Value value;
            if (WriteTarget.isDeleteSign(column) && spec.merge() != LoadSpec.Merge.APPEND) {
                value = new Value(deleteSign(spec, mapping, columns, definitions), -1);
            } else if (WriteTarget.isSequence(column) && !mapping.has(column.name())) {
                value = target.sequenceName().isEmpty()
                        ? new Value(Literal.nullOf(column.type()), -1)
                        : sequence(table, column, target.sequenceName(), mapping);
            } else {
                value = value(column, column.name(), mapping);
            }
            columns.add(slot);
            values.add(value.expression());
            sourceOf.add(value.source());
            definitions.put(slot.id(), value.expression());
        }
        Expr condition = spec.where().isEmpty()
                ? null
                : Conjuncts.and(Conjuncts.split(
                        Coercion.toBoolean(expression(spec.where(), Scope.of(table.name(), columns, null)))));
        return new Bound(
                written,
                mapping.sources,
                mapping.temporarySlots,
                mapping.temporaries,
                columns,
                values,
                sourceOf,
                condition);
    }

    /** The value of a column of the type, taken from what the name means in the data. */
    private Value value(SchemaColumn column, String name, Mapping mapping) {
        Expr assigned = mapping.computed.get(key(name));
        if (assigned != null) {
            return new Value(Coercion.to(assigned, column.type()), -1);
        }
        Integer source = mapping.sourceByName.get(key(name));
        if (source != null) {
            SlotReference field = mapping.sources.get(source);
            // Text columns take the field as it is: a value that is too long is a bad row, not one to cut.
            return new Value(column.type().isText() ? field : new Cast(field, column.type(), false), source);
        }
        if (column.isOptionalOnInsert()) {
            return new Value(Defaults.of(column, context.session()), -1);
        }
        throw new ThetisException(
                ErrorCode.NO_DEFAULT_FOR_FIELD, "Column has no default value. column: " + column.name());
    }

    /** The sequence from the column, temporary or field that a header or the table names. */
    private Value sequence(OlapTable table, SchemaColumn column, String name, Mapping mapping) {
        for (int i = 0; i < mapping.temporaries.size(); i++) {
            if (mapping.temporarySlots.get(i).name().equalsIgnoreCase(name)) {
                return new Value(Coercion.to(mapping.temporarySlots.get(i), column.type()), -1);
            }
        }
        if (mapping.has(name)) {
            return value(column, name, mapping);
        }
        SchemaColumn named = table.findColumn(name)
                .orElseThrow(() -> new ThetisException(
                        ErrorCode.UNKNOWN_COLUMN,
                        "the sequence column '" + name + "' is neither a field of the data nor a column of table '"
                                + table.name() + "'"));
        return new Value(Coercion.to(value(named, name, mapping).expression(), column.type()), -1);
    }

    /** Of MERGE: the condition sees table columns as they will be stored, and other fields as text. */
    private Expr deleteSign(
            LoadSpec spec, Mapping mapping, List<SlotReference> columns, Map<ExprId, Expr> definitions) {
        Expr yes = Coercion.to(Literal.integer(1), DataType.TINYINT);
        if (spec.merge() == LoadSpec.Merge.DELETE) {
            return yes;
        }
        List<SlotReference> seen = new ArrayList<>(columns);
        for (SlotReference field : mapping.visible()) {
            if (columns.stream().noneMatch(column -> column.name().equalsIgnoreCase(field.name()))) {
                seen.add(field);
            }
        }
        Expr condition = Coercion.toBoolean(expression(spec.deleteCondition(), Scope.of(null, seen, null)));
        Expr stored = condition.rewrite(
                node -> node instanceof SlotReference slot ? definitions.getOrDefault(slot.id(), slot) : node);
        return new CaseWhen(
                List.of(stored), List.of(yes), Coercion.to(Literal.integer(0), DataType.TINYINT), DataType.TINYINT);
    }

    /** A field that is neither a column nor used in an expression is fine; one mapping must hit the table at all. */
    private static void requireKnown(OlapTable table, Mapping mapping, boolean implied) {
        boolean hit = implied || !mapping.computed.isEmpty();
        for (SlotReference source : mapping.sources) {
            hit |= table.findColumn(source.name()).isPresent();
        }
        if (!hit) {
            List<String> known = table.baseIndex().visibleColumns().stream()
                    .map(SchemaColumn::name)
                    .toList();
            String first =
                    mapping.sources.isEmpty() ? "" : mapping.sources.get(0).name();
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
}
