// SPDX-License-Identifier: Apache-2.0
#include "agent/network_address.h"

#include <charconv>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

namespace thetis {

namespace {

constexpr const char* kLoopback = "127.0.0.1";

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        size_t end = std::min(text.find(separator), text.size());
        std::string_view part = text.substr(0, end);
        while (!part.empty() && part.front() == ' ') {
            part.remove_prefix(1);
        }
        while (!part.empty() && part.back() == ' ') {
            part.remove_suffix(1);
        }
        if (!part.empty()) {
            parts.push_back(part);
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

std::vector<in_addr> interface_addresses() {
    std::vector<in_addr> addresses;
    ifaddrs* list = nullptr;
    if (getifaddrs(&list) != 0) {
        return addresses;
    }
    for (ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
        if (entry->ifa_addr != nullptr && entry->ifa_addr->sa_family == AF_INET) {
            addresses.push_back(reinterpret_cast<sockaddr_in*>(entry->ifa_addr)->sin_addr);
        }
    }
    freeifaddrs(list);
    return addresses;
}

bool is_in_network(in_addr address, std::string_view cidr) {
    size_t slash = cidr.find('/');
    int bits = 32;
    if (slash != std::string_view::npos) {
        std::from_chars(cidr.data() + slash + 1, cidr.data() + cidr.size(), bits);
    }
    in_addr network{};
    if (bits < 0 || bits > 32 ||
        inet_pton(AF_INET, std::string(cidr.substr(0, slash)).c_str(), &network) != 1) {
        return false;
    }
    uint32_t mask = bits == 0 ? 0 : ~uint32_t{0} << (32 - bits);
    return (ntohl(address.s_addr) & mask) == (ntohl(network.s_addr) & mask);
}

std::string to_text(in_addr address) {
    char text[INET_ADDRSTRLEN] = {};
    inet_ntop(AF_INET, &address, text, sizeof(text));
    return text;
}

/// Connecting a datagram socket sends nothing; it only asks the routing table.
std::string address_towards(const ServiceAddress& peer) {
    addrinfo hints{};
    hints.ai_family = AF_INET;
    hints.ai_socktype = SOCK_DGRAM;
    addrinfo* found = nullptr;
    if (getaddrinfo(peer.host.c_str(), std::to_string(peer.port).c_str(), &hints, &found) != 0 ||
        found == nullptr) {
        return kLoopback;
    }
    std::string text = kLoopback;
    int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket >= 0) {
        sockaddr_in own{};
        socklen_t size = sizeof(own);
        if (::connect(socket, found->ai_addr, found->ai_addrlen) == 0 &&
            getsockname(socket, reinterpret_cast<sockaddr*>(&own), &size) == 0) {
            text = to_text(own.sin_addr);
        }
        ::close(socket);
    }
    freeaddrinfo(found);
    return text;
}

}  // namespace

Result<std::vector<ServiceAddress>> parse_addresses(std::string_view text, int default_port) {
    std::vector<ServiceAddress> addresses;
    for (std::string_view part : split(text, ',')) {
        size_t colon = part.rfind(':');
        ServiceAddress address{std::string(part.substr(0, colon)), default_port};
        if (colon != std::string_view::npos) {
            auto [end, error] =
                std::from_chars(part.data() + colon + 1, part.data() + part.size(), address.port);
            if (error != std::errc() || end != part.data() + part.size() || address.port < 1 ||
                address.port > 65535) {
                return Status::error(
                    ErrorCode::kInvalidArgument, "address '{}' is not host:port", part
                );
            }
        }
        if (address.host.empty()) {
            return Status::error(
                ErrorCode::kInvalidArgument, "address '{}' is not host:port", part
            );
        }
        addresses.push_back(std::move(address));
    }
    return addresses;
}

std::string choose_own_address(std::string_view priority_networks, const ServiceAddress& peer) {
    auto networks = split(priority_networks, ';');
    if (!networks.empty()) {
        for (in_addr address : interface_addresses()) {
            for (std::string_view network : networks) {
                if (is_in_network(address, network)) {
                    return to_text(address);
                }
            }
        }
    }
    return address_towards(peer);
}

}  // namespace thetis
