// SPDX-License-Identifier: Apache-2.0
#include "functions/adapters.h"

namespace thetis {

namespace {

using View = std::string_view;

/// The pieces of `scheme://[user@]host[:port][/path][?query][#ref]`.
struct Url {
    View protocol, authority, user, host, port, path, query, ref, file;
    bool has_user = false, has_port = false, has_query = false, has_ref = false;
};

bool split_url(View text, Url& url) {
    const size_t scheme = text.find("://");
    if (scheme == View::npos) {
        return false;
    }
    url.protocol = text.substr(0, scheme);
    text.remove_prefix(scheme + 3);
    if (const size_t hash = text.find('#'); hash != View::npos) {
        url.ref = text.substr(hash + 1);
        url.has_ref = true;
        text = text.substr(0, hash);
    }
    const size_t end = text.find_first_of("/?");
    url.authority = text.substr(0, end);
    url.file = end == View::npos ? View() : text.substr(end);
    const size_t question = url.file.find('?');
    url.path = url.file.substr(0, question);
    if (question != View::npos) {
        url.query = url.file.substr(question + 1);
        url.has_query = true;
    }
    const size_t at = url.authority.rfind('@');
    url.has_user = at != View::npos;
    url.user = url.has_user ? url.authority.substr(0, at) : View();
    url.host = url.has_user ? url.authority.substr(at + 1) : url.authority;
    if (const size_t colon = url.host.rfind(':'); colon != View::npos) {
        url.port = url.host.substr(colon + 1);
        url.has_port = true;
        url.host = url.host.substr(0, colon);
    }
    return true;
}

std::optional<View> part_of(const Url& url, View part) {
    std::string upper(part);
    std::transform(upper.begin(), upper.end(), upper.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    });
    const auto when = [](bool present, View value) {
        return present ? std::optional<View>(value) : std::nullopt;
    };
    if (upper == "PROTOCOL") {
        return url.protocol;
    }
    if (upper == "HOST") {
        return url.host;
    }
    if (upper == "PATH") {
        return url.path;
    }
    if (upper == "FILE") {
        return url.file;
    }
    if (upper == "AUTHORITY") {
        return url.authority;
    }
    if (upper == "QUERY") {
        return when(url.has_query, url.query);
    }
    if (upper == "REF") {
        return when(url.has_ref, url.ref);
    }
    if (upper == "USERINFO") {
        return when(url.has_user, url.user);
    }
    if (upper == "PORT") {
        return when(url.has_port, url.port);
    }
    return std::nullopt;
}

/// The value of `key=` in a query string.
std::optional<View> query_value(View query, View key) {
    while (!query.empty()) {
        const size_t ampersand = query.find('&');
        const View pair = query.substr(0, ampersand);
        if (pair.size() > key.size() && pair.starts_with(key) && pair[key.size()] == '=') {
            return pair.substr(key.size() + 1);
        }
        query = ampersand == View::npos ? View() : query.substr(ampersand + 1);
    }
    return std::nullopt;
}

}  // namespace

void register_parse_url(ScalarRegistry& registry) {
    registry.add("parse_url", [](const BindCall& call) -> Result<Kernel> {
        if (call.argument_types.size() == 2) {
            return row_kernel<View, View>([](View text, View part) -> std::optional<View> {
                Url url;
                return split_url(text, url) ? part_of(url, part) : std::nullopt;
            });
        }
        return row_kernel<View, View, View>(
            [](View text, View part, View key) -> std::optional<View> {
                Url url;
                const bool asks_query = part == "QUERY" || part == "query";
                return split_url(text, url) && asks_query ? query_value(url.query, key)
                                                          : std::nullopt;
            }
        );
    });
}

}  // namespace thetis
