// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.lower;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.thetis.base.collection.PersistentSortedMap;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.schema.AggregateKind;
import org.thetis.catalog.schema.Distribution;
import org.thetis.catalog.schema.HiddenColumns;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.PartitionItem;
import org.thetis.catalog.schema.PartitionKey;
import org.thetis.catalog.schema.PartitionKind;
import org.thetis.catalog.schema.PartitionSpec;
import org.thetis.catalog.schema.PartitionValue;
import org.thetis.catalog.schema.Replica;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.schema.TableProperties;
import org.thetis.catalog.schema.Tablet;
import org.thetis.catalog.type.DataType;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.binder.SessionFacts;
import org.thetis.sql.binder.TableResolver;
import org.thetis.sql.expr.Literal;
import org.thetis.sql.functions.FunctionCatalog;
import org.thetis.sql.parser.SqlParser;
import org.thetis.wire.thrift.BackendDesc;

/** An in-memory catalog, session and set of back ends for planner tests. */
public final class TestCluster implements TableResolver, SessionFacts, ClusterView {
    private static final FunctionCatalog FUNCTIONS = FunctionCatalog.load();

    private final Map<String, ResolvedTable> tables = new HashMap<>();
    private final Map<Long, Long> tabletRows = new HashMap<>();
    private final Map<String, String> variables = new HashMap<>();
    private final Map<String, Literal> userVariables = new HashMap<>(Map.of("x", Literal.bigint(5)));
    private final Planner planner = new Planner(FUNCTIONS);
    private final int numBackends;
    private long nextId = 1000;
    private Instant time = Instant.parse("2024-02-03T04:05:06.789123Z");

    public TestCluster(int numBackends) {
        this.numBackends = numBackends;
    }

    /** Adds a table `name(column type [not null], ...)` hashed on its first column. */
    public OlapTable table(String name, String columns, int buckets, long rows) {
        return table(name, columns, buckets, rows, List.of());
    }

    /** Adds a table partitioned by ranges of its first column; bounds are upper ones. */
    public OlapTable table(String name, String columns, int buckets, long rows, List<String> bounds) {
        List<SchemaColumn> schema = new ArrayList<>();
        for (String definition : columns.split(",(?![^(]*\\))")) {
            String[] parts = definition.strip().split("\\s+", 2);
            String type = parts[1].toLowerCase(Locale.ROOT);
            boolean notNull = type.endsWith(" not null");
            schema.add(SchemaColumn.of(
                            parts[0], DataType.parse(notNull ? type.substring(0, type.length() - 9) : type), !notNull)
                    .withUniqueId(schema.size())
                    .withKey(schema.isEmpty()));
        }
        String hashed = bounds.isEmpty() ? schema.get(0).name() : schema.get(1).name();
        Distribution distribution = Distribution.hash(List.of(hashed), buckets);
        IndexMeta index = IndexMeta.of(nextId++, name, 1, KeysModel.DUPLICATE, schema, 1);
        PersistentSortedMap<Long, Partition> partitions = PersistentSortedMap.empty();
        List<PartitionItem> items = new ArrayList<>();
        PartitionValue low = PartitionValue.MIN;
        for (String bound : bounds) {
            PartitionValue high = PartitionValue.parse(schema.get(0).type(), bound);
            items.add(new PartitionItem.Range(PartitionKey.of(low), PartitionKey.of(high)));
            low = high;
        }
        if (items.isEmpty()) {
            items.add(new PartitionItem.All());
        }
        for (int p = 0; p < items.size(); p++) {
            List<Tablet> tablets = new ArrayList<>();
            for (int b = 0; b < buckets; b++) {
                long tablet = nextId++;
                tablets.add(new Tablet(tablet, List.of(Replica.healthy(nextId++, 1 + b % numBackends))));
                tabletRows.put(tablet, rows / buckets / items.size());
            }
            long id = nextId++;
            String partitionName = bounds.isEmpty() ? name : "p" + (p + 1);
            partitions = partitions.with(
                    id,
                    new Partition(
                            id,
                            partitionName,
                            items.get(p),
                            distribution,
                            1,
                            Map.of(),
                            2,
                            0,
                            2,
                            List.of(new Partition.IndexTablets(index.id(), tablets))));
        }
        PartitionSpec spec = bounds.isEmpty()
                ? PartitionSpec.UNPARTITIONED
                : new PartitionSpec(PartitionKind.RANGE, List.of(schema.get(0).name()));
        OlapTable table = new OlapTable(
                nextId++,
                1,
                name,
                "",
                0,
                List.of(index),
                List.of(),
                spec,
                distribution,
                new TableProperties(Map.of("replication_num", "1")),
                partitions,
                PersistentSortedMap.empty());
        tables.put(name, new ResolvedTable.Stored("internal", "db", table));
        return table;
    }

    /** Makes a table added before one of another model; value columns take the aggregates by name. */
    public OlapTable remodel(
            String name, KeysModel model, Map<String, AggregateKind> aggregates, Map<String, String> properties) {
        OlapTable table = stored(name);
        TableProperties all = new TableProperties(properties);
        List<SchemaColumn> columns = table.columns().stream()
                .map(column -> column.withAggregate(aggregates.getOrDefault(column.name(), AggregateKind.NONE)))
                .toList();
        IndexMeta index =
                IndexMeta.of(table.baseIndex().id(), name, 1, model, HiddenColumns.append(columns, model, all), 1);
        OlapTable changed = table.withIndexes(List.of(index)).withProperties(all);
        tables.put(name, new ResolvedTable.Stored("internal", "db", changed));
        return changed;
    }

    /** Begins a schema change of a table added before: these are the visible columns of its shadow, in order. */
    public void shadow(String name, List<SchemaColumn> columns) {
        OlapTable table = stored(name);
        List<SchemaColumn> all = new ArrayList<>(columns);
        table.columns().stream().filter(column -> !column.visible()).forEach(all::add);
        IndexMeta base = table.baseIndex();
        IndexMeta shadow =
                base.withColumns(2, all, base.nextUniqueId() + columns.size()).copy(nextId++, "__shadow_" + name);
        Map<Long, Partition.IndexTablets> tablets = new HashMap<>();
        for (Partition partition : table.partitions().values()) {
            List<Tablet> copies = partition.tablets().stream()
                    .map(tablet -> new Tablet(nextId++, tablet.replicas()))
                    .toList();
            tablets.put(partition.id(), new Partition.IndexTablets(shadow.id(), copies));
        }
        tables.put(name, new ResolvedTable.Stored("internal", "db", table.withShadow(shadow, tablets)));
    }

    /** Makes the first columns of a table added before its keys. */
    public void keys(String name, int count) {
        OlapTable table = stored(name);
        List<SchemaColumn> columns = new ArrayList<>();
        for (SchemaColumn column : table.columns()) {
            columns.add(column.withKey(columns.size() < count));
        }
        IndexMeta index = IndexMeta.of(table.baseIndex().id(), name, 1, table.keysModel(), columns, 1);
        tables.put(name, new ResolvedTable.Stored("internal", "db", table.withIndexes(List.of(index))));
    }

    /** Hashes the rows of a table added before on other columns. */
    public void distribute(String name, List<String> columns) {
        OlapTable table = stored(name);
        Distribution distribution =
                Distribution.hash(columns, table.distribution().buckets());
        OlapTable changed = table.withDistribution(distribution);
        for (Partition partition : table.partitions().values()) {
            changed = changed.withPartition(new Partition(
                    partition.id(),
                    partition.name(),
                    partition.item(),
                    distribution,
                    1,
                    Map.of(),
                    partition.visibleVersion(),
                    0,
                    partition.committedVersion(),
                    partition.indexes()));
        }
        tables.put(name, new ResolvedTable.Stored("internal", "db", changed));
    }

    /** A table added before. */
    public OlapTable stored(String name) {
        return ((ResolvedTable.Stored) Objects.requireNonNull(tables.get(name))).table();
    }

    /** Adds a view. */
    public void view(String name, String sql) {
        tables.put(name, new ResolvedTable.View("internal", "db", name, sql, List.of()));
    }

    /** Adds a table that the front end holds. */
    public void rows(String name, List<ResolvedTable.Column> columns, List<List<Literal>> rows) {
        tables.put(name, new ResolvedTable.Rows("internal", "db", name, columns, () -> rows));
    }

    /** Sets a session variable that planning looks at. */
    public void set(String name, String value) {
        variables.put(name, value);
    }

    /** Sets a user variable. */
    public void setUser(String name, Literal value) {
        userVariables.put(name, value);
    }

    /** Sets when statements begin. */
    public void setTime(Instant begin) {
        time = begin;
    }

    /** Plans a statement. */
    public PlannedQuery plan(String sql, Literal... parameters) {
        return planner.plan(new SqlParser().parse(sql), context(parameters));
    }

    /** The planner of {@link #plan}. */
    public Planner planner() {
        return planner;
    }

    /** The context that {@link #plan} uses. */
    public PlannerContext context(Literal... parameters) {
        return new PlannerContext(this, this, this, List.of(parameters), variables);
    }

    /** EXPLAIN of a statement as one text. */
    public String explain(String sql) {
        return String.join("\n", plan(sql).explain(ExplainMode.FRAGMENTS));
    }

    /** The physical tree's shape as one text. */
    public String shape(String sql) {
        return String.join("\n", plan(sql).explain(ExplainMode.SHAPE));
    }

    @Override
    public Optional<ResolvedTable> find(String catalog, String database, String table) {
        return Optional.ofNullable(tables.get(table));
    }

    @Override
    public List<String> tableNames(String catalog, String database) {
        return List.copyOf(tables.keySet());
    }

    @Override
    public List<BackendDesc> backends() {
        List<BackendDesc> all = new ArrayList<>();
        for (int i = 1; i <= numBackends; i++) {
            all.add(new BackendDesc(i, "127.0.0." + i, 8060, 9060, 8040));
        }
        return all;
    }

    @Override
    public long chooseReplica(Tablet tablet, long version) {
        return tablet.replicas().get(0).backendId();
    }

    @Override
    public OptionalLong tabletRows(long tabletId) {
        Long rows = tabletRows.get(tabletId);
        return rows == null ? OptionalLong.empty() : OptionalLong.of(rows);
    }

    @Override
    public String currentCatalog() {
        return "internal";
    }

    @Override
    public Optional<String> currentDatabase() {
        return Optional.of("db");
    }

    @Override
    public String user() {
        return "'root'@'127.0.0.1'";
    }

    @Override
    public String currentUser() {
        return "'root'@'%'";
    }

    @Override
    public long connectionId() {
        return 7;
    }

    @Override
    public String lastQueryId() {
        return "";
    }

    @Override
    public String serverVersion() {
        return "5.7.99";
    }

    @Override
    public Instant statementTime() {
        return time;
    }

    @Override
    public ZoneId timeZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Optional<Literal> systemVariable(boolean global, String name) {
        if (variables.containsKey(name)) {
            return Optional.of(Literal.of("true".equals(variables.get(name))));
        }
        return name.equals("autocommit") ? Optional.of(Literal.of(true)) : Optional.empty();
    }

    @Override
    public Literal userVariable(String name) {
        return userVariables.getOrDefault(name, Literal.untypedNull());
    }

    @Override
    public Collection<String> systemVariableNames() {
        return List.of("autocommit", "time_zone");
    }
}
