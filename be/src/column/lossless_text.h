// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "column/column.h"

namespace thetis {

/// Whether row `row` of `to`, which CAST made of the text in the same row of `from`, says all that
/// the text says. CAST takes '12.5' as INT 12 and a date with a time as DATE; a change of a
/// column's type must not. Any text of a float counts as kept. Neither row is NULL; `from` holds
/// strings.
bool keeps_text(const Column& from, const Column& to, uint32_t row);

}  // namespace thetis
