// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;

/** The prepared statements of one session by their number. */
public final class PreparedStatements {
    private final Map<Integer, PreparedStatement> statements = new HashMap<>();
    private int next = 1;

    /** Keeps a statement under a fresh number; fails with 1461 when the session holds too many. */
    public int add(PreparedStatement statement, int max) {
        if (statements.size() >= max) {
            throw new ThetisException(
                    ErrorCode.TOO_MANY_PREPARED_STATEMENTS,
                    "Can't create more than max_prepared_stmt_count statements (current value: " + max + ")");
        }
        int id = next++;
        statements.put(id, statement);
        return id;
    }

    public Optional<PreparedStatement> find(int id) {
        return Optional.ofNullable(statements.get(id));
    }

    /** Fails with 1243 when there is no such statement. */
    public PreparedStatement get(int id) {
        return find(id).orElseThrow(() -> new ThetisException(
                ErrorCode.UNKNOWN_STATEMENT_HANDLER,
                "Unknown prepared statement handler (" + id + ") given to EXECUTE"));
    }

    public void remove(int id) {
        statements.remove(id);
    }

    public void clear() {
        statements.clear();
    }

    public int size() {
        return statements.size();
    }
}
