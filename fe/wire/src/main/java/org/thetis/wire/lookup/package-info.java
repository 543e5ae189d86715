// SPDX-License-Identifier: Apache-2.0
/** Key look-ups over baidu_std framing, written and read by hand on the event loop that owns the client's connection. */
@org.jspecify.annotations.NullMarked
package org.thetis.wire.lookup;
