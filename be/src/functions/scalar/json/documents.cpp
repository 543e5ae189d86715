// SPDX-License-Identifier: Apache-2.0
// json_parse, json_valid, json_length, json_type, json_quote, json_unquote, json_contains,
// json_array, json_object.
#include "base/text/json_writer.h"
#include "column/text_conversion.h"
#include "functions/adapters.h"
#include "functions/scalar/json/document_path.h"

namespace thetis {

namespace {

using View = std::string_view;
using Element = simdjson::dom::element;

View type_name_of(Element element) {
    switch (element.type()) {
        case simdjson::dom::element_type::ARRAY:
            return "array";
        case simdjson::dom::element_type::OBJECT:
            return "object";
        case simdjson::dom::element_type::DOUBLE:
            return "double";
        case simdjson::dom::element_type::STRING:
            return "string";
        case simdjson::dom::element_type::BOOL:
            return "bool";
        case simdjson::dom::element_type::NULL_VALUE:
            return "null";
        default: {
            const auto value = element.get_int64();
            return value.error() == simdjson::SUCCESS &&
                           value.value_unsafe() == static_cast<int32_t>(value.value_unsafe())
                       ? "int"
                       : "bigint";
        }
    }
}

int32_t length_of(Element element) {
    if (element.is_array()) {
        return static_cast<int32_t>(element.get_array().value_unsafe().size());
    }
    return element.is_object() ? static_cast<int32_t>(element.get_object().value_unsafe().size())
                               : 1;
}

std::optional<Element> at(View document, View path_text) {
    const auto path = DocumentPath::parse(path_text);
    const auto root = path.has_value() ? parse_json(document) : std::nullopt;
    return root.has_value() ? path->find(*root) : std::nullopt;
}

/// MySQL's containment: objects by keys, arrays by elements, scalars by value.
bool contains(Element target, Element candidate) {
    if (target.is_object() && candidate.is_object()) {
        // Named: a loop over what a temporary refers to outlives the temporary.
        const simdjson::dom::object fields = target.get_object().value_unsafe();
        const simdjson::dom::object wanted = candidate.get_object().value_unsafe();
        for (const auto& field : wanted) {
            Element inner;
            if (fields.at_key(field.key).get(inner) != simdjson::SUCCESS ||
                !contains(inner, field.value)) {
                return false;
            }
        }
        return true;
    }
    if (target.is_array()) {
        const simdjson::dom::array elements = target.get_array().value_unsafe();
        if (candidate.is_array()) {
            const simdjson::dom::array all = candidate.get_array().value_unsafe();
            for (Element wanted : all) {
                if (std::none_of(elements.begin(), elements.end(), [&](Element element) {
                        return contains(element, wanted);
                    })) {
                    return false;
                }
            }
            return true;
        }
        return std::any_of(elements.begin(), elements.end(), [&](Element element) {
            return contains(element, candidate);
        });
    }
    double a;
    double b;
    if (target.is_number() && candidate.is_number() && target.get(a) == simdjson::SUCCESS &&
        candidate.get(b) == simdjson::SUCCESS) {
        return a == b;
    }
    return simdjson::to_string(target) == simdjson::to_string(candidate);
}

/// Both documents are alive at once, so each has its own parser.
bool contains_text(View document, View candidate, const std::optional<DocumentPath>& path) {
    simdjson::dom::parser parser;
    Element wanted;
    const auto root = parse_json(document);
    if (!root.has_value() ||
        parser.parse(candidate.data(), candidate.size()).get(wanted) != simdjson::SUCCESS) {
        return false;
    }
    const auto target = path.has_value() ? path->find(*root) : root;
    return target.has_value() && contains(*target, wanted);
}

/// A value of any column as JSON: numbers and booleans bare, JSON as it is, everything else quoted.
void append_value(std::string& out, const Column& column, uint32_t row) {
    if (column.is_null(row)) {
        out += "null";
        return;
    }
    std::string text;
    append_value_text(column, row, text);
    switch (column.type().id) {
        case TypeId::kBoolean:
            out += text == "1" ? "true" : "false";
            return;
        case TypeId::kTinyint:
        case TypeId::kSmallint:
        case TypeId::kInt:
        case TypeId::kBigint:
        case TypeId::kLargeint:
        case TypeId::kFloat:
        case TypeId::kDouble:
        case TypeId::kDecimal:
        case TypeId::kJson:
            out += text;
            return;
        default:
            append_json_string(out, text);
    }
}

Result<ColumnPtr> make_array(const KernelCall& call) {
    ColumnBuilder builder(call.result_type, call.num_rows);
    for (uint32_t row = 0; row < call.num_rows; ++row) {
        std::string json = "[";
        for (size_t i = 0; i < call.arguments.size(); ++i) {
            json += i > 0 ? "," : "";
            append_value(json, *call.arguments[i], row);
        }
        builder.append_string(json + "]");
    }
    return builder.finish();
}

Result<ColumnPtr> make_object(const KernelCall& call) {
    if (call.arguments.size() % 2 != 0) {
        return Status::error(
            ErrorCode::kInvalidArgument, "json_object needs a value for every key"
        );
    }
    ColumnBuilder builder(call.result_type, call.num_rows);
    for (uint32_t row = 0; row < call.num_rows; ++row) {
        std::string json = "{";
        for (size_t i = 0; i < call.arguments.size(); i += 2) {
            if (call.arguments[i]->is_null(row)) {
                return Status::error(
                    ErrorCode::kInvalidArgument, "json_object key must not be NULL"
                );
            }
            json += i > 0 ? "," : "";
            append_json_string(json, value_text(*call.arguments[i], row));
            json += ':';
            append_value(json, *call.arguments[i + 1], row);
        }
        builder.append_string(json + "}");
    }
    return builder.finish();
}

Result<ColumnPtr> parse_documents(const KernelCall& call) {
    const ColumnView<StringRef> texts(*call.arguments[0]);
    ColumnBuilder builder(call.result_type, call.num_rows);
    std::string json;
    for (uint32_t i = 0; i < call.num_rows; ++i) {
        if (!texts.is_valid(i)) {
            builder.append_null();
            continue;
        }
        const auto root = parse_json(texts[i].view());
        if (!root.has_value()) {
            return Status::error(
                ErrorCode::kInvalidArgument,
                "Parse json document failed: {}",
                texts[i].view().substr(0, 200)
            );
        }
        json.clear();
        append_json(json, *root);
        builder.append_string(json);
    }
    return builder.finish();
}

template <typename R, typename Function>
KernelFactory with_optional_path(Function function) {
    return [function](const BindCall& call) -> Result<Kernel> {
        if (call.argument_types.size() == 1) {
            return row_kernel<View>([function](View document) -> std::optional<R> {
                const auto root = parse_json(document);
                return root.has_value() ? std::optional<R>(function(*root)) : std::nullopt;
            });
        }
        return row_kernel<View, View>([function](View document, View path) -> std::optional<R> {
            const auto found = at(document, path);
            return found.has_value() ? std::optional<R>(function(*found)) : std::nullopt;
        });
    };
}

}  // namespace

void register_documents(ScalarRegistry& registry) {
    registry.add_kernel("json_parse", parse_documents);
    registry.add_kernel("json_valid", row_kernel<View>([](View text) {
                            return int32_t{parse_json(text).has_value() ? 1 : 0};
                        }));
    registry.add("json_length", with_optional_path<int32_t>(length_of));
    registry.add("json_type", with_optional_path<View>(type_name_of));
    registry.add_kernel("json_quote", text_kernel<View>([](std::string& out, View text) {
                            append_json_string(out, text);
                        }));
    registry.add_kernel("json_unquote", text_kernel<View>([](std::string& out, View text) {
                            const auto root =
                                text.starts_with('"') ? parse_json(text) : std::nullopt;
                            View bare = text;
                            if (root.has_value() &&
                                root->get(bare) != simdjson::error_code::SUCCESS) {
                                bare = text;
                            }
                            out = bare;
                        }));
    registry.add("json_contains", [](const BindCall& call) -> Result<Kernel> {
        if (call.argument_types.size() == 2) {
            return row_kernel<View, View>([](View document, View candidate) {
                return contains_text(document, candidate, std::nullopt);
            });
        }
        return row_kernel<View, View, View>([](View document, View candidate, View path_text) {
            const auto path = DocumentPath::parse(path_text);
            return path.has_value() && contains_text(document, candidate, path);
        });
    });
    registry.add_kernel("json_array", make_array, kSeesNulls);
    registry.add_kernel("json_object", make_object, kSeesNulls);
}

}  // namespace thetis
