// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/status.h"
#include "exec/sink/row_check.h"

namespace thetis::wire {
class TableSink;
class TabletSchemaDesc;
}  // namespace thetis::wire

namespace thetis {

/// A column of a sink's input: what the table asks of it, and which column it is.
struct SinkColumn {
    ColumnRule rule;
    int32_t unique_id = 0;
};

/// The columns a load sends for this schema when it sends all: not those that storage fills in.
Result<std::vector<SinkColumn>> loaded_columns(const wire::TabletSchemaDesc& schema);

/// The schema's columns of these unique ids, in order; invalid_argument when it has one not.
Result<std::vector<SinkColumn>> named_columns(
    const wire::TabletSchemaDesc& schema, const std::vector<int32_t>& unique_ids
);

/// The columns of a sink's input, in order; invalid_argument when it names one the schema has not.
Result<std::vector<SinkColumn>> sink_columns(const wire::TableSink& sink);

/// Per column the position in the input of what it was converted from, -1 for none; empty when the
/// input has nothing but the columns. invalid_argument when positions and input do not fit.
Result<std::vector<int>> unconverted_columns(
    const wire::TableSink& sink, size_t num_columns, size_t num_inputs
);

std::vector<ColumnRule> rules_of(const std::vector<SinkColumn>& columns);

}  // namespace thetis
