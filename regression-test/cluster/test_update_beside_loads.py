# SPDX-License-Identifier: Apache-2.0
"""An UPDATE that has read its rows and not yet committed while a load changes the same rows: what the load gave the columns that the
UPDATE does not set stays, and a row that was deleted stays deleted."""
import threading
import time

import pytest

DELAY_MS = 3000
COLUMNS = "k INT NOT NULL, a INT, b VARCHAR(20) NOT NULL, c INT DEFAULT '5'"


@pytest.fixture
def database(cluster1):
    with cluster1.fresh_database() as name:
        yield name
        cluster1.http("POST", "/api/debug_point/clear", cluster1.backends[0])


def create(cluster, database, **properties):
    text = ", ".join(f'"{name.replace("__", ".")}" = "{value}"' for name, value in {"replication_num": "1", **properties}.items())
    cluster.sql(f"CREATE TABLE t ({COLUMNS}) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1 PROPERTIES ({text})", database)
    cluster.sql("INSERT INTO t VALUES (1, 10, 'x', 100), (2, 20, 'y', 200), (3, 30, 'z', 300)", database)


def beside(cluster, database, update, other):
    """Runs `other` after the UPDATE has read and before it commits."""
    status, reply = cluster.http("POST", f"/api/debug_point/add/TabletWriter.flush?action=delay&ms={DELAY_MS}&execute=1", cluster.backends[0])
    assert status == 200, reply
    failures = []

    def run():
        try:
            cluster.sql(update, database)
        except Exception as failure:  # Whatever it is, the test has to see it.
            failures.append(failure)

    thread = threading.Thread(target=run)
    begin = time.monotonic()
    thread.start()
    time.sleep(DELAY_MS / 3000)
    other()
    overlapped = time.monotonic() - begin < DELAY_MS / 1000
    thread.join(60)
    assert not thread.is_alive() and not failures, failures
    assert overlapped, "the load came after the UPDATE: the machine is too slow for this delay"


def rows(cluster, database):
    return [tuple(row) for row in cluster.sql("SELECT * FROM t ORDER BY k", database)]


def test_columns_that_are_not_set_keep_what_a_load_gave_them(cluster1, database):
    create(cluster1, database)
    body = b"1\tloaded\n4\tnew\n"

    def load():
        reply = cluster1.stream_load(database, "t", body, columns="k, b", partial_columns="true")
        assert reply["Status"] == "Success", reply

    beside(cluster1, database, "UPDATE t SET a = a + 1 WHERE k <= 2", load)
    assert rows(cluster1, database) == [(1, 11, "loaded", 100), (2, 21, "y", 200), (3, 30, "z", 300), (4, None, "new", 5)]


def test_whole_rows_of_a_load_too(cluster1, database):
    create(cluster1, database, store_row_column="true")
    beside(cluster1, database, "UPDATE t SET a = a + 1, c = DEFAULT",
           lambda: cluster1.sql("INSERT INTO t VALUES (1, 0, 'w', 0), (3, 0, 'v', 0)", database))
    assert rows(cluster1, database) == [(1, 11, "w", 5), (2, 21, "y", 5), (3, 31, "v", 5)]


def test_a_row_that_is_deleted_meanwhile_stays_deleted(cluster1, database):
    create(cluster1, database)

    def delete():
        reply = cluster1.stream_load(database, "t", b"1\n", columns="k, b = ''", merge_type="DELETE")
        assert reply["Status"] == "Success", reply

    beside(cluster1, database, "UPDATE t SET a = -1 WHERE k <= 2", delete)
    assert rows(cluster1, database) == [(2, -1, "y", 200), (3, 30, "z", 300)]


def test_the_larger_sequence_wins(cluster1, database):
    create(cluster1, database, function_column__sequence_col="c")
    # The sequence stays when its column is not set: the update goes on top of the newer row.
    beside(cluster1, database, "UPDATE t SET a = 0 WHERE k = 1", lambda: cluster1.sql("INSERT INTO t VALUES (1, 1, 'new', 150)", database))
    assert rows(cluster1, database)[0] == (1, 0, "new", 150)
    # Setting it takes part in the order like any write.
    beside(cluster1, database, "UPDATE t SET a = 7, c = 160 WHERE k = 1", lambda: cluster1.sql("INSERT INTO t VALUES (1, 2, 'newer', 170)", database))
    assert rows(cluster1, database)[0] == (1, 2, "newer", 170)


def test_two_updates_of_different_columns_both_count(cluster1, database):
    create(cluster1, database)
    statements = ["UPDATE t SET a = a + 1", "UPDATE t SET c = c + 1"]

    def run(statement):
        for _ in range(10):
            cluster1.sql(statement, database)

    threads = [threading.Thread(target=run, args=(statement,)) for statement in statements]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert rows(cluster1, database) == [(1, 20, "x", 110), (2, 30, "y", 210), (3, 40, "z", 310)]
