// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

import java.util.ArrayList;
import java.util.List;
import org.thetis.sql.binder.BoundWrite;

/** What a session's statements since BEGIN will write at COMMIT. Used by the session's one running statement. */
public final class OpenTransaction {
    private final String label;
    private final List<BoundWrite> writes = new ArrayList<>();
    private long numRows;

    public OpenTransaction(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    public List<BoundWrite> writes() {
        return List.copyOf(writes);
    }

    public long numRows() {
        return numRows;
    }

    public void add(BoundWrite write, long rows) {
        writes.add(write);
        numRows += rows;
    }
}
