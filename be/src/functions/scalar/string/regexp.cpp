// SPDX-License-Identifier: Apache-2.0
// regexp, regexp_extract, regexp_extract_or_null, regexp_extract_all, regexp_replace,
// regexp_replace_one over RE2.
#include "functions/adapters.h"
#include "functions/scalar/string/regexp_functions.h"

namespace thetis {

namespace {

using Regexp = std::shared_ptr<const re2::RE2>;

/// Calls body(row, regexp) for rows without NULL arguments; the pattern is argument 1, compiled
/// once when it is constant. Malformed patterns of single rows give NULL, a malformed constant
/// fails the call.
template <typename Body>
KernelFactory with_pattern(Body body) {
    return [body](const BindCall& call) -> Result<Kernel> {
        for (size_t i = 0; i < std::min<size_t>(call.argument_types.size(), 2); ++i) {
            if (!call.argument_types[i].is_string()) {
                return unsupported_arguments(call);
            }
        }
        Regexp constant;
        if (const auto pattern = constant_text(call, 1); pattern.has_value()) {
            constant = compile_regexp(*pattern);
            if (!constant->ok()) {
                return regexp_error(*constant);
            }
        }
        return Kernel([body, constant](const KernelCall& batch) -> Result<ColumnPtr> {
            const ColumnView<StringRef> patterns(*batch.arguments[1]);
            ColumnBuilder builder(batch.result_type, batch.num_rows);
            Regexp latest = constant;
            std::string_view latest_pattern;
            for (uint32_t row = 0; row < batch.num_rows; ++row) {
                bool any_null = false;
                for (const ColumnPtr& argument : batch.arguments) {
                    any_null |= argument->is_null(row);
                }
                if (any_null) {
                    builder.append_null();
                    continue;
                }
                if (constant == nullptr &&
                    (latest == nullptr || latest_pattern != patterns[row].view())) {
                    latest_pattern = patterns[row].view();
                    latest = compile_regexp(latest_pattern);
                }
                if (latest->ok()) {
                    body(batch, row, *latest, builder);
                } else {
                    builder.append_null();
                }
            }
            return builder.finish();
        });
    };
}

std::string_view text_at(const KernelCall& call, size_t argument, uint32_t row) {
    return ColumnView<StringRef>(*call.arguments[argument])[row].view();
}

void test(const KernelCall& call, uint32_t row, const re2::RE2& regexp, ColumnBuilder& builder) {
    const std::string_view text = text_at(call, 0, row);
    builder.append<uint8_t>(re2::RE2::PartialMatch(piece_of(text), regexp) ? 1 : 0);
}

template <bool kNullWhenMissing>
void extract(const KernelCall& call, uint32_t row, const re2::RE2& regexp, ColumnBuilder& builder) {
    const int64_t group = ColumnView<int64_t>(*call.arguments[2])[row];
    const std::string_view text = text_at(call, 0, row);
    if (group >= 0 && group <= regexp.NumberOfCapturingGroups()) {
        std::vector<re2::StringPiece> groups(static_cast<size_t>(group) + 1);
        if (regexp.Match(
                piece_of(text),
                0,
                text.size(),
                re2::RE2::UNANCHORED,
                groups.data(),
                static_cast<int>(groups.size())
            ) &&
            groups.back().data() != nullptr) {
            builder.append_string({groups.back().data(), groups.back().size()});
            return;
        }
    }
    if (kNullWhenMissing) {
        builder.append_null();
    } else {
        builder.append_string("");
    }
}

void extract_all(
    const KernelCall& call, uint32_t row, const re2::RE2& regexp, ColumnBuilder& builder
) {
    const std::string_view text = text_at(call, 0, row);
    std::string found;
    re2::StringPiece groups[2];
    const int num_groups = std::min(regexp.NumberOfCapturingGroups(), 1) + 1;
    size_t position = 0;
    while (position <= text.size() && regexp.NumberOfCapturingGroups() > 0 &&
           regexp.Match(
               piece_of(text), position, text.size(), re2::RE2::UNANCHORED, groups, num_groups
           )) {
        found += found.empty() ? "[" : ",";
        found += '\'';
        found.append(groups[1].data(), groups[1].size());
        found += '\'';
        const auto end = static_cast<size_t>(groups[0].data() + groups[0].size() - text.data());
        position = groups[0].empty() ? end + 1 : end;
    }
    builder.append_string(found.empty() ? found : found + "]");
}

template <bool kAll>
void replace(const KernelCall& call, uint32_t row, const re2::RE2& regexp, ColumnBuilder& builder) {
    std::string text(text_at(call, 0, row));
    const std::string_view replacement = text_at(call, 2, row);
    if (kAll) {
        re2::RE2::GlobalReplace(&text, regexp, piece_of(replacement));
    } else {
        re2::RE2::Replace(&text, regexp, piece_of(replacement));
    }
    builder.append_string(text);
}

}  // namespace

void register_regexp(ScalarRegistry& registry) {
    registry.add("regexp", with_pattern(test));
    registry.add("regexp_extract", with_pattern(extract<false>));
    registry.add("regexp_extract_or_null", with_pattern(extract<true>));
    registry.add("regexp_extract_all", with_pattern(extract_all));
    registry.add("regexp_replace", with_pattern(replace<true>));
    registry.add("regexp_replace_one", with_pattern(replace<false>));
}

}  // namespace thetis
