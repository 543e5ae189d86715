// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

import java.util.HashMap;
import java.util.Map;

/** Values that new sessions start with. Safe for use from any thread. */
public final class GlobalVariables {
    private final VariableCatalog catalog;
    private final GlobalVariableStore store;

    public GlobalVariables(VariableCatalog catalog, GlobalVariableStore store) {
        this.catalog = catalog;
        this.store = store;
    }

    public VariableCatalog catalog() {
        return catalog;
    }

    /** The current value of a known variable. */
    public String value(Variable variable) {
        return store.find(variable.name()).orElse(variable.defaultText());
    }

    /** Changes a value that was checked before. */
    void put(Variable variable, String normalized) {
        store.put(variable.name(), normalized);
    }

    /** The stored values of known variables, as of now. A name that is no longer known is left out. */
    Map<String, String> changes() {
        Map<String, String> known = new HashMap<>();
        store.all()
                .forEach((name, value) -> catalog.find(name).ifPresent(variable -> known.put(variable.name(), value)));
        return known;
    }
}
