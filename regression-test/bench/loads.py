# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of the write path: upserts, growth, parallel flush, tiny inserts."""
from __future__ import annotations

import argparse
import pathlib
import re
import statistics
import threading
import time

import pymysql

from bench.tpch import TPCH, create_tables, generate, load_file, tables
from runner.cluster import Cluster


def lineitem_columns() -> str:
    return dict(tables())["lineitem"]


def create_lineitem(cluster: Cluster, table: str, model: str, buckets: int = 4) -> None:
    """lineitem with its two key columns first, in the model given as the text of a key clause."""
    body = (TPCH / "schema.sql").read_text().split("CREATE TABLE IF NOT EXISTS lineitem (", 1)[1].split("\n) DUPLICATE", 1)[0]
    columns = [column.strip() for column in re.split(r",(?![^(]*\))", body)]
    keys = [c for name in ("l_orderkey", "l_linenumber") for c in columns if c.split()[0] == name]
    text = ", ".join(keys + [c for c in columns if c not in keys])
    cluster.sql(f"CREATE TABLE {table} ({text}) {model} DISTRIBUTED BY HASH(l_orderkey) BUCKETS {buckets} PROPERTIES (\"replication_num\" = \"1\")", "tpch")


def slice_of(path: pathlib.Path, begin: float, end: float, out: pathlib.Path) -> pathlib.Path:
    """Whole lines of a file between two of its parts."""
    size = path.stat().st_size
    with path.open("rb") as source, out.open("wb") as target:
        first = int(size * begin)
        if first:
            source.seek(first - 1)
            source.readline()
        while source.tell() < size * end:
            target.write(source.readline())
    return out


def timed_load(cluster: Cluster, table: str, path: pathlib.Path) -> tuple[float, float]:
    """CPU-seconds of the back end and seconds."""
    backend = cluster.backends[0]
    before, begin = backend.cpu_seconds(), time.perf_counter()
    load_file(cluster, table, lineitem_columns(), path)
    return backend.cpu_seconds() - before, time.perf_counter() - begin


def bench_upsert(arguments: argparse.Namespace, folder: pathlib.Path) -> None:
    path = generate(arguments.scale, folder) / "lineitem.tbl"
    base = slice_of(path, 0, 0.5, folder / "base.tbl")
    update = slice_of(path, 0.25, 0.75, folder / "update.tbl")
    megabytes = update.stat().st_size / 1e6
    ratios = []
    with Cluster(backends=1) as cluster:
        cluster.sql("CREATE DATABASE tpch")
        for number in range(arguments.rounds):
            cpu = {}
            for table, model in (("d", "DUPLICATE KEY(l_orderkey, l_linenumber)"), ("u", "UNIQUE KEY(l_orderkey, l_linenumber)")):
                create_lineitem(cluster, f"{table}{number}", model)
                load_file(cluster, f"{table}{number}", lineitem_columns(), base)
                cpu[table], _ = timed_load(cluster, f"{table}{number}", update)
            rows, keys = (cluster.sql(f"SELECT count(*), count(DISTINCT l_orderkey, l_linenumber) FROM u{number}", "tpch"))[0]
            if rows != keys:
                raise RuntimeError(f"{rows} rows for {keys} keys")
            ratios.append(cpu["d"] / cpu["u"])
            print(f"load of {megabytes:.0f} MB, half of the keys there already: DUPLICATE {megabytes / cpu['d']:.0f} MB per CPU-second, "
                  f"UNIQUE merge-on-write {megabytes / cpu['u']:.0f}, ratio {ratios[-1]:.2f}", flush=True)
    print(f"median ratio {statistics.median(ratios):.2f} (bar 0.5)")


def bench_growth(arguments: argparse.Namespace, folder: pathlib.Path) -> None:
    path = generate(arguments.scale, folder) / "lineitem.tbl"
    tenth = slice_of(path, 0, 0.1, folder / "tenth.tbl")
    scan = "SELECT sum(l_extendedprice), max(l_comment), count(DISTINCT l_suppkey) FROM {}"
    with Cluster(backends=1) as cluster:
        create_tables(cluster, 4)
        backend = cluster.backends[0]
        for model in ("DUPLICATE", "UNIQUE"):
            cpu: dict[str, list[float]] = {}
            for size, file in (("one", tenth), ("ten", path)):
                table = f"{model[0].lower()}_{size}"
                create_lineitem(cluster, table, f"{model} KEY(l_orderkey, l_linenumber)")
                # Small loads are repeated: process times count in hundredths of a second.
                repeats = 5 if size == "one" else 1
                loads = [timed_load(cluster, table, file)[0] for _ in range(repeats)]
                cluster.sql(f"TRUNCATE TABLE {table}", "tpch")
                load_file(cluster, table, lineitem_columns(), file)
                before = backend.cpu_seconds()
                for _ in range(5):
                    cluster.sql(scan.format(table), "tpch")
                cpu[size] = [sum(loads) / repeats, (backend.cpu_seconds() - before) / 5]
            print(f"{model}: ten times the rows cost {cpu['ten'][0] / cpu['one'][0]:.1f} times the CPU to load and {cpu['ten'][1] / cpu['one'][1]:.1f} "
                  "times to scan (bar 10.5)", flush=True)


def bench_flush(arguments: argparse.Namespace, folder: pathlib.Path) -> None:
    path = slice_of(generate(min(arguments.scale, 0.1), folder) / "lineitem.tbl", 0, 0.5, folder / "flush.tbl")
    seconds = {}
    for threads in (1, 4):
        settings = {"flush_thread_num_per_store": str(threads), "memtable_flush_running_count_limit": str(threads), "write_buffer_size": "1048576"}
        with Cluster(backends=1, be_settings=settings) as cluster:
            cluster.sql("CREATE DATABASE tpch")
            create_lineitem(cluster, "u", "UNIQUE KEY(l_orderkey, l_linenumber)", buckets=1)
            status, body = cluster.http("POST", "/api/debug_point/add/TabletWriter.flush?action=delay&ms=400", cluster.backends[0])
            if status != 200:
                raise RuntimeError(body)
            _, seconds[threads] = timed_load(cluster, "u", path)
    print(f"UNIQUE load of {path.stat().st_size / 1e6:.0f} MB on a slow disk: {seconds[1]:.1f} s with one flush thread, {seconds[4]:.1f} s with four, "
          f"ratio {seconds[1] / seconds[4]:.2f} (bar 2.5)")


class TinyWriter(threading.Thread):
    """Inserts single rows until told to stop."""

    def __init__(self, cluster: Cluster, number: int):
        super().__init__(daemon=True)
        self.cluster = cluster
        self.number = number
        self.stopping = threading.Event()
        self.times: list[float] = []
        self.refusals: list[str] = []

    def run(self) -> None:
        with self.cluster.connect("w") as connection, connection.cursor() as cursor:
            while not self.stopping.is_set():
                begin = time.perf_counter()
                try:
                    cursor.execute(f"INSERT INTO t VALUES ({self.number * 10_000_000 + len(self.times)}, 'some text')")
                    self.times.append((time.perf_counter() - begin) * 1000)
                except pymysql.MySQLError as refusal:
                    self.refusals.append(str(refusal))


def versions(cluster: Cluster) -> int:
    with cluster.connect("w") as connection, connection.cursor(pymysql.cursors.DictCursor) as cursor:
        cursor.execute("SHOW TABLETS FROM t")
        return max(int(row["VersionCount"]) for row in cursor.fetchall())


def compare_scans(cluster: Cluster, tables: list[str], rounds: int = 40) -> dict[str, tuple[float, float]]:
    """Of each table the median milliseconds of a scan and the back end's CPU milliseconds for one. The tables take turns, after scans
    that warm the front end up: what is measured first must not pay for that."""
    backend = cluster.backends[0]
    times: dict[str, list[float]] = {table: [] for table in tables}
    cpu = dict.fromkeys(tables, 0.0)
    with cluster.connect("w") as connection, connection.cursor() as cursor:
        for turn in range(-rounds, rounds):
            for table in tables:
                before = backend.cpu_seconds()
                for _ in range(10):
                    begin = time.perf_counter()
                    cursor.execute(f"SELECT count(*), sum(k), max(v) FROM {table}")
                    cursor.fetchall()
                    if turn >= 0:
                        times[table].append((time.perf_counter() - begin) * 1000)
                if turn >= 0:
                    cpu[table] += backend.cpu_seconds() - before
    return {table: (statistics.median(times[table]), cpu[table] * 1000 / len(times[table])) for table in tables}


def bench_tiny(arguments: argparse.Namespace, _: pathlib.Path) -> None:
    seconds = arguments.seconds or 30
    with Cluster(backends=1) as cluster:
        cluster.sql("CREATE DATABASE w")
        cluster.sql('CREATE TABLE t (k BIGINT, v VARCHAR(20)) DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1 PROPERTIES ("replication_num" = "1")', "w")
        left = 0
        for count in (10, 1):  # The ten come first, as a young front end compiles its code for minutes.
            writers = [TinyWriter(cluster, count * 100 + n) for n in range(count)]
            for writer in writers:
                writer.start()
            time.sleep(min(seconds, 15) if count == 1 else seconds)
            for writer in writers:
                writer.stopping.set()
            for writer in writers:
                writer.join()
            left = left or versions(cluster)
            times = sorted(t for w in writers for t in w.times[len(w.times) // 5:])
            refusals = [r for w in writers for r in w.refusals]
            print(f"{count} writers of single rows: {sum(len(w.times) for w in writers)} rows, {len(refusals)} refused, P50 {times[len(times) // 2]:.1f} ms, "
                  f"P99 {times[len(times) * 99 // 100]:.1f} ms", *refusals[:1], flush=True)
        cluster.sql("CREATE TABLE whole LIKE t", "w")
        cluster.sql("INSERT INTO whole SELECT * FROM t", "w")
        scans = compare_scans(cluster, ["t", "whole"])
        (many, many_cpu), (compact, compact_cpu) = scans["t"], scans["whole"]
        print(f"versions of the tablet after the ten: {left} (bar 100); scan {many:.1f} ms, {many / compact:.2f} times that of a compact table (bar 1.5); "
              f"CPU of the back end {many_cpu:.2f} ms, {many_cpu / compact_cpu:.2f} times", flush=True)
    bench_versions()


def bench_versions() -> None:
    """What versions that no compaction has merged cost a scan, at the bound that the bar of tiny inserts allows."""
    with Cluster(backends=1, be_settings={"disable_auto_compaction": "true"}) as cluster:
        cluster.sql("CREATE DATABASE w")
        for model, value in (("DUPLICATE", ""), ("UNIQUE", ""), ("AGGREGATE", "REPLACE")):
            names = [f"{model}_{form}" for form in ("tiny", "whole")]
            for name in names:
                cluster.sql(f"CREATE TABLE {name} (k BIGINT, v VARCHAR(20) {value}) {model} KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1 "
                            'PROPERTIES ("replication_num" = "1")', "w")
            for k in range(100):
                cluster.sql(f"INSERT INTO {names[0]} VALUES ({k}, 'some text')", "w")
            cluster.sql(f"INSERT INTO {names[1]} SELECT * FROM {names[0]}", "w")
            scans = compare_scans(cluster, names)
            (many, many_cpu), (compact, compact_cpu) = scans[names[0]], scans[names[1]]
            print(f"{model}: 100 versions of one row, not compacted: scan {many:.1f} ms, {many / compact:.2f} times that of a compact table, "
                  f"CPU of the back end {many_cpu:.2f} ms, {many_cpu / compact_cpu:.2f} times", flush=True)


BENCHES = {"upsert": bench_upsert, "growth": bench_growth, "flush": bench_flush, "tiny": bench_tiny}
