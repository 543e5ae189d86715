// SPDX-License-Identifier: Apache-2.0
package org.thetis.server;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.thetis.query.session.Session;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.AuditEvent;

/** The text of one line of the audit log, without its end. Thread-safe. */
final class AuditLine {
    private static final int MAX_SQL = 4096;
    private static final String PASSWORD = "password";
    private static final String IDENTIFIED = "identified";
    private static final Pattern SECRET = Pattern.compile(
            "(?i)((?:identified\\s+by(?:\\s+password)?|password\\s*\\(|password[^=']*=)\\s*)(?:'[^']*(?:'|$)|\"[^\"]*(?:\"|$))");

    /** Texts of prepared statements that are kept; a power of two. */
    private static final int TEXTS = 64;

    /** A statement as it was given and as a line has it. */
    private record Text(String sql, String line) {}

    /** A second as text: most lines are of the same one as the line before. */
    private record Second(long number, String text) {}

    private final DateTimeFormatter format =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());
    private final AtomicReferenceArray<@Nullable Text> texts = new AtomicReferenceArray<>(TEXTS);
    private volatile Second last = new Second(0, format.format(Instant.EPOCH));

    /** Appends the line of a statement; the time it begins with is that of the statement's end. */
    void append(StringBuilder out, AuditEvent event, long slowMillis) {
        StatementContext statement = event.statement();
        Session session = statement.session();
        appendTime(out, statement.startMillis() + event.elapsedMillis());
        out.append(event.elapsedMillis() >= slowMillis ? " [slow_query] |Client=" : " [query] |Client=")
                .append(session.clientAddress())
                .append("|User=")
                .append(session.userName())
                .append("|Ctl=" + Session.INTERNAL_CATALOG + "|Db=")
                .append(session.database().orElse(""))
                .append("|State=")
                .append(event.state())
                .append("|ErrorCode=")
                .append(event.errorCode())
                .append("|ErrorMessage=");
        appendOneLine(out, event.errorMessage());
        out.append("|Time(ms)=")
                .append(event.elapsedMillis())
                .append("|ScanBytes=")
                .append(event.counters().scanBytes())
                .append("|ScanRows=")
                .append(event.counters().scanRows())
                .append("|ReturnRows=")
                .append(event.returnedRows())
                .append("|QueryId=");
        statement.queryId().appendTo(out);
        out.append("|IsQuery=")
                .append(event.isQuery())
                .append("|CpuTimeMS=")
                .append(event.counters().cpuNanos() / 1_000_000)
                .append("|PeakMemoryBytes=")
                .append(event.counters().peakMemoryBytes())
                .append("|Stmt=");
        if (statement.binaryRows() && statement.sql().length() <= MAX_SQL) {
            out.append(knownText(statement.sql()));
        } else {
            appendText(out, statement.sql());
        }
    }

    /** A prepared statement's text as the line has it, made once for all executions of it that come close together. */
    private String knownText(String sql) {
        int at = sql.hashCode() & TEXTS - 1;
        Text known = texts.get(at);
        if (known == null || !known.sql.equals(sql)) {
            StringBuilder line = new StringBuilder(sql.length() + 16);
            appendText(line, sql);
            known = new Text(sql, line.toString());
            texts.set(at, known);
        }
        return known.line;
    }

    private static void appendText(StringBuilder out, String sql) {
        boolean cut = sql.length() > MAX_SQL;
        appendOneLine(out, hidePasswords(cut ? sql.substring(0, MAX_SQL) : sql), cut);
    }

    private void appendTime(StringBuilder out, long millis) {
        long second = Math.floorDiv(millis, 1000);
        Second known = last;
        if (known.number != second) {
            known = new Second(second, format.format(Instant.ofEpochSecond(second)));
            last = known;
        }
        int rest = (int) Math.floorMod(millis, 1000L);
        out.append(known.text)
                .append(',')
                .append((char) ('0' + rest / 100))
                .append((char) ('0' + rest / 10 % 10))
                .append((char) ('0' + rest % 10));
    }

    private static void appendOneLine(StringBuilder out, String text) {
        appendOneLine(out, text, text.length() > MAX_SQL);
    }

    /** @param cut whether the text is known to go on */
    private static void appendOneLine(StringBuilder out, String text, boolean cut) {
        int end = Math.min(text.length(), MAX_SQL);
        int done = 0;
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (c == '\\' || c == '\n' || c == '\r') {
                out.append(text, done, i).append('\\').append(c == '\n' ? 'n' : c == '\r' ? 'r' : '\\');
                done = i + 1;
            }
        }
        out.append(text, done, end);
        if (cut) {
            out.append("...");
        }
    }

    /** Statements that carry a password are logged without it, also when the text was cut within it. */
    private static String hidePasswords(String sql) {
        for (int i = 0; i < sql.length(); i++) {
            int c = sql.charAt(i) | 0x20;
            if (c == 'p' && sql.regionMatches(true, i, PASSWORD, 0, PASSWORD.length())
                    || c == 'i' && sql.regionMatches(true, i, IDENTIFIED, 0, IDENTIFIED.length())) {
                return SECRET.matcher(sql).replaceAll("$1'*'");
            }
        }
        return sql;
    }
}
