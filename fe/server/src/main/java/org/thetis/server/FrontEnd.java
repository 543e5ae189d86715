// SPDX-License-Identifier: Apache-2.0
package org.thetis.server;

import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.thetis.base.config.Config;
import org.thetis.base.config.DebugSettings;
import org.thetis.base.config.HttpSettings;
import org.thetis.base.config.MysqlSettings;
import org.thetis.base.config.QuerySettings;
import org.thetis.base.config.RpcSettings;
import org.thetis.base.config.SecuritySettings;
import org.thetis.base.config.TransactionSettings;
import org.thetis.base.fault.DebugPoints;
import org.thetis.base.metrics.MetricRegistry;
import org.thetis.base.thread.Clock;
import org.thetis.base.thread.Executors;
import org.thetis.cluster.Cluster;
import org.thetis.cluster.node.NodeListener;
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
import org.thetis.query.load.StreamLoads;
import org.thetis.query.point.KeyedChanges;
import org.thetis.query.point.PointLookups;
import org.thetis.query.point.PointReads;
import org.thetis.query.point.SharedPointPlans;
import org.thetis.query.result.QueryRunner;
import org.thetis.query.schedule.BackendBlackList;
import org.thetis.query.schedule.Coordinator;
import org.thetis.query.schedule.LiveCluster;
import org.thetis.query.schedule.QueryLauncher;
import org.thetis.query.schedule.QueryServices;
import org.thetis.query.session.GlobalVariables;
import org.thetis.query.session.ServerFacts;
import org.thetis.query.session.SessionRegistry;
import org.thetis.query.session.VariableCatalog;
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
import org.thetis.server.rpc.FrontendRpc;
import org.thetis.server.rpc.RpcServer;
import org.thetis.sql.binder.BoundQueries;
import org.thetis.sql.functions.FunctionCatalog;
import org.thetis.sql.lower.LoadPlanner;
import org.thetis.sql.lower.Planner;
import org.thetis.sql.parser.SqlParser;
import org.thetis.sql.point.PointPlanner;
import org.thetis.wire.BackendClients;
import org.thetis.wire.lookup.LookupClients;
import org.thetis.wire.lookup.LookupLimits;
import org.thetis.wire.thrift.FrontendService;
import org.thetis.wire.thrift.NetworkAddress;

/** The whole front end, built in order from its configuration; close() takes it down in reverse. One per process. */
public final class FrontEnd implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FrontEnd.class);
    private static final String MYSQL_VERSION = "5.7.99";
    private static final String VERSION = "0.1.0";
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final AtomicBoolean ready = new AtomicBoolean();
    private final Config config;
    private final Clock clock = Clock.system();
    private final MetricRegistry metrics = new MetricRegistry();
    private int queryPort;
    private int httpPort;
    private int rpcPort;

    private FrontEnd(Config config) {
        this.config = config;
    }

    /**
     * Starts everything and returns when clients are served.
     *
     * @param host the address other nodes reach this one by
     * @param onFatal called when the journal is lost, after which the process must not go on
     */
    public static FrontEnd start(Config config, String host, Consumer<Throwable> onFatal) {
        FrontEnd frontEnd = new FrontEnd(config);
        boolean started = false;
        try {
            frontEnd.build(host, onFatal);
            started = true;
            return frontEnd;
        } finally {
            if (!started) {
                frontEnd.close();
            }
        }
    }

    public int queryPort() {
        return queryPort;
    }

    public int httpPort() {
        return httpPort;
    }

    public int rpcPort() {
        return rpcPort;
    }

    private void build(String host, Consumer<Throwable> onFatal) {
        JvmMetrics.register(metrics);
        DebugPoints debugPoints = new DebugPoints(new DebugSettings(config), clock);
        Cluster cluster = own(Cluster.open(config, host, metrics, debugPoints, clock, onFatal));
        ServerFacts facts = new ServerFacts(MYSQL_VERSION, VERSION, "source", host, clock.millis());
        GlobalVariables variables = new GlobalVariables(
                VariableCatalog.load(actualDefaults(facts)),
                new JournaledGlobals(cluster.catalog(), cluster.variables()));
        MysqlSettings mysqlSettings = new MysqlSettings(config);
        SessionRegistry sessions = new SessionRegistry(mysqlSettings::qeMaxConnection);
        metrics.gauge("connection_total", "Open client connections.", sessions::size);

        ExecutorService workers = pool("sql", mysqlSettings.maxMysqlServiceTaskThreadsNum());
        ScheduledExecutorService timers = Executors.scheduled("timer", 1);
        own(() -> Executors.stop(timers, GRACE));
        BackendClients clients = own(BackendClients.overNetwork());
        cluster.nodes().addListener(new NodeListener() {
            @Override
            public void backendRestarted(long backendId) {
                // A channel to the process that died would refuse calls until its reconnect back-off has passed.
                clients.evict(backendId);
            }
        });
        QuerySettings querySettings = new QuerySettings(config);
        BackendBlackList blackList = new BackendBlackList(querySettings, clock);
        Coordinator coordinator =
                new Coordinator(new NetworkAddress(host, config.getInt("rpc_port")), () -> cluster.nodes()
                        .epoch());
        QueryServices queryServices =
                new QueryServices(coordinator, clients, blackList, querySettings, workers, debugPoints);
        LiveCluster live = new LiveCluster(cluster.nodes(), cluster.replicas(), cluster.statistics()::find, blackList);

        SchemaTableDirectory schemaTables = new SchemaTableDirectory(SchemaTables.create());
        StatementPlanning planning = new StatementPlanning(
                new SchemaServices(
                        cluster.catalog(),
                        cluster.nodes(),
                        cluster.replicas(),
                        live,
                        sessions,
                        facts,
                        clock,
                        metrics,
                        BackendMetricsReader.overHttp()),
                schemaTables);
        Planner planner = new Planner(FunctionCatalog.load());
        BoundQueries bound = planner.boundQueries();
        metrics.gauge("bound_query_hits", "Queries that came again and were not bound again.", bound::hits);
        metrics.gauge("bound_query_misses", "Queries that came again and were bound all the same.", bound::misses);
        QueryLauncher launcher = new QueryLauncher(queryServices);
        QueryRunner queries = new QueryRunner(planner::plan, planning, launcher, cluster.catalog());
        SharedPointPlans pointPlans = new SharedPointPlans(
                new PointPlanner(planner), planning, cluster.catalog(), querySettings.pointPlanCacheSize(), metrics);
        EventLoops loops = own(new EventLoops(mysqlSettings.mysqlServiceIoThreadsNum()));
        metrics.gauge(
                "event_loop_cpu_ns",
                "CPU time of the threads that serve clients' sockets and look-ups by key, in nanoseconds.",
                loops::workerCpuNanos);
        LookupClients lookupClients = own(new LookupClients(LookupLimits.DEFAULT, metrics));
        PointLookups lookups = new PointLookups(lookupClients, cluster.nodes(), blackList, querySettings, metrics);
        InsertRunner inserts = new InsertRunner(queries, launcher, cluster.transactions(), cluster.catalog(), host);
        ChangeRunner changes = new ChangeRunner(
                queries,
                inserts,
                new DeleteRunner(cluster.transactions(), cluster.deletes(), cluster.catalog(), host),
                new KeyedChanges(
                        planner,
                        planning,
                        cluster.catalog(),
                        new PointReads(lookups, loops.workers()),
                        querySettings.pointPlanCacheSize(),
                        metrics),
                cluster.transactions(),
                cluster.catalog(),
                clock);
        SqlParser parser = new SqlParser();
        StatementServices statementServices = new StatementServices(
                config,
                clock,
                facts,
                cluster.catalog(),
                cluster.nodes(),
                cluster.replicas(),
                cluster.transactions(),
                cluster.databases(),
                cluster.tables(),
                cluster.schemaChanges(),
                cluster.recycleBin(),
                cluster.privileges(),
                cluster.variables(),
                sessions,
                schemaTables,
                parser,
                queries,
                pointPlans,
                inserts,
                new OverwriteRunner(queries, inserts, cluster.transactions(), cluster.tables()),
                changes,
                new SessionTransactions(planner, planning, inserts, cluster.catalog()));
        AuditLog audit = own(new AuditLog(querySettings, metrics));
        StatementRunner runner =
                new StatementRunner(parser, StatementHandlers.create(statementServices), audit, timers, clock, metrics);
        Authenticator authenticator = new Authenticator(cluster.catalog(), new SecuritySettings(config));

        LoadPlanner loadPlanner = new LoadPlanner(planner.functions());
        StreamLoads loads = new StreamLoads(
                cluster.catalog(),
                cluster.transactions(),
                (context, database, table, headers, transaction) ->
                        loadPlanner.plan(database, table, headers.values(), planning.create(context), transaction),
                coordinator,
                variables,
                new TransactionSettings(config),
                clock);
        RpcServer rpc = own(new RpcServer(
                new FrontendService.Processor<>(
                        new FrontendRpc(cluster.nodes(), cluster.reports(), loads, authenticator)),
                new RpcSettings(config),
                config.getInt("rpc_port")));
        rpcPort = rpc.port();

        HttpServices httpServices = new HttpServices(
                config,
                clock,
                facts,
                cluster.catalog(),
                cluster.nodes(),
                cluster.replicas(),
                cluster.transactions(),
                cluster.journal(),
                authenticator,
                sessions,
                variables,
                runner,
                metrics,
                debugPoints,
                pool("http", 256),
                ready::get);
        HttpServer http = own(new HttpServer(
                httpServices,
                HttpEndpoints.create(httpServices),
                new HttpSettings(config),
                config.getInt("http_port"),
                loops));
        httpPort = http.port();
        MysqlServer mysql = own(new MysqlServer(
                new MysqlServices(
                        authenticator,
                        sessions,
                        variables,
                        runner,
                        new PointServices(pointPlans, lookups, audit, metrics),
                        cluster.catalog(),
                        schemaTables,
                        workers,
                        metrics,
                        ready::get,
                        clock),
                mysqlSettings,
                config.getInt("query_port"),
                loops));
        queryPort = mysql.port();
        ready.set(true);
        LOG.info("front end serves mysql={} http={} rpc={} host={}", queryPort, httpPort, rpcPort, host);
    }

    @Override
    public void close() {
        ready.set(false);
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception failure) {
                LOG.warn("a part did not close cleanly", failure);
            }
        }
    }

    /** Defaults of variables that only the running process knows. */
    private static Map<String, String> actualDefaults(ServerFacts facts) {
        String zone = ZoneId.systemDefault().getId();
        return Map.of(
                "time_zone",
                zone.equals("Z") ? "UTC" : zone,
                "system_time_zone",
                zone.equals("Z") ? "UTC" : zone,
                "version",
                facts.mysqlVersion(),
                "version_comment",
                facts.versionComment());
    }

    private ExecutorService pool(String name, int threads) {
        ExecutorService pool = Executors.growing(name, threads);
        own(() -> Executors.stop(pool, GRACE));
        return pool;
    }

    private <T extends AutoCloseable> T own(T part) {
        parts.push(part);
        return part;
    }
}
