// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.binder;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.SourcePosition;
import org.thetis.base.error.ThetisException;
import org.thetis.base.text.NearestNames;

/** Failures of binding, with the place in the statement when it is known. */
final class Errors {
    private Errors() {}

    static ThetisException at(ErrorCode code, String message, @Nullable SourcePosition position) {
        return position == null
                ? new ThetisException(code, message)
                : new ThetisException(code, message + " (" + position + ")", position);
    }

    static ThetisException analysis(String message, @Nullable SourcePosition position) {
        return at(ErrorCode.ANALYSIS, message, position);
    }

    static ThetisException notSupported(String what, @Nullable SourcePosition position) {
        return at(ErrorCode.NOT_SUPPORTED, what + " is not supported", position);
    }

    static ThetisException unknownColumn(
            String name, String where, Collection<String> known, @Nullable SourcePosition position) {
        String last = name.substring(name.lastIndexOf('.') + 1);
        return at(
                ErrorCode.UNKNOWN_COLUMN,
                "Unknown column '" + name + "' in '" + where + "'" + NearestNames.suggestion(last, known),
                position);
    }

    static ThetisException withPosition(ThetisException failure, SourcePosition position) {
        return failure.position().isPresent() ? failure : at(failure.code(), failure.text(), position);
    }
}
