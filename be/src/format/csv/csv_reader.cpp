// SPDX-License-Identifier: Apache-2.0
#include "format/csv/csv_reader.h"

#include <cstring>

#include <immintrin.h>
#include <simdjson.h>

#include "format/csv/csv_scanner.h"

namespace thetis {

namespace {

constexpr size_t kMaxRowBytes = size_t{128} << 20;

/// The first `n` bytes set, for n = 0..12.
alignas(16) constexpr auto kKeepBytes = [] {
    std::array<std::array<uint8_t, 16>, StringRef::kInlineBytes + 1> masks{};
    for (size_t n = 0; n < masks.size(); ++n) {
        for (size_t i = 0; i < n; ++i) {
            masks[n][i] = 0xFF;
        }
    }
    return masks;
}();

/// StringRef(data, size) without a byte loop: 16 bytes at `data` are readable whatever the size.
void store_view(StringRef* view, const char* data, uint32_t size) {
    if (size <= StringRef::kInlineBytes) {
        __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data));
        bytes = _mm_and_si128(
            bytes, _mm_load_si128(reinterpret_cast<const __m128i*>(kKeepBytes[size].data()))
        );
        bytes = _mm_insert_epi32(_mm_slli_si128(bytes, 4), static_cast<int>(size), 0);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(view), bytes);
    } else {
        *view = StringRef(data, size);
    }
}

bool is_null_mark(const char* data, uint32_t size) {
    return size == 2 && data[0] == '\\' && data[1] == 'N';
}

}  // namespace

CsvReader::CsvReader(CsvOptions options, BadRowListener& bad_rows)
    : options_(std::move(options)),
      bad_rows_(bad_rows),
      builders_(options_.num_columns, SourceColumnBuilder(options_.max_batch_rows)) {}

bool CsvReader::is_simple() const {
    return options_.column_separator.size() == 1 && options_.line_delimiter.size() == 1 &&
           options_.enclose == 0 && !options_.trim_double_quotes && !options_.empty_field_as_null;
}

Status CsvReader::feed(std::string_view text) {
    size_t rest = text_size_ - position_;
    if (rest + text.size() > kMaxRowBytes + text.size()) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "row {} is longer than {} bytes: is the line delimiter right?",
            lines_seen_ + 1,
            kMaxRowBytes
        );
    }
    auto joined = Buffer::allocate(rest + text.size());
    if (rest != 0) {
        std::memcpy(joined->data(), text_->data() + position_, rest);
    }
    std::memcpy(joined->data() + rest, text.data(), text.size());
    text_ = std::move(joined);
    text_size_ = rest + text.size();
    position_ = 0;

    // Only whole rows are looked at, and a character may be cut at the end of the piece.
    std::string_view all(text_->as<char>(), text_size_);
    size_t whole_rows = all.rfind(options_.line_delimiter);
    text_is_utf8_ =
        whole_rows == std::string_view::npos || simdjson::validate_utf8(all.data(), whole_rows);
    boundaries_.clear();
    next_boundary_ = 0;
    if (is_simple()) {
        find_either_byte(
            all, options_.column_separator[0], options_.line_delimiter[0], boundaries_
        );
    }
    return {};
}

Status CsvReader::finish_input() {
    input_finished_ = true;
    if (position_ < text_size_) {
        RETURN_IF_ERROR(feed(options_.line_delimiter));  // The last row need not be delimited.
    }
    return {};
}

void CsvReader::start_batch() {
    for (auto& builder : builders_) {
        builder.start();
    }
    row_texts_ = Buffer::allocate(sizeof(StringRef) * options_.max_batch_rows);
    row_numbers_.clear();
    rewritten_.clear();
    num_rows_ = 0;
    in_batch_ = true;
}

Result<bool> CsvReader::next(Batch& batch) {
    if (text_ == nullptr) {
        return false;
    }
    if (!in_batch_) {
        start_batch();
    }
    if (is_simple()) {
        read_simple_rows();
    } else {
        read_general_rows();
    }
    if (num_rows_ == 0) {
        if (input_finished_ && position_ < text_size_) {
            std::string_view rest(text_->as<char>() + position_, text_size_ - position_);
            ++lines_seen_;
            reject(rest, "the text ends inside an enclosed field");
            position_ = text_size_;
        }
        return false;
    }
    // A batch refers to one text only, so it ends with the text even when it has room.
    batch = finish_batch();
    return true;
}

bool CsvReader::skip_this_line() {
    return ++lines_seen_ <= options_.skip_lines;
}

void CsvReader::reject(std::string_view row, std::string_view reason) {
    bad_rows_.bad_row(lines_seen_, reason, row);
}

bool CsvReader::check_row(std::string_view row, uint32_t num_fields) {
    if (!text_is_utf8_ && !simdjson::validate_utf8(row.data(), row.size())) {
        reject(row, "the row is not encoded in UTF-8");
        return false;
    }
    if (num_fields != options_.num_columns) {
        reject(
            row,
            fmt::format(
                "actual column number in csv file is {} than schema column number. actual number: "
                "{}, schema column number: {}",
                num_fields < options_.num_columns ? "less" : "more",
                num_fields,
                options_.num_columns
            )
        );
        return false;
    }
    return true;
}

bool CsvReader::read_simple_rows() {
    const char* text = text_->as<char>();
    const char delimiter = options_.line_delimiter[0];
    while (num_rows_ < options_.max_batch_rows) {
        // The row's delimiter is normally right where the number of columns says.
        size_t first = next_boundary_;
        size_t last = first;
        while (last < boundaries_.size() && text[boundaries_[last]] != delimiter) {
            ++last;
        }
        if (last == boundaries_.size()) {
            return false;
        }
        auto begin = static_cast<uint32_t>(position_);
        uint32_t end = boundaries_[last];
        position_ = end + 1;
        next_boundary_ = last + 1;
        if (delimiter == '\n' && end > begin && text[end - 1] == '\r') {
            --end;
        }
        if (skip_this_line() || end == begin) {
            continue;
        }
        if (check_row({text + begin, end - begin}, static_cast<uint32_t>(last - first + 1))) {
            take_simple_row(first, last, begin, end);
        }
    }
    return true;
}

void CsvReader::take_simple_row(size_t first, size_t last, uint32_t row_begin, uint32_t row_end) {
    const char* text = text_->as<char>();
    uint32_t begin = row_begin;
    for (size_t i = first; i <= last; ++i) {
        uint32_t end = i == last ? row_end : boundaries_[i];
        const char* data = text + begin;
        uint32_t size = end - begin;
        auto& builder = builders_[i - first];
        if (is_null_mark(data, size)) [[unlikely]] {
            builder.set_null(num_rows_);
        } else {
            store_view(builder.views() + num_rows_, data, size);
        }
        begin = end + 1;
    }
    store_view(row_texts_->as<StringRef>() + num_rows_, text + row_begin, row_end - row_begin);
    row_numbers_.push_back(lines_seen_);
    ++num_rows_;
}

bool CsvReader::read_general_rows() {
    while (num_rows_ < options_.max_batch_rows) {
        size_t row_end = 0;
        size_t next_row = 0;
        const char* text = text_->as<char>();
        if (!split_row(row_end, next_row)) {
            return false;
        }
        std::string_view row(text + position_, row_end - position_);
        position_ = next_row;
        if (skip_this_line() || row.empty()) {
            continue;
        }
        if (check_row(row, static_cast<uint32_t>(fields_.size()))) {
            take_general_row(row);
        }
    }
    return true;
}

bool CsvReader::split_row(size_t& row_end, size_t& next_row) {
    std::string_view text(text_->as<char>(), text_size_);
    const std::string& separator = options_.column_separator;
    const std::string& delimiter = options_.line_delimiter;
    fields_.clear();
    size_t at = position_;

    // Without enclosing, the row ends at the first delimiter; with it, delimiters inside enclosed
    // fields do not count.
    size_t line_end = find_text(text, delimiter, at);
    if (line_end == std::string_view::npos) {
        return false;
    }
    for (;;) {
        if (options_.enclose != 0 && at < text.size() && text[at] == options_.enclose) {
            size_t end = at;
            if (!split_enclosed(at, end)) {
                return false;
            }
            at = end;
            if (line_end < at) {
                line_end = find_text(text, delimiter, at);
                if (line_end == std::string_view::npos) {
                    return false;
                }
            }
        } else {
            size_t end = std::min(find_text(text.substr(0, line_end), separator, at), line_end);
            bool strip_return =
                end == line_end && delimiter == "\n" && end > at && text[end - 1] == '\r';
            fields_.push_back(make_field(text.substr(at, end - at - (strip_return ? 1 : 0))));
            at = end;
        }
        if (at >= line_end) {
            break;
        }
        if (text.substr(at, separator.size()) == separator) {
            at += separator.size();
        } else if (text[at] == '\r' && at + 1 == line_end) {
            break;
        }
    }
    row_end = line_end;
    if (delimiter == "\n" && row_end > position_ && text[row_end - 1] == '\r') {
        --row_end;
    }
    next_row = line_end + delimiter.size();
    return true;
}

bool CsvReader::split_enclosed(size_t& at, size_t& end) {
    std::string_view text(text_->as<char>(), text_size_);
    const char enclose = options_.enclose;
    std::string value;
    bool is_rewritten = false;
    size_t begin = at + 1;
    size_t i = begin;
    for (; i < text.size(); ++i) {
        char c = text[i];
        bool escapes = options_.escape != 0 && c == options_.escape && options_.escape != enclose &&
                       i + 1 < text.size();
        bool doubles = c == enclose && i + 1 < text.size() && text[i + 1] == enclose;
        if (escapes || doubles) {
            if (!is_rewritten) {
                value.assign(text.substr(begin, i - begin));
                is_rewritten = true;
            }
            value.push_back(text[++i]);
            continue;
        }
        if (c == enclose) {
            break;
        }
        if (is_rewritten) {
            value.push_back(c);
        }
    }
    // The last byte of the piece may be the first half of a doubled enclosing byte, or the
    // delimiter may still come.
    if (i + 1 >= text.size()) {
        return false;
    }
    end = i + 1;
    // What stands between the closing byte and the separator belongs to the field, as it came.
    size_t line_end = find_text(text, options_.line_delimiter, end);
    size_t separator = find_text(text.substr(0, line_end), options_.column_separator, end);
    size_t stop = std::min(separator, line_end);
    if (stop == std::string_view::npos) {
        return false;
    }
    size_t content_end = stop;
    if (stop == line_end && options_.line_delimiter == "\n" && stop > end &&
        text[stop - 1] == '\r') {
        content_end = stop - 1;
    }
    if (content_end > end) {
        fields_.push_back(make_field(text.substr(at, content_end - at)));
        end = stop;
        return true;
    }
    end = stop;

    // As in Doris, double quotes that enclose are part of the value unless trim_double_quotes says
    // otherwise.
    bool keep_enclosing = enclose == '"' && !options_.trim_double_quotes;
    if (keep_enclosing) {
        fields_.push_back({text.data() + at, static_cast<uint32_t>(i + 1 - at), false});
    } else if (is_rewritten) {
        auto bytes = Buffer::copy_of(value.data(), value.size());
        fields_.push_back({bytes->as<char>(), static_cast<uint32_t>(value.size()), false});
        rewritten_.push_back(std::move(bytes));
    } else {
        fields_.push_back({text.data() + begin, static_cast<uint32_t>(i - begin), false});
    }
    return true;
}

CsvReader::Field CsvReader::make_field(std::string_view raw) const {
    if (is_null_mark(raw.data(), static_cast<uint32_t>(raw.size()))) {
        return {raw.data(), 0, true};
    }
    if (options_.trim_double_quotes && raw.size() >= 2 && raw.front() == '"' && raw.back() == '"') {
        raw = raw.substr(1, raw.size() - 2);
    }
    return {
        raw.data(), static_cast<uint32_t>(raw.size()), raw.empty() && options_.empty_field_as_null
    };
}

void CsvReader::take_general_row(std::string_view row) {
    for (size_t i = 0; i < fields_.size(); ++i) {
        const Field& field = fields_[i];
        if (field.is_null) {
            builders_[i].set_null(num_rows_);
        } else {
            builders_[i].views()[num_rows_] = StringRef(field.data, field.size);
        }
    }
    row_texts_->as<StringRef>()[num_rows_] = StringRef(row);
    row_numbers_.push_back(lines_seen_);
    ++num_rows_;
}

Batch CsvReader::finish_batch() {
    Batch batch;
    batch.num_rows = num_rows_;
    std::vector<BufferPtr> payloads(rewritten_.begin(), rewritten_.end());
    payloads.push_back(text_);
    for (auto& builder : builders_) {
        batch.columns.push_back(builder.finish(num_rows_, payloads));
    }
    batch.columns.push_back(make_row_numbers(row_numbers_));
    batch.columns.push_back(
        Column::flat(DataType::varchar(), num_rows_, std::move(row_texts_), nullptr, {text_})
    );
    in_batch_ = false;
    return batch;
}

}  // namespace thetis
