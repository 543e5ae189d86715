// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <unordered_set>

#include "column/sort_key.h"
#include "functions/aggregate_adapters.h"

namespace thetis {

namespace {

/// One row: where it sorts, its text and the separator that goes before it.
struct Entry {
    std::string key;
    std::string text;
    std::string separator;
};

/// All rows of a group. They are ordered, and duplicates dropped, when the result is written.
struct Entries {
    bool distinct = false;
    std::vector<Entry> rows;
    size_t num_bytes = 0;

    void add(std::string_view key, std::string_view text, std::string_view separator) {
        num_bytes += sizeof(Entry) + key.size() + text.size() + separator.size();
        rows.push_back({std::string(key), std::string(text), std::string(separator)});
    }

    void merge(const Entries& other) {
        rows.insert(rows.end(), other.rows.begin(), other.rows.end());
        num_bytes += other.num_bytes;
    }

    /// Per row its key, text and separator, each a u32 length and the bytes.
    void write(std::string& out) const {
        for (const Entry& row : rows) {
            for (const std::string* part : {&row.key, &row.text, &row.separator}) {
                const auto size = static_cast<uint32_t>(part->size());
                out.append(reinterpret_cast<const char*>(&size), sizeof(size));
                out += *part;
            }
        }
    }

    bool read(std::string_view bytes) {
        while (!bytes.empty()) {
            std::string_view parts[3];
            for (std::string_view& part : parts) {
                uint32_t size;
                if (bytes.size() < sizeof(size)) {
                    return false;
                }
                std::memcpy(&size, bytes.data(), sizeof(size));
                bytes.remove_prefix(sizeof(size));
                if (bytes.size() < size) {
                    return false;
                }
                part = bytes.substr(0, size);
                bytes.remove_prefix(size);
            }
            add(parts[0], parts[1], parts[2]);
        }
        return true;
    }

    void append_result(ColumnBuilder& builder) const {
        if (rows.empty()) {
            builder.append_null();
            return;
        }
        std::vector<const Entry*> sorted;
        sorted.reserve(rows.size());
        for (const Entry& row : rows) {
            sorted.push_back(&row);
        }
        // Rows lie in order of arrival, so their addresses keep equal keys stable.
        std::sort(sorted.begin(), sorted.end(), [](const Entry* a, const Entry* b) {
            const int order = a->key.compare(b->key);
            return order != 0 ? order < 0 : a < b;
        });
        std::unordered_set<std::string_view> seen;
        std::string joined;
        bool is_first = true;
        for (const Entry* row : sorted) {
            if (distinct && !seen.insert(row->text).second) {
                continue;
            }
            if (!is_first) {
                joined += row->separator;
            }
            joined += row->text;
            is_first = false;
        }
        builder.append_string(joined);
    }

    size_t heap_bytes() const { return num_bytes; }
};

struct KeySpec {
    bool distinct = false;
    std::vector<SortOrder> orders;
};

// "D+F-L": distinct; first key ascending with NULLs first, second descending with NULLs last.
bool parse(std::string_view text, KeySpec& spec) {
    if (text.starts_with('D')) {
        spec.distinct = true;
        text.remove_prefix(1);
    }
    for (; text.size() >= 2; text.remove_prefix(2)) {
        spec.orders.push_back({text[0] == '+', text[1] == 'F'});
    }
    return text.empty();
}

Result<AggregateFunctionPtr> bind(const AggregateBind& call) {
    constexpr size_t kFirstKey = 3;
    KeySpec spec;
    const auto types = call.argument_types;
    if (types.size() < kFirstKey || !types[0].is_string() || !types[1].is_string() ||
        !types[2].is_string() || call.constants.empty() || call.constants[0].is_null() ||
        !call.constants[0].type().is_string() || !parse(call.constants[0].as_text(), spec) ||
        spec.orders.size() != types.size() - kFirstKey) {
        return unsupported_aggregate(call);
    }
    auto encoder = std::make_shared<const SortKeyEncoder>(
        std::vector<DataType>(types.begin() + kFirstKey, types.end()), spec.orders
    );
    const bool has_keys = !spec.orders.empty();
    Entries initial;
    initial.distinct = spec.distinct;
    return make_bytes_aggregate<Entries>(
        call,
        [encoder, has_keys](const AggregateInput& input, auto emit) {
            SortKeys keys;
            if (has_keys) {
                encoder->encode(
                    input.arguments.subspan(kFirstKey), input.selection, input.num_rows, keys
                );
            }
            const AggregateInput texts{
                input.arguments.subspan(1, 2), input.selection, input.num_rows
            };
            for_each_pair<StringRef, StringRef>(
                texts,
                [&](uint32_t i, const StringRef& text, const StringRef& separator) {
                    emit(i, [&](Entries& state) {
                        state.add(
                            has_keys ? keys[i] : std::string_view(), text.view(), separator.view()
                        );
                    });
                }
            );
        },
        initial
    );
}

}  // namespace

void register_ordered_group_concat(AggregateRegistry& registry) {
    registry.add("ordered_group_concat", bind);
}

}  // namespace thetis
