// SPDX-License-Identifier: Apache-2.0
#include "storage/encoding_registry.h"

#include "storage/register_encodings.gen.h"

namespace thetis {

const EncodingRegistry& EncodingRegistry::built_in() {
    static const EncodingRegistry registry = [] {
        EncodingRegistry filled;
        register_all_encodings(filled);
        return filled;
    }();
    return registry;
}

}  // namespace thetis
