// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace thetis {

/// Collects ascending keys and codes them by what they share with the one before; every 16th is
/// whole, so that a search can begin there. docs/formats/primary_key_index.md has the bytes.
class PrimaryKeyPageBuilder {
public:
    void add(std::string_view key);

    uint32_t num_keys() const { return num_keys_; }

    size_t size_bytes() const { return bytes_.size() + (starts_.size() + 1) * sizeof(uint32_t); }

    /// The page; the builder is empty again.
    std::vector<uint8_t> finish();

private:
    std::vector<uint8_t> bytes_;
    std::vector<uint32_t> starts_;
    std::string last_;
    uint32_t num_keys_ = 0;
};

/// A page of keys, its structure checked at open so that no cursor can leave it. A view: the bytes
/// outlive it.
class PrimaryKeyPage {
public:
    PrimaryKeyPage() = default;

    static Result<PrimaryKeyPage> open(std::span<const uint8_t> body, uint32_t num_keys);

    uint32_t num_keys() const { return num_keys_; }

    /// Where `key`, followed by `suffix_bytes` more bytes, stands. Copies nothing; keys are free of
    /// prefixes of each other.
    std::optional<uint32_t> find(std::string_view key, uint32_t suffix_bytes) const;

private:
    friend class PrimaryKeyCursor;

    uint32_t start(uint32_t i) const;
    /// The whole key that begins a run of 16.
    std::string_view whole_key(uint32_t run) const;

    const uint8_t* bytes_ = nullptr;
    const uint8_t* starts_ = nullptr;
    uint32_t num_runs_ = 0;
    uint32_t num_keys_ = 0;
};

/// A position in a page. Cheap to move forward, by one key or to the next one not below another.
class PrimaryKeyCursor {
public:
    PrimaryKeyCursor() = default;
    /// Stands at the first key.
    explicit PrimaryKeyCursor(const PrimaryKeyPage& page);

    bool valid() const { return position_ < page_.num_keys_; }

    uint32_t position() const { return position_; }

    std::string_view key() const { return key_; }

    void next();
    /// Moves forward to the first key that is not below `target`; past the end when there is none.
    void seek(std::string_view target);

private:
    void read();
    void jump(uint32_t run);

    PrimaryKeyPage page_;
    uint32_t position_ = 0;
    const uint8_t* next_ = nullptr;
    std::string key_;
};

}  // namespace thetis
