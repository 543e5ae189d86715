// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/**
 * What the headers of a stream load say about columns and rows, checked against each other; the table is not looked at yet.
 *
 * @param columns the columns header; empty for all visible columns in order
 * @param hiddenColumns hidden columns that the data has behind the visible ones
 * @param deleteCondition of MERGE: the rows that delete their key; empty otherwise
 * @param sequenceColumn the field or column whose value is the sequence; empty for none
 * @param existingOnly in a partial update: whether a key that is not there yet is an error
 */
public record LoadSpec(
        String columns,
        List<String> hiddenColumns,
        String where,
        Merge merge,
        String deleteCondition,
        String sequenceColumn,
        boolean partialUpdate,
        boolean existingOnly) {
    /** What rows do to rows with their key that are there. */
    public enum Merge {
        /** They take their place. */
        APPEND,
        /** They delete them. */
        DELETE,
        /** They delete them or take their place, by a condition. */
        MERGE
    }

    /** Copies the list. */
    public LoadSpec {
        hiddenColumns = List.copyOf(hiddenColumns);
    }

    /** Reads headers, whose names are lower-case; fails for those that contradict each other. */
    public static LoadSpec of(Map<String, String> headers) {
        Merge merge = merge(text(headers, "merge_type"));
        String condition = text(headers, "delete");
        if (merge == Merge.MERGE && condition.isEmpty()) {
            throw bad("merge_type MERGE needs the header delete with the condition of the rows to delete");
        }
        if (merge != Merge.MERGE && !condition.isEmpty()) {
            throw bad("the header delete needs merge_type MERGE, not " + merge);
        }
        List<String> hidden = Arrays.stream(text(headers, "hidden_columns").split(","))
                .map(name -> name.strip().replace("`", ""))
                .filter(name -> !name.isEmpty())
                .toList();
        if (!hidden.isEmpty() && !text(headers, "columns").isEmpty()) {
            throw bad("the headers columns and hidden_columns cannot be used together");
        }
        boolean partial = partialUpdate(headers);
        return new LoadSpec(
                text(headers, "columns"),
                hidden,
                text(headers, "where"),
                merge,
                condition,
                text(headers, "function_column.sequence_col").replace("`", ""),
                partial,
                existingOnly(headers, partial));
    }

    private static Merge merge(String text) {
        return switch (text.toUpperCase(Locale.ROOT)) {
            case "", "APPEND" -> Merge.APPEND;
            case "DELETE" -> Merge.DELETE;
            case "MERGE" -> Merge.MERGE;
            default -> throw bad("merge_type must be APPEND, DELETE or MERGE: '" + text + "'");
        };
    }

    private static boolean partialUpdate(Map<String, String> headers) {
        boolean partial = flag(headers, "partial_columns");
        String mode = text(headers, "unique_key_update_mode");
        return switch (mode.toUpperCase(Locale.ROOT)) {
            case "" -> partial;
            case "UPSERT" -> {
                if (partial) {
                    throw bad("unique_key_update_mode UPSERT contradicts partial_columns: true");
                }
                yield false;
            }
            case "UPDATE_FIXED_COLUMNS" -> true;
            case "UPDATE_FLEXIBLE_COLUMNS" ->
                throw ThetisException.notSupported("stream load header unique_key_update_mode: " + mode);
            default ->
                throw bad("unique_key_update_mode must be UPSERT, UPDATE_FIXED_COLUMNS or UPDATE_FLEXIBLE_COLUMNS: '"
                        + mode + "'");
        };
    }

    private static boolean existingOnly(Map<String, String> headers, boolean partial) {
        String behavior = text(headers, "partial_update_new_key_behavior");
        if (!behavior.isEmpty() && !partial) {
            throw bad("partial_update_new_key_behavior needs partial_columns: true");
        }
        return switch (behavior.toUpperCase(Locale.ROOT)) {
            case "" -> partial && flag(headers, "strict_mode");
            case "APPEND" -> false;
            case "ERROR" -> true;
            default -> throw bad("partial_update_new_key_behavior must be APPEND or ERROR: '" + behavior + "'");
        };
    }

    private static boolean flag(Map<String, String> headers, String name) {
        return text(headers, name).equalsIgnoreCase("true");
    }

    private static String text(Map<String, String> headers, String name) {
        return headers.getOrDefault(name, "").strip();
    }

    private static ThetisException bad(String message) {
        return new ThetisException(ErrorCode.INVALID_ARGUMENT, message);
    }
}
