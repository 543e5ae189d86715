# SPDX-License-Identifier: Apache-2.0
"""Starts both servers with the same rows, checks that they answer alike, and measures the rows of the table of bars."""
from __future__ import annotations

import argparse
import contextlib
import pathlib
import random
import time

from bench.point_query.bars import BARS, Bench, warm_thetis
from bench.point_query.clients import Clients, missing_programs
from bench.point_query.servers import MariaDb, Server, Thetis
from bench.point_query.tables import DATABASE, PART, SCAN, WIDE, Table


def load(server: Server, table: Table, rows: int, folder: pathlib.Path) -> None:
    path = table.write(rows, folder)
    begin = time.perf_counter()
    server.load(table, path)
    print(f"{server.name}: {path.stat().st_size / 1e6:.0f} MB of {table.name} loaded in {time.perf_counter() - begin:.1f} s", flush=True)


def compare(thetis: Server, mariadb: Server, table: Table, rows: int) -> None:
    """Refuses to measure servers that do not hold the same rows."""
    numbers = random.Random(rows).sample(range(rows), min(rows, 500))
    keys = ", ".join(repr(table.key_of(number)) for number in numbers)
    counted = [server.sql(f"SELECT count(*) FROM {table.name}") for server in (thetis, mariadb)]
    listed = [server.sql(f"SELECT * FROM {table.name} WHERE {table.key} IN ({keys}) ORDER BY {table.key}") for server in (thetis, mariadb)]
    if counted[0] != ((rows,),) or counted[0] != counted[1] or len(listed[0]) != len(numbers) or listed[0] != listed[1]:
        raise RuntimeError(f"{table.name} differs: {counted[0]} and {counted[1]} rows, {len(listed[0])} and {len(listed[1])} of {len(numbers)} keys")


def bench_point_query(arguments: argparse.Namespace, folder: pathlib.Path) -> None:
    missing = missing_programs()
    if missing:
        message = f"point_query needs {', '.join(missing)}: apt-get install mariadb-server-core sysbench curl openjdk-17-jdk-headless"
        if arguments.what == "all":
            print(f"skipped: {message}")
            return
        raise SystemExit(message)
    names = arguments.only or list(BARS)
    tables = [PART, WIDE] if "wide" in names else [PART]
    seconds = arguments.seconds or 10
    with contextlib.ExitStack() as stack:
        mariadb = MariaDb(folder)
        stack.callback(mariadb.stop)
        thetis = Thetis(folder)
        stack.callback(thetis.stop)
        for server in (thetis, mariadb):
            server.sql(f"CREATE DATABASE {DATABASE}", None)
            for table in tables:
                load(server, table, arguments.rows, folder)
            server.sql(SCAN)
        for table in tables:
            compare(thetis, mariadb, table, arguments.rows)
        if WIDE in tables:
            mariadb.sql(f"SELECT max(field9) FROM {WIDE.name}")
        plan = "\n".join(row[0] for row in thetis.sql(f"EXPLAIN SELECT * FROM {PART.name} WHERE {PART.key} = 1"))
        print(f"EXPLAIN of a look-up {'says' if 'SHORT-CIRCUIT' in plan else 'does NOT say'} SHORT-CIRCUIT")
        bench = Bench(thetis, mariadb, Clients(folder, arguments.rows, seconds), arguments.rounds)
        warm_thetis(bench)
        print(f"{arguments.rows:,} rows, medians of {arguments.rounds} rounds of {seconds:g} s, both servers and the client on this machine")
        for name in names:
            BARS[name](bench)
