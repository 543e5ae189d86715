// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.session;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Where global values that differ from their defaults are kept; in the cluster that is the journalled catalog. Thread-safe. */
public interface GlobalVariableStore {
    Optional<String> find(String name);

    Map<String, String> all();

    void put(String name, String value);

    /** One that forgets with the process, for tests. */
    static GlobalVariableStore inMemory() {
        ConcurrentHashMap<String, String> values = new ConcurrentHashMap<>();
        return new GlobalVariableStore() {
            @Override
            public Optional<String> find(String name) {
                return Optional.ofNullable(values.get(name));
            }

            @Override
            public Map<String, String> all() {
                return Map.copyOf(values);
            }

            @Override
            public void put(String name, String value) {
                values.put(name, value);
            }
        };
    }
}
