// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "column/column.h"

namespace thetis {

class TimeZone;

/// Parses a flat text column into numbers, dates or times as append_text does, with the plain forms
/// of files on a fast path. What does not parse is NULL.
ColumnPtr parse_text_column(const ColumnPtr& column, const DataType& target, const TimeZone* zone);

}  // namespace thetis
