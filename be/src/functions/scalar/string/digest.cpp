// SPDX-License-Identifier: Apache-2.0
// md5, md5sum, sha1, sha2, sm3, sm3sum, crc32, murmur_hash3_32, murmur_hash3_64, xxhash_32,
// xxhash_64.
#include <openssl/evp.h>
#include <xxhash.h>
#include <zlib.h>

#include "functions/adapters.h"
#include "functions/scalar/string/murmur_hash.h"

namespace thetis {

namespace {

/// Lower-case hexadecimal digest of pieces one after another.
class Digest {
public:
    explicit Digest(const EVP_MD* algorithm) : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
        EVP_DigestInit_ex(context_.get(), algorithm, nullptr);
    }

    void add(std::string_view bytes) {
        EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size());
    }

    void finish(std::string& out) {
        unsigned char digest[EVP_MAX_MD_SIZE];
        unsigned int size = 0;
        EVP_DigestFinal_ex(context_.get(), digest, &size);
        for (unsigned int i = 0; i < size; ++i) {
            out.push_back("0123456789abcdef"[digest[i] >> 4]);
            out.push_back("0123456789abcdef"[digest[i] & 15]);
        }
    }

private:
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

Kernel digest_kernel(const EVP_MD* algorithm) {
    return text_kernel<std::string_view>([algorithm](std::string& out, std::string_view text) {
        Digest digest(algorithm);
        digest.add(text);
        digest.finish(out);
    });
}

/// Folds all arguments of a row: result = finish(add(... initial, argument)).
template <typename State, typename Add, typename Append>
Kernel folding_kernel(State initial, Add add, Append append) {
    return [=](const KernelCall& call) -> Result<ColumnPtr> {
        std::vector<ColumnView<StringRef>> views;
        for (const ColumnPtr& argument : call.arguments) {
            views.emplace_back(*argument);
        }
        ColumnBuilder builder(call.result_type, call.num_rows);
        for (uint32_t row = 0; row < call.num_rows; ++row) {
            if (std::any_of(views.begin(), views.end(), [row](const auto& view) {
                    return !view.is_valid(row);
                })) {
                builder.append_null();
                continue;
            }
            State state = initial;
            for (const auto& view : views) {
                add(state, view[row].view());
            }
            append(builder, state);
        }
        return builder.finish();
    };
}

Kernel digest_all_kernel(const EVP_MD* algorithm) {
    return folding_kernel(
        std::string(),
        [](std::string& all, std::string_view text) { all += text; },
        [algorithm](ColumnBuilder& builder, const std::string& all) {
            Digest digest(algorithm);
            digest.add(all);
            std::string text;
            digest.finish(text);
            builder.append_string(text);
        }
    );
}

bool sha2(std::string& out, std::string_view text, int32_t bits) {
    const EVP_MD* algorithm = bits == 224                ? EVP_sha224()
                              : bits == 0 || bits == 256 ? EVP_sha256()
                              : bits == 384              ? EVP_sha384()
                              : bits == 512              ? EVP_sha512()
                                                         : nullptr;
    if (algorithm == nullptr) {
        return false;
    }
    Digest digest(algorithm);
    digest.add(text);
    digest.finish(out);
    return true;
}

}  // namespace

void register_digest(ScalarRegistry& registry) {
    registry.add_kernel("md5", digest_kernel(EVP_md5()));
    registry.add_kernel("md5sum", digest_all_kernel(EVP_md5()));
    registry.add_kernel("sha1", digest_kernel(EVP_sha1()));
    registry.add_kernel("sha2", text_kernel<std::string_view, int32_t>(sha2));
    registry.add_kernel("sm3", digest_kernel(EVP_sm3()));
    registry.add_kernel("sm3sum", digest_all_kernel(EVP_sm3()));
    registry.add_kernel(
        "crc32", row_kernel<std::string_view>([](std::string_view text) {
            return static_cast<int64_t>(crc32(
                0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())
            ));
        })
    );
    const auto append_int = [](ColumnBuilder& builder, uint32_t state) {
        builder.append(static_cast<int32_t>(state));
    };
    const auto append_bigint = [](ColumnBuilder& builder, uint64_t state) {
        builder.append(static_cast<int64_t>(state));
    };
    registry.add_kernel(
        "murmur_hash3_32",
        folding_kernel(
            kMurmurSeed,
            [](uint32_t& state, std::string_view text) { state = murmur_hash3_32(text, state); },
            append_int
        )
    );
    registry.add_kernel(
        "murmur_hash3_64",
        folding_kernel(
            uint64_t{0},
            [](uint64_t& state, std::string_view text) { state = murmur_hash3_64(text, state); },
            append_bigint
        )
    );
    registry.add_kernel(
        "xxhash_32",
        folding_kernel(
            uint32_t{0},
            [](uint32_t& state, std::string_view text) {
                state = XXH32(text.data(), text.size(), state);
            },
            append_int
        )
    );
    registry.add_kernel(
        "xxhash_64",
        folding_kernel(
            uint64_t{0},
            [](uint64_t& state, std::string_view text) {
                state = XXH3_64bits_withSeed(text.data(), text.size(), state);
            },
            append_bigint
        )
    );
}

}  // namespace thetis
