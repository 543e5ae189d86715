// SPDX-License-Identifier: Apache-2.0
// hex, unhex, to_base64, from_base64, url_encode, url_decode, money_format, uuid.
#include "base/text/numbers.h"
#include "base/unique_id.h"
#include "functions/adapters.h"
#include "types/decimal.h"

namespace thetis {

namespace {

constexpr char kHexDigits[] = "0123456789ABCDEF";
constexpr char kBase64Digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int hex_value(char c) {
    if (is_digit(c)) {
        return c - '0';
    }
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

void hex_text(std::string& out, std::string_view text) {
    for (char c : text) {
        out.push_back(kHexDigits[static_cast<uint8_t>(c) >> 4]);
        out.push_back(kHexDigits[static_cast<uint8_t>(c) & 15]);
    }
}

void unhex(std::string& out, std::string_view text) {
    if (text.size() % 2 != 0) {
        return;
    }
    for (size_t i = 0; i < text.size(); i += 2) {
        const int high = hex_value(text[i]);
        const int low = hex_value(text[i + 1]);
        if (high < 0 || low < 0) {
            out.clear();
            return;
        }
        out.push_back(static_cast<char>(high * 16 + low));
    }
}

bool to_base64(std::string& out, std::string_view text) {
    for (size_t i = 0; i < text.size(); i += 3) {
        uint32_t group = 0;
        for (size_t j = 0; j < 3; ++j) {
            group = group << 8 | (i + j < text.size() ? static_cast<uint8_t>(text[i + j]) : 0U);
        }
        for (size_t j = 0; j < 4; ++j) {
            out.push_back(i + j > text.size() ? '=' : kBase64Digits[group >> (18 - 6 * j) & 63]);
        }
    }
    return !text.empty();
}

bool from_base64(std::string& out, std::string_view text) {
    if (text.empty() || text.size() % 4 != 0) {
        return false;
    }
    for (size_t i = 0; i < text.size(); i += 4) {
        uint32_t group = 0;
        int padding = 0;
        for (size_t j = 0; j < 4; ++j) {
            const char c = text[i + j];
            if (c == '=' && i + 4 == text.size() && j >= 2) {
                ++padding;
                group <<= 6;
                continue;
            }
            const char* digit = std::find(kBase64Digits, kBase64Digits + 64, c);
            if (digit == kBase64Digits + 64 || padding > 0) {
                return false;
            }
            group = group << 6 | static_cast<uint32_t>(digit - kBase64Digits);
        }
        for (int j = 0; j < 3 - padding; ++j) {
            out.push_back(static_cast<char>(group >> (16 - 8 * j)));
        }
    }
    return true;
}

void url_encode(std::string& out, std::string_view text) {
    for (char c : text) {
        const char lower = static_cast<char>(c | 0x20);
        if (is_digit(c) || (lower >= 'a' && lower <= 'z') || c == '-' || c == '_' || c == '.' ||
            c == '~') {
            out.push_back(c);
        } else if (c == ' ') {
            out.push_back('+');
        } else {
            out.push_back('%');
            hex_text(out, {&c, 1});
        }
    }
}

void url_decode(std::string& out, std::string_view text) {
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 &&
            hex_value(text[i + 2]) >= 0) {
            out.push_back(static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2])));
            i += 2;
        } else {
            out.push_back(text[i] == '+' ? ' ' : text[i]);
        }
    }
}

/// `cents`: the amount in hundredths.
void money(std::string& out, int128_t cents) {
    char digits[kMaxNumberText];
    const int128_t magnitude = cents < 0 ? -cents : cents;
    const std::string_view whole(
        digits, static_cast<size_t>(print_int128(digits, magnitude / 100) - digits)
    );
    out += cents < 0 ? "-" : "";
    for (size_t i = 0; i < whole.size(); ++i) {
        if (i > 0 && (whole.size() - i) % 3 == 0) {
            out.push_back(',');
        }
        out.push_back(whole[i]);
    }
    const auto fraction = static_cast<int>(magnitude % 100);
    out += {'.', static_cast<char>('0' + fraction / 10), static_cast<char>('0' + fraction % 10)};
}

Result<Kernel> money_factory(const BindCall& call) {
    const DataType type = call.argument_types[0];
    const auto of_integer =
        [scale = type.id == TypeId::kDecimal ? int{type.scale} : 0](std::string& out, auto value) {
            int128_t cents = 0;
            const bool fits = rescale_decimal(value, scale, 2, cents);
            money(out, cents);
            return fits;
        };
    switch (type.physical()) {
        case PhysicalType::kInt32:
            return text_kernel<int32_t>(of_integer);
        case PhysicalType::kInt64:
            return text_kernel<int64_t>(of_integer);
        case PhysicalType::kInt128:
            return text_kernel<int128_t>(of_integer);
        case PhysicalType::kDouble:
            return text_kernel<double>([](std::string& out, double value) {
                int128_t cents = 0;
                const bool fits = double_to_decimal(value, kMaxDecimalPrecision, 2, cents);
                money(out, cents);
                return fits;
            });
        default:
            return unsupported_arguments(call);
    }
}

}  // namespace

void register_encode(ScalarRegistry& registry) {
    registry.add("hex", [](const BindCall& call) -> Result<Kernel> {
        if (call.argument_types[0].is_string()) {
            return text_kernel<std::string_view>(hex_text);
        }
        return text_kernel<int64_t>([](std::string& out, int64_t value) {
            out = fmt::format("{:X}", static_cast<uint64_t>(value));
        });
    });
    registry.add_kernel("unhex", text_kernel<std::string_view>(unhex));
    registry.add_kernel("to_base64", text_kernel<std::string_view>(to_base64));
    registry.add_kernel("from_base64", text_kernel<std::string_view>(from_base64));
    registry.add_kernel("url_encode", text_kernel<std::string_view>(url_encode));
    registry.add_kernel("url_decode", text_kernel<std::string_view>(url_decode));
    registry.add("money_format", money_factory);
    registry.add_kernel(
        "uuid",
        [](const KernelCall& call) -> Result<ColumnPtr> {
            ColumnBuilder builder(call.result_type, call.num_rows);
            for (uint32_t i = 0; i < call.num_rows; ++i) {
                const UniqueId id = UniqueId::generate();
                const auto hi = static_cast<uint64_t>(id.hi);
                const auto lo = static_cast<uint64_t>(id.lo);
                builder.append_string(fmt::format(
                    "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
                    hi >> 32,
                    hi >> 16 & 0xFFFF,
                    hi & 0xFFF,
                    (lo >> 48 & 0x3FFF) | 0x8000,
                    lo & 0xFFFFFFFFFFFF
                ));
            }
            return builder.finish();
        },
        kVolatile
    );
}

}  // namespace thetis
