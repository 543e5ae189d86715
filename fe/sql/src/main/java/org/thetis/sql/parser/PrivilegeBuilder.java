// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.antlr.v4.runtime.tree.ParseTree;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.IntervalUnit;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.UserIdentity;
import org.thetis.sql.ast.privilege.AlterRole;
import org.thetis.sql.ast.privilege.AlterUser;
import org.thetis.sql.ast.privilege.CreateRole;
import org.thetis.sql.ast.privilege.CreateUser;
import org.thetis.sql.ast.privilege.DropRole;
import org.thetis.sql.ast.privilege.DropUser;
import org.thetis.sql.ast.privilege.Grant;
import org.thetis.sql.ast.privilege.GrantRoles;
import org.thetis.sql.ast.privilege.PasswordClause;
import org.thetis.sql.ast.privilege.PasswordPolicy;
import org.thetis.sql.ast.privilege.PrivilegeItem;
import org.thetis.sql.ast.privilege.PrivilegeScope;
import org.thetis.sql.ast.privilege.Revoke;
import org.thetis.sql.ast.privilege.RevokeRoles;
import org.thetis.sql.grammar.ThetisParser;

/** Builds users, roles and grants. */
final class PrivilegeBuilder extends StatementVisitor {
    private static final long DEFAULT_OPTION = -1;

    PrivilegeBuilder(TreeBuilders builders) {
        super(builders);
    }

    @Override
    public Statement visitCreateUser(ThetisParser.CreateUserContext context) {
        return new CreateUser(
                user(context.userIdentity()),
                context.ifNotExists() != null,
                password(context.passwordClause()),
                optionalNameOrText(context.identifierOrText()),
                policy(context.passwordOption()),
                comment(context.commentClause()));
    }

    @Override
    public Statement visitAlterUser(ThetisParser.AlterUserContext context) {
        return new AlterUser(
                user(context.userIdentity()),
                context.ifExists() != null,
                password(context.passwordClause()),
                optionalNameOrText(context.identifierOrText()),
                policy(context.passwordOption()),
                comment(context.commentClause()));
    }

    private @Nullable PasswordClause password(ThetisParser.@Nullable PasswordClauseContext context) {
        if (context == null) {
            return null;
        }
        boolean plugin = context.WITH() != null;
        String text = context.STRING_LITERAL() == null ? "" : string(context.STRING_LITERAL());
        return new PasswordClause(text, plugin || context.PASSWORD() != null);
    }

    private static PasswordPolicy policy(List<ThetisParser.PasswordOptionContext> contexts) {
        Map<String, Long> options = new LinkedHashMap<>();
        for (ThetisParser.PasswordOptionContext context : contexts) {
            options.put(Texts.upper(context.getStart()), option(context));
        }
        return new PasswordPolicy(options);
    }

    private static long option(ThetisParser.PasswordOptionContext context) {
        if (context.NEVER() != null) {
            return 0;
        }
        if (context.INTEGER_LITERAL() == null) {
            return DEFAULT_OPTION;
        }
        long amount = Texts.longValue(context.INTEGER_LITERAL());
        if (context.intervalUnit() == null) {
            return amount;
        }
        IntervalUnit unit = PrimaryBuilder.unit(context.intervalUnit());
        long seconds =
                switch (unit) {
                    case SECOND -> 1;
                    case MINUTE -> 60;
                    case HOUR -> 3600;
                    case DAY -> 86400;
                    case WEEK -> 604800;
                    default ->
                        throw Texts.failure(
                                context.intervalUnit().getStart(),
                                "the unit must be SECOND, MINUTE, HOUR, DAY or WEEK");
                };
        try {
            return Math.multiplyExact(amount, seconds);
        } catch (ArithmeticException e) {
            throw Texts.failure(context.INTEGER_LITERAL().getSymbol(), "the number is out of range");
        }
    }

    @Override
    public Statement visitDropUser(ThetisParser.DropUserContext context) {
        return new DropUser(user(context.userIdentity()), context.ifExists() != null);
    }

    @Override
    public Statement visitCreateRole(ThetisParser.CreateRoleContext context) {
        return new CreateRole(
                nameOrText(context.identifierOrText()),
                context.ifNotExists() != null,
                comment(context.commentClause()));
    }

    @Override
    public Statement visitAlterRole(ThetisParser.AlterRoleContext context) {
        return new AlterRole(
                nameOrText(context.identifierOrText()),
                string(context.commentClause().STRING_LITERAL()));
    }

    @Override
    public Statement visitDropRole(ThetisParser.DropRoleContext context) {
        return new DropRole(nameOrText(context.identifierOrText()), context.ifExists() != null);
    }

    @Override
    public Statement visitGrant(ThetisParser.GrantContext context) {
        return new Grant(
                privileges(context.privilege()),
                scope(context.privilegeScope()),
                grantedUser(context.grantee()),
                grantedRole(context.grantee()));
    }

    @Override
    public Statement visitGrantRoles(ThetisParser.GrantRolesContext context) {
        return new GrantRoles(
                context.identifierOrText().stream().map(this::nameOrText).toList(), user(context.userIdentity()));
    }

    @Override
    public Statement visitRevoke(ThetisParser.RevokeContext context) {
        return new Revoke(
                privileges(context.privilege()),
                scope(context.privilegeScope()),
                grantedUser(context.grantee()),
                grantedRole(context.grantee()));
    }

    @Override
    public Statement visitRevokeRoles(ThetisParser.RevokeRolesContext context) {
        return new RevokeRoles(
                context.identifierOrText().stream().map(this::nameOrText).toList(), user(context.userIdentity()));
    }

    private static List<PrivilegeItem> privileges(List<ThetisParser.PrivilegeContext> contexts) {
        return contexts.stream()
                .map(context ->
                        new PrivilegeItem(Texts.upper(context.getStart()), Texts.names(context.identifierList())))
                .toList();
    }

    private PrivilegeScope scope(ThetisParser.PrivilegeScopeContext context) {
        if (!context.scopePart().isEmpty()) {
            return new PrivilegeScope(
                    "TABLE",
                    context.scopePart().stream().map(PrivilegeBuilder::part).toList());
        }
        StringBuilder kind = new StringBuilder();
        for (ParseTree word : context.children.subList(0, context.getChildCount() - 1)) {
            kind.append(kind.isEmpty() ? "" : " ").append(Texts.upper(word.getText()));
        }
        String name = context.identifierOrText() == null
                ? context.getStop().getText()
                : nameOrText(context.identifierOrText());
        return new PrivilegeScope(kind.toString(), List.of(name));
    }

    private static String part(ThetisParser.ScopePartContext context) {
        return context.STAR() != null ? "*" : Texts.name(context.identifier());
    }

    private @Nullable UserIdentity grantedUser(ThetisParser.GranteeContext context) {
        return context.userIdentity() == null ? null : user(context.userIdentity());
    }

    private @Nullable String grantedRole(ThetisParser.GranteeContext context) {
        return optionalNameOrText(context.identifierOrText());
    }
}
