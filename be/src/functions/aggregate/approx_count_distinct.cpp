// SPDX-License-Identifier: Apache-2.0
// HyperLogLog with 2^14 registers (typical error 0.8 %); few values are kept exactly. After
// Flajolet et al., "HyperLogLog: the analysis of a near-optimal cardinality estimation algorithm"
// (2007), with linear counting for small cardinalities.
#include <bit>
#include <cmath>

#include "column/hashing.h"
#include "functions/aggregate_adapters.h"

namespace thetis {

namespace {

constexpr int kIndexBits = 14;
constexpr size_t kNumRegisters = size_t{1} << kIndexBits;
constexpr size_t kMaxExact = 160;

struct Sketch {
    std::vector<uint64_t> exact;     // Sorted hashes, while there are few.
    std::vector<uint8_t> registers;  // Empty while exact is in use.

    void add(uint64_t hash) {
        if (!registers.empty()) {
            add_to_registers(hash);
            return;
        }
        auto place = std::lower_bound(exact.begin(), exact.end(), hash);
        if (place == exact.end() || *place != hash) {
            exact.insert(place, hash);
        }
        if (exact.size() > kMaxExact) {
            spread();
        }
    }

    void merge(const Sketch& other) {
        if (other.registers.empty()) {
            for (uint64_t hash : other.exact) {
                add(hash);
            }
            return;
        }
        if (registers.empty()) {
            spread();
        }
        for (size_t i = 0; i < kNumRegisters; ++i) {
            registers[i] = std::max(registers[i], other.registers[i]);
        }
    }

    /// u8 kind (0 exact, 1 registers) | hashes or registers
    void write(std::string& out) const {
        out.push_back(registers.empty() ? 0 : 1);
        if (registers.empty()) {
            out.append(
                reinterpret_cast<const char*>(exact.data()), exact.size() * sizeof(uint64_t)
            );
        } else {
            out.append(reinterpret_cast<const char*>(registers.data()), registers.size());
        }
    }

    bool read(std::string_view bytes) {
        if (bytes.empty()) {
            return false;
        }
        const std::string_view body = bytes.substr(1);
        if (bytes[0] == 1) {
            registers.assign(body.begin(), body.end());
            return body.size() == kNumRegisters;
        }
        if (body.size() % sizeof(uint64_t) != 0 || body.size() > kMaxExact * sizeof(uint64_t)) {
            return false;
        }
        exact.resize(body.size() / sizeof(uint64_t));
        std::memcpy(exact.data(), body.data(), body.size());
        return std::is_sorted(exact.begin(), exact.end());
    }

    int64_t estimate() const {
        if (registers.empty()) {
            return static_cast<int64_t>(exact.size());
        }
        double sum = 0;
        size_t num_empty = 0;
        for (uint8_t rank : registers) {
            sum += std::ldexp(1.0, -static_cast<int>(rank));
            num_empty += rank == 0 ? 1 : 0;
        }
        constexpr double kCount = kNumRegisters;
        const double raw = 0.7213 / (1 + 1.079 / kCount) * kCount * kCount / sum;
        if (raw <= 2.5 * kCount && num_empty > 0) {
            return std::llround(kCount * std::log(kCount / static_cast<double>(num_empty)));
        }
        return std::llround(raw);
    }

    void append_result(ColumnBuilder& builder) const { builder.append(estimate()); }

    size_t heap_bytes() const { return exact.capacity() * sizeof(uint64_t) + registers.capacity(); }

private:
    void spread() {
        registers.assign(kNumRegisters, 0);
        for (uint64_t hash : exact) {
            add_to_registers(hash);
        }
        exact = {};
    }

    void add_to_registers(uint64_t hash) {
        const size_t index = hash >> (64 - kIndexBits);
        const uint64_t rest = hash << kIndexBits | (uint64_t{1} << (kIndexBits - 1));
        registers[index] =
            std::max(registers[index], static_cast<uint8_t>(std::countl_zero(rest) + 1));
    }
};

Result<AggregateFunctionPtr> bind(const AggregateBind& call) {
    if (call.argument_types.size() != 1) {
        return unsupported_aggregate(call);
    }
    return make_bytes_aggregate<Sketch>(call, [](const AggregateInput& input, auto emit) {
        std::vector<uint64_t> hashes(input.num_rows);
        hash_column(*input.arguments[0], input.selection, input.num_rows, false, hashes.data());
        for (uint32_t i = 0; i < input.num_rows; ++i) {
            const uint32_t row = input.selection == nullptr ? i : (*input.selection)[i];
            if (!input.arguments[0]->is_null(row)) {
                emit(i, [hash = hashes[i]](Sketch& state) { state.add(hash); });
            }
        }
    });
}

}  // namespace

void register_approx_count_distinct(AggregateRegistry& registry) {
    registry.add("approx_count_distinct", bind);
}

}  // namespace thetis
