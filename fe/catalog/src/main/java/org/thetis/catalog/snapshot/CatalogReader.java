// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.snapshot;

/** Gives the newest catalog. A statement takes one snapshot and uses it throughout. */
@FunctionalInterface
public interface CatalogReader {
    CatalogSnapshot snapshot();
}
