// SPDX-License-Identifier: Apache-2.0
// json_extract and its typed forms, get_json_string, get_json_int, get_json_bigint,
// get_json_double, json_exists_path.
#include "base/text/numbers.h"
#include "functions/adapters.h"
#include "functions/scalar/json/document_path.h"

namespace thetis {

namespace {

using View = std::string_view;
using Element = simdjson::dom::element;

/// What to do with the found element: append a value or NULL.
using Append = void (*)(ColumnBuilder&, Element);

/// The element's text: strings bare, everything else as JSON.
std::string bare_text(Element element) {
    View text;
    if (element.get(text) == simdjson::SUCCESS) {
        return std::string(text);
    }
    std::string json;
    append_json(json, element);
    return json;
}

template <typename T>
void append_integer(ColumnBuilder& builder, Element element) {
    int64_t integer;
    double real;
    bool flag;
    T parsed;
    if (element.get(integer) == simdjson::SUCCESS) {
        builder.append(static_cast<T>(integer));
    } else if (element.get(real) == simdjson::SUCCESS) {
        builder.append(static_cast<T>(static_cast<int64_t>(real)));
    } else if (element.get(flag) == simdjson::SUCCESS) {
        builder.append(static_cast<T>(flag ? 1 : 0));
    } else if (element.is_string() && parse_integer(bare_text(element), parsed)) {
        builder.append(parsed);
    } else {
        builder.append_null();
    }
}

void append_double(ColumnBuilder& builder, Element element) {
    double value;
    if (element.get(value) == simdjson::SUCCESS ||
        (element.is_string() && parse_double(bare_text(element), value))) {
        builder.append(value);
    } else {
        builder.append_null();
    }
}

void append_boolean(ColumnBuilder& builder, Element element) {
    bool value;
    if (element.get(value) == simdjson::SUCCESS) {
        builder.append<uint8_t>(value ? 1 : 0);
    } else {
        builder.append_null();
    }
}

void append_text_form(ColumnBuilder& builder, Element element) {
    if (element.is_null()) {
        builder.append_null();
    } else {
        builder.append_string(bare_text(element));
    }
}

void append_json_form(ColumnBuilder& builder, Element element) {
    std::string json;
    append_json(json, element);
    builder.append_string(json);
}

/// Paths seen in a batch; nearly always one.
class PathCache {
public:
    const std::optional<DocumentPath>& of(View text) {
        if (!known_ || text != text_) {
            text_ = text;
            path_ = DocumentPath::parse(text);
            known_ = true;
        }
        return path_;
    }

private:
    std::string text_;
    std::optional<DocumentPath> path_;
    bool known_ = false;
};

/// (json, path): missing documents and paths are NULL.
template <Append kAppend>
Result<ColumnPtr> extract(const KernelCall& call) {
    const ColumnView<StringRef> documents(*call.arguments[0]);
    const ColumnView<StringRef> paths(*call.arguments[1]);
    ColumnBuilder builder(call.result_type, call.num_rows);
    PathCache cache;
    for (uint32_t i = 0; i < call.num_rows; ++i) {
        std::optional<Element> found;
        if (documents.is_valid(i) && paths.is_valid(i)) {
            const auto& path = cache.of(paths[i].view());
            const auto root = path.has_value() ? parse_json(documents[i].view()) : std::nullopt;
            found = root.has_value() ? path->find(*root) : std::nullopt;
        }
        if (found.has_value()) {
            kAppend(builder, *found);
        } else {
            builder.append_null();
        }
    }
    return builder.finish();
}

/// Several paths give an array of what was found; nothing found is NULL.
Result<ColumnPtr> extract_many(const KernelCall& call) {
    if (call.arguments.size() == 2) {
        return extract<append_json_form>(call);
    }
    const ColumnView<StringRef> documents(*call.arguments[0]);
    ColumnBuilder builder(call.result_type, call.num_rows);
    for (uint32_t i = 0; i < call.num_rows; ++i) {
        const auto root = documents.is_valid(i) ? parse_json(documents[i].view()) : std::nullopt;
        std::string json;
        for (size_t p = 1; p < call.arguments.size() && root.has_value(); ++p) {
            const ColumnView<StringRef> paths(*call.arguments[p]);
            const auto path =
                paths.is_valid(i) ? DocumentPath::parse(paths[i].view()) : std::nullopt;
            const auto found = path.has_value() ? path->find(*root) : std::nullopt;
            if (found.has_value()) {
                json += json.empty() ? "[" : ",";
                append_json(json, *found);
            }
        }
        if (json.empty()) {
            builder.append_null();
        } else {
            builder.append_string(json + "]");
        }
    }
    return builder.finish();
}

}  // namespace

void register_extract(ScalarRegistry& registry) {
    registry.add_kernel("json_extract", extract_many);
    registry.add_kernel("json_extract_bigint", extract<append_integer<int64_t>>);
    registry.add_kernel("json_extract_bool", extract<append_boolean>);
    registry.add_kernel("json_extract_double", extract<append_double>);
    registry.add_kernel("json_extract_int", extract<append_integer<int32_t>>);
    registry.add_kernel("json_extract_string", extract<append_text_form>);
    registry.add_kernel("get_json_bigint", extract<append_integer<int64_t>>);
    registry.add_kernel("get_json_double", extract<append_double>);
    registry.add_kernel("get_json_int", extract<append_integer<int32_t>>);
    registry.add_kernel("get_json_string", extract<append_text_form>);
    registry.add_kernel(
        "json_exists_path", row_kernel<View, View>([](View document, View path_text) {
            const auto path = DocumentPath::parse(path_text);
            const auto root = path.has_value() ? parse_json(document) : std::nullopt;
            return root.has_value() && path->find(*root).has_value();
        })
    );
}

}  // namespace thetis
