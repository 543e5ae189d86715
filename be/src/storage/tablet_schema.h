// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "column/column.h"
#include "io/codec/codec.h"

namespace thetis {

namespace pb {
class TabletSchema;
}

enum class KeysModel : uint8_t { kDuplicate = 0, kAggregate = 1, kUnique = 2 };

/// One column of a tablet's schema. The unique id never changes while the column lives; names and
/// positions may.
struct SchemaColumn {
    int32_t unique_id = 0;
    std::string name{};
    DataType type{};
    bool is_key = false;
    std::string aggregation{};  ///< Empty, or SUM, MIN, MAX, REPLACE, REPLACE_IF_NOT_NULL.
    /// A flat column of one row: what rows hold that were written before the column existed. Null
    /// pointer: NULL (zero or empty for a NOT NULL column).
    ColumnPtr default_value{};
    bool is_bloom_filter = false;
    bool is_hidden = false;
};

/// What callers fill in to make a TabletSchema.
struct TabletSchemaDefinition {
    int64_t table_id = 0;
    int64_t index_id = 0;
    int32_t schema_version = 0;
    KeysModel keys_model = KeysModel::kDuplicate;
    std::vector<SchemaColumn> columns{};  ///< Key columns first.
    int32_t num_short_key_columns = 0;
    Compression compression = Compression::kLz4;
    double bloom_filter_fpp = 0.05;
    bool merge_on_write =
        false;  ///< UNIQUE: replaced rows are marked at publish, not merged at read.
    // Hidden columns, by unique id; they stand after the visible ones.
    std::optional<int32_t> delete_sign_id{};  ///< TINYINT; 1: the key is deleted.
    std::optional<int32_t> sequence_id{};     ///< Of rows with one key the largest wins.
    std::optional<int32_t> version_id{
    };  ///< BIGINT, the row's commit version, filled in by storage.
    std::optional<int32_t> row_store_id{};  ///< Encoded rows, filled in at flush.
    std::vector<int32_t> row_store_column_ids{
    };  ///< What the row store holds; empty: every visible column.
};

class TabletSchema;
using TabletSchemaPtr = std::shared_ptr<const TabletSchema>;

/// The columns of a tablet at one schema version. Immutable and shared.
class TabletSchema {
public:
    /// Fails on duplicate ids, keys after values, types without a physical form, an empty column
    /// list.
    static Result<TabletSchemaPtr> create(TabletSchemaDefinition definition);
    static Result<TabletSchemaPtr> from_protobuf(const pb::TabletSchema& message);
    void to_protobuf(pb::TabletSchema& message) const;

    /// To make a variation of it.
    const TabletSchemaDefinition& definition() const { return definition_; }

    int64_t table_id() const { return definition_.table_id; }

    int64_t index_id() const { return definition_.index_id; }

    int32_t schema_version() const { return definition_.schema_version; }

    KeysModel keys_model() const { return definition_.keys_model; }

    const std::vector<SchemaColumn>& columns() const { return definition_.columns; }

    size_t num_columns() const { return definition_.columns.size(); }

    size_t num_key_columns() const { return num_key_columns_; }

    size_t num_short_key_columns() const {
        return static_cast<size_t>(definition_.num_short_key_columns);
    }

    Compression compression() const { return definition_.compression; }

    double bloom_filter_fpp() const { return definition_.bloom_filter_fpp; }

    bool is_merge_on_write() const {
        return definition_.keys_model == KeysModel::kUnique && definition_.merge_on_write;
    }

    std::optional<int32_t> delete_sign_id() const { return definition_.delete_sign_id; }

    std::optional<int32_t> sequence_id() const { return definition_.sequence_id; }

    std::optional<int32_t> version_id() const { return definition_.version_id; }

    std::optional<int32_t> row_store_id() const { return definition_.row_store_id; }

    const std::vector<int32_t>& row_store_column_ids() const {
        return definition_.row_store_column_ids;
    }

    /// Position of the column with this unique id.
    std::optional<size_t> find_column(int32_t unique_id) const;

    /// Names the directory level below the tablet; the same schema always gives the same number.
    uint32_t schema_hash() const { return schema_hash_; }

    /// Use create().
    explicit TabletSchema(TabletSchemaDefinition definition);

private:
    TabletSchemaDefinition definition_;
    size_t num_key_columns_ = 0;
    uint32_t schema_hash_ = 0;
    std::unordered_map<int32_t, size_t> position_by_id_;
};

}  // namespace thetis
