// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.SortItem;
import org.thetis.sql.ast.WindowFrame;
import org.thetis.sql.ast.WindowSpecification;
import org.thetis.sql.grammar.ThetisParser;

/** The WINDOW clauses in force; OVER name and OVER (name ...) are written out while the tree is built. */
final class NamedWindows {
    private static final int MAX_CHAIN = 32;

    private final Deque<Map<String, ThetisParser.WindowSpecificationContext>> levels = new ArrayDeque<>();
    private final FunctionBuilder functions;
    private int chain;

    NamedWindows(FunctionBuilder functions) {
        this.functions = functions;
    }

    /** Opens a SELECT; names of the query around it are not seen inside. */
    void enter(ThetisParser.@Nullable WindowClauseContext context) {
        Map<String, ThetisParser.WindowSpecificationContext> names = new HashMap<>();
        if (context != null) {
            for (ThetisParser.NamedWindowContext window : context.namedWindow()) {
                String name = key(window.identifier());
                if (names.put(name, window.windowSpecification()) != null) {
                    throw Texts.failure(window.getStart(), "window '" + name + "' is defined twice");
                }
            }
        }
        levels.push(names);
    }

    void leave() {
        levels.pop();
    }

    /** The window of this name. */
    WindowSpecification find(ThetisParser.IdentifierContext name) {
        ThetisParser.WindowSpecificationContext found =
                levels.isEmpty() ? null : levels.element().get(key(name));
        if (found == null) {
            throw Texts.failure(name.getStart(), "window '" + Texts.name(name) + "' is not defined");
        }
        if (++chain > MAX_CHAIN) {
            throw Texts.failure(name.getStart(), "windows refer to each other in a circle");
        }
        WindowSpecification window = functions.window(found);
        chain--;
        return window;
    }

    /** A named window with what OVER (name ...) adds to it. */
    WindowSpecification extend(
            ThetisParser.IdentifierContext name,
            boolean partitions,
            List<SortItem> orderBy,
            @Nullable WindowFrame frame) {
        WindowSpecification base = find(name);
        if (partitions || !base.orderBy().isEmpty() && !orderBy.isEmpty() || base.frame() != null) {
            throw Texts.failure(
                    name.getStart(),
                    "window '" + Texts.name(name)
                            + "' cannot be changed in this way: only an ORDER BY and a frame can be added");
        }
        return new WindowSpecification(base.partitionBy(), orderBy.isEmpty() ? base.orderBy() : orderBy, frame);
    }

    private static String key(ThetisParser.IdentifierContext name) {
        return Texts.name(name).toLowerCase(Locale.ROOT);
    }
}
