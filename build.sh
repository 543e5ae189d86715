#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds Thetis into output/. Without options: front end and back end.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$root"

usage() {
    cat <<'TEXT'
usage: build.sh [--fe] [--be] [--test] [--check] [--fix] [--clean] [--sanitize] [--tsan] [--gcc] [-j N]
  --fe --be      build one side only and install it to output/
  --test         also build and run the unit tests of the chosen sides
  --check        formatting, layers, names, sizes, catalogs, scripts (fast; builds nothing)
  --fix          repair formatting
  --clean        remove build folders and output/ programs (data under output/ stays), then go on with the rest
  --sanitize     back end with address and undefined-behaviour sanitizers, in its own build folder; implies --be --test
  --tsan         the same with the thread sanitizer
  --gcc          back end with g++ instead of clang-19, in its own build folder
  -j N           parallel jobs (default: one per core, at most one per 1.5 GiB of memory)
TEXT
}

fe=0 be=0 test=0 check=0 fix=0 clean=0 sanitize=0 tsan=0 gcc=0 jobs=
while [[ $# -gt 0 ]]; do
    case $1 in
        --fe) fe=1 ;;
        --be) be=1 ;;
        --test) test=1 ;;
        --check) check=1 ;;
        --fix) fix=1 ;;
        --clean) clean=1 ;;
        --sanitize) sanitize=1 be=1 test=1 ;;
        --tsan) tsan=1 be=1 test=1 ;;
        --gcc) gcc=1 be=1 ;;
        -j) jobs=${2:?-j needs a number} && shift ;;
        -h | --help) usage && exit 0 ;;
        *) usage >&2 && exit 2 ;;
    esac
    shift
done
if [[ $fe -eq 0 && $be -eq 0 ]]; then
    if [[ $check -eq 1 || $fix -eq 1 || ($clean -eq 1 && $test -eq 0) ]]; then :; else fe=1 be=1; fi
fi
if [[ -z $jobs ]]; then
    memory_kib=$(awk '/MemAvailable/ {print $2}' /proc/meminfo)
    jobs=$(nproc)
    by_memory=$((memory_kib / 1572864))
    ((by_memory < 1)) && by_memory=1
    ((jobs > by_memory)) && jobs=$by_memory
fi

if [[ $clean -eq 1 ]]; then
    rm -rf be/build fe/*/target output/fe/lib output/fe/bin output/be/lib output/be/bin
fi
[[ $fix -eq 1 ]] && tools/check/run.sh --fix
[[ $check -eq 1 ]] && tools/check/run.sh

# Copies scripts and starter configuration beside a program; a configuration that is already there is the operator's.
install_side() {
    local side=$1
    mkdir -p "output/$side"/{bin,conf,lib,log}
    install -m 755 bin/"start_$side.sh" bin/"stop_$side.sh" "output/$side/bin/"
    local file
    for file in "conf/$side.conf" conf/log4j2.xml; do
        [[ $side == be && $file == conf/log4j2.xml ]] && continue
        [[ -f $file && ! -e output/$side/conf/${file##*/} ]] && cp "$file" "output/$side/conf/"
    done
    return 0
}

if [[ $be -eq 1 ]]; then
    kind=release
    compiler=clang++-19
    c_compiler=clang-19
    options=(-DCMAKE_BUILD_TYPE=Release)
    [[ $gcc -eq 1 ]] && kind=gcc compiler=g++ c_compiler=gcc
    [[ $sanitize -eq 1 ]] && kind=sanitize options=(-DCMAKE_BUILD_TYPE=Debug -DTHETIS_SANITIZE=ON)
    [[ $tsan -eq 1 ]] && kind=tsan options=(-DCMAKE_BUILD_TYPE=Debug -DTHETIS_TSAN=ON)
    command -v "$compiler" >/dev/null || { echo "build.sh: $compiler is missing; thirdparty/install.sh installs it" >&2 && exit 1; }
    tests=OFF
    [[ $test -eq 1 ]] && tests=ON
    cmake -S be -B "be/build/$kind" -G Ninja -DCMAKE_C_COMPILER=$c_compiler -DCMAKE_CXX_COMPILER=$compiler -DTHETIS_TESTS=$tests "${options[@]}" >/dev/null
    cmake --build "be/build/$kind" -j "$jobs"
    if [[ $kind == release ]]; then
        install_side be
        install -m 755 "be/build/$kind/thetis_be" output/be/lib/thetis_be.next
        mv -f output/be/lib/thetis_be.next output/be/lib/thetis_be
    fi
    if [[ $test -eq 1 ]]; then
        (cd "be/build/$kind" && ctest --output-on-failure -j "$jobs" --timeout 600)
    fi
fi

if [[ $fe -eq 1 ]]; then
    command -v mvn >/dev/null || { echo "build.sh: mvn is missing; thirdparty/install.sh installs it" >&2 && exit 1; }
    goals=(package)
    [[ $test -eq 0 ]] && goals+=(-DskipTests -Dmaven.test.skip=true)
    (cd fe && mvn -B -ntp -q "${goals[@]}")
    install_side fe
    rm -rf output/fe/lib.next
    mkdir -p output/fe/lib.next
    cp fe/server/target/lib/*.jar output/fe/lib.next/
    cp fe/server/target/thetis-server-*.jar output/fe/lib.next/
    rm -rf output/fe/lib && mv output/fe/lib.next output/fe/lib
fi
