// SPDX-License-Identifier: Apache-2.0
#include "storage/predicate/zone_map.h"

#include <cmath>

#include "storage.pb.h"
#include "storage/schema_codec.h"

namespace thetis {

namespace {

constexpr size_t kMaxStringBytes = 512;

/// The smallest and largest valid value; false when there is none or floats hold a NaN, which no
/// range covers.
template <typename T>
bool find_range(const Column& column, uint32_t& min_row, uint32_t& max_row) {
    const T* values = column.values<T>();
    const uint64_t* valid = column.valid_words();
    const uint32_t num_rows = column.size();
    uint32_t first = 0;
    while (first < num_rows && !validity::is_valid(valid, first)) {
        ++first;
    }
    if (first == num_rows) {
        return false;
    }
    T min = values[first];
    T max = values[first];
    if constexpr (std::is_same_v<T, StringRef>) {
        min_row = max_row = first;
        for (uint32_t i = first + 1; i < num_rows; ++i) {
            if (!validity::is_valid(valid, i)) {
                continue;
            }
            if (values[i] < min) {
                min = values[i];
                min_row = i;
            } else if (max < values[i]) {
                max = values[i];
                max_row = i;
            }
        }
        return true;
    } else {
        bool unordered = false;
        if (valid == nullptr) {
            for (uint32_t i = first; i < num_rows; ++i) {
                min = values[i] < min ? values[i] : min;
                max = values[i] > max ? values[i] : max;
                unordered |= values[i] != values[i];
            }
        } else {
            for (uint32_t i = first; i < num_rows; ++i) {
                if (validity::is_valid(valid, i)) {
                    min = values[i] < min ? values[i] : min;
                    max = values[i] > max ? values[i] : max;
                    unordered |= values[i] != values[i];
                }
            }
        }
        if (unordered) {
            return false;
        }
        const auto row_of = [&](T value) {
            uint32_t row = first;
            while (values[row] != value || !validity::is_valid(valid, row)) {
                ++row;
            }
            return row;
        };
        min_row = row_of(min);
        max_row = row_of(max);
        return true;
    }
}

/// The least string of at most 512 bytes that is not below any string with this prefix; empty when
/// there is none.
std::string round_up(std::string bytes) {
    bytes.resize(kMaxStringBytes);
    while (!bytes.empty() && static_cast<uint8_t>(bytes.back()) == 0xFF) {
        bytes.pop_back();
    }
    if (!bytes.empty()) {
        ++bytes.back();
    }
    return bytes;
}

int compare(const Column& left, const Column& right) {
    return visit_physical(left.physical(), [&]<typename T>(T) -> int {
        const T& a = left.values<T>()[0];
        const T& b = right.values<T>()[0];
        return a < b ? -1 : (b < a ? 1 : 0);
    });
}

}  // namespace

Result<ZoneMap> ZoneMap::from_protobuf(const DataType& type, const pb::ZoneMap& message) {
    ZoneMap zone;
    zone.has_null = message.has_null();
    zone.has_value = message.has_value();
    if (message.has_range()) {
        ASSIGN_OR_RETURN(zone.min, value_from_bytes(type, message.min()));
        ASSIGN_OR_RETURN(zone.max, value_from_bytes(type, message.max()));
    }
    return zone;
}

void ZoneMap::to_protobuf(pb::ZoneMap& message) const {
    message.set_has_null(has_null);
    message.set_has_value(has_value);
    message.set_has_range(has_range());
    if (has_range()) {
        message.set_min(value_to_bytes(*min, 0));
        message.set_max(value_to_bytes(*max, 0));
    }
}

PageZoneMaps::PageZoneMaps(const DataType& type, pb::ColumnIndex&& index) : type_(type) {
    auto stored = std::make_unique<pb::ColumnIndex>();
    stored->mutable_zone_maps()->Swap(index.mutable_zone_maps());
    stored_ = std::move(stored);
}

PageZoneMaps::~PageZoneMaps() = default;

Result<std::span<const ZoneMap>> PageZoneMaps::get() const {
    if (is_read_.load(std::memory_order_acquire)) {
        return std::span<const ZoneMap>(maps_);
    }
    MutexLock lock(mutex_);
    if (!is_read_.load(std::memory_order_relaxed)) {
        std::vector<ZoneMap> maps;
        maps.reserve(static_cast<size_t>(stored_->zone_maps_size()));
        for (const pb::ZoneMap& stored : stored_->zone_maps()) {
            ASSIGN_OR_RETURN(auto zone, ZoneMap::from_protobuf(type_, stored));
            maps.push_back(std::move(zone));
        }
        maps_ = std::move(maps);
        stored_.reset();
        is_read_.store(true, std::memory_order_release);
    }
    return std::span<const ZoneMap>(maps_);
}

ZoneMap ZoneMapBuilder::add_page(const Column& column, bool has_other_nulls) {
    ZoneMap zone;
    const size_t num_nulls = column.valid_words() == nullptr
                                 ? 0
                                 : validity::count_nulls(column.valid_words(), column.size());
    zone.has_null = num_nulls > 0 || has_other_nulls;
    zone.has_value = num_nulls < column.size();
    uint32_t min_row = 0;
    uint32_t max_row = 0;
    const bool has_range = visit_physical(column.physical(), [&]<typename T>(T) {
        return find_range<T>(column, min_row, max_row);
    });
    if (has_range) {
        std::string min = value_to_bytes(column, min_row);
        std::string max = value_to_bytes(column, max_row);
        if (column.physical() == PhysicalType::kString) {
            min.resize(std::min(min.size(), kMaxStringBytes));
            const bool is_cut = max.size() > kMaxStringBytes;
            max = is_cut ? round_up(std::move(max)) : std::move(max);
            if (is_cut && max.empty()) {
                merge(zone);
                return zone;
            }
        }
        zone.min = value_from_bytes(type_, min).take();
        zone.max = value_from_bytes(type_, max).take();
    }
    merge(zone);
    return zone;
}

void ZoneMapBuilder::merge(const ZoneMap& page) {
    total_.has_null |= page.has_null;
    total_.has_value |= page.has_value;
    total_unbounded_ |= page.has_value && !page.has_range();
    if (total_unbounded_) {
        total_.min = total_.max = nullptr;
    } else if (page.has_range()) {
        total_.min =
            total_.min == nullptr || compare(*page.min, *total_.min) < 0 ? page.min : total_.min;
        total_.max =
            total_.max == nullptr || compare(*page.max, *total_.max) > 0 ? page.max : total_.max;
    }
}

}  // namespace thetis
