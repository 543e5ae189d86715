// SPDX-License-Identifier: Apache-2.0
// topn(text, n[, space]): the most frequent texts as JSON, most frequent first. All texts are
// counted, so the answer is exact.
#include <unordered_map>

#include "base/text/json_writer.h"
#include "functions/aggregate_adapters.h"

namespace thetis {

namespace {

struct Frequencies {
    int32_t limit = 0;
    std::unordered_map<std::string, int64_t> counts;
    size_t num_bytes = 0;

    void add(std::string_view text, int64_t times) {
        auto [entry, is_added] = counts.try_emplace(std::string(text), 0);
        entry->second += times;
        num_bytes += is_added ? text.size() + 64 : 0;
    }

    void merge(const Frequencies& other) {
        limit = std::max(limit, other.limit);
        for (const auto& [text, times] : other.counts) {
            add(text, times);
        }
    }

    /// i32 limit, then (i64 count | u32 size | bytes) per text.
    void write(std::string& out) const {
        write_plain(limit, out);
        for (const auto& [text, times] : counts) {
            write_plain(times, out);
            write_plain(static_cast<uint32_t>(text.size()), out);
            out += text;
        }
    }

    bool read(std::string_view bytes) {
        if (!read_plain(bytes.substr(0, sizeof(limit)), limit)) {
            return false;
        }
        bytes.remove_prefix(sizeof(limit));
        while (!bytes.empty()) {
            int64_t times;
            uint32_t size;
            if (bytes.size() < sizeof(times) + sizeof(size)) {
                return false;
            }
            std::memcpy(&times, bytes.data(), sizeof(times));
            std::memcpy(&size, bytes.data() + sizeof(times), sizeof(size));
            bytes.remove_prefix(sizeof(times) + sizeof(size));
            if (size > bytes.size()) {
                return false;
            }
            add(bytes.substr(0, size), times);
            bytes.remove_prefix(size);
        }
        return true;
    }

    void append_result(ColumnBuilder& builder) const {
        std::vector<std::pair<int64_t, std::string_view>> sorted;
        for (const auto& [text, times] : counts) {
            sorted.emplace_back(times, text);
        }
        // Equal counts: the smaller text first, so that the answer does not depend on the order of
        // rows.
        std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
            return a.first != b.first ? a.first > b.first : a.second < b.second;
        });
        if (sorted.empty()) {
            builder.append_null();
            return;
        }
        JsonWriter json;
        json.begin_object();
        for (size_t i = 0; i < std::min(sorted.size(), static_cast<size_t>(std::max(limit, 0)));
             ++i) {
            json.field(sorted[i].second, sorted[i].first);
        }
        json.end_object();
        builder.append_string(json.text());
    }

    size_t heap_bytes() const { return num_bytes; }
};

Result<AggregateFunctionPtr> bind(const AggregateBind& call) {
    if (call.argument_types.size() < 2 || !call.argument_types[0].is_string() ||
        call.argument_types[1].physical() != PhysicalType::kInt32) {
        return unsupported_aggregate(call);
    }
    return make_bytes_aggregate<Frequencies>(call, [](const AggregateInput& input, auto emit) {
        for_each_pair<StringRef, int32_t>(
            input,
            [&](uint32_t i, const StringRef& text, int32_t limit) {
                emit(i, [&](Frequencies& state) {
                    state.limit = limit;
                    state.add(text.view(), 1);
                });
            }
        );
    });
}

}  // namespace

void register_topn(AggregateRegistry& registry) {
    registry.add("topn", bind);
}

}  // namespace thetis
