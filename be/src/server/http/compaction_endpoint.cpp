// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "base/text/json_writer.h"
#include "server/http_router.h"
#include "server/http_services.h"
#include "storage/engine/storage_engine.h"
#include "storage/tablet/tablet.h"

namespace thetis {

namespace {

/// The tablet a request names; otherwise the reply says what is wrong.
std::shared_ptr<Tablet> find_tablet(
    StorageEngine& storage, const std::string& text, HttpReply& reply
) {
    int64_t tablet_id = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), tablet_id);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
        reply.set_text(400, fmt::format("tablet_id must be a number: '{}'\n", text));
        return nullptr;
    }
    auto tablet = storage.find_tablet(tablet_id);
    if (tablet == nullptr) {
        reply.set_text(404, fmt::format("Tablet {} is not on this back end\n", tablet_id));
    }
    return tablet;
}

/// `[start-end] <segments> DATA <overlap> <rowset id> <size text>`, which tests of compaction
/// parse.
std::string describe(const RowsetMeta& rowset) {
    return fmt::format(
        "[{}-{}] {} DATA {} {} {:.2f} KB",
        rowset.start_version,
        rowset.end_version,
        rowset.segments.size(),
        rowset.is_overlapping ? "OVERLAPPING" : "NONOVERLAPPING",
        rowset.rowset_id,
        static_cast<double>(rowset.data_size_bytes) / 1024
    );
}

std::string show(const Tablet& tablet) {
    auto rowsets = tablet.rowsets();
    std::sort(rowsets.begin(), rowsets.end(), [](const RowsetPtr& left, const RowsetPtr& right) {
        return left->meta().start_version < right->meta().start_version;
    });
    JsonWriter json(true);
    json.begin_object().field("cumulative policy type", "size_based").field("cumulative point", 0);
    json.key("rowsets").begin_array();
    for (const auto& rowset : rowsets) {
        json.value(describe(rowset->meta()));
    }
    json.end_array().key("missing_rowsets").begin_array();
    int64_t next = 0;
    for (const auto& rowset : rowsets) {
        if (rowset->meta().start_version > next) {
            json.value(fmt::format("[{}-{}]", next, rowset->meta().start_version - 1));
        }
        next = std::max(next, rowset->meta().end_version + 1);
    }
    json.end_array().key("stale_rowsets").begin_array().end_array().end_object();
    return json.take() + "\n";
}

std::string run(StorageEngine& storage, int64_t tablet_id) {
    auto compacted = storage.compact_tablet(tablet_id);
    JsonWriter json;
    bool done = compacted.ok() && *compacted;
    json.begin_object().field(
        "status",
        done ? "Success" : (compacted.ok() ? "NOT_SUITABLE" : error_name(compacted.status().code()))
    );
    json.field(
            "msg",
            done
                ? std::string("compaction task is successfully triggered. The rowsets were merged.")
                : (compacted.ok() ? std::string("no rowsets to merge")
                                  : compacted.status().to_string())
    )
        .end_object();
    return json.take();
}

std::string header(const Tablet& tablet) {
    JsonWriter json(true);
    const auto& meta = tablet.meta();
    json.begin_object()
        .field("tablet_id", meta.tablet_id)
        .field("partition_id", meta.partition_id)
        .field("schema_hash", static_cast<int64_t>(meta.schema->schema_hash()));
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

/// GET /api/compaction/show?tablet_id=, POST /api/compaction/run?tablet_id=, GET
/// /api/compaction/run_status, GET /api/meta/header/{tablet_id}: what versions a tablet consists
/// of.
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
            if (auto tablet =
                    find_tablet(*services.storage, request.parameter("tablet_id"), reply)) {
                reply.set_json(run(*services.storage, tablet->id()));
            }
        }
    );
    // A run answers when it is over, so none is ever found running.
    router.add("GET", "/api/compaction/run_status", [](const HttpRequest&, HttpReply& reply) {
        reply.set_json(
            "{\"status\":\"Success\",\"run_status\":false,\"msg\":\"no compaction task is "
            "running\"}"
        );
    });
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
