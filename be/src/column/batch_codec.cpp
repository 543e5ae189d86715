// SPDX-License-Identifier: Apache-2.0
#include "column/batch_codec.h"

#include <lz4.h>

namespace thetis {

namespace {

constexpr uint32_t kMagic = 0x31425354;  // "TSB1"
constexpr size_t kHeaderBytes = 9;
constexpr uint32_t kMaxRows = 1U << 16;
constexpr uint32_t kMaxColumns = 16384;
constexpr size_t kMaxDecodedBytes = size_t{1} << 30;
constexpr uint8_t kRawWidth = 0xFF;  // Values as they are in memory.

template <typename T>
void put(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

/// Writes integers as offsets from their minimum: u8 width (0, 1, 2, 4, 8), i64 base, offsets.
/// kRawWidth for what needs more.
template <typename T>
void put_integers(std::string& out, const T* values, uint32_t num_rows) {
    T least = num_rows == 0 ? T{0} : values[0];
    T greatest = least;
    for (uint32_t i = 1; i < num_rows; ++i) {
        least = std::min(least, values[i]);
        greatest = std::max(greatest, values[i]);
    }
    using Unsigned = std::conditional_t<sizeof(T) == 16, unsigned __int128, uint64_t>;
    const auto range = static_cast<Unsigned>(greatest) - static_cast<Unsigned>(least);
    const bool base_fits = static_cast<T>(static_cast<int64_t>(least)) == least;
    uint8_t width = kRawWidth;
    if (base_fits) {
        width =
            range == 0
                ? 0
                : (range < (1U << 8)
                       ? 1
                       : (range < (1U << 16) ? 2 : (range < (uint64_t{1} << 32) ? 4 : kRawWidth)));
        if (sizeof(T) == 16 && width == kRawWidth &&
            range <= std::numeric_limits<uint64_t>::max()) {
            width = 8;
        }
        if (width != kRawWidth && width >= sizeof(T)) {
            width = kRawWidth;
        }
    }
    put(out, width);
    if (width == kRawWidth) {
        out.append(reinterpret_cast<const char*>(values), num_rows * sizeof(T));
        return;
    }
    put(out, static_cast<int64_t>(least));
    const size_t at = out.size();
    out.resize(at + size_t{width} * num_rows);
    char* next = out.data() + at;
    const auto write = [&](auto narrow) {
        using Narrow = decltype(narrow);
        for (uint32_t i = 0; i < num_rows; ++i) {
            const auto offset = static_cast<Narrow>(
                static_cast<Unsigned>(values[i]) - static_cast<Unsigned>(least)
            );
            std::memcpy(next + i * sizeof(Narrow), &offset, sizeof(Narrow));
        }
    };
    switch (width) {
        case 1:
            write(uint8_t{});
            break;
        case 2:
            write(uint16_t{});
            break;
        case 4:
            write(uint32_t{});
            break;
        case 8:
            write(uint64_t{});
            break;
        default:
            break;
    }
}

void put_flat(std::string& out, const Column& column) {
    const uint32_t num_rows = column.size();
    put<uint8_t>(out, column.valid_words() != nullptr ? 1 : 0);
    if (column.valid_words() != nullptr) {
        out.append(
            reinterpret_cast<const char*>(column.valid_words()), validity::num_words(num_rows) * 8
        );
    }
    visit_physical(column.physical(), [&](auto tag) {
        using T = decltype(tag);
        const T* values = column.values<T>();
        if constexpr (std::is_same_v<T, StringRef>) {
            std::vector<uint32_t> sizes(num_rows);
            size_t total = 0;
            for (uint32_t i = 0; i < num_rows; ++i) {
                sizes[i] = values[i].size();
                total += sizes[i];
            }
            put_integers(out, sizes.data(), num_rows);
            const size_t at = out.size();
            out.resize(at + total);
            char* next = out.data() + at;
            for (uint32_t i = 0; i < num_rows; ++i) {
                std::memcpy(next, values[i].data(), sizes[i]);
                next += sizes[i];
            }
        } else if constexpr (std::is_floating_point_v<T>) {
            out.append(reinterpret_cast<const char*>(values), num_rows * sizeof(T));
        } else {
            put_integers(out, values, num_rows);
        }
    });
}

void put_column(std::string& out, const ColumnPtr& column) {
    ColumnPtr written = column;
    if (column->form() == ColumnForm::kDictionary && column->base()->size() > column->size()) {
        written = column->flatten(column);  // Most of the dictionary would travel in vain.
    }
    const DataType& type = written->type();
    put<int32_t>(out, static_cast<int32_t>(type.id));
    put<uint8_t>(out, type.nullable ? 1 : 0);
    put(out, type.precision);
    put(out, type.scale);
    put(out, type.length);
    put(out, static_cast<uint8_t>(written->form()));
    switch (written->form()) {
        case ColumnForm::kFlat:
            put_flat(out, *written);
            break;
        case ColumnForm::kConstant:
            put_flat(out, *written->base());
            break;
        case ColumnForm::kDictionary:
            put<uint8_t>(out, written->valid_words() != nullptr ? 1 : 0);
            if (written->valid_words() != nullptr) {
                out.append(
                    reinterpret_cast<const char*>(written->valid_words()),
                    validity::num_words(written->size()) * 8
                );
            }
            put_integers(out, written->codes(), written->size());
            put<uint32_t>(out, written->base()->size());
            put_flat(out, *written->base());
            break;
    }
}

/// Reads a body with every access checked. After the first failure all reads fail.
class Reader {
public:
    explicit Reader(std::string_view bytes)
        : next_(bytes.data()), end_(bytes.data() + bytes.size()) {}

    template <typename T>
    bool take(T& value) {
        if (static_cast<size_t>(end_ - next_) < sizeof(T)) {
            return false;
        }
        std::memcpy(&value, next_, sizeof(T));
        next_ += sizeof(T);
        return true;
    }

    const char* take_bytes(size_t size) {
        if (static_cast<size_t>(end_ - next_) < size) {
            return nullptr;
        }
        const char* begin = next_;
        next_ += size;
        return begin;
    }

    /// Accounts for memory about to be allocated; false when the whole would be unreasonable.
    bool reserve(size_t size) {
        decoded_bytes_ += size;
        return decoded_bytes_ <= kMaxDecodedBytes;
    }

    bool at_end() const { return next_ == end_; }

private:
    const char* next_;
    const char* end_;
    size_t decoded_bytes_ = 0;
};

template <typename T>
std::shared_ptr<Buffer> take_integers(Reader& reader, uint32_t num_rows) {
    uint8_t width;
    int64_t base = 0;
    if (!reader.take(width) || !reader.reserve(num_rows * sizeof(T))) {
        return nullptr;
    }
    if (width == kRawWidth) {
        const char* bytes = reader.take_bytes(num_rows * sizeof(T));
        return bytes == nullptr ? nullptr : Buffer::copy_of(bytes, num_rows * sizeof(T));
    }
    if ((width != 0 && width != 1 && width != 2 && width != 4 && width != 8) ||
        !reader.take(base)) {
        return nullptr;
    }
    const char* bytes = reader.take_bytes(size_t{width} * num_rows);
    if (bytes == nullptr) {
        return nullptr;
    }
    auto buffer = Buffer::allocate(num_rows * sizeof(T));
    T* out = buffer->as<T>();
    using Unsigned = std::conditional_t<sizeof(T) == 16, unsigned __int128, uint64_t>;
    const auto read = [&](auto narrow) {
        using Narrow = decltype(narrow);
        for (uint32_t i = 0; i < num_rows; ++i) {
            Narrow offset;
            std::memcpy(&offset, bytes + i * sizeof(Narrow), sizeof(Narrow));
            out[i] = static_cast<T>(static_cast<Unsigned>(base) + static_cast<Unsigned>(offset));
        }
    };
    switch (width) {
        case 0:
            std::fill_n(out, num_rows, static_cast<T>(base));
            break;
        case 1:
            read(uint8_t{});
            break;
        case 2:
            read(uint16_t{});
            break;
        case 4:
            read(uint32_t{});
            break;
        default:
            read(uint64_t{});
            break;
    }
    return buffer;
}

bool take_validity(Reader& reader, uint32_t num_rows, BufferPtr& valid) {
    uint8_t has_nulls;
    if (!reader.take(has_nulls) || has_nulls > 1) {
        return false;
    }
    if (has_nulls == 1) {
        const size_t size = validity::num_words(num_rows) * 8;
        const char* bytes = reader.take_bytes(size);
        if (bytes == nullptr) {
            return false;
        }
        valid = Buffer::copy_of(bytes, size);
    }
    return true;
}

ColumnPtr take_strings(Reader& reader, const DataType& type, uint32_t num_rows, BufferPtr valid) {
    const auto sizes = take_integers<uint32_t>(reader, num_rows);
    if (sizes == nullptr) {
        return nullptr;
    }
    const auto* lengths = sizes->as<uint32_t>();
    size_t total = 0;
    for (uint32_t i = 0; i < num_rows; ++i) {
        total += lengths[i];
    }
    const char* bytes = reader.take_bytes(total);
    if (bytes == nullptr || !reader.reserve(total + num_rows * sizeof(StringRef))) {
        return nullptr;
    }
    auto payload = Buffer::copy_of(bytes, total);
    const char* next = reinterpret_cast<const char*>(payload->data());
    auto values = Buffer::allocate(num_rows * sizeof(StringRef));
    for (uint32_t i = 0; i < num_rows; ++i) {
        values->as<StringRef>()[i] = StringRef(next, lengths[i]);
        next += lengths[i];
    }
    return Column::flat(type, num_rows, std::move(values), std::move(valid), {std::move(payload)});
}

ColumnPtr take_flat(Reader& reader, const DataType& type, uint32_t num_rows) {
    BufferPtr valid;
    if (!take_validity(reader, num_rows, valid)) {
        return nullptr;
    }
    return visit_physical(type.physical(), [&](auto tag) -> ColumnPtr {
        using T = decltype(tag);
        if constexpr (std::is_same_v<T, StringRef>) {
            return take_strings(reader, type, num_rows, std::move(valid));
        } else {
            std::shared_ptr<Buffer> values;
            if constexpr (std::is_floating_point_v<T>) {
                const char* bytes = reader.take_bytes(num_rows * sizeof(T));
                values = bytes == nullptr ? nullptr : Buffer::copy_of(bytes, num_rows * sizeof(T));
            } else {
                values = take_integers<T>(reader, num_rows);
            }
            return values == nullptr
                       ? nullptr
                       : Column::flat(type, num_rows, std::move(values), std::move(valid));
        }
    });
}

ColumnPtr take_dictionary(Reader& reader, const DataType& type, uint32_t num_rows) {
    BufferPtr valid;
    if (!take_validity(reader, num_rows, valid)) {
        return nullptr;
    }
    auto codes = take_integers<uint32_t>(reader, num_rows);
    uint32_t dictionary_rows;
    if (codes == nullptr || !reader.take(dictionary_rows) || dictionary_rows > kMaxRows) {
        return nullptr;
    }
    const ColumnPtr dictionary = take_flat(reader, type, dictionary_rows);
    if (dictionary == nullptr || dictionary->may_have_nulls()) {
        return nullptr;
    }
    for (uint32_t i = 0; i < num_rows; ++i) {
        if (codes->as<uint32_t>()[i] >= dictionary_rows) {
            return nullptr;
        }
    }
    return Column::dictionary(num_rows, std::move(codes), std::move(valid), dictionary);
}

bool is_sound_type(const DataType& type, int32_t id) {
    const bool is_decimal = id == static_cast<int32_t>(TypeId::kDecimal);
    const bool has_sound_digits =
        is_decimal ? type.precision >= 1 && type.precision <= 38 && type.scale <= type.precision
                   : type.scale <= 6;
    return id >= 0 && id <= static_cast<int32_t>(TypeId::kIpv6) && has_sound_digits &&
           type.length >= 0;
}

ColumnPtr take_column(Reader& reader, uint32_t num_rows) {
    int32_t id;
    uint8_t nullable;
    uint8_t form;
    DataType type;
    if (!reader.take(id) || !reader.take(nullable) || !reader.take(type.precision) ||
        !reader.take(type.scale) || !reader.take(type.length) || !reader.take(form) ||
        !is_sound_type(type, id)) {
        return nullptr;
    }
    type.id = static_cast<TypeId>(id);
    type.nullable = nullable != 0;
    switch (static_cast<ColumnForm>(form)) {
        case ColumnForm::kFlat:
            return take_flat(reader, type, num_rows);
        case ColumnForm::kConstant: {
            const ColumnPtr value = take_flat(reader, type, 1);
            return value == nullptr ? nullptr : Column::constant(value, num_rows);
        }
        case ColumnForm::kDictionary:
            return take_dictionary(reader, type, num_rows);
    }
    return nullptr;
}

}  // namespace

void encode_batch(const Batch& batch, bool compress, std::string& out) {
    const Batch dense = batch.compact();
    std::string body;
    put<uint32_t>(body, dense.num_rows);
    put<uint32_t>(body, static_cast<uint32_t>(dense.columns.size()));
    for (const ColumnPtr& column : dense.columns) {
        put_column(body, column);
    }
    put(out, kMagic);
    if (compress) {
        const size_t at = out.size() + kHeaderBytes - sizeof(kMagic);
        const int bound = LZ4_compressBound(static_cast<int>(body.size()));
        std::string packed(static_cast<size_t>(bound), '\0');
        const int size =
            LZ4_compress_default(body.data(), packed.data(), static_cast<int>(body.size()), bound);
        if (size > 0 && static_cast<size_t>(size) < body.size()) {
            out.reserve(at + static_cast<size_t>(size));
            put<uint8_t>(out, 1);
            put<uint32_t>(out, static_cast<uint32_t>(body.size()));
            out.append(packed.data(), static_cast<size_t>(size));
            return;
        }
    }
    put<uint8_t>(out, 0);
    put<uint32_t>(out, static_cast<uint32_t>(body.size()));
    out += body;
}

Result<Batch> decode_batch(std::string_view bytes) {
    const Status malformed =
        Status::error(ErrorCode::kCorruption, "Malformed batch of {} bytes", bytes.size());
    Reader header(bytes);
    uint32_t magic;
    uint8_t compression;
    uint32_t raw_bytes;
    if (!header.take(magic) || !header.take(compression) || !header.take(raw_bytes) ||
        magic != kMagic) {
        return malformed;
    }
    std::string_view body = bytes.substr(kHeaderBytes);
    std::string unpacked;
    if (compression == 1) {
        // LZ4 cannot expand by more than 255; anything that claims more is a lie.
        if (raw_bytes > kMaxDecodedBytes || raw_bytes > 255 * body.size() + 64) {
            return malformed;
        }
        unpacked.resize(raw_bytes);
        const int size = LZ4_decompress_safe(
            body.data(), unpacked.data(), static_cast<int>(body.size()), static_cast<int>(raw_bytes)
        );
        if (size < 0 || static_cast<uint32_t>(size) != raw_bytes) {
            return malformed;
        }
        body = unpacked;
    } else if (compression != 0 || raw_bytes != body.size()) {
        return malformed;
    }
    Reader reader(body);
    Batch batch;
    uint32_t num_columns;
    if (!reader.take(batch.num_rows) || !reader.take(num_columns) || batch.num_rows > kMaxRows ||
        num_columns > kMaxColumns) {
        return malformed;
    }
    for (uint32_t i = 0; i < num_columns; ++i) {
        ColumnPtr column = take_column(reader, batch.num_rows);
        if (column == nullptr) {
            return malformed;
        }
        batch.columns.push_back(std::move(column));
    }
    if (!reader.at_end()) {
        return malformed;
    }
    return batch;
}

}  // namespace thetis
