// SPDX-License-Identifier: Apache-2.0
// <unit>s_add, <unit>s_sub and <unit>s_diff over DATE and DATETIME. A result outside years 0..9999
// is an error.
#include "functions/adapters.h"
#include "types/date_time.h"

namespace thetis {

namespace {

struct Unit {
    std::string_view name;  // Plural, as in the function names.
    int32_t months;         // Length in months, or 0.
    int64_t micros;         // Length in microseconds, or 0.
};

constexpr Unit kUnits[] = {
    {"years", 12, 0},
    {"quarters", 3, 0},
    {"months", 1, 0},
    {"weeks", 0, 7 * kMicrosPerDay},
    {"days", 0, kMicrosPerDay},
    {"hours", 0, 3600 * kMicrosPerSecond},
    {"minutes", 0, 60 * kMicrosPerSecond},
    {"seconds", 0, kMicrosPerSecond},
    {"milliseconds", 0, 1000},
    {"microseconds", 0, 1},
};

/// Moves a day by months; the day of the month is cut to the new month's length. False when the
/// year leaves 0..9999.
bool add_months(int32_t& days, int64_t months) {
    const CivilTime civil = civil_from_date(days);
    const int64_t total = int64_t{civil.year} * 12 + civil.month - 1 + months;
    if (total < 0 || total >= 10000 * 12) {
        return false;
    }
    const auto year = static_cast<int32_t>(total / 12);
    const auto month = static_cast<int32_t>(total % 12) + 1;
    days = days_from_civil(year, month, std::min(civil.day, days_in_month(year, month)));
    return true;
}

bool shift_datetime(int64_t& micros, const Unit& unit, int64_t by) {
    if (unit.months != 0) {
        int32_t days = days_of_datetime(micros);
        const int64_t time = time_of_datetime(micros);
        if (!add_months(days, by * unit.months)) {
            return false;
        }
        micros = days * kMicrosPerDay + time;
        return true;
    }
    int64_t distance;
    return !__builtin_mul_overflow(by, unit.micros, &distance) &&
           !__builtin_add_overflow(micros, distance, &micros) && micros >= kMinDatetime &&
           micros <= kMaxDatetime;
}

Status out_of_range(std::string_view function, const Column& column, uint32_t row, int64_t by) {
    const ColumnView<int32_t> days(column);
    char text[40];
    const char* end =
        column.physical() == PhysicalType::kInt32
            ? print_date(text, days[row])
            : print_datetime(text, ColumnView<int64_t>(column)[row], column.type().scale);
    return Status::error(
        ErrorCode::kOutOfRange,
        "Operation {} of {}, {} out of range",
        function,
        std::string_view(text, static_cast<size_t>(end - text)),
        by
    );
}

int64_t count_at(const Column& column, uint32_t row) {
    return column.physical() == PhysicalType::kInt32 ? ColumnView<int32_t>(column)[row]
                                                     : ColumnView<int64_t>(column)[row];
}

/// DATE + unit of days or more -> DATE; DATETIME -> DATETIME.
template <typename T>
Result<ColumnPtr> shift(
    const KernelCall& call, const std::string& name, const Unit& unit, int64_t sign
) {
    const ColumnView<T> dates(*call.arguments[0]);
    const BufferPtr valid = combined_validity(call);
    const uint64_t* words = valid == nullptr ? nullptr : valid->as<uint64_t>();
    auto out = Buffer::allocate(call.num_rows * sizeof(T));
    for (uint32_t i = 0; i < call.num_rows; ++i) {
        const int64_t by = count_at(*call.arguments[1], i);
        int64_t micros = std::is_same_v<T, int32_t> ? dates[i] * kMicrosPerDay : int64_t{dates[i]};
        if (!shift_datetime(micros, unit, by * sign)) [[unlikely]] {
            if (validity::is_valid(words, i)) {
                return out_of_range(name, *call.arguments[0], i, by);
            }
            micros = 0;
        }
        out->as<T>()[i] = std::is_same_v<T, int32_t> ? static_cast<T>(days_of_datetime(micros))
                                                     : static_cast<T>(micros);
    }
    return Column::flat(call.result_type, call.num_rows, std::move(out), valid);
}

KernelFactory shift_factory(std::string name, const Unit& unit, int64_t sign) {
    return [name = std::move(name), &unit, sign](const BindCall& call) -> Result<Kernel> {
        if (call.argument_types.size() != 2 || call.argument_types[0].id != call.result_type.id ||
            (call.argument_types[1].physical() != PhysicalType::kInt32 &&
             call.argument_types[1].physical() != PhysicalType::kInt64)) {
            return unsupported_arguments(call);
        }
        if (call.result_type.id == TypeId::kDate) {
            return Kernel([name, &unit, sign](const KernelCall& batch) {
                return shift<int32_t>(batch, name, unit, sign);
            });
        }
        return Kernel([name, &unit, sign](const KernelCall& batch) {
            return shift<int64_t>(batch, name, unit, sign);
        });
    };
}

/// Whole units from b to a, cut toward zero.
int64_t difference(int64_t a, int64_t b, const Unit& unit) {
    if (unit.months == 0) {
        return (a - b) / unit.micros;
    }
    const CivilTime x = civil_from_datetime(a);
    const CivilTime y = civil_from_datetime(b);
    int64_t months = (int64_t{x.year} - y.year) * 12 + x.month - y.month;
    const auto rest = [](const CivilTime& civil, int64_t micros) {
        return civil.day * kMicrosPerDay + time_of_datetime(micros);
    };
    if (months > 0 && rest(x, a) < rest(y, b)) {
        --months;
    } else if (months < 0 && rest(x, a) > rest(y, b)) {
        ++months;
    }
    return months / unit.months;
}

KernelFactory difference_factory(const Unit& unit) {
    return [&unit](const BindCall& call) -> Result<Kernel> {
        if (call.argument_types.size() != 2 ||
            call.argument_types[0].id != call.argument_types[1].id) {
            return unsupported_arguments(call);
        }
        if (call.argument_types[0].id == TypeId::kDate) {
            return Kernel([&unit](const KernelCall& batch) -> Result<ColumnPtr> {
                return map_binary<int32_t, int32_t, int64_t>(batch, [&unit](int32_t a, int32_t b) {
                    return difference(a * kMicrosPerDay, b * kMicrosPerDay, unit);
                });
            });
        }
        if (call.argument_types[0].id == TypeId::kDatetime) {
            return Kernel([&unit](const KernelCall& batch) -> Result<ColumnPtr> {
                return map_binary<int64_t, int64_t, int64_t>(batch, [&unit](int64_t a, int64_t b) {
                    return difference(a, b, unit);
                });
            });
        }
        return unsupported_arguments(call);
    };
}

Result<Kernel> datediff_factory(const BindCall& call) {
    if (call.argument_types.size() == 2 && call.argument_types[0].id == call.argument_types[1].id) {
        if (call.argument_types[0].id == TypeId::kDate) {
            return Kernel([](const KernelCall& batch) -> Result<ColumnPtr> {
                return map_binary<int32_t, int32_t, int32_t>(batch, [](int32_t a, int32_t b) {
                    return a - b;
                });
            });
        }
        if (call.argument_types[0].id == TypeId::kDatetime) {
            return Kernel([](const KernelCall& batch) -> Result<ColumnPtr> {
                return map_binary<int64_t, int64_t, int32_t>(batch, [](int64_t a, int64_t b) {
                    return days_of_datetime(a) - days_of_datetime(b);
                });
            });
        }
    }
    return unsupported_arguments(call);
}

}  // namespace

void register_shift(ScalarRegistry& registry) {
    for (const Unit& unit : kUnits) {
        const std::string name(unit.name);
        registry.add(name + "_add", shift_factory(name + "_add", unit, 1));
        registry.add(name + "_sub", shift_factory(name + "_sub", unit, -1));
        registry.add(name + "_diff", difference_factory(unit));
    }
    registry.add("datediff", datediff_factory);
    registry.add_kernel("timediff", [](const KernelCall& call) -> Result<ColumnPtr> {
        return map_binary<int64_t, int64_t, int64_t>(call, [](int64_t a, int64_t b) {
            return a - b;
        });
    });
}

}  // namespace thetis
