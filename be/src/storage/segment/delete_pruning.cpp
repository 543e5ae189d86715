// SPDX-License-Identifier: Apache-2.0
#include "storage/segment/delete_pruning.h"

namespace thetis {

bool has_zone_maps(
    const SegmentSource& source, const PredicateEvaluator& test, std::optional<int32_t> version_id
) {
    const int32_t unique_id = test.column_unique_id();
    const bool is_filled_in = source.version.has_value() && version_id == unique_id;
    if (is_filled_in || !source.segment->has_column(unique_id)) {
        return false;
    }
    const ColumnPtr& values =
        test.predicate().values;  // Tests for NULL have none and suit any type.
    return values == nullptr ||
           values->physical() == source.segment->column_type(unique_id).physical();
}

Result<bool> prune_deletes(SegmentSource& source, std::optional<int32_t> version_id) {
    bool takes_all = false;
    Status failure;
    std::erase_if(source.deletes, [&](const DeleteFilterPtr& filter) {
        bool may_take = true;
        bool is_all = filter->is_exact();
        for (const auto& test : filter->column_tests()) {
            if (!has_zone_maps(source, *test, version_id)) {
                is_all = false;
                continue;
            }
            const auto zone = source.segment->zone_map(test->column_unique_id());
            if (!zone.ok()) {
                failure = zone.status();
                return false;
            }
            may_take &= test->may_match(*zone.value());
            is_all &= test->matches_all(*zone.value());
        }
        takes_all |= is_all && may_take;
        return !may_take;
    });
    RETURN_IF_ERROR(failure);
    return !takes_all;
}

}  // namespace thetis
