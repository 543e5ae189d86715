// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import com.google.common.collect.ImmutableList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.antlr.v4.runtime.Token;

/**
 * Statements of MySQL that the grammar does not know, by their first words. A text that starts like one of them and cannot be
 * parsed is answered "not supported" with the name instead of a syntax error.
 */
final class ForeignStatements {
    private static final ImmutableList<String> PREFIXES = ImmutableList.of(
            "ALTER EVENT",
            "ALTER INSTANCE",
            "ALTER SERVER",
            "ALTER TABLESPACE",
            "CACHE INDEX",
            "CHANGE MASTER",
            "CHANGE REPLICATION",
            "CHECK TABLE",
            "CHECKSUM TABLE",
            "CLONE",
            "CREATE DEFINER",
            "CREATE EVENT",
            "CREATE LOGFILE GROUP",
            "CREATE SEQUENCE",
            "CREATE SERVER",
            "CREATE TABLESPACE",
            "CREATE TRIGGER",
            "DECLARE",
            "DELETE",
            "DO",
            "DROP EVENT",
            "DROP SEQUENCE",
            "DROP SERVER",
            "DROP TABLESPACE",
            "DROP TRIGGER",
            "EXPLAIN ANALYZE",
            "EXPLAIN EXTENDED",
            "EXPLAIN FORMAT",
            "EXPLAIN FOR CONNECTION",
            "FETCH",
            "GET DIAGNOSTICS",
            "HANDLER",
            "IMPORT TABLE",
            "MERGE INTO",
            "OPTIMIZE TABLE",
            "PURGE",
            "RENAME TABLE",
            "RENAME USER",
            "REPAIR TABLE",
            "RESET",
            "RESIGNAL",
            "SHOW BINARY",
            "SHOW BINLOG",
            "SHOW CREATE EVENT",
            "SHOW CREATE TRIGGER",
            "SHOW ENGINE",
            "SHOW MASTER",
            "SHOW PROFILE",
            "SHOW RELAYLOG",
            "SHOW REPLICAS",
            "SHOW SLAVE",
            "SHOW USERS",
            "SIGNAL",
            "START GROUP_REPLICATION",
            "START REPLICA",
            "START SLAVE",
            "STOP GROUP_REPLICATION",
            "STOP REPLICA",
            "STOP SLAVE",
            "TABLE",
            "UPDATE",
            "XA");

    /** Statements that exist here in a simpler form: only these shapes of them are foreign. */
    private static final ImmutableList<String> SEVERAL_TABLES = ImmutableList.of("DELETE", "UPDATE");

    private ForeignStatements() {}

    /** The name of the statement that the tokens begin, or empty when it is not one of those. */
    static Optional<String> name(List<Token> tokens) {
        List<String> words = tokens.stream()
                .filter(token -> token.getChannel() == Token.DEFAULT_CHANNEL)
                .limit(64)
                .map(token -> token.getText().toUpperCase(Locale.ROOT))
                .toList();
        for (String prefix : PREFIXES) {
            List<String> start = List.of(prefix.split(" "));
            if (words.size() < start.size() || !words.subList(0, start.size()).equals(start)) {
                continue;
            }
            if (!SEVERAL_TABLES.contains(prefix)) {
                return Optional.of(prefix);
            }
            if (changesSeveralTables(words)) {
                return Optional.of(prefix + " of several tables");
            }
        }
        return Optional.empty();
    }

    /** DELETE a, b FROM ... or UPDATE a JOIN b SET ... . */
    private static boolean changesSeveralTables(List<String> words) {
        int end = words.indexOf(words.get(0).equals("DELETE") ? "FROM" : "SET");
        List<String> targets = end < 0 ? List.of() : words.subList(1, end);
        return words.get(0).equals("DELETE") ? !targets.isEmpty() : targets.contains("JOIN") || targets.contains(",");
    }
}
