// SPDX-License-Identifier: Apache-2.0
/** Calls to back ends: generated stubs below this package, pooled clients with lanes and deadlines in it. */
@org.jspecify.annotations.NullMarked
package org.thetis.wire;
