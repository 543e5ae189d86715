// SPDX-License-Identifier: Apache-2.0
#include "storage/engine/local_storage_engine.h"

#include <unistd.h>

#include "base/logging.h"
#include "base/unique_id.h"
#include "storage/engine/settings_parser.h"
#include "storage/fault.h"
#include "storage/tablet/memtable_tablet_writer.h"

namespace thetis {

namespace {

int64_t unix_seconds() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::system_clock::now().time_since_epoch()
    )
        .count();
}

Status no_such_tablet(int64_t tablet_id) {
    return Status::error(
        ErrorCode::kTabletNotFound, "Tablet {} is not on this back end", tablet_id
    );
}

int64_t memory_limit(const StorageOptions& options) {
    return options.memory_limit_bytes > 0 ? options.memory_limit_bytes
                                          : ::sysconf(_SC_PHYS_PAGES) * ::sysconf(_SC_PAGE_SIZE);
}

int64_t load_limit(const StorageOptions& options) {
    return options.load_memory_limit_bytes > 0 ? options.load_memory_limit_bytes
                                               : memory_limit(options) / 2;
}

int count_flush_threads(const StorageSettings& settings) {
    const int cpus = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return std::min(
        settings.flush_thread_num_per_store(), settings.max_flush_thread_num_per_cpu() * cpus
    );
}

}  // namespace

Result<std::unique_ptr<StorageEngine>> StorageEngine::open(
    const std::vector<StoragePath>& paths, StorageOptions options
) {
    auto engine = std::make_unique<LocalStorageEngine>(std::move(options));
    RETURN_IF_ERROR(engine->start(paths));
    return std::unique_ptr<StorageEngine>(std::move(engine));
}

LocalStorageEngine::LocalStorageEngine(StorageOptions options)
    : options_(std::move(options)),
      own_config_(
          options_.config == nullptr ? std::make_unique<const Config>(kBackendConfigKeys) : nullptr
      ),
      settings_(options_.config == nullptr ? *own_config_ : *options_.config),
      fs_(local_file_system()),
      open_segments_(std::make_shared<SegmentCache>(segment_cache_capacity(
          settings_.segment_cache_capacity(),
          settings_.segment_cache_fd_percentage(),
          max_open_files()
      ))),
      load_budget_(load_limit(options_)),
      load_memory_(MemoryTracker::create("memtables", 0, options_.process_memory)),
      compaction_memory_(MemoryTracker::create("compaction", 0, options_.process_memory)),
      id_prefix_([] {
          const UniqueId id = UniqueId::generate();
          return fmt::format(
              "{:016x}{:016x}", static_cast<uint64_t>(id.hi), static_cast<uint64_t>(id.lo)
          );
      }()) {}

LocalStorageEngine::~LocalStorageEngine() {
    shutdown();
}

Status LocalStorageEngine::start(const std::vector<StoragePath>& paths) {
    if (paths.empty()) {
        return Status::error(ErrorCode::kInvalidArgument, "No data directory is given");
    }
    ASSIGN_OR_RETURN(
        const int64_t cache_bytes,
        parse_bytes_or_share(settings_.storage_page_cache_limit(), memory_limit(options_))
    );
    page_cache_ = std::make_unique<PageCache>(
        settings_.disable_storage_page_cache() ? 0 : static_cast<size_t>(cache_bytes),
        MemoryTracker::create("page_cache", 0, options_.process_memory)
    );
    for (const StoragePath& path : paths) {
        RETURN_IF_ERROR(open_directory(path).with_context("Data directory {}", path.path));
    }
    if (options_.background_interval_ms > 0) {
        background_ = std::thread([this] { run_background(); });
        start_compactions();
    }
    return {};
}

Status LocalStorageEngine::open_directory(const StoragePath& path) {
    ASSIGN_OR_RETURN(auto directory, DataDirectory::open(path, fs_));
    start_writing(*directory);
    directories_.push_back(std::move(directory));
    return load_directory(*directories_.back());
}

void LocalStorageEngine::start_writing(DataDirectory& directory) {
    directory.start_flush_pool(count_flush_threads(settings_));
    WriteServices& services = directory.write_services();
    services.fs = fs_;
    services.budget = &load_budget_;
    services.memory = load_memory_;
    services.debug_points = options_.debug_points;
    services.sync_files = options_.sync_files;
    services.next_rowset_id = [this] { return next_rowset_id(); };
    services.hold_rowset_id = [this](const std::string& id) { return hold_rowset_id(id); };
    services.write_buffer_bytes = [this] { return settings_.write_buffer_size(); };
    services.max_running_flushes = [this] {
        return settings_.memtable_flush_running_count_limit();
    };
    services.max_segments = [this] { return settings_.max_segment_num_per_rowset(); };
    services.commit =
        [this](
            const std::shared_ptr<Tablet>& tablet, RowsetMeta meta, const TabletSchemaPtr& schema
        ) { return commit(tablet, std::move(meta), schema); };
}

Status LocalStorageEngine::load_directory(DataDirectory& directory) {
    ASSIGN_OR_RETURN(auto contents, directory.metadata().load());
    std::unordered_map<int64_t, Entry> loaded;
    std::unordered_set<int64_t> tablet_ids;
    std::unordered_set<std::string> rowset_ids;
    for (TabletMeta& meta : contents.tablets) {
        const int64_t id = meta.tablet_id;
        const std::string path = directory.tablet_directory(meta);
        tablet_ids.insert(id);
        auto tablet = std::make_shared<Tablet>(
            std::move(meta), path, options_.on_tablets_changed, open_segments_
        );
        loaded.emplace(id, Entry{std::move(tablet), &directory});
    }
    std::unordered_map<std::string, std::vector<const MetadataStore::StoredDeleteBitmap*>> marks;
    for (const MetadataStore::StoredDeleteBitmap& stored : contents.delete_bitmaps) {
        marks[stored.rowset_id].push_back(&stored);
    }
    for (RowsetMeta& meta : contents.rowsets) {
        const auto entry = loaded.find(meta.tablet_id);
        if (entry == loaded.end()) {
            continue;
        }
        rowset_ids.insert(meta.rowset_id);
        directory.add_used_bytes(meta.data_size_bytes);
        const bool is_visible = meta.is_visible;
        auto rowset = make_rowset(*entry->second.tablet, directory, std::move(meta));
        for (const auto* stored : marks[rowset->meta().rowset_id]) {
            rowset->delete_bitmap().add(stored->version, stored->marks);
        }
        if (is_visible) {
            entry->second.tablet->add_visible(std::move(rowset));
        } else {
            entry->second.tablet->add_pending(std::move(rowset));
        }
    }
    std::unordered_set<int64_t> damaged;
    for (const MetadataStore::Damage& each : contents.damaged) {
        if (!each.rowset_id.empty() && !rowset_ids.contains(each.rowset_id)) {
            continue;  // Marks of a rowset that is gone are of no use to anybody.
        }
        damaged.insert(each.tablet_id);
        if (const auto entry = loaded.find(each.tablet_id); entry != loaded.end()) {
            entry->second.tablet->note_damage(each.reason, true);
        } else {
            LOG_ERROR(
                "tablet cannot be opened, its files stay tablet_id={} reason={}",
                each.tablet_id,
                each.reason.message()
            );
        }
    }
    RETURN_IF_ERROR(directory.remove_orphans(
        tablet_ids, rowset_ids, damaged, unix_seconds(), settings_.trash_file_expire_time_sec()
    ));
    directory.set_damaged(std::move(damaged));
    directory.add_tablets(static_cast<int>(loaded.size()));
    LOG_INFO(
        "data directory opened path={} tablets={} rowsets={}",
        directory.path(),
        loaded.size(),
        rowset_ids.size()
    );
    WriterLock lock(mutex_);
    for (auto& [id, entry] : loaded) {
        add_compaction_candidate(*entry.tablet);
        if (!tablets_.try_emplace(id, entry).second) {
            return Status::error(
                ErrorCode::kCorruption, "Tablet {} is in two data directories", id
            );
        }
    }
    return {};
}

std::shared_ptr<const Rowset> LocalStorageEngine::make_rowset(
    const Tablet& tablet, const DataDirectory& directory, RowsetMeta meta, const Rowset* earlier
) const {
    return std::make_shared<const Rowset>(
        std::move(meta),
        tablet.directory(),
        directory.fs(),
        page_cache_.get(),
        open_segments_,
        options_.compile_filter,
        earlier
    );
}

std::string LocalStorageEngine::next_rowset_id() {
    return fmt::format("{}{:016x}", id_prefix_, next_id_.fetch_add(1, std::memory_order_relaxed));
}

void LocalStorageEngine::notify_changed() const {
    if (options_.on_tablets_changed) {
        options_.on_tablets_changed();
    }
}

std::optional<LocalStorageEngine::Entry> LocalStorageEngine::find_entry(int64_t tablet_id) const {
    ReaderLock lock(mutex_);
    const auto found = tablets_.find(tablet_id);
    return found == tablets_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<LocalStorageEngine::Entry> LocalStorageEngine::all_entries() const {
    ReaderLock lock(mutex_);
    std::vector<Entry> entries;
    entries.reserve(tablets_.size());
    for (const auto& [id, entry] : tablets_) {
        entries.push_back(entry);
    }
    return entries;
}

std::shared_ptr<Tablet> LocalStorageEngine::find_tablet(int64_t tablet_id) const {
    const auto entry = find_entry(tablet_id);
    return entry.has_value() ? entry->tablet : nullptr;
}

Result<std::shared_ptr<Tablet>> LocalStorageEngine::get_tablet(int64_t tablet_id) const {
    auto tablet = find_tablet(tablet_id);
    if (tablet == nullptr) {
        return no_such_tablet(tablet_id);
    }
    return tablet;
}

Result<DataDirectory*> LocalStorageEngine::choose_directory() const {
    DataDirectory* best = nullptr;
    Status refusal;
    for (const auto& directory : directories_) {
        if (Status room = check_room(*directory); !room.ok()) {
            refusal = room;
        } else if (best == nullptr || directory->num_tablets() < best->num_tablets()) {
            best = directory.get();
        }
    }
    if (best == nullptr) {
        return refusal;
    }
    return best;
}

Status LocalStorageEngine::create_tablet(const CreateTabletRequest& request) {
    if (request.schema == nullptr || request.version < 1) {
        return Status::error(
            ErrorCode::kInvalidArgument,
            "Tablet {} needs a schema and a version from 1",
            request.tablet_id
        );
    }
    ASSIGN_OR_RETURN(const auto claim, busy_tablets_.claim(request.tablet_id));
    if (const auto present = find_tablet(request.tablet_id)) {
        if (present->schema()->schema_hash() == request.schema->schema_hash()) {
            return {};
        }
        return Status::error(
            ErrorCode::kAlreadyExists, "Tablet {} exists with another schema", request.tablet_id
        );
    }
    ASSIGN_OR_RETURN(DataDirectory * directory, choose_directory());
    TabletMeta meta{
        .tablet_id = request.tablet_id,
        .partition_id = request.partition_id,
        .replica_id = request.replica_id,
        .schema = request.schema,
        .creation_time = unix_seconds(),
        .schema_hash = request.schema->schema_hash(),
        .is_shadow = request.is_shadow
    };
    RowsetMeta empty;
    empty.rowset_id = next_rowset_id();
    empty.tablet_id = request.tablet_id;
    empty.is_visible = true;
    empty.end_version = request.version;
    empty.creation_time = meta.creation_time;
    RETURN_IF_ERROR(directory->create_tablet_directory(meta));
    RETURN_IF_ERROR(strike(options_.debug_points, "StorageEngine.create_tablet"));
    MetadataChange change;
    change.put_tablet(meta);
    change.put_rowset(empty);
    RETURN_IF_ERROR(directory->metadata().apply(change, options_.sync_metadata));
    const std::string path = directory->tablet_directory(meta);
    auto tablet = std::make_shared<Tablet>(
        std::move(meta), path, options_.on_tablets_changed, open_segments_
    );
    tablet->add_visible(make_rowset(*tablet, *directory, std::move(empty)));
    directory->add_tablets(1);
    {
        WriterLock lock(mutex_);
        tablets_[request.tablet_id] = Entry{std::move(tablet), directory};
    }
    notify_changed();
    return {};
}

Status LocalStorageEngine::drop_tablet(int64_t tablet_id) {
    ASSIGN_OR_RETURN(const auto claim, busy_tablets_.claim(tablet_id));
    const auto entry = find_entry(tablet_id);
    if (!entry.has_value()) {
        return {};
    }
    int64_t bytes = 0;
    for (const RowsetPtr& rowset : entry->tablet->rowsets()) {
        bytes += rowset->meta().data_size_bytes;
    }
    MetadataChange change;
    change.remove_tablet(tablet_id);
    RETURN_IF_ERROR(entry->directory->metadata().apply(change, options_.sync_metadata));
    {
        WriterLock lock(mutex_);
        tablets_.erase(tablet_id);
    }
    entry->directory->add_tablets(-1);
    entry->directory->add_used_bytes(-bytes);
    notify_changed();
    RETURN_IF_ERROR(strike(options_.debug_points, "StorageEngine.drop_tablet"));
    return entry->directory->discard_tablet(
        tablet_id, unix_seconds(), settings_.trash_file_expire_time_sec()
    );
}

Result<std::unique_ptr<TabletWriter>> LocalStorageEngine::open_writer(
    int64_t tablet_id, WriterOptions options
) {
    if (refuses_writers_.load(std::memory_order_relaxed)) {
        return Status::error(ErrorCode::kCancelled, "The storage engine is shutting down");
    }
    const auto entry = find_entry(tablet_id);
    if (!entry.has_value()) {
        return no_such_tablet(tablet_id);
    }
    RETURN_IF_ERROR(entry->tablet->check_readable());
    RETURN_IF_ERROR(admit_writer(*entry->tablet, options.deadline));
    RETURN_IF_ERROR(check_room(*entry->directory));
    return make_writer(*entry, std::move(options));
}

std::unique_ptr<TabletWriter> LocalStorageEngine::make_writer(
    const Entry& entry, WriterOptions options
) {
    return std::make_unique<MemtableTabletWriter>(
        entry.directory->write_services(), entry.tablet, std::move(options)
    );
}

Result<std::shared_ptr<const TabletReader>> LocalStorageEngine::open_reader(
    int64_t tablet_id, int64_t version, ReadOptions options
) const {
    ASSIGN_OR_RETURN(auto tablet, get_tablet(tablet_id));
    return TabletReader::open(std::move(tablet), version, std::move(options));
}

std::vector<int64_t> LocalStorageEngine::tablets_of_table(int64_t table_id) const {
    std::vector<int64_t> ids;
    for (const Entry& entry : all_entries()) {
        if (entry.tablet->schema()->table_id() == table_id) {
            ids.push_back(entry.tablet->id());
        }
    }
    return ids;
}

std::vector<TabletReport> LocalStorageEngine::tablet_reports(std::span<const int64_t> tablet_ids
) const {
    std::vector<Entry> entries;
    if (tablet_ids.empty()) {
        entries = all_entries();
    }
    for (const int64_t id : tablet_ids) {
        if (auto entry = find_entry(id)) {
            entries.push_back(*entry);
        }
    }
    std::vector<TabletReport> reports;
    reports.reserve(entries.size());
    for (const Entry& entry : entries) {
        const Tablet::Summary summary = entry.tablet->summary();
        reports.push_back(
            {.tablet_id = entry.tablet->id(),
             .partition_id = entry.tablet->meta().partition_id,
             .schema_version = entry.tablet->schema()->schema_version(),
             .version = summary.contiguous_version,
             .max_version = summary.max_version,
             .num_rows = summary.num_rows,
             .data_size_bytes = summary.data_size_bytes,
             .num_versions = summary.num_versions,
             .num_segments = summary.num_segments,
             .is_usable = entry.tablet->damage().ok()}
        );
    }
    return reports;
}

std::vector<DiskUsage> LocalStorageEngine::disk_usage() const {
    std::vector<DiskUsage> usage;
    for (const auto& directory : directories_) {
        usage.push_back(directory->usage());
    }
    return usage;
}

void LocalStorageEngine::run_garbage_collection() {
    sweep_stale_rowsets();
    open_segments_->trim();
    const auto now = std::chrono::steady_clock::now();
    const bool seeks_orphans = settings_.path_gc_check() &&
                               now - last_orphan_search_ >=
                                   std::chrono::seconds(settings_.path_gc_check_interval_second());
    if (seeks_orphans) {
        last_orphan_search_ = now;
    }
    for (const auto& directory : directories_) {
        if (Status status =
                directory->sweep_trash(unix_seconds(), settings_.trash_file_expire_time_sec());
            !status.ok()) {
            LOG_WARN(
                "trash could not be emptied path={} reason={}", directory->path(), status.message()
            );
        }
        if (Status status = seeks_orphans ? remove_orphans(*directory) : Status(); !status.ok()) {
            LOG_WARN(
                "search for orphans ended early path={} reason={}",
                directory->path(),
                status.message()
            );
        }
    }
}

void LocalStorageEngine::run_background() {
    set_thread_name("storage_gc");
    const auto interval = std::chrono::milliseconds(options_.background_interval_ms);
    SteadyTime next = std::chrono::steady_clock::now() + interval;
    for (;;) {
        {
            MutexLock lock(background_mutex_);
            while (!stopping_ && std::chrono::steady_clock::now() < next) {
                background_wake_.wait_until(background_mutex_, next);
            }
            if (stopping_) {
                return;
            }
        }
        run_garbage_collection();
        next = std::chrono::steady_clock::now() + interval;
    }
}

void LocalStorageEngine::shutdown() {
    refuses_writers_.store(true, std::memory_order_relaxed);
    {
        MutexLock lock(background_mutex_);
        stopping_ = true;
        background_wake_.notify_all();
    }
    if (compactions_ != nullptr) {
        compactions_->stop();
    }
    if (background_.joinable()) {
        background_.join();
    }
    for (const auto& directory : directories_) {
        directory->stop_flush_pool();
    }
}

}  // namespace thetis
