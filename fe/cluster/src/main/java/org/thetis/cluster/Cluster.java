// SPDX-License-Identifier: Apache-2.0
package org.thetis.cluster;

import java.time.Duration;
import java.util.function.Consumer;
import org.thetis.base.config.Config;
import org.thetis.base.config.HttpSettings;
import org.thetis.base.config.JournalSettings;
import org.thetis.base.config.MysqlSettings;
import org.thetis.base.config.NodeSettings;
import org.thetis.base.config.RpcSettings;
import org.thetis.base.config.SecuritySettings;
import org.thetis.base.config.TableSettings;
import org.thetis.base.config.TransactionSettings;
import org.thetis.base.fault.DebugPoints;
import org.thetis.base.metrics.MetricRegistry;
import org.thetis.base.thread.Clock;
import org.thetis.catalog.object.Frontend;
import org.thetis.catalog.snapshot.CatalogReader;
import org.thetis.catalog.snapshot.CatalogWriter;
import org.thetis.cluster.alter.Claims;
import org.thetis.cluster.alter.DatabaseCommands;
import org.thetis.cluster.alter.JournaledDatabases;
import org.thetis.cluster.alter.JournaledPrivileges;
import org.thetis.cluster.alter.JournaledRecycleBin;
import org.thetis.cluster.alter.JournaledSchemaChanges;
import org.thetis.cluster.alter.JournaledTables;
import org.thetis.cluster.alter.JournaledVariables;
import org.thetis.cluster.alter.PrivilegeCommands;
import org.thetis.cluster.alter.RecycleCommands;
import org.thetis.cluster.alter.SchemaChangeCommands;
import org.thetis.cluster.alter.SchemaChangeDriver;
import org.thetis.cluster.alter.ShadowConversion;
import org.thetis.cluster.alter.TableCommands;
import org.thetis.cluster.alter.VariableCommands;
import org.thetis.cluster.journal.IdAllocator;
import org.thetis.cluster.journal.Journal;
import org.thetis.cluster.journal.JournaledIds;
import org.thetis.cluster.journal.RatisJournal;
import org.thetis.cluster.node.ClusterNodes;
import org.thetis.cluster.node.NodeService;
import org.thetis.cluster.tablet.DrainedBackends;
import org.thetis.cluster.tablet.FetchedStatistics;
import org.thetis.cluster.tablet.PendingTablets;
import org.thetis.cluster.tablet.ReplicaDirectory;
import org.thetis.cluster.tablet.ReportHandler;
import org.thetis.cluster.tablet.ReportedReplicas;
import org.thetis.cluster.tablet.TabletCreator;
import org.thetis.cluster.tablet.TabletReports;
import org.thetis.cluster.task.AgentTasks;
import org.thetis.cluster.task.DeleteTasks;
import org.thetis.cluster.task.ParallelDeletes;
import org.thetis.cluster.txn.TransactionCoordinator;
import org.thetis.cluster.txn.TransactionService;

/** Everything below statements, built in order and handed out as narrow services. One per process, owned by main. */
public final class Cluster implements AutoCloseable {
    private static final Duration CLAIM_DEADLINE = Duration.ofSeconds(60);
    private static final Duration JOURNAL_DEADLINE = Duration.ofMinutes(5);
    private static final Duration REPUBLISH_WAIT = Duration.ofSeconds(5);
    private static final Duration FIRST_ANSWERS_WAIT = Duration.ofSeconds(3);

    private final CatalogWriter catalog;
    private final RatisJournal journal;
    private final JournaledIds ids;
    private final ClusterNodes nodes;
    private final AgentTasks tasks;
    private final ReportedReplicas replicas;
    private final FetchedStatistics statistics;
    private final ReportHandler reports;
    private final TabletCreator tablets;
    private final TransactionCoordinator transactions;
    private final ParallelDeletes deletes;
    private final JournaledDatabases databases;
    private final JournaledTables tables;
    private final DrainedBackends drained;
    private final SchemaChangeDriver driver;
    private final JournaledSchemaChanges schemaChanges;
    private final JournaledRecycleBin recycleBin;
    private final JournaledPrivileges privileges;
    private final JournaledVariables variables;

    private Cluster(
            Config config,
            String host,
            CatalogWriter catalog,
            RatisJournal journal,
            MetricRegistry metrics,
            DebugPoints debugPoints,
            Clock clock) {
        this.catalog = catalog;
        this.journal = journal;
        this.ids = new JournaledIds(journal, catalog);
        Frontend self = new Frontend(
                journal.nodeName(),
                host,
                new JournalSettings(config).editLogPort(),
                new HttpSettings(config).httpPort(),
                new MysqlSettings(config).queryPort(),
                new RpcSettings(config).rpcPort(),
                "FOLLOWER");
        NodeSettings nodeSettings = new NodeSettings(config);
        TableSettings tableSettings = new TableSettings(config);
        PendingTablets pending = new PendingTablets();
        this.nodes = new ClusterNodes(nodeSettings, journal, catalog, ids, self, clock);
        this.tasks = new AgentTasks(nodes);
        this.replicas = new ReportedReplicas(nodes, catalog, clock);
        this.statistics = new FetchedStatistics(nodes, tasks, replicas, clock);
        this.reports = new ReportHandler(nodeSettings, journal, catalog, nodes, tasks, replicas, pending, clock);
        this.tablets = new TabletCreator(tableSettings, nodes, tasks, ids, replicas, pending, clock);
        this.transactions = new TransactionCoordinator(
                new TransactionSettings(config), journal, catalog, ids, nodes, tasks, clock, metrics, debugPoints);
        this.deletes = new ParallelDeletes(nodes, tasks);
        Claims claims = new Claims(CLAIM_DEADLINE);
        this.databases = new JournaledDatabases(tableSettings, journal, catalog, ids, tablets, clock);
        this.tables = new JournaledTables(tableSettings, journal, catalog, ids, tablets, claims, clock);
        this.driver = new SchemaChangeDriver(
                journal, catalog, ids, tablets, transactions, new ShadowConversion(nodes, tasks, clock), clock);
        this.schemaChanges = new JournaledSchemaChanges(tableSettings, journal, catalog, ids, claims, driver, clock);
        this.recycleBin = new JournaledRecycleBin(tableSettings, journal, catalog, tablets, claims, clock);
        this.privileges = new JournaledPrivileges(journal, catalog);
        this.variables = new JournaledVariables(journal);
        this.drained = new DrainedBackends(nodeSettings, nodes, replicas, catalog);
        nodes.addListener(reports);
        nodes.addListener(transactions);
        registerMetrics(metrics);
    }

    private void registerMetrics(MetricRegistry metrics) {
        metrics.gauge("journal_applied_index", "Journal records applied.", journal::lastApplied);
        metrics.gauge("is_master", "1 when this front end leads.", () -> journal.isLeader() ? 1 : 0);
        metrics.gauge("backends_alive", "Back ends that answer heartbeats.", () -> nodes.backends().stream()
                .filter(state -> state.alive())
                .count());
    }

    /**
     * Opens the journal, replays it, sets a new cluster up, starts heartbeats and finishes transactions that were committed.
     *
     * @param host the own address, from {@link org.thetis.cluster.node.OwnAddress}
     * @param onFatal called when the journal can no longer be written: the process should end
     */
    public static Cluster open(
            Config config,
            String host,
            MetricRegistry metrics,
            DebugPoints debugPoints,
            Clock clock,
            Consumer<Throwable> onFatal) {
        CatalogWriter catalog = new CatalogWriter();
        RatisJournal journal = new RatisJournal(new JournalSettings(config), host, catalog, debugPoints, onFatal);
        boolean opened = false;
        try {
            journal.start(JOURNAL_DEADLINE);
            Cluster cluster = new Cluster(config, host, catalog, journal, metrics, debugPoints, clock);
            cluster.nodes.start(new SecuritySettings(config).initialRootPassword());
            cluster.nodes.awaitFirstAnswers(FIRST_ANSWERS_WAIT);
            cluster.transactions.start(REPUBLISH_WAIT);
            cluster.tablets.start();
            cluster.tables.start();
            cluster.driver.start();
            cluster.recycleBin.start();
            cluster.drained.start();
            opened = true;
            return cluster;
        } finally {
            if (!opened) {
                journal.close();
            }
        }
    }

    public CatalogReader catalog() {
        return catalog;
    }

    public Journal journal() {
        return journal;
    }

    public IdAllocator ids() {
        return ids;
    }

    public NodeService nodes() {
        return nodes;
    }

    public ReplicaDirectory replicas() {
        return replicas;
    }

    public FetchedStatistics statistics() {
        return statistics;
    }

    public TabletReports reports() {
        return reports;
    }

    public TransactionService transactions() {
        return transactions;
    }

    public DeleteTasks deletes() {
        return deletes;
    }

    public DatabaseCommands databases() {
        return databases;
    }

    public TableCommands tables() {
        return tables;
    }

    public SchemaChangeCommands schemaChanges() {
        return schemaChanges;
    }

    public RecycleCommands recycleBin() {
        return recycleBin;
    }

    public PrivilegeCommands privileges() {
        return privileges;
    }

    public VariableCommands variables() {
        return variables;
    }

    @Override
    public void close() {
        drained.close();
        recycleBin.close();
        driver.close();
        nodes.close();
        transactions.close();
        reports.close();
        statistics.close();
        tablets.close();
        deletes.close();
        tasks.close();
        journal.close();
    }
}
