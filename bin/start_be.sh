#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Starts the back end in the foreground, or with --daemon in the background.
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export THETIS_HOME=$home DORIS_HOME=$home

fail() {
    echo "start_be.sh: $*" >&2
    exit 1
}

daemon=0
for argument in "$@"; do
    case $argument in
        --daemon) daemon=1 ;;
        *) fail "unknown option $argument" ;;
    esac
done
[[ -r $home/conf/be.conf ]] || fail "cannot read $home/conf/be.conf"
[[ -x $home/lib/thetis_be ]] || fail "$home/lib/thetis_be is missing: build.sh --be makes it"
grep -q avx2 /proc/cpuinfo || fail "this processor has no AVX2, which the back end is compiled for"
mkdir -p "$home/log"

# Segment files and connections need descriptors; take as many as we may, up to 65536.
limit=$(ulimit -H -n)
if [[ $limit == unlimited || $limit -gt 65536 ]]; then limit=65536; fi
ulimit -n "$limit"

pid_file=$home/bin/be.pid
if [[ -r $pid_file ]] && kill -0 "$(cat "$pid_file")" 2>/dev/null; then
    fail "the back end is already running with pid $(cat "$pid_file")"
fi
if [[ $daemon -eq 1 ]]; then
    nohup "$home/lib/thetis_be" >>"$home/log/be.out" 2>&1 </dev/null &
    echo $! >"$pid_file"
else
    echo $$ >"$pid_file"
    exec "$home/lib/thetis_be"
fi
