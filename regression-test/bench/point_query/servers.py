# SPDX-License-Identifier: Apache-2.0
"""The two servers under test, each started by the benchmark, with their processes' CPU."""
from __future__ import annotations

import getpass
import json
import os
import pathlib
import subprocess
import time

import pymysql

from bench.point_query.tables import DATABASE, PART, Table
from runner.cluster import Cluster, ClusterError, free_ports

# What a fresh installation has, but for the connections of one measurement; the cluster of the tests has a small front end.
DEFAULT_JAVA = "-Xmx2g -Xms256m -XX:+UseG1GC -XX:+ExitOnOutOfMemoryError"
MAX_CONNECTIONS = 4096


def process_cpu(pid: int) -> float:
    """CPU-seconds of a process so far."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Server:
    """Something that answers MySQL clients on a port, and the processes that do it."""

    name: str
    port: int

    def processes(self) -> dict[str, int]:
        raise NotImplementedError

    def cpu(self) -> dict[str, float]:
        return {name: process_cpu(pid) for name, pid in self.processes().items()}

    def connect(self, database: str | None = DATABASE, **options) -> pymysql.connections.Connection:
        return pymysql.connect(host="127.0.0.1", port=self.port, user="root", database=database, autocommit=True, connect_timeout=10, read_timeout=600, **options)

    def sql(self, statement: str, database: str | None = DATABASE) -> tuple:
        with self.connect(database) as connection, connection.cursor() as cursor:
            cursor.execute(statement)
            return cursor.fetchall()

    def load(self, table: Table, path: pathlib.Path) -> None:
        raise NotImplementedError

    def stop(self) -> None:
        raise NotImplementedError


class Thetis(Server):
    """One front end and one back end with default settings."""

    name = "Thetis"

    def __init__(self, folder: pathlib.Path):
        self.cluster = Cluster(backends=1, directory=folder / "thetis", keep=True, be_settings={"enable_debug_points": "false"}, fe_settings={
            "enable_debug_points": "false", "JAVA_OPTS_FOR_JDK_17": DEFAULT_JAVA, "qe_max_connection": str(MAX_CONNECTIONS), "heartbeat_interval_second": "10"})
        try:
            self.cluster.start()
        except BaseException:
            self.cluster.stop()
            raise
        self.port = self.cluster.query_port
        self.sql(f"SET PROPERTY FOR 'root' 'max_user_connections' = '{MAX_CONNECTIONS}'", None)

    def processes(self) -> dict[str, int]:
        return {"FE": self.cluster.fe.pid(), "BE": self.cluster.backends[0].pid()}

    def load(self, table: Table, path: pathlib.Path) -> None:
        self.sql(table.create(for_thetis=True))
        out = subprocess.run(
            ["curl", "-sS", "--location-trusted", "-u", "root:", "-H", "Expect: 100-continue", "-T", str(path),
             f"http://127.0.0.1:{self.cluster.http_port}/api/{DATABASE}/{table.name}/_stream_load"], capture_output=True, text=True, check=True).stdout
        if json.loads(out)["Status"] not in ("Success", "Publish Timeout"):
            raise RuntimeError(out)

    def restart_backend(self, settings: dict[str, str]) -> None:
        """Its back end again, with these settings besides."""
        backend = self.cluster.backends[0]
        backend.stop()
        backend.settings = {**backend.settings, **settings}
        backend.write_settings()
        backend.start()
        self.cluster.wait_ready()
        # The front end may still hold the process that is gone for alive.
        deadline = time.monotonic() + 60
        while True:
            try:
                self.sql(f"SELECT count(*) FROM {PART.name}")
                return
            except pymysql.MySQLError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)

    def stop(self) -> None:
        self.cluster.stop()


class MariaDb(Server):
    """mariadbd of Debian's mariadb-server-core with an empty data directory of its own: InnoDB, everything in its buffer pool, and no grant tables, so it
    checks no privileges."""

    name = "MariaDB"

    def __init__(self, folder: pathlib.Path):
        self.home = folder / "mariadb"
        data = self.home / "data"
        data.mkdir(parents=True)
        self.port = free_ports(1)[0]
        self.log = self.home / "mariadbd.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                ["mariadbd", "--no-defaults", f"--user={getpass.getuser()}", f"--datadir={data}", f"--socket={self.home}/socket", f"--pid-file={self.home}/pid",
                 f"--port={self.port}", "--bind-address=127.0.0.1", "--skip-grant-tables", "--skip-name-resolve", "--innodb-buffer-pool-size=3G",
                 "--innodb-log-file-size=512M", f"--max-connections={MAX_CONNECTIONS}", "--back-log=1024"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        deadline = time.monotonic() + 60
        while True:
            try:
                self.sql("SELECT 1", None)
                return
            except pymysql.MySQLError as error:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.stop()
                    raise ClusterError(f"mariadbd does not start: {error}\n{self.log.read_text()[-2000:]}") from error
                time.sleep(0.1)

    def processes(self) -> dict[str, int]:
        return {"mariadbd": self.process.pid}

    def load(self, table: Table, path: pathlib.Path) -> None:
        self.sql(table.create(for_thetis=False))
        self.sql(f"LOAD DATA INFILE '{path}' INTO TABLE {table.name}")
        self.sql(f"ANALYZE TABLE {table.name}")

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
