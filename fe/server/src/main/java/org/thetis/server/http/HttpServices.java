// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import java.util.concurrent.ExecutorService;
import java.util.function.BooleanSupplier;
import org.thetis.base.config.Config;
import org.thetis.base.fault.DebugPoints;
import org.thetis.base.metrics.MetricRegistry;
import org.thetis.base.thread.Clock;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.cluster.journal.Journal;
import org.thetis.cluster.node.NodeService;
import org.thetis.cluster.tablet.ReplicaDirectory;
import org.thetis.cluster.txn.TransactionService;
import org.thetis.query.session.GlobalVariables;
import org.thetis.query.session.ServerFacts;
import org.thetis.query.session.SessionRegistry;
import org.thetis.query.statement.StatementRunner;
import org.thetis.server.auth.Authenticator;

/** What endpoints may use. */
public record HttpServices(
        Config config,
        Clock clock,
        ServerFacts server,
        CatalogReader catalog,
        NodeService nodes,
        ReplicaDirectory replicas,
        TransactionService transactions,
        Journal journal,
        Authenticator authenticator,
        SessionRegistry sessions,
        GlobalVariables variables,
        StatementRunner runner,
        MetricRegistry metrics,
        DebugPoints debugPoints,
        ExecutorService workers,
        BooleanSupplier ready) {}
