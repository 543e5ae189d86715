# SPDX-License-Identifier: Apache-2.0
# Code generated from gensrc/: Thrift and protobuf for the wire and the disk, headers and registries from the catalogs.
set(GENSRC ${CMAKE_SOURCE_DIR}/../gensrc)
set(GEN ${CMAKE_BINARY_DIR}/gen)
set(GEN_THRIFT ${GEN}/gen_thrift)
set(GEN_PROTO ${GEN}/gen_proto)
file(MAKE_DIRECTORY ${GEN_THRIFT} ${GEN_PROTO})
find_program(THRIFT_COMPILER thrift REQUIRED)
find_program(PROTOC protoc REQUIRED)
find_program(GRPC_CPP_PLUGIN grpc_cpp_plugin REQUIRED)
find_program(PYTHON NAMES python3.11 python3 REQUIRED)

# Thrift: which files a .thrift produces depends on the services it declares.
file(GLOB THRIFT_FILES CONFIGURE_DEPENDS ${GENSRC}/thrift/*.thrift)
set(THRIFT_SOURCES)
foreach(file IN LISTS THRIFT_FILES)
    get_filename_component(stem ${file} NAME_WE)
    set(outputs ${GEN_THRIFT}/${stem}_types.cpp ${GEN_THRIFT}/${stem}_types.h)
    file(STRINGS ${file} services REGEX "^service ")
    foreach(line IN LISTS services)
        string(REGEX REPLACE "^service ([A-Za-z]+).*" "\\1" service ${line})
        list(APPEND outputs ${GEN_THRIFT}/${service}.cpp ${GEN_THRIFT}/${service}.h)
    endforeach()
    add_custom_command(
        OUTPUT ${outputs}
        COMMAND ${THRIFT_COMPILER} -I ${GENSRC}/thrift --gen cpp:no_skeleton -out ${GEN_THRIFT} ${file}
        # A number from the wire that is none of an enumeration's is one that switches refuse; without an underlying type, reading
        # it would be undefined.
        COMMAND sed -i "s/^  enum type {/  enum type : int {/" ${GEN_THRIFT}/${stem}_types.h
        DEPENDS ${THRIFT_FILES}
        COMMENT "thrift ${stem}")
    list(APPEND THRIFT_SOURCES ${outputs})
endforeach()

file(GLOB PROTO_FILES CONFIGURE_DEPENDS ${GENSRC}/proto/*.proto)
set(PROTO_SOURCES)
foreach(file IN LISTS PROTO_FILES)
    get_filename_component(stem ${file} NAME_WE)
    set(outputs ${GEN_PROTO}/${stem}.pb.cc ${GEN_PROTO}/${stem}.pb.h)
    set(grpc)
    if(stem MATCHES "^service_")
        list(APPEND outputs ${GEN_PROTO}/${stem}.grpc.pb.cc ${GEN_PROTO}/${stem}.grpc.pb.h)
        set(grpc --grpc_out=${GEN_PROTO} --plugin=protoc-gen-grpc=${GRPC_CPP_PLUGIN})
    endif()
    add_custom_command(
        OUTPUT ${outputs}
        COMMAND ${PROTOC} -I ${GENSRC}/proto --cpp_out=${GEN_PROTO} ${grpc} ${file}
        DEPENDS ${PROTO_FILES}
        COMMENT "protoc ${stem}")
    list(APPEND PROTO_SOURCES ${outputs})
endforeach()

add_library(thetis_generated STATIC ${THRIFT_SOURCES} ${PROTO_SOURCES})
target_compile_options(thetis_generated PRIVATE -O1 -g0 -w -march=x86-64-v3)
target_include_directories(thetis_generated SYSTEM PUBLIC ${GEN} ${GEN_PROTO} ${GEN_THRIFT})
target_link_libraries(thetis_generated PUBLIC thetis_rpc_dependencies)

# Catalogs: cheap, and rewritten only when they change, so the generator simply runs at every build.
add_custom_target(
    thetis_catalogs ALL
    COMMAND ${PYTHON} ${GENSRC}/gen/generate.py cpp --out ${GEN}/catalog
    BYPRODUCTS ${GEN}/catalog/types/type_id.gen.h ${GEN}/catalog/base/error_code.gen.h ${GEN}/catalog/base/be_settings.gen.h
               ${GEN}/catalog/functions/function_names.gen.h ${GEN}/catalog/functions/register_scalar.gen.h
               ${GEN}/catalog/functions/register_aggregate.gen.h ${GEN}/catalog/storage/register_encodings.gen.h
               ${GEN}/catalog/server/register_endpoints.gen.h ${GEN}/catalog/query/query_variables.gen.h)
execute_process(COMMAND ${PYTHON} ${GENSRC}/gen/generate.py cpp --out ${GEN}/catalog COMMAND_ERROR_IS_FATAL ANY)
