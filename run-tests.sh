#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds, and runs every test: front-end and back-end unit tests, then the SQL suites (also under
# variants) and the cluster scenarios against real servers on free loopback ports. Stops at the first stage that fails.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$root"
started=$SECONDS

stage() { echo "=== $1 (at $((SECONDS - started)) s)"; }

stage "dependencies"
thirdparty/install.sh
venv=$root/.venv
requirements=regression-test/requirements.txt
if [[ ! -x $venv/bin/python ]] || ! cmp -s "$requirements" "$venv/requirements.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install -q --disable-pip-version-check -r "$requirements"
    cp "$requirements" "$venv/requirements.txt"
fi

# Nothing we start may outlive this script: test clusters live under one temporary folder, whose name is in every command line.
TMPDIR=$(mktemp -d "${TMPDIR:-/tmp}/thetis-tests-XXXXXX")
export TMPDIR
cleanup() {
    pkill -KILL -f "$TMPDIR/" 2>/dev/null || true
    rm -rf "$TMPDIR"
}
trap cleanup EXIT

stage "back end: build and unit tests"
./build.sh --be --test
stage "front end: build and unit tests"
./build.sh --fe --test

export PYTHONPATH=$root/regression-test PYTHONDONTWRITEBYTECODE=1
stage "SQL suites on one front end and three back ends, default and variants"
"$venv/bin/python" -m runner --backends 3 --all-variants
stage "cluster scenarios"
"$venv/bin/python" -m pytest -q -x -p no:cacheprovider regression-test/cluster
stage "done"
