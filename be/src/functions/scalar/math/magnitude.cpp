// SPDX-License-Identifier: Apache-2.0
// abs, sign, greatest, least, width_bucket.
#include <cmath>

#include "functions/adapters.h"

namespace thetis {

namespace {

template <typename T, typename R>
Result<ColumnPtr> absolute(const KernelCall& call) {
    return map_unary<T, R>(call, [](T value) {
        const R wide = value;
        return static_cast<R>(wide < 0 ? R{0} - wide : wide);
    });
}

Result<Kernel> abs_factory(const BindCall& call) {
    const DataType& type = call.argument_types[0];
    const bool keeps_width = type.physical() == call.result_type.physical();
    switch (type.physical()) {
        case PhysicalType::kInt8:
            return Kernel(absolute<int8_t, int16_t>);
        case PhysicalType::kInt16:
            return Kernel(absolute<int16_t, int32_t>);
        case PhysicalType::kInt32:
            return keeps_width ? Kernel(absolute<int32_t, int32_t>)
                               : Kernel(absolute<int32_t, int64_t>);
        case PhysicalType::kInt64:
            return keeps_width ? Kernel(absolute<int64_t, int64_t>)
                               : Kernel(absolute<int64_t, int128_t>);
        case PhysicalType::kInt128:
            return Kernel(absolute<int128_t, int128_t>);
        case PhysicalType::kFloat:
            return Kernel([](const KernelCall& batch) -> Result<ColumnPtr> {
                return map_unary<float, float>(batch, [](float x) { return std::fabs(x); });
            });
        case PhysicalType::kDouble:
            return Kernel([](const KernelCall& batch) -> Result<ColumnPtr> {
                return map_unary<double, double>(batch, [](double x) { return std::fabs(x); });
            });
        default:
            return unsupported_arguments(call);
    }
}

template <bool kGreatest, typename T>
Result<ColumnPtr> extreme(const KernelCall& call) {
    std::vector<ColumnView<T>> views;
    ColumnBuilder builder(call.result_type, call.num_rows);
    for (const ColumnPtr& argument : call.arguments) {
        views.emplace_back(*argument);
        for (const BufferPtr& payload :
             (argument->form() == ColumnForm::kFlat ? *argument : *argument->base()).payloads()) {
            builder.keep_alive(payload);
        }
    }
    T* out = builder.append_uninitialized<T>(call.num_rows);
    for (uint32_t row = 0; row < call.num_rows; ++row) {
        out[row] = views[0][row];
        bool is_null = !views[0].is_valid(row);
        for (size_t i = 1; i < views.size(); ++i) {
            is_null |= !views[i].is_valid(row);
            const T& value = views[i][row];
            out[row] = (kGreatest ? out[row] < value : value < out[row]) ? value : out[row];
        }
        if (is_null) {
            builder.set_null(row);
        }
    }
    return builder.finish();
}

template <bool kGreatest>
Result<Kernel> extreme_factory(const BindCall& call) {
    for (const DataType& type : call.argument_types) {
        if (type.physical() != call.result_type.physical()) {
            return unsupported_arguments(call);
        }
    }
    return visit_physical(call.result_type.physical(), [](auto tag) {
        return Kernel(extreme<kGreatest, decltype(tag)>);
    });
}

/// 0 below the first bucket, n + 1 at or above the last.
template <typename T>
Result<Kernel> bucket_kernel() {
    return row_kernel<T, T, T, int64_t>(
        [](T value, T least, T greatest, int64_t buckets) -> std::optional<int64_t> {
            if (buckets <= 0 || !(least < greatest)) {
                return std::nullopt;
            }
            if (value < least) {
                return 0;
            }
            if (!(value < greatest)) {
                return buckets + 1;
            }
            const auto width =
                (static_cast<long double>(greatest) - static_cast<long double>(least)) /
                static_cast<long double>(buckets);
            const long double position =
                (static_cast<long double>(value) - static_cast<long double>(least)) / width;
            return static_cast<int64_t>(position) + 1;
        }
    );
}

Result<Kernel> width_bucket_factory(const BindCall& call) {
    for (size_t i = 1; i < 3; ++i) {
        if (call.argument_types[i].physical() != call.argument_types[0].physical() ||
            call.argument_types[i].scale != call.argument_types[0].scale) {
            return unsupported_arguments(call);
        }
    }
    switch (call.argument_types[0].physical()) {
        case PhysicalType::kInt32:
            return bucket_kernel<int32_t>();
        case PhysicalType::kInt64:
            return bucket_kernel<int64_t>();
        case PhysicalType::kInt128:
            return bucket_kernel<int128_t>();
        case PhysicalType::kDouble:
            return bucket_kernel<double>();
        default:
            return unsupported_arguments(call);
    }
}

}  // namespace

void register_magnitude(ScalarRegistry& registry) {
    registry.add("abs", abs_factory);
    registry.add_kernel("sign", row_kernel<double>([](double x) {
                            return static_cast<int8_t>(x > 0 ? 1 : (x < 0 ? -1 : 0));
                        }));
    registry.add("greatest", extreme_factory<true>);
    registry.add("least", extreme_factory<false>);
    registry.add("width_bucket", width_bucket_factory);
}

}  // namespace thetis
