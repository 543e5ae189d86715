// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/status.h"
#include "io/codec/codec.h"
#include "storage/encoding_registry.h"

namespace thetis {

/// The encoding that makes the page of these integers (flat) smallest, judged by one pass over
/// them: a frame, differences, or runs.
EncodingId choose_integer_encoding(const Column& column);

/// Encodes floating point (flat): doubles as decimal fractions while every page is like that, then
/// in the way that makes the first other page smallest. `previous` is what the page before took
/// (kDecimalFloat before the first one), then what this one took.
Status encode_real(
    const Column& column,
    Compression compression,
    EncodingId& previous,
    std::vector<uint8_t>& output
);

}  // namespace thetis
