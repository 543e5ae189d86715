#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Stops the back end: asks, waits up to 30 seconds, then kills.
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
pid_file=$home/bin/be.pid
if [[ ! -r $pid_file ]]; then
    echo "stop_be.sh: not running (no $pid_file)" >&2
    exit 0
fi
pid=$(cat "$pid_file")
kill -TERM "$pid" 2>/dev/null || true
for _ in $(seq 300); do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
done
if kill -0 "$pid" 2>/dev/null; then
    echo "stop_be.sh: pid $pid did not stop in 30 s, killing it" >&2
    kill -KILL "$pid" 2>/dev/null || true
fi
rm -f "$pid_file"
