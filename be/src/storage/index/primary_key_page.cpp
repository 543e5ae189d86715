// SPDX-License-Identifier: Apache-2.0
#include "storage/index/primary_key_page.h"

#include <algorithm>
#include <cstring>

namespace thetis {

namespace {

constexpr uint32_t kKeysPerRun = 16;

void append_number(uint32_t value, std::vector<uint8_t>& output) {
    while (value >= 0x80) {
        output.push_back(static_cast<uint8_t>(value | 0x80));
        value >>= 7;
    }
    output.push_back(static_cast<uint8_t>(value));
}

/// Past the number, or null when it does not end before `end`.
const uint8_t* read_number(const uint8_t* at, const uint8_t* end, uint32_t& value) {
    value = 0;
    for (uint32_t shift = 0; shift < 32 && at < end; shift += 7) {
        const uint8_t byte = *at++;
        value |= static_cast<uint32_t>(byte & 0x7F) << shift;
        if (byte < 0x80) {
            return at;
        }
    }
    return nullptr;
}

/// For pages that were checked.
const uint8_t* read_number(const uint8_t* at, uint32_t& value) {
    uint8_t byte = *at++;
    value = byte & 0x7F;
    for (uint32_t shift = 7; byte >= 0x80; shift += 7) {
        byte = *at++;
        value |= static_cast<uint32_t>(byte & 0x7F) << shift;
    }
    return at;
}

}  // namespace

void PrimaryKeyPageBuilder::add(std::string_view key) {
    size_t shared = 0;
    if (num_keys_ % kKeysPerRun == 0) {
        starts_.push_back(static_cast<uint32_t>(bytes_.size()));
    } else {
        const size_t limit = std::min(key.size(), last_.size());
        while (shared < limit && key[shared] == last_[shared]) {
            ++shared;
        }
    }
    append_number(static_cast<uint32_t>(shared), bytes_);
    append_number(static_cast<uint32_t>(key.size() - shared), bytes_);
    const auto* rest = reinterpret_cast<const uint8_t*>(key.data() + shared);
    bytes_.insert(bytes_.end(), rest, rest + (key.size() - shared));
    last_.assign(key);
    ++num_keys_;
}

std::vector<uint8_t> PrimaryKeyPageBuilder::finish() {
    std::vector<uint8_t> page = std::move(bytes_);
    const auto num_runs = static_cast<uint32_t>(starts_.size());
    const auto append = [&page](const void* data, size_t size) {
        const auto* bytes = static_cast<const uint8_t*>(data);
        page.insert(page.end(), bytes, bytes + size);
    };
    append(starts_.data(), starts_.size() * sizeof(uint32_t));
    append(&num_runs, sizeof(num_runs));
    bytes_.clear();
    starts_.clear();
    last_.clear();
    num_keys_ = 0;
    return page;
}

Result<PrimaryKeyPage> PrimaryKeyPage::open(std::span<const uint8_t> body, uint32_t num_keys) {
    const auto corrupt = [](std::string_view what) {
        return Status::error(ErrorCode::kCorruption, "{} in a page of keys", what);
    };
    PrimaryKeyPage page;
    page.num_keys_ = num_keys;
    if (body.size() < sizeof(uint32_t)) {
        return corrupt("Too few bytes");
    }
    std::memcpy(&page.num_runs_, body.data() + body.size() - sizeof(uint32_t), sizeof(uint32_t));
    const uint64_t tail = (uint64_t{page.num_runs_} + 1) * sizeof(uint32_t);
    if (num_keys == 0 || page.num_runs_ != (num_keys - 1) / kKeysPerRun + 1 || tail > body.size()) {
        return corrupt("Wrong counts");
    }
    page.bytes_ = body.data();
    page.starts_ = body.data() + (body.size() - tail);
    const uint8_t* at = page.bytes_;
    size_t last_size = 0;
    for (uint32_t i = 0; i < num_keys; ++i) {
        const bool is_whole = i % kKeysPerRun == 0;
        if (is_whole && page.bytes_ + page.start(i / kKeysPerRun) != at) {
            return corrupt("Wrong start of a run");
        }
        uint32_t shared = 0;
        uint32_t rest = 0;
        at = read_number(at, page.starts_, shared);
        at = at == nullptr ? nullptr : read_number(at, page.starts_, rest);
        if (at == nullptr || rest > static_cast<size_t>(page.starts_ - at) ||
            shared > (is_whole ? 0 : last_size)) {
            return corrupt("Wrong length");
        }
        at += rest;
        last_size = shared + rest;
    }
    if (at != page.starts_) {
        return corrupt("Surplus bytes");
    }
    return page;
}

uint32_t PrimaryKeyPage::start(uint32_t i) const {
    uint32_t value;
    std::memcpy(&value, starts_ + size_t{i} * sizeof(value), sizeof(value));
    return value;
}

std::string_view PrimaryKeyPage::whole_key(uint32_t run) const {
    uint32_t size = 0;
    const uint8_t* at = read_number(bytes_ + start(run), size);
    at = read_number(at, size);
    return {reinterpret_cast<const char*>(at), size};
}

std::optional<uint32_t> PrimaryKeyPage::find(std::string_view key, uint32_t suffix_bytes) const {
    const size_t full_size = key.size() + suffix_bytes;
    // The first run that begins above the key: the key is in the one before, or begins this one.
    uint32_t low = 0;
    uint32_t high = num_runs_;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (whole_key(middle) <= key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low > 0) {
        const uint32_t begin = (low - 1) * kKeysPerRun;
        const uint32_t end = std::min(begin + kKeysPerRun, num_keys_);
        const uint8_t* at = bytes_ + start(low - 1);
        size_t equal = 0;  // Leading bytes that the entry before shares with the key.
        for (uint32_t i = begin; i < end; ++i) {
            uint32_t shared = 0;
            uint32_t rest = 0;
            at = read_number(at, shared);
            at = read_number(at, rest);
            const uint8_t* const bytes = at;
            at += rest;
            if (shared > equal) {
                continue;  // Below the key where the one before is.
            }
            if (shared < equal) {
                return std::nullopt;  // Above it there.
            }
            const size_t limit = std::min<size_t>(rest, key.size() - equal);
            size_t same = 0;
            while (same < limit && bytes[same] == static_cast<uint8_t>(key[equal + same])) {
                ++same;
            }
            equal += same;
            if (equal == key.size()) {
                return shared + rest == full_size ? std::optional(i) : std::nullopt;
            }
            if (same < limit && bytes[same] > static_cast<uint8_t>(key[equal])) {
                return std::nullopt;
            }
        }
    }
    const bool begins_next =
        low < num_runs_ && whole_key(low).size() == full_size && whole_key(low).starts_with(key);
    return begins_next ? std::optional(low * kKeysPerRun) : std::nullopt;
}

PrimaryKeyCursor::PrimaryKeyCursor(const PrimaryKeyPage& page) : page_(page), next_(page.bytes_) {
    read();
}

void PrimaryKeyCursor::read() {
    uint32_t shared = 0;
    uint32_t rest = 0;
    next_ = read_number(next_, shared);
    next_ = read_number(next_, rest);
    key_.resize(shared);
    key_.append(reinterpret_cast<const char*>(next_), rest);
    next_ += rest;
}

void PrimaryKeyCursor::next() {
    if (++position_ < page_.num_keys_) {
        read();
    }
}

void PrimaryKeyCursor::jump(uint32_t run) {
    position_ = run * kKeysPerRun;
    next_ = page_.bytes_ + page_.start(run);
    read();
}

void PrimaryKeyCursor::seek(std::string_view target) {
    if (!valid() || key_ >= target) {
        return;
    }
    // Dense look-ups stay in their run of keys; others find the last run that begins at or below
    // the target.
    const uint32_t run = position_ / kKeysPerRun;
    if (run + 1 < page_.num_runs_ && page_.whole_key(run + 1) <= target) {
        uint32_t low = run + 1;
        uint32_t high = page_.num_runs_;
        while (high - low > 1) {
            const uint32_t middle = (low + high) / 2;
            (page_.whole_key(middle) <= target ? low : high) = middle;
        }
        jump(low);
    }
    while (valid() && key_ < target) {
        next();
    }
}

}  // namespace thetis
