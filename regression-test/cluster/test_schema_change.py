# SPDX-License-Identifier: Apache-2.0
"""Changes of columns that rewrite data: queries and loads go on, a restarted front end resumes, a cancelled change leaves nothing."""
import threading
import time

import pymysql
import pytest

from runner.cluster import Cluster


def jobs(cluster, database):
    """Rows of SHOW ALTER TABLE COLUMN, the newest first."""
    with cluster.connect(database, cursorclass=pymysql.cursors.DictCursor) as connection, connection.cursor() as cursor:
        cursor.execute("SHOW ALTER TABLE COLUMN ORDER BY JobId DESC")
        return cursor.fetchall()


def await_job(cluster, database, state="FINISHED", seconds=40):
    """Waits until the newest job is in the state."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        newest = jobs(cluster, database)[0]
        if newest["State"] == state:
            return newest
        assert newest["State"] not in ("FINISHED", "CANCELLED"), newest
        time.sleep(0.1)
    raise AssertionError(f"job did not become {state}: {jobs(cluster, database)[0]}")


def make(cluster, database, buckets=3, replicas=3):
    """Table t (k, k2, v, n) with a thousand rows."""
    cluster.sql("CREATE TABLE t (k INT NOT NULL, k2 SMALLINT, v VARCHAR(10), n INT) DUPLICATE KEY(k, k2) "
                f'DISTRIBUTED BY HASH(k) BUCKETS {buckets} PROPERTIES ("replication_num" = "{replicas}")', database)
    cluster.sql("INSERT INTO t SELECT number, number % 7, concat('v', number), number * 2 FROM numbers('number' = '1000')", database)


def total(cluster, database):
    return tuple(int(x) for x in cluster.sql("SELECT count(*), sum(k), sum(k2), sum(n) FROM t", database)[0])


EXPECTED = (1000, 499500, sum(i % 7 for i in range(1000)), 999000)


def test_types_keys_and_order(cluster3, database):
    make(cluster3, database)
    changes = [
        "MODIFY COLUMN n BIGINT",
        "MODIFY COLUMN k2 INT KEY",
        "MODIFY COLUMN v STRING AFTER n",
        "ADD COLUMN x INT KEY DEFAULT '5' AFTER k",
        "ORDER BY (k, x, k2, n, v)",
        "MODIFY COLUMN n VARCHAR(30)",
        "DROP COLUMN x",
    ]
    for change in changes:
        cluster3.sql(f"ALTER TABLE t {change}", database)
        await_job(cluster3, database)
        assert total(cluster3, database) == EXPECTED, change
    described = cluster3.sql("DESC t", database)
    assert [(row[0], row[1]) for row in described] == [("k", "int"), ("k2", "int"), ("n", "varchar(30)"), ("v", "text")]
    cluster3.sql("INSERT INTO t VALUES (1000, 6, 'text', 'last')", database)
    assert cluster3.sql("SELECT n, v FROM t WHERE k = 1000", database) == (("text", "last"),)
    assert len(jobs(cluster3, database)) == len(changes)
    # Replicas agree: every one of them answers alike.
    for _ in range(6):
        assert int(cluster3.sql("SELECT count(*) FROM t", database)[0][0]) == 1001


def test_loads_and_queries_go_on(cluster3, database):
    make(cluster3, database)
    stop = threading.Event()
    written = []
    failures = []

    def write():
        key = 10_000
        with cluster3.connect(database) as connection, connection.cursor() as cursor:
            while not stop.is_set():
                try:
                    cursor.execute(f"INSERT INTO t (k, k2, v, n) VALUES ({key}, 1, 'w', {key})")
                    written.append(key)
                except pymysql.MySQLError as error:
                    # A load that was planned before the change may be asked to come again; it must not half-succeed.
                    if "being changed" not in str(error):
                        failures.append(error)
                key += 1

    def read():
        with cluster3.connect(database) as connection, connection.cursor() as cursor:
            while not stop.is_set():
                try:
                    cursor.execute("SELECT count(*) FROM t WHERE k < 1000")
                    if int(cursor.fetchone()[0]) != 1000:
                        failures.append("rows were missing")
                except pymysql.MySQLError as error:
                    failures.append(error)

    threads = [threading.Thread(target=write), threading.Thread(target=read)]
    for thread in threads:
        thread.start()
    try:
        for change in ("MODIFY COLUMN n BIGINT", "ADD COLUMN x INT KEY DEFAULT '5' AFTER k2", "DROP COLUMN x"):
            cluster3.sql(f"ALTER TABLE t {change}", database)
            await_job(cluster3, database)
    finally:
        stop.set()
        for thread in threads:
            thread.join(60)
    assert not failures, failures[:3]
    assert written
    stored = {int(row[0]) for row in cluster3.sql("SELECT k FROM t WHERE k >= 10000", database)}
    assert stored == set(written)
    assert int(cluster3.sql("SELECT count(*) FROM t WHERE k >= 10000", database)[0][0]) == len(written)


def test_waits_for_older_loads_and_can_be_cancelled(cluster3, database):
    make(cluster3, database)
    reply = cluster3.stream_load(database, "t", b"5000\t1\tx\t1\n", two_phase_commit="true")
    assert reply["Status"] == "Success", reply
    cluster3.sql("ALTER TABLE t MODIFY COLUMN n BIGINT", database)
    await_job(cluster3, database, "WAITING_TXN")
    with pytest.raises(pymysql.MySQLError, match="is not NORMAL"):
        cluster3.sql("ALTER TABLE t ADD COLUMN y INT", database)
    with pytest.raises(pymysql.MySQLError, match="is not NORMAL"):
        cluster3.sql("TRUNCATE TABLE t", database)
    cluster3.sql("INSERT INTO t VALUES (6000, 1, 'y', 1)", database)
    cluster3.sql("CANCEL ALTER TABLE COLUMN FROM t", database)
    assert jobs(cluster3, database)[0]["State"] == "CANCELLED"
    assert cluster3.sql("DESC t", database)[3][1] == "int"
    assert int(cluster3.sql("SELECT count(*) FROM t", database)[0][0]) == 1001
    # Nothing of it is in the way of the next one.
    cluster3.sql("ALTER TABLE t ADD COLUMN y INT DEFAULT '3'", database)
    assert int(cluster3.sql("SELECT sum(y) FROM t", database)[0][0]) == 3003


def test_unique_tables_keep_their_newest_rows(cluster3, database):
    cluster3.sql("CREATE TABLE u (k INT, q INT, v INT) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 2 "
                 'PROPERTIES ("replication_num" = "3", "function_column.sequence_col" = "q")', database)
    cluster3.sql("INSERT INTO u VALUES (1, 5, 1), (2, 5, 2), (3, 5, 3)", database)
    cluster3.sql("INSERT INTO u VALUES (1, 4, 10), (2, 6, 20)", database)
    cluster3.sql("DELETE FROM u WHERE k = 3", database)
    cluster3.sql("ALTER TABLE u MODIFY COLUMN v BIGINT", database)
    await_job(cluster3, database)
    assert cluster3.sql("SELECT * FROM u ORDER BY k", database) == ((1, 5, 1), (2, 6, 20))
    cluster3.sql("INSERT INTO u VALUES (1, 3, 9), (2, 7, 21)", database)
    assert cluster3.sql("SELECT * FROM u ORDER BY k", database) == ((1, 5, 1), (2, 7, 21))


def test_a_restarted_front_end_goes_on(tmp_path):
    with Cluster(backends=1, directory=tmp_path) as cluster:
        cluster.sql("CREATE DATABASE d")
        make(cluster, "d", replicas=1)
        reply = cluster.stream_load("d", "t", b"5000\t1\tx\t1\n", two_phase_commit="true")
        assert reply["Status"] == "Success", reply
        cluster.sql("ALTER TABLE t MODIFY COLUMN n BIGINT", "d")
        await_job(cluster, "d", "WAITING_TXN")
        cluster.fe.kill()
        cluster.fe.start()
        cluster.wait_ready()
        assert jobs(cluster, "d")[0]["State"] == "WAITING_TXN"
        cluster.sql("CANCEL ALTER TABLE COLUMN FROM t", "d")
        cluster.sql("ALTER TABLE t ADD COLUMN y INT DEFAULT '3'", "d")
        cluster.fe.kill()
        cluster.fe.start()
        cluster.wait_ready()
        assert int(cluster.sql("SELECT sum(y) FROM t", "d")[0][0]) == 3000
        cluster.sql("DROP TABLE t", "d")
        cluster.fe.kill()
        cluster.fe.start()
        cluster.wait_ready()
        cluster.sql("RECOVER TABLE t", "d")
        assert total(cluster, "d") == EXPECTED


def test_text_becomes_numbers_or_the_job_names_the_value(cluster3, database):
    cluster3.sql("CREATE TABLE t (k INT NOT NULL, i VARCHAR(20), d VARCHAR(20), f VARCHAR(20), day VARCHAR(20)) DUPLICATE KEY(k) "
                 'DISTRIBUTED BY HASH(k) BUCKETS 2 PROPERTIES ("replication_num" = "3")', database)
    cluster3.sql("INSERT INTO t VALUES (1, '12', '1.50', '0.5', '2024-02-29'), (2, ' -007 ', '+3', '1e3', '20240301'), "
                 "(3, NULL, NULL, NULL, NULL), (4, '5.0', '-0.25', 'x', '2024-01-01 10:00:00')", database)
    # 4 holds what is no number, or more than a date.
    for column, kind, value in (("f", "DOUBLE", "x"), ("day", "DATE", "2024-01-01 10:00:00")):
        cluster3.sql(f"ALTER TABLE t MODIFY COLUMN {column} {kind}", database)
        job = await_job(cluster3, database, "CANCELLED")
        assert f"The value '{value}' cannot be converted to column {column}" in job["Msg"], job
    cluster3.sql("ALTER TABLE t MODIFY COLUMN d DECIMAL(8, 1)", database)
    assert "cannot be converted to column d" in await_job(cluster3, database, "CANCELLED")["Msg"]
    for change in ("i BIGINT", "d DECIMAL(8, 2)"):
        cluster3.sql(f"ALTER TABLE t MODIFY COLUMN {change}", database)
        await_job(cluster3, database)
    found = cluster3.sql("SELECT k, i, d, f FROM t ORDER BY k", database)
    assert [tuple(map(str, row)) for row in found] == [
        ("1", "12", "1.50", "0.5"), ("2", "-7", "3.00", "1e3"), ("3", "None", "None", "None"), ("4", "5", "-0.25", "x")]
    assert cluster3.sql("SELECT sum(i), sum(d) FROM t", database)[0][0] == 10


def test_what_has_to_wait_says_for_what(cluster3, database):
    make(cluster3, database)
    cluster3.sql("CREATE TABLE u (k INT NOT NULL, a INT, b INT) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1 "
                 'PROPERTIES ("replication_num" = "3")', database)
    cluster3.sql("INSERT INTO u VALUES (1, 1, 1)", database)
    for node in cluster3.backends:
        cluster3.http("POST", "/api/debug_point/add/SchemaChange.convert?action=delay&ms=15000&execute=4", node)
    try:
        cluster3.sql("ALTER TABLE t DROP COLUMN k2", database)
        cluster3.sql("ALTER TABLE u MODIFY COLUMN a BIGINT", database)
        deadline = time.monotonic() + 30
        while {job["State"] for job in jobs(cluster3, database)} != {"RUNNING"}:
            assert time.monotonic() < deadline, jobs(cluster3, database)
            time.sleep(0.1)
        # What changes rows goes on.
        cluster3.sql("UPDATE u SET b = b + 1", database)
        cluster3.sql("DELETE FROM t WHERE n = 4", database)
        with pytest.raises(pymysql.MySQLError) as refused:
            cluster3.sql("DELETE FROM t WHERE k2 = 1", database)
        assert "column k2 has to wait" in str(refused.value) and "CANCEL ALTER TABLE COLUMN FROM t" in str(refused.value), refused.value
        for statement in ("ALTER TABLE t ADD PARTITION p VALUES LESS THAN (1)", "ALTER TABLE t DROP PARTITION p", "TRUNCATE TABLE t",
                          "ALTER TABLE t ADD TEMPORARY PARTITION p VALUES LESS THAN (1)", "ALTER TABLE t ADD COLUMN x INT",
                          "ALTER TABLE t DROP COLUMN n"):
            with pytest.raises(pymysql.MySQLError) as refused:
                cluster3.sql(statement, database)
            assert "Table[t]'s state(SCHEMA_CHANGE) is not NORMAL. Do not allow doing ALTER ops" in str(refused.value), (statement, refused.value)
            assert "is RUNNING" in str(refused.value) and "CANCEL ALTER TABLE COLUMN FROM t" in str(refused.value), (statement, refused.value)
        cluster3.sql("CANCEL ALTER TABLE COLUMN FROM t", database)
        cluster3.sql("DELETE FROM t WHERE k2 = 1", database)
    finally:
        for node in cluster3.backends:
            cluster3.http("POST", "/api/debug_point/clear", node)
    assert int(cluster3.sql("SELECT count(*) FROM t WHERE k2 = 1 OR k = 2", database)[0][0]) == 0
    deadline = time.monotonic() + 60
    while any(job["State"] not in ("FINISHED", "CANCELLED") for job in jobs(cluster3, database)):
        assert time.monotonic() < deadline, jobs(cluster3, database)
        time.sleep(0.1)
    assert [tuple(map(int, row)) for row in cluster3.sql("SELECT * FROM u", database)] == [(1, 1, 2)]
