// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "column/column.h"
#include "functions/eval_context.h"

namespace thetis {

/// What a kernel is called with, once per batch. Arguments may have any form; all have `num_rows`
/// rows.
struct KernelCall {
    std::span<const ColumnPtr> arguments;
    const DataType& result_type;
    uint32_t num_rows;
    EvalContext& context;
};

/// One bound function: computes a result column of `num_rows` rows. Called from many threads; holds
/// only immutable state.
using Kernel = std::function<Result<ColumnPtr>(const KernelCall&)>;

/// What is known when an expression is compiled.
struct BindCall {
    std::string_view name;
    std::span<const DataType> argument_types;
    std::span<const ColumnPtr>
        constants;  ///< Per argument: its one-row column when it is a literal, else null.
    DataType result_type;
};

/// Chooses the kernel for argument types; prepares constant patterns.
using KernelFactory = std::function<Result<Kernel>(const BindCall&)>;

/// How the evaluator may treat a function.
struct ScalarTraits {
    bool propagates_nulls =
        true;                   ///< NULL in, NULL out, and a row depends on its own arguments only.
    bool deterministic = true;  ///< May be computed once for constants and per dictionary value.
};

/// All scalar functions by catalog name. Filled once at start, then read-only and shared.
class ScalarRegistry {
public:
    struct Entry {
        KernelFactory factory;
        ScalarTraits traits;
    };

    void add(std::string name, KernelFactory factory, ScalarTraits traits = {});
    /// The same kernel for every argument type; it looks at the types itself.
    void add_kernel(std::string name, Kernel kernel, ScalarTraits traits = {});

    const Entry* find(std::string_view name) const;
    std::vector<std::string> names() const;

private:
    std::map<std::string, Entry, std::less<>> entries_;
};

/// `Function f is not supported for (int, varchar)`; for factories.
Status unsupported_arguments(const BindCall& call);

}  // namespace thetis
