// SPDX-License-Identifier: Apache-2.0
#include "server/backend_process.h"

#include <filesystem>
#include <thread>

#include <thrift/TOutput.h>

#include "agent/delete_condition.h"
#include "agent/heartbeat_handler.h"
#include "agent/network_address.h"
#include "agent/reporter.h"
#include "agent/tablet_conversions.h"
#include "agent/tablet_tasks.h"
#include "base/be_settings.gen.h"
#include "base/debug_points.h"
#include "base/logging.h"
#include "base/memory/tracker.h"
#include "base/metrics.h"
#include "base/thread/timer_wheel.h"
#include "base/time.h"
#include "exec/exec_services.h"
#include "exec/pipeline/scheduler.h"
#include "exec/scan/scan_provider.h"
#include "exec/scan/wire_schema.h"
#include "functions/registries.h"
#include "load/load_channels.h"
#include "load/routed_table_writer.h"
#include "load/stream_load.h"
#include "query/fragment_manager.h"
#include "query/lookup/lookup_service.h"
#include "server/allocator_settings.h"
#include "server/baidu/baidu_server.h"
#include "server/data_plane_server.h"
#include "server/grpc_exchange_transport.h"
#include "server/http_router.h"
#include "server/http_server.h"
#include "server/http_services.h"
#include "server/lookup_calls.h"
#include "server/memory_size.h"
#include "server/process_metrics.h"
#include "server/register_endpoints.gen.h"
#include "server/thrift_server.h"
#include "storage/engine/storage_engine.h"
#include "wire/data_plane_client.h"
#include "wire/frontend_client.h"

namespace thetis {

namespace {

constexpr const char* kVersion = "thetis-0.1.0";
constexpr const char* kAnyAddress = "0.0.0.0";
constexpr int kHeartbeatConnections = 64;
constexpr int kMostSmallCallThreads = 2;
constexpr auto kUpkeepPeriod = std::chrono::milliseconds(10'000);
constexpr int64_t kMinInFlight = int64_t{64} << 20;

LogLevel parse_log_level(const std::string& text) {
    if (text == "DEBUG") {
        return LogLevel::kDebug;
    }
    if (text == "WARNING" || text == "WARN") {
        return LogLevel::kWarn;
    }
    return text == "ERROR" || text == "FATAL" ? LogLevel::kError : LogLevel::kInfo;
}

}  // namespace

/// Members in the order they are built; destroyed in the reverse order.
struct BackendProcess::Graph {
    explicit Graph(BackendPaths backend_paths) : paths(std::move(backend_paths)) {}

    Status start();
    Status load_config();
    Status open_logs();
    Status open_storage();
    Status build_execution();
    Status build_lookups();
    Status listen();
    void upkeep();
    void stop();

    BackendPaths paths;
    Config config{kBackendConfigKeys};
    ServerSettings settings{config};
    std::vector<std::string> config_warnings;
    MetricRegistry metrics;
    std::unique_ptr<DebugPoints> debug_points;
    ClusterState cluster;
    int num_cores = 1;
    int64_t memory_limit_bytes = 0;
    std::string first_data_directory;
    std::string log_directory;
    std::shared_ptr<MemoryTracker> process_memory;

    std::unique_ptr<TimerWheel> timers;
    std::unique_ptr<FunctionRegistries> functions;
    std::unique_ptr<StorageEngine> storage;
    FrontendClient frontends;
    std::unique_ptr<HeartbeatHandler> heartbeats;
    std::unique_ptr<Reporter> reporter;
    std::unique_ptr<TabletConversions> conversions;
    std::unique_ptr<TabletTasks> tasks;

    std::unique_ptr<TaskScheduler> scheduler;
    std::unique_ptr<DataPlaneClient> data_plane;
    std::unique_ptr<LoadChannels> loads;
    std::unique_ptr<StorageScanProvider> scans;
    std::unique_ptr<GrpcExchangeTransport> transport;
    std::unique_ptr<RoutedTableWriterFactory> table_writers;
    ExecServices exec_services;
    std::unique_ptr<FragmentManager> fragments;
    std::unique_ptr<LookupService> lookups;
    std::unique_ptr<ErrorLogStore> error_logs;
    std::unique_ptr<StreamLoadService> stream_loads;

    HttpServices http_services;
    std::unique_ptr<HttpRouter> router;
    std::unique_ptr<HttpServer> http;
    std::unique_ptr<BaiduServer> small_calls;
    std::unique_ptr<DataPlaneServer> data_plane_server;
    std::unique_ptr<ThriftServer> backend_service;
    std::unique_ptr<ThriftServer> heartbeat_service;
    bool stopped = false;
};

Status BackendProcess::Graph::load_config() {
    if (std::string file = paths.conf_dir + "/be.conf"; std::filesystem::exists(file)) {
        RETURN_IF_ERROR(config.load_file(file, config_warnings));
    }
    http_services.custom_config_path = paths.conf_dir + "/be_custom.conf";
    if (std::filesystem::exists(http_services.custom_config_path)) {
        RETURN_IF_ERROR(config.load_file(http_services.custom_config_path, config_warnings));
    }
    ASSIGN_OR_RETURN(
        memory_limit_bytes, parse_memory_size(settings.mem_limit(), machine_memory_bytes())
    );
    int configured_cores = QuerySettings(config).num_cores();
    num_cores = configured_cores > 0
                    ? configured_cores
                    : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    return {};
}

Status BackendProcess::Graph::open_logs() {
    log_directory = settings.sys_log_dir().empty() ? paths.home + "/log" : settings.sys_log_dir();
    std::error_code error;
    std::filesystem::create_directories(log_directory, error);
    LogOptions options;
    options.directory = log_directory;
    options.level = parse_log_level(settings.sys_log_level());
    const std::string warnings = log_directory + "/be.WARNING";
    if (std::filesystem::is_symlink(warnings, error)) {
        std::filesystem::remove(warnings, error);  // Was a link to the whole log once.
    }
    RETURN_IF_ERROR(start_logging(options));
    // The name that operators of Doris look for; be.WARNING is a file of its own.
    const std::string alias = log_directory + "/be.INFO";
    std::filesystem::remove(alias, error);
    std::filesystem::create_symlink(options.file_name, alias, error);
    for (const auto& warning : config_warnings) {
        LOG_WARN("configuration: {}", warning);
    }
    apache::thrift::GlobalOutput.setOutputFunction([](const char* message) {
        LOG_INFO("thrift: {}", message);
    });
    return {};
}

Status BackendProcess::Graph::open_storage() {
    StorageSettings storage_settings(config);
    std::string roots = storage_settings.storage_root_path().empty()
                            ? paths.home + "/storage"
                            : storage_settings.storage_root_path();
    ASSIGN_OR_RETURN(auto data_paths, parse_storage_paths(roots));
    for (const auto& path : data_paths) {
        std::error_code error;
        std::filesystem::create_directories(path.path, error);
        if (error) {
            return Status::error(
                ErrorCode::kIoError,
                "cannot create data directory {}: {}",
                path.path,
                error.message()
            );
        }
    }
    first_data_directory = data_paths.front().path;
    StorageOptions options;
    options.config = &config;
    options.debug_points = debug_points.get();
    options.memory_limit_bytes = memory_limit_bytes;
    options.load_memory_limit_bytes =
        memory_limit_bytes / 100 * LoadSettings(config).load_process_max_memory_limit_percent();
    options.process_memory = process_memory;
    options.compile_filter = delete_condition_compiler(*functions);
    options.on_tablets_changed = [this] {
        // Called while the engine opens, too: the reporter exists before anybody can listen to it.
        if (reporter != nullptr) {
            reporter->tablets_changed();
        }
    };
    ASSIGN_OR_RETURN(storage, StorageEngine::open(data_paths, std::move(options)));
    return {};
}

Status BackendProcess::Graph::build_lookups() {
    QuerySettings settings_of_query(config);
    LookupOptions options;
    options.max_plans = static_cast<size_t>(settings_of_query.lookup_connection_cache_capacity());
    if (!settings_of_query.disable_storage_row_cache()) {
        ASSIGN_OR_RETURN(
            const int64_t bytes,
            parse_memory_size(settings_of_query.row_cache_mem_limit(), memory_limit_bytes)
        );
        options.row_cache_bytes = static_cast<size_t>(bytes);
    }
    options.process_memory = process_memory;
    lookups = std::make_unique<LookupService>(*storage, *functions, metrics, options);
    return {};
}

Status BackendProcess::Graph::build_execution() {
    QuerySettings query_settings(config);
    int workers = query_settings.pipeline_executor_size() > 0
                      ? query_settings.pipeline_executor_size()
                      : num_cores;
    scheduler = std::make_unique<TaskScheduler>(workers, query_settings.scan_thread_nice_value());
    data_plane = std::make_unique<DataPlaneClient>(num_cores, settings.brpc_max_body_size());
    // Batches on their way may take a quarter of what memtables may.
    const int64_t load_memory_bytes =
        memory_limit_bytes / 100 * LoadSettings(config).load_process_max_memory_limit_percent();
    loads = std::make_unique<LoadChannels>(
        *storage, *timers, std::max(4, num_cores * 2), std::max(load_memory_bytes / 4, kMinInFlight)
    );
    scans = std::make_unique<StorageScanProvider>(*storage);
    transport = std::make_unique<GrpcExchangeTransport>(*data_plane, debug_points.get());
    table_writers = std::make_unique<RoutedTableWriterFactory>(*loads, data_plane.get());
    exec_services.scheduler = scheduler.get();
    exec_services.functions = functions.get();
    exec_services.scans = scans.get();
    exec_services.transport = transport.get();
    exec_services.table_writers = table_writers.get();
    exec_services.process_memory = process_memory;
    FragmentManagerOptions options;
    options.fragment_start_timeout_ms = query_settings.fragment_start_timeout_ms();
    fragments = std::make_unique<FragmentManager>(exec_services, options);

    error_logs = std::make_unique<ErrorLogStore>(
        first_data_directory + "/error_log",
        fmt::format("http://127.0.0.1:{}/api/_load_error_log?file=", settings.webserver_port())
    );
    StreamLoadServices services;
    services.fragments = fragments.get();
    services.frontends = &frontends;
    services.cluster = &cluster;
    services.error_logs = error_logs.get();
    services.config = &config;
    services.metrics = &metrics;
    services.debug_points = debug_points.get();
    services.max_concurrent = settings.webserver_num_workers();
    stream_loads = std::make_unique<StreamLoadService>(services);
    return build_lookups();
}

Status BackendProcess::Graph::listen() {
    http_services.config = &config;
    http_services.on_config_changed = [this] {
        set_log_level(parse_log_level(settings.sys_log_level()));
    };
    http_services.debug_points = debug_points.get();
    http_services.metrics = &metrics;
    http_services.storage = storage.get();
    http_services.fragments = fragments.get();
    http_services.loads = loads.get();
    http_services.error_logs = error_logs.get();
    http_services.stream_loads = stream_loads.get();
    http_services.reporter = reporter.get();
    http_services.process_memory = process_memory.get();
    http_services.cluster = &cluster;
    http_services.version = kVersion;
    router = std::make_unique<HttpRouter>(http_services);
    register_all_endpoints(*router);

    BaiduServerOptions small_call_options;
    small_call_options.num_threads = settings.small_call_threads() > 0
                                         ? settings.small_call_threads()
                                         : std::min(num_cores, kMostSmallCallThreads);
    small_call_options.max_body_bytes = std::min(
        small_call_options.max_body_bytes, static_cast<uint64_t>(settings.brpc_max_body_size())
    );
    small_call_options.spin_us = settings.small_call_spin_us();
    small_calls = std::make_unique<BaiduServer>(
        std::vector<CallService>{make_lookup_calls(*lookups, debug_points.get())},
        small_call_options,
        metrics
    );
    RETURN_IF_ERROR(small_calls->start());
    data_plane_server = std::make_unique<DataPlaneServer>(
        *fragments, *loads, debug_points.get(), small_calls.get()
    );
    RETURN_IF_ERROR(data_plane_server->start(
        kAnyAddress, settings.brpc_port(), num_cores, settings.brpc_max_body_size()
    ));
    backend_service = std::make_unique<ThriftServer>("be_port", make_backend_processor(*tasks));
    RETURN_IF_ERROR(
        backend_service->start(kAnyAddress, settings.be_port(), settings.be_service_threads())
    );
    http = std::make_unique<HttpServer>(*router);
    RETURN_IF_ERROR(http->start(kAnyAddress, settings.webserver_port()));
    // Last: a back end that answers heartbeats must be able to take work.
    heartbeat_service = std::make_unique<ThriftServer>(
        "heartbeat_service_port", make_heartbeat_processor(*heartbeats)
    );
    return heartbeat_service->start(
        kAnyAddress, settings.heartbeat_service_port(), kHeartbeatConnections
    );
}

Status BackendProcess::Graph::start() {
    RETURN_IF_ERROR(load_config());
    RETURN_IF_ERROR(open_logs());
    LOG_INFO(
        "back end starting version={} home={} cores={} memory_limit_bytes={}",
        kVersion,
        paths.home,
        num_cores,
        memory_limit_bytes
    );
    apply_allocator_settings(settings);
    debug_points = std::make_unique<DebugPoints>(settings.enable_debug_points());
    process_memory = MemoryTracker::create("process", memory_limit_bytes);
    timers = std::make_unique<TimerWheel>();
    functions = std::make_unique<FunctionRegistries>(FunctionRegistries::create());
    RETURN_IF_ERROR(functions->check_catalog());
    RETURN_IF_ERROR(open_storage());

    BackendDescription description;
    description.be_port = settings.be_port();
    description.http_port = settings.webserver_port();
    description.brpc_port = settings.brpc_port();
    description.version = kVersion;
    description.start_time_ms = SystemClock().unix_millis();
    description.process_epoch = SystemClock().unix_micros();
    description.num_cores = num_cores;
    description.memory_bytes = memory_limit_bytes;
    heartbeats = std::make_unique<HeartbeatHandler>(
        description,
        first_data_directory,
        cluster,
        [this](const ServiceAddress& master, int64_t epoch) {
            fragments->coordinator_epoch(master.host, master.port, epoch);
            auto membership = cluster.membership();
            if (membership.has_value()) {
                error_logs->set_url_prefix(fmt::format(
                    "http://{}:{}/api/_load_error_log?file=",
                    membership->backend_host,
                    settings.webserver_port()
                ));
            }
        }
    );
    RETURN_IF_ERROR(heartbeats->open());
    reporter = std::make_unique<Reporter>(
        *storage, frontends, cluster, *heartbeats, config, settings.heartbeat_service_port()
    );
    conversions = std::make_unique<TabletConversions>(
        *storage, std::min(settings.alter_tablet_worker_count(), num_cores)
    );
    tasks = std::make_unique<TabletTasks>(
        *storage, cluster, debug_points.get(), metrics, schema_from_wire, *conversions, *functions
    );
    RETURN_IF_ERROR(build_execution());
    RETURN_IF_ERROR(error_logs->open());
    register_process_metrics(
        metrics, {storage.get(), fragments.get(), loads.get(), process_memory.get()}
    );
    RETURN_IF_ERROR(listen());
    RETURN_IF_ERROR(reporter->start());
    timers->schedule(kUpkeepPeriod, [this] { upkeep(); });
    LOG_INFO(
        "back end serves be_port={} http_port={} heartbeat_port={} data_plane_port={}",
        settings.be_port(),
        settings.webserver_port(),
        settings.heartbeat_service_port(),
        settings.brpc_port()
    );
    return {};
}

void BackendProcess::Graph::upkeep() {
    release_free_memory(settings);
    error_logs->remove_old(LoadSettings(config).load_error_log_reserve_hours());
    timers->schedule(kUpkeepPeriod, [this] { upkeep(); });
}

void BackendProcess::Graph::stop() {
    if (std::exchange(stopped, true)) {
        return;
    }
    LOG_INFO("back end stops");
    // First whoever brings new work, then what runs, then what it runs on.
    if (heartbeat_service != nullptr) {
        heartbeat_service->stop();
    }
    if (reporter != nullptr) {
        reporter->stop();
    }
    if (backend_service != nullptr) {
        backend_service->stop();
    }
    if (conversions != nullptr) {
        conversions->stop();
    }
    if (fragments != nullptr) {
        fragments->shutdown();
    }
    if (loads != nullptr) {
        loads->shutdown();
    }
    if (http != nullptr) {
        http->stop();
    }
    if (data_plane_server != nullptr) {
        data_plane_server->stop();
    }
    if (small_calls != nullptr) {
        small_calls->stop();
    }
    if (timers != nullptr) {
        timers->stop();
    }
    if (scheduler != nullptr) {
        scheduler->shutdown();
    }
    if (storage != nullptr) {
        storage->shutdown();
    }
    LOG_INFO("back end stopped");
    stop_logging();
}

BackendProcess::BackendProcess(BackendPaths paths)
    : graph_(std::make_unique<Graph>(std::move(paths))) {}

BackendProcess::~BackendProcess() {
    stop();
}

Status BackendProcess::start() {
    Status status = graph_->start();
    if (!status.ok()) {
        LOG_ERROR("back end could not start reason={}", status.to_string());
        graph_->stop();
    }
    return status;
}

void BackendProcess::stop() {
    graph_->stop();
}

}  // namespace thetis
