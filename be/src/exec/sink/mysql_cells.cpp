// SPDX-License-Identifier: Apache-2.0
#include "exec/sink/mysql_cells.h"

#include <cmath>
#include <cstring>

#include "base/text/numbers.h"
#include "column/text_conversion.h"
#include "types/date_time.h"
#include "types/decimal.h"

namespace thetis {

namespace {

constexpr char kNullCell = static_cast<char>(0xFB);
constexpr size_t kMaxShortCell = 64;  // No printed number, date or time is longer.

/// Grows the cell buffer ahead of the writer: `reserve(n)` gives room for n more bytes.
class CellWriter {
public:
    CellWriter(EncodedCells& cells, uint32_t num_rows, bool is_text)
        : cells_(cells), is_text_(is_text) {
        cells_.bytes.resize(static_cast<size_t>(num_rows) * 16 + kMaxShortCell);
        cells_.ends.clear();
        cells_.ends.reserve(num_rows);
        cells_.nulls.clear();
        cells_.nulls.reserve(num_rows);
    }

    ~CellWriter() { cells_.bytes.resize(used_); }

    CellWriter(const CellWriter&) = delete;
    CellWriter& operator=(const CellWriter&) = delete;

    char* reserve(size_t size) {
        if (used_ + size > cells_.bytes.size()) [[unlikely]] {
            cells_.bytes.resize(std::max(cells_.bytes.size() * 2, used_ + size));
        }
        return cells_.bytes.data() + used_;
    }

    void finish_cell(const char* end) {
        used_ = static_cast<size_t>(end - cells_.bytes.data());
        cells_.ends.push_back(static_cast<uint32_t>(used_));
        cells_.nulls.push_back(0);
    }

    void add_null() {
        if (is_text_) {
            *reserve(1) = kNullCell;
            ++used_;
        }
        cells_.ends.push_back(static_cast<uint32_t>(used_));
        cells_.nulls.push_back(1);
    }

private:
    EncodedCells& cells_;
    bool is_text_;
    size_t used_ = 0;
};

// `print(out, value)` writes at most kMaxShortCell - 1 bytes and returns the end; null end: the
// cell is NULL.
template <typename T, typename Print>
void write_short_text(const Column& column, const Batch& batch, CellWriter& writer, Print print) {
    ColumnView<T> view(column);
    uint32_t count = batch.num_selected();
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t row = batch.row_at(i);
        if (!view.is_valid(row)) {
            writer.add_null();
            continue;
        }
        char* begin = writer.reserve(kMaxShortCell);
        char* end = print(begin + 1, view[row]);
        if (end == nullptr) {
            writer.add_null();
            continue;
        }
        *begin = static_cast<char>(end - begin - 1);
        writer.finish_cell(end);
    }
}

void write_strings(const Column& column, const Batch& batch, CellWriter& writer) {
    ColumnView<StringRef> view(column);
    uint32_t count = batch.num_selected();
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t row = batch.row_at(i);
        if (!view.is_valid(row)) {
            writer.add_null();
            continue;
        }
        const StringRef& text = view[row];
        char* out = write_length(writer.reserve(text.size() + 9), text.size());
        std::memcpy(out, text.data(), text.size());
        writer.finish_cell(out + text.size());
    }
}

void write_other_text(const Column& column, const Batch& batch, CellWriter& writer) {
    std::string text;
    for (uint32_t i = 0; i < batch.num_selected(); ++i) {
        uint32_t row = batch.row_at(i);
        if (column.is_null(row)) {
            writer.add_null();
            continue;
        }
        text.clear();
        append_value_text(column, row, text);
        char* out = write_length(writer.reserve(text.size() + 9), text.size());
        std::memcpy(out, text.data(), text.size());
        writer.finish_cell(out + text.size());
    }
}

void write_nulls(const Batch& batch, CellWriter& writer) {
    for (uint32_t i = 0; i < batch.num_selected(); ++i) {
        writer.add_null();
    }
}

void write_decimals(const Column& column, const Batch& batch, CellWriter& writer) {
    int scale = column.type().scale;
    auto print = [scale](char* out, auto value) { return print_decimal(out, value, scale); };
    switch (column.physical()) {
        case PhysicalType::kInt32:
            return write_short_text<int32_t>(column, batch, writer, print);
        case PhysicalType::kInt64:
            return write_short_text<int64_t>(column, batch, writer, print);
        default:
            return write_short_text<int128_t>(column, batch, writer, print);
    }
}

// Fixed-width little-endian values.
template <typename T>
void write_plain(const Column& column, const Batch& batch, CellWriter& writer) {
    ColumnView<T> view(column);
    uint32_t count = batch.num_selected();
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t row = batch.row_at(i);
        bool is_valid = view.is_valid(row);
        if constexpr (std::is_floating_point_v<T>) {
            is_valid = is_valid && !std::isnan(view[row]);
        }
        if (!is_valid) {
            writer.add_null();
            continue;
        }
        char* out = writer.reserve(sizeof(T));
        T value = view[row];
        std::memcpy(out, &value, sizeof(T));
        writer.finish_cell(out + sizeof(T));
    }
}

char* write_day(char* out, const CivilTime& time) {
    out[0] = static_cast<char>(time.year & 0xFF);
    out[1] = static_cast<char>(time.year >> 8);
    out[2] = static_cast<char>(time.month);
    out[3] = static_cast<char>(time.day);
    return out + 4;
}

char* write_clock(char* out, int32_t hour, int32_t minute, int32_t second) {
    out[0] = static_cast<char>(hour);
    out[1] = static_cast<char>(minute);
    out[2] = static_cast<char>(second);
    return out + 3;
}

char* write_micros(char* out, int32_t micros) {
    auto value = static_cast<uint32_t>(micros);
    std::memcpy(out, &value, 4);
    return out + 4;
}

char* binary_date(char* out, int32_t value) {
    *out = 4;
    return write_day(out + 1, civil_from_date(value));
}

char* binary_datetime(char* out, int64_t value, int scale) {
    CivilTime time = civil_from_datetime(value);
    char* begin = out++;
    out = write_day(out, time);
    bool has_clock = time.hour != 0 || time.minute != 0 || time.second != 0;
    if (scale > 0) {
        out = write_micros(write_clock(out, time.hour, time.minute, time.second), time.micros);
    } else if (has_clock) {
        out = write_clock(out, time.hour, time.minute, time.second);
    }
    *begin = static_cast<char>(out - begin - 1);
    return out;
}

// MySQL's own TIME form: sign, days, clock, micros.
char* binary_time(char* out, int64_t value) {
    constexpr int64_t kMax = ((int64_t{838} * 60 + 59) * 60 + 59) * kMicrosPerSecond;
    value = std::clamp(value, -kMax, kMax);
    if (value == 0) {
        *out = 0;
        return out + 1;
    }
    char* begin = out++;
    *out++ = value < 0 ? 1 : 0;
    int64_t magnitude = value < 0 ? -value : value;
    auto days = static_cast<uint32_t>(magnitude / kMicrosPerDay);
    std::memcpy(out, &days, 4);
    out += 4;
    auto seconds = static_cast<int32_t>(magnitude % kMicrosPerDay / kMicrosPerSecond);
    out = write_clock(out, seconds / 3600, seconds / 60 % 60, seconds % 60);
    auto micros = static_cast<int32_t>(magnitude % kMicrosPerSecond);
    if (micros != 0) {
        out = write_micros(out, micros);
    }
    *begin = static_cast<char>(out - begin - 1);
    return out;
}

template <typename T, typename Write>
void write_temporal(const Column& column, const Batch& batch, CellWriter& writer, Write write) {
    ColumnView<T> view(column);
    for (uint32_t i = 0; i < batch.num_selected(); ++i) {
        uint32_t row = batch.row_at(i);
        if (!view.is_valid(row)) {
            writer.add_null();
            continue;
        }
        writer.finish_cell(write(writer.reserve(16), view[row]));
    }
}

char* print_boolean(char* out, uint8_t value) {
    *out = value != 0 ? '1' : '0';
    return out + 1;
}

char* print_number(char* out, float value) {
    return std::isnan(value) ? nullptr : print_float(out, value);
}

char* print_number(char* out, double value) {
    return std::isnan(value) ? nullptr : print_double(out, value);
}

template <typename T>
T load(const char* value) {
    T result;
    std::memcpy(&result, value, sizeof(result));
    return result;
}

/// Text behind its length, which is a single byte.
template <typename Print>
char* write_short(char* out, const Print& print) {
    char* end = print(out + 1);
    if (end != nullptr) {
        *out = static_cast<char>(end - out - 1);
    }
    return end;
}

template <size_t kBytes>
char* copy_plain(char* out, const char* value) {
    std::memcpy(out, value, kBytes);
    return out + kBytes;
}

void encode_text(const Column& column, const Batch& batch, CellWriter& writer) {
    int scale = column.type().scale;
    switch (column.type().id) {
        case TypeId::kNull:
        case TypeId::kBitmap:
        case TypeId::kHll:
        case TypeId::kQuantileState:
            return write_nulls(batch, writer);
        case TypeId::kBoolean:
            return write_short_text<uint8_t>(column, batch, writer, print_boolean);
        case TypeId::kTinyint:
            return write_short_text<int8_t>(column, batch, writer, [](char* out, int8_t value) {
                return print_integer(out, value);
            });
        case TypeId::kSmallint:
            return write_short_text<int16_t>(column, batch, writer, [](char* out, int16_t value) {
                return print_integer(out, value);
            });
        case TypeId::kInt:
            return write_short_text<int32_t>(column, batch, writer, [](char* out, int32_t value) {
                return print_integer(out, value);
            });
        case TypeId::kBigint:
            return write_short_text<int64_t>(column, batch, writer, [](char* out, int64_t value) {
                return print_integer(out, value);
            });
        case TypeId::kLargeint:
            return write_short_text<int128_t>(column, batch, writer, [](char* out, int128_t value) {
                return print_int128(out, value);
            });
        case TypeId::kFloat:
            return write_short_text<float>(column, batch, writer, [](char* out, float value) {
                return print_number(out, value);
            });
        case TypeId::kDouble:
            return write_short_text<double>(column, batch, writer, [](char* out, double value) {
                return print_number(out, value);
            });
        case TypeId::kDecimal:
            return write_decimals(column, batch, writer);
        case TypeId::kDate:
            return write_short_text<int32_t>(column, batch, writer, [](char* out, int32_t value) {
                return print_date(out, value);
            });
        case TypeId::kDatetime:
            return write_short_text<int64_t>(
                column,
                batch,
                writer,
                [scale](char* out, int64_t value) { return print_datetime(out, value, scale); }
            );
        case TypeId::kTime:
            return write_short_text<int64_t>(
                column,
                batch,
                writer,
                [scale](char* out, int64_t value) { return print_time(out, value, scale); }
            );
        case TypeId::kChar:
        case TypeId::kVarchar:
        case TypeId::kString:
        case TypeId::kJson:
        case TypeId::kVariant:
        case TypeId::kAggState:
            return write_strings(column, batch, writer);
        default:
            return write_other_text(column, batch, writer);
    }
}

}  // namespace

char* write_length(char* out, uint64_t length) {
    int num_bytes = length < 251 ? 0 : (length < 65536 ? 2 : (length < 16777216 ? 3 : 8));
    if (num_bytes == 0) {
        *out = static_cast<char>(length);
        return out + 1;
    }
    *out++ = static_cast<char>(num_bytes == 2 ? 0xFC : (num_bytes == 3 ? 0xFD : 0xFE));
    std::memcpy(out, &length, static_cast<size_t>(num_bytes));
    return out + num_bytes;
}

void encode_text_cells(const Column& column, const Batch& batch, EncodedCells& cells) {
    CellWriter writer(cells, batch.num_selected(), true);
    encode_text(column, batch, writer);
}

void encode_binary_cells(const Column& column, const Batch& batch, EncodedCells& cells) {
    CellWriter writer(cells, batch.num_selected(), false);
    int scale = column.type().scale;
    switch (column.type().id) {
        case TypeId::kBoolean:
            return write_plain<uint8_t>(column, batch, writer);
        case TypeId::kTinyint:
            return write_plain<int8_t>(column, batch, writer);
        case TypeId::kSmallint:
            return write_plain<int16_t>(column, batch, writer);
        case TypeId::kInt:
            return write_plain<int32_t>(column, batch, writer);
        case TypeId::kBigint:
            return write_plain<int64_t>(column, batch, writer);
        case TypeId::kFloat:
            return write_plain<float>(column, batch, writer);
        case TypeId::kDouble:
            return write_plain<double>(column, batch, writer);
        case TypeId::kDate:
            return write_temporal<int32_t>(column, batch, writer, binary_date);
        case TypeId::kDatetime:
            return write_temporal<int64_t>(
                column,
                batch,
                writer,
                [scale](char* out, int64_t value) { return binary_datetime(out, value, scale); }
            );
        case TypeId::kTime:
            return write_temporal<int64_t>(column, batch, writer, binary_time);
        default:
            // All else travels as length-encoded text.
            return encode_text(column, batch, writer);
    }
}

CellEncoder::Form CellEncoder::text_form(const DataType& type) {
    switch (type.id) {
        case TypeId::kNull:
        case TypeId::kBitmap:
        case TypeId::kHll:
        case TypeId::kQuantileState:
            return Form::kNull;
        case TypeId::kBoolean:
            return Form::kBoolean;
        case TypeId::kTinyint:
            return Form::kTinyint;
        case TypeId::kSmallint:
            return Form::kSmallint;
        case TypeId::kInt:
            return Form::kInt;
        case TypeId::kBigint:
            return Form::kBigint;
        case TypeId::kLargeint:
            return Form::kLargeint;
        case TypeId::kFloat:
            return Form::kFloat;
        case TypeId::kDouble:
            return Form::kDouble;
        case TypeId::kDecimal:
            return type.physical() == PhysicalType::kInt32   ? Form::kDecimal32
                   : type.physical() == PhysicalType::kInt64 ? Form::kDecimal64
                                                             : Form::kDecimal128;
        case TypeId::kDate:
            return Form::kDate;
        case TypeId::kDatetime:
            return Form::kDatetime;
        case TypeId::kTime:
            return Form::kTime;
        case TypeId::kChar:
        case TypeId::kVarchar:
        case TypeId::kString:
        case TypeId::kJson:
        case TypeId::kVariant:
        case TypeId::kAggState:
            return Form::kString;
        default:
            return Form::kOther;
    }
}

CellEncoder::Form CellEncoder::form_of(const DataType& type, bool binary) {
    if (!binary) {
        return text_form(type);
    }
    switch (type.id) {
        case TypeId::kBoolean:
        case TypeId::kTinyint:
            return Form::kPlain1;
        case TypeId::kSmallint:
            return Form::kPlain2;
        case TypeId::kInt:
            return Form::kPlain4;
        case TypeId::kBigint:
            return Form::kPlain8;
        case TypeId::kFloat:
            return Form::kBinaryFloat;
        case TypeId::kDouble:
            return Form::kBinaryDouble;
        case TypeId::kDate:
            return Form::kBinaryDate;
        case TypeId::kDatetime:
            return Form::kBinaryDatetime;
        case TypeId::kTime:
            return Form::kBinaryTime;
        default:
            return text_form(type);
    }
}

CellEncoder::CellEncoder(const DataType& type, bool binary)
    : form_(form_of(type, binary)), is_binary_(binary), scale_(type.scale) {}

char* CellEncoder::write_null(char* out) const {
    if (!is_binary_) {
        *out++ = kNullCell;
    }
    return out;
}

char* CellEncoder::write(char* out, const char* value, size_t size_bytes) const {
    const auto integer = [&]<typename T>(T) {
        return write_short(out, [&](char* text) { return print_integer(text, load<T>(value)); });
    };
    const auto decimal = [&]<typename T>(T) {
        return write_short(out, [&](char* text) {
            return print_decimal(text, load<T>(value), scale_);
        });
    };
    switch (form_) {
        case Form::kOther:
        case Form::kNull:
            return nullptr;
        case Form::kString:
            out = write_length(out, size_bytes);
            std::memcpy(out, value, size_bytes);
            return out + size_bytes;
        case Form::kBoolean:
            return write_short(out, [&](char* text) {
                return print_boolean(text, load<uint8_t>(value));
            });
        case Form::kTinyint:
            return integer(int8_t{});
        case Form::kSmallint:
            return integer(int16_t{});
        case Form::kInt:
            return integer(int32_t{});
        case Form::kBigint:
            return integer(int64_t{});
        case Form::kLargeint:
            return write_short(out, [&](char* text) {
                return print_int128(text, load<int128_t>(value));
            });
        case Form::kFloat:
            return write_short(out, [&](char* text) {
                return print_number(text, load<float>(value));
            });
        case Form::kDouble:
            return write_short(out, [&](char* text) {
                return print_number(text, load<double>(value));
            });
        case Form::kDecimal32:
            return decimal(int32_t{});
        case Form::kDecimal64:
            return decimal(int64_t{});
        case Form::kDecimal128:
            return decimal(int128_t{});
        case Form::kDate:
            return write_short(out, [&](char* text) {
                return print_date(text, load<int32_t>(value));
            });
        case Form::kDatetime:
            return write_short(out, [&](char* text) {
                return print_datetime(text, load<int64_t>(value), scale_);
            });
        case Form::kTime:
            return write_short(out, [&](char* text) {
                return print_time(text, load<int64_t>(value), scale_);
            });
        case Form::kPlain1:
            return copy_plain<1>(out, value);
        case Form::kPlain2:
            return copy_plain<2>(out, value);
        case Form::kPlain4:
            return copy_plain<4>(out, value);
        case Form::kPlain8:
            return copy_plain<8>(out, value);
        case Form::kBinaryFloat:
            return std::isnan(load<float>(value)) ? nullptr : copy_plain<4>(out, value);
        case Form::kBinaryDouble:
            return std::isnan(load<double>(value)) ? nullptr : copy_plain<8>(out, value);
        case Form::kBinaryDate:
            return binary_date(out, load<int32_t>(value));
        case Form::kBinaryDatetime:
            return binary_datetime(out, load<int64_t>(value), scale_);
        case Form::kBinaryTime:
            return binary_time(out, load<int64_t>(value));
    }
    return nullptr;
}

}  // namespace thetis
