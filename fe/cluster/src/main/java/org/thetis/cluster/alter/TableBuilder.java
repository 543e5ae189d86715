// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.thetis.base.collection.PersistentSortedMap;
import org.thetis.base.config.TableSettings;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.thread.Clock;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.SecondaryIndex;
import org.thetis.catalog.schema.AggregateKind;
import org.thetis.catalog.schema.ColumnRules;
import org.thetis.catalog.schema.Distribution;
import org.thetis.catalog.schema.HiddenColumns;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.IntervalExpansion;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.catalog.schema.ModelRules;
import org.thetis.catalog.schema.Partition;
import org.thetis.catalog.schema.PartitionDefinition;
import org.thetis.catalog.schema.PartitionResolver;
import org.thetis.catalog.schema.PropertyRules;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.schema.TableProperties;
import org.thetis.catalog.type.TypeId;
import org.thetis.cluster.journal.IdAllocator;

/** Completes and checks a CREATE TABLE: the table it gives has everything but partitions. */
final class TableBuilder {
    private static final int DEFAULT_BUCKETS = 10;
    private static final int DEFAULT_REPLICAS = 3;
    private static final long BYTES_PER_BUCKET = 1L << 30;

    private final TableSettings settings;
    private final IdAllocator ids;
    private final Clock clock;

    TableBuilder(TableSettings settings, IdAllocator ids, Clock clock) {
        this.settings = settings;
        this.ids = ids;
        this.clock = clock;
    }

    /** `numBackends` is how many back ends could take a replica now. */
    OlapTable build(CreateTableRequest request, long databaseId, int numBackends) {
        checkName(request.table());
        ColumnRules.Checked checked = ColumnRules.check(request.columns(), request.keysModel(), request.keyColumns());
        KeysModel model = checked.keysModel();
        TableProperties properties = properties(request.properties(), numBackends);
        checkBloomFilters(model, checked.columns(), properties);
        ModelRules.checkProperties(model, checked.columns(), properties);
        Distribution distribution = distribution(
                request.distribution() == null ? keyBuckets(checked) : request.distribution(),
                checked.columns(),
                properties,
                numBackends);
        ModelRules.checkPlacement(model, checked.columns(), request.partitioning(), distribution);
        List<SchemaColumn> columns = HiddenColumns.append(checked.columns(), model, properties);
        long tableId = ids.next();
        IndexMeta base = IndexMeta.of(
                ids.next(), request.table(), schemaHash(columns), model, columns, checked.shortKeyColumns());
        return new OlapTable(
                tableId,
                databaseId,
                request.table(),
                request.comment(),
                clock.millis(),
                List.of(base),
                secondaryIndexes(request.secondaryIndexes(), checked.columns()),
                request.partitioning(),
                distribution,
                properties,
                PersistentSortedMap.empty(),
                PersistentSortedMap.empty());
    }

    /** Without a clause rows of DUPLICATE tables go anywhere; those of models that compare rows go by their key. */
    private static CreateTableRequest.@Nullable DistributionRequest keyBuckets(ColumnRules.Checked checked) {
        if (!ModelRules.needsHashBuckets(checked.keysModel(), checked.columns())) {
            return null;
        }
        List<String> keys = checked.columns().stream()
                .filter(SchemaColumn::key)
                .map(SchemaColumn::name)
                .toList();
        return new CreateTableRequest.DistributionRequest(false, keys, null, true);
    }

    void checkName(String name) {
        if (name.length() > settings.tableNameLengthLimit()) {
            throw new ThetisException(
                    ErrorCode.TABLE_NAME_TOO_LONG,
                    "Table name length exceeds limit, the length of table name '" + name + "' is " + name.length()
                            + " which is greater than the configuration 'table_name_length_limit' ("
                            + settings.tableNameLengthLimit() + ").");
        }
        if (!name.matches("[\\p{L}_][-\\p{L}\\p{N}_$]*")) {
            throw new ThetisException(ErrorCode.BAD_TABLE_NAME, "Incorrect table name '" + name + "'");
        }
    }

    private TableProperties properties(Map<String, String> given, int numBackends) {
        Map<String, String> checked = new TreeMap<>(PropertyRules.check(given));
        int forced = settings.forceOlapTableReplicationNum();
        if (forced > 0) {
            checked.put(TableProperties.REPLICATION_NUM, Integer.toString(forced));
        } else if (!checked.containsKey(TableProperties.REPLICATION_NUM)) {
            // A small cluster needs no clause: as many copies as there is room for, up to the usual three.
            checked.put(
                    TableProperties.REPLICATION_NUM,
                    Integer.toString(Math.max(1, Math.min(DEFAULT_REPLICAS, numBackends))));
        }
        TableProperties properties = new TableProperties(checked);
        checkReplicas(properties.replicationNum(), numBackends);
        return properties;
    }

    /** Fails unless the number is allowed and there are as many back ends. */
    void checkReplicas(int number, int numBackends) {
        if (number < settings.minReplicationNumPerTablet() || number > settings.maxReplicationNumPerTablet()) {
            throw ThetisException.of(
                    ErrorCode.INVALID_ARGUMENT,
                    "Replication num should be between min_replication_num_per_tablet %d and max_replication_num_per_tablet %d: %d",
                    settings.minReplicationNumPerTablet(),
                    settings.maxReplicationNumPerTablet(),
                    number);
        }
        if (number > numBackends) {
            throw ThetisException.of(
                    ErrorCode.INVALID_ARGUMENT,
                    "replication num should be less than the number of available backends. replication num is %d, available backend num is %d",
                    number,
                    numBackends);
        }
    }

    static void checkBloomFilters(KeysModel model, List<SchemaColumn> columns, TableProperties properties) {
        Set<String> seen = new HashSet<>();
        for (String name : properties.bloomFilterColumns()) {
            SchemaColumn column = find(columns, name, "Bloom filter column");
            if (!seen.add(column.name())) {
                throw new ThetisException(ErrorCode.INVALID_ARGUMENT, "Reduplicated bloom filter column: " + name);
            }
            if (model == KeysModel.AGGREGATE && !column.key()) {
                throw new ThetisException(
                        ErrorCode.INVALID_ARGUMENT,
                        "Bloom filter index only used in columns of DUP_KEYS/UNIQUE_KEYS table or key columns of "
                                + "AGG_KEYS table. invalid column: " + name);
            }
            boolean refused = column.type().isFloatingPoint()
                    || column.type().id() == TypeId.TINYINT
                    || column.type().id() == TypeId.BOOLEAN;
            if (refused) {
                throw new ThetisException(
                        ErrorCode.INVALID_ARGUMENT,
                        column.type() + " is not supported in bloom filter index. invalid column: " + name);
            }
        }
    }

    private static SchemaColumn find(List<SchemaColumn> columns, String name, String what) {
        for (SchemaColumn column : columns) {
            if (column.name().equalsIgnoreCase(name)) {
                return column;
            }
        }
        throw new ThetisException(ErrorCode.UNKNOWN_COLUMN, what + " does not exist in table. invalid column: " + name);
    }

    private List<SecondaryIndex> secondaryIndexes(List<SecondaryIndex> given, List<SchemaColumn> columns) {
        List<SecondaryIndex> indexes = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (SecondaryIndex index : given) {
            if (!names.add(index.name().toLowerCase(Locale.ROOT))) {
                throw new ThetisException(ErrorCode.INVALID_ARGUMENT, "index `" + index.name() + "` already exist");
            }
            index.columns().forEach(column -> find(columns, column, "Index column"));
            indexes.add(new SecondaryIndex(
                    ids.next(), index.name(), index.kind(), index.columns(), index.properties(), index.comment()));
        }
        return indexes;
    }

    Distribution distribution(
            CreateTableRequest.@Nullable DistributionRequest given,
            List<SchemaColumn> columns,
            TableProperties properties,
            int numBackends) {
        if (given == null) {
            return new Distribution(Distribution.Kind.RANDOM, List.of(), autoBuckets(properties, numBackends), true);
        }
        int buckets = given.autoBuckets()
                ? autoBuckets(properties, numBackends)
                : given.buckets() == null ? DEFAULT_BUCKETS : given.buckets();
        if (buckets <= 0) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT,
                    "Buckets number of distribution should be greater than zero: " + buckets);
        }
        if (given.random()) {
            return new Distribution(Distribution.Kind.RANDOM, List.of(), buckets, given.autoBuckets());
        }
        Set<String> seen = new HashSet<>();
        List<String> names = new ArrayList<>();
        for (String name : given.columns()) {
            SchemaColumn column = find(columns, name, "Distribution column(" + name + ")");
            if (!seen.add(column.name())) {
                throw new ThetisException(ErrorCode.DUPLICATE_COLUMN_IN_LIST, "Duplicate distribution column " + name);
            }
            if (!column.type().canBeKey() || column.aggregate() != AggregateKind.NONE) {
                throw new ThetisException(
                        ErrorCode.INVALID_ARGUMENT,
                        "A column of type " + column.type() + " should not be used in distribution column[" + name
                                + "].");
            }
            names.add(column.name());
        }
        return new Distribution(Distribution.Kind.HASH, names, buckets, given.autoBuckets());
    }

    /** By the estimated size of a partition if it is given, else one bucket for each back end. */
    private int autoBuckets(TableProperties properties, int numBackends) {
        String estimate = properties.get("estimate_partition_size", "");
        int buckets = estimate.isEmpty() ? numBackends : bucketsOf(bytes(estimate) / 5);
        return Math.max(
                settings.autobucketMinBuckets(), Math.min(settings.autobucketMaxBuckets(), Math.max(1, buckets)));
    }

    private static int bucketsOf(long bytes) {
        if (bytes <= 100L << 20) {
            return 1;
        }
        return bytes <= BYTES_PER_BUCKET ? 2 : (int) Math.min(Integer.MAX_VALUE, bytes / BYTES_PER_BUCKET);
    }

    /** `10G`, `512MB`, `1000`. */
    private static long bytes(String text) {
        Matcher matcher = Pattern.compile("(\\d{1,12})\\s*([KMGT]?)B?")
                .matcher(text.strip().toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new ThetisException(
                    ErrorCode.INVALID_ARGUMENT, "estimate_partition_size must be a size such as 10G: '" + text + "'");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "K" -> number << 10;
            case "M" -> number << 20;
            case "G" -> number << 30;
            case "T" -> number << 40;
            default -> number;
        };
    }

    /** Types and checks PARTITION clauses against what the table has. */
    List<PartitionResolver.Resolved> partitions(
            OlapTable table, List<Partition> existing, List<PartitionDefinition> definitions) {
        List<SchemaColumn> columns = table.partitionSpec().columns().stream()
                .map(name -> find(table.columns(), name, "Partition column[" + name + "]"))
                .toList();
        IntervalExpansion expansion =
                new IntervalExpansion(settings.multiPartitionNamePrefix(), settings.maxMultiPartitionNum());
        return new PartitionResolver(table.partitionSpec().kind(), columns, expansion)
                .withExisting(existing)
                .resolve(definitions);
    }

    private static int schemaHash(List<SchemaColumn> columns) {
        return columns.stream()
                        .mapToInt(column ->
                                Objects.hash(column.name(), column.type().toSql()))
                        .reduce(7, (left, right) -> left * 31 + right)
                & Integer.MAX_VALUE;
    }
}
