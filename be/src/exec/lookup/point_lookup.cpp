// SPDX-License-Identifier: Apache-2.0
#include "exec/lookup/point_lookup.h"

#include <cstring>

#include "column/builder.h"
#include "exec/sink/mysql_rows.h"
#include "service_lookup.pb.h"
#include "storage/engine/storage_engine.h"
#include "storage/tablet/tablet.h"

namespace thetis {

namespace {

/// More would hardly be a look-up; keeps hostile requests from taking all memory.
constexpr size_t kMaxResultBytes = size_t{256} << 20;

/// Room that a thread keeps between look-ups.
struct Room {
    std::string key;
    std::vector<char> packet;
};

Room& thread_room() {
    constexpr size_t kMaxKeptBytes = 1 << 20;
    thread_local Room room;
    if (room.packet.size() > kMaxKeptBytes) {
        room.packet = {};
    }
    if (room.key.capacity() > kMaxKeptBytes) {
        room.key = {};
    }
    return room;
}

/// Writes rows of plain columns straight from where their values lie.
class PlainRows {
public:
    PlainRows(const LookupPlan& plan, bool binary, std::vector<char>& packet, std::string& out)
        : outputs_(plan.column_outputs()),
          prefix_bytes_(binary ? binary_row_prefix_bytes(outputs_.size()) : 0),
          binary_(binary),
          packet_(packet),
          out_(out) {}

    Status append(const RowCell* cells) {
        size_t bound = kPacketHeaderBytes + prefix_bytes_;
        for (const LookupPlan::ColumnOutput& output : outputs_) {
            bound += CellEncoder::max_bytes(cells[output.column].size_bytes);
        }
        if (packet_.size() < bound) {
            packet_.resize(bound);
        }
        char* const begin = packet_.data();
        char* const null_bits = begin + kPacketHeaderBytes + 1;
        char* end = begin + kPacketHeaderBytes + prefix_bytes_;
        std::memset(begin + kPacketHeaderBytes, 0, prefix_bytes_);
        for (size_t i = 0; i < outputs_.size(); ++i) {
            const RowCell& cell = cells[outputs_[i].column];
            const CellEncoder& encoder = binary_ ? outputs_[i].binary : outputs_[i].text;
            char* const next = cell.state == RowCell::State::kValue
                                   ? encoder.write(end, cell.data, cell.size_bytes)
                                   : nullptr;
            if (next != nullptr) {
                end = next;
                continue;
            }
            end = encoder.write_null(end);
            if (binary_) {
                null_bits[(i + 2) / 8] |= static_cast<char>(1 << ((i + 2) % 8));
            }
        }
        append_mysql_packet(begin, static_cast<size_t>(end - begin), out_);
        return {};
    }

    Status finish() { return {}; }

private:
    const std::vector<LookupPlan::ColumnOutput>& outputs_;
    const size_t prefix_bytes_;
    const bool binary_;
    std::vector<char>& packet_;
    std::string& out_;
};

void append_cell(const RowCell& cell, ColumnBuilder& builder) {
    if (cell.state != RowCell::State::kValue) {
        builder.append_null();
        return;
    }
    visit_physical(builder.type().physical(), [&]<typename T>(T) {
        if constexpr (std::is_same_v<T, StringRef>) {
            builder.append_string({cell.data, cell.size_bytes});
        } else {
            T value;
            std::memcpy(&value, cell.data, sizeof(value));
            builder.append<T>(value);
        }
    });
}

/// A column of one row from the form that parameters travel in; moves `at` past it.
Result<ColumnPtr> read_parameter(const DataType& type, const char*& at, const char* end) {
    const auto malformed = [&] {
        return Status::error(
            ErrorCode::kInvalidArgument, "A parameter of type {} is cut off", type.to_string()
        );
    };
    RowCell cell;
    if (at == end) {
        return malformed();
    }
    cell.state = *at++ == 0 ? RowCell::State::kValue : RowCell::State::kNull;
    if (cell.state == RowCell::State::kValue) {
        auto size = static_cast<uint32_t>(physical_size(type.physical()));
        if (type.is_string()) {
            if (static_cast<size_t>(end - at) < sizeof(size)) {
                return malformed();
            }
            std::memcpy(&size, at, sizeof(size));
            at += sizeof(size);
        }
        if (size > static_cast<size_t>(end - at)) {
            return malformed();
        }
        cell.data = at;
        cell.size_bytes = size;
        at += size;
    }
    ColumnBuilder builder(type, 1);
    append_cell(cell, builder);
    return builder.finish();
}

Result<std::vector<ColumnPtr>> read_parameters(const LookupPlan& plan, std::string_view bytes) {
    std::vector<ColumnPtr> parameters;
    const char* at = bytes.data();
    const char* const end = at + bytes.size();
    for (const DataType& type : plan.parameter_types()) {
        ASSIGN_OR_RETURN(parameters.emplace_back(), read_parameter(type, at, end));
    }
    if (at != end) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "{} bytes after the last of {} parameters",
            end - at,
            parameters.size()
        );
    }
    return parameters;
}

/// Collects rows as columns, evaluates and writes them a batch at a time.
class EvaluatedRows {
public:
    EvaluatedRows(
        const LookupPlan& plan, std::vector<ColumnPtr> parameters, bool binary, std::string& out
    )
        : plan_(plan),
          parameters_(std::move(parameters)),
          binary_(binary),
          eval_(plan.eval()),
          out_(out) {
        for (size_t i = 0; i < plan.columns().size(); ++i) {
            builders_.emplace_back(plan.columns().type(i));
        }
    }

    Status append(const RowCell* cells) {
        for (size_t i = 0; i < builders_.size(); ++i) {
            append_cell(cells[i], builders_[i]);
        }
        return ++pending_ < kMaxBatchRows ? Status() : finish();
    }

    Status finish() {
        if (pending_ == 0) {
            return {};
        }
        Batch batch;
        batch.num_rows = pending_;
        for (ColumnBuilder& builder : builders_) {
            batch.columns.push_back(builder.finish());
        }
        for (const ColumnPtr& parameter : parameters_) {
            batch.columns.push_back(Column::constant(parameter, pending_));
        }
        pending_ = 0;
        RETURN_IF_ERROR(evaluate_filter(plan_.conjuncts(), batch, eval_));
        refused_ += batch.num_rows - batch.num_selected();
        if (batch.empty()) {
            return {};
        }
        ASSIGN_OR_RETURN(const Batch rows, project(plan_.outputs(), batch, eval_));
        append_mysql_rows(rows, binary_, out_);
        return {};
    }

    /// Rows that conditions left out.
    uint32_t refused() const { return refused_; }

private:
    const LookupPlan& plan_;
    const std::vector<ColumnPtr> parameters_;
    const bool binary_;
    EvalContext eval_;
    std::string& out_;
    std::vector<ColumnBuilder> builders_;
    uint32_t pending_ = 0;
    uint32_t refused_ = 0;
};

template <typename Rows>
Status find_rows(
    const LookupPlan& plan,
    const StorageEngine& storage,
    RowCache* cache,
    const pb::LookupRequest& request,
    Rows& rows,
    LookupCounts& counts,
    const std::string& out
) {
    thread_local PointReader reader;

    struct Release {
        ~Release() { reader.release(); }
    } const release;

    const size_t begin = out.size();
    std::string& key = thread_room().key;
    for (const pb::TabletKeys& wanted : request.tablets()) {
        ASSIGN_OR_RETURN(
            const auto tablet, storage.get_tablet(static_cast<int64_t>(wanted.tablet_id()))
        );
        ASSIGN_OR_RETURN(
            const auto view, tablet->point_view(static_cast<int64_t>(wanted.version()))
        );
        for (const std::string& packed : wanted.keys()) {
            key.clear();
            RETURN_IF_ERROR(plan.columns().encode_key(packed, key));
            ASSIGN_OR_RETURN(
                const bool is_there, reader.find(*tablet, *view, plan.columns(), key, cache)
            );
            ++counts.keys;
            counts.row_cache_hits += reader.was_cached() ? 1 : 0;
            if (!is_there) {
                ++counts.not_found;
                continue;
            }
            ++counts.rows;
            RETURN_IF_ERROR(rows.append(reader.cells()));
            if (out.size() - begin > kMaxResultBytes) {
                return Status::error(
                    ErrorCode::kInvalidArgument,
                    "The rows of a look-up take more than {} bytes",
                    kMaxResultBytes
                );
            }
        }
    }
    return rows.finish();
}

}  // namespace

Status run_lookup(
    const LookupPlan& plan,
    const StorageEngine& storage,
    RowCache* cache,
    const pb::LookupRequest& request,
    LookupCounts& counts,
    std::string& out
) {
    ASSIGN_OR_RETURN(auto parameters, read_parameters(plan, request.parameters()));
    if (plan.is_plain()) {
        PlainRows rows(plan, request.binary_rows(), thread_room().packet, out);
        return find_rows(plan, storage, cache, request, rows, counts, out);
    }
    EvaluatedRows rows(plan, std::move(parameters), request.binary_rows(), out);
    RETURN_IF_ERROR(find_rows(plan, storage, cache, request, rows, counts, out));
    counts.rows -= rows.refused();
    return {};
}

}  // namespace thetis
