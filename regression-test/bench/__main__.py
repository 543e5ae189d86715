# SPDX-License-Identifier: Apache-2.0
"""python -m bench: see README.md."""
from __future__ import annotations

import argparse
import pathlib
import resource
import statistics
import sys
import tempfile
import time

import duckdb

from bench import loads
from bench.idle import bench_idle
from bench.point_query.bars import BARS
from bench.point_query.run import bench_point_query
from bench.tpch import TPCH, add_trailing, best, create_tables, duck_database, generate, load_file, tables
from runner.cluster import Cluster

EIGHT = ["q01", "q03", "q05", "q06", "q10", "q12", "q14", "q19"]


def bench_start(_: argparse.Namespace, __: pathlib.Path) -> None:
    with tempfile.TemporaryDirectory(prefix="thetis-cluster-") as folder:
        cluster = Cluster(backends=1, directory=pathlib.Path(folder), keep=True)
        for what in ("fresh", "again"):
            begin = time.perf_counter()
            with cluster:
                print(f"start, {what}: {time.perf_counter() - begin:.1f} s to the first SQL answer with a live back end")


def bench_tpch(arguments: argparse.Namespace, folder: pathlib.Path) -> None:
    data = generate(arguments.scale, folder)
    duck = duck_database(data)
    names = sorted(p.stem for p in (TPCH / "queries").glob("q*.sql")) if arguments.all_queries else EIGHT
    with Cluster(backends=1, fe_settings={"JAVA_OPTS_FOR_JDK_17": "-Xmx2g"}) as cluster:
        create_tables(cluster, 4)
        for table, columns in tables():
            load_file(cluster, table, columns, data / f"{table}.tbl")
        ratios = []
        print(f"TPC-H scale {arguments.scale:g}, best of {arguments.rounds}: seconds, Thetis / DuckDB with 2 threads")
        with cluster.connect("tpch", read_timeout=600) as connection, connection.cursor() as cursor:
            for name in names:
                sql = (TPCH / "queries" / f"{name}.sql").read_text()

                def ours(text=sql):
                    cursor.execute(text)
                    cursor.fetchall()

                ours()
                duck.execute(sql).fetchall()
                pairs = [(best(ours, 1), best(lambda text=sql: duck.execute(text).fetchall(), 1)) for _ in range(arguments.rounds)]
                mine, theirs = min(p[0] for p in pairs), min(p[1] for p in pairs)
                ratios.append(mine / theirs)
                print(f"{name}  {mine:7.3f}  {theirs:7.3f}  ratio {mine / theirs:5.2f}", flush=True)
        print(f"geometric mean of ratios {statistics.geometric_mean(ratios):.2f} (below 1: Thetis is faster)")


def bench_load(arguments: argparse.Namespace, folder: pathlib.Path) -> None:
    data = generate(arguments.scale, folder)
    path = data / "lineitem.tbl"
    columns = dict(tables())["lineitem"]
    megabytes = path.stat().st_size / 1e6
    with Cluster(backends=1) as cluster:
        create_tables(cluster, 4)
        backend = cluster.backends[0]
        for _ in range(arguments.rounds):
            cluster.sql("TRUNCATE TABLE lineitem", "tpch")
            before, begin = backend.cpu_seconds(), time.perf_counter()
            load_file(cluster, "lineitem", columns, path)
            wall, cpu = time.perf_counter() - begin, backend.cpu_seconds() - before
            used = resource.getrusage(resource.RUSAGE_SELF)
            duck_before = used.ru_utime + used.ru_stime
            begin = time.perf_counter()
            connection = duckdb.connect(str(folder / "load.duckdb"), config={"threads": 2})
            body = (TPCH / "schema.sql").read_text().split("CREATE TABLE IF NOT EXISTS lineitem (", 1)[1].split("\n) DUPLICATE", 1)[0]
            connection.execute(f"CREATE OR REPLACE TABLE lineitem ({body})")
            add_trailing(connection, "lineitem", columns, data)
            connection.execute("CHECKPOINT")
            connection.close()
            used = resource.getrusage(resource.RUSAGE_SELF)
            duck_cpu, duck_wall = used.ru_utime + used.ru_stime - duck_before, time.perf_counter() - begin
            print(f"load lineitem {megabytes:.0f} MB: Thetis {megabytes / cpu:.0f} MB per CPU-second ({wall:.1f} s), DuckDB COPY {megabytes / duck_cpu:.0f} "
                  f"({duck_wall:.1f} s), ratio {duck_cpu / cpu:.2f}", flush=True)


def bench_wire(arguments: argparse.Namespace, _: pathlib.Path) -> None:
    with Cluster(backends=1) as cluster:
        cluster.sql("CREATE DATABASE w")
        cluster.sql('CREATE TABLE t (k INT, v VARCHAR(20)) DISTRIBUTED BY HASH(k) BUCKETS 1 PROPERTIES ("replication_num" = "1")', "w")
        cluster.sql("INSERT INTO t VALUES " + ", ".join(f"({i}, 'value {i}')" for i in range(10)), "w")
        cluster.sql('CREATE TABLE i (k INT, v VARCHAR(20)) DISTRIBUTED BY HASH(k) BUCKETS 1 PROPERTIES ("replication_num" = "1")', "w")
        with cluster.connect("w") as connection, connection.cursor() as cursor:
            number = [0]

            def insert():
                number[0] += 1
                cursor.execute(f"INSERT INTO i VALUES ({number[0]}, 'x')")

            cases = [("SELECT 1", lambda: (cursor.execute("SELECT 1"), cursor.fetchall()), 2000),
                     ("SELECT * from a table of ten rows", lambda: (cursor.execute("SELECT * FROM t"), cursor.fetchall()), 1000),
                     ("INSERT of one row", insert, 200)]
            for name, run, count in cases:
                for _ in range(count // 4):
                    run()
                times = []
                for _ in range(count):
                    begin = time.perf_counter()
                    run()
                    times.append((time.perf_counter() - begin) * 1000)
                times.sort()
                print(f"{name}: P50 {times[len(times) // 2]:.2f} ms, P99 {times[len(times) * 99 // 100]:.2f} ms, {1000 * len(times) / sum(times):.0f} per second on one connection")


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    benches = {"start": bench_start, "tpch": bench_tpch, "load": bench_load, "wire": bench_wire, **loads.BENCHES, "idle": bench_idle, "point_query": bench_point_query}
    parser.add_argument("what", nargs="?", default="all", choices=[*benches, "all"])
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, help="of tiny inserts (30) and of each measurement of point_query (10)")
    parser.add_argument("--rows", type=int, default=1_000_000, help="of the tables of point_query")
    parser.add_argument("--connections", type=int, default=10_000, help="of idle")
    parser.add_argument("--only", action="append", choices=list(BARS), help="a row of point_query's table; may be repeated")
    parser.add_argument("--all-queries", action="store_true")
    parser.add_argument("--data", type=pathlib.Path, help="keep generated data here")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="thetis-bench-") as scratch:
        folder = arguments.data or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for name, run in benches.items():
            if arguments.what in (name, "all"):
                run(arguments, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
