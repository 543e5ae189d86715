// SPDX-License-Identifier: Apache-2.0
package org.thetis.query.statement;

import org.thetis.base.config.Config;
import org.thetis.base.thread.Clock;
import org.thetis.catalog.privilege.AccessChecker;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.catalog.snapshot.CatalogSnapshot;
import org.thetis.cluster.alter.DatabaseCommands;
import org.thetis.cluster.alter.PrivilegeCommands;
import org.thetis.cluster.alter.RecycleCommands;
import org.thetis.cluster.alter.SchemaChangeCommands;
import org.thetis.cluster.alter.TableCommands;
import org.thetis.cluster.alter.VariableCommands;
import org.thetis.cluster.node.NodeService;
import org.thetis.cluster.tablet.ReplicaDirectory;
import org.thetis.cluster.txn.TransactionService;
import org.thetis.query.infoschema.SchemaTableDirectory;
import org.thetis.query.load.ChangeRunner;
import org.thetis.query.load.InsertRunner;
import org.thetis.query.load.OverwriteRunner;
import org.thetis.query.load.SessionTransactions;
import org.thetis.query.point.SharedPointPlans;
import org.thetis.query.result.QueryRunner;
import org.thetis.query.session.ServerFacts;
import org.thetis.query.session.SessionRegistry;
import org.thetis.sql.parser.SqlParser;

/** Everything statement handlers may use; each takes what it needs from here in its constructor. */
public record StatementServices(
        Config config,
        Clock clock,
        ServerFacts server,
        CatalogReader catalog,
        NodeService nodes,
        ReplicaDirectory replicas,
        TransactionService transactions,
        DatabaseCommands databases,
        TableCommands tables,
        SchemaChangeCommands schemaChanges,
        RecycleCommands recycleBin,
        PrivilegeCommands privileges,
        VariableCommands variables,
        SessionRegistry sessions,
        SchemaTableDirectory schemaTables,
        SqlParser parser,
        QueryRunner queries,
        SharedPointPlans pointPlans,
        InsertRunner inserts,
        OverwriteRunner overwrites,
        ChangeRunner changes,
        SessionTransactions sessionTransactions) {
    public CatalogSnapshot snapshot() {
        return catalog.snapshot();
    }

    public AccessChecker access() {
        return catalog.snapshot().accessChecker();
    }
}
