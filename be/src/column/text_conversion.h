// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "column/builder.h"

namespace thetis {

class TimeZone;

/// Appends `text` converted to the builder's type as SQL CAST does (semantics of docs: blanks,
/// fractions, dates in many forms). False, with NULL appended, when it does not convert. `zone` may
/// be null: zone suffixes are then taken as UTC.
bool append_text(ColumnBuilder& builder, std::string_view text, const TimeZone* zone = nullptr);

/// Appends the text of row `row` as results and CAST print it; nothing for NULL.
void append_value_text(const Column& column, uint32_t row, std::string& out);

/// As append_value_text; `NULL` for NULL.
std::string value_text(const Column& column, uint32_t row);

}  // namespace thetis
