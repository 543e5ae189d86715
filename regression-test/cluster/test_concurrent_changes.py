# SPDX-License-Identifier: Apache-2.0
"""Many clients change the same keys of UNIQUE tables while compaction runs: one row per key, the last by sequence, on every replica."""
import contextlib
import http.client
import random
import threading
import time
import uuid

import pymysql
import pytest

CLIENTS = 16
KEYS = 200
SECONDS = 7


class Client(threading.Thread):
    """Upserts, updates and deletes random keys over one connection; keeps what was acknowledged."""

    def __init__(self, cluster, database: str, number: int, until: float):
        super().__init__(daemon=True)
        self.cluster, self.database, self.number, self.until = cluster, database, number, until
        self.random = random.Random(number)
        self.newest: dict[int, int] = {}  # Per key the largest sequence this client wrote.
        self.increments = 0
        self.failures: list[str] = []

    def run(self) -> None:
        step = 0
        with self.cluster.connect(self.database) as connection:
            while time.monotonic() < self.until:
                step += 1
                try:
                    self.change(connection, step)
                except (pymysql.MySQLError, OSError) as failure:
                    self.failures.append(str(failure))

    def change(self, connection, step: int) -> None:
        with connection.cursor() as cursor:
            kind = self.random.random()
            if kind < 0.6:
                keys = self.random.sample(range(KEYS), 5)
                sequence = step * CLIENTS + self.number
                rows = ", ".join(f"({key}, {sequence}, {self.number}, 'v{sequence}')" for key in keys)
                cursor.execute(f"INSERT INTO s VALUES {rows}")
                for key in keys:
                    self.newest[key] = max(self.newest.get(key, 0), sequence)
            elif kind < 0.8:
                cursor.execute("UPDATE counters SET n = n + 1 WHERE k = 1")
                self.increments += 1
            elif kind < 0.9:
                cursor.execute(f"DELETE FROM plain WHERE k = {self.random.randrange(KEYS)}")
            else:
                rows = ", ".join(f"({key}, {self.number})" for key in self.random.sample(range(KEYS), 5))
                cursor.execute(f"INSERT INTO plain VALUES {rows}")


def compact(cluster, database: str, stop: threading.Event) -> None:
    """Asks every back end for compactions of every tablet, over and over; what is refused as not due is fine."""
    while not stop.is_set():
        for table in ("s", "plain", "counters"):
            tablets = {int(row[0]) for row in cluster.sql(f"SHOW TABLETS FROM {database}.{table}")}
            for tablet in tablets:
                for node in cluster.backends:
                    kind = random.choice(["cumulative", "base", "full"])
                    with contextlib.suppress(OSError, http.client.HTTPException):
                        cluster.http("POST", f"/api/compaction/run?tablet_id={tablet}&compact_type={kind}", node)
                if stop.is_set():
                    return


@pytest.mark.parametrize("merge_on_write", ["true", "false"])
def test_same_keys_from_many_clients(cluster3, merge_on_write):
    database = "upserts_" + uuid.uuid4().hex[:10]
    cluster = cluster3
    cluster.sql(f"CREATE DATABASE {database}")
    properties = f'"replication_num" = "3", "enable_unique_key_merge_on_write" = "{merge_on_write}"'
    cluster.sql("CREATE TABLE s (k INT NOT NULL, seq BIGINT, client INT, v VARCHAR(20)) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 2 "
                f'PROPERTIES ({properties}, "function_column.sequence_col" = "seq")', database)
    cluster.sql(f"CREATE TABLE plain (k INT NOT NULL, client INT) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 2 PROPERTIES ({properties})", database)
    cluster.sql(f"CREATE TABLE counters (k INT NOT NULL, n BIGINT) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1 PROPERTIES ({properties})", database)
    cluster.sql("INSERT INTO counters VALUES (1, 0)", database)
    until = time.monotonic() + SECONDS
    clients = [Client(cluster, database, number, until) for number in range(CLIENTS)]
    stop = threading.Event()
    compactor = threading.Thread(target=compact, args=(cluster, database, stop), daemon=True)
    compactor.start()
    for client in clients:
        client.start()
    for client in clients:
        client.join(SECONDS + 60)
        assert not client.is_alive(), "a client hangs"
    stop.set()
    compactor.join(30)
    failures = [failure for client in clients for failure in client.failures]
    assert not failures, failures[:3]
    newest: dict[int, int] = {}
    for client in clients:
        for key, sequence in client.newest.items():
            newest[key] = max(newest.get(key, 0), sequence)
    expected = sorted((key, sequence, sequence % CLIENTS, f"v{sequence}") for key, sequence in newest.items())
    increments = sum(client.increments for client in clients)
    assert expected and increments, "nothing was written"
    seen = []
    for replica in range(3):
        hint = f"/*+ SET_VAR(use_fix_replica={replica}) */"
        rows = [tuple(row) for row in cluster.sql(f"SELECT {hint} k, seq, client, v FROM s ORDER BY k", database)]
        assert [(int(k), int(seq), int(client), v) for k, seq, client, v in rows] == expected, f"replica {replica}"
        counts = [tuple(map(int, row)) for row in cluster.sql(f"SELECT {hint} count(*), count(DISTINCT k) FROM plain", database)]
        assert counts[0][0] == counts[0][1] <= KEYS, f"replica {replica}: {counts}"
        assert int(cluster.sql(f"SELECT {hint} n FROM counters", database)[0][0]) == increments, f"replica {replica} lost an update"
        seen.append(cluster.sql(f"SELECT {hint} k, client FROM plain ORDER BY k", database))
    assert seen[0] == seen[1] == seen[2], "replicas differ"
    cluster.sql(f"DROP DATABASE {database} FORCE")
