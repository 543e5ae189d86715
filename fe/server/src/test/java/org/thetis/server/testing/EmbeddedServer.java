// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.testing;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import org.thetis.base.config.Config;
import org.thetis.base.config.DebugSettings;
import org.thetis.base.config.HttpSettings;
import org.thetis.base.config.MysqlSettings;
import org.thetis.base.config.QuerySettings;
import org.thetis.base.config.SecuritySettings;
import org.thetis.base.fault.DebugPoints;
import org.thetis.base.metrics.MetricRegistry;
import org.thetis.base.thread.Clock;
import org.thetis.base.thread.Executors;
import org.thetis.catalog.object.Backend;
import org.thetis.catalog.object.Database;
import org.thetis.catalog.object.NativePassword;
import org.thetis.catalog.object.Role;
import org.thetis.catalog.object.User;
import org.thetis.catalog.object.UserIdentity;
import org.thetis.catalog.object.View;
import org.thetis.catalog.schema.SchemaColumn;
import org.thetis.catalog.snapshot.CatalogWriter;
import org.thetis.catalog.type.DataType;
import org.thetis.cluster.alter.DatabaseCommands;
import org.thetis.cluster.alter.PrivilegeCommands;
import org.thetis.cluster.alter.RecycleCommands;
import org.thetis.cluster.alter.SchemaChangeCommands;
import org.thetis.cluster.alter.TableCommands;
import org.thetis.cluster.alter.VariableCommands;
import org.thetis.cluster.journal.Journal;
import org.thetis.cluster.task.DeleteTasks;
import org.thetis.cluster.txn.TransactionService;
import org.thetis.query.infoschema.BackendMetricsReader;
import org.thetis.query.infoschema.SchemaServices;
import org.thetis.query.infoschema.SchemaTableDirectory;
import org.thetis.query.infoschema.SchemaTables;
import org.thetis.query.infoschema.StatementPlanning;
import org.thetis.query.load.ChangeRunner;
import org.thetis.query.load.DeleteRunner;
import org.thetis.query.load.InsertRunner;
import org.thetis.query.load.OverwriteRunner;
import org.thetis.query.load.SessionTransactions;
import org.thetis.query.point.KeyedChanges;
import org.thetis.query.point.PointLookups;
import org.thetis.query.point.PointPlans;
import org.thetis.query.point.PointReads;
import org.thetis.query.point.SharedPointPlans;
import org.thetis.query.result.QueryRunner;
import org.thetis.query.schedule.BackendBlackList;
import org.thetis.query.schedule.Coordinator;
import org.thetis.query.schedule.LiveCluster;
import org.thetis.query.schedule.QueryLauncher;
import org.thetis.query.schedule.QueryServices;
import org.thetis.query.session.GlobalVariableStore;
import org.thetis.query.session.GlobalVariables;
import org.thetis.query.session.ServerFacts;
import org.thetis.query.session.SessionRegistry;
import org.thetis.query.session.VariableCatalog;
import org.thetis.query.statement.AuditEvent;
import org.thetis.query.statement.StatementHandlers;
import org.thetis.query.statement.StatementRunner;
import org.thetis.query.statement.StatementServices;
import org.thetis.server.auth.Authenticator;
import org.thetis.server.http.HttpEndpoints;
import org.thetis.server.http.HttpServer;
import org.thetis.server.http.HttpServices;
import org.thetis.server.mysql.MysqlServer;
import org.thetis.server.mysql.MysqlServices;
import org.thetis.server.mysql.PointServices;
import org.thetis.server.net.EventLoops;
import org.thetis.sql.functions.FunctionCatalog;
import org.thetis.sql.lower.Planner;
import org.thetis.sql.parser.SqlParser;
import org.thetis.sql.point.PointPlanner;
import org.thetis.wire.BackendClients;
import org.thetis.wire.lookup.LookupClients;
import org.thetis.wire.lookup.LookupLimits;
import org.thetis.wire.thrift.NetworkAddress;

/**
 * The MySQL and HTTP fronts over the real parser, planner and query execution, a catalog made by hand, and one fake back end.
 * Users: root without password, ann with password `pw`. Database `d` with the view `v`.
 */
public final class EmbeddedServer implements AutoCloseable {
    public static final String PASSWORD = "pw";

    private final FakeBackend backend = new FakeBackend();
    private final CatalogWriter catalog = new CatalogWriter();
    private final List<AuditEvent> audit = new CopyOnWriteArrayList<>();
    private final ExecutorService workers = Executors.growing("sql", 64);
    private final ScheduledExecutorService timers = Executors.scheduled("timer", 1);
    private final EventLoops loops = new EventLoops(2);
    private final BackendClients clients = BackendClients.overNetwork();
    private final MetricRegistry metrics = new MetricRegistry();
    private final LookupClients lookupClients = new LookupClients(LookupLimits.DEFAULT, metrics);
    private final SessionRegistry sessions;
    private final FixedNodes nodes;
    private final BackendBlackList blackList;
    private final MysqlServer mysql;
    private final HttpServer http;

    public EmbeddedServer() throws IOException {
        this(Map.of());
    }

    public EmbeddedServer(Map<String, String> settings) throws IOException {
        this(settings, List.of(), PointPlans.NONE);
    }

    /**
     * @param lookups back ends for key look-ups, numbered from 1 and holders of the table `d.kv`; none for the usual back end
     */
    public EmbeddedServer(Map<String, String> settings, List<FakeLookupBackend> lookups, PointPlans plans)
            throws IOException {
        Config config = Config.defaults(settings);
        fillCatalog(lookups.size());
        Clock clock = Clock.system();
        ServerFacts facts = new ServerFacts("5.7.99", "test", "hash", "127.0.0.1", clock.millis());
        MysqlSettings mysqlSettings = new MysqlSettings(config);
        sessions = new SessionRegistry(mysqlSettings::qeMaxConnection);
        GlobalVariables variables = new GlobalVariables(
                VariableCatalog.load(Map.of(
                        "time_zone", "UTC", "system_time_zone", "UTC", "version_comment", facts.versionComment())),
                GlobalVariableStore.inMemory());
        List<Backend> members = new ArrayList<>();
        for (FakeLookupBackend lookup : lookups) {
            members.add(backendAt(members.size() + 1, lookup.port()));
        }
        if (members.isEmpty()) {
            members.add(backendAt(1, backend.port()));
        }
        nodes = new FixedNodes(members);
        NoReplicas replicas = new NoReplicas();
        QuerySettings querySettings = new QuerySettings(config);
        blackList = new BackendBlackList(querySettings, clock);
        LiveCluster live = new LiveCluster(nodes, replicas, (table, ids) -> Map.of(), blackList);
        SchemaTableDirectory schemaTables = new SchemaTableDirectory(SchemaTables.create());
        StatementPlanning planning = new StatementPlanning(
                new SchemaServices(
                        catalog,
                        nodes,
                        replicas,
                        live,
                        sessions,
                        facts,
                        clock,
                        metrics,
                        BackendMetricsReader.overHttp()),
                schemaTables);
        Planner planner = new Planner(FunctionCatalog.load());
        DebugPoints debugPoints = new DebugPoints(new DebugSettings(config), clock);
        QueryLauncher launcher = new QueryLauncher(new QueryServices(
                new Coordinator(new NetworkAddress("127.0.0.1", 9020), () -> 7),
                clients,
                blackList,
                querySettings,
                workers,
                debugPoints));
        QueryRunner queries = new QueryRunner(planner::plan, planning, launcher, catalog);
        TransactionService transactions = Absent.service(TransactionService.class);
        InsertRunner inserts = new InsertRunner(queries, launcher, transactions, catalog, "127.0.0.1");
        DeleteRunner deletes = new DeleteRunner(transactions, Absent.service(DeleteTasks.class), catalog, "127.0.0.1");
        PointLookups pointLookups = new PointLookups(lookupClients, nodes, blackList, querySettings, metrics);
        SqlParser parser = new SqlParser();
        StatementRunner runner = new StatementRunner(
                parser,
                StatementHandlers.create(new StatementServices(
                        config,
                        clock,
                        facts,
                        catalog,
                        nodes,
                        replicas,
                        transactions,
                        Absent.service(DatabaseCommands.class),
                        Absent.service(TableCommands.class),
                        Absent.service(SchemaChangeCommands.class),
                        Absent.service(RecycleCommands.class),
                        Absent.service(PrivilegeCommands.class),
                        Absent.service(VariableCommands.class),
                        sessions,
                        schemaTables,
                        parser,
                        queries,
                        new SharedPointPlans(new PointPlanner(planner), planning, catalog, 100, new MetricRegistry()),
                        inserts,
                        new OverwriteRunner(queries, inserts, transactions, Absent.service(TableCommands.class)),
                        new ChangeRunner(
                                queries,
                                inserts,
                                deletes,
                                new KeyedChanges(
                                        planner,
                                        planning,
                                        catalog,
                                        new PointReads(pointLookups, loops.workers()),
                                        100,
                                        new MetricRegistry()),
                                transactions,
                                catalog,
                                clock),
                        new SessionTransactions(planner, planning, inserts, catalog))),
                audit::add,
                timers,
                clock,
                metrics);
        Authenticator authenticator = new Authenticator(catalog, new SecuritySettings(config));
        mysql = new MysqlServer(
                new MysqlServices(
                        authenticator,
                        sessions,
                        variables,
                        runner,
                        new PointServices(plans, pointLookups, audit::add, metrics),
                        catalog,
                        schemaTables,
                        workers,
                        metrics,
                        () -> true,
                        clock),
                mysqlSettings,
                0,
                loops);
        HttpServices httpServices = new HttpServices(
                config,
                clock,
                facts,
                catalog,
                nodes,
                replicas,
                transactions,
                Absent.service(Journal.class),
                authenticator,
                sessions,
                variables,
                runner,
                metrics,
                debugPoints,
                workers,
                () -> true);
        http = new HttpServer(httpServices, HttpEndpoints.create(httpServices), new HttpSettings(config), 0, loops);
    }

    private static Backend backendAt(long id, int port) {
        return new Backend(id, "127.0.0.1", 9050, 9060, 8040, port, false, Map.of("location", "default"));
    }

    private void fillCatalog(int lookupBackends) {
        catalog.apply(before -> {
            View view = new View(
                    11, 10, "v", "", 1, List.of(SchemaColumn.of("one", DataType.TINYINT, false)), "SELECT 1 AS one");
            Database database = Database.empty(10, "d", 1, Map.of()).withTable(view);
            return before.withDatabase(
                            lookupBackends == 0 ? database : database.withTable(KeyValueTable.of(4, lookupBackends)))
                    .withRole(Role.OPERATOR)
                    .withRole(Role.ADMIN)
                    .withUser(User.of(UserIdentity.ROOT, "").withRoles(Set.of("operator")))
                    .withUser(User.of(new UserIdentity("ann", "%"), NativePassword.hash(PASSWORD)));
        });
    }

    public CatalogWriter catalog() {
        return catalog;
    }

    public MetricRegistry metrics() {
        return metrics;
    }

    public FakeBackend backend() {
        return backend;
    }

    public List<AuditEvent> audit() {
        return audit;
    }

    public FixedNodes nodes() {
        return nodes;
    }

    public BackendBlackList blackList() {
        return blackList;
    }

    public SessionRegistry sessions() {
        return sessions;
    }

    public int mysqlPort() {
        return mysql.port();
    }

    public int httpPort() {
        return http.port();
    }

    /** A JDBC connection as root; `parameters` is appended to the URL's. */
    public Connection connect(String parameters) throws SQLException {
        return connect("root", "", parameters);
    }

    public Connection connect(String user, String password, String parameters) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mysql://127.0.0.1:" + mysqlPort() + "/?connectTimeout=10000&socketTimeout=60000&" + parameters,
                user,
                password);
    }

    @Override
    public void close() {
        mysql.close();
        http.close();
        lookupClients.close();
        loops.close();
        clients.close();
        backend.close();
        Executors.stop(workers, Duration.ofSeconds(1));
        Executors.stop(timers, Duration.ofSeconds(1));
    }
}
