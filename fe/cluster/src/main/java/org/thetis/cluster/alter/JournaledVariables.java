// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.util.List;
import java.util.Map;
import org.thetis.catalog.persist.SetGlobalVariables;
import org.thetis.cluster.journal.Journal;

/** SET GLOBAL as journal records. */
public final class JournaledVariables implements VariableCommands {
    private final Journal journal;

    public JournaledVariables(Journal journal) {
        this.journal = journal;
    }

    @Override
    public void setGlobal(Map<String, String> values) {
        journal.appendAndWait(new SetGlobalVariables(Map.copyOf(values), List.of()));
    }

    @Override
    public void unsetGlobal(String name) {
        journal.appendAndWait(new SetGlobalVariables(Map.of(), List.of(name)));
    }
}
