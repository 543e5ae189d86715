# SPDX-License-Identifier: Apache-2.0
"""What connections that nobody uses cost the front end."""
from __future__ import annotations

import argparse
import pathlib
import re
import resource
import socket
import struct
import subprocess

from runner.cluster import Cluster

CAPABILITIES = 0x1 | 0x4 | 0x200 | 0x8000 | 0x80000  # long password and flags, protocol 4.1, secure connection, plugins
# All pages of the heap are touched at the start, so that the process grows by what is not on the heap alone.
JAVA = "-Xmx1g -Xms1g -XX:+AlwaysPreTouch -XX:+UseG1GC -XX:+ExitOnOutOfMemoryError"
BAR_KB = 20


def receive(connection: socket.socket) -> bytes:
    """One packet's payload."""
    def exactly(size: int) -> bytes:
        data = b""
        while len(data) < size:
            more = connection.recv(size - len(data))
            if not more:
                raise ConnectionError("closed by the server")
            data += more
        return data

    head = exactly(4)
    return exactly(int.from_bytes(head[:3], "little"))


def log_in(port: int, number: int) -> socket.socket:
    """A connection as root, without a driver's own memory. Source addresses differ: one address has fewer ports than may be wanted."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(f"127.0.{1 + number // 20_000}.1", 0))
    receive(connection)
    payload = struct.pack("<IIB23x", CAPABILITIES, 1 << 24, 33) + b"root\0" + b"\0" + b"mysql_native_password\0"
    connection.sendall(struct.pack("<I", len(payload))[:3] + b"\1" + payload)
    if receive(connection)[0] != 0:
        raise ConnectionError("login refused")
    return connection


def look_up(connection: socket.socket, key: int) -> None:
    payload = b"\3SELECT v FROM d.kv WHERE k = %d" % key
    connection.sendall(struct.pack("<I", len(payload))[:3] + b"\0" + payload)
    ends = 0
    while ends < 2:
        packet = receive(connection)
        if packet[0] == 0xFF:
            raise ConnectionError(packet[9:].decode())
        ends += packet[0] == 0xFE and len(packet) < 9


def measure(cluster: Cluster) -> dict[str, int]:
    """Bytes in use on the heap after collections, and resident bytes of the process, which all of the heap is part of."""
    pid = str(cluster.fe.pid())
    for _ in range(2):
        subprocess.run(["jcmd", pid, "GC.run"], check=True, capture_output=True)
    heap = subprocess.run(["jcmd", pid, "GC.heap_info"], check=True, capture_output=True, text=True).stdout
    used = re.search(r"used (\d+)K", heap)
    assert used is not None, heap
    return {"heap": int(used[1]) << 10, "RSS": cluster.fe.resident_bytes()}


def bench_idle(arguments: argparse.Namespace, _: pathlib.Path) -> None:
    wanted = arguments.connections
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < wanted + 1000:
        raise SystemExit(f"idle needs {wanted + 1000} open files, ulimit -Hn says {hard}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted + 1000), hard))
    settings = {"qe_max_connection": str(wanted + 100), "JAVA_OPTS_FOR_JDK_17": JAVA, "enable_debug_points": "false"}
    with Cluster(backends=1, fe_settings=settings) as cluster:
        cluster.sql(f"SET PROPERTY FOR 'root' 'max_user_connections' = '{wanted + 100}'")
        cluster.sql("CREATE DATABASE d")
        cluster.sql("CREATE TABLE kv (k INT, v VARCHAR(20)) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1 "
                    "PROPERTIES ('replication_num' = '1', 'store_row_column' = 'true')", "d")
        cluster.sql("INSERT INTO kv VALUES (1, 'one')", "d")
        connections: list[socket.socket] = []
        try:
            # What the first connections make is there once for all.
            connections += [log_in(cluster.query_port, number) for number in range(100)]
            for connection in connections:
                look_up(connection, 1)
            before = measure(cluster)
            first = len(connections)
            connections += [log_in(cluster.query_port, number) for number in range(first, wanted)]
            logged_in = measure(cluster)
            for connection in connections:
                look_up(connection, 1)
            used = measure(cluster)
            for name, after in (("logged in", logged_in), ("after a look-up each", used)):
                kb = {what: (after[what] - before[what]) / 1024 / (wanted - first) for what in before}
                costs = kb["heap"] + max(0.0, kb["RSS"])
                print(f"idle, {wanted:,} connections, {name}: {costs:.1f} KB each (bar < {BAR_KB}): {'met' if costs < BAR_KB else 'NOT MET'}; "
                      f"heap {kb['heap']:.1f} KB, beside it {kb['RSS']:.1f} KB", flush=True)
        finally:
            for connection in connections:
                connection.close()
