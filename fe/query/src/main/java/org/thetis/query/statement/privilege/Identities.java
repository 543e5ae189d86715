// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement.privilege;

import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.NativePassword;
import org.thetis.catalog.object.UserIdentity;
import org.thetis.sql.ast.privilege.PasswordClause;

/** Users and passwords as written, turned into what the catalog keeps. */
final class Identities {
    private Identities() {}

    static UserIdentity of(org.thetis.sql.ast.UserIdentity written) {
        if (written.domain()) {
            throw ThetisException.notSupported("a user bound to a domain name");
        }
        return new UserIdentity(written.user(), written.host());
    }

    /** The stored form of a password; empty without one. */
    static String passwordHash(@Nullable PasswordClause clause) {
        if (clause == null) {
            return "";
        }
        return clause.hashed() ? NativePassword.checkHash(clause.text()) : NativePassword.hash(clause.text());
    }
}
