// SPDX-License-Identifier: Apache-2.0
#include "functions/cast.h"

#include "base/text/numbers.h"
#include "column/builder.h"
#include "column/text_conversion.h"
#include "functions/cast_numeric.h"
#include "functions/text_parsing.h"
#include "types/date_time.h"

namespace thetis {

namespace {

bool is_plain_number(TypeId id) {
    switch (id) {
        case TypeId::kBoolean:
        case TypeId::kTinyint:
        case TypeId::kSmallint:
        case TypeId::kInt:
        case TypeId::kBigint:
        case TypeId::kLargeint:
        case TypeId::kFloat:
        case TypeId::kDouble:
            return true;
        default:
            return false;
    }
}

bool is_date_like(TypeId id) {
    return id == TypeId::kDate || id == TypeId::kDatetime;
}

/// The same values under another logical type of the same physical form.
ColumnPtr retype(const ColumnPtr& column, const DataType& type) {
    return Column::flat(
        type, column->size(), column->values_buffer(), column->valid_buffer(), column->payloads()
    );
}

template <typename From, typename Function>
ColumnPtr map_int64(const ColumnPtr& column, const DataType& type, Function function) {
    auto out = Buffer::allocate(column->size() * sizeof(int64_t));
    const From* values = column->values<From>();
    for (uint32_t i = 0; i < column->size(); ++i) {
        out->as<int64_t>()[i] = function(values[i]);
    }
    return Column::flat(type, column->size(), std::move(out), column->valid_buffer());
}

template <typename From, typename Function>
ColumnPtr map_int32(const ColumnPtr& column, const DataType& type, Function function) {
    auto out = Buffer::allocate(column->size() * sizeof(int32_t));
    const From* values = column->values<From>();
    for (uint32_t i = 0; i < column->size(); ++i) {
        out->as<int32_t>()[i] = function(values[i]);
    }
    return Column::flat(type, column->size(), std::move(out), column->valid_buffer());
}

int64_t clock_number(int64_t micros) {
    const int64_t seconds = (micros < 0 ? -micros : micros) / kMicrosPerSecond;
    const int64_t number = seconds / 3600 * 10000 + seconds / 60 % 60 * 100 + seconds % 60;
    return micros < 0 ? -number : number;
}

/// DATE, DATETIME and TIME as the numbers they look like.
ColumnPtr date_to_bigint(const ColumnPtr& column) {
    const DataType bigint = DataType::of(TypeId::kBigint);
    switch (column->type().id) {
        case TypeId::kDate:
            return map_int64<int32_t>(column, bigint, number_from_date);
        case TypeId::kDatetime:
            return map_int64<int64_t>(column, bigint, number_from_datetime);
        default:
            return map_int64<int64_t>(column, bigint, clock_number);
    }
}

ColumnPtr bigint_to_date(const ColumnPtr& column, const DataType& target) {
    ColumnBuilder builder(target, column->size());
    const auto* values = column->values<int64_t>();
    for (uint32_t i = 0; i < column->size(); ++i) {
        int64_t micros;
        if (column->is_null(i) || !datetime_from_number(values[i], micros)) {
            builder.append_null();
        } else if (target.id == TypeId::kDate) {
            builder.append(days_of_datetime(micros));
        } else {
            builder.append(micros);
        }
    }
    return builder.finish();
}

ColumnPtr number_to_time(const ColumnPtr& column, const DataType& target) {
    ColumnBuilder builder(target, column->size());
    std::string text;
    for (uint32_t i = 0; i < column->size(); ++i) {
        text.clear();
        append_value_text(*column, i, text);
        if (column->is_null(i)) {
            builder.append_null();
        } else {
            append_text(builder, text);
        }
    }
    return builder.finish();
}

/// Between DATE, DATETIME and TIME.
Result<ColumnPtr> cast_dates(
    const ColumnPtr& column, const DataType& target, const EvalContext& context
) {
    const TypeId from = column->type().id;
    if (from == TypeId::kDate && target.id == TypeId::kDatetime) {
        return map_int64<int32_t>(column, target, [](int32_t days) {
            return days * kMicrosPerDay;
        });
    }
    if (from == TypeId::kDatetime && target.id == TypeId::kDate) {
        return map_int32<int64_t>(column, target, days_of_datetime);
    }
    if (from == TypeId::kDatetime && target.id == TypeId::kTime) {
        const int scale = target.scale;
        return map_int64<int64_t>(column, target, [scale](int64_t micros) {
            return round_datetime(time_of_datetime(micros), scale);
        });
    }
    if (from == TypeId::kDate) {
        return map_int64<int32_t>(column, target, [](int32_t) { return int64_t{0}; });
    }
    if (from == target.id) {
        if (target.scale >= column->type().scale) {
            return retype(column, target);
        }
        const int scale = target.scale;
        return map_int64<int64_t>(column, target, [scale](int64_t micros) {
            return round_datetime(micros, scale);
        });
    }
    // TIME gets the statement's day.
    const int64_t today =
        days_of_datetime(context.time_zone->utc_to_local_micros(context.now_micros));
    if (target.id == TypeId::kDatetime) {
        return map_int64<int64_t>(column, target, [today](int64_t micros) {
            return today * kMicrosPerDay + micros;
        });
    }
    return map_int32<int64_t>(column, target, [today](int64_t micros) {
        return days_of_datetime(today * kMicrosPerDay + micros);
    });
}

ColumnPtr cast_to_text(const ColumnPtr& column, const DataType& target) {
    ColumnBuilder builder(target, column->size());
    const auto limit =
        (target.id == TypeId::kChar || target.id == TypeId::kVarchar) && target.length > 0
            ? static_cast<size_t>(target.length)
            : std::string::npos;
    std::string text;
    for (uint32_t i = 0; i < column->size(); ++i) {
        if (column->is_null(i)) {
            builder.append_null();
            continue;
        }
        text.clear();
        append_value_text(*column, i, text);
        builder.append_string(std::string_view(text).substr(0, limit));
    }
    return builder.finish();
}

/// Text to text: only cut where the target is shorter.
ColumnPtr cast_text(const ColumnPtr& column, const DataType& target) {
    const bool is_limited =
        (target.id == TypeId::kChar || target.id == TypeId::kVarchar) && target.length > 0;
    const auto limit = static_cast<uint32_t>(target.length);
    const auto* values = column->values<StringRef>();
    bool any_longer = false;
    for (uint32_t i = 0; is_limited && i < column->size(); ++i) {
        any_longer |= values[i].size() > limit;
    }
    if (!any_longer) {
        return retype(column, target);
    }
    auto out = Buffer::allocate(column->size() * sizeof(StringRef));
    for (uint32_t i = 0; i < column->size(); ++i) {
        out->as<StringRef>()[i] =
            values[i].size() > limit ? StringRef(values[i].data(), limit) : values[i];
    }
    return Column::flat(
        target, column->size(), std::move(out), column->valid_buffer(), column->payloads()
    );
}

/// JSON strings lose their quotes first, so that '"12"' converts like '12'.
ColumnPtr cast_from_text(
    const ColumnPtr& column, const DataType& target, const EvalContext& context
) {
    if (column->type().id != TypeId::kJson) {
        return parse_text_column(column, target, context.time_zone.get());
    }
    auto out = Buffer::allocate(column->size() * sizeof(StringRef));
    const auto* values = column->values<StringRef>();
    for (uint32_t i = 0; i < column->size(); ++i) {
        const std::string_view text = values[i].view();
        const bool is_quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
        out->as<StringRef>()[i] =
            is_quoted ? StringRef(text.substr(1, text.size() - 2)) : values[i];
    }
    const ColumnPtr plain = Column::flat(
        column->type(), column->size(), std::move(out), column->valid_buffer(), column->payloads()
    );
    return parse_text_column(plain, target, context.time_zone.get());
}

Result<ColumnPtr> cast_flat(const ColumnPtr& column, const DataType& target, EvalContext& context) {
    const DataType& source = column->type();
    if (source.id == TypeId::kNull) {
        const ColumnPtr nulls = Column::all_null(target, column->size());
        return nulls->flatten(nulls);
    }
    if (source.is_string() && target.is_string()) {
        if (target.id == TypeId::kJson && source.id != TypeId::kJson) {
            return cast_from_text(column, target, context);
        }
        return cast_text(column, target);
    }
    if (source.is_string()) {
        return cast_from_text(column, target, context);
    }
    if (target.is_string()) {
        return cast_to_text(column, target);
    }
    if (is_plain_number(source.id) && is_plain_number(target.id)) {
        return source.physical() == target.physical() ? retype(column, target)
                                                      : cast_plain_number(column, target);
    }
    if (source.id == TypeId::kDecimal && target.id == TypeId::kDecimal) {
        return cast_decimal(column, target, context);
    }
    if (is_plain_number(source.id) && target.id == TypeId::kDecimal) {
        return cast_to_decimal(column, target, context);
    }
    if (source.id == TypeId::kDecimal && is_plain_number(target.id)) {
        return cast_from_decimal(column, target);
    }
    const bool from_date = is_date_like(source.id) || source.id == TypeId::kTime;
    const bool to_date = is_date_like(target.id) || target.id == TypeId::kTime;
    if (from_date && to_date) {
        return cast_dates(column, target, context);
    }
    if (from_date && (is_plain_number(target.id) || target.id == TypeId::kDecimal)) {
        return cast_flat(date_to_bigint(column), target, context);
    }
    if (to_date && (is_plain_number(source.id) || source.id == TypeId::kDecimal)) {
        if (target.id == TypeId::kTime) {
            return number_to_time(column, target);
        }
        ASSIGN_OR_RETURN(
            const ColumnPtr numbers, cast_flat(column, DataType::of(TypeId::kBigint), context)
        );
        return bigint_to_date(numbers, target);
    }
    if (source.id == target.id) {
        return retype(column, target);
    }
    if (source.id == TypeId::kIpv4 && target.id == TypeId::kIpv6) {
        return cast_from_text(cast_to_text(column, DataType::of(TypeId::kString)), target, context);
    }
    return Status::error(
        ErrorCode::kNotSupported,
        "Cast from {} to {} is not supported",
        source.to_string(),
        target.to_string()
    );
}

bool is_same_value_form(const DataType& source, const DataType& target) {
    DataType alike = source;
    alike.nullable = target.nullable;
    return alike == target;
}

}  // namespace

Result<ColumnPtr> cast_column(
    const ColumnPtr& column, const DataType& target, EvalContext& context
) {
    if (is_same_value_form(column->type(), target)) {
        return column;
    }
    switch (column->form()) {
        case ColumnForm::kConstant: {
            ASSIGN_OR_RETURN(ColumnPtr value, cast_flat(column->base(), target, context));
            return Column::constant(std::move(value), column->size());
        }
        case ColumnForm::kDictionary:
            if (column->base()->size() <= column->size() || target.is_string()) {
                ASSIGN_OR_RETURN(ColumnPtr values, cast_flat(column->base(), target, context));
                if (values->valid_words() == nullptr) {
                    return Column::dictionary(
                        column->size(),
                        column->codes_buffer(),
                        column->valid_buffer(),
                        std::move(values)
                    );
                }
            }
            return cast_flat(column->flatten(column), target, context);
        case ColumnForm::kFlat:
            break;
    }
    return cast_flat(column, target, context);
}

}  // namespace thetis
