// SPDX-License-Identifier: Apache-2.0
package org.thetis.server;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Pattern;
import org.thetis.query.schedule.QueryCounters;
import org.thetis.query.session.QueryId;
import org.thetis.query.session.Session;
import org.thetis.query.session.StatementContext;
import org.thetis.query.statement.AuditEvent;
import org.thetis.query.statement.LookupEvent;

/** The text of one line of the audit log, without its end. Thread-safe. */
final class AuditLine {
    private static final int MAX_SQL = 4096;
    private static final String PASSWORD = "password";
    private static final String IDENTIFIED = "identified";
    private static final Pattern SECRET = Pattern.compile(
            "(?i)((?:identified\\s+by(?:\\s+password)?|password\\s*\\(|password[^=']*=)\\s*)(?:'[^']*(?:'|$)|\"[^\"]*(?:\"|$))");

    private static final byte[] QUERY = ascii(" [query] ");
    private static final byte[] SLOW_QUERY = ascii(" [slow_query] ");
    private static final byte[] STATE = ascii("|State=");
    private static final byte[] EOF = ascii("EOF");
    private static final byte[] ERROR_CODE = ascii("|ErrorCode=");
    private static final byte[] ERROR_MESSAGE = ascii("|ErrorMessage=");
    private static final byte[] TIME = ascii("|Time(ms)=");
    private static final byte[] SCAN_BYTES = ascii("|ScanBytes=");
    private static final byte[] SCAN_ROWS = ascii("|ScanRows=");
    private static final byte[] RETURN_ROWS = ascii("|ReturnRows=");
    private static final byte[] QUERY_ID = ascii("|QueryId=");
    private static final byte[] IS_QUERY = ascii("|IsQuery=true");
    private static final byte[] IS_NO_QUERY = ascii("|IsQuery=false");
    private static final byte[] CPU_TIME = ascii("|CpuTimeMS=");
    private static final byte[] PEAK_MEMORY = ascii("|PeakMemoryBytes=");
    private static final byte[] STATEMENT = ascii("|Stmt=");
    private static final byte[] NO_COUNTERS = ascii("|CpuTimeMS=0|PeakMemoryBytes=0|Stmt=");
    private static final byte[] NO_SCANS = ascii("|ScanBytes=0|ScanRows=0|ReturnRows=");
    private static final byte[] NO_ERROR = ascii("|ErrorCode=0|ErrorMessage=|Time(ms)=");

    /** A second as text: most lines are of the same one as the line before. */
    private static final class Second {
        final long number;
        final byte[] text;

        Second(long number, byte[] text) {
            this.number = number;
            this.text = text;
        }
    }

    private final DateTimeFormatter format =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());
    private volatile Second last = new Second(Long.MIN_VALUE, new byte[0]);

    /** Appends the line of a statement; the time it begins with is that of the statement's end. */
    void append(LineBuffer out, AuditEvent event, long slowMillis) {
        StatementContext statement = event.statement();
        QueryCounters counters = event.counters();
        appendHead(
                out,
                statement.startMillis() + event.elapsedMillis(),
                event.elapsedMillis() >= slowMillis,
                who(statement.session()));
        appendState(out, event.state(), event.errorCode(), event.errorMessage());
        out.add(event.elapsedMillis())
                .add(SCAN_BYTES)
                .add(counters.scanBytes())
                .add(SCAN_ROWS)
                .add(counters.scanRows())
                .add(RETURN_ROWS)
                .add(event.returnedRows());
        appendId(out, statement.queryId());
        out.add(event.isQuery() ? IS_QUERY : IS_NO_QUERY)
                .add(CPU_TIME)
                .add(counters.cpuNanos() / 1_000_000)
                .add(PEAK_MEMORY)
                .add(counters.peakMemoryBytes())
                .add(STATEMENT)
                .add(statement(statement.sql()));
    }

    /** Appends the line of a look-up, given {@link #who} and {@link #statement}; it scans nothing and counts nothing. */
    void append(LineBuffer out, LookupEvent event, byte[] who, byte[] statement, long slowMillis) {
        appendHead(out, event.startMillis() + event.elapsedMillis(), event.elapsedMillis() >= slowMillis, who);
        appendState(out, event.state(), event.errorCode(), event.errorMessage());
        out.add(event.elapsedMillis()).add(NO_SCANS).add(event.returnedRows());
        appendId(out, event.queryId());
        out.add(IS_QUERY).add(NO_COUNTERS).add(statement);
    }

    /** The fields that tell whose statement it was: the same until the session's database changes. */
    static byte[] who(Session session) {
        return utf8("|Client=" + session.clientAddress() + "|User=" + session.userName() + "|Ctl="
                + Session.INTERNAL_CATALOG + "|Db=" + session.database().orElse(""));
    }

    /** A statement as it stands at the end of its line. */
    static byte[] statement(String sql) {
        boolean cut = sql.length() > MAX_SQL;
        return utf8(oneLine(hidePasswords(cut ? sql.substring(0, MAX_SQL) : sql), cut));
    }

    private void appendHead(LineBuffer out, long millis, boolean slow, byte[] who) {
        long number = Math.floorDiv(millis, 1000);
        Second known = last;
        if (known.number != number) {
            known = new Second(number, utf8(format.format(Instant.ofEpochSecond(number))));
            last = known;
        }
        int rest = (int) Math.floorMod(millis, 1000L);
        out.add(known.text)
                .add(',')
                .add((char) ('0' + rest / 100))
                .add((char) ('0' + rest / 10 % 10))
                .add((char) ('0' + rest % 10))
                .add(slow ? SLOW_QUERY : QUERY)
                .add(who);
    }

    /** Up to the value of Time(ms). */
    private static void appendState(LineBuffer out, String state, int errorCode, String errorMessage) {
        out.add(STATE);
        if (state.equals("EOF")) {
            out.add(EOF);
        } else {
            out.add(state);
        }
        if (errorCode == 0 && errorMessage.isEmpty()) {
            out.add(NO_ERROR);
            return;
        }
        out.add(ERROR_CODE)
                .add(errorCode)
                .add(ERROR_MESSAGE)
                .add(oneLine(errorMessage, errorMessage.length() > MAX_SQL))
                .add(TIME);
    }

    private static void appendId(LineBuffer out, QueryId id) {
        out.add(QUERY_ID).addHex(id.high()).add('-').addHex(id.low());
    }

    /** @param cut whether the text is known to go on */
    private static String oneLine(String text, boolean cut) {
        int end = Math.min(text.length(), MAX_SQL);
        StringBuilder out = new StringBuilder(end + 16);
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
        return out.toString();
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

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
