# SPDX-License-Identifier: Apache-2.0
"""python -m runner [--backends 3] [--variant NAME ...] [--complete] [--port N] [PATH ...]: runs SQL suites.

Without --port a cluster is started and stopped. Every file gets its own database; a variant (configs/NAME.toml) re-runs the same
files under other settings. Exit code 0 when everything passed.
"""
from __future__ import annotations

import argparse
import concurrent.futures
import pathlib
import re
import sys
import time
import tomllib

import pymysql

from . import slt
from .cluster import Cluster, ClusterError

HERE = pathlib.Path(__file__).resolve().parents[1]


def load_variant(name: str) -> dict:
    if name == "default":
        return {}
    with (HERE / "configs" / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


def rewriter(variant: dict):
    rules = [(re.compile(rule["pattern"], re.I), rule["replacement"]) for rule in variant.get("rewrite", [])]

    def rewrite(sql: str) -> str:
        for pattern, replacement in rules:
            sql = pattern.sub(replacement, sql)
        return sql

    return rewrite


def run_variant(name: str, files: list[pathlib.Path], connect, threads: int, complete: bool) -> tuple[int, int, list[str]]:
    variant = load_variant(name)
    rewrite = rewriter(variant)
    variables = {key: str(value) for key, value in variant.get("session", {}).items()}
    skip = [re.compile(pattern) for pattern in variant.get("skip", [])]
    chosen = [f for f in files if not any(p.search(str(f)) for p in skip)]
    passed = 0
    records = 0
    failures: list[str] = []

    def one(path: pathlib.Path):
        relative = path.relative_to(HERE / "suites") if path.is_relative_to(HERE / "suites") else pathlib.Path(path.name)
        database = "slt_" + re.sub(r"[^a-z0-9]+", "_", f"{name}_{relative.with_suffix('')}".lower())
        return slt.run_file(path, connect, database[:64], variables, rewrite, complete, variant.get("repeat", 1))

    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        futures = {pool.submit(one, path): path for path in chosen}
        for future in concurrent.futures.as_completed(futures):
            try:
                count, problems = future.result()
                records += count
            except (ValueError, pymysql.MySQLError, OSError) as error:
                problems = [f"{futures[future]}: {error}"]
            if problems:
                failures += [f"[{name}] {problem}" for problem in problems]
            else:
                passed += 1
    return passed, records, failures


def main() -> int:
    parser = argparse.ArgumentParser(prog="runner", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=pathlib.Path, help="files or folders; default: every suite")
    parser.add_argument("--backends", type=int, default=3)
    parser.add_argument("--variant", action="append", help="settings to run under; default: 'default'")
    parser.add_argument("--all-variants", action="store_true")
    parser.add_argument("--port", type=int, help="use the server listening there instead of starting a cluster")
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--complete", action="store_true", help="write actual results into the files")
    parser.add_argument("--filter", help="only files whose path matches this expression")
    arguments = parser.parse_args()

    roots = [p.resolve() for p in arguments.paths] or [HERE / "suites"]
    files = sorted(f for root in roots for f in (root.rglob("*.test") if root.is_dir() else [root]))
    if arguments.filter:
        files = [f for f in files if re.search(arguments.filter, str(f))]
    if not files:
        print("no suite matches", file=sys.stderr)
        return 2
    variants = arguments.variant or ["default"]
    if arguments.all_variants:
        variants = ["default", *sorted(p.stem for p in (HERE / "configs").glob("*.toml"))]

    def run_all(connect) -> int:
        failed = 0
        total = 0
        for name in variants:
            started = time.monotonic()
            passed, records, failures = run_variant(name, files, connect, arguments.threads, arguments.complete)
            for failure in failures:
                print(failure)
            bad = len({failure.split(":", 1)[0] for failure in failures})
            print(f"variant {name}: {passed} files passed, {bad} failed, {records} records, {time.monotonic() - started:.1f} s")
            failed += bad
            total += passed
        print(f"{total} passed, {failed} failed")
        return 1 if failed else 0

    if arguments.port:
        return run_all(lambda **options: pymysql.connect(host="127.0.0.1", port=arguments.port, user="root", autocommit=True, read_timeout=120, **options))
    try:
        with Cluster(backends=arguments.backends) as cluster:
            code = run_all(cluster.connect)
            for node in [cluster.fe, *cluster.backends]:
                if not node.is_running():
                    print(f"{node.side} in {node.home} died during the run\n{node.log_tail()}")
                    code = 1
            return code
    except ClusterError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
