// SPDX-License-Identifier: Apache-2.0
#include "load/stream_load.h"

#include <future>

#include "FrontendService.h"
#include "base/debug_points.h"
#include "base/logging.h"
#include "base/metrics.h"
#include "base/text/json_writer.h"
#include "base/time.h"
#include "format/row_reader_factory.h"
#include "load/body_decoder.h"
#include "load/load_errors.h"
#include "load/stream_row_source.h"
#include "plan_types.h"
#include "query/fragment_manager.h"
#include "wire/frontend_client.h"
#include "wire/status_codec.h"
#include "wire/thrift_codec.h"

namespace thetis {

namespace {

constexpr size_t kPipeBytes = 4 << 20;
constexpr int kBeginTimeoutMs = 60'000;
constexpr int kAbortTimeoutMs = 5'000;
constexpr int kRetryPauseMs = 500;

const wire::StreamScan* find_stream_scan(const wire::PlanNode& node) {
    if (node.op.__isset.stream_scan) {
        return &node.op.stream_scan;
    }
    for (const auto& child : node.children) {
        if (const auto* found = find_stream_scan(child)) {
            return found;
        }
    }
    return nullptr;
}

wire::LoadAuth auth_of(const LoadRequest& request) {
    wire::LoadAuth auth;
    auth.user = request.user;
    auth.password = request.password;
    auth.__set_client_host(request.client_host);
    if (!request.token.empty()) {
        auth.__set_token(request.token);
    }
    return auth;
}

}  // namespace

/// One load from begin to reply.
class StreamLoadService::Run {
public:
    Run(StreamLoadService& service, const LoadRequest& request, const BodyReader& read_body)
        : service_(service),
          services_(service.services_),
          request_(request),
          read_body_(read_body),
          load_id_(UniqueId::generate()),
          errors_(std::make_shared<LoadErrors>(
              *services_.error_logs, service.settings_.load_error_log_limit_bytes()
          )),
          pipe_(std::make_shared<BodyPipe>(kPipeBytes)) {
        outcome_.reply.label = request.header("label").empty() ? UniqueId::generate().to_string()
                                                               : request.header("label");
        outcome_.reply.comment = request.header("comment");
        outcome_.reply.two_phase_commit = request.header("two_phase_commit") == "true";
    }

    Outcome run() {
        Status status = execute();
        LoadReply& reply = outcome_.reply;
        reply.filtered_rows = errors_->num_filtered();
        reply.unselected_rows = errors_->num_unselected();
        reply.error_url = errors_->url();
        reply.first_error = errors_->first_error();
        if (!status.ok()) {
            if (begun_) {
                abort(status);
            }
            reply.status =
                status.code() == ErrorCode::kLabelAlreadyExists ? "Label Already Exists" : "Fail";
            reply.message = status.code() == ErrorCode::kDataQuality
                                ? fmt::format("[DATA_QUALITY_ERROR]{}", status.message())
                                : status.to_string();
            outcome_.is_unauthenticated = status.code() == ErrorCode::kAccessDenied;
        }
        reply.load_bytes = received_bytes_;
        reply.load_time_ms = total_.elapsed_millis();
        LOG_INFO(
            "stream load finished label={} txn_id={} status={} rows={} filtered={} bytes={} ms={} "
            "message={}",
            reply.label,
            reply.txn_id,
            reply.status,
            reply.loaded_rows,
            reply.filtered_rows,
            reply.load_bytes,
            reply.load_time_ms,
            reply.message
        );
        return std::move(outcome_);
    }

private:
    Status execute() {
        LoadLimits limits{
            service_.settings_.streaming_load_max_mb(),
            service_.settings_.streaming_load_json_max_mb()
        };
        RETURN_IF_ERROR(check_load_request(request_, limits));
        RETURN_IF_ERROR(begin());
        RETURN_IF_ERROR(prepare());
        Status body = feed_body();
        RETURN_IF_ERROR(wait_for_result(body));
        RETURN_IF_ERROR(judge());
        return commit();
    }

    Status begin() {
        auto membership = services_.cluster->membership();
        if (!membership.has_value()) {
            return Status::error(
                ErrorCode::kRpcError, "this back end has not joined a cluster yet"
            );
        }
        membership_ = *membership;
        wire::LoadBeginRequest begin;
        begin.auth = auth_of(request_);
        begin.db = request_.db;
        begin.table = request_.table;
        begin.label = outcome_.reply.label;
        begin.backend_id = membership_.backend_id;
        begin.load_id.high = load_id_.hi;
        begin.load_id.low = load_id_.lo;
        begin.headers = request_.headers;
        begin.__set_body_bytes(request_.body_bytes);
        Stopwatch watch;
        Status status = services_.frontends->load_begin(
            membership_.master, begin, kBeginTimeoutMs, begun_reply_
        );
        outcome_.reply.begin_txn_time_ms = watch.elapsed_millis();
        outcome_.reply.existing_job_status = begun_reply_.existing_job_status;
        if (begun_reply_.__isset.txn_id) {
            outcome_.reply.txn_id = status.ok() ? begun_reply_.txn_id : -1;
        }
        RETURN_IF_ERROR(status);
        begun_ = true;
        service_.begins_.add();
        deadline_ =
            std::chrono::steady_clock::now() +
            std::chrono::milliseconds(
                begun_reply_.__isset.timeout_ms ? begun_reply_.timeout_ms : int64_t{259200} * 1000
            );
        return {};
    }

    Status prepare() {
        Stopwatch watch;
        wire::ExecPlan plan;
        RETURN_IF_ERROR(decode_compact(begun_reply_.exec_plan, plan));
        const wire::StreamScan* scan = nullptr;
        for (const auto& fragment : plan.fragments) {
            scan = scan == nullptr ? find_stream_scan(fragment.root) : scan;
        }
        if (scan == nullptr) {
            return Status::error(ErrorCode::kInternal, "the load plan has no stream scan");
        }
        RowReaderRequest reader_request;
        reader_request.format = scan->format;
        reader_request.properties = scan->properties;
        reader_request.source_columns = scan->source_columns;
        reader_request.max_batch_rows = static_cast<uint32_t>(std::max(1, plan.options.batch_size));
        reader_request.max_json_body_bytes = service_.settings_.streaming_load_json_max_mb() << 20;
        ASSIGN_OR_RETURN(auto reader, make_row_reader(reader_request, *errors_));
        ASSIGN_OR_RETURN(
            decoder_,
            make_body_decoder(
                scan->compression.empty() ? request_.header("compress_type") : scan->compression
            )
        );
        query_id_ = {plan.query_id.high, plan.query_id.low};
        LocalInputs inputs;
        inputs.rows = std::make_shared<StreamRowSource>(pipe_, std::move(reader));
        inputs.row_errors = errors_;
        RETURN_IF_ERROR(services_.fragments->prepare(plan, true, std::move(inputs)));
        outcome_.reply.put_time_ms = watch.elapsed_millis();
        return {};
    }

    /// Reads the whole body into the pipe; what breaks it off is both returned and told to the
    /// pipeline.
    Status feed_body() {
        Stopwatch watch;
        Status status;
        int64_t max_bytes = service_.settings_.streaming_load_max_mb() << 20;
        auto decode = [&](std::string_view bytes) { return pipe_->push(bytes, deadline_); };
        bool complete = read_body_([&](std::string_view piece) {
            received_bytes_ += static_cast<int64_t>(piece.size());
            service_.receive_bytes_.add(static_cast<int64_t>(piece.size()));
            if (received_bytes_ > max_bytes) {
                status = Status::error(
                    ErrorCode::kInvalidArgument,
                    "the body is larger than streaming_load_max_mb ({} MB)",
                    max_bytes >> 20
                );
                return false;
            }
            if (services_.debug_points != nullptr &&
                services_.debug_points->hit("StreamLoad.feed_body.fail")) {
                status =
                    Status::error(ErrorCode::kInternal, "debug point StreamLoad.feed_body.fail");
                return false;
            }
            status = decode_piece(piece, decode);
            return status.ok();
        });
        outcome_.body_read = complete && status.ok();
        if (status.ok() && !complete) {
            status = Status::error(
                ErrorCode::kCancelled,
                "the connection broke before the body of the load was complete"
            );
        }
        if (status.ok() && request_.body_bytes >= 0 && received_bytes_ != request_.body_bytes &&
            request_.header("content-encoding").empty()) {
            status = Status::error(
                ErrorCode::kCancelled,
                "the body has {} bytes instead of {}",
                received_bytes_,
                request_.body_bytes
            );
        }
        if (status.ok() && !is_plain_) {
            status = decoder_->finish();
        }
        outcome_.reply.receive_data_time_ms = watch.elapsed_millis();
        outcome_.reply.read_data_time_ms = outcome_.reply.receive_data_time_ms;
        pipe_->finish(status);
        return status;
    }

    Status decode_piece(std::string_view piece, const BodyDecoder::Output& output) {
        // The HTTP library decodes a gzip Content-Encoding itself, also when the client only meant
        // to repeat compress_type.
        if (is_first_piece_ &&
            request_.header("content-encoding").find("gzip") != std::string::npos &&
            !piece.starts_with("\x1f\x8b")) {
            is_plain_ = true;
        }
        is_first_piece_ = false;
        return is_plain_ ? output(piece) : decoder_->decode(piece, output);
    }

    Status wait_for_result(const Status& body) {
        Stopwatch watch;
        auto result = services_.fragments->result(query_id_);
        if (result == nullptr) {
            return body.ok() ? Status::error(ErrorCode::kInternal, "the load's fragment is gone")
                             : body;
        }
        if (!body.ok()) {
            services_.fragments->cancel(query_id_, body);
        }
        // Shared with the callback, which may come after the wait gave up.
        auto promise = std::make_shared<std::promise<FetchedChunk>>();
        auto future = promise->get_future();
        for (;;) {
            result->fetch([promise](FetchedChunk chunk) { promise->set_value(std::move(chunk)); });
            if (future.wait_until(deadline_) != std::future_status::ready) {
                Status late = Status::error(ErrorCode::kTimeout, "the load passed its timeout");
                services_.fragments->cancel(query_id_, late);
                services_.fragments->release(query_id_);
                return late;
            }
            chunk_ = future.get();
            if (chunk_.eos || !chunk_.status.ok()) {
                break;
            }
            promise = std::make_shared<std::promise<FetchedChunk>>();
            future = promise->get_future();
        }
        services_.fragments->release(query_id_);
        outcome_.reply.write_data_time_ms = watch.elapsed_millis();
        outcome_.reply.loaded_rows = chunk_.load.loaded_rows;
        // A body that the pipeline refused shows as "takes no more"; the pipeline's own error says
        // why.
        if (!body.ok() &&
            (body.code() != ErrorCode::kCancelled || !pipe_->is_closed() || chunk_.status.ok())) {
            return body;
        }
        return chunk_.status;
    }

    Status judge() {
        int64_t filtered = errors_->num_filtered();
        int64_t judged = chunk_.load.loaded_rows + filtered;
        double allowed = begun_reply_.__isset.max_filter_ratio ? begun_reply_.max_filter_ratio : 0;
        if (filtered > 0 && static_cast<double>(filtered) > allowed * static_cast<double>(judged)) {
            return {ErrorCode::kDataQuality, "too many filtered rows"};
        }
        return {};
    }

    Status commit() {
        Stopwatch watch;
        wire::LoadCommitRequest commit;
        commit.auth = auth_of(request_);
        commit.db_id = begun_reply_.db_id;
        commit.txn_id = begun_reply_.txn_id;
        for (const auto& tablet : chunk_.load.tablets) {
            wire::TabletCommit entry;
            entry.tablet_id = tablet.tablet_id;
            entry.backend_id = tablet.backend_id;
            commit.tablets.push_back(entry);
        }
        commit.loaded_rows = chunk_.load.loaded_rows;
        commit.filtered_rows = errors_->num_filtered();
        commit.__set_unselected_rows(errors_->num_unselected());
        commit.loaded_bytes = received_bytes_;
        commit.__set_two_phase(outcome_.reply.two_phase_commit);
        commit.__set_error_url(errors_->url());
        wire::LoadCommitReply reply;
        int timeout_ms = service_.settings_.txn_commit_rpc_timeout_ms();
        auto give_up = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
        Status status;
        // Committing is idempotent, so a front end that restarts meanwhile is asked again.
        for (;;) {
            auto current = services_.cluster->membership();
            status = services_.frontends->load_commit(
                current.has_value() ? current->master : membership_.master,
                commit,
                timeout_ms,
                reply
            );
            if (status.code() != ErrorCode::kRpcError ||
                std::chrono::steady_clock::now() >= give_up) {
                break;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(kRetryPauseMs));
        }
        outcome_.reply.commit_time_ms = watch.elapsed_millis();
        if (!status.ok() && status.code() != ErrorCode::kPublishTimeout) {
            return status;
        }
        service_.commits_.add();
        service_.load_rows_.add(chunk_.load.loaded_rows);
        bool visible = status.ok() &&
                       (!reply.__isset.visible || reply.visible || outcome_.reply.two_phase_commit);
        outcome_.reply.status = visible ? "Success" : "Publish Timeout";
        outcome_.reply.message =
            visible ? "OK"
                    : (status.ok() ? "the load is committed and will be visible soon"
                                   : status.to_string());
        return {};
    }

    void abort(const Status& reason) {
        pipe_->finish(reason);
        pipe_->close();
        services_.fragments->cancel(query_id_, reason);
        services_.fragments->release(query_id_);
        service_.rollbacks_.add();
        wire::LoadAbortRequest abort;
        abort.auth = auth_of(request_);
        abort.db_id = begun_reply_.db_id;
        abort.txn_id = begun_reply_.txn_id;
        abort.__set_reason(reason.to_string());
        auto current = services_.cluster->membership();
        Status status = services_.frontends->load_abort(
            current.has_value() ? current->master : membership_.master, abort, kAbortTimeoutMs
        );
        if (!status.ok()) {
            LOG_WARN(
                "load could not be aborted, the front end will time it out txn_id={} reason={}",
                abort.txn_id,
                status.to_string()
            );
        }
    }

    StreamLoadService& service_;
    const StreamLoadServices& services_;
    const LoadRequest& request_;
    const BodyReader& read_body_;
    const UniqueId load_id_;
    std::shared_ptr<LoadErrors> errors_;
    std::shared_ptr<BodyPipe> pipe_;
    std::unique_ptr<BodyDecoder> decoder_;
    ClusterState::Membership membership_;
    wire::LoadBeginReply begun_reply_;
    QueryId query_id_;
    SteadyTime deadline_;
    FetchedChunk chunk_;
    Stopwatch total_;
    Outcome outcome_;
    int64_t received_bytes_ = 0;
    bool begun_ = false;
    bool is_first_piece_ = true;
    bool is_plain_ = false;
};

StreamLoadService::StreamLoadService(StreamLoadServices services)
    : services_(services),
      settings_(*services.config),
      requests_(services.metrics->counter("streaming_load_requests_total", "Stream loads received.")
      ),
      receive_bytes_(services.metrics->counter(
          "stream_load", "Bytes and rows of stream loads.", "type=\"receive_bytes\""
      )),
      load_rows_(services.metrics->counter(
          "stream_load", "Bytes and rows of stream loads.", "type=\"load_rows\""
      )),
      begins_(services.metrics->counter(
          "stream_load_txn_request", "Transactions of stream loads.", "type=\"begin\""
      )),
      commits_(services.metrics->counter(
          "stream_load_txn_request", "Transactions of stream loads.", "type=\"commit\""
      )),
      rollbacks_(services.metrics->counter(
          "stream_load_txn_request", "Transactions of stream loads.", "type=\"rollback\""
      )),
      duration_ms_(
          services.metrics->counter("streaming_load_duration_ms", "Time spent in stream loads.")
      ),
      current_(
          services.metrics->gauge("streaming_load_current_processing", "Stream loads running now.")
      ) {}

StreamLoadService::Outcome StreamLoadService::run(
    const LoadRequest& request, const BodyReader& read_body
) {
    requests_.add();
    if (num_running_.fetch_add(1, std::memory_order_relaxed) >= services_.max_concurrent) {
        num_running_.fetch_sub(1, std::memory_order_relaxed);
        Outcome outcome;
        outcome.reply.label = request.header("label").empty() ? UniqueId::generate().to_string()
                                                              : request.header("label");
        outcome.reply.message = fmt::format(
            "{} loads are running already, which is webserver_num_workers; try again later",
            services_.max_concurrent
        );
        return outcome;
    }
    current_.add(1);
    Outcome outcome = Run(*this, request, read_body).run();
    current_.add(-1);
    num_running_.fetch_sub(1, std::memory_order_relaxed);
    duration_ms_.add(outcome.reply.load_time_ms);
    return outcome;
}

std::string StreamLoadService::finish_two_phase(
    const LoadRequest& request, bool& is_unauthenticated
) {
    Status status;
    const std::string& operation = request.header("txn_operation");
    const std::string& txn = request.header("txn_id");
    const std::string& label = request.header("label");
    bool is_commit = strcasecmp(operation.c_str(), "commit") == 0;
    auto membership = services_.cluster->membership();
    wire::LoadFinishRequest finish;
    if (!is_commit && strcasecmp(operation.c_str(), "abort") != 0) {
        status = Status::error(
            ErrorCode::kInvalidArgument, "txn_operation must be commit or abort: '{}'", operation
        );
    } else if (txn.empty() && label.empty()) {
        status = Status::error(ErrorCode::kInvalidArgument, "either txn_id or label must be given");
    } else if (!txn.empty() &&
               (txn.size() > 18 || txn.find_first_not_of("0123456789") != std::string::npos)) {
        status = Status::error(ErrorCode::kInvalidArgument, "txn_id must be a number: '{}'", txn);
    } else if (!membership.has_value()) {
        status = Status::error(ErrorCode::kRpcError, "this back end has not joined a cluster yet");
    } else {
        finish.auth = auth_of(request);
        finish.db = request.db;
        finish.commit = is_commit;
        if (!txn.empty()) {
            finish.__set_txn_id(std::stoll(txn));
        } else {
            finish.__set_label(label);
        }
        wire::LoadFinishReply reply;
        status = services_.frontends->load_finish(
            membership->master, finish, settings_.txn_commit_rpc_timeout_ms(), reply
        );
    }
    is_unauthenticated = status.code() == ErrorCode::kAccessDenied;
    std::string subject =
        txn.empty() ? fmt::format("label [{}]", label) : fmt::format("transaction [{}]", txn);
    JsonWriter json(true);
    json.begin_object();
    json.field("status", status.ok() ? std::string_view("Success") : error_name(status.code()));
    json.field(
        "msg",
        status.ok() ? fmt::format("{} {} successfully.", subject, is_commit ? "commit" : "abort")
                    : std::string(status.message())
    );
    json.end_object();
    return json.take() + "\n";
}

}  // namespace thetis
