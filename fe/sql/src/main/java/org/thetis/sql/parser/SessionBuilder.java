// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.thetis.base.error.SourcePosition;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.NoOperation;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.UnsupportedStatement;
import org.thetis.sql.ast.UserIdentity;
import org.thetis.sql.ast.VariableScope;
import org.thetis.sql.ast.session.Kill;
import org.thetis.sql.ast.session.SetItem;
import org.thetis.sql.ast.session.SetStatement;
import org.thetis.sql.ast.session.SwitchCatalog;
import org.thetis.sql.ast.session.Sync;
import org.thetis.sql.ast.session.UnsetVariable;
import org.thetis.sql.ast.session.Use;
import org.thetis.sql.grammar.ThetisParser;

/** Builds statements about the session itself. */
final class SessionBuilder extends StatementVisitor {
    SessionBuilder(TreeBuilders builders) {
        super(builders);
    }

    /** The scope named by whichever keyword is there. */
    static VariableScope scope(@Nullable Object global, @Nullable Object session, @Nullable Object local) {
        if (global != null) {
            return VariableScope.GLOBAL;
        }
        return session != null || local != null ? VariableScope.SESSION : VariableScope.DEFAULT;
    }

    @Override
    public Statement visitUse(ThetisParser.UseContext context) {
        boolean qualified = context.DOT() != null;
        return new Use(
                qualified ? Texts.name(context.identifier(0)) : null,
                Texts.name(context.identifier(qualified ? 1 : 0)));
    }

    @Override
    public Statement visitSwitchCatalog(ThetisParser.SwitchCatalogContext context) {
        return new SwitchCatalog(Texts.name(context.identifier()));
    }

    @Override
    public Statement visitSet(ThetisParser.SetContext context) {
        for (ThetisParser.SetItemContext item : context.setItem()) {
            if (item instanceof ThetisParser.SetLdapPasswordContext) {
                return new UnsupportedStatement("SET LDAP_ADMIN_PASSWORD");
            }
        }
        return new SetStatement(context.setItem().stream().map(this::item).toList());
    }

    @Override
    public Statement visitSetProperty(ThetisParser.SetPropertyContext context) {
        return new SetStatement(List.of(new SetItem.Property(
                optionalNameOrText(context.identifierOrText()),
                Texts.properties(context.property(), builders().source()))));
    }

    private SetItem item(ThetisParser.SetItemContext context) {
        if (context instanceof ThetisParser.SetVariableContext variable) {
            return new SetItem.Variable(
                    scope(variable.GLOBAL(), variable.SESSION(), variable.LOCAL()),
                    Texts.name(variable.identifier()),
                    value(variable.setValue()));
        }
        if (context instanceof ThetisParser.SetSystemVariableContext variable) {
            return new SetItem.Variable(
                    scope(variable.GLOBAL(), variable.SESSION(), variable.LOCAL()),
                    Texts.name(variable.identifier()),
                    value(variable.setValue()));
        }
        if (context instanceof ThetisParser.SetUserVariableContext variable) {
            return new SetItem.UserVariable(
                    nameOrText(variable.identifierOrText()), expressions().build(variable.expression()));
        }
        if (context instanceof ThetisParser.SetNamesContext names) {
            String charset = names.DEFAULT() != null ? null : nameOrText(names.identifierOrText(0));
            String collation = names.COLLATE() == null ? null : nameOrText(names.identifierOrText(1));
            return new SetItem.Names(charset, collation);
        }
        if (context instanceof ThetisParser.SetCharacterSetContext charset) {
            return new SetItem.CharacterSet(optionalNameOrText(charset.identifierOrText()));
        }
        if (context instanceof ThetisParser.SetTransactionContext transaction) {
            return transaction(transaction);
        }
        return password((ThetisParser.SetPasswordContext) context);
    }

    private SetItem password(ThetisParser.SetPasswordContext context) {
        UserIdentity user = context.userIdentity() == null ? null : user(context.userIdentity());
        boolean clear = context.PASSWORD().size() > 1;
        return new SetItem.Password(user, string(context.STRING_LITERAL()), !clear);
    }

    /** Null for DEFAULT; keywords that are no expressions arrive as bare words. */
    private @Nullable Expression value(ThetisParser.SetValueContext context) {
        if (context.expression() != null) {
            return expressions().build(context.expression());
        }
        if (context.DEFAULT() != null) {
            return null;
        }
        SourcePosition position = SourceText.position(context);
        return new Expression.ColumnReference(position, List.of(context.getText()));
    }

    private static SetItem transaction(ThetisParser.SetTransactionContext context) {
        String isolation = null;
        Boolean readOnly = null;
        for (ThetisParser.TransactionOptionContext option : context.transactionOption()) {
            if (option.ISOLATION() == null) {
                readOnly = option.ONLY() != null;
            } else if (option.SERIALIZABLE() != null) {
                isolation = "SERIALIZABLE";
            } else if (option.REPEATABLE() != null) {
                isolation = "REPEATABLE READ";
            } else {
                isolation = option.UNCOMMITTED() != null ? "READ UNCOMMITTED" : "READ COMMITTED";
            }
        }
        return new SetItem.TransactionOptions(
                scope(context.GLOBAL(), context.SESSION(), context.LOCAL()), isolation, readOnly);
    }

    @Override
    public Statement visitUnsetVariable(ThetisParser.UnsetVariableContext context) {
        return new UnsetVariable(
                scope(context.GLOBAL(), context.SESSION(), context.LOCAL()), Texts.optionalName(context.identifier()));
    }

    @Override
    public Statement visitKill(ThetisParser.KillContext context) {
        boolean query = context.QUERY() != null;
        if (context.STRING_LITERAL() != null) {
            return new Kill(query, null, string(context.STRING_LITERAL()));
        }
        return new Kill(query, Texts.longValue(context.INTEGER_LITERAL()), null);
    }

    @Override
    public Statement visitSync(ThetisParser.SyncContext context) {
        return new Sync();
    }

    @Override
    public Statement visitLockTables(ThetisParser.LockTablesContext context) {
        return new NoOperation("LOCK TABLES");
    }

    @Override
    public Statement visitUnlockTables(ThetisParser.UnlockTablesContext context) {
        return new NoOperation("UNLOCK TABLES");
    }
}
