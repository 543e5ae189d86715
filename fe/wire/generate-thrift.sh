#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Generates the Java side of every Thrift file, only when an input is newer than the last run.
set -euo pipefail
in=$1 out=$2
stamp=$out/.stamp
if [[ -f $stamp && -z $(find "$in" -name '*.thrift' -newer "$stamp" -print -quit) ]]; then exit 0; fi
rm -rf "$out" && mkdir -p "$out"
for file in "$in"/*.thrift; do
    thrift -I "$in" --gen java:generated_annotations=suppress,sorted_containers -out "$out" "$file"
done
touch "$stamp"
