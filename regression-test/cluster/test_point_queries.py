# SPDX-License-Identifier: Apache-2.0
"""Prepared key look-ups while back ends die and rows change: right answers or one clear error, and nobody hangs."""
import random
import threading
import time

import pymysql
import pytest

from runner.cluster import Cluster
from runner.prepared import Prepared

ROWS = 2000
TABLE = """CREATE TABLE kv (k BIGINT NOT NULL, v BIGINT NOT NULL, s VARCHAR(40)) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 4
PROPERTIES ("replication_num" = "{replicas}", "enable_unique_key_merge_on_write" = "true", "store_row_column" = "true")"""


def counter(cluster: Cluster, name: str) -> int:
    """The sum of a front-end metric over its labels."""
    text = cluster.http("GET", "/metrics")[1].decode()
    return sum(int(float(line.rsplit(" ", 1)[1])) for line in text.splitlines() if line.startswith("doris_fe_" + name) and line[len("doris_fe_" + name)] in " {")


def fill(cluster: Cluster, replicas: int) -> None:
    cluster.sql("CREATE DATABASE d")
    cluster.sql(TABLE.format(replicas=replicas), "d")
    values = ", ".join(f"({k}, {k}, 'row {k}')" for k in range(ROWS))
    cluster.sql(f"INSERT INTO kv VALUES {values}", "d")


class LookUps(threading.Thread):
    """Looks up random keys; keeps what was wrong, how many were refused, and the longest wait."""

    def __init__(self, cluster: Cluster, seed: int):
        super().__init__(daemon=True)
        self.cluster = cluster
        self.random = random.Random(seed)
        self.stopping = threading.Event()
        self.wrong: list[str] = []
        self.errors: list[str] = []
        self.answers = 0
        self.longest = 0.0

    def run(self) -> None:
        try:
            with self.cluster.connect("d", read_timeout=60) as connection:
                statement = Prepared(connection, "SELECT k, v, s FROM kv WHERE k = ?")
                while not self.stopping.is_set():
                    key = self.random.randrange(-10, ROWS)
                    begin = time.monotonic()
                    try:
                        rows = statement.execute(key)
                        expected = [(key, key, f"row {key}")] if key >= 0 else []
                        if rows != expected:
                            self.wrong.append(f"{key}: {rows}")
                        self.answers += 1
                    except pymysql.MySQLError as error:
                        self.errors.append(str(error))
                    self.longest = max(self.longest, time.monotonic() - begin)
        except Exception as failure:  # noqa: BLE001 - whatever ends the thread is told by the test
            self.wrong.append(f"connection lost: {failure!r}")


def test_a_back_end_killed_under_look_ups():
    with Cluster(backends=3) as cluster:
        fill(cluster, 3)
        clients = [LookUps(cluster, seed) for seed in range(8)]
        for client in clients:
            client.start()
        time.sleep(2)
        for round_number in range(2):
            node = cluster.backends[round_number]
            node.kill()
            time.sleep(3)
            before = [client.answers for client in clients]
            time.sleep(2)
            assert all(client.answers > count for client, count in zip(clients, before)), "a connection hangs"
            node.start()
            cluster.wait_ready()
        for client in clients:
            client.stopping.set()
        for client in clients:
            client.join(60)
            assert not client.is_alive(), "a look-up hangs"
        assert not [wrong for client in clients for wrong in client.wrong][:5]
        errors = [error for client in clients for error in client.errors]
        assert len(errors) <= sum(client.answers for client in clients) / 20, errors[:5]
        assert max(client.longest for client in clients) < 30
        assert counter(cluster, "point_query_total") > 0, "the look-ups did not take their own road"


def test_an_acknowledged_row_is_never_missed(cluster1):
    cluster1.sql("DROP DATABASE IF EXISTS d FORCE")
    fill(cluster1, 1)
    stop = threading.Event()
    acknowledged = [0] * 20
    problems: list[str] = []

    def write(key: int) -> None:
        try:
            with cluster1.connect("d") as connection, connection.cursor() as cursor:
                version = 0
                while not stop.is_set():
                    version += 1
                    cursor.execute(f"INSERT INTO kv VALUES ({key}, {version}, 'row {key}')")
                    acknowledged[key] = version
        except pymysql.MySQLError as error:
            problems.append(f"write of {key}: {error}")

    def read(seed: int) -> None:
        numbers = random.Random(seed)
        try:
            with cluster1.connect("d") as connection:
                statement = Prepared(connection, "SELECT v FROM kv WHERE k = ?")
                while not stop.is_set():
                    key = numbers.randrange(len(acknowledged))
                    least = acknowledged[key]
                    rows = statement.execute(key)
                    if len(rows) != 1 or least and rows[0][0] < least:
                        problems.append(f"key {key}: {rows} after {least} was acknowledged")
        except pymysql.MySQLError as error:
            problems.append(f"read: {error}")

    for key in range(len(acknowledged)):
        cluster1.sql(f"INSERT INTO kv VALUES ({key}, 0, 'row {key}')", "d")
    threads = [threading.Thread(target=write, args=(key,), daemon=True) for key in range(4)]
    threads += [threading.Thread(target=read, args=(seed,), daemon=True) for seed in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(10)
    stop.set()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert not problems[:5]
    assert min(acknowledged[:4]) > 3
    assert counter(cluster1, "point_query_total") > 0, "the look-ups did not take their own road"


def test_prepared_errors_leave_the_connection_usable(cluster1):
    cluster1.sql("DROP DATABASE IF EXISTS d FORCE")
    fill(cluster1, 1)
    with cluster1.connect("d") as connection:
        statement = Prepared(connection, "SELECT v FROM kv WHERE k = ?")
        for _ in range(3):
            assert statement.execute(7) == [(7,)]
        assert statement.execute(None) == []
        assert statement.execute("8") == [(8,)]
        statement.close()
        with pytest.raises(pymysql.MySQLError) as unknown:
            statement.execute(7)
        assert unknown.value.args[0] == 1243
        again = Prepared(connection, "SELECT v FROM kv WHERE k = ?")
        assert again.execute(7) == [(7,)]
        assert again.execute(7) == [(7,)]
        cluster1.sql("DROP TABLE kv FORCE", "d")
        with pytest.raises(pymysql.MySQLError):
            again.execute(7)
        cluster1.sql(TABLE.format(replicas=1), "d")
        assert again.execute(7) == []


def test_what_one_connection_learned_serves_the_next_at_once(cluster1):
    cluster1.sql("DROP DATABASE IF EXISTS d FORCE")
    fill(cluster1, 1)
    with cluster1.connect("d") as teacher:
        first = Prepared(teacher, "SELECT s, v FROM kv WHERE k = ?")
        assert first.execute(7) == first.execute(7) == [("row 7", 7)]
    before = counter(cluster1, "point_query_total")
    with cluster1.connect("d") as other:
        assert Prepared(other, "SELECT s, v FROM kv WHERE k = ?").execute(8) == [("row 8", 8)]
    assert counter(cluster1, "point_query_total") == before + 1
