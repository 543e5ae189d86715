// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace thetis {

/// A tournament over runs 0..n-1: the winner is the run with the smallest head, replayed in log n
/// comparisons when its head changes (Knuth, TAOCP 3, 5.4.1). Heads live with the caller, who gives
/// `Less(a, b)`.
class LoserTree {
public:
    template <typename Less>
    void build(uint32_t num_runs, Less less) {
        losers_.assign(num_runs, kNone);
        for (uint32_t run = 0; run < num_runs; ++run) {
            uint32_t winner = run;
            uint32_t node = (run + num_runs) / 2;
            for (; node > 0 && losers_[node] != kNone; node /= 2) {
                if (less(losers_[node], winner)) {
                    std::swap(losers_[node], winner);
                }
            }
            losers_[node] = winner;
        }
    }

    uint32_t winner() const { return losers_[0]; }

    /// After the winner's head grew.
    template <typename Less>
    void replay(Less less) {
        uint32_t winner = losers_[0];
        for (uint32_t node = parent(winner); node > 0; node /= 2) {
            if (less(losers_[node], winner)) {
                std::swap(losers_[node], winner);
            }
        }
        losers_[0] = winner;
    }

    /// The run that would win without the winner; there are at least two runs.
    template <typename Less>
    uint32_t runner_up(Less less) const {
        uint32_t node = parent(losers_[0]);
        uint32_t best = losers_[node];
        for (node /= 2; node > 0; node /= 2) {
            best = less(losers_[node], best) ? losers_[node] : best;
        }
        return best;
    }

private:
    static constexpr uint32_t kNone = UINT32_MAX;

    uint32_t parent(uint32_t run) const {
        return (run + static_cast<uint32_t>(losers_.size())) / 2;
    }

    std::vector<uint32_t> losers_;  // Of each match; [0]: who won the last one.
};

}  // namespace thetis
