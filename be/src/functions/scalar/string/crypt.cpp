// SPDX-License-Identifier: Apache-2.0
// aes_encrypt, aes_decrypt, sm4_encrypt, sm4_decrypt: raw bytes, keys folded as MySQL does; the
// mode may be named.
#include <openssl/evp.h>

#include "functions/adapters.h"

namespace thetis {

namespace {

using View = std::string_view;

/// The cipher for a mode like `AES_128_ECB`; null when there is none.
const EVP_CIPHER* find_cipher(View mode) {
    std::string name(mode);
    std::transform(name.begin(), name.end(), name.begin(), [](char c) {
        return c == '_' ? '-' : (c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c);
    });
    if (name.starts_with("sm4-128-")) {
        name.erase(4, 4);
    }
    return EVP_get_cipherbyname(name.c_str());
}

/// XOR of the key's blocks of the cipher's key length.
std::string fold_key(View key, size_t length) {
    std::string folded(length, '\0');
    for (size_t i = 0; i < key.size(); ++i) {
        folded[i % length] = static_cast<char>(folded[i % length] ^ key[i]);
    }
    return folded;
}

bool run_cipher(std::string& out, View text, View key, View vector, View mode, bool encrypts) {
    const EVP_CIPHER* cipher = find_cipher(mode);
    if (cipher == nullptr) {
        return false;
    }
    const std::string folded = fold_key(key, static_cast<size_t>(EVP_CIPHER_key_length(cipher)));
    std::string initial(vector.substr(0, EVP_MAX_IV_LENGTH));
    initial.resize(EVP_MAX_IV_LENGTH, '\0');
    const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context(
        EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free
    );
    const auto* bytes = [](const std::string& s) {
        return reinterpret_cast<const unsigned char*>(s.data());
    }(folded);
    out.resize(text.size() + EVP_MAX_BLOCK_LENGTH);
    auto* target = reinterpret_cast<unsigned char*>(out.data());
    int written = 0;
    int rest = 0;
    const bool done = EVP_CipherInit_ex(
                          context.get(),
                          cipher,
                          nullptr,
                          bytes,
                          reinterpret_cast<const unsigned char*>(initial.data()),
                          encrypts ? 1 : 0
                      ) == 1 &&
                      EVP_CipherUpdate(
                          context.get(),
                          target,
                          &written,
                          reinterpret_cast<const unsigned char*>(text.data()),
                          static_cast<int>(text.size())
                      ) == 1 &&
                      EVP_CipherFinal_ex(context.get(), target + written, &rest) == 1;
    out.resize(done ? static_cast<size_t>(written + rest) : 0);
    return done;
}

KernelFactory factory(View default_mode, bool encrypts) {
    return [default_mode, encrypts](const BindCall& call) -> Result<Kernel> {
        if (call.argument_types.size() == 2) {
            return text_kernel<View, View>([=](std::string& out, View text, View key) {
                return run_cipher(out, text, key, {}, default_mode, encrypts);
            });
        }
        return text_kernel<View, View, View, View>(
            [=](std::string& out, View text, View key, View vector, View mode) {
                return run_cipher(out, text, key, vector, mode, encrypts);
            }
        );
    };
}

}  // namespace

void register_crypt(ScalarRegistry& registry) {
    registry.add("aes_encrypt", factory("AES_128_ECB", true));
    registry.add("aes_decrypt", factory("AES_128_ECB", false));
    registry.add("sm4_encrypt", factory("SM4_128_ECB", true));
    registry.add("sm4_decrypt", factory("SM4_128_ECB", false));
}

}  // namespace thetis
