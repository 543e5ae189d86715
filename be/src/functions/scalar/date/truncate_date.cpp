// SPDX-License-Identifier: Apache-2.0
// date_trunc and <unit>_floor / <unit>_ceil with a count and an origin (default 0001-01-01).
#include "functions/adapters.h"
#include "types/date_time.h"

namespace thetis {

namespace {

using View = std::string_view;

struct Unit {
    View name;
    int32_t months;
    int64_t micros;
};

constexpr Unit kUnits[] = {
    {"year", 12, 0},
    {"quarter", 3, 0},
    {"month", 1, 0},
    {"week", 0, 7 * kMicrosPerDay},
    {"day", 0, kMicrosPerDay},
    {"hour", 0, 3600 * kMicrosPerSecond},
    {"minute", 0, 60 * kMicrosPerSecond},
    {"second", 0, kMicrosPerSecond},
};

constexpr int32_t kOriginDays = days_from_civil(1, 1, 1);  // A Monday, so weeks fall right too.

int64_t floor_divide(int64_t a, int64_t b) {
    return a / b - (a % b < 0 ? 1 : 0);
}

/// The multiple of `count` units from `origin` at or before `micros` (or at or after it for kCeil);
/// nothing outside 0..9999.
std::optional<int64_t> snap(
    int64_t micros, const Unit& unit, int64_t count, int64_t origin, bool is_ceil
) {
    if (count <= 0) {
        return std::nullopt;
    }
    int64_t snapped;
    if (unit.months == 0) {
        const int64_t width = unit.micros * count;
        snapped = origin + floor_divide(micros - origin, width) * width;
        if (is_ceil && snapped < micros) {
            snapped += width;
        }
    } else {
        const CivilTime start = civil_from_datetime(origin);
        const CivilTime moment = civil_from_datetime(micros);
        const int64_t width = unit.months * count;
        const auto at = [&](int64_t months) {
            const int64_t total = int64_t{start.year} * 12 + start.month - 1 + months;
            CivilTime civil = start;
            civil.year = static_cast<int32_t>(floor_divide(total, 12));
            civil.month = static_cast<int32_t>(total - int64_t{civil.year} * 12) + 1;
            civil.day = std::min(start.day, days_in_month(civil.year, civil.month));
            return datetime_from_civil(civil);
        };
        const int64_t distance =
            (int64_t{moment.year} - start.year) * 12 + moment.month - start.month;
        int64_t months = floor_divide(distance, width) * width;
        if (at(months) > micros) {
            months -= width;
        }
        snapped = at(months);
        if (is_ceil && snapped < micros) {
            snapped = at(months + width);
        }
    }
    return snapped >= kMinDatetime && snapped <= kMaxDatetime ? std::optional<int64_t>(snapped)
                                                              : std::nullopt;
}

/// (datetime), (datetime, int), (datetime, datetime), (datetime, int, datetime).
KernelFactory snap_factory(const Unit& unit, bool is_ceil) {
    return [&unit, is_ceil](const BindCall& call) -> Result<Kernel> {
        constexpr int64_t kOrigin = kOriginDays * kMicrosPerDay;
        const size_t count = call.argument_types.size();
        if (count == 1) {
            return row_kernel<int64_t>([&unit, is_ceil](int64_t micros) {
                return snap(micros, unit, 1, kOrigin, is_ceil);
            });
        }
        if (count == 3) {
            return row_kernel<int64_t, int32_t, int64_t>(
                [&unit, is_ceil](int64_t micros, int32_t period, int64_t origin) {
                    return snap(micros, unit, period, origin, is_ceil);
                }
            );
        }
        if (call.argument_types[1].id == TypeId::kDatetime) {
            return row_kernel<int64_t, int64_t>([&unit, is_ceil](int64_t micros, int64_t origin) {
                return snap(micros, unit, 1, origin, is_ceil);
            });
        }
        return row_kernel<int64_t, int32_t>([&unit, is_ceil](int64_t micros, int32_t period) {
            return snap(micros, unit, period, kOrigin, is_ceil);
        });
    };
}

std::optional<int64_t> truncate(int64_t micros, View name) {
    for (const Unit& unit : kUnits) {
        const bool same =
            unit.name.size() == name.size() &&
            std::equal(name.begin(), name.end(), unit.name.begin(), [](char a, char b) {
                return (a | 0x20) == b;
            });
        if (same) {
            return snap(micros, unit, 1, kOriginDays * kMicrosPerDay, false);
        }
    }
    return std::nullopt;
}

Result<Kernel> date_trunc_factory(const BindCall& call) {
    if (call.argument_types[0].id == TypeId::kDate) {
        return row_kernel<int32_t, View>([](int32_t days, View unit) -> std::optional<int32_t> {
            const auto micros = truncate(days * kMicrosPerDay, unit);
            return micros.has_value() ? std::optional<int32_t>(days_of_datetime(*micros))
                                      : std::nullopt;
        });
    }
    return row_kernel<int64_t, View>(truncate);
}

}  // namespace

void register_truncate_date(ScalarRegistry& registry) {
    registry.add("date_trunc", date_trunc_factory);
    for (const Unit& unit : kUnits) {
        if (unit.name != "quarter") {
            registry.add(std::string(unit.name) + "_floor", snap_factory(unit, false));
            registry.add(std::string(unit.name) + "_ceil", snap_factory(unit, true));
        }
    }
}

}  // namespace thetis
