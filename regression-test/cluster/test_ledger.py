# SPDX-License-Identifier: Apache-2.0
"""A mixed load with kill -9 of any process at random moments: every client writes down what it was told, and afterwards the tables hold
exactly that. THETIS_LEDGER_KILLS=200 for the long form; THETIS_LEDGER_SEED repeats one."""
from __future__ import annotations

import contextlib
import http.client
import os
import random
import threading
import time

import pymysql
from runner.cluster import Cluster

KILLS = int(os.environ.get("THETIS_LEDGER_KILLS", "5"))
ROWS = 40
KEYS = 60
FAILURES = (pymysql.MySQLError, OSError, ValueError, RuntimeError, http.client.HTTPException)

TABLES = {
    # Batches of ROWS rows: each is there whole or not at all.
    "log": "CREATE TABLE log (b BIGINT, i INT, t VARCHAR(20)) DUPLICATE KEY(b) DISTRIBUTED BY HASH(b, i) BUCKETS 3",
    # Keys with a value that says which write it is from; the larger sequence wins whenever it arrives.
    "seq": "CREATE TABLE seq (k BIGINT, s BIGINT, v VARCHAR(40)) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 3",
    # The same without a sequence: every key has one writer, which waits for each answer.
    "last": "CREATE TABLE last (k BIGINT, s BIGINT, v VARCHAR(40)) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 3",
}


class Writer(threading.Thread):
    """One client: sends batches one after the other and keeps its ledger."""

    def __init__(self, cluster: Cluster, table: str, number: int, seed: int):
        super().__init__(daemon=True)
        self.cluster = cluster
        self.table = table
        self.number = number
        self.random = random.Random(seed)
        self.stopping = threading.Event()
        self.acknowledged: dict[int, list[int]] = {}  # batch -> its keys
        self.unknown: dict[int, list[int]] = {}
        self.next = 1

    def run(self) -> None:
        while not self.stopping.is_set():
            batch = self.number * 1_000_000 + self.next
            self.next += 1
            # Keys of the sequence table are shared by all its writers, the others' belong to one.
            first = 0 if self.table == "seq" else self.number * 10_000
            keys = list(range(ROWS)) if self.table == "log" else sorted(self.random.sample(range(first, first + KEYS), ROWS))
            ledger = self.unknown
            with contextlib.suppress(*FAILURES):
                if self.write(batch, keys):
                    ledger = self.acknowledged
            ledger[batch] = keys
            if ledger is self.unknown:
                time.sleep(0.05)

    def write(self, batch: int, keys: list[int]) -> bool:
        rows = [(batch, k, "x") if self.table == "log" else (k, self.sequence(batch), f"v{batch}") for k in keys]
        if self.random.random() < 0.5:
            self.cluster.sql(f"INSERT INTO {self.table} VALUES " + ", ".join(f"({a}, {b}, '{c}')" for a, b, c in rows), "d")
            return True
        body = "".join(f"{a}\t{b}\t{c}\n" for a, b, c in rows).encode()
        # A load whose publish is late is acknowledged all the same: it becomes visible.
        return self.cluster.stream_load("d", self.table, body, label=f"{self.table}_{batch}").get("Status") in ("Success", "Publish Timeout")

    @staticmethod
    def sequence(batch: int) -> int:
        """Orders writes of all clients alike: by the count of each client, then by client."""
        return batch % 1_000_000 * 100 + batch // 1_000_000


def rows_of(cluster: Cluster, query: str, deadline: float) -> tuple:
    while True:
        try:
            return cluster.sql(query, "d")
        except FAILURES:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.3)


def faults_of_log(rows: tuple, writers: list[Writer]) -> list[str]:
    seen = {b: (count, distinct) for b, count, distinct in rows}
    acknowledged = {b for w in writers for b in w.acknowledged}
    issued = acknowledged | {b for w in writers for b in w.unknown}
    faults = [f"acknowledged batch {b} is lost" for b in sorted(acknowledged - seen.keys())]
    faults += [f"batch {b} has {n} rows, {d} different" for b, (n, d) in seen.items() if (n, d) != (ROWS, ROWS)]
    return faults + [f"nobody wrote batch {b}" for b in sorted(seen.keys() - issued)]


def faults_of_upserts(rows: tuple, writers: list[Writer], by_sequence: bool) -> list[str]:
    faults = []
    seen: dict[int, tuple[int, str]] = {}
    for k, s, v in rows:
        if k in seen:
            faults.append(f"key {k} twice: {seen[k]} and {(s, v)}")
        seen[k] = (s, v)
    done: dict[int, set[int]] = {}
    maybe: dict[int, set[int]] = {}
    for writer in writers:
        for ledger, target in ((writer.acknowledged, done), (writer.unknown, maybe)):
            for batch, keys in ledger.items():
                for k in keys:
                    target.setdefault(k, set()).add(batch)
    for k in sorted(done.keys() - seen.keys()):
        faults.append(f"key {k} is lost")
    for k, (s, v) in seen.items():
        batch = int(v[1:])
        if s != Writer.sequence(batch):
            faults.append(f"key {k} mixes rows: {s} and {v}")
        newest = max(done.get(k, {0}), key=Writer.sequence)
        allowed = maybe.get(k, set()) | {newest}
        if batch not in allowed or by_sequence and Writer.sequence(batch) < Writer.sequence(newest):
            faults.append(f"key {k} has batch {batch}, newest acknowledged {newest}, unknown {sorted(maybe.get(k, set()))[-5:]}")
    return faults


def check(cluster: Cluster, writers: list[Writer]) -> None:
    """Late publishes may take a moment; what is wrong after that stays wrong."""
    deadline = time.monotonic() + 60
    for table in sorted({w.table for w in writers}):
        mine = [w for w in writers if w.table == table]
        while True:
            if table == "log":
                faults = faults_of_log(rows_of(cluster, "SELECT b, count(*), count(DISTINCT i) FROM log GROUP BY b", deadline), mine)
            else:
                faults = faults_of_upserts(rows_of(cluster, f"SELECT k, s, v FROM {table}", deadline), mine, table == "seq")
            if not faults or time.monotonic() > deadline:
                break
            time.sleep(0.5)
        assert not faults, f"{table}: {len(faults)} faults: {faults[:10]}"


def test_tables_equal_the_ledger_after_kills():
    seed = int(os.environ.get("THETIS_LEDGER_SEED", random.randrange(1 << 32)))
    print("seed", seed)
    source = random.Random(seed)
    with Cluster(backends=3) as cluster:
        cluster.sql("CREATE DATABASE d")
        for table in TABLES:
            sequence = ', "function_column.sequence_col" = "s"' if table == "seq" else ""
            cluster.sql(TABLES[table] + f' PROPERTIES ("replication_num" = "3"{sequence})', "d")
        writers = [Writer(cluster, table, 1 + t * 2 + n, source.randrange(1 << 32)) for t, table in enumerate(TABLES) for n in range(2)]
        for writer in writers:
            writer.start()
        try:
            for number in range(KILLS):
                time.sleep(source.uniform(0.2, 1.5))
                victims = [cluster.fe, *cluster.backends]
                # Mostly one process, now and then two at once.
                chosen = source.sample(victims, 2 if source.random() < 0.2 else 1)
                for node in chosen:
                    node.kill()
                time.sleep(source.uniform(0.0, 1.0))
                for node in chosen:
                    node.start()
                cluster.wait_ready()
                if number % 10 == 9:
                    print("kills", number + 1, "acknowledged", sum(len(w.acknowledged) for w in writers), flush=True)
            time.sleep(1.0)
        finally:
            for writer in writers:
                writer.stopping.set()
            for writer in writers:
                writer.join(timeout=130)
        assert not any(w.is_alive() for w in writers), "a client hangs"
        assert all(w.acknowledged for w in writers), [len(w.acknowledged) for w in writers]
        check(cluster, writers)
        for node in [cluster.fe, *cluster.backends]:
            node.kill()
        cluster.start()
        check(cluster, writers)
