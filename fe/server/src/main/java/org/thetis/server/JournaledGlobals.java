// SPDX-License-Identifier: Apache-2.0
package org.thetis.server;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.cluster.alter.VariableCommands;
import org.thetis.query.session.GlobalVariableStore;

/** Global variables kept in the journalled catalog. */
final class JournaledGlobals implements GlobalVariableStore {
    private final CatalogReader catalog;
    private final VariableCommands commands;

    JournaledGlobals(CatalogReader catalog, VariableCommands commands) {
        this.catalog = catalog;
        this.commands = commands;
    }

    @Override
    public Optional<String> find(String name) {
        return catalog.snapshot().globalVariables().find(name);
    }

    @Override
    public Map<String, String> all() {
        Map<String, String> values = new HashMap<>();
        catalog.snapshot().globalVariables().forEach(entry -> values.put(entry.getKey(), entry.getValue()));
        return values;
    }

    @Override
    public void put(String name, String value) {
        commands.setGlobal(Map.of(name, value));
    }
}
