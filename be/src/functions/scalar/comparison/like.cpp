// SPDX-License-Identifier: Apache-2.0
// like: constant patterns without inner wildcards become equality, prefix, suffix or substring
// tests; others run a matcher without backtracking beyond the last %.
#include "base/text/utf8.h"
#include "functions/adapters.h"

namespace thetis {

namespace {

/// A pattern cut at its % signs. Pieces hold plain bytes, '_' as kAnyCharacter.
constexpr char16_t kAnyCharacter = 0x100;

struct LikePattern {
    std::vector<std::u16string> pieces;  // Between the % signs; one piece when there is none.
    bool has_any = false;                // Some piece contains '_'.
};

LikePattern parse_pattern(std::string_view pattern) {
    LikePattern parsed;
    parsed.pieces.emplace_back();
    for (size_t i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        if (c == '%') {
            parsed.pieces.emplace_back();
        } else if (c == '_') {
            parsed.pieces.back().push_back(kAnyCharacter);
            parsed.has_any = true;
        } else {
            const bool escapes =
                c == '\\' && i + 1 < pattern.size() &&
                (pattern[i + 1] == '%' || pattern[i + 1] == '_' || pattern[i + 1] == '\\');
            i += escapes ? 1 : 0;
            parsed.pieces.back().push_back(static_cast<uint8_t>(pattern[i]));
        }
    }
    return parsed;
}

std::string plain(const std::u16string& piece) {
    std::string text;
    for (char16_t c : piece) {
        text.push_back(static_cast<char>(c));
    }
    return text;
}

constexpr size_t kNoMatch = std::string_view::npos;

/// Matches a piece at `position`; the end of the match, or kNoMatch.
size_t match_at(std::string_view text, size_t position, const std::u16string& piece) {
    for (char16_t c : piece) {
        if (position >= text.size()) {
            return kNoMatch;
        }
        if (c == kAnyCharacter) {
            position = std::min(text.size(), position + utf8_char_bytes(text[position]));
        } else if (static_cast<uint8_t>(text[position]) == c) {
            ++position;
        } else {
            return kNoMatch;
        }
    }
    return position;
}

bool matches(std::string_view text, const LikePattern& pattern) {
    const auto& pieces = pattern.pieces;
    size_t position = match_at(text, 0, pieces.front());
    if (position == kNoMatch) {
        return false;
    }
    if (pieces.size() == 1) {
        return position == text.size();
    }
    // Inner pieces: the leftmost match leaves the most room for the rest.
    for (size_t i = 1; i + 1 < pieces.size(); ++i) {
        size_t end = kNoMatch;
        while (position <= text.size() && (end = match_at(text, position, pieces[i])) == kNoMatch) {
            if (position == text.size()) {
                return false;
            }
            position += utf8_char_bytes(text[position]);
        }
        if (end == kNoMatch) {
            return false;
        }
        position = end;
    }
    // The last piece must end at the end; try every start from here on.
    for (; position <= text.size();
         position += position < text.size() ? utf8_char_bytes(text[position]) : 1) {
        if (match_at(text, position, pieces.back()) == text.size()) {
            return true;
        }
    }
    return false;
}

template <typename Test>
Kernel test_kernel(Test test) {
    return [test = std::move(test)](const KernelCall& call) -> Result<ColumnPtr> {
        return map_unary<StringRef, uint8_t>(call, [&test](const StringRef& text) {
            return static_cast<uint8_t>(test(text));
        });
    };
}

/// Whether all pieces occur in order, the first at the start and the last at the end.
bool contains_in_order(std::string_view text, const std::vector<std::string>& pieces) {
    if (!text.starts_with(pieces.front())) {
        return false;
    }
    size_t position = pieces.front().size();
    for (size_t i = 1; i + 1 < pieces.size(); ++i) {
        const size_t found = text.find(pieces[i], position);
        if (found == std::string_view::npos) {
            return false;
        }
        position = found + pieces[i].size();
    }
    return text.size() >= position + pieces.back().size() && text.ends_with(pieces.back());
}

Kernel constant_kernel(LikePattern pattern) {
    if (pattern.has_any) {
        return test_kernel([pattern = std::move(pattern)](const StringRef& text) {
            return matches(text.view(), pattern);
        });
    }
    std::vector<std::string> pieces;
    for (const std::u16string& piece : pattern.pieces) {
        pieces.push_back(plain(piece));
    }
    if (pieces.size() == 1) {
        auto holder = std::make_shared<const std::string>(std::move(pieces[0]));
        return test_kernel([holder](const StringRef& text) {
            return text.size() == holder->size() && text.view() == *holder;
        });
    }
    if (pieces.size() == 2 && pieces[1].empty()) {
        return test_kernel([prefix = std::move(pieces[0])](const StringRef& text) {
            return text.view().starts_with(prefix);
        });
    }
    if (pieces.size() == 2 && pieces[0].empty()) {
        return test_kernel([suffix = std::move(pieces[1])](const StringRef& text) {
            return text.view().ends_with(suffix);
        });
    }
    return test_kernel([pieces = std::move(pieces)](const StringRef& text) {
        return contains_in_order(text.view(), pieces);
    });
}

}  // namespace

void register_like(ScalarRegistry& registry) {
    registry.add("like", [](const BindCall& call) -> Result<Kernel> {
        if (call.argument_types.size() != 2 || !call.argument_types[0].is_string() ||
            !call.argument_types[1].is_string()) {
            return unsupported_arguments(call);
        }
        if (const auto pattern = constant_text(call, 1); pattern.has_value()) {
            return constant_kernel(parse_pattern(*pattern));
        }
        return row_kernel<std::string_view, std::string_view>([](std::string_view text,
                                                                 std::string_view pattern) {
            return matches(text, parse_pattern(pattern));
        });
    });
}

}  // namespace thetis
