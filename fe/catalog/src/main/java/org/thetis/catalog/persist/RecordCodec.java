// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.persist;

import com.google.common.collect.ImmutableBiMap;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.base.json.Json;

/**
 * Journal records as bytes: two bytes of kind (big endian), then the record as JSON. A kind's number is never reused; fields may
 * be added to a record, and are null or zero in records written before.
 */
public final class RecordCodec {
    private static final ImmutableBiMap<Integer, Class<? extends JournalRecord>> KINDS =
            ImmutableBiMap.<Integer, Class<? extends JournalRecord>>builder()
                    .put(1, AllocateIds.class)
                    .put(2, InitializeCluster.class)
                    .put(3, SaveFrontend.class)
                    .put(4, DropFrontend.class)
                    .put(5, SaveBackend.class)
                    .put(6, DropBackend.class)
                    .put(10, SaveDatabase.class)
                    .put(11, DropDatabase.class)
                    .put(20, CreateTable.class)
                    .put(21, SaveView.class)
                    .put(22, DropTable.class)
                    .put(23, ChangeTable.class)
                    .put(24, ReplacePartitions.class)
                    .put(25, ChangePartition.class)
                    .put(26, ReplaceTable.class)
                    .put(27, ChangeColumns.class)
                    .put(28, SaveTemporaryPartitions.class)
                    .put(29, SwapPartitions.class)
                    .put(30, SaveUser.class)
                    .put(31, DropUser.class)
                    .put(32, SaveRole.class)
                    .put(33, DropRole.class)
                    .put(40, SetGlobalVariables.class)
                    .put(50, PrecommitTransaction.class)
                    .put(51, CommitTransaction.class)
                    .put(52, FinishTransaction.class)
                    .put(53, AbortTransaction.class)
                    .put(54, ForgetTransactions.class)
                    .put(60, ChangeReplicas.class)
                    .put(70, SaveAlterJob.class)
                    .put(71, StartSchemaChange.class)
                    .put(72, FinishSchemaChange.class)
                    .put(73, CancelSchemaChange.class)
                    .put(80, ForgetRecycled.class)
                    .put(81, Recover.class)
                    .build();

    private RecordCodec() {}

    public static byte[] encode(JournalRecord record) {
        @Nullable Integer kind = KINDS.inverse().get(record.getClass());
        if (kind == null) {
            throw new ThetisException(
                    ErrorCode.INTERNAL,
                    "journal record without a number: " + record.getClass().getSimpleName());
        }
        byte[] json = Json.writeBytes(record);
        return ByteBuffer.allocate(2 + json.length)
                .putShort(kind.shortValue())
                .put(json)
                .array();
    }

    /** Fails with CORRUPTION for bytes that are no record this version knows. */
    public static JournalRecord decode(byte[] bytes) {
        if (bytes.length < 2) {
            throw new ThetisException(ErrorCode.CORRUPTION, "journal record of " + bytes.length + " bytes");
        }
        int kind = ByteBuffer.wrap(bytes).getShort();
        @Nullable Class<? extends JournalRecord> type = KINDS.get(kind);
        if (type == null) {
            throw new ThetisException(
                    ErrorCode.CORRUPTION,
                    "journal record of unknown kind " + kind + "; was it written by a newer version?");
        }
        try {
            return Json.read(Arrays.copyOfRange(bytes, 2, bytes.length), type);
        } catch (ThetisException e) {
            throw new ThetisException(ErrorCode.CORRUPTION, "journal record of kind " + kind + ": " + e.text(), e);
        }
    }

    /** Every record class there is, for tests that none was forgotten. */
    static Iterable<Class<? extends JournalRecord>> classes() {
        return KINDS.values();
    }
}
