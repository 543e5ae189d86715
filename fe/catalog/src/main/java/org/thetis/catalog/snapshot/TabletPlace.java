// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.snapshot;

/** Where in the catalog a tablet belongs. */
public record TabletPlace(long databaseId, long tableId, long partitionId, long indexId, int bucket) {}
