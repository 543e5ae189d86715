// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.List;
import org.thetis.base.metrics.Counter;
import org.thetis.base.metrics.MetricRegistry;
import org.thetis.sql.ast.QueryStatement;
import org.thetis.sql.parser.ParsedStatement;
import org.thetis.sql.parser.ParserOptions;
import org.thetis.sql.parser.SqlParser;

/**
 * Remembers the trees of queries by their text, so that one that comes again is not parsed again, by whatever session. A tree is
 * immutable and a function of the text and the options alone: it holds whatever happens to catalog, privileges and variables.
 * Texts with placeholders are not kept, as each prepared statement is known by a tree of its own. Thread-safe.
 */
final class ParsedQueries {
    private static final int MAX_LENGTH = 16 << 10;

    /** A tree takes some 30 times the bytes of its text. */
    private static final long MAX_CHARACTERS = 1 << 20;

    private static final int KEY_OVERHEAD = 64;

    private record Key(String sql, ParserOptions options) {}

    private final SqlParser parser;
    private final Cache<Key, List<ParsedStatement>> known;
    private final Counter hits;
    private final Counter misses;

    ParsedQueries(SqlParser parser, MetricRegistry metrics) {
        this.parser = parser;
        this.known = Caffeine.newBuilder()
                .maximumWeight(MAX_CHARACTERS)
                .weigher((Key key, List<ParsedStatement> trees) -> key.sql().length() + KEY_OVERHEAD)
                .build();
        this.hits = metrics.counter("parsed_query_hits_total", "Texts of queries whose trees were known.");
        this.misses = metrics.counter(
                "parsed_query_misses_total", "Texts of queries that were parsed and may be remembered.");
    }

    /** The statements of a text; fails as the parser does. */
    List<ParsedStatement> parse(String sql, ParserOptions options) {
        if (!mayBeQuery(sql)) {
            return parser.parseAll(sql, options);
        }
        Key key = new Key(sql, options);
        List<ParsedStatement> trees = known.getIfPresent(key);
        if (trees != null) {
            hits.increment();
            return trees;
        }
        trees = parser.parseAll(sql, options);
        if (trees.size() == 1
                && trees.get(0).statement() instanceof QueryStatement
                && trees.get(0).parameterCount() == 0) {
            misses.increment();
            known.put(key, List.copyOf(trees));
        }
        return trees;
    }

    /** Whether it is worth while to look: long texts and those that begin otherwise are never there. */
    private static boolean mayBeQuery(String sql) {
        if (sql.length() > MAX_LENGTH) {
            return false;
        }
        for (int i = 0; i < sql.length(); i++) {
            char c = sql.charAt(i);
            if (c > ' ') {
                return c == 's' || c == 'S' || c == 'w' || c == 'W' || c == '(' || c == '/' || c == '-';
            }
        }
        return false;
    }
}
