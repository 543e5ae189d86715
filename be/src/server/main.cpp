// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <pthread.h>
#include <sys/resource.h>

#include "server/backend_process.h"

namespace {

/// The installation: THETIS_HOME, DORIS_HOME, or the folder above the binary's.
std::string find_home(const char* program) {
    for (const char* name : {"THETIS_HOME", "DORIS_HOME"}) {
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0') {
            return value;
        }
    }
    std::error_code error;
    auto binary = std::filesystem::canonical("/proc/self/exe", error);
    return error ? std::filesystem::path(program).parent_path().parent_path().string()
                 : binary.parent_path().parent_path().string();
}

void raise_file_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

}  // namespace

int main(int argc, char** argv) {
    // Every thread inherits the mask, so the stop signals reach only the wait below.
    sigset_t stop_signals;
    sigemptyset(&stop_signals);
    sigaddset(&stop_signals, SIGTERM);
    sigaddset(&stop_signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, &stop_signals, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    raise_file_limit();

    std::string home = find_home(argc > 0 ? argv[0] : "");
    // Settings may say ${DORIS_HOME}; both names mean the installation.
    setenv("THETIS_HOME", home.c_str(), 0);
    setenv("DORIS_HOME", home.c_str(), 0);
    const char* conf_dir = std::getenv("CONF_DIR");
    thetis::BackendProcess process(
        {home, conf_dir != nullptr && *conf_dir != '\0' ? conf_dir : home + "/conf"}
    );
    thetis::Status status = process.start();
    if (!status.ok()) {
        std::fprintf(stderr, "thetis_be: %s\n", std::string(status.message()).c_str());
        return 1;
    }
    int signal = 0;
    sigwait(&stop_signals, &signal);
    process.stop();
    return 0;
}
