// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.object;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.schema.AggregateKind;
import org.thetis.catalog.schema.DefaultValue;
import org.thetis.catalog.schema.HiddenColumns;
import org.thetis.catalog.schema.IndexMeta;
import org.thetis.catalog.schema.KeysModel;
import org.thetis.catalog.schema.PartitionItem;
import org.thetis.catalog.schema.PartitionKey;
import org.thetis.catalog.schema.PartitionValue;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.type.DataType;
import org.thetis.catalog.type.LiteralCodec;
import org.thetis.wire.thrift.ColumnDesc;
import org.thetis.wire.thrift.PartitionDesc;
import org.thetis.wire.thrift.TabletSchemaDesc;

/** Tables as back ends need to know them. */
public final class TableDescriptors {
    private TableDescriptors() {}

    /** What the tablets of an index are made of. */
    public static TabletSchemaDesc tabletSchema(OlapTable table, IndexMeta index) {
        Set<String> bloom = table.properties().bloomFilterColumns().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        List<ColumnDesc> columns = new ArrayList<>();
        for (SchemaColumn column : index.columns()) {
            columns.add(column(column, bloom.contains(column.name().toLowerCase(Locale.ROOT))));
        }
        TabletSchemaDesc schema = new TabletSchemaDesc(
                table.id(),
                index.id(),
                index.schemaVersion(),
                index.keysModel().toThrift(),
                columns,
                index.shortKeyColumns());
        schema.setCompression(table.properties().compression());
        schema.setBloom_filter_fpp(table.properties().bloomFilterFpp());
        setModel(schema, table, index);
        return schema;
    }

    private static void setModel(TabletSchemaDesc schema, OlapTable table, IndexMeta index) {
        schema.setMerge_on_write(
                index.keysModel() == KeysModel.UNIQUE && table.properties().mergeOnWrite());
        hidden(index, HiddenColumns.DELETE_SIGN).ifPresent(schema::setDelete_sign_id);
        hidden(index, HiddenColumns.SEQUENCE).ifPresent(schema::setSequence_id);
        hidden(index, HiddenColumns.VERSION).ifPresent(schema::setVersion_id);
        hidden(index, HiddenColumns.ROW_STORE).ifPresent(id -> {
            schema.setRow_store_id(id);
            List<String> names = table.properties().rowStoreColumns();
            if (!names.isEmpty()) {
                schema.setRow_store_column_ids(names.stream()
                        .flatMap(name -> index.findColumn(name).stream())
                        .map(SchemaColumn::uniqueId)
                        .toList());
            }
        });
    }

    private static Optional<Integer> hidden(IndexMeta index, String name) {
        return index.findColumn(name).filter(column -> !column.visible()).map(SchemaColumn::uniqueId);
    }

    private static ColumnDesc column(SchemaColumn column, boolean bloom) {
        ColumnDesc desc = new ColumnDesc(
                column.uniqueId(), column.name(), column.type().toThrift(column.nullable()), column.key());
        if (column.aggregate() != AggregateKind.NONE) {
            desc.setAggregation(column.aggregate().name());
        }
        @Nullable DefaultValue value = initial(column);
        desc.setHas_default(value != null);
        if (value != null && value.kind() == DefaultValue.Kind.LITERAL) {
            desc.setDefault_value(LiteralCodec.parse(column.type(), value.text()));
        }
        desc.setIs_bloom_filter(bloom);
        desc.setIs_hidden(!column.visible());
        return desc;
    }

    private static @Nullable DefaultValue initial(SchemaColumn column) {
        return column.initial() == null ? column.defaultValue() : column.initial();
    }

    /** Whether back ends know a value for the column in rows that have none. */
    public static boolean hasDefault(SchemaColumn column) {
        @Nullable DefaultValue value = initial(column);
        return value != null && value.kind() == DefaultValue.Kind.LITERAL;
    }

    /** Fills the bounds or keys of a partition into its descriptor. */
    public static void setBounds(PartitionDesc desc, PartitionItem item, List<DataType> types) {
        if (item instanceof PartitionItem.Range range) {
            if (!range.lower().isMin()) {
                desc.setLower(key(range.lower(), types));
            }
            if (!range.upper().isMax()) {
                desc.setUpper(key(range.upper(), types));
            }
        } else if (item instanceof PartitionItem.InList list) {
            desc.setIn_keys(list.keys().stream().map(key -> key(key, types)).toList());
        }
    }

    /** A trailing MIN or MAXVALUE has no literal: the key is as long as its values go. */
    private static org.thetis.wire.thrift.PartitionKey key(PartitionKey key, List<DataType> types) {
        org.thetis.wire.thrift.PartitionKey desc = new org.thetis.wire.thrift.PartitionKey(new ArrayList<>());
        for (int i = 0; i < types.size(); i++) {
            PartitionValue value = key.values().get(i);
            if (value.kind() == PartitionValue.Kind.MIN || value.kind() == PartitionValue.Kind.MAX) {
                break;
            }
            desc.addToValues(value.toThrift(types.get(i)));
        }
        return desc;
    }
}
