// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.schedule;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.thetis.wire.proto.LoadCounters;
import org.thetis.wire.proto.ResultChunk;
import org.thetis.wire.proto.TabletCommit;

/** What back ends report at the end of their result streams, summed over them. Thread-safe. */
public final class QueryCounters {
    private long scanRows;
    private long scanBytes;
    private long cpuNanos;
    private long peakMemoryBytes;
    private long returnedRows;
    private long loadedRows;
    private long filteredRows;
    private long unselectedRows;
    private long loadedBytes;
    private String errorUrl = "";
    private String firstError = "";
    private final List<TabletCommit> commits = new ArrayList<>();
    private final List<String> profiles = new ArrayList<>();

    /** Adds the counters of a last chunk. */
    synchronized void addFinal(ResultChunk chunk) {
        scanRows += chunk.getScanRows();
        scanBytes += chunk.getScanBytes();
        cpuNanos += chunk.getCpuNanos();
        peakMemoryBytes = Math.max(peakMemoryBytes, chunk.getPeakMemoryBytes());
        if (!chunk.getProfile().isEmpty()) {
            profiles.add(chunk.getProfile());
        }
        if (chunk.hasLoad()) {
            addLoad(chunk.getLoad());
        }
    }

    synchronized void addReturnedRows(long rows) {
        returnedRows += rows;
    }

    private synchronized void addLoad(LoadCounters load) {
        loadedRows += load.getLoadedRows();
        filteredRows += load.getFilteredRows();
        unselectedRows += load.getUnselectedRows();
        loadedBytes += load.getLoadedBytes();
        commits.addAll(load.getTabletsList());
        errorUrl = errorUrl.isEmpty() ? load.getErrorUrl() : errorUrl;
        firstError = firstError.isEmpty() ? load.getFirstError() : firstError;
    }

    public synchronized long scanRows() {
        return scanRows;
    }

    public synchronized long scanBytes() {
        return scanBytes;
    }

    public synchronized long cpuNanos() {
        return cpuNanos;
    }

    public synchronized long peakMemoryBytes() {
        return peakMemoryBytes;
    }

    public synchronized long returnedRows() {
        return returnedRows;
    }

    public synchronized long loadedRows() {
        return loadedRows;
    }

    public synchronized long filteredRows() {
        return filteredRows;
    }

    public synchronized long unselectedRows() {
        return unselectedRows;
    }

    public synchronized long loadedBytes() {
        return loadedBytes;
    }

    /** Where the rows that were filtered can be read; empty when none were. */
    public synchronized String errorUrl() {
        return errorUrl;
    }

    public synchronized String firstError() {
        return firstError;
    }

    /** Replicas that hold the transaction's rows. */
    public synchronized List<TabletCommit> commits() {
        return Collections.unmodifiableList(new ArrayList<>(commits));
    }

    /** Operator profiles, one per back end. */
    public synchronized List<String> profiles() {
        return List.copyOf(profiles);
    }
}
