#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on names, sizes and files the house does not have: catch-all words, files past 800 lines, generated code in git, missing SPDX."""
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAX_LINES = 800
BANNED_PATH = re.compile(r"(^|[/_.-])(utils?|helpers?|common|misc|legacy|beta|v2)([/_.-]|$)", re.I)
BANNED_TYPE = re.compile(r"\b(?:class|struct|record|interface|enum)\s+(?:class\s+)?(\w*(?:Utils?|Helper|Common|Misc|Mgr|Legacy|V2)\w*|\w+Info|\w+Impl)\b(?!\s*[;(]\s*//)")
SOURCE = {".cpp", ".h", ".java", ".py", ".sh", ".toml", ".thrift", ".proto", ".g4", ".cmake"}
GENERATED = re.compile(r"(\.pb\.(h|cc)|_types\.(h|cpp)|\.gen\.h)$")


def main() -> int:
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    with (ROOT / "tools/check/long_files.toml").open("rb") as file:
        long_files: dict[str, str] = tomllib.load(file)["allowed"]
    problems = []
    for name in files:
        path = ROOT / name
        if not path.is_file():
            continue
        if BANNED_PATH.search(name):
            problems.append(f"{name}: the path holds a word that says nothing (style: names)")
        if GENERATED.search(name):
            problems.append(f"{name}: generated code does not belong in git")
        if path.suffix not in SOURCE:
            continue
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        if path.suffix != ".toml" and not name.startswith("regression-test/suites") and len(lines) > MAX_LINES and path.suffix != ".g4" and name not in long_files:
            problems.append(f"{name}: {len(lines)} lines; split it along its real seam (at most {MAX_LINES})")
        if not any("SPDX-License-Identifier" in line for line in lines[:5]) and lines:
            problems.append(f"{name}: no SPDX line at the top")
        if path.suffix in {".h", ".cpp", ".java"}:
            for number, line in enumerate(lines, 1):
                match = BANNED_TYPE.search(line)
                if match and not line.lstrip().startswith(("//", "*", "///")):
                    problems.append(f"{name}:{number}: type name '{match.group(1)}' holds a banned word")
    for name in long_files:
        if name not in files:
            problems.append(f"tools/check/long_files.toml: {name} is gone; remove the entry")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
