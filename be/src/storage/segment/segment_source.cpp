// SPDX-License-Identifier: Apache-2.0
#include "storage/segment/segment_source.h"

#include <roaring/roaring.hh>

namespace thetis {

uint32_t SegmentSource::num_rows() const {
    const uint64_t num_deleted = deleted == nullptr ? 0 : deleted->cardinality();
    return segment->num_rows() - static_cast<uint32_t>(num_deleted);
}

}  // namespace thetis
