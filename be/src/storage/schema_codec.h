// SPDX-License-Identifier: Apache-2.0
// Types and single values as protobuf fields hold them.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "column/column.h"

namespace thetis {

namespace pb {
class ColumnType;
}

void type_to_protobuf(const DataType& type, pb::ColumnType& message);
Result<DataType> type_from_protobuf(const pb::ColumnType& message);

/// One value: fixed-width types as little-endian bytes, strings as they are. `column` is flat.
std::string value_to_bytes(const Column& column, uint32_t row);

/// A flat column of one row; corruption when the width is wrong.
Result<ColumnPtr> value_from_bytes(const DataType& type, std::string_view bytes);

}  // namespace thetis
