// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <roaring/roaring.hh>
#include <string>
#include <vector>

#include "storage/rowset/rowset.h"
#include "storage/segment/segment_iterator.h"
#include "storage/tablet/scan_columns.h"
#include "storage/tablet/tablet.h"
#include "storage/testing/storage_fixture.h"

namespace thetis::merge_on_write {

inline constexpr int32_t kKey = 0;
inline constexpr int32_t kNumber = 1;
inline constexpr int32_t kText = 2;
inline constexpr int32_t kSign = 3;
inline constexpr int32_t kSequence = 4;
inline constexpr int32_t kVersion = 5;
inline constexpr int32_t kRowStore = 6;

struct Row {
    int64_t number = 0;
    std::string text;
    int sign = 0;
    int64_t sequence = 0;
    bool operator==(const Row&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const Row& row) {
    return out << row.number << ' ' << row.text << ' ' << row.sign << ' ' << row.sequence;
}

using Table = std::map<int64_t, Row>;
using Rows = std::vector<std::pair<int64_t, Row>>;

/// Small UNIQUE tables with merge-on-write: k, n, t, the delete sign, perhaps a sequence and a row
/// store.
class MergeOnWriteFixture : public StorageFixture {
protected:
    static TabletSchemaPtr schema(bool with_sequence, bool with_row_store = false) {
        TabletSchemaDefinition definition;
        definition.table_id = 10;
        definition.keys_model = KeysModel::kUnique;
        definition.merge_on_write = true;
        definition.columns = {
            {.unique_id = kKey,
             .name = "k",
             .type = DataType::of(TypeId::kBigint, false),
             .is_key = true},
            {.unique_id = kNumber, .name = "n", .type = DataType::of(TypeId::kBigint)},
            {.unique_id = kText, .name = "t", .type = DataType::varchar(100)},
            {.unique_id = kSign,
             .name = "__DORIS_DELETE_SIGN__",
             .type = DataType::of(TypeId::kTinyint, false),
             .is_hidden = true}
        };
        definition.delete_sign_id = kSign;
        if (with_sequence) {
            definition.columns.push_back(
                {.unique_id = kSequence,
                 .name = "__DORIS_SEQUENCE_COL__",
                 .type = DataType::of(TypeId::kBigint),
                 .is_hidden = true}
            );
            definition.sequence_id = kSequence;
        }
        definition.columns.push_back(
            {.unique_id = kVersion,
             .name = "__DORIS_VERSION_COL__",
             .type = DataType::of(TypeId::kBigint, false),
             .is_hidden = true}
        );
        definition.version_id = kVersion;
        if (with_row_store) {
            definition.columns.push_back(
                {.unique_id = kRowStore,
                 .name = "__DORIS_ROW_STORE_COL__",
                 .type = DataType::of(TypeId::kString, false),
                 .is_hidden = true}
            );
            definition.row_store_id = kRowStore;
        }
        definition.num_short_key_columns = 1;
        auto made = TabletSchema::create(std::move(definition));
        EXPECT_TRUE(made.ok()) << made.status().to_string();
        return made.take();
    }

    void create(int64_t tablet_id, TabletSchemaPtr schema, bool is_shadow = false) {
        CreateTabletRequest request;
        request.tablet_id = tablet_id;
        request.partition_id = 1;
        request.schema = std::move(schema);
        request.is_shadow = is_shadow;
        const Status status = engine().create_tablet(request);
        ASSERT_TRUE(status.ok()) << status.to_string();
    }

    static Batch batch_of(
        const Rows& rows, size_t begin, size_t end, std::span<const int32_t> columns
    ) {
        Batch batch;
        batch.num_rows = static_cast<uint32_t>(end - begin);
        for (const int32_t id : columns) {
            ColumnBuilder builder(
                id == kText   ? DataType::varchar(100)
                : id == kSign ? DataType::of(TypeId::kTinyint, false)
                              : DataType::of(TypeId::kBigint, id != kKey)
            );
            for (size_t i = begin; i < end; ++i) {
                const auto& [key, row] = rows[i];
                if (id == kText) {
                    builder.append_string(row.text);
                } else if (id == kSign) {
                    builder.append<int8_t>(static_cast<int8_t>(row.sign));
                } else {
                    builder.append<int64_t>(
                        id == kKey ? key : (id == kNumber ? row.number : row.sequence)
                    );
                }
            }
            batch.columns.push_back(builder.finish());
        }
        return batch;
    }

    /// Commits rows of some columns (empty: all); `rows_per_segment` small makes many segments.
    Status write_rows(
        int64_t tablet_id,
        int64_t txn_id,
        const Rows& rows,
        std::vector<int32_t> columns = {},
        size_t rows_per_segment = 100000,
        bool existing_only = false
    ) {
        WriterOptions options;
        options.txn_id = txn_id;
        options.load_id = "load";
        options.partial_update = !columns.empty();
        options.existing_only = existing_only;
        options.column_unique_ids = columns;
        options.write_buffer_bytes = rows_per_segment < 100000 ? 1 : 0;
        if (columns.empty()) {
            columns = {kKey, kNumber, kText, kSign};
            if (engine().find_tablet(tablet_id)->schema()->sequence_id().has_value()) {
                columns.push_back(kSequence);
            }
        }
        auto writer = engine().open_writer(tablet_id, options);
        RETURN_IF_ERROR(writer.status());
        for (size_t begin = 0; begin < rows.size();) {
            const size_t end =
                std::min({rows.size(), begin + rows_per_segment, begin + size_t{kMaxBatchRows}});
            RETURN_IF_ERROR((*writer)->append(batch_of(rows, begin, end, columns)));
            begin = end;
        }
        return (*writer)->close();
    }

    void load(
        int64_t tablet_id, int64_t version, const Rows& rows, size_t rows_per_segment = 100000
    ) {
        const Status status = write_rows(tablet_id, 1000 + version, rows, {}, rows_per_segment);
        ASSERT_TRUE(status.ok()) << status.to_string();
        publish(1000 + version, tablet_id, version);
    }

    /// Every row that is not marked; fails on two with one key.
    Table read(int64_t tablet_id, int64_t version) {
        Table table;
        const auto tablet = engine().find_tablet(tablet_id);
        const auto snapshot = tablet->snapshot(version);
        EXPECT_TRUE(snapshot.ok()) << snapshot.status().to_string();
        const auto scan = full_scan(*tablet->schema());
        const bool has_sequence = tablet->schema()->sequence_id().has_value();
        for (const RowsetPtr& rowset : (*snapshot)->rowsets) {
            const auto segments = rowset->segments();
            EXPECT_TRUE(segments.ok()) << segments.status().to_string();
            for (size_t i = 0; i < segments->size(); ++i) {
                const auto deleted =
                    (*snapshot)->delete_bitmap(*rowset, rowset->meta().segments[i].id);
                const auto& segment = (*segments)[i];
                auto rows = SegmentIterator::open(scan, segment, {0, segment->num_rows()});
                EXPECT_TRUE(rows.ok()) << rows.status().to_string();
                Batch batch;
                for (uint32_t row = 0; (*rows)->next(batch).take();) {
                    const ColumnView<int64_t> keys(*batch.columns[0]);
                    const ColumnView<int64_t> numbers(*batch.columns[1]);
                    const ColumnView<StringRef> texts(*batch.columns[2]);
                    const ColumnView<int8_t> signs(*batch.columns[3]);
                    const ColumnView<int64_t> sequences(*batch.columns[has_sequence ? 4 : 0]);
                    for (uint32_t k = 0; k < batch.num_rows; ++k, ++row) {
                        if (deleted != nullptr && deleted->contains(row)) {
                            continue;
                        }
                        const Row value{
                            numbers.is_valid(k) ? numbers[k] : -1,
                            texts.is_valid(k) ? std::string(texts[k].view()) : "NULL",
                            signs[k],
                            has_sequence ? sequences[k] : 0
                        };
                        EXPECT_TRUE(table.emplace(keys[k], value).second)
                            << "two rows of key " << keys[k] << " at version " << version;
                    }
                }
            }
        }
        return table;
    }
};

}  // namespace thetis::merge_on_write
