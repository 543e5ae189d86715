// SPDX-License-Identifier: Apache-2.0
// variance, var_samp, stddev, stddev_samp, skew, kurt: central moments of one argument, updated and
// merged without cancellation (Pebay, "Formulas for Robust, One-Pass Parallel Computation of
// Covariances and Arbitrary-Order Moments", 2008).
#include <cmath>

#include "functions/aggregate_adapters.h"

namespace thetis {

namespace {

struct Moments {
    double count = 0;
    double mean = 0;
    double m2 = 0;
    double m3 = 0;
    double m4 = 0;

    void merge(const Moments& b) {
        if (b.count == 0) {
            return;
        }
        const double n = count + b.count;
        const double delta = b.mean - mean;
        const double delta_n = delta / n;
        const double a2 = m2;
        const double a3 = m3;
        m4 += b.m4 +
              delta * delta_n * delta_n * delta_n * count * b.count *
                  (count * count - count * b.count + b.count * b.count) +
              6 * delta_n * delta_n * (count * count * b.m2 + b.count * b.count * a2) +
              4 * delta_n * (count * b.m3 - b.count * a3);
        m3 += b.m3 + delta * delta_n * delta_n * count * b.count * (count - b.count) +
              3 * delta_n * (count * b.m2 - b.count * a2);
        m2 += b.m2 + delta * delta_n * count * b.count;
        mean += delta_n * b.count;
        count = n;
    }

    void add(double x) { merge({.count = 1, .mean = x, .m2 = 0, .m3 = 0, .m4 = 0}); }
};

enum class Statistic : uint8_t {
    kVariance,
    kSampleVariance,
    kDeviation,
    kSampleDeviation,
    kSkew,
    kKurtosis
};

/// Nothing when there are too few values or no variance to divide by.
std::optional<double> result_of(const Moments& state, Statistic statistic) {
    if (state.count == 0) {
        return std::nullopt;
    }
    const double population = state.m2 / state.count;
    // The sample forms of a single value are 0 here, not NULL.
    const double sample = state.count > 1 ? state.m2 / (state.count - 1) : 0;
    switch (statistic) {
        case Statistic::kVariance:
            return population;
        case Statistic::kSampleVariance:
            return sample;
        case Statistic::kDeviation:
            return std::sqrt(population);
        case Statistic::kSampleDeviation:
            return std::sqrt(sample);
        case Statistic::kSkew:
            return population > 0
                       ? std::optional<double>(state.m3 / state.count / std::pow(population, 1.5))
                       : std::nullopt;
        case Statistic::kKurtosis:
            return population > 0 ? std::optional<double>(
                                        state.m4 / state.count / (population * population) - 3
                                    )
                                  : std::nullopt;
    }
    return std::nullopt;
}

struct State : Moments {
    Statistic statistic = Statistic::kVariance;

    void write(std::string& out) const { write_plain(static_cast<const Moments&>(*this), out); }

    bool read(std::string_view bytes) { return read_plain(bytes, static_cast<Moments&>(*this)); }

    size_t heap_bytes() const { return 0; }

    void append_result(ColumnBuilder& builder) const {
        if (const auto value = result_of(*this, statistic); value.has_value()) {
            builder.append(*value);
        } else {
            builder.append_null();
        }
    }
};

AggregateFactory factory(Statistic statistic) {
    return [statistic](const AggregateBind& call) -> Result<AggregateFunctionPtr> {
        if (call.argument_types.size() != 1 || call.argument_types[0].id != TypeId::kDouble) {
            return unsupported_aggregate(call);
        }
        const auto feed = [](const AggregateInput& input, auto emit) {
            for_each_value<double>(input, [&](uint32_t i, double x) {
                emit(i, [x](State& state) { state.add(x); });
            });
        };
        State initial;
        initial.statistic = statistic;
        return make_bytes_aggregate<State>(call, feed, initial);
    };
}

}  // namespace

void register_moments(AggregateRegistry& registry) {
    registry.add("variance", factory(Statistic::kVariance));
    registry.add("var_samp", factory(Statistic::kSampleVariance));
    registry.add("stddev", factory(Statistic::kDeviation));
    registry.add("stddev_samp", factory(Statistic::kSampleDeviation));
    registry.add("skew", factory(Statistic::kSkew));
    registry.add("kurt", factory(Statistic::kKurtosis));
}

}  // namespace thetis
