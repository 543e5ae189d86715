// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.snapshot;

/** A pure step from one catalog to the next; the same change on the same catalog always gives the same result. */
@FunctionalInterface
public interface CatalogChange {
    CatalogSnapshot apply(CatalogSnapshot before);
}
