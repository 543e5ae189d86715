// SPDX-License-Identifier: Apache-2.0
// date_format, str_to_date, from_unixtime, unix_timestamp, convert_tz.
#include "functions/adapters.h"
#include "functions/scalar/date/format_pattern.h"
#include "types/date_time.h"

namespace thetis {

namespace {

using View = std::string_view;

constexpr int64_t kMaxUnixSeconds = 253402271999;
constexpr View kDefaultPattern = "%Y-%m-%d %H:%i:%s";

/// Longer patterns and results are refused, as MySQL does.
constexpr size_t kMaxPatternBytes = 128;

Result<Kernel> date_format_factory(const BindCall& call) {
    const auto format = [](std::string& out, int64_t micros, View pattern) {
        if (pattern.empty() || pattern.size() > kMaxPatternBytes) {
            return false;
        }
        format_datetime(out, micros, canonical_date_pattern(pattern));
        return true;
    };
    if (call.argument_types[0].id == TypeId::kDate) {
        return text_kernel<int32_t, View>([format](std::string& out, int32_t days, View pattern) {
            return format(out, days * kMicrosPerDay, pattern);
        });
    }
    return text_kernel<int64_t, View>(format);
}

Result<Kernel> str_to_date_factory(const BindCall& call) {
    const bool to_date = call.result_type.id == TypeId::kDate;
    return Kernel([to_date](const KernelCall& batch) -> Result<ColumnPtr> {
        const ColumnView<StringRef> texts(*batch.arguments[0]);
        const ColumnView<StringRef> patterns(*batch.arguments[1]);
        ColumnBuilder builder(batch.result_type, batch.num_rows);
        for (uint32_t i = 0; i < batch.num_rows; ++i) {
            const auto micros =
                texts.is_valid(i) && patterns.is_valid(i)
                    ? parse_by_pattern(texts[i].view(), canonical_date_pattern(patterns[i].view()))
                    : std::nullopt;
            if (!micros.has_value()) {
                builder.append_null();
            } else if (to_date) {
                builder.append(days_of_datetime(*micros));
            } else {
                builder.append(*micros);
            }
        }
        return builder.finish();
    });
}

Result<ColumnPtr> from_unixtime(const KernelCall& call) {
    const ColumnView<int64_t> seconds(*call.arguments[0]);
    const bool has_pattern = call.arguments.size() > 1;
    ColumnBuilder builder(call.result_type, call.num_rows);
    std::string text;
    for (uint32_t i = 0; i < call.num_rows; ++i) {
        const bool is_null = !seconds.is_valid(i) || (has_pattern && call.arguments[1]->is_null(i));
        if (is_null || seconds[i] < 0 || seconds[i] > kMaxUnixSeconds) {
            builder.append_null();
            continue;
        }
        const View pattern =
            has_pattern
                ? canonical_date_pattern(ColumnView<StringRef>(*call.arguments[1])[i].view())
                : kDefaultPattern;
        text.clear();
        format_datetime(
            text,
            call.context.time_zone->utc_to_local_micros(seconds[i] * kMicrosPerSecond),
            pattern
        );
        builder.append_string(text);
    }
    return builder.finish();
}

/// Seconds since the epoch of a local moment; 0 before it.
int64_t to_unix(int64_t local_micros, const TimeZone& zone) {
    const int64_t micros = zone.local_to_utc_micros(local_micros);
    return micros < 0 || micros / kMicrosPerSecond > kMaxUnixSeconds ? 0
                                                                     : micros / kMicrosPerSecond;
}

Result<Kernel> unix_timestamp_factory(const BindCall& call) {
    if (call.argument_types.empty()) {
        return Kernel([](const KernelCall& batch) -> Result<ColumnPtr> {
            const Scalar now =
                Scalar::integer(batch.result_type, batch.context.now_micros / kMicrosPerSecond);
            return Column::constant(now.to_column(), batch.num_rows);
        });
    }
    const DataType& type = call.argument_types[0];
    if (type.id == TypeId::kDate) {
        return Kernel([](const KernelCall& batch) -> Result<ColumnPtr> {
            const TimeZone& zone = *batch.context.time_zone;
            return map_unary<int32_t, int32_t>(batch, [&zone](int32_t days) {
                return static_cast<int32_t>(to_unix(days * kMicrosPerDay, zone));
            });
        });
    }
    if (type.id == TypeId::kDatetime && call.result_type.id == TypeId::kBigint) {
        return Kernel([](const KernelCall& batch) -> Result<ColumnPtr> {
            const TimeZone& zone = *batch.context.time_zone;
            return map_unary<int64_t, int64_t>(batch, [&zone](int64_t micros) {
                return to_unix(micros, zone);
            });
        });
    }
    if (type.is_string()) {
        return Kernel([](const KernelCall& batch) -> Result<ColumnPtr> {
            const TimeZone& zone = *batch.context.time_zone;
            const auto convert =
                row_kernel<View, View>([&zone](View text, View pattern) -> std::optional<int64_t> {
                    const auto micros = parse_by_pattern(text, canonical_date_pattern(pattern));
                    return micros.has_value() ? std::optional<int64_t>(to_unix(*micros, zone))
                                              : std::nullopt;
                });
            return convert(batch);
        });
    }
    return unsupported_arguments(call);
}

Result<ColumnPtr> convert_zone(const KernelCall& call) {
    // Zones repeat from row to row; each is looked up once per batch.
    std::map<std::string, TimeZonePtr, std::less<>> zones;
    const auto zone = [&zones](View name) -> const TimeZone* {
        auto known = zones.find(name);
        if (known == zones.end()) {
            auto loaded = TimeZone::load(name);
            known = zones.emplace(std::string(name), loaded.ok() ? loaded.value() : nullptr).first;
        }
        return known->second.get();
    };
    const auto convert = row_kernel<int64_t, View, View>(
        [&zone](int64_t micros, View from, View to) -> std::optional<int64_t> {
            const TimeZone* source = zone(from);
            const TimeZone* target = zone(to);
            if (source == nullptr || target == nullptr) {
                return std::nullopt;
            }
            const int64_t moved = target->utc_to_local_micros(source->local_to_utc_micros(micros));
            return moved >= kMinDatetime && moved <= kMaxDatetime ? std::optional<int64_t>(moved)
                                                                  : std::nullopt;
        }
    );
    return convert(call);
}

}  // namespace

void register_formats(ScalarRegistry& registry) {
    registry.add("date_format", date_format_factory);
    registry.add("str_to_date", str_to_date_factory);
    registry.add_kernel("from_unixtime", from_unixtime);
    // Without arguments it depends on the statement's time, so it is not folded per dictionary.
    registry.add("unix_timestamp", unix_timestamp_factory);
    registry.add_kernel("convert_tz", convert_zone);
}

}  // namespace thetis
