// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.journal;

/** Gives cluster-unique ids for databases, tables, tablets, transactions and all else. */
public interface IdAllocator {
    /** An id never given before. Journals a block of ids now and then. */
    long next();
}
