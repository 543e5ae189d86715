#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what apt.txt lists and is not there yet. Needs root, or a user who may use sudo. Quiet when nothing is missing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

fail() {
    echo "thirdparty/install.sh: $*" >&2
    exit 1
}

[[ -r /etc/debian_version ]] || fail "this is not Debian; install the equivalents of the packages in thirdparty/apt.txt by hand"
missing=()
while read -r package; do
    [[ -z $package || $package == \#* ]] && continue
    # A tool that is already there, whoever installed it, is good enough.
    case $package in
        openjdk-17-jdk-headless) command -v javac >/dev/null 2>&1 && javac -version 2>&1 | grep -q '^javac 17\.' && continue ;;
        maven) command -v mvn >/dev/null 2>&1 && continue ;;
    esac
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done <"$here/apt.txt"
[[ ${#missing[@]} -eq 0 ]] && exit 0

sudo=()
if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null 2>&1 || fail "packages are missing (${missing[*]}) and this user is neither root nor able to use sudo"
    sudo=(sudo)
fi
echo "installing ${#missing[@]} packages: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { "${sudo[@]}" apt-get update && "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    fail "the packages could not be installed (the lines above are apt's own)"
fi
