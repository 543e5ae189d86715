# SPDX-License-Identifier: Apache-2.0
"""A real cluster on this machine for tests and benchmarks: one front end and any number of back ends on free loopback ports."""
from __future__ import annotations

import base64
import contextlib
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.parse
import uuid

import pymysql

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUTPUT = pathlib.Path(os.environ.get("THETIS_OUTPUT", ROOT / "output"))
START_SECONDS = 180  # Five on a quiet machine; builds and other tests beside may leave little of it.


class ClusterError(RuntimeError):
    """A server that does not start or answer; the message holds the tail of its log."""


# Names in the kernel's abstract socket space, which end with their process: two test runs on one machine never take the same port.
_claims: dict[int, socket.socket] = {}


def free_ports(count: int) -> list[int]:
    """Ports nobody listens on now and no other test run will, below the range that outgoing connections take theirs from: a server
    that is killed and started again finds its port free. `release_ports` gives them back."""
    ports: list[int] = []
    while len(ports) < count:
        port = random.randrange(10_000, 32_000)
        claim = socket.socket(socket.AF_UNIX)
        try:
            claim.bind(f"\0thetis-test-port-{port}")
            with socket.socket() as s:
                s.bind(("127.0.0.1", port))
        except OSError:
            claim.close()
            continue
        _claims[port] = claim
        ports.append(port)
    return ports


def release_ports(ports: list[int]) -> None:
    """Lets other clusters take these ports; one that was given back already stays so."""
    for port in ports:
        claim = _claims.pop(port, None)
        if claim is not None:
            claim.close()


class Node:
    """One server process with its own directory: programs are links to the built ones, configuration and data are its own."""

    def __init__(self, side: str, home: pathlib.Path, settings: dict[str, str]):
        self.side = side
        self.home = home
        self.settings = settings
        self.process: subprocess.Popen | None = None
        source = OUTPUT / side
        if not (source / "lib").exists():
            raise ClusterError(f"{source}/lib is missing: run build.sh first")
        for folder in ("bin", "conf", "log"):
            (home / folder).mkdir(parents=True, exist_ok=True)
        for script in (source / "bin").glob("*.sh"):
            shutil.copy2(script, home / "bin" / script.name)
        if not (home / "lib").exists():
            (home / "lib").symlink_to(source / "lib")
        if side == "fe":
            shutil.copy2(ROOT / "conf" / "log4j2.xml", home / "conf" / "log4j2.xml")
        self.write_settings()

    def write_settings(self) -> None:
        text = "".join(f"{key} = {value}\n" for key, value in self.settings.items())
        (self.home / "conf" / f"{self.side}.conf").write_text(text, encoding="utf-8")

    def start(self) -> None:
        for stale in (self.home / "bin").glob("*.pid"):
            stale.unlink()
        out = (self.home / "log" / f"{self.side}.out").open("ab")
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("THETIS_", "DORIS_"))}
        # Own session: a kill of the test runner's group does not take the server with it before the runner stops it.
        self.process = subprocess.Popen(
            [str(self.home / "bin" / f"start_{self.side}.sh")], stdout=out, stderr=out, stdin=subprocess.DEVNULL, start_new_session=True, env=environment)
        out.close()

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def kill(self, signal_number: int = signal.SIGKILL) -> None:
        """Ends the process at once and waits until it is gone."""
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal_number)
        self.process.wait(timeout=60)

    def stop(self) -> int:
        """Asks the process to end; kills it after 30 s. Returns its exit code."""
        if self.process is None:
            return 0
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                self.kill()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        return self.process.returncode

    def log_tail(self, lines: int = 40) -> str:
        parts = []
        for path in sorted((self.home / "log").glob("*")):
            if path.is_file() and path.stat().st_size > 0 and path.name in ("fe.out", "fe.log", "fe.warn.log", "be.out", "be.INFO", "be.log"):
                content = path.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:]
                parts.append(f"--- {path}\n" + "\n".join(content))
        return "\n".join(parts)

    def num_threads(self) -> int:
        return len(os.listdir(f"/proc/{self.pid()}/task"))

    def resident_bytes(self) -> int:
        for line in pathlib.Path(f"/proc/{self.pid()}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        return 0

    def cpu_seconds(self) -> float:
        fields = pathlib.Path(f"/proc/{self.pid()}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid  # The start script replaces itself by the server.


class Cluster:
    """`with Cluster(backends=3) as cluster:` starts everything, waits until it serves, and stops everything on the way out."""

    def __init__(self, backends: int = 1, directory: pathlib.Path | None = None, fe_settings: dict[str, str] | None = None,
                 be_settings: dict[str, str] | None = None, keep: bool = False):
        self.directory = directory or pathlib.Path(tempfile.mkdtemp(prefix="thetis-cluster-"))
        self.keep = keep or bool(os.environ.get("THETIS_KEEP"))
        self.ports = free_ports(4)
        http_port, rpc_port, query_port, journal_port = self.ports
        self.fe = Node("fe", self.directory / "fe", {
            "LOG_DIR": str(self.directory / "fe" / "log"), "meta_dir": str(self.directory / "fe" / "doris-meta"), "http_port": str(http_port),
            "rpc_port": str(rpc_port), "query_port": str(query_port), "edit_log_port": str(journal_port), "priority_networks": "127.0.0.1/32",
            "JAVA_OPTS_FOR_JDK_17": "-Xmx1g -Xms128m -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError", "enable_debug_points": "true",
            "heartbeat_interval_second": "1", **(fe_settings or {})})
        self.backends: list[Node] = []
        self.be_settings = be_settings or {}
        for _ in range(backends):
            self.add_backend_node()

    def add_backend_node(self) -> Node:
        ports = free_ports(4)
        self.ports += ports
        be_port, http_port, heartbeat_port, brpc_port = ports
        home = self.directory / f"be{len(self.backends) + 1}"
        node = Node("be", home, {
            "be_port": str(be_port), "webserver_port": str(http_port), "heartbeat_service_port": str(heartbeat_port), "brpc_port": str(brpc_port),
            "priority_networks": "127.0.0.1/32", "storage_root_path": str(home / "storage"), "enable_debug_points": "true",
            "fe_addresses": f"127.0.0.1:{self.fe.settings['rpc_port']}", **self.be_settings})
        self.backends.append(node)
        return node

    def __enter__(self) -> Cluster:
        try:
            self.start()
        except BaseException:
            self.stop()
            release_ports(self.ports)
            raise
        return self

    def __exit__(self, *exc) -> None:
        self.stop()
        release_ports(self.ports)

    @property
    def query_port(self) -> int:
        return int(self.fe.settings["query_port"])

    @property
    def http_port(self) -> int:
        return int(self.fe.settings["http_port"])

    def start(self) -> None:
        self.fe.start()
        for node in self.backends:
            node.start()
        self.wait_ready()

    def wait_ready(self, num_backends: int | None = None) -> None:
        """Waits until the front end answers SQL and the wanted number of back ends is alive."""
        wanted = len(self.backends) if num_backends is None else num_backends
        deadline = time.monotonic() + START_SECONDS
        reason = "no answer"
        while time.monotonic() < deadline:
            for node in [self.fe, *self.backends]:
                if node.process is not None and not node.is_running() and (node is self.fe or num_backends is None):
                    raise ClusterError(f"{node.side} in {node.home} ended with code {node.process.returncode}\n{node.log_tail()}")
            try:
                with self.connect() as connection, connection.cursor(pymysql.cursors.DictCursor) as cursor:
                    cursor.execute("SHOW BACKENDS")
                    alive = sum(1 for row in cursor.fetchall() if str(row["Alive"]).lower() == "true")
                    if alive >= wanted:
                        return
                    reason = f"{alive} of {wanted} back ends alive"
            except (pymysql.MySQLError, OSError) as error:
                reason = str(error)
            time.sleep(0.1)
        logs = "\n".join(node.log_tail() for node in [self.fe, *self.backends])
        raise ClusterError(f"cluster in {self.directory} not ready after {START_SECONDS} s: {reason}\n{logs}")

    def stop(self) -> None:
        for node in [self.fe, *self.backends]:
            with contextlib.suppress(Exception):
                node.stop()
        if not self.keep:
            shutil.rmtree(self.directory, ignore_errors=True)

    def connect(self, database: str | None = None, user: str = "root", password: str = "", **options) -> pymysql.connections.Connection:
        return pymysql.connect(host="127.0.0.1", port=self.query_port, user=user, password=password, database=database, autocommit=True,
                               connect_timeout=10, read_timeout=options.pop("read_timeout", 120), **options)

    @contextlib.contextmanager
    def fresh_database(self):
        """Creates a database of a name that nobody else has, gives the name, and drops the database."""
        name = "fresh_" + uuid.uuid4().hex[:12]
        self.sql(f"CREATE DATABASE {name}")
        try:
            yield name
        finally:
            self.sql(f"DROP DATABASE {name} FORCE")

    def sql(self, statement: str, database: str | None = None) -> tuple:
        """Runs one statement on a fresh connection and returns its rows."""
        with self.connect(database) as connection, connection.cursor() as cursor:
            cursor.execute(statement)
            return cursor.fetchall()

    def stream_load(self, database: str, table: str, data: bytes, backend: Node | None = None, user: str = "root", password: str = "", **headers) -> dict:
        """PUTs `data`; through the front end's redirect unless a back end is named."""
        target = ("127.0.0.1", int(backend.settings["webserver_port"])) if backend else ("127.0.0.1", self.http_port)
        path = f"/api/{database}/{table}/_stream_load"
        values = {"Expect": "100-continue", "Authorization": "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode(), **headers}
        for _ in range(3):
            connection = http.client.HTTPConnection(*target, timeout=120)
            try:
                if target[1] == self.http_port:
                    # The front end answers before the body; sending none of it shows that.
                    connection.putrequest("PUT", path)
                    for key, value in {**values, "Content-Length": str(len(data))}.items():
                        connection.putheader(key, value)
                    connection.endheaders()
                else:
                    connection.request("PUT", path, body=data, headers={k: v for k, v in values.items() if k != "Expect"})
                response = connection.getresponse()
                body = response.read()
                if response.status == 307:
                    location = urllib.parse.urlsplit(response.headers["Location"])
                    target = (location.hostname, location.port)
                    continue
                return json.loads(body)
            finally:
                connection.close()
        raise ClusterError("redirected three times")

    def http(self, method: str, path: str, node: Node | None = None, body: bytes | None = None, auth: bool = True) -> tuple[int, bytes]:
        port = int(node.settings["webserver_port"]) if node else self.http_port
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            headers = {"Authorization": "Basic " + base64.b64encode(b"root:").decode()} if auth else {}
            connection.request(method, path, body=body, headers=headers)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()
