// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.Statement;
import org.thetis.sql.ast.UnsupportedStatement;
import org.thetis.sql.ast.admin.AdminCheckTablets;
import org.thetis.sql.ast.admin.AdminCleanTrash;
import org.thetis.sql.ast.admin.AdminCompactTable;
import org.thetis.sql.ast.admin.AdminCopyTablet;
import org.thetis.sql.ast.admin.AdminDiagnoseTablet;
import org.thetis.sql.ast.admin.AdminRebalanceDisk;
import org.thetis.sql.ast.admin.AdminRepairTable;
import org.thetis.sql.ast.admin.AdminSetFrontendConfig;
import org.thetis.sql.ast.admin.AdminSetPartitionVersion;
import org.thetis.sql.ast.admin.AdminSetReplicaStatus;
import org.thetis.sql.ast.admin.AdminSetReplicaVersion;
import org.thetis.sql.ast.admin.AdminSetTableStatus;
import org.thetis.sql.ast.admin.AdminShowTabletStorageFormat;
import org.thetis.sql.ast.admin.AlterSystem;
import org.thetis.sql.ast.admin.AlterSystemClause;
import org.thetis.sql.ast.admin.Analyze;
import org.thetis.sql.ast.admin.AnalyzeJobControl;
import org.thetis.sql.ast.admin.CancelAlterTable;
import org.thetis.sql.ast.admin.CancelDecommission;
import org.thetis.sql.ast.admin.CleanLabel;
import org.thetis.sql.ast.admin.CleanProfiles;
import org.thetis.sql.ast.admin.DropStats;
import org.thetis.sql.grammar.ThetisParser;

/** Builds statements of administration and statistics. */
final class AdminBuilder extends StatementVisitor {
    AdminBuilder(TreeBuilders builders) {
        super(builders);
    }

    @Override
    public Statement visitAdminSetReplicaStatus(ThetisParser.AdminSetReplicaStatusContext context) {
        return new AdminSetReplicaStatus(properties(context.propertyClause()));
    }

    @Override
    public Statement visitAdminSetReplicaVersion(ThetisParser.AdminSetReplicaVersionContext context) {
        return new AdminSetReplicaVersion(properties(context.propertyClause()));
    }

    @Override
    public Statement visitAdminSetTableStatus(ThetisParser.AdminSetTableStatusContext context) {
        return new AdminSetTableStatus(name(context.qualifiedName()), properties(context.propertyClause()));
    }

    @Override
    public Statement visitAdminSetPartitionVersion(ThetisParser.AdminSetPartitionVersionContext context) {
        return new AdminSetPartitionVersion(name(context.qualifiedName()), properties(context.propertyClause()));
    }

    @Override
    public Statement visitAdminSetFrontendConfig(ThetisParser.AdminSetFrontendConfigContext context) {
        return new AdminSetFrontendConfig(!context.ALL().isEmpty(), properties(context.propertyList()));
    }

    @Override
    public Statement visitAdminRepairTable(ThetisParser.AdminRepairTableContext context) {
        return new AdminRepairTable(false, name(context.qualifiedName()), partitions(context.partitionSelection()));
    }

    @Override
    public Statement visitAdminCancelRepairTable(ThetisParser.AdminCancelRepairTableContext context) {
        return new AdminRepairTable(true, name(context.qualifiedName()), partitions(context.partitionSelection()));
    }

    @Override
    public Statement visitAdminCheckTablets(ThetisParser.AdminCheckTabletsContext context) {
        return new AdminCheckTablets(Texts.longs(context.integerList()), properties(context.propertyClause()));
    }

    @Override
    public Statement visitAdminRebalanceDisk(ThetisParser.AdminRebalanceDiskContext context) {
        return new AdminRebalanceDisk(false, backends(context.onBackends()));
    }

    @Override
    public Statement visitAdminCancelRebalanceDisk(ThetisParser.AdminCancelRebalanceDiskContext context) {
        return new AdminRebalanceDisk(true, backends(context.onBackends()));
    }

    @Override
    public Statement visitAdminCleanTrash(ThetisParser.AdminCleanTrashContext context) {
        return new AdminCleanTrash(backends(context.onBackends()));
    }

    @Override
    public Statement visitAdminDiagnoseTablet(ThetisParser.AdminDiagnoseTabletContext context) {
        return new AdminDiagnoseTablet(Texts.longValue(context.INTEGER_LITERAL()));
    }

    @Override
    public Statement visitAdminShowTabletStorageFormat(ThetisParser.AdminShowTabletStorageFormatContext context) {
        return new AdminShowTabletStorageFormat(context.VERBOSE() != null);
    }

    @Override
    public Statement visitAdminCopyTablet(ThetisParser.AdminCopyTabletContext context) {
        return new AdminCopyTablet(Texts.longValue(context.INTEGER_LITERAL()), properties(context.propertyClause()));
    }

    @Override
    public Statement visitCancelDecommission(ThetisParser.CancelDecommissionContext context) {
        return new CancelDecommission(strings(context.textList().STRING_LITERAL()));
    }

    @Override
    public Statement visitCancelAlterTable(ThetisParser.CancelAlterTableContext context) {
        return new CancelAlterTable(
                alterKind(context), name(context.qualifiedName()), Texts.longs(context.integerList()));
    }

    @Override
    public Statement visitCancelBuildIndex(ThetisParser.CancelBuildIndexContext context) {
        return new CancelAlterTable("BUILD INDEX", name(context.qualifiedName()), Texts.longs(context.integerList()));
    }

    @Override
    public Statement visitCleanLabel(ThetisParser.CleanLabelContext context) {
        return new CleanLabel(optionalNameOrText(context.identifierOrText()), name(context.qualifiedName()));
    }

    @Override
    public Statement visitCleanAllProfile(ThetisParser.CleanAllProfileContext context) {
        return new CleanProfiles();
    }

    @Override
    public Statement visitDropAnalyzeJob(ThetisParser.DropAnalyzeJobContext context) {
        return new AnalyzeJobControl(true, Texts.longValue(context.INTEGER_LITERAL()));
    }

    @Override
    public Statement visitKillAnalyze(ThetisParser.KillAnalyzeContext context) {
        return new AnalyzeJobControl(false, Texts.longValue(context.INTEGER_LITERAL()));
    }

    @Override
    public Statement visitAdminCompactTable(ThetisParser.AdminCompactTableContext context) {
        return new AdminCompactTable(
                name(context.qualifiedName()), partitions(context.partitionSelection()), compactionType(context));
    }

    /** WHERE TYPE = 'base' or 'cumulative'. */
    private @Nullable String compactionType(ThetisParser.AdminCompactTableContext context) {
        if (context.expression() == null) {
            return null;
        }
        if (expressions().build(context.expression()) instanceof Expression.Comparison comparison
                && comparison.left() instanceof Expression.ColumnReference column
                && column.parts().size() == 1
                && Texts.upper(column.parts().get(0)).equals("TYPE")
                && comparison.right() instanceof Expression.StringLiteral type) {
            return type.value();
        }
        throw Texts.failure(context.expression().getStart(), "expected TYPE = 'base' or TYPE = 'cumulative'");
    }

    @Override
    public Statement visitAlterSystem(ThetisParser.AlterSystemContext context) {
        if (context.alterSystemClause() instanceof ThetisParser.AlterSystemOtherContext other) {
            return new UnsupportedStatement("ALTER SYSTEM " + Texts.upper(other.getStart()));
        }
        return new AlterSystem(systemClause(context.alterSystemClause()));
    }

    private AlterSystemClause systemClause(ThetisParser.AlterSystemClauseContext clause) {
        if (clause instanceof ThetisParser.AddBackendsContext add) {
            return new AlterSystemClause.AddBackends(hosts(add.textList()), properties(add.propertyClause()));
        }
        if (clause instanceof ThetisParser.DropBackendsContext drop) {
            return new AlterSystemClause.DropBackends(hosts(drop.textList()), drop.DROPP() != null);
        }
        if (clause instanceof ThetisParser.DecommissionBackendsContext decommission) {
            return new AlterSystemClause.DecommissionBackends(hosts(decommission.textList()));
        }
        if (clause instanceof ThetisParser.ModifyBackendsContext modify) {
            return new AlterSystemClause.ModifyBackends(hosts(modify.textList()), properties(modify.propertyList()));
        }
        if (clause instanceof ThetisParser.AddFrontendContext add) {
            return new AlterSystemClause.AddFrontend(add.OBSERVER() != null, string(add.STRING_LITERAL()));
        }
        if (clause instanceof ThetisParser.DropFrontendContext drop) {
            return new AlterSystemClause.DropFrontend(drop.OBSERVER() != null, string(drop.STRING_LITERAL()));
        }
        if (clause instanceof ThetisParser.ModifyHostnameContext modify) {
            return new AlterSystemClause.ModifyHostname(
                    modify.BACKEND() != null, string(modify.STRING_LITERAL(0)), string(modify.STRING_LITERAL(1)));
        }
        return brokerClause(clause);
    }

    private AlterSystemClause brokerClause(ThetisParser.AlterSystemClauseContext clause) {
        if (clause instanceof ThetisParser.AddBrokerContext add) {
            return new AlterSystemClause.AddBroker(nameOrText(add.identifierOrText()), hosts(add.textList()));
        }
        if (clause instanceof ThetisParser.DropBrokerContext drop) {
            return new AlterSystemClause.DropBroker(nameOrText(drop.identifierOrText()), hosts(drop.textList()));
        }
        if (clause instanceof ThetisParser.DropAllBrokerContext drop) {
            return new AlterSystemClause.DropBroker(nameOrText(drop.identifierOrText()), List.of());
        }
        return new AlterSystemClause.SetLoadErrorsUrl(
                properties(((ThetisParser.SetLoadErrorsHubContext) clause).propertyClause()));
    }

    @Override
    public Statement visitAnalyzeTable(ThetisParser.AnalyzeTableContext context) {
        return new Analyze(
                false,
                name(context.qualifiedName()),
                context.partitionSelection().isEmpty() ? null : partitions(context.partitionSelection(0)),
                Texts.names(context.identifierList()),
                options(context.analyzeOption(), properties(context.propertyClause())));
    }

    @Override
    public Statement visitAnalyzeDatabase(ThetisParser.AnalyzeDatabaseContext context) {
        return new Analyze(
                true,
                name(context.qualifiedName()),
                null,
                List.of(),
                options(context.analyzeOption(), properties(context.propertyClause())));
    }

    private Map<String, String> options(
            List<ThetisParser.AnalyzeOptionContext> contexts, Map<String, String> properties) {
        Map<String, String> options = new LinkedHashMap<>(properties);
        for (ThetisParser.AnalyzeOptionContext context : contexts) {
            String value = context.getStop().getText();
            if (context instanceof ThetisParser.AnalyzeSampleContext sample) {
                options.put(sample.ROWS() != null ? "sample.rows" : "sample.percent", value);
            } else if (context instanceof ThetisParser.AnalyzeNumberContext number) {
                options.put(number.PERIOD() != null ? "period" : "buckets", value);
            } else if (context instanceof ThetisParser.AnalyzeTextContext cron) {
                options.put("cron", string(cron.STRING_LITERAL()));
            } else {
                options.put(value.toLowerCase(Locale.ROOT), "true");
            }
        }
        return options;
    }

    @Override
    public Statement visitDropStats(ThetisParser.DropStatsContext context) {
        String kind = context.CACHED() != null ? "CACHED" : context.EXPIRED() != null ? "EXPIRED" : null;
        return new DropStats(
                kind,
                optionalName(context.qualifiedName()),
                context.partitionSelection().isEmpty() ? null : partitions(context.partitionSelection(0)),
                Texts.names(context.identifierList()));
    }

    private static String alterKind(ThetisParser.CancelAlterTableContext context) {
        if (context.COLUMN() != null) {
            return "COLUMN";
        }
        return context.ROLLUP() != null ? "ROLLUP" : "MATERIALIZED VIEW";
    }

    private List<String> backends(ThetisParser.@Nullable OnBackendsContext context) {
        return context == null ? List.of() : strings(context.STRING_LITERAL());
    }

    private List<String> hosts(ThetisParser.TextListContext context) {
        return strings(context.STRING_LITERAL());
    }
}
