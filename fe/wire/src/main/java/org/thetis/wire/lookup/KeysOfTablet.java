// SPDX-License-Identifier: Apache-2.0
package org.thetis.wire.lookup;

import java.util.List;

/**
 * The keys wanted of one tablet.
 *
 * @param version what the reader sees; the rows are those of exactly this version
 * @param keys encoded as `TabletKeys.keys` says, without repetition; must not change afterwards
 */
public record KeysOfTablet(long tabletId, long version, List<byte[]> keys) {}
