// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.query.session.Session;
import org.thetis.query.session.StatementContext;
import org.thetis.sql.ast.QualifiedName;

/** A table or view by database and name, after the session's database filled what the text left out. */
public record ObjectName(String database, String name) {
    /** Resolves `table`, `db.table` or `catalog.db.table`; fails with 1046 when no database is known. */
    public static ObjectName of(QualifiedName name, StatementContext context) {
        return of(name, null, context);
    }

    /** Like {@link #of(QualifiedName, StatementContext)}, where a FROM db clause wins over the database in the name. */
    public static ObjectName of(QualifiedName name, @Nullable QualifiedName database, StatementContext context) {
        List<String> parts = name.parts();
        String table = parts.get(parts.size() - 1);
        if (parts.size() > 3) {
            throw new ThetisException(ErrorCode.ANALYSIS, "Table name has too many parts: " + String.join(".", parts));
        }
        if (parts.size() == 3) {
            checkCatalog(parts.get(0));
        }
        if (database != null) {
            return new ObjectName(database(database), table);
        }
        return new ObjectName(
                parts.size() == 1 ? context.session().requireDatabase() : parts.get(parts.size() - 2), table);
    }

    /** Resolves `db` or `catalog.db`. */
    public static String database(QualifiedName name) {
        List<String> parts = name.parts();
        if (parts.size() > 2) {
            throw new ThetisException(
                    ErrorCode.ANALYSIS, "Database name has too many parts: " + String.join(".", parts));
        }
        if (parts.size() == 2) {
            checkCatalog(parts.get(0));
        }
        return parts.get(parts.size() - 1);
    }

    /** A database named in the text, else the session's. */
    public static String databaseOrCurrent(@Nullable QualifiedName name, StatementContext context) {
        return name == null ? context.session().requireDatabase() : database(name);
    }

    public static void checkCatalog(String catalog) {
        if (!catalog.equalsIgnoreCase(Session.INTERNAL_CATALOG)) {
            throw new ThetisException(ErrorCode.UNKNOWN_DATABASE, "Unknown catalog '" + catalog + "'");
        }
    }
}
