// SPDX-License-Identifier: Apache-2.0
#include "format/json/json_reader.h"

#include <cstring>
#include <unordered_map>

#include <simdjson.h>

#include "format/csv/csv_scanner.h"

namespace thetis {

namespace ondemand = simdjson::ondemand;

namespace {

constexpr size_t kMaxLineBytes = size_t{128} << 20;

struct Cell {
    std::string_view text;
    bool is_null = true;
};

std::string_view trim(std::string_view text);

/// Whether a body that should be one object looks like one object per line; later versions of Doris
/// read it so.
bool is_one_object_per_line(std::string_view body) {
    size_t end = body.find('\n');
    if (end == std::string_view::npos) {
        return false;
    }
    std::string_view first = trim(body.substr(0, end));
    std::string_view rest = trim(body.substr(end));
    return !first.empty() && first.back() == '}' && !rest.empty() && rest.front() == '{';
}

std::string_view trim(std::string_view text) {
    size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

}  // namespace

/// Parses one JSON text at a time and adds its rows to the batch being built.
class JsonReader::Parser {
public:
    Parser(const JsonOptions& options, BadRowListener& bad_rows)
        : options_(options),
          bad_rows_(bad_rows),
          builders_(options.columns.size(), SourceColumnBuilder(options.max_batch_rows)) {
        for (size_t i = 0; i < options.columns.size(); ++i) {
            column_of_key_.emplace(options.columns[i], i);
        }
        cells_.resize(options.columns.size());
    }

    bool is_full() const { return num_rows_ >= options_.max_batch_rows; }

    bool has_rows() const { return num_rows_ != 0; }

    /// Starts a JSON text, which is readable for SIMDJSON_PADDING bytes past its end and kept alive
    /// by `text`.
    void start(std::string_view json, BufferPtr text, int64_t line) {
        if (!in_batch_) {
            start_batch();
        }
        if (payloads_.empty() || payloads_.back() != text) {
            payloads_.push_back(text);
        }
        json_ = json;
        source_ = std::move(text);
        line_ = line;
        row_in_text_ = 0;
        auto error =
            parser_.iterate(json.data(), json.size(), json.size() + simdjson::SIMDJSON_PADDING)
                .get(document_);
        is_open_ = error == simdjson::SUCCESS;
        if (!is_open_) {
            reject(simdjson::error_message(error), json);
            return;
        }
        error = open_rows();
        if (error != simdjson::SUCCESS) {
            reject(simdjson::error_message(error), json);
            is_open_ = false;
        }
    }

    bool is_open() const { return is_open_; }

    /// Takes rows of the open text until the batch is full or the text ends.
    void take_rows() {
        // A full batch may end in the middle of an array; its strings then need the text in the
        // next batch too.
        if (!in_batch_) {
            start_batch();
            payloads_.push_back(source_);
        }
        while (is_open_ && !is_full()) {
            if (!is_array_) {
                is_open_ = false;
                ondemand::object object;
                auto error = std::move(single_).get(object);
                take_object(object, error);
                return;
            }
            if (next_ == end_) {
                is_open_ = false;
                return;
            }
            ondemand::object object;
            auto error = (*next_).get_object().get(object);
            bool taken = take_object(object, error);
            if (!taken && is_fatal_) {
                is_open_ = false;
                return;
            }
            ++next_;
        }
    }

    Batch finish_batch() {
        Batch batch;
        batch.num_rows = num_rows_;
        for (auto& builder : builders_) {
            batch.columns.push_back(builder.finish(num_rows_, payloads_));
        }
        batch.columns.push_back(make_row_numbers(row_numbers_));
        batch.columns.push_back(
            Column::flat(DataType::varchar(), num_rows_, std::move(row_texts_), nullptr, payloads_)
        );
        in_batch_ = false;
        num_rows_ = 0;
        return batch;
    }

private:
    void start_batch() {
        for (auto& builder : builders_) {
            builder.start();
        }
        row_texts_ = Buffer::allocate(sizeof(StringRef) * options_.max_batch_rows);
        row_numbers_.clear();
        payloads_.clear();
        num_rows_ = 0;
        in_batch_ = true;
    }

    simdjson::error_code open_rows() {
        is_fatal_ = false;
        is_array_ = false;
        if (options_.root.steps.empty()) {
            ondemand::json_type type;
            if (auto error = document_.type().get(type)) {
                return error;
            }
            if (type == ondemand::json_type::array) {
                return open_array(document_.get_array());
            }
            single_ = document_.get_object();
            return single_.error();
        }
        ondemand::value root;
        if (auto error = walk(document_, options_.root).get(root)) {
            return error;
        }
        ondemand::json_type type;
        if (auto error = root.type().get(type)) {
            return error;
        }
        if (type == ondemand::json_type::array) {
            return open_array(root.get_array());
        }
        single_ = root.get_object();
        return single_.error();
    }

    simdjson::error_code open_array(simdjson::simdjson_result<ondemand::array> array) {
        if (array.error() != simdjson::SUCCESS) {
            return array.error();
        }
        array_ = array.value_unsafe();
        is_array_ = true;
        if (auto error = array_.begin().get(next_)) {
            return error;
        }
        return array_.end().get(end_);
    }

    template <typename Start>
    static simdjson::simdjson_result<ondemand::value> walk(Start& start, const JsonPath& path) {
        simdjson::simdjson_result<ondemand::value> value = simdjson::NO_SUCH_FIELD;
        bool is_first = true;
        for (const JsonStep& step : path.steps) {
            if (is_first) {
                value = step_into(start, step);
                is_first = false;
            } else {
                value = step_into(value, step);
            }
            if (value.error() != simdjson::SUCCESS) {
                return value;
            }
        }
        return value;
    }

    template <typename From>
    static simdjson::simdjson_result<ondemand::value> step_into(From& from, const JsonStep& step) {
        if constexpr (requires { from.at(0); }) {
            return step.index >= 0 ? from.at(static_cast<size_t>(step.index))
                                   : from.find_field_unordered(step.key);
        } else {
            return step.index >= 0
                       ? simdjson::simdjson_result<ondemand::value>(simdjson::INCORRECT_TYPE)
                       : from.find_field_unordered(step.key);
        }
    }

    bool take_object(ondemand::object& object, simdjson::error_code error) {
        int64_t number = line_ + row_in_text_++;
        std::string_view raw = json_;
        if (error == simdjson::SUCCESS && is_array_) {
            error = object.raw_json().get(raw);
            if (error == simdjson::SUCCESS) {
                error = object.reset().error();
            }
        }
        if (error == simdjson::SUCCESS) {
            std::fill(cells_.begin(), cells_.end(), Cell());
            error = options_.paths.empty() ? read_members(object) : read_paths(object);
        }
        if (error == simdjson::SUCCESS && !is_array_ && options_.root.steps.empty()) {
            std::string_view whole;
            if (!options_.paths.empty()) {
                error = object.raw_json().get(whole);
            }
            if (error == simdjson::SUCCESS &&
                document_.current_location().error() == simdjson::SUCCESS) {
                error = simdjson::INCOMPLETE_ARRAY_OR_OBJECT;  // Something follows the object.
            }
        }
        if (error != simdjson::SUCCESS) {
            is_fatal_ = error != simdjson::INCORRECT_TYPE;  // After a wrong type the array goes on;
                                                            // after broken JSON nothing does.
            bad_rows_.bad_row(
                number,
                fmt::format(
                    "the row is not a JSON object that can be read: {}",
                    simdjson::error_message(error)
                ),
                raw
            );
            return false;
        }
        commit_row(trim(raw), number);
        return true;
    }

    simdjson::error_code read_members(ondemand::object& object) {
        size_t guess = 0;
        for (auto member : object) {
            ondemand::field field;
            if (auto error = std::move(member).get(field)) {
                return error;
            }
            std::string_view key;
            if (auto error = field.unescaped_key().get(key)) {
                return error;
            }
            // Rows mostly have their keys in one order.
            size_t column;
            if (guess < options_.columns.size() && options_.columns[guess] == key) {
                column = guess;
            } else {
                key_.assign(key);
                auto found = column_of_key_.find(key_);
                if (found == column_of_key_.end()) {
                    continue;
                }
                column = found->second;
            }
            guess = column + 1;
            ondemand::value value = field.value();
            if (auto error = read_value(value, cells_[column])) {
                return error;
            }
        }
        return simdjson::SUCCESS;
    }

    simdjson::error_code read_paths(ondemand::object& object) {
        for (size_t i = 0; i < options_.paths.size(); ++i) {
            if (options_.paths[i].steps.empty()) {
                std::string_view raw;
                if (auto error = object.raw_json().get(raw)) {
                    return error;
                }
                cells_[i] = {trim(raw), false};
            } else {
                auto found = walk(object, options_.paths[i]);
                auto error = found.error();
                if (error == simdjson::SUCCESS) {
                    ondemand::value value = found.value_unsafe();
                    error = read_value(value, cells_[i]);
                }
                if (error != simdjson::SUCCESS && error != simdjson::NO_SUCH_FIELD &&
                    error != simdjson::INDEX_OUT_OF_BOUNDS && error != simdjson::INCORRECT_TYPE) {
                    return error;
                }
            }
            if (auto error = object.reset().error()) {
                return error;
            }
        }
        return simdjson::SUCCESS;
    }

    simdjson::error_code read_value(ondemand::value& value, Cell& cell) {
        ondemand::json_type type;
        if (auto error = value.type().get(type)) {
            return error;
        }
        switch (type) {
            case ondemand::json_type::string: {
                std::string_view token = trim(value.raw_json_token());
                if (token.size() >= 2 && token.back() == '"' &&
                    std::memchr(token.data(), '\\', token.size()) == nullptr) {
                    cell = {token.substr(1, token.size() - 2), false};
                    return simdjson::SUCCESS;
                }
                std::string_view unescaped;
                if (auto error = value.get_string().get(unescaped)) {
                    return error;
                }
                cell = {keep(unescaped), false};
                return simdjson::SUCCESS;
            }
            case ondemand::json_type::number:
                cell = {trim(value.raw_json_token()), false};
                return simdjson::SUCCESS;
            case ondemand::json_type::boolean: {
                bool flag;
                if (auto error = value.get_bool().get(flag)) {
                    return error;
                }
                cell = {flag ? "1" : "0", false};
                return simdjson::SUCCESS;
            }
            case ondemand::json_type::null:
                cell = {};
                return simdjson::SUCCESS;
            case ondemand::json_type::array: {
                ondemand::array array;
                if (auto error = value.get_array().get(array)) {
                    return error;
                }
                std::string_view raw;
                auto error = array.raw_json().get(raw);
                cell = {trim(raw), false};
                return error;
            }
            default: {
                ondemand::object object;
                if (auto error = value.get_object().get(object)) {
                    return error;
                }
                std::string_view raw;
                auto error = object.raw_json().get(raw);
                cell = {trim(raw), false};
                return error;
            }
        }
    }

    /// Copies bytes that the parser will overwrite to memory the batch keeps.
    std::string_view keep(std::string_view text) {
        auto bytes = Buffer::copy_of(text.data(), text.size());
        std::string_view kept(bytes->as<char>(), text.size());
        if (text.size() > StringRef::kInlineBytes) {
            payloads_.push_back(std::move(bytes));
        } else {
            short_strings_.push_back(std::move(bytes));
        }
        return kept;
    }

    void commit_row(std::string_view raw, int64_t number) {
        for (size_t i = 0; i < cells_.size(); ++i) {
            if (cells_[i].is_null) {
                builders_[i].set_null(num_rows_);
            } else {
                builders_[i].views()[num_rows_] = StringRef(cells_[i].text);
            }
        }
        short_strings_.clear();
        row_texts_->as<StringRef>()[num_rows_] = StringRef(raw);
        row_numbers_.push_back(number);
        ++num_rows_;
    }

    void reject(std::string_view reason, std::string_view row) {
        bad_rows_.bad_row(line_, fmt::format("not valid JSON: {}", reason), row);
    }

    const JsonOptions& options_;
    BadRowListener& bad_rows_;
    std::vector<SourceColumnBuilder> builders_;
    std::unordered_map<std::string, size_t> column_of_key_;
    std::string key_;

    ondemand::parser parser_;
    ondemand::document document_;
    simdjson::simdjson_result<ondemand::object> single_;
    ondemand::array array_;
    ondemand::array_iterator next_;
    ondemand::array_iterator end_;
    std::string_view json_;
    BufferPtr source_;
    bool is_open_ = false;
    bool is_array_ = false;
    bool is_fatal_ = false;
    int64_t line_ = 0;
    int64_t row_in_text_ = 0;

    bool in_batch_ = false;
    uint32_t num_rows_ = 0;
    std::vector<Cell> cells_;
    std::vector<BufferPtr> payloads_;
    std::vector<BufferPtr> short_strings_;
    std::vector<int64_t> row_numbers_;
    std::shared_ptr<Buffer> row_texts_;
};

JsonReader::JsonReader(JsonOptions options, BadRowListener& bad_rows)
    : options_(std::move(options)),
      bad_rows_(bad_rows),
      parser_(std::make_unique<Parser>(options_, bad_rows)) {}

JsonReader::~JsonReader() = default;

Status JsonReader::feed(std::string_view text) {
    if (!options_.read_by_line) {
        body_bytes_ += static_cast<int64_t>(text.size());
        if (body_bytes_ > options_.max_body_bytes) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "the JSON body is larger than streaming_load_json_max_mb ({} MB) and not read by "
                "line",
                options_.max_body_bytes >> 20
            );
        }
        pieces_.emplace_back(text);
        return {};
    }
    size_t rest = text_size_ - position_;
    if (rest > kMaxLineBytes) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "line {} of the JSON body is longer than {} bytes",
            lines_seen_ + 1,
            kMaxLineBytes
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
    return {};
}

Status JsonReader::finish_input() {
    input_finished_ = true;
    if (options_.read_by_line) {
        return position_ < text_size_ ? feed("\n") : Status();
    }
    size_t size = 0;
    for (const auto& piece : pieces_) {
        size += piece.size();
    }
    text_ = Buffer::allocate(size);
    text_size_ = size;
    size_t at = 0;
    for (const auto& piece : pieces_) {
        std::memcpy(const_cast<uint8_t*>(text_->data()) + at, piece.data(), piece.size());
        at += piece.size();
    }
    pieces_.clear();
    return {};
}

Result<bool> JsonReader::next(Batch& batch) {
    while (!parser_->is_full()) {
        if (parser_->is_open()) {
            parser_->take_rows();
            continue;
        }
        if (!(options_.read_by_line || lines_of_body_ ? read_line() : read_body())) {
            break;
        }
    }
    if (!parser_->has_rows()) {
        return false;
    }
    batch = parser_->finish_batch();
    return true;
}

bool JsonReader::read_line() {
    if (text_ == nullptr) {
        return false;
    }
    std::string_view text(text_->as<char>(), text_size_);
    size_t end = find_text(text, "\n", position_);
    if (end == std::string_view::npos) {
        if (!lines_of_body_ || position_ >= text_size_) {
            return false;
        }
        end = text_size_;
    }
    std::string_view line = trim(text.substr(position_, end - position_));
    position_ = std::min(end + 1, text_size_);
    ++lines_seen_;
    if (!line.empty()) {
        parser_->start(line, text_, lines_seen_);
    }
    return true;
}

bool JsonReader::read_body() {
    if (!input_finished_ || body_done_ || text_ == nullptr) {
        return false;
    }
    body_done_ = true;
    std::string_view body = trim({text_->as<char>(), text_size_});
    if (!body.empty()) {
        if (body[0] == '[' && !options_.strip_outer_array && options_.root.steps.empty()) {
            bad_rows_.bad_row(
                1, "the body is a JSON array; strip_outer_array must be set to true", body
            );
            return false;
        }
        if (body[0] != '[' && options_.strip_outer_array && options_.root.steps.empty()) {
            bad_rows_.bad_row(
                1, "the body is not a JSON array; strip_outer_array must be set to false", body
            );
            return false;
        }
        if (body[0] == '{' && options_.root.steps.empty() && is_one_object_per_line(body)) {
            text_size_ = static_cast<size_t>(body.data() - text_->as<char>()) + body.size();
            lines_of_body_ = true;
            return read_line();
        }
        parser_->start(body, text_, 1);
    }
    return true;
}

}  // namespace thetis
