// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Statement;

/** A parsed statement with placeholders, and what the client sent for them so far. Used by its session's current command only. */
public final class PreparedStatement {
    private final Statement statement;
    private final String sql;
    private final int numParameters;
    private final Map<Integer, ByteArrayOutputStream> longData = new HashMap<>();
    private int @Nullable [] parameterTypes;
    private @Nullable Object planHint;

    public PreparedStatement(Statement statement, String sql, int numParameters) {
        this.statement = statement;
        this.sql = sql;
        this.numParameters = numParameters;
    }

    public Statement statement() {
        return statement;
    }

    public String sql() {
        return sql;
    }

    public int numParameters() {
        return numParameters;
    }

    /** Type codes of the last execute that sent them; null before. */
    public int @Nullable [] parameterTypes() {
        return parameterTypes;
    }

    public void rememberTypes(int[] types) {
        parameterTypes = types;
    }

    /** Adds to a parameter that is sent in pieces. */
    public void appendLongData(int parameter, byte[] bytes) {
        longData.computeIfAbsent(parameter, ignored -> new ByteArrayOutputStream())
                .writeBytes(bytes);
    }

    /** The bytes sent in pieces for a parameter, or null if none were. */
    public byte @Nullable [] longData(int parameter) {
        ByteArrayOutputStream sent = longData.get(parameter);
        return sent == null ? null : sent.toByteArray();
    }

    /** What {@link #rememberPlan} was given last; null before. */
    public @Nullable Object planHint() {
        return planHint;
    }

    /** Keeps what leads the keeper of plans to this statement's. */
    public void rememberPlan(Object hint) {
        planHint = hint;
    }

    public void clearLongData() {
        longData.clear();
    }
}
