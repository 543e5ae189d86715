// SPDX-License-Identifier: Apache-2.0
// covar_pop, covar_samp, corr, avg_weighted: statistics of two arguments; rows where either is NULL
// are skipped.
#include <cmath>

#include "functions/aggregate_adapters.h"

namespace thetis {

namespace {

struct Sums {
    double count = 0;
    double mean_x = 0;
    double mean_y = 0;
    double m2_x = 0;
    double m2_y = 0;
    double m_xy = 0;
    double sum_xy = 0;
    double sum_y = 0;

    void merge(const Sums& b) {
        if (b.count == 0) {
            return;
        }
        const double n = count + b.count;
        const double dx = b.mean_x - mean_x;
        const double dy = b.mean_y - mean_y;
        const double weight = count * b.count / n;
        m2_x += b.m2_x + dx * dx * weight;
        m2_y += b.m2_y + dy * dy * weight;
        m_xy += b.m_xy + dx * dy * weight;
        mean_x += dx * b.count / n;
        mean_y += dy * b.count / n;
        sum_xy += b.sum_xy;
        sum_y += b.sum_y;
        count = n;
    }
};

enum class Statistic : uint8_t { kPopulation, kSample, kCorrelation, kWeightedMean };

struct State : Sums {
    Statistic statistic = Statistic::kPopulation;

    void write(std::string& out) const { write_plain(static_cast<const Sums&>(*this), out); }

    bool read(std::string_view bytes) { return read_plain(bytes, static_cast<Sums&>(*this)); }

    size_t heap_bytes() const { return 0; }

    void append_result(ColumnBuilder& builder) const {
        if (count == 0) {
            builder.append_null();
            return;
        }
        switch (statistic) {
            case Statistic::kPopulation:
                builder.append(m_xy / count);
                break;
            case Statistic::kSample:
                builder.append(count > 1 ? m_xy / (count - 1) : 0.0);
                break;
            case Statistic::kCorrelation:
                builder.append(
                    m2_x > 0 && m2_y > 0 ? m_xy / std::sqrt(m2_x) / std::sqrt(m2_y) : 0.0
                );
                break;
            case Statistic::kWeightedMean:
                builder.append(sum_xy / sum_y);
                break;
        }
    }
};

AggregateFactory factory(Statistic statistic) {
    return [statistic](const AggregateBind& call) -> Result<AggregateFunctionPtr> {
        if (call.argument_types.size() != 2 || call.argument_types[0].id != TypeId::kDouble ||
            call.argument_types[1].id != TypeId::kDouble) {
            return unsupported_aggregate(call);
        }
        const auto feed = [](const AggregateInput& input, auto emit) {
            for_each_pair<double, double>(input, [&](uint32_t i, double x, double y) {
                emit(i, [x, y](State& state) {
                    state.merge(
                        {.count = 1,
                         .mean_x = x,
                         .mean_y = y,
                         .m2_x = 0,
                         .m2_y = 0,
                         .m_xy = 0,
                         .sum_xy = x * y,
                         .sum_y = y}
                    );
                });
            });
        };
        State initial;
        initial.statistic = statistic;
        return make_bytes_aggregate<State>(call, feed, initial);
    };
}

}  // namespace

void register_covariance(AggregateRegistry& registry) {
    registry.add("covar_pop", factory(Statistic::kPopulation));
    registry.add("covar_samp", factory(Statistic::kSample));
    registry.add("corr", factory(Statistic::kCorrelation));
    registry.add("avg_weighted", factory(Statistic::kWeightedMean));
}

}  // namespace thetis
