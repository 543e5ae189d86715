// SPDX-License-Identifier: Apache-2.0
// percentile and percentile_approx: all values are kept, so both are exact; linear interpolation at
// (n - 1) * p.
#include <cmath>

#include "functions/aggregate_adapters.h"

namespace thetis {

namespace {

struct Values {
    double share = 0;
    std::vector<double> values;

    void merge(const Values& other) {
        share = other.values.empty() ? share : other.share;
        values.insert(values.end(), other.values.begin(), other.values.end());
    }

    void write(std::string& out) const {
        out.append(reinterpret_cast<const char*>(&share), sizeof(share));
        out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
    }

    bool read(std::string_view bytes) {
        if (bytes.size() % sizeof(double) != 0 || bytes.size() < sizeof(double)) {
            return false;
        }
        std::memcpy(&share, bytes.data(), sizeof(share));
        values.resize(bytes.size() / sizeof(double) - 1);
        std::memcpy(values.data(), bytes.data() + sizeof(double), values.size() * sizeof(double));
        return true;
    }

    void append_result(ColumnBuilder& builder) const {
        if (values.empty() || !(share >= 0 && share <= 1)) {
            builder.append_null();
            return;
        }
        std::vector<double> sorted = values;
        const double position = static_cast<double>(sorted.size() - 1) * share;
        const auto below = static_cast<size_t>(std::floor(position));
        auto at = sorted.begin() + static_cast<std::ptrdiff_t>(below);
        std::nth_element(sorted.begin(), at, sorted.end());
        const double low = *at;
        const double high =
            below + 1 < sorted.size() ? *std::min_element(at + 1, sorted.end()) : low;
        builder.append(low + (high - low) * (position - static_cast<double>(below)));
    }

    size_t heap_bytes() const { return values.capacity() * sizeof(double); }
};

Result<AggregateFunctionPtr> bind(const AggregateBind& call) {
    if (call.argument_types.size() < 2 || call.argument_types[0].id != TypeId::kDouble ||
        call.argument_types[1].id != TypeId::kDouble) {
        return unsupported_aggregate(call);
    }
    return make_bytes_aggregate<Values>(call, [](const AggregateInput& input, auto emit) {
        for_each_pair<double, double>(input, [&](uint32_t i, double value, double share) {
            emit(i, [value, share](Values& state) {
                state.share = share;
                state.values.push_back(value);
            });
        });
    });
}

}  // namespace

void register_percentile(AggregateRegistry& registry) {
    registry.add("percentile", bind);
    registry.add("percentile_approx", bind);
}

}  // namespace thetis
