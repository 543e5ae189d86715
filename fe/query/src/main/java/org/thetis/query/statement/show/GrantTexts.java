// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.show;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.thetis.catalog.object.Grant;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Scope;

/** Grants as the columns of SHOW GRANTS, one text per level; null where there is none. */
record GrantTexts(
        @Nullable String global, @Nullable String catalog, @Nullable String database, @Nullable String table) {
    static GrantTexts of(List<Grant> grants) {
        return new GrantTexts(
                text(grants, Scope.Level.GLOBAL),
                text(grants, Scope.Level.CATALOG),
                text(grants, Scope.Level.DATABASE),
                text(grants, Scope.Level.TABLE));
    }

    private static @Nullable String text(List<Grant> grants, Scope.Level level) {
        Map<Scope, TreeSet<Privilege>> merged = new TreeMap<>();
        for (Grant grant : grants) {
            if (grant.scope().level() == level) {
                merged.computeIfAbsent(grant.scope(), ignored -> new TreeSet<>())
                        .addAll(grant.privileges());
            }
        }
        if (merged.isEmpty()) {
            return null;
        }
        List<String> texts = new ArrayList<>();
        merged.forEach((scope, privileges) -> {
            String names =
                    String.join(",", privileges.stream().map(Privilege::sql).toList());
            texts.add(level == Scope.Level.GLOBAL ? names : shortName(scope) + ": " + names);
        });
        return String.join("; ", texts);
    }

    private static String shortName(Scope scope) {
        return scope.show().replaceAll("(\\.\\*)+$", "");
    }
}
