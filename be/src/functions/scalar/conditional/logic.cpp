// SPDX-License-Identifier: Apache-2.0
// not and xor; AND and OR are expression nodes.
#include "functions/adapters.h"

namespace thetis {

void register_logic(ScalarRegistry& registry) {
    registry.add_kernel("not", [](const KernelCall& call) -> Result<ColumnPtr> {
        return map_unary<uint8_t, uint8_t>(call, [](uint8_t a) {
            return static_cast<uint8_t>(a == 0);
        });
    });
    registry.add_kernel("xor", [](const KernelCall& call) -> Result<ColumnPtr> {
        return map_binary<uint8_t, uint8_t, uint8_t>(call, [](uint8_t a, uint8_t b) {
            return static_cast<uint8_t>((a != 0) != (b != 0));
        });
    });
}

}  // namespace thetis
