// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "base/text/json_writer.h"
#include "server/http_router.h"
#include "server/http_services.h"
#include "storage/engine/compaction_scheduler.h"
#include "storage/engine/storage_engine.h"
#include "storage/tablet/tablet.h"

namespace thetis {

namespace {

constexpr auto kRunWait = std::chrono::seconds(2);

std::optional<int64_t> parse_id(const std::string& text) {
    int64_t id = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    const bool is_number =
        !text.empty() && error == std::errc() && end == text.data() + text.size();
    return is_number ? std::optional(id) : std::nullopt;
}

/// The tablet a request names; otherwise the reply says what is wrong.
std::shared_ptr<Tablet> find_tablet(
    StorageEngine& storage, const std::string& text, HttpReply& reply
) {
    const auto tablet_id = parse_id(text);
    if (!tablet_id.has_value()) {
        reply.set_text(400, fmt::format("tablet_id must be a number: '{}'\n", text));
        return nullptr;
    }
    auto tablet = storage.find_tablet(*tablet_id);
    if (tablet == nullptr) {
        reply.set_text(404, fmt::format("Tablet {} is not on this back end\n", *tablet_id));
    }
    return tablet;
}

std::string size_text(int64_t bytes) {
    static constexpr const char* kUnits[] = {"B", "KB", "MB", "GB", "TB"};
    auto value = static_cast<double>(bytes);
    size_t unit = 0;
    while (value >= 1024 && unit + 1 < std::size(kUnits)) {
        value /= 1024;
        ++unit;
    }
    return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.2f} {}", value, kUnits[unit]);
}

/// `[start-end] <segments> DATA|DELETE <overlap> <rowset id> <size text>`, which tests of
/// compaction parse.
std::string describe(const RowsetMeta& rowset) {
    return fmt::format(
        "[{}-{}] {} {} {} {} {}",
        rowset.start_version,
        rowset.end_version,
        rowset.segments.size(),
        rowset.is_delete() ? "DELETE" : "DATA",
        rowset.is_overlapping ? "OVERLAPPING" : "NONOVERLAPPING",
        rowset.rowset_id,
        size_text(rowset.data_size_bytes)
    );
}

std::string time_text(int64_t unix_millis) {
    const auto seconds = static_cast<time_t>(unix_millis / 1000);
    tm fields{};
    ::gmtime_r(&seconds, &fields);
    char text[32];
    const size_t size = std::strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &fields);
    return fmt::format("{}.{:03}", std::string_view(text, size), unix_millis % 1000);
}

void sort_by_version(std::vector<RowsetPtr>& rowsets) {
    std::sort(rowsets.begin(), rowsets.end(), [](const RowsetPtr& left, const RowsetPtr& right) {
        return left->start_version() < right->start_version();
    });
}

/// Chains of replaced rowsets that follow each other.
std::vector<std::string> stale_paths(std::vector<RowsetPtr> stale) {
    std::vector<std::string> paths;
    while (!stale.empty()) {
        std::string path = fmt::format("{}", paths.size() + 1);
        int64_t next = stale.front()->start_version();
        std::erase_if(stale, [&](const RowsetPtr& rowset) {
            if (rowset->start_version() != next) {
                return false;
            }
            path += fmt::format(" -> [{}-{}]", next, rowset->end_version());
            next = rowset->end_version() + 1;
            return true;
        });
        paths.push_back(std::move(path));
    }
    return paths;
}

std::string show(const Tablet& tablet) {
    auto rowsets = tablet.rowsets();
    std::erase_if(rowsets, [](const RowsetPtr& rowset) { return !rowset->meta().is_visible; });
    sort_by_version(rowsets);
    auto stale = tablet.stale_rowsets();
    sort_by_version(stale);
    JsonWriter json(true);
    json.begin_object().field("cumulative policy type", "size_based");
    json.field("cumulative point", tablet.cumulative_point());
    const auto history = [&](CompactionKind kind) {
        return tablet.compaction_history(static_cast<size_t>(kind));
    };
    constexpr std::array kKinds{
        CompactionKind::kCumulative, CompactionKind::kBase, CompactionKind::kFull
    };
    for (const CompactionKind kind : kKinds) {
        json.field(
            fmt::format("last {} failure time", to_string(kind)),
            time_text(history(kind).last_failure_ms)
        );
    }
    for (const CompactionKind kind : kKinds) {
        json.field(
            fmt::format("last {} success time", to_string(kind)),
            time_text(history(kind).last_success_ms)
        );
    }
    const CompactionHistory base = history(CompactionKind::kBase);
    json.field("last base schedule time", time_text(base.last_schedule_ms));
    json.field("last base status", base.last_status.empty() ? "[OK]" : base.last_status);
    json.key("rowsets").begin_array();
    for (const auto& rowset : rowsets) {
        json.value(describe(rowset->meta()));
    }
    json.end_array().key("missing_rowsets").begin_array();
    int64_t next = 0;
    for (const auto& rowset : rowsets) {
        if (rowset->start_version() > next) {
            json.value(fmt::format("[{}-{}]", next, rowset->start_version() - 1));
        }
        next = std::max(next, rowset->end_version() + 1);
    }
    json.end_array().key("stale_rowsets").begin_array();
    for (const auto& rowset : stale) {
        json.value(describe(rowset->meta()));
    }
    json.end_array().key("stale version path").begin_array();
    for (const std::string& path : stale_paths(std::move(stale))) {
        json.value(path);
    }
    json.end_array().end_object();
    return json.take() + "\n";
}

std::string status_and_text(std::string_view status, std::string_view text) {
    JsonWriter json;
    json.begin_object().field("status", status).field("msg", text).end_object();
    return json.take();
}

/// Asks for one compaction and waits a little, so that refusals and short ones are told at once.
std::string run(StorageEngine& storage, int64_t tablet_id, CompactionKind kind) {
    const std::string started = fmt::format(
        "compaction task is successfully triggered. Table id: 0. Tablet id: {}", tablet_id
    );
    auto request = storage.request_compaction(tablet_id, kind);
    if (!request.ok()) {
        return status_and_text("already_exist", request.status().message());
    }
    const auto outcome = (*request)->wait(std::chrono::steady_clock::now() + kRunWait);
    if (!outcome.has_value() || (outcome->ok() && outcome->value())) {
        return status_and_text("Success", started);
    }
    if (!outcome->ok()) {
        return status_and_text(error_name(outcome->status().code()), outcome->status().to_string());
    }
    static constexpr const char* kNotSuitable[] = {"E-2000", "E-808", "E-2008"};
    return status_and_text(
        kNotSuitable[static_cast<size_t>(kind)],
        fmt::format(
            "no suitable version for {} compaction of tablet {}", to_string(kind), tablet_id
        )
    );
}

void run_compaction(StorageEngine& storage, const HttpRequest& request, HttpReply& reply) {
    const std::string table = request.parameter("table_id");
    const std::string tablet = request.parameter("tablet_id");
    if (request.parameter("remote") == "true") {
        reply.set_text(400, "Compaction of remote replicas is not supported\n");
        return;
    }
    if (table.empty() == tablet.empty()) {
        reply.set_text(400, "Give either tablet_id or table_id\n");
        return;
    }
    const auto kind = parse_compaction_kind(request.parameter("compact_type"));
    if (!kind.ok()) {
        reply.set_text(400, std::string(kind.status().message()) + "\n");
        return;
    }
    if (!tablet.empty()) {
        if (const auto found = find_tablet(storage, tablet, reply)) {
            reply.set_json(run(storage, found->id(), *kind));
        }
        return;
    }
    const auto table_id = parse_id(table);
    if (!table_id.has_value()) {
        reply.set_text(400, fmt::format("table_id must be a number: '{}'\n", table));
        return;
    }
    for (const int64_t tablet_id : storage.tablets_of_table(*table_id)) {
        // One that runs already does the same.
        static_cast<void>(storage.request_compaction(tablet_id, *kind).ok());
    }
    reply.set_json(status_and_text(
        "Success",
        fmt::format(
            "compaction task is successfully triggered. Table id: {}. Tablet id: 0", *table_id
        )
    ));
}

void run_status(StorageEngine& storage, const HttpRequest& request, HttpReply& reply) {
    const auto active = storage.active_compactions();
    if (request.parameter("tablet_id").empty()) {
        // All kinds, by data of every tablet that is being compacted.
        JsonWriter json(true);
        json.begin_object();
        constexpr std::array kKinds{
            CompactionKind::kCumulative, CompactionKind::kBase, CompactionKind::kFull
        };
        for (const CompactionKind kind : kKinds) {
            json.key(fmt::format(
                "{}Compaction",
                kind == CompactionKind::kCumulative ? "Cumulative"
                : kind == CompactionKind::kBase     ? "Base"
                                                    : "Full"
            ));
            json.begin_array();
            for (const auto& [tablet_id, running] : active) {
                if (running == kind) {
                    json.value(std::to_string(tablet_id));
                }
            }
            json.end_array();
        }
        reply.set_json(json.end_object().take() + "\n");
        return;
    }
    const auto tablet = find_tablet(storage, request.parameter("tablet_id"), reply);
    if (tablet == nullptr) {
        return;
    }
    const auto running = active.find(tablet->id());
    const bool is_running = running != active.end();
    const std::string kind(is_running ? to_string(running->second) : "");
    JsonWriter json;
    json.begin_object()
        .field("status", "Success")
        .field("run_status", is_running)
        .field(
            "msg",
            is_running ? fmt::format("compaction task for this tablet is running ({})", kind)
                       : std::string("compaction task for this tablet is not running")
        )
        .field("tablet_id", tablet->id())
        .field("compact_type", kind)
        .end_object();
    reply.set_json(json.take());
}

std::string header(const Tablet& tablet) {
    JsonWriter json(true);
    const auto& meta = tablet.meta();
    json.begin_object()
        .field("tablet_id", meta.tablet_id)
        .field("partition_id", meta.partition_id)
        .field("schema_hash", static_cast<int64_t>(meta.schema->schema_hash()))
        .field("cumulative_layer_point", tablet.cumulative_point())
        .field("tablet_state", tablet.is_shadow() ? "PB_NOTREADY" : "PB_RUNNING");
    json.key("schema")
        .begin_object()
        .field("schema_version", meta.schema->schema_version())
        .key("column")
        .begin_array();
    for (const auto& column : meta.schema->columns()) {
        json.begin_object()
            .field("unique_id", column.unique_id)
            .field("name", column.name)
            .field("type", column.type.to_string())
            .field("is_key", column.is_key);
        json.field("is_nullable", column.type.nullable).end_object();
    }
    json.end_array().end_object().key("rs_metas").begin_array();
    for (const auto& rowset : tablet.rowsets()) {
        const auto& rowset_meta = rowset->meta();
        json.begin_object()
            .field("rowset_id", rowset_meta.rowset_id)
            .field("start_version", rowset_meta.start_version)
            .field("end_version", rowset_meta.end_version);
        json.field("num_rows", rowset_meta.num_rows)
            .field("total_disk_size", rowset_meta.data_size_bytes)
            .field("num_segments", static_cast<int64_t>(rowset_meta.segments.size()));
        json.field("rowset_state", rowset_meta.is_visible ? "VISIBLE" : "COMMITTED")
            .field("txn_id", rowset_meta.txn_id)
            .end_object();
    }
    json.end_array().end_object();
    return json.take() + "\n";
}

}  // namespace

/// GET /api/compaction/show?tablet_id=, POST
/// /api/compaction/run?tablet_id=|table_id=&compact_type=, GET
/// /api/compaction/run_status[?tablet_id=], GET /api/meta/header/{tablet_id}: what versions a
/// tablet consists of, and merging them.
void register_compaction_endpoint(HttpRouter& router) {
    auto& services = router.services();
    router.add(
        "GET",
        "/api/compaction/show",
        [&services](const HttpRequest& request, HttpReply& reply) {
            if (auto tablet =
                    find_tablet(*services.storage, request.parameter("tablet_id"), reply)) {
                reply.set_json(show(*tablet));
            }
        }
    );
    router.add(
        "POST",
        "/api/compaction/run",
        [&services](const HttpRequest& request, HttpReply& reply) {
            run_compaction(*services.storage, request, reply);
        }
    );
    router.add(
        "GET",
        "/api/compaction/run_status",
        [&services](const HttpRequest& request, HttpReply& reply) {
            run_status(*services.storage, request, reply);
        }
    );
    router.add(
        "GET",
        "/api/meta/header/{tablet_id}",
        [&services](const HttpRequest& request, HttpReply& reply) {
            if (auto tablet =
                    find_tablet(*services.storage, request.path_value("tablet_id"), reply)) {
                reply.set_json(header(*tablet));
            }
        }
    );
}

}  // namespace thetis
