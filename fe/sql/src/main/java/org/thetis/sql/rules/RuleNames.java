// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.rules;

import java.util.Locale;

/** Names of rules by their classes, each made once. */
final class RuleNames {
    private static final ClassValue<String> NAMES = new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> rule) {
            return rule.getSimpleName().replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
        }
    };

    private RuleNames() {}

    static String of(Class<? extends Rule> rule) {
        return NAMES.get(rule);
    }
}
