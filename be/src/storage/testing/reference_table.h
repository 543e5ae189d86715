// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "column/builder.h"
#include "storage/tablet_schema.h"

namespace thetis {

/// A value of a table in a test: NULL, a number or a text.
using Cell = std::optional<std::variant<int64_t, std::string>>;

void append_cell(const Cell& cell, const DataType& type, ColumnBuilder& builder);

/// What one transaction does to a table.
struct TableChange {
    bool is_partial = false;
    std::vector<int32_t> column_ids{};
    std::vector<std::vector<Cell>> rows{};  ///< In the order of arrival, of the columns above.
    std::optional<int64_t> delete_below{};  ///< Instead of rows: those whose first column is below.
};

/// What a table of any model holds by its rules, kept in the plainest way. For tests.
class ReferenceTable {
public:
    static constexpr int32_t kDeleteSign = 100;
    static constexpr int32_t kSequence = 101;
    static constexpr int32_t kVersion = 102;
    static constexpr int32_t kRowStore = 103;

    explicit ReferenceTable(TabletSchemaPtr schema) : schema_(std::move(schema)) {}

    void set_schema(TabletSchemaPtr schema) { schema_ = std::move(schema); }

    void apply(const TableChange& change);

    /// Rows of all columns but version and row store, as `value|value|...|`, sorted; without rows
    /// whose delete sign is set.
    std::vector<std::string> rows() const;

private:
    using Key = std::vector<Cell>;
    /// Values by unique id; what is not there is the column's default.
    using Row = std::map<int32_t, Cell>;

    Cell value_of(const Row& row, const SchemaColumn& column) const;
    void apply_row(const TableChange& change, Row row);
    void join(Row& present, const Row& row) const;
    static Key key_of(const TabletSchema& schema, const Row& row);

    TabletSchemaPtr schema_;
    std::vector<Row> all_;       // DUPLICATE.
    std::map<Key, Row> by_key_;  // The other models.
};

}  // namespace thetis
