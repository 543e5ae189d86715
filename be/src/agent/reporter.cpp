// SPDX-License-Identifier: Apache-2.0
#include "agent/reporter.h"

#include "FrontendService.h"
#include "agent/heartbeat_handler.h"
#include "agent/network_address.h"
#include "agent/tablet_tasks.h"
#include "base/logging.h"
#include "base/thread/thread_pool.h"
#include "storage/engine/storage_engine.h"
#include "wire/frontend_client.h"

namespace thetis {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr int kDefaultRpcPort = 9020;
constexpr int kRegistrationTimeoutMs = 5000;
// A cluster that knows us is heard from more often than this.
constexpr int64_t kAloneAfterMs = 15'000;
constexpr int kMaxRegistrationPauseMs = 5000;
// Changes that come together are reported together.
constexpr auto kGatherChanges = milliseconds(200);
constexpr auto kRetryPause = seconds(2);
constexpr auto kTick = milliseconds(500);

}  // namespace

Reporter::Reporter(
    StorageEngine& engine,
    FrontendClient& frontends,
    const ClusterState& cluster,
    const HeartbeatHandler& heartbeats,
    const Config& config,
    int heartbeat_port
)
    : engine_(engine),
      frontends_(frontends),
      cluster_(cluster),
      heartbeats_(heartbeats),
      settings_(config),
      heartbeat_port_(heartbeat_port),
      report_version_(std::chrono::duration_cast<milliseconds>(
                          std::chrono::system_clock::now().time_since_epoch()
      )
                          .count()) {}

Reporter::~Reporter() {
    stop();
}

Status Reporter::start() {
    ASSIGN_OR_RETURN(fe_addresses_, parse_addresses(settings_.fe_addresses(), kDefaultRpcPort));
    next_registration_ = steady_clock::now();
    thread_ = std::thread([this] {
        set_thread_name("reporter");
        run();
    });
    return {};
}

void Reporter::tablets_changed() {
    std::lock_guard lock(mutex_);
    changed_ = true;
    wake_.notify_one();
}

void Reporter::report_now() {
    std::lock_guard lock(mutex_);
    report_now_ = true;
    wake_.notify_one();
}

void Reporter::stop() {
    {
        std::lock_guard lock(mutex_);
        stopping_ = true;
        wake_.notify_one();
    }
    if (thread_.joinable()) {
        thread_.join();
    }
}

void Reporter::run() {
    for (;;) {
        bool changed = false;
        bool now_wanted = false;
        {
            std::unique_lock lock(mutex_);
            wake_.wait_for(lock, kTick, [this] { return changed_ || report_now_ || stopping_; });
            if (changed_ && !stopping_) {
                wake_.wait_for(lock, kGatherChanges, [this] { return stopping_; });
            }
            if (stopping_) {
                return;
            }
            changed = changed_;
            now_wanted = report_now_;
            changed_ = false;
            report_now_ = false;
        }
        register_if_alone();
        auto membership = cluster_.membership();
        if (!membership.has_value()) {
            continue;
        }
        auto now = steady_clock::now();
        if (now < next_retry_ && !now_wanted) {
            continue;
        }
        bool full = now_wanted || now >= next_full_ || membership->master_epoch != sent_to_epoch_;
        if (full || changed) {
            report_tablets(full);
        }
        if (now_wanted || now >= next_disks_) {
            report_disks();
        }
    }
}

void Reporter::register_if_alone() {
    bool has_cluster = cluster_.membership().has_value();
    if (fe_addresses_.empty() || (has_cluster && heartbeats_.silence_ms() < kAloneAfterMs) ||
        steady_clock::now() < next_registration_) {
        return;
    }
    auto identity = heartbeats_.identity();
    for (const auto& fe : fe_addresses_) {
        wire::RegisterBackendRequest request;
        request.host = choose_own_address(settings_.priority_networks(), fe);
        request.heartbeat_port = heartbeat_port_;
        if (identity.has_value()) {
            request.__set_cluster_id(identity->cluster_id);
            request.__set_token(identity->token);
        }
        wire::RegisterBackendReply reply;
        Status status = frontends_.register_backend(fe, request, kRegistrationTimeoutMs, reply);
        if (status.ok()) {
            LOG_INFO(
                "registered at front end fe={} as={}:{} backend_id={}",
                fe.to_string(),
                request.host,
                heartbeat_port_,
                reply.backend_id
            );
            break;
        }
        LOG_WARN(
            "could not register at front end fe={} reason={}", fe.to_string(), status.to_string()
        );
    }
    ++registration_attempts_;
    next_registration_ =
        steady_clock::now() +
        milliseconds(std::min(500 * registration_attempts_, kMaxRegistrationPauseMs));
}

void Reporter::report_tablets(bool full) {
    auto membership = cluster_.membership();
    if (!membership.has_value()) {
        return;
    }
    wire::ReportRequest request;
    request.backend_id = membership->backend_id;
    request.token = membership->token;
    request.report_version = ++report_version_;
    std::unordered_map<int64_t, Sent> current;
    std::vector<TabletReport> reports = engine_.tablet_reports({});
    for (const auto& report : reports) {
        current.emplace(
            report.tablet_id,
            Sent{report.version, report.num_rows, report.num_versions, report.is_usable}
        );
    }
    // A delta cannot say that a tablet is gone.
    full = full || std::any_of(sent_.begin(), sent_.end(), [&](const auto& entry) {
               return !current.contains(entry.first);
           });
    for (const auto& report : reports) {
        auto before = sent_.find(report.tablet_id);
        if (full || before == sent_.end() || !(before->second == current.at(report.tablet_id))) {
            request.replicas.push_back(to_wire(report));
        }
    }
    if (!full && request.replicas.empty()) {
        return;
    }
    request.__isset.replicas = true;
    request.__set_full(full);
    Status status =
        frontends_.report(membership->master, request, settings_.thrift_rpc_timeout_ms());
    if (!status.ok()) {
        LOG_WARN(
            "tablet report failed master={} reason={}",
            membership->master.to_string(),
            status.to_string()
        );
        sent_to_epoch_ = 0;  // A full report follows when the front end answers again.
        next_retry_ = steady_clock::now() + kRetryPause;
        return;
    }
    sent_ = std::move(current);
    sent_to_epoch_ = membership->master_epoch;
    if (full) {
        next_full_ = steady_clock::now() + seconds(settings_.report_tablet_interval_seconds());
    }
}

void Reporter::report_disks() {
    auto membership = cluster_.membership();
    if (!membership.has_value()) {
        return;
    }
    wire::ReportRequest request;
    request.backend_id = membership->backend_id;
    request.token = membership->token;
    request.report_version = ++report_version_;
    for (const auto& disk : engine_.disk_usage()) {
        wire::DiskReport report;
        report.path = disk.path;
        report.total_bytes = disk.total_bytes;
        report.available_bytes = disk.available_bytes;
        report.used_bytes = disk.used_bytes;
        report.used = disk.is_usable;
        request.disks.push_back(report);
    }
    request.__isset.disks = true;
    Status status =
        frontends_.report(membership->master, request, settings_.thrift_rpc_timeout_ms());
    auto pause = status.ok() ? seconds(settings_.report_disk_state_interval_seconds()) : seconds(5);
    next_disks_ = steady_clock::now() + pause;
    if (!status.ok()) {
        LOG_WARN(
            "disk report failed master={} reason={}",
            membership->master.to_string(),
            status.to_string()
        );
    }
}

}  // namespace thetis
