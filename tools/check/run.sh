#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every fast check; --fix repairs formatting instead. Prints what is wrong and how many checks passed.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root" || exit 1

cpp_files() { git ls-files -co --exclude-standard 'be/*.cpp' 'be/*.h' | while read -r file; do [[ -f $file ]] && echo "$file"; done; }

if [[ ${1:-} == --fix ]]; then
    cpp_files | xargs -r -n 50 -P "$(nproc)" clang-format-19 -i
    (cd fe && mvn -B -ntp -q spotless:apply)
    exit $?
fi

passed=0 failed=0
check() {
    local name=$1 output
    shift
    if output=$("$@" 2>&1); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "check failed: $name"
        echo "$output" | head -n 40
    fi
}

catalogs() {
    local out
    out=$(mktemp -d)
    trap 'rm -rf "$out"' RETURN
    python3 gensrc/gen/generate.py cpp --out "$out/cpp" && for module in base catalog sql query server; do
        python3 gensrc/gen/generate.py java "$module" --out "$out/java" --resources "$out/resources" || return 1
    done
}

cpp_format() {
    local bad
    bad=$(cpp_files | xargs -r -n 50 -P "$(nproc)" clang-format-19 --dry-run -Werror 2>&1 | grep -o '^be/[^:]*' | sort -u)
    [[ -z $bad ]] && return 0
    echo "not formatted (build.sh --fix mends it):"
    echo "$bad"
    return 1
}

shell_scripts() { git ls-files -co --exclude-standard '*.sh' '.ci/run' 'tools/*/run*' | grep -E '\.sh$|^\.ci/run$' | xargs -r shellcheck -x; }

check "layers" python3 tools/check/layers.py
check "names, sizes, licences" python3 tools/check/names.py
check "catalogs are sorted and complete" catalogs
check "generators' own tests" python3 -m unittest discover -q -s gensrc/gen -p '*_test.py'
check "C++ format" cpp_format
check "Java format" bash -c 'cd fe && mvn -B -ntp -q spotless:check'
check "shell scripts" shell_scripts
echo "checks: $passed passed, $failed failed"
[[ $failed -eq 0 ]]
