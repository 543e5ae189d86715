# SPDX-License-Identifier: Apache-2.0
"""16 clients upsert the same keys while compactions are forced all the time: every replica ends with one row per key, that with the largest
sequence, and no column of a partial update is lost."""
from __future__ import annotations

import os
import random
import threading
import time

import pytest

from runner.cluster import Cluster

CLIENTS = 16
KEYS = 200
ROUNDS = int(os.environ.get("THETIS_UPSERT_ROUNDS", "6"))


class Client(threading.Thread):
    """Upserts random keys with sequences of its own and keeps the largest per key that was acknowledged."""

    def __init__(self, cluster: Cluster, number: int):
        super().__init__(daemon=True)
        self.cluster = cluster
        self.number = number
        self.random = random.Random(number)
        self.largest: dict[int, int] = {}
        self.failure: Exception | None = None

    def run(self) -> None:
        try:
            with self.cluster.connect("d") as connection, connection.cursor() as cursor:
                for _ in range(ROUNDS):
                    # Sequences of different clients differ, so that the winner is known whatever the order.
                    rows = [(k, self.random.randrange(1000) * CLIENTS + self.number) for k in self.random.sample(range(KEYS), KEYS // 2)]
                    cursor.execute("INSERT INTO u VALUES " + ", ".join(f"({k}, {s}, 'v{s}')" for k, s in rows))
                    for k, s in rows:
                        self.largest[k] = max(self.largest.get(k, -1), s)
                    # One column of one row; no other client writes it.
                    cursor.execute("SET enable_unique_key_partial_update = true")
                    cursor.execute("SET enable_insert_strict = false")
                    cursor.execute(f"INSERT INTO p (k, c{self.number}) VALUES (1, {_ + 1})")
                    cursor.execute("SET enable_unique_key_partial_update = false")
        except Exception as error:  # noqa: BLE001 - reported by the test
            self.failure = error


class Compactor(threading.Thread):
    """Forces compactions of all tablets on all back ends until told to stop."""

    def __init__(self, cluster: Cluster, tablets: list[int]):
        super().__init__(daemon=True)
        self.cluster = cluster
        self.tablets = tablets
        self.stopping = threading.Event()
        self.runs = 0

    def run(self) -> None:
        kinds = ("cumulative", "base", "full")
        while not self.stopping.is_set():
            for node in self.cluster.backends:
                for tablet in self.tablets:
                    kind = kinds[self.runs % len(kinds)]
                    status, _ = self.cluster.http("POST", f"/api/compaction/run?tablet_id={tablet}&compact_type={kind}", node)
                    self.runs += status == 200
            time.sleep(0.02)


@pytest.fixture
def cluster():
    with Cluster(backends=3) as running:
        running.sql("CREATE DATABASE d")
        yield running


def eventually(cluster: Cluster, query: str) -> tuple:
    deadline = time.monotonic() + 40
    while True:
        try:
            return cluster.sql(query, "d")
        except Exception:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.3)


def test_one_row_per_key_on_every_replica(cluster):
    cluster.sql(
        "CREATE TABLE u (k INT NOT NULL, s BIGINT, v VARCHAR(20)) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 2 "
        "PROPERTIES ('replication_num' = '3', 'function_column.sequence_col' = 's')", "d")
    columns = ", ".join(f"c{i} INT" for i in range(CLIENTS))
    cluster.sql(f"CREATE TABLE p (k INT NOT NULL, {columns}) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1 PROPERTIES ('replication_num' = '3')", "d")
    cluster.sql("INSERT INTO p (k) VALUES (1)", "d")
    tablets = sorted({int(row[0]) for table in ("u", "p") for row in cluster.sql(f"SHOW TABLETS FROM {table}", "d")})
    compactor = Compactor(cluster, tablets)
    clients = [Client(cluster, number) for number in range(CLIENTS)]
    compactor.start()
    for client in clients:
        client.start()
    for client in clients:
        client.join(300)
    compactor.stopping.set()
    compactor.join(60)
    assert [client.failure for client in clients if client.failure is not None] == []
    assert compactor.runs > 0
    expected: dict[int, int] = {}
    for client in clients:
        for k, s in client.largest.items():
            expected[k] = max(expected.get(k, -1), s)
    wanted = tuple((k, s, f"v{s}") for k, s in sorted(expected.items()))
    assert cluster.sql("SELECT * FROM u ORDER BY k", "d") == wanted
    assert cluster.sql("SELECT * FROM p", "d") == ((1, *[ROUNDS] * CLIENTS),)
    # Each back end alone has all replicas.
    for node in cluster.backends:
        others = [other for other in cluster.backends if other is not node]
        for other in others:
            other.kill()
        assert eventually(cluster, "SELECT count(*), count(DISTINCT k) FROM u") == ((len(wanted), len(wanted)),)
        assert eventually(cluster, "SELECT * FROM u ORDER BY k") == wanted
        assert eventually(cluster, "SELECT * FROM p") == ((1, *[ROUNDS] * CLIENTS),)
        for other in others:
            other.start()
        cluster.wait_ready()
