# SPDX-License-Identifier: Apache-2.0
"""The rows of the table of bars: what each measures, and the line it prints."""
from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Callable

from bench.point_query.clients import TEXT, Clients, Measurement, Scanner
from bench.point_query.servers import MariaDb, Server, Thetis
from bench.point_query.tables import PART, WIDE

UPSERT = {
    "upsert": "({key}, 'upserted part', 'MFGR#1', 'MFGR#11', 'MFGR#1101', 'green', 'SMALL PLATED COPPER', {version}, 'SM CASE')",
    "upserts_per_second": 1000, "upsert_batch": 50, "upsert_threads": 4, "version_column": 8,
}


@dataclasses.dataclass
class Bench:
    """Both servers with the tables loaded, the clients, and how often to repeat."""

    thetis: Thetis
    mariadb: MariaDb
    clients: Clients
    rounds: int
    next_version: int = 1_000_000

    def median_of(self, runs: list[Callable[[], Measurement]]) -> list[Measurement]:
        """Each run of the list `rounds` times, in turns, so that what else happens on the machine meets all of them; medians per figure."""
        results: list[list[Measurement]] = [[] for _ in runs]
        for _ in range(self.rounds):
            for run, measured in zip(runs, results, strict=True):
                measured.append(run())
        return [median(measured) for measured in results]

    def against_mariadb(self, name: str, bar: float, aim: float, run: Callable[[Server], Measurement]) -> tuple[Measurement, Measurement]:
        ours, theirs = self.median_of([lambda: run(self.thetis), lambda: run(self.mariadb)])
        show(f"{name}, Thetis", ours)
        show(f"{name}, MariaDB", theirs)
        verdict(f"{name}: QPS against MariaDB", ours.qps / theirs.qps, bar, aim)
        print(f"{name}: CPU of FE and BE against mariadbd: {ours.server_cpu / theirs.server_cpu:.2f}", flush=True)
        return ours, theirs


def median(values: list[Measurement]) -> Measurement:
    of = statistics.median
    return Measurement(of(v.qps for v in values), of(v.p50 for v in values), of(v.p99 for v in values),
                       {name: of(v.cpu[name] for v in values) for name in values[0].cpu}, max(v.stale for v in values), of(v.upserts for v in values))


def show(name: str, measured: Measurement) -> None:
    cpu = "  ".join(f"{process} {us:.1f}" for process, us in measured.cpu.items())
    print(f"  {name:<44} {measured.qps:>9,.0f} QPS  P50 {measured.p50:>8,.0f} us  P99 {measured.p99:>8,.0f} us  CPU us per query: {cpu}", flush=True)


def verdict(what: str, value: float, bar: float, aim: float | None, at_most: bool = False, unit: str = "") -> None:
    met = value <= bar if at_most else value >= bar
    wanted = f"bar {'<=' if at_most else '>='} {bar:g}{unit}" + (f", aim {aim:g}{unit}" if aim is not None else "")
    print(f"{what}: {value:.2f}{unit} ({wanted}): {'met' if met else 'NOT MET'}", flush=True)


def jdbc(bench: Bench) -> None:
    ours, theirs = bench.against_mariadb("JDBC x 50 prepared", 1.0, 1.4, bench.clients.jdbc)
    verdict(f"JDBC x 50 prepared: CPU of FE and BE per look-up (mariadbd {theirs.server_cpu:.1f} us)", ours.server_cpu, 28, 20, at_most=True, unit=" us")
    bench.against_mariadb("JDBC x 50 prepared, zipfian keys", 1.0, 1.4, lambda server: bench.clients.jdbc(server, distribution="zipfian"))


def sysbench(bench: Bench) -> None:
    for threads, bar, aim in ((8, 0.8, 1.1), (32, 0.8, 1.1), (100, 0.8, 1.1), (1, 0.5, 1.0)):
        bench.against_mariadb(f"sysbench x {threads} prepared", bar, aim, lambda server, threads=threads: bench.clients.sysbench(server, threads))


def wide(bench: Bench) -> None:
    bench.against_mariadb("1 KB rows, JDBC x 50 prepared", 0.9, 1.2, lambda server: bench.clients.jdbc(server, WIDE))


def text(bench: Bench) -> None:
    runs = [lambda server=server, flags=flags: bench.clients.jdbc(server, **flags) for server in (bench.thetis, bench.mariadb) for flags in ({}, {"flags": TEXT})]
    prepared, plain, their_prepared, their_plain = bench.median_of(runs)
    show("JDBC x 50 prepared, Thetis", prepared)
    show("JDBC x 50 text without flags, Thetis", plain)
    show("JDBC x 50 prepared, MariaDB", their_prepared)
    show("JDBC x 50 text without flags, MariaDB", their_plain)
    verdict("text against prepared: CPU of FE and BE", plain.server_cpu / prepared.server_cpu, 1.5, 1.2, at_most=True)


def connections(bench: Bench) -> None:
    runs = [lambda server=server, number=number: bench.clients.events(server, number) for server in (bench.thetis, bench.mariadb) for number in (100, 2000)]
    few, many, their_few, their_many = bench.median_of(runs)
    for name, measured in (("100, Thetis", few), ("2,000, Thetis", many), ("100, MariaDB", their_few), ("2,000, MariaDB", their_many)):
        show(f"active connections: {name}", measured)
    verdict(f"2,000 connections against 100: QPS (MariaDB {their_many.qps / their_few.qps:.2f})", many.qps / few.qps, 0.9, None)


def scan(bench: Bench) -> None:
    def beside_scan(server: Server) -> Measurement:
        with Scanner(server) as scanner:
            measured = bench.clients.jdbc(server)
            print(f"  ({scanner.scans} scans of {server.name} so far)")
        return measured

    alone, beside, their_alone, their_beside = bench.median_of(
        [run for server in (bench.thetis, bench.mariadb) for run in (lambda server=server: bench.clients.jdbc(server), lambda server=server: beside_scan(server))])
    for name, measured in (("alone, Thetis", alone), ("beside a scan, Thetis", beside), ("alone, MariaDB", their_alone), ("beside a scan, MariaDB", their_beside)):
        show(f"JDBC x 50 prepared {name}", measured)
    verdict(f"P99 beside a looping full scan against alone (MariaDB {their_beside.p99 / their_alone.p99:.2f})", beside.p99 / alone.p99, 3, 1.5, at_most=True)


def no_row_cache(bench: Bench) -> None:
    with_cache = bench.median_of([lambda: bench.clients.jdbc(bench.thetis)])[0]
    bench.thetis.restart_backend({"disable_storage_row_cache": "true"})
    try:
        bench.clients.jdbc(bench.thetis, warm=0, distribution="each")
        without = bench.median_of([lambda: bench.clients.jdbc(bench.thetis)])[0]
    finally:
        bench.thetis.restart_backend({"disable_storage_row_cache": "false"})
    show("JDBC x 50 prepared, row cache on", with_cache)
    show("JDBC x 50 prepared, row cache off", without)
    verdict("row cache off against on: CPU of FE and BE", without.server_cpu / with_cache.server_cpu, 2, None, at_most=True)
    warm_thetis(bench)


def upserts(bench: Bench) -> None:
    def beside_upserts(server: Server, **options) -> Measurement:
        bench.next_version += 1_000_000
        tail = "" if server is bench.thetis else (
            " ON DUPLICATE KEY UPDATE p_name = VALUES(p_name), p_mfgr = VALUES(p_mfgr), p_category = VALUES(p_category), p_brand = VALUES(p_brand), p_color = "
            "VALUES(p_color), p_type = VALUES(p_type), p_size = VALUES(p_size), p_container = VALUES(p_container)")
        return bench.clients.jdbc(server, upsert_head="INSERT INTO part VALUES ", upsert_tail=tail, version_from=bench.next_version, **UPSERT | options)

    def warm_writes(server: Server) -> None:
        """Upserts as fast as they go: a young front end compiles the road of its writes for minutes."""
        seconds, bench.clients.seconds = bench.clients.seconds, 120
        try:
            beside_upserts(server, threads=1, upserts_per_second=1_000_000)
        finally:
            bench.clients.seconds = seconds

    for server in (bench.thetis, bench.mariadb):
        warm_writes(server)
    alone, beside, their_alone, their_beside = bench.median_of(
        [run for server in (bench.thetis, bench.mariadb) for run in (lambda server=server: bench.clients.jdbc(server), lambda server=server: beside_upserts(server))])
    for name, measured in (("alone, Thetis", alone), (f"beside {beside.upserts:,.0f} upserts/s, Thetis", beside), ("alone, MariaDB", their_alone),
                           (f"beside {their_beside.upserts:,.0f} upserts/s, MariaDB", their_beside)):
        show(f"JDBC x 50 {name}", measured)
    verdict(f"QPS during upserts against alone (MariaDB {their_beside.qps / their_alone.qps:.2f})", beside.qps / alone.qps, 0.7, None)
    verdict("upserted rows per second", beside.upserts, 990, None)
    verdict("acknowledged rows found stale", beside.stale, 0, None, at_most=True)


def audit(bench: Bench) -> None:
    def with_log(enabled: bool) -> Measurement:
        bench.thetis.sql(f"SET GLOBAL enable_prepared_stmt_audit_log = {str(enabled).lower()}")
        return bench.clients.events(bench.thetis, 50)

    for enabled in (True, False):
        with_log(enabled)
    off, on = bench.median_of([lambda: with_log(False), lambda: with_log(True)])
    bench.thetis.sql("SET GLOBAL enable_prepared_stmt_audit_log = false")
    show("50 connections prepared, not in the audit log", off)
    show("50 connections prepared, all in the audit log", on)
    verdict("audit log of prepared statements: CPU of FE and BE", on.server_cpu / off.server_cpu, 1.02, None, at_most=True)


def warm_thetis(bench: Bench) -> None:
    """Every key of the narrow table once, or as many as fit in a minute."""
    seconds, bench.clients.seconds = bench.clients.seconds, 60
    try:
        bench.clients.jdbc(bench.thetis, warm=0, distribution="each")
    finally:
        bench.clients.seconds = seconds


BARS: dict[str, Callable[[Bench], None]] = {
    "jdbc": jdbc, "sysbench": sysbench, "wide": wide, "text": text, "connections": connections, "scan": scan, "no-row-cache": no_row_cache, "audit": audit,
    "upserts": upserts}
