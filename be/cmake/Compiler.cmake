# SPDX-License-Identifier: Apache-2.0
# Flags every target shares.
# Executables are compiled like the libraries, so that they can share the one precompiled header.
set(CMAKE_CXX_COMPILE_OPTIONS_PIE -fPIC)
add_library(thetis_flags INTERFACE)
target_compile_options(thetis_flags INTERFACE -march=x86-64-v3 -Wall -Wextra -Wshadow -Werror -fno-omit-frame-pointer)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(thetis_flags INTERFACE -Wthread-safety -fpch-instantiate-templates)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Xclang> $<$<COMPILE_LANGUAGE:CXX>:-fno-pch-timestamp>)
    find_program(LLD ld.lld-19)
    if(LLD)
        add_link_options(--ld-path=${LLD})
    endif()
else()
    # g++ 12 warns about correct code in inlined library templates.
    target_compile_options(thetis_flags INTERFACE -Wno-maybe-uninitialized -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g1")
if(THETIS_SANITIZE)
    add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -O1)
    add_link_options(-fsanitize=address,undefined)
endif()
