// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.Distribution;
import org.thetis.sql.binder.BindContext;
import org.thetis.sql.binder.LoadBinder;
import org.thetis.sql.binder.LoadSpec;
import org.thetis.sql.expr.ExprIds;
import org.thetis.sql.expr.SlotReference;
import org.thetis.sql.expr.WireExprs;
import org.thetis.sql.functions.FunctionResolver;
import org.thetis.sql.plan.WrittenColumns;
import org.thetis.wire.thrift.FragmentPlan;
import org.thetis.wire.thrift.LoadProject;
import org.thetis.wire.thrift.PlanNode;
import org.thetis.wire.thrift.PlanOperator;
import org.thetis.wire.thrift.PlanSink;
import org.thetis.wire.thrift.StreamScan;

/** Plans stream loads: one fragment that reads the body, converts its fields to table columns, and writes them. Safe to share. */
public final class LoadPlanner {
    /** Headers that the back end's readers know under the same names. */
    private static final List<String> READER_HEADERS = List.of(
            "column_separator",
            "line_delimiter",
            "enclose",
            "escape",
            "skip_lines",
            "jsonpaths",
            "json_root",
            "strip_outer_array",
            "read_json_by_line",
            "trim_double_quotes",
            "empty_field_as_null",
            "num_as_string",
            "fuzzy_parse");

    private static final List<String> FLAGS = List.of(
            "strip_outer_array",
            "read_json_by_line",
            "trim_double_quotes",
            "empty_field_as_null",
            "num_as_string",
            "fuzzy_parse");

    private final FunctionResolver functions;

    public LoadPlanner(FunctionResolver functions) {
        this.functions = functions;
    }

    /**
     * The load's fragment, number 0, for the back end that has the body. Headers have lower-case names; those of {@link LoadSpec},
     * partitions, format, compress_type, load_to_single_tablet and the readers' own are looked at here.
     */
    public FragmentPlan plan(
            String database,
            OlapTable table,
            Map<String, String> headers,
            PlannerContext context,
            LoadTransaction transaction) {
        BindContext binding =
                new BindContext(context.tables(), context.session(), functions, context.parameters(), new ExprIds());
        LoadBinder.Bound bound = new LoadBinder(binding).bind(table, LoadSpec.of(headers));
        WrittenColumns written = bound.written();
        PlanNode scan =
                new PlanNode(0, PlanOperator.stream_scan(scan(headers, bound)), FragmentBuilder.types(bound.sources()));
        PlanNode project =
                new PlanNode(1, PlanOperator.load_project(project(bound, transaction)), columnTypes(written));
        project.setChildren(List.of(scan));
        List<String> partitions = new ArrayList<>();
        Arrays.stream(headers.getOrDefault("partitions", "").split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .forEach(name ->
                        partitions.add(table.getPartition(name.replace("`", "")).name()));
        PlanSink sink = TableSinks.sink(table, written, database, partitions, context.cluster(), transaction);
        if (headers.getOrDefault("load_to_single_tablet", "").strip().equalsIgnoreCase("true")) {
            if (table.distribution().kind() != Distribution.Kind.RANDOM) {
                throw new ThetisException(
                        ErrorCode.INVALID_ARGUMENT,
                        "load_to_single_tablet needs a table with RANDOM distribution, " + table.name() + " has none");
            }
            sink.getTable().setLoad_to_single_tablet(true);
        }
        return new FragmentPlan(0, project, sink);
    }

    private static StreamScan scan(Map<String, String> headers, LoadBinder.Bound bound) {
        Map<String, String> properties = new HashMap<>();
        for (String name : READER_HEADERS) {
            String value = headers.get(name);
            if (value != null && !value.isEmpty()) {
                properties.put(name, FLAGS.contains(name) ? value.strip().toLowerCase(Locale.ROOT) : value);
            }
        }
        String format = headers.getOrDefault("format", "").strip().toLowerCase(Locale.ROOT);
        StreamScan scan = new StreamScan(
                format.isEmpty() ? "csv" : format,
                properties,
                bound.sources().stream().map(SlotReference::name).toList());
        String compression = headers.getOrDefault("compress_type", "").strip().toLowerCase(Locale.ROOT);
        if (!compression.isEmpty()) {
            scan.setCompression(compression);
        }
        return scan;
    }

    private static LoadProject project(LoadBinder.Bound bound, LoadTransaction transaction) {
        List<SlotReference> input = new ArrayList<>(bound.sources());
        input.addAll(bound.temporarySlots());
        WireExprs wire = new WireExprs(input);
        LoadProject project = new LoadProject(
                wire.all(bound.values()),
                transaction.strict(),
                bound.columns().stream().map(SlotReference::name).toList());
        if (!bound.temporaries().isEmpty()) {
            project.setTemporaries(wire.all(bound.temporaries()));
        }
        if (bound.where() != null) {
            project.setWhere(new WireExprs(bound.columns()).one(bound.where()));
        }
        project.setSource_of(bound.sourceOf());
        return project;
    }

    private static List<org.thetis.wire.thrift.DataTypeDesc> columnTypes(WrittenColumns written) {
        return written.columns().stream()
                .map(column -> column.type().toThrift(column.nullable()))
                .toList();
    }
}
