#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a bare Debian 12 to a running cluster with data and answers: dependencies, build, one front end and one back end, TPC-H.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

usage() {
    cat <<'TEXT'
usage: bin/quickstart.sh            install, build, start, load TPC-H (scale 0.1), run queries; again: just start and run
       bin/quickstart.sh --stop     stop the servers
       bin/quickstart.sh --clean    stop the servers and forget their data, the generated data and the logs
TEXT
}

say() { printf '\n== %s\n' "$*"; }
fail() {
    echo "quickstart: $*" >&2
    exit 1
}

work=$root/output/quickstart
data=$work/tpch-0.1
tpch=$root/regression-test/data/tpch

running() { # running fe|be: is our own server alive?
    local pid_file=output/$1/bin/$1.pid
    [[ -r $pid_file ]] && kill -0 "$(cat "$pid_file")" 2>/dev/null
}

stop_servers() {
    local side
    for side in be fe; do
        if running "$side"; then
            "output/$side/bin/stop_$side.sh"
            echo "stopped the $([[ $side == fe ]] && echo front || echo back) end"
        fi
    done
}

case ${1:-} in
    "") ;;
    --stop) stop_servers && exit 0 ;;
    --clean)
        stop_servers
        rm -rf "$work" output/fe/doris-meta output/fe/log output/be/storage output/be/log
        echo "forgot all data and logs; the programs stay in output/"
        exit 0
        ;;
    -h | --help) usage && exit 0 ;;
    *) usage >&2 && exit 2 ;;
esac

memory_mib=$(awk '/MemTotal/ {print int($2 / 1024)}' /proc/meminfo)
((memory_mib >= 3500)) || fail "this machine has $memory_mib MiB of memory; at least 4 GiB are needed"
grep -q avx2 /proc/cpuinfo || fail "this processor has no AVX2, which the back end is compiled for"

thirdparty/install.sh
version=$(java -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1)
[[ ${version:-0} -ge 17 ]] || fail "Java 17 or later is needed, $(command -v java) is version ${version:-unknown}; set PATH or JAVA_HOME"

if [[ ! -x output/be/lib/thetis_be ]]; then
    say "building the back end (several minutes)"
    ./build.sh --be
fi
if ! compgen -G "output/fe/lib/thetis-server-*.jar" >/dev/null; then
    say "building the front end"
    ./build.sh --fe
fi

port_taken() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
need_ports() { # need_ports fe 9030 ...
    local side=$1 port
    shift
    for port in "$@"; do
        if port_taken "$port"; then
            fail "port $port is in use, and the $side needs it: stop the program that has it, or change output/$side/conf/$side.conf"
        fi
    done
}
setting() { sed -n "s/^[[:space:]]*$2[[:space:]]*=[[:space:]]*\([0-9]*\).*/\1/p" "output/$1/conf/$1.conf" | tail -n 1; }
query_port=$(setting fe query_port)
http_port=$(setting fe http_port)
heartbeat_port=$(setting be heartbeat_service_port)

sql() { mariadb --no-defaults -h127.0.0.1 -P"$query_port" -uroot --protocol=tcp --connect-timeout=5 "$@"; }

started=$SECONDS
if ! running fe; then
    need_ports fe "$query_port" "$http_port" "$(setting fe rpc_port)" "$(setting fe edit_log_port)"
    say "starting the front end"
    output/fe/bin/start_fe.sh --daemon
fi
if ! running be; then
    need_ports be "$(setting be be_port)" "$(setting be webserver_port)" "$heartbeat_port" "$(setting be brpc_port)"
    say "starting the back end"
    output/be/bin/start_be.sh --daemon
fi

wait_for() { # wait_for seconds what command...
    local deadline=$((SECONDS + $1)) what=$2 side
    shift 2
    until "$@" >/dev/null 2>&1; do
        for side in fe be; do
            if ! running "$side"; then
                tail -n 20 "output/$side/log/$side.out" >&2 || true
                fail "the $([[ $side == fe ]] && echo front || echo back) end ended while starting; output/$side/log has its logs (the lines above are the last)"
            fi
        done
        if ((SECONDS > deadline)); then
            tail -n 20 output/fe/log/fe.out output/be/log/be.out >&2 || true
            fail "$what did not happen in time; see output/fe/log and output/be/log"
        fi
        sleep 0.2
    done
}
wait_for 60 "the front end's first answer" sql -e 'SELECT 1'
if [[ -z $(sql -N -e 'SHOW BACKENDS') ]]; then
    sql -e "ALTER SYSTEM ADD BACKEND '127.0.0.1:$heartbeat_port'"
fi
backend_alive() { [[ $(curl -fsS "http://127.0.0.1:$http_port/api/health" | grep -o '"online_backend_num":[0-9]*') == '"online_backend_num":1' ]]; }
wait_for 60 "the back end's first heartbeat" backend_alive
echo "serving after $((SECONDS - started)) s"

if [[ ! -f $data/.complete ]]; then
    say "making TPC-H data at scale 0.1"
    if [[ ! -x $work/venv/bin/tpchgen-cli ]]; then
        mkdir -p "$work"
        python3 -m venv "$work/venv"
        "$work/venv/bin/pip" install -q --disable-pip-version-check "$(grep '^tpchgen-cli' regression-test/requirements.txt)"
    fi
    "$work/venv/bin/tpchgen-cli" -s 0.1 --output-dir "$data" >/dev/null
    touch "$data/.complete"
fi

sql -e 'CREATE DATABASE IF NOT EXISTS tpch'
sed -e "s/@BUCKETS@/4/g" -e "/^--/d" "$tpch/schema.sql" | sql tpch
while read -r table columns; do
    [[ $(sql -N -e "SELECT count(*) FROM tpch.$table") != 0 ]] && continue
    say "loading $table ($(du -h "$data/$table.tbl" | cut -f1))"
    # Every .tbl line ends in a separator: the last, empty field goes to a column that the table does not have.
    reply=$(curl --location-trusted -u root: -H 'Expect: 100-continue' -H 'column_separator: |' -H "columns: $columns,trailing" \
        --progress-bar -T "$data/$table.tbl" "http://127.0.0.1:$http_port/api/tpch/$table/_stream_load") || fail "loading $table: curl could not reach the server"
    grep -q '"Status": *"\(Success\|Publish Timeout\)"' <<<"$reply" || fail "loading $table failed: $reply"
    sed -n 's/.*"\(NumberLoadedRows\|LoadTimeMs\)": *\([0-9]*\).*/   \1 \2/p' <<<"$reply"
done <"$tpch/columns.txt"

for number in 01 03 05 06 10 12 14 19; do
    say "TPC-H query ${number#0}"
    begin=$(date +%s%N)
    sql --table tpch <"$tpch/queries/q$number.sql"
    echo "$((($(date +%s%N) - begin) / 1000000)) ms"
done

say "ready"
cat <<TEXT
SQL          mariadb -h127.0.0.1 -P$query_port -uroot tpch
stream load  curl --location-trusted -u root: -H 'Expect: 100-continue' -T FILE http://127.0.0.1:$http_port/api/DB/TABLE/_stream_load
metrics      http://127.0.0.1:$http_port/metrics
stop         bin/quickstart.sh --stop
TEXT
