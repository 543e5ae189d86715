// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster.alter;

import java.util.Map;

/** Global variables: the values new sessions start with. The caller has checked name and value. */
public interface VariableCommands {
    void setGlobal(Map<String, String> values);

    /** Back to the built-in default. */
    void unsetGlobal(String name);
}
