# SPDX-License-Identifier: Apache-2.0
"""Everything that writes goes on while a heavy schema change runs: upserts, partial updates, UPDATE, deletes by key and by condition.
Each client keeps a ledger of what it was told; after every change the tables hold exactly that, on every back end."""
from __future__ import annotations

import contextlib
import http.client
import random
import threading
import time

import pymysql
import pytest
from runner.cluster import Cluster

FAILURES = (pymysql.MySQLError, OSError, ValueError, RuntimeError, http.client.HTTPException)
KEYS = 400
UNIQUE = ("CREATE TABLE u (k INT NOT NULL, p SMALLINT NOT NULL, a INT, b VARCHAR(20), c DECIMAL(8, 2) DEFAULT '7.50') UNIQUE KEY(k, p) "
          'DISTRIBUTED BY HASH(k) BUCKETS 3 PROPERTIES ("replication_num" = "3")')
DUPLICATE = ("CREATE TABLE d (k INT NOT NULL, p SMALLINT NOT NULL, n INT) DUPLICATE KEY(k, p) "
             'DISTRIBUTED BY HASH(k) BUCKETS 3 PROPERTIES ("replication_num" = "3")')
CHANGES = [
    ("u", "MODIFY COLUMN a BIGINT"),
    ("d", "MODIFY COLUMN n BIGINT"),
    ("u", "ORDER BY (p, k, c, a, b)"),
    ("d", "ADD COLUMN x INT KEY DEFAULT '5' AFTER k"),
    ("u", "MODIFY COLUMN c DECIMAL(12, 3), MODIFY COLUMN p INT KEY"),
    ("d", "DROP COLUMN x"),
    ("u", "MODIFY COLUMN a VARCHAR(30)"),
]


class Writer(threading.Thread):
    """One client. What fails is sent again until it is acknowledged: every statement says what the rows become, and appended rows have
    a label, so that sending twice is writing once."""

    def __init__(self, cluster: Cluster, database: str, seed: int):
        super().__init__(daemon=True)
        self.cluster = cluster
        self.database = database
        self.random = random.Random(seed)
        self.stopping = threading.Event()
        self.pausing = threading.Event()
        self.paused = threading.Event()
        self.failure: str | None = None
        self.done: dict[str, int] = {}
        self.next = 1

    def run(self) -> None:
        try:
            while not self.stopping.is_set():
                if self.pausing.is_set():
                    self.paused.set()
                    time.sleep(0.02)
                    continue
                self.paused.clear()
                self.step()
        except Exception as error:  # noqa: BLE001 - told to the test, which fails with it.
            self.failure = repr(error)
        finally:
            self.paused.set()

    def fill(self) -> None:
        """Writes the rows that the table begins with."""
        raise NotImplementedError

    def step(self) -> None:
        raise NotImplementedError

    def until_done(self, kind: str, action) -> None:
        deadline = time.monotonic() + 90
        while True:
            try:
                action()
                self.done[kind] = self.done.get(kind, 0) + 1
                return
            except FAILURES as error:
                # The client's own mistakes would come again for ever.
                if time.monotonic() > deadline:
                    raise AssertionError(f"{kind}: {error}") from error
                time.sleep(0.05)

    def sql(self, *statements: str) -> None:
        with self.cluster.connect(self.database, read_timeout=60) as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)

    def stream_load(self, table: str, rows: list[tuple], **headers) -> None:
        body = "".join("\t".join("\\N" if value is None else str(value) for value in row) + "\n" for row in rows).encode()
        reply = self.cluster.stream_load(self.database, table, body, **headers)
        # A label that is RUNNING may be of a back end that was killed: that load will be aborted, and has to be sent again.
        is_there = reply["Status"] == "Label Already Exists" and reply["ExistingJobStatus"] == "FINISHED"
        if reply["Status"] not in ("Success", "Publish Timeout") and not is_there:
            raise RuntimeError(str(reply))


class Upserts(Writer):
    """Writes u. Its ledger: key -> (a, b, c)."""

    def __init__(self, cluster: Cluster, database: str, seed: int):
        super().__init__(cluster, database, seed)
        self.rows: dict[int, tuple] = {}
        self.kinds: list[str] = []

    def fill(self) -> None:
        rows = ", ".join(f"({k}, {k % 7}, 0, 'first', 0.25)" for k in range(0, KEYS, 2))
        self.sql(f"INSERT INTO u (k, p, a, b, c) VALUES {rows}")
        self.rows = {k: (0, "first", "0.25") for k in range(0, KEYS, 2)}

    def step(self) -> None:
        value = self.next
        self.next += 1
        keys = self.random.sample(range(KEYS), self.random.randint(1, 40))
        if not self.kinds:
            # Dealt like cards: each kind has its turn, also where a slow machine leaves time for few.
            self.kinds = ["upsert", "partial load", "strict partial load", "partial insert", "update", "delete by key", "delete by condition"]
            self.random.shuffle(self.kinds)
        kind = self.kinds.pop()
        if kind == "upsert":
            rows = ", ".join(f"({k}, {k % 7}, {value}, 'b{value}', {value}.25)" for k in keys)
            self.until_done(kind, lambda: self.sql(f"INSERT INTO u (k, p, a, b, c) VALUES {rows}"))
            self.rows.update({k: (value, f"b{value}", f"{value}.25") for k in keys})
        elif kind == "partial load":
            self.until_done(kind, lambda: self.stream_load(
                "u", [(k, k % 7, value) for k in keys], columns="k,p,a", partial_columns="true", strict_mode="false"))
            for k in keys:
                old = self.rows.get(k, (None, None, "7.50"))
                self.rows[k] = (value, *old[1:])
        elif kind == "strict partial load":
            self.until_done(kind, lambda: self.stream_load(
                "u", [(k, k % 7, f"s{value}") for k in keys], columns="k,p,b", partial_columns="true", strict_mode="true", max_filter_ratio="1"))
            for k in keys:
                if k in self.rows:
                    self.rows[k] = (self.rows[k][0], f"s{value}", self.rows[k][2])
        elif kind == "partial insert":
            rows = ", ".join(f"({k}, {k % 7}, {value}.5)" for k in keys)
            self.until_done(kind, lambda: self.sql(
                "SET enable_unique_key_partial_update = true", "SET enable_insert_strict = false", f"INSERT INTO u (k, p, c) VALUES {rows}"))
            for k in keys:
                old = self.rows.get(k, (None, None, None))
                self.rows[k] = (old[0], old[1], f"{value}.5")
        elif kind == "update":
            low, high = sorted(self.random.sample(range(KEYS), 2))
            self.until_done(kind, lambda: self.sql(f"UPDATE u SET b = 'u{value}' WHERE k BETWEEN {low} AND {high}"))
            for k in self.rows:
                if low <= k <= high:
                    self.rows[k] = (self.rows[k][0], f"u{value}", self.rows[k][2])
        elif kind == "delete by key":
            gone = keys[:5]
            self.until_done(kind, lambda: self.sql(f"DELETE FROM u WHERE k IN ({', '.join(map(str, gone))})"))
            for k in gone:
                self.rows.pop(k, None)
        else:
            self.until_done(kind, lambda: self.sql(f"DELETE FROM u WHERE b = 'b{value - 3}' OR k % 50 = {value % 50}"))
            self.rows = {k: row for k, row in self.rows.items() if row[1] != f"b{value - 3}" and k % 50 != value % 50}

    def expected(self) -> set[tuple]:
        return {(k, k % 7, row[0], row[1], float(row[2])) for k, row in self.rows.items()}

    QUERY = "SELECT k, p, CAST(a AS BIGINT), b, CAST(c AS DOUBLE) FROM u"


class Appends(Writer):
    """Writes d. Its ledger: the rows."""

    def __init__(self, cluster: Cluster, database: str, seed: int):
        super().__init__(cluster, database, seed)
        self.rows: list[tuple] = []

    def fill(self) -> None:
        self.rows = [(k, 0, 10_000_000 + k) for k in range(200)]  # Steps do not come to such n.
        self.sql(f"INSERT INTO d (k, p, n) VALUES {', '.join(map(str, self.rows))}")

    def step(self) -> None:
        value = self.next
        self.next += 1
        if self.random.random() < 0.7:
            rows = [(self.random.randrange(1000), value % 5, value * 100 + i) for i in range(self.random.randint(1, 50))]
            label = f"{self.database}_{value}"
            self.until_done("append", lambda: self.stream_load("d", rows, label=label, columns="k,p,n"))
            self.rows += rows
        else:
            conditions = [
                (f"n BETWEEN {value * 50} AND {value * 50 + 600}", lambda row: value * 50 <= row[2] <= value * 50 + 600),
                (f"k = {value % 1000}", lambda row: row[0] == value % 1000),
                (f"p = {value % 5} AND n % 10 IN (1, 7)", lambda row: row[1] == value % 5 and row[2] % 10 in (1, 7)),
            ]
            condition, is_taken = self.random.choice(conditions)
            self.until_done("delete", lambda: self.sql(f"DELETE FROM d WHERE {condition}"))
            self.rows = [row for row in self.rows if not is_taken(row)]

    def expected(self) -> set[tuple]:
        return set(self.rows)  # n tells rows apart.

    QUERY = "SELECT k, p, n FROM d"


def newest_job(cluster, database: str, table: str) -> dict:
    with cluster.connect(database, cursorclass=pymysql.cursors.DictCursor) as connection, connection.cursor() as cursor:
        cursor.execute("SHOW ALTER TABLE COLUMN ORDER BY JobId DESC")
        return next(row for row in cursor.fetchall() if row["TableName"] == table)


def await_finished(cluster, database: str, table: str, seconds: int = 120) -> None:
    deadline = time.monotonic() + seconds
    while True:
        job = newest_job(cluster, database, table)
        if job["State"] == "FINISHED":
            return
        assert job["State"] != "CANCELLED", job
        assert time.monotonic() < deadline, job
        time.sleep(0.1)


def compare(cluster, database: str, writers: list[Writer], when: str) -> None:
    """Pauses the writers between two statements and compares."""
    for writer in writers:
        writer.pausing.set()
    for writer in writers:
        assert writer.paused.wait(120), when
        assert writer.failure is None, (when, writer.failure)
    time.sleep(0.2)
    for writer in writers:
        deadline = time.monotonic() + 60
        while True:
            try:
                found = [tuple(row) for row in cluster.sql(writer.QUERY, database)]
                break
            except FAILURES:
                assert time.monotonic() < deadline, when
                time.sleep(0.2)
        assert len(found) == len(set(found)), (when, "rows came twice")
        missing, more = writer.expected() - set(found), set(found) - writer.expected()
        assert not missing and not more, (when, type(writer).__name__, len(found), sorted(missing, key=str)[:4], sorted(more, key=str)[:4])
    for writer in writers:
        writer.pausing.clear()


@contextlib.contextmanager
def writing(cluster, database: str, seed: int):
    cluster.sql(UNIQUE, database)
    cluster.sql(DUPLICATE, database)
    writers = [Upserts(cluster, database, seed), Appends(cluster, database, seed + 1)]
    # However slow the machine is, there are rows to convert in every tablet when the first change begins, and writes are under way.
    for writer in writers:
        writer.fill()
    for writer in writers:
        writer.start()
    try:
        deadline = time.monotonic() + 120
        while any(sum(writer.done.values()) < 5 for writer in writers):
            assert all(writer.failure is None for writer in writers), [writer.failure for writer in writers]
            assert time.monotonic() < deadline, [writer.done for writer in writers]
            time.sleep(0.05)
        yield writers
    finally:
        for writer in writers:
            writer.stopping.set()
        for writer in writers:
            writer.join(120)


def test_all_writes_go_on(cluster3, database):
    seed = random.randrange(1_000_000)
    print("seed", seed)
    # Long enough for all kinds of writes to fall before, into and behind the conversion.
    for node in cluster3.backends:
        cluster3.http("POST", "/api/debug_point/add/SchemaChange.commit?action=delay&ms=700", node)
    try:
        with writing(cluster3, database, seed) as writers:
            for table, change in CHANGES:
                before = dict(writers[0].done)
                cluster3.sql(f"ALTER TABLE {table} {change}", database)
                await_finished(cluster3, database, table)
                compare(cluster3, database, writers, f"seed {seed}, after {change}")
                assert sum(writers[0].done.values()) > sum(before.values()), "nothing was written during the change"
            print("written", writers[0].done, writers[1].done)
            assert len(writers[0].done) == 7 and len(writers[1].done) == 2, (writers[0].done, writers[1].done)
    finally:
        for node in cluster3.backends:
            cluster3.http("POST", "/api/debug_point/clear", node)
    # Replicas agree: a query takes any of them.
    for query in (Upserts.QUERY, Appends.QUERY):
        rows = {frozenset(cluster3.sql(query, database)) for _ in range(8)}
        assert len(rows) == 1, query


@pytest.mark.parametrize(("point", "table", "change"), [
    ("SchemaChange.write", "u", "MODIFY COLUMN a BIGINT"),
    ("SchemaChange.settled", "u", "ORDER BY (p, k, c, a, b)"),
    ("SchemaChange.commit.done", "d", "MODIFY COLUMN n BIGINT"),
])
def test_a_back_end_is_killed_in_the_middle(tmp_path, point, table, change):
    seed = random.randrange(1_000_000)
    print("seed", seed)
    with Cluster(backends=3, directory=tmp_path) as cluster:
        cluster.sql("CREATE DATABASE d")
        with writing(cluster, "d", seed) as writers:
            victim = cluster.backends[1]
            cluster.http("POST", f"/api/debug_point/add/{point}?action=kill&execute=1", victim)
            cluster.sql(f"ALTER TABLE {table} {change}", "d")
            deadline = time.monotonic() + 60
            while victim.is_running():
                assert time.monotonic() < deadline, "the debug point was not reached"
                time.sleep(0.05)
            time.sleep(1)
            victim.start()
            await_finished(cluster, "d", table, 180)
            compare(cluster, "d", writers, f"seed {seed}, after {change}")
            time.sleep(1)
            compare(cluster, "d", writers, f"seed {seed}, a while after {change}")
