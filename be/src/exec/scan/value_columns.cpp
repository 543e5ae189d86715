// SPDX-License-Identifier: Apache-2.0
#include "exec/scan/value_columns.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "column/builder.h"

namespace thetis {

namespace {

template <typename... Args>
Status malformed(size_t column, fmt::format_string<Args...> what, Args&&... args) {
    return Status::error(
        ErrorCode::kInvalidArgument,
        "literal column {}: {}",
        column,
        fmt::format(what, std::forward<Args>(args)...)
    );
}

/// Bytes of a value on the wire; 0 for byte types.
size_t wire_bytes(PhysicalType type) {
    switch (type) {
        case PhysicalType::kString:
            return 0;
        case PhysicalType::kInt128:
            return sizeof(int128_t);
        default:
            return sizeof(int64_t);
    }
}

/// `count` values into `out`; false when one does not fit into T.
template <typename T>
bool unpack(const char* bytes, uint32_t count, T* out) {
    if constexpr (std::is_same_v<T, int64_t> || std::is_same_v<T, int128_t> ||
                  std::is_same_v<T, double>) {
        std::memcpy(out, bytes, size_t{count} * sizeof(T));
        return true;
    } else if constexpr (std::is_same_v<T, float>) {
        for (uint32_t i = 0; i < count; ++i) {
            double value;
            std::memcpy(&value, bytes + size_t{i} * sizeof(value), sizeof(value));
            out[i] = static_cast<float>(value);
        }
        return true;
    } else {
        int64_t wrong = 0;
        for (uint32_t i = 0; i < count; ++i) {
            int64_t value;
            std::memcpy(&value, bytes + size_t{i} * sizeof(value), sizeof(value));
            out[i] = static_cast<T>(value);
            // The one unsigned form holds booleans.
            wrong |= std::is_unsigned_v<T> ? value & ~int64_t{1} : value ^ int64_t { out[i] };
        }
        return wrong == 0;
    }
}

/// Reads one column of packed literals from front to back.
class LiteralReader {
public:
    /// Checks all sizes against the number of rows.
    static Result<LiteralReader> open(
        const wire::LiteralColumn& wire, size_t column, const DataType& type, int64_t num_rows
    ) {
        auto rows = static_cast<size_t>(num_rows);
        if (wire.__isset.nulls && wire.nulls.size() != rows) {
            return malformed(column, "{} null marks for {} rows", wire.nulls.size(), rows);
        }
        const size_t width = wire_bytes(type.physical());
        if (wire.__isset.lengths != (width == 0)) {
            return malformed(
                column,
                "{} for values of type {}",
                width == 0 ? "no lengths" : "lengths",
                type.to_string()
            );
        }
        if (width != 0) {
            if (wire.values.size() != rows * width) {
                return malformed(
                    column,
                    "{} bytes for {} rows of type {}",
                    wire.values.size(),
                    rows,
                    type.to_string()
                );
            }
            return LiteralReader(wire, column, type);
        }
        if (wire.lengths.size() != rows * sizeof(int32_t)) {
            return malformed(column, "{} bytes of lengths for {} rows", wire.lengths.size(), rows);
        }
        int64_t total = 0;
        int32_t signs = 0;
        for (size_t row = 0; row < rows; ++row) {
            const int32_t length = length_at(wire.lengths, row);
            signs |= length;
            total += length;
        }
        if (signs < 0) {
            return malformed(column, "a negative length");
        }
        if (static_cast<size_t>(total) != wire.values.size()) {
            return malformed(
                column, "lengths of {} bytes in all for {} bytes", total, wire.values.size()
            );
        }
        return LiteralReader(wire, column, type);
    }

    /// The next `count` rows.
    Status read(uint32_t count, ColumnBuilder& builder) {
        RETURN_IF_ERROR(visit_physical(type_.physical(), [&](auto tag) -> Status {
            using T = decltype(tag);
            T* out = builder.append_uninitialized<T>(count);
            if constexpr (std::is_same_v<T, StringRef>) {
                read_strings(count, out, builder);
            } else {
                const char* bytes = wire_.values.data() + row_ * wire_bytes(type_.physical());
                if (!unpack(bytes, count, out)) {
                    return malformed(column_, "a value beyond type {}", type_.to_string());
                }
            }
            if (wire_.__isset.nulls) {
                for (uint32_t i = 0; i < count; ++i) {
                    if (wire_.nulls[row_ + i] != 0) {
                        out[i] = T{};  // What lies under a null is zero or empty.
                        builder.set_null(i);
                    }
                }
            }
            return {};
        }));
        row_ += count;
        return {};
    }

private:
    LiteralReader(const wire::LiteralColumn& wire, size_t column, const DataType& type)
        : wire_(wire), column_(column), type_(type) {}

    static int32_t length_at(const std::string& lengths, size_t row) {
        int32_t length;
        std::memcpy(&length, lengths.data() + row * sizeof(length), sizeof(length));
        return length;
    }

    void read_strings(uint32_t count, StringRef* out, ColumnBuilder& builder) {
        size_t bytes = 0;
        int32_t longest = 0;
        for (uint32_t i = 0; i < count; ++i) {
            const int32_t length = length_at(wire_.lengths, row_ + i);
            bytes += static_cast<size_t>(length);
            longest = std::max(longest, length);
        }
        const char* from = wire_.values.data() + byte_;
        byte_ += bytes;
        if (static_cast<uint32_t>(longest) > StringRef::kInlineBytes) {
            auto payload = Buffer::copy_of(from, bytes);
            from = payload->as<char>();
            builder.keep_alive(std::move(payload));
        }
        for (uint32_t i = 0; i < count; ++i) {
            const auto length = static_cast<uint32_t>(length_at(wire_.lengths, row_ + i));
            out[i] = StringRef(from, length);
            from += length;
        }
    }

    const wire::LiteralColumn& wire_;
    size_t column_;
    DataType type_;
    size_t row_ = 0;
    size_t byte_ = 0;
};

/// The column's expressions, one per row, as constants.
Result<std::vector<Scalar>> evaluate(
    const std::vector<wire::Expr>& wire,
    size_t column,
    const DataType& type,
    const FunctionRegistries& functions,
    EvalContext& eval
) {
    std::vector<Scalar> values;
    values.reserve(wire.size());
    for (const auto& expression : wire) {
        ASSIGN_OR_RETURN(auto compiled, compile(expression, functions));
        ASSIGN_OR_RETURN(Scalar value, evaluate_constant(*compiled, eval));
        if (!value.is_null() && value.type().physical() != type.physical()) {
            return malformed(
                column,
                "a value of type {} where {} is due",
                value.type().to_string(),
                type.to_string()
            );
        }
        values.push_back(std::move(value));
    }
    return values;
}

}  // namespace

Result<std::vector<Batch>> batches_of_values(
    const wire::Values& values,
    std::span<const DataType> types,
    const FunctionRegistries& functions,
    EvalContext eval
) {
    // Rows without columns are not bounded by the bytes that came.
    if (values.num_rows < 0 || values.num_rows > std::numeric_limits<int32_t>::max()) {
        return Status::error(
            ErrorCode::kInvalidArgument, "{} literal rows in a plan", values.num_rows
        );
    }
    if (values.columns.size() != types.size()) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "{} literal columns for {} types",
            values.columns.size(),
            types.size()
        );
    }
    std::vector<std::optional<LiteralReader>> literals(types.size());
    std::vector<std::vector<Scalar>> computed(types.size());
    for (size_t i = 0; i < types.size(); ++i) {
        const auto& column = values.columns[i];
        if (column.__isset.literals) {
            ASSIGN_OR_RETURN(
                auto reader, LiteralReader::open(column.literals, i, types[i], values.num_rows)
            );
            literals[i].emplace(std::move(reader));
            continue;
        }
        const auto& expressions = column.expressions.expressions;
        if (!column.__isset.expressions ||
            expressions.size() != static_cast<size_t>(values.num_rows)) {
            return malformed(i, "{} expressions for {} rows", expressions.size(), values.num_rows);
        }
        ASSIGN_OR_RETURN(computed[i], evaluate(expressions, i, types[i], functions, eval));
    }
    std::vector<Batch> batches;
    for (int64_t begin = 0; begin < values.num_rows; begin += kMaxBatchRows) {
        const auto count =
            static_cast<uint32_t>(std::min<int64_t>(kMaxBatchRows, values.num_rows - begin));
        auto builders = make_builders(types, count);
        for (size_t i = 0; i < types.size(); ++i) {
            if (literals[i].has_value()) {
                RETURN_IF_ERROR(literals[i]->read(count, builders[i]));
                continue;
            }
            for (uint32_t row = 0; row < count; ++row) {
                builders[i].append_scalar(computed[i][static_cast<size_t>(begin) + row]);
            }
        }
        Batch batch;
        if (types.empty()) {
            batch.num_rows = count;
        } else {
            batch = finish_batch(builders);
        }
        batches.push_back(std::move(batch));
    }
    return batches;
}

}  // namespace thetis
