// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.ast;

import java.util.List;
import org.thetis.base.error.SourcePosition;

/**
 * A type as written: upper-case name, numeric parameters as text (also "*" for VARCHAR(*)), child types, and for
 * STRUCT the field names. AGG_STATE puts the function into name as AGG_STATE and the function name into
 * fieldNames.
 */
public record TypeName(
        SourcePosition position,
        String name,
        List<String> parameters,
        List<TypeName> children,
        List<String> fieldNames,
        List<String> fieldComments) {
    /** Copies the collections. */
    public TypeName {
        parameters = List.copyOf(parameters);
        children = List.copyOf(children);
        fieldNames = List.copyOf(fieldNames);
        fieldComments = List.copyOf(fieldComments);
    }
}
