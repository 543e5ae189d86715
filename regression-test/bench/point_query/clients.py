# SPDX-License-Identifier: Apache-2.0
"""The client programs: a run of one against one server, with the CPU of every process."""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import threading
import urllib.request

import pymysql

from bench.point_query.servers import Server, process_cpu
from bench.point_query.tables import DATABASE, PART, SCAN, Table
from runner.cluster import ROOT

HERE = pathlib.Path(__file__).resolve().parent
MAVEN = "https://repo1.maven.org/maven2"
PREPARED = "?useServerPrepStmts=true&cachePrepStmts=true"
TEXT = ""
WARM_SECONDS = 2


@dataclasses.dataclass
class Measurement:
    """Of one run: rates, latencies, and CPU per query by process ('client' is the client program)."""

    qps: float
    p50: float  # us
    p99: float  # us
    cpu: dict[str, float]  # us per query
    stale: int = 0
    upserts: float = 0  # rows per second

    @property
    def server_cpu(self) -> float:
        return sum(value for name, value in self.cpu.items() if name != "client")


def connector() -> pathlib.Path:
    """The Connector/J that the front end's tests use: from Maven's own cache, or fetched once."""
    version = re.search(r"<mysql.connector.version>([^<]+)<", (ROOT / "fe" / "pom.xml").read_text())
    assert version is not None
    path = f"com/mysql/mysql-connector-j/{version[1]}/mysql-connector-j-{version[1]}.jar"
    jar = pathlib.Path.home() / ".m2" / "repository" / path
    if not jar.exists():
        jar = ROOT / "output" / "bench" / jar.name
        if not jar.exists():
            jar.parent.mkdir(parents=True, exist_ok=True)
            urllib.request.urlretrieve(f"{MAVEN}/{path}", jar.with_suffix(".part"))
            jar.with_suffix(".part").rename(jar)
    return jar


def missing_programs() -> list[str]:
    """What has to be installed before this benchmark can run."""
    return [program for program in ("mariadbd", "sysbench", "javac", "curl") if shutil.which(program) is None]


class Clients:
    """Runs client programs; one folder for what they need."""

    def __init__(self, folder: pathlib.Path, rows: int, seconds: float):
        self.rows = rows
        self.seconds = seconds
        self.classes = folder / "classes"
        self.jar = connector()
        subprocess.run(["javac", "-d", str(self.classes), *map(str, sorted((HERE / "java").glob("*.java")))], check=True)

    def jdbc(self, server: Server, table: Table = PART, threads: int = 50, flags: str = PREPARED, distribution: str = "uniform", warm: float = WARM_SECONDS,
             **options) -> Measurement:
        values = {"url": f"jdbc:mysql://127.0.0.1:{server.port}/{DATABASE}{flags}", "sql": table.select, "rows": self.rows, "threads": threads,
                  "distribution": distribution, "warm": warm, "seconds": self.seconds, **{k.replace("_", "-"): v for k, v in options.items()}}
        if table.key_prefix is not None:
            values["key-prefix"] = table.key_prefix
        return self.run_java(server, "PointQueryClient", values)

    def events(self, server: Server, connections: int) -> Measurement:
        """Many connections from one thread, so that their number costs the client nothing."""
        return self.run_java(server, "EventClient", {
            "host": "127.0.0.1", "port": server.port, "user": "root", "database": DATABASE, "sql": PART.select, "rows": self.rows, "connections": connections,
            "warm": WARM_SECONDS, "seconds": self.seconds})

    def run_java(self, server: Server, program: str, values: dict[str, object]) -> Measurement:
        command = ["java", "-Xmx512m", "-XX:+UseParallelGC", "-cp", f"{self.classes}:{self.jar}", program, *(f"--{k}={v}" for k, v in values.items())]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            if process.stdout.readline().strip() != "measuring":
                raise RuntimeError(f"{' '.join(command)} does not start")
            before = server.cpu()
            line = process.stdout.readline()
            after = server.cpu()
        result = json.loads(line)
        if process.returncode or result["error"]:
            raise RuntimeError(f"look-ups at {server.name}: {result['error'] or process.returncode}")
        if result["wrong"] or not result["queries"]:
            raise RuntimeError(f"{server.name}: {result['wrong']} wrong answers of {result['queries']}")
        cpu = {name: (after[name] - before[name]) * 1e6 / result["queries"] for name in before}
        return Measurement(result["qps"], result["p50_us"], result["p99_us"], {**cpu, "client": result["cpu_us"]}, result["stale"],
                           result["upserts"] / result["seconds"])

    def sysbench(self, server: Server, threads: int) -> Measurement:
        self.run_sysbench(server, threads, WARM_SECONDS)
        return self.run_sysbench(server, threads, self.seconds)

    def run_sysbench(self, server: Server, threads: int, seconds: float) -> Measurement:
        command = ["sysbench", str(HERE / "point_select.lua"), f"--rows={self.rows}", f"--threads={threads}", f"--time={max(1, round(seconds))}", "--mysql-host=127.0.0.1",
                   f"--mysql-port={server.port}", "--mysql-user=root", f"--mysql-db={DATABASE}", "--histogram=on", "--percentile=99", f"--statement={PART.select}", "run"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            assert process.stdout is not None
            text, before, after, client = [], None, None, 0.0
            for line in process.stdout:
                text.append(line)
                if before is None and line.startswith("Threads started"):
                    before, client = server.cpu(), process_cpu(process.pid)
                elif before is not None and after is None and line.strip():
                    after = server.cpu()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        output = "".join(text)
        queries = re.search(r"queries:\s+(\d+)\s+\(([\d.]+) per sec", output)
        if process.returncode or before is None or after is None or queries is None or not int(queries[1]):
            raise RuntimeError(f"sysbench at {server.name} ended with {process.returncode}:\n{output[-2000:]}")
        if not re.search(r"ignored errors:\s+0\s", output):
            raise RuntimeError(f"sysbench at {server.name} met errors:\n{output[-2000:]}")
        count = int(queries[1])
        buckets = [(float(value) * 1000, int(number)) for value, number in re.findall(r"^\s+([\d.]+) \|\**\s+(\d+)$", output, re.M)]
        cpu = {name: (after[name] - before[name]) * 1e6 / count for name in before}
        return Measurement(float(queries[2]), percentile(buckets, 0.5), percentile(buckets, 0.99),
                           {**cpu, "client": (usage.ru_utime + usage.ru_stime - client) * 1e6 / count})


def percentile(buckets: list[tuple[float, int]], share: float) -> float:
    left = sum(count for _, count in buckets) * share
    for value, count in buckets:
        left -= count
        if left <= 0:
            return value
    raise RuntimeError("sysbench printed no histogram")


class Scanner(threading.Thread):
    """Scans the whole table again and again until told to stop."""

    def __init__(self, server: Server):
        super().__init__(daemon=True)
        self.server = server
        self.stopping = threading.Event()
        self.scans = 0
        self.failure: Exception | None = None

    def run(self) -> None:
        try:
            with self.server.connect() as connection, connection.cursor() as cursor:
                while not self.stopping.is_set():
                    cursor.execute(SCAN)
                    cursor.fetchall()
                    self.scans += 1
        except pymysql.MySQLError as failure:
            self.failure = failure

    def __enter__(self) -> Scanner:
        self.start()
        return self

    def __exit__(self, *exc) -> None:
        self.stopping.set()
        self.join(timeout=600)
        if exc[0] is None and (self.failure is not None or not self.scans):
            raise RuntimeError(f"no scan beside look-ups: {self.failure}")
