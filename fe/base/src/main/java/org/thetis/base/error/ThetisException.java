// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.error;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The one exception of the front end: a code that callers and clients branch on, and a message that says what failed first and
 * names values last. Never carries a stack trace to a client.
 */
public class ThetisException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final transient @Nullable SourcePosition position;

    public ThetisException(ErrorCode code, String message) {
        this(code, message, null, null);
    }

    public ThetisException(ErrorCode code, String message, @Nullable Throwable cause) {
        this(code, message, null, cause);
    }

    public ThetisException(ErrorCode code, String message, SourcePosition position) {
        this(code, message, position, null);
    }

    private ThetisException(
            ErrorCode code, String message, @Nullable SourcePosition position, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
        this.position = position;
    }

    /** Message text built with {@link String#format}. */
    @FormatMethod
    public static ThetisException of(ErrorCode code, @FormatString String format, @Nullable Object... arguments) {
        return new ThetisException(code, String.format(format, arguments));
    }

    /** An unbuilt feature; `what` is its name as a user would write it. */
    public static ThetisException notSupported(String what) {
        return new ThetisException(ErrorCode.NOT_SUPPORTED, what + " is not supported");
    }

    public ErrorCode code() {
        return code;
    }

    /** Where in the statement, when the failure has a place there. */
    public Optional<SourcePosition> position() {
        return Optional.ofNullable(position);
    }

    /** The message, never null. */
    public String text() {
        String message = getMessage();
        return message == null ? code.name() : message;
    }
}
