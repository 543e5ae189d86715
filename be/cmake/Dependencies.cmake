# SPDX-License-Identifier: Apache-2.0
# Libraries from the distribution's packages (thirdparty/README.md says what each is for).
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(GRPC REQUIRED IMPORTED_TARGET grpc++ protobuf)
pkg_check_modules(CODECS REQUIRED IMPORTED_TARGET liblz4 libzstd zlib libxxhash)
pkg_check_modules(TEXT REQUIRED IMPORTED_TARGET fmt re2 simdjson)
pkg_check_modules(CRYPTO REQUIRED IMPORTED_TARGET libcrypto)
find_package(spdlog REQUIRED)
find_package(RocksDB REQUIRED)
find_library(THRIFT_LIBRARY thrift REQUIRED)
find_library(ROARING_LIBRARY roaring REQUIRED)
find_library(TCMALLOC_LIBRARY tcmalloc REQUIRED)
find_library(HTTPLIB_LIBRARY cpp-httplib REQUIRED)

add_library(thetis_dependencies INTERFACE)
target_link_libraries(
    thetis_dependencies INTERFACE Threads::Threads PkgConfig::CODECS PkgConfig::TEXT PkgConfig::CRYPTO spdlog::spdlog
                                  RocksDB::rocksdb-shared ${ROARING_LIBRARY})
add_library(thetis_rpc_dependencies INTERFACE)
target_link_libraries(thetis_rpc_dependencies INTERFACE PkgConfig::GRPC ${THRIFT_LIBRARY} ${HTTPLIB_LIBRARY})

# The sanitizers bring their own allocator.
add_library(thetis_allocator INTERFACE)
if(NOT THETIS_SANITIZE AND NOT THETIS_TSAN)
    target_link_libraries(thetis_allocator INTERFACE ${TCMALLOC_LIBRARY})
endif()

if(WITH_BRPC)
    message(FATAL_ERROR "WITH_BRPC: there is no build against libbrpc. brpc clients are served without it: brpc_port speaks "
                        "baidu_std (be/src/server/baidu) beside gRPC.")
endif()
if(THETIS_TESTS)
    enable_testing()
    find_package(GTest REQUIRED)
endif()
