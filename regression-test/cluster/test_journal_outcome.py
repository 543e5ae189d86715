# SPDX-License-Identifier: Apache-2.0
"""A statement that makes tablets does not learn whether its journal record was applied, or learns that it was not. What the catalog says
afterwards is whole: its tablets are there to be written and read, and tablets of nothing are swept away."""
from __future__ import annotations

import time

import pymysql
import pytest

from runner.cluster import Cluster

APPLIED = "Journal.append.done"
NOT_LOGGED = "Journal.append"


@pytest.fixture(scope="module")
def cluster():
    with Cluster(backends=1, be_settings={"report_tablet_interval_seconds": "1"}) as started:
        started.sql("CREATE DATABASE d")
        started.sql("CREATE TABLE p (k INT, v INT) DUPLICATE KEY(k) PARTITION BY RANGE(k) (PARTITION p1 VALUES LESS THAN (10)) "
                    'DISTRIBUTED BY HASH(k) BUCKETS 2 PROPERTIES ("replication_num" = "1")', "d")
        started.sql("INSERT INTO p VALUES (1, 1)", "d")
        yield started


def fails(cluster: Cluster, point: str, record: str, statement: str) -> None:
    """Runs a statement whose record of this kind meets the fault; it must say so."""
    status, reply = cluster.http("POST", f"/api/debug_point/add/{point}?of={record}&action=fail&execute=1")
    assert status == 200, reply
    with pytest.raises(pymysql.MySQLError, match=f"debug point {point}"):
        cluster.sql(statement, "d")


def tablets(cluster: Cluster) -> int:
    """Tablets of the back end as its last full report has them."""
    with cluster.connect() as connection, connection.cursor(pymysql.cursors.DictCursor) as cursor:
        cursor.execute("SHOW BACKENDS")
        return int(cursor.fetchall()[0]["TabletNum"])


def settle(cluster: Cluster, expected: int) -> None:
    deadline = time.monotonic() + 60
    while tablets(cluster) != expected:
        assert time.monotonic() < deadline, f"{tablets(cluster)} tablets, not {expected}"
        time.sleep(0.2)


def test_a_table_that_was_made_all_the_same_is_whole(cluster):
    settle(cluster, 2)
    fails(cluster, APPLIED, "CreateTable",
          "CREATE TABLE made (k INT, v INT) DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 3 PROPERTIES (\"replication_num\" = \"1\")")
    time.sleep(3)  # Drops go out at once, reports each second.
    cluster.sql("INSERT INTO made SELECT number, number FROM numbers(\"number\" = \"30\")", "d")
    assert cluster.sql("SELECT count(*), sum(v) FROM made", "d") == ((30, 435),)
    settle(cluster, 5)
    cluster.sql("DROP TABLE made FORCE", "d")


def test_a_partition_that_was_added_all_the_same_is_whole(cluster):
    fails(cluster, APPLIED, "ReplacePartitions", "ALTER TABLE p ADD PARTITION p2 VALUES LESS THAN (20)")
    time.sleep(3)
    cluster.sql("INSERT INTO p VALUES (11, 2)", "d")
    assert cluster.sql("SELECT k, v FROM p ORDER BY k", "d") == ((1, 1), (11, 2))


def test_a_table_that_was_emptied_all_the_same_is_whole(cluster):
    fails(cluster, APPLIED, "ReplacePartitions", "TRUNCATE TABLE p")
    time.sleep(3)
    assert cluster.sql("SELECT count(*) FROM p", "d") == ((0,),)
    cluster.sql("INSERT INTO p VALUES (3, 3)", "d")
    assert cluster.sql("SELECT k, v FROM p", "d") == ((3, 3),)


def test_tablets_of_a_table_that_was_not_made_are_dropped(cluster):
    before = tablets(cluster)
    fails(cluster, NOT_LOGGED, "CreateTable",
          "CREATE TABLE never (k INT) DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 3 PROPERTIES (\"replication_num\" = \"1\")")
    with pytest.raises(pymysql.MySQLError, match="never"):
        cluster.sql("SELECT * FROM never", "d")
    time.sleep(2)
    settle(cluster, before)
    assert cluster.sql("SELECT k, v FROM p", "d") == ((3, 3),)
