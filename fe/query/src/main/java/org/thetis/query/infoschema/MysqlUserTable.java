// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.infoschema;

import java.util.List;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Scope;
import org.thetis.catalog.object.User;
import org.thetis.sql.binder.ResolvedTable;
import org.thetis.sql.expr.Literal;

/** mysql.user: accounts, for tools that read it. */
public final class MysqlUserTable implements SchemaTable {
    private static final List<ResolvedTable.Column> COLUMNS = SchemaRows.columns(
            "Host",
            "User",
            "Node_priv",
            "Admin_priv",
            "Grant_priv",
            "Select_priv",
            "Load_priv",
            "Alter_priv",
            "Create_priv",
            "Drop_priv",
            "Usage_priv",
            "Show_view_priv",
            "plugin",
            "authentication_string",
            "password_expired",
            "account_locked",
            "User_comment");

    @Override
    public String database() {
        return "mysql";
    }

    @Override
    public String name() {
        return "user";
    }

    @Override
    public List<ResolvedTable.Column> columns() {
        return COLUMNS;
    }

    @Override
    public List<List<Literal>> rows(SchemaTableContext context) {
        SchemaRows rows = new SchemaRows(COLUMNS);
        if (!context.catalog()
                .accessChecker()
                .has(context.statement().session().identity(), Scope.GLOBAL, Privilege.GRANT)) {
            return rows.rows();
        }
        for (User user : context.catalog().users().values()) {
            rows.add(
                    user.identity().host(),
                    user.identity().name(),
                    has(context, user, Privilege.NODE),
                    has(context, user, Privilege.ADMIN),
                    has(context, user, Privilege.GRANT),
                    has(context, user, Privilege.SELECT),
                    has(context, user, Privilege.LOAD),
                    has(context, user, Privilege.ALTER),
                    has(context, user, Privilege.CREATE),
                    has(context, user, Privilege.DROP),
                    has(context, user, Privilege.USAGE),
                    has(context, user, Privilege.SHOW_VIEW),
                    "mysql_native_password",
                    "",
                    "N",
                    user.locked() ? "Y" : "N",
                    user.comment());
        }
        return rows.rows();
    }

    private static String has(SchemaTableContext context, User user, Privilege privilege) {
        return context.catalog().accessChecker().has(user.identity(), Scope.GLOBAL, privilege) ? "Y" : "N";
    }
}
