// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import org.thetis.catalog.snapshot.CatalogChange;

/**
 * One operation of the journal: what happened, with everything decided (ids, times), so that applying it needs nothing but the
 * catalog before it. Applying never fails for things that are gone by then, and applying twice is the same as once.
 */
public interface JournalRecord extends CatalogChange {}
