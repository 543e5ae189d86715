// SPDX-License-Identifier: Apache-2.0
// trim, ltrim, rtrim: blanks, or whole copies of a second text. Results point into the argument's
// bytes.
#include "functions/adapters.h"

namespace thetis {

namespace {

template <bool kLeft, bool kRight>
std::string_view trim(std::string_view text, std::string_view what) {
    if (what.empty()) {
        return text;
    }
    while (kLeft && text.starts_with(what)) {
        text.remove_prefix(what.size());
    }
    while (kRight && text.ends_with(what)) {
        text.remove_suffix(what.size());
    }
    return text;
}

template <bool kLeft, bool kRight>
Result<ColumnPtr> run(const KernelCall& call) {
    const ColumnView<StringRef> texts(*call.arguments[0]);
    const bool has_what = call.arguments.size() > 1;
    const ColumnView<StringRef> what(*call.arguments[has_what ? 1 : 0]);
    auto out = Buffer::allocate(call.num_rows * sizeof(StringRef));
    for (uint32_t i = 0; i < call.num_rows; ++i) {
        out->as<StringRef>()[i] =
            StringRef(trim<kLeft, kRight>(texts[i].view(), has_what ? what[i].view() : " "));
    }
    const Column& source = call.arguments[0]->form() == ColumnForm::kFlat
                               ? *call.arguments[0]
                               : *call.arguments[0]->base();
    return Column::flat(
        call.result_type, call.num_rows, std::move(out), combined_validity(call), source.payloads()
    );
}

}  // namespace

void register_trim(ScalarRegistry& registry) {
    registry.add_kernel("trim", run<true, true>);
    registry.add_kernel("ltrim", run<true, false>);
    registry.add_kernel("rtrim", run<false, true>);
}

}  // namespace thetis
