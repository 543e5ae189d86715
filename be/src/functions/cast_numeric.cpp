// SPDX-License-Identifier: Apache-2.0
#include "functions/cast_numeric.h"

#include "base/text/numbers.h"
#include "column/builder.h"
#include "functions/decimal_arithmetic.h"
#include "types/decimal.h"

namespace thetis {

namespace {

template <typename Visitor>
decltype(auto) visit_number(PhysicalType type, Visitor&& visitor) {
    switch (type) {
        case PhysicalType::kBool:
            return visitor(uint8_t{});
        case PhysicalType::kInt8:
            return visitor(int8_t{});
        case PhysicalType::kInt16:
            return visitor(int16_t{});
        case PhysicalType::kInt32:
            return visitor(int32_t{});
        case PhysicalType::kInt64:
            return visitor(int64_t{});
        case PhysicalType::kFloat:
            return visitor(float{});
        case PhysicalType::kDouble:
            return visitor(double{});
        default:
            return visitor(int128_t{});
    }
}

template <typename Visitor>
decltype(auto) visit_decimal(PhysicalType type, Visitor&& visitor) {
    switch (type) {
        case PhysicalType::kInt32:
            return visitor(int32_t{});
        case PhysicalType::kInt64:
            return visitor(int64_t{});
        default:
            return visitor(int128_t{});
    }
}

/// Cut toward zero; what lies outside becomes the nearest bound.
template <typename To, typename From>
To cut_to_integer(From value) {
    if (value != value) {
        return 0;
    }
    constexpr int kBits = sizeof(To) * 8 - 1;
    const From bound = std::ldexp(From{1}, kBits);
    const To greatest = static_cast<To>(~(To{1} << kBits));
    if (value >= bound) {
        return greatest;
    }
    if (value < -bound) {
        return static_cast<To>(-greatest - 1);
    }
    return static_cast<To>(value);
}

template <typename To, typename From>
To convert_number(From value) {
    if constexpr (std::is_same_v<To, uint8_t>) {
        return value != 0 ? 1 : 0;
    } else if constexpr (std::is_floating_point_v<From> && !std::is_floating_point_v<To>) {
        return cut_to_integer<To>(value);
    } else {
        return static_cast<To>(value);
    }
}

/// NaN rows of a float column as nulls on top of its own.
BufferPtr without_nan(const Column& column) {
    std::shared_ptr<Buffer> valid;
    const auto mark = [&](auto tag) {
        using T = decltype(tag);
        const T* values = column.values<T>();
        for (uint32_t i = 0; i < column.size(); ++i) {
            if (!std::isfinite(values[i]) && std::isnan(values[i])) {
                if (valid == nullptr) {
                    valid = column.valid_buffer() == nullptr
                                ? validity::all_valid(column.size())
                                : Buffer::copy_of(
                                      column.valid_buffer()->data(), column.valid_buffer()->size()
                                  );
                }
                validity::set_null(valid->as<uint64_t>(), i);
            }
        }
    };
    if (column.physical() == PhysicalType::kFloat) {
        mark(float{});
    } else {
        mark(double{});
    }
    return valid == nullptr ? column.valid_buffer() : BufferPtr(valid);
}

std::string decimal_text(int128_t value, int scale) {
    char text[kMaxNumberText];
    return {text, print_decimal(text, value, scale)};
}

/// The loop of cast_decimal; `check` only where the types leave room for overflow.
template <typename From, typename To>
Status rescale_values(const Column& column, const DataType& target, bool check, To* out) {
    const From* values = column.values<From>();
    const int grow = int{target.scale} - column.type().scale;
    const uint32_t num_rows = column.size();
    if (grow == 0 && !check) {
        for (uint32_t i = 0; i < num_rows; ++i) {
            out[i] = static_cast<To>(values[i]);
        }
        return {};
    }
    if (grow > 0 && !check) {
        const To factor = static_cast<To>(power_of_ten(grow));
        for (uint32_t i = 0; i < num_rows; ++i) {
            out[i] = static_cast<To>(values[i]) * factor;
        }
        return {};
    }
    const int128_t limit = max_decimal(target.precision);
    for (uint32_t i = 0; i < num_rows; ++i) {
        int128_t value = values[i];
        const bool fits = rescale_decimal(value, column.type().scale, target.scale, value);
        if (check && (!fits || exceeds_precision(value, limit)) && !column.is_null(i))
            [[unlikely]] {
            return decimal_cast_overflow(decimal_text(values[i], column.type().scale), target);
        }
        out[i] = static_cast<To>(value);
    }
    return {};
}

}  // namespace

ColumnPtr cast_plain_number(const ColumnPtr& column, const DataType& target) {
    const bool is_float =
        column->physical() == PhysicalType::kFloat || column->physical() == PhysicalType::kDouble;
    const bool to_float =
        target.physical() == PhysicalType::kFloat || target.physical() == PhysicalType::kDouble;
    auto out = Buffer::allocate(
        size_t{column->size()} * static_cast<size_t>(physical_size(target.physical()))
    );
    visit_number(column->physical(), [&](auto from_tag) {
        using From = decltype(from_tag);
        visit_number(target.physical(), [&](auto to_tag) {
            using To = decltype(to_tag);
            const From* values = column->values<From>();
            To* result = out->as<To>();
            for (uint32_t i = 0; i < column->size(); ++i) {
                result[i] = convert_number<To>(values[i]);
            }
        });
    });
    return Column::flat(
        target,
        column->size(),
        std::move(out),
        is_float && !to_float ? without_nan(*column) : column->valid_buffer()
    );
}

Result<ColumnPtr> cast_decimal(
    const ColumnPtr& column, const DataType& target, const EvalContext& context
) {
    const DataType& source = column->type();
    // Rounding a fraction away may carry into one more integer digit.
    const int needed = source.precision - source.scale + (target.scale < source.scale ? 1 : 0);
    const bool check = target.precision - target.scale < needed && context.check_decimal_overflow;
    auto out = Buffer::allocate(
        size_t{column->size()} * static_cast<size_t>(physical_size(target.physical()))
    );
    RETURN_IF_ERROR(visit_decimal(column->physical(), [&](auto from_tag) {
        return visit_decimal(target.physical(), [&](auto to_tag) {
            return rescale_values<decltype(from_tag)>(
                *column, target, check, out->as<decltype(to_tag)>()
            );
        });
    }));
    return Column::flat(target, column->size(), std::move(out), column->valid_buffer());
}

Result<ColumnPtr> cast_to_decimal(
    const ColumnPtr& column, const DataType& target, const EvalContext& context
) {
    const PhysicalType physical = column->physical();
    if (physical != PhysicalType::kFloat && physical != PhysicalType::kDouble) {
        // As a decimal without fraction of the digits the integer may have.
        constexpr int kDigits[] = {1, 3, 5, 10, 19, 38};
        const DataType whole =
            DataType::decimal(kDigits[static_cast<int>(physical)], 0, column->type().nullable);
        ColumnPtr integers = column;
        if (physical_size(whole.physical()) != physical_size(physical)) {
            DataType wide = DataType::of(
                whole.physical() == PhysicalType::kInt32
                    ? TypeId::kInt
                    : (whole.physical() == PhysicalType::kInt64 ? TypeId::kBigint
                                                                : TypeId::kLargeint)
            );
            integers = cast_plain_number(column, wide);
        }
        return cast_decimal(
            Column::flat(
                whole, column->size(), integers->values_buffer(), integers->valid_buffer()
            ),
            target,
            context
        );
    }
    ColumnBuilder builder(target, column->size());
    return visit_decimal(target.physical(), [&](auto tag) -> Result<ColumnPtr> {
        using To = decltype(tag);
        for (uint32_t i = 0; i < column->size(); ++i) {
            const double value = physical == PhysicalType::kFloat
                                     ? static_cast<double>(column->values<float>()[i])
                                     : column->values<double>()[i];
            int128_t result = 0;
            if (column->is_null(i) || !std::isfinite(value)) {
                builder.append_null();
                continue;
            }
            if (!double_to_decimal(value, target.precision, target.scale, result) &&
                context.check_decimal_overflow) {
                return decimal_cast_overflow(fmt::format("{}", value), target);
            }
            builder.append(static_cast<To>(result));
        }
        return builder.finish();
    });
}

ColumnPtr cast_from_decimal(const ColumnPtr& column, const DataType& target) {
    const int scale = column->type().scale;
    auto out = Buffer::allocate(
        size_t{column->size()} * static_cast<size_t>(physical_size(target.physical()))
    );
    visit_decimal(column->physical(), [&](auto from_tag) {
        using From = decltype(from_tag);
        const From* values = column->values<From>();
        const int128_t unit = power_of_ten(scale);
        visit_number(target.physical(), [&](auto to_tag) {
            using To = decltype(to_tag);
            To* result = out->as<To>();
            for (uint32_t i = 0; i < column->size(); ++i) {
                if constexpr (std::is_floating_point_v<To>) {
                    result[i] = static_cast<To>(decimal_to_double(values[i], scale));
                } else if constexpr (std::is_same_v<To, uint8_t>) {
                    result[i] = values[i] != 0 ? 1 : 0;
                } else if constexpr (sizeof(From) <= 8) {
                    // Scales of such decimals are at most 18, so their unit fits 64 bits.
                    result[i] = static_cast<To>(int64_t{values[i]} / static_cast<int64_t>(unit));
                } else {
                    result[i] = static_cast<To>(values[i] / unit);
                }
            }
        });
    });
    return Column::flat(target, column->size(), std::move(out), column->valid_buffer());
}

}  // namespace thetis
