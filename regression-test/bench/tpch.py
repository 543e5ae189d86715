# SPDX-License-Identifier: Apache-2.0
"""TPC-H data for benchmarks: made once, loaded into a cluster and into DuckDB."""
from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import time

import duckdb

from runner.cluster import Cluster

TPCH = pathlib.Path(__file__).resolve().parents[1] / "data" / "tpch"


def generate(scale: float, folder: pathlib.Path) -> pathlib.Path:
    """TPC-H .tbl files of that scale, made once per folder."""
    data = folder / f"tpch-{scale:g}"
    if not (data / ".complete").exists():
        generator = pathlib.Path(sys.executable).parent / "tpchgen-cli"
        subprocess.run([str(generator), "-s", f"{scale:g}", "--output-dir", str(data)], check=True, capture_output=True)
        (data / ".complete").touch()
    return data


def tables() -> list[tuple[str, str]]:
    return [tuple(line.split(" ", 1)) for line in (TPCH / "columns.txt").read_text().splitlines()]


def create_tables(cluster: Cluster, buckets: int) -> None:
    cluster.sql("CREATE DATABASE IF NOT EXISTS tpch")
    text = "\n".join(line for line in (TPCH / "schema.sql").read_text().splitlines() if not line.startswith("--"))
    for statement in text.replace("@BUCKETS@", str(buckets)).split(";"):
        if statement.strip():
            cluster.sql(statement, "tpch")


def load_file(cluster: Cluster, table: str, columns: str, path: pathlib.Path) -> dict:
    """Streams one file with curl, as a user would."""
    url = f"http://127.0.0.1:{cluster.http_port}/api/tpch/{table}/_stream_load"
    out = subprocess.run(["curl", "-sS", "--location-trusted", "-u", "root:", "-H", "Expect: 100-continue", "-H", "column_separator: |",
                          "-H", f"columns: {columns},trailing", "-T", str(path), url], capture_output=True, text=True, check=True).stdout
    reply = json.loads(out)
    if reply["Status"] not in ("Success", "Publish Timeout"):
        raise RuntimeError(out)
    return reply


def duck_database(data: pathlib.Path) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"threads": 2})
    text = (TPCH / "schema.sql").read_text()
    for table, columns in tables():
        body = text.split(f"CREATE TABLE IF NOT EXISTS {table} (", 1)[1].split("\n) DUPLICATE", 1)[0]
        connection.execute(f"CREATE TABLE {table} ({body})")
        add_trailing(connection, table, columns, data)
    return connection


def add_trailing(connection, table: str, columns: str, data: pathlib.Path) -> None:
    described = {row[0]: row[1] for row in connection.execute(f"DESCRIBE {table}").fetchall()}
    types = ", ".join(f"'{name}': '{kind}'" for name, kind in described.items()) + ", 'trailing': 'VARCHAR'"
    connection.execute(f"INSERT INTO {table} SELECT {columns} FROM read_csv('{data}/{table}.tbl', delim='|', header=false, quote='', columns={{{types}}})")


def best(run, rounds: int) -> float:
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return min(times)
