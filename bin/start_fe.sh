#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Starts the front end in the foreground, or with --daemon in the background.
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export THETIS_HOME=$home DORIS_HOME=$home

fail() {
    echo "start_fe.sh: $*" >&2
    exit 1
}

daemon=0
arguments=()
for argument in "$@"; do
    if [[ $argument == --daemon ]]; then daemon=1; else arguments+=("$argument"); fi
done

# Values the JVM needs before the program reads its own configuration.
setting() {
    sed -n "s/^[[:space:]]*$1[[:space:]]*=[[:space:]]*\"\{0,1\}\([^\"]*\)\"\{0,1\}[[:space:]]*\$/\1/p" "$home/conf/fe.conf" | tail -n 1
}
[[ -r $home/conf/fe.conf ]] || fail "cannot read $home/conf/fe.conf"
log_dir=$(setting LOG_DIR)
log_dir=${log_dir:-$home/log}
log_dir=${log_dir//\$\{DORIS_HOME\}/$home}
log_dir=${log_dir//\$\{THETIS_HOME\}/$home}
export LOG_DIR=$log_dir
mkdir -p "$log_dir"
java_opts=$(setting JAVA_OPTS_FOR_JDK_17)
java_opts=${java_opts:-$(setting JAVA_OPTS)}

java=java
if [[ -n ${JAVA_HOME:-} && -x $JAVA_HOME/bin/java ]]; then java=$JAVA_HOME/bin/java; fi
command -v "$java" >/dev/null 2>&1 || fail "no Java found: install openjdk-17-jre-headless or set JAVA_HOME"
version=$("$java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1)
[[ ${version:-0} -ge 17 ]] || fail "Java 17 or later is needed, $java is version ${version:-unknown}; set JAVA_HOME"

pid_file=$home/bin/fe.pid
if [[ -r $pid_file ]] && kill -0 "$(cat "$pid_file")" 2>/dev/null; then
    fail "the front end is already running with pid $(cat "$pid_file")"
fi
# shellcheck disable=SC2206  # options are words
command=("$java" ${java_opts:--Xmx2g} -DLOG_DIR="$log_dir" -Dlog4j2.configurationFile="$home/conf/log4j2.xml" -cp "$home/lib/*" org.thetis.server.Main "${arguments[@]}")
if [[ $daemon -eq 1 ]]; then
    nohup "${command[@]}" >>"$log_dir/fe.out" 2>&1 </dev/null &
    echo $! >"$pid_file"
else
    echo $$ >"$pid_file"
    exec "${command[@]}"
fi
