// SPDX-License-Identifier: Apache-2.0
// bin, conv, random.
#include "base/text/numbers.h"
#include "base/unique_id.h"
#include "functions/adapters.h"

namespace thetis {

namespace {

void append_in_base(std::string& out, uint64_t value, uint32_t base) {
    const size_t begin = out.size();
    do {
        out.push_back("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[value % base]);
        value /= base;
    } while (value != 0);
    std::reverse(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end());
}

/// A negative target base reads the 64 bits as signed.
bool convert(std::string& out, int64_t value, int from, int to) {
    const auto is_base = [](int base) { return std::abs(base) >= 2 && std::abs(base) <= 36; };
    if (!is_base(from) || !is_base(to)) {
        return false;
    }
    auto bits = static_cast<uint64_t>(value);
    if (to < 0 && value < 0) {
        out.push_back('-');
        bits = 0 - bits;
    }
    append_in_base(out, bits, static_cast<uint32_t>(std::abs(to)));
    return true;
}

/// Digits up to the first that does not belong to the base; saturates at 64 bits.
int64_t read_in_base(std::string_view text, int base) {
    text = trim_blanks(text);
    const bool negative = text.starts_with('-');
    text.remove_prefix(negative ? 1 : 0);
    uint64_t value = 0;
    for (char c : text) {
        const char lower = static_cast<char>(c | 0x20);
        const int digit =
            is_digit(c) ? c - '0' : (lower >= 'a' && lower <= 'z' ? lower - 'a' + 10 : 99);
        if (digit >= base) {
            break;
        }
        const unsigned __int128 next =
            static_cast<unsigned __int128>(value) * static_cast<unsigned>(base) +
            static_cast<unsigned>(digit);
        value = next > UINT64_MAX ? UINT64_MAX : static_cast<uint64_t>(next);
    }
    return static_cast<int64_t>(negative ? 0 - value : value);
}

Result<Kernel> conv_factory(const BindCall& call) {
    if (call.argument_types[0].is_string()) {
        return text_kernel<std::string_view, int8_t, int8_t>(
            [](std::string& out, std::string_view text, int8_t from, int8_t to) {
                return convert(out, read_in_base(text, std::abs(from)), from, to);
            }
        );
    }
    return text_kernel<int64_t, int8_t, int8_t>(
        [](std::string& out, int64_t value, int8_t from, int8_t to) {
            char digits[kMaxNumberText];
            const std::string_view text(
                digits, static_cast<size_t>(print_integer(digits, value) - digits)
            );
            return convert(out, read_in_base(text, std::abs(from)), from, to);
        }
    );
}

/// xorshift64*, by S. Vigna.
uint64_t next_random(uint64_t& state) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1DULL;
}

/// The next number of the evaluation's own sequence, which starts somewhere else for every
/// evaluation.
uint64_t next_of(EvalContext& context) {
    static const uint64_t kUnseeded = EvalContext().random_state;
    if (context.random_state == kUnseeded) {
        context.random_state = static_cast<uint64_t>(UniqueId::generate().lo) | 1;
    }
    return next_random(context.random_state);
}

double to_unit(uint64_t bits) {
    return static_cast<double>(bits >> 11) * 0x1p-53;
}

Result<Kernel> random_factory(const BindCall& call) {
    const size_t arguments = call.argument_types.size();
    if (arguments == 1) {  // A seed: the same sequence for every batch that starts with it.
        return Kernel([](const KernelCall& batch) -> Result<ColumnPtr> {
            const ColumnView<int64_t> seeds(*batch.arguments[0]);
            ColumnBuilder builder(batch.result_type, batch.num_rows);
            uint64_t state = 0;
            for (uint32_t i = 0; i < batch.num_rows; ++i) {
                if (i == 0 || !seeds.is_constant()) {
                    state = (static_cast<uint64_t>(seeds[i]) + 1) * 0x9E3779B97F4A7C15ULL | 1;
                    next_random(state);
                }
                builder.append(to_unit(next_random(state)));
            }
            return builder.finish();
        });
    }
    return Kernel([arguments](const KernelCall& batch) -> Result<ColumnPtr> {
        ColumnBuilder builder(batch.result_type, batch.num_rows);
        for (uint32_t i = 0; i < batch.num_rows; ++i) {
            const uint64_t bits = next_of(batch.context);
            if (arguments == 0) {
                builder.append(to_unit(bits));
                continue;
            }
            const ColumnView<int64_t> from(*batch.arguments[0]);
            const ColumnView<int64_t> to(*batch.arguments[1]);
            if (!from.is_valid(i) || !to.is_valid(i)) {
                builder.append_null();
            } else if (from[i] >= to[i]) {
                return Status::error(
                    ErrorCode::kInvalidArgument,
                    "random's lower bound {} must be less than its upper bound {}",
                    from[i],
                    to[i]
                );
            } else {
                const uint64_t range =
                    static_cast<uint64_t>(to[i]) - static_cast<uint64_t>(from[i]);
                builder.append(static_cast<int64_t>(static_cast<uint64_t>(from[i]) + bits % range));
            }
        }
        return builder.finish();
    });
}

}  // namespace

void register_number_text(ScalarRegistry& registry) {
    registry.add_kernel("bin", text_kernel<int64_t>([](std::string& out, int64_t value) {
                            append_in_base(out, static_cast<uint64_t>(value), 2);
                        }));
    registry.add("conv", conv_factory);
    registry.add("random", random_factory, kVolatile);
}

}  // namespace thetis
