// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.snapshot;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.thetis.base.collection.PersistentSortedMap;
import org.thetis.catalog.object.OlapTable;
import org.thetis.catalog.object.RecycledObject;
import org.thetis.catalog.schema.Tablet;

/**
 * Databases, tables and partitions that were dropped and whose tablets still exist. Immutable.
 *
 * @param objects by the id of what was dropped
 * @param tablets derived: which object holds each tablet
 */
public record RecycleBin(PersistentSortedMap<Long, RecycledObject> objects, PersistentSortedMap<Long, Long> tablets) {
    public static final RecycleBin EMPTY = new RecycleBin(PersistentSortedMap.empty(), PersistentSortedMap.empty());

    /** Whether back ends must keep the tablet although no table has it. */
    public boolean holdsTablet(long tabletId) {
        return tablets.get(tabletId) != null;
    }

    RecycleBin with(RecycledObject object) {
        PersistentSortedMap<Long, Long> places = tablets;
        for (Tablet tablet : object.tablets()) {
            places = places.with(tablet.id(), object.id());
        }
        return new RecycleBin(objects.with(object.id(), object), places);
    }

    RecycleBin without(long id) {
        @Nullable RecycledObject object = objects.get(id);
        if (object == null) {
            return this;
        }
        PersistentSortedMap<Long, Long> places = tablets;
        for (Tablet tablet : object.tablets()) {
            places = places.without(tablet.id());
        }
        return new RecycleBin(objects.without(id), places);
    }

    /** The newest table of that name dropped from the database, or the one with the id. */
    public Optional<RecycledObject> findTable(long databaseId, String name, @Nullable Long id) {
        return newest(objects.values().stream()
                .filter(object -> object.table() != null
                        && object.databaseId() == databaseId
                        && object.name().equals(name)
                        && (id == null || object.id() == id))
                .toList());
    }

    /** The newest database of that name, or the one with the id. */
    public Optional<RecycledObject> findDatabase(String name, @Nullable Long id) {
        return newest(objects.values().stream()
                .filter(object ->
                        object.database() != null && object.name().equals(name) && (id == null || object.id() == id))
                .toList());
    }

    /** The newest partition of that name dropped from the table, or the one with the id. */
    public Optional<RecycledObject> findPartition(OlapTable table, String name, @Nullable Long id) {
        return newest(objects.values().stream()
                .filter(object -> object.partition() != null
                        && object.tableId() == table.id()
                        && object.name().equalsIgnoreCase(name)
                        && (id == null || object.id() == id))
                .toList());
    }

    private static Optional<RecycledObject> newest(List<RecycledObject> found) {
        RecycledObject newest = null;
        for (RecycledObject object : found) {
            if (newest == null || object.dropMillis() >= newest.dropMillis()) {
                newest = object;
            }
        }
        return Optional.ofNullable(newest);
    }
}
