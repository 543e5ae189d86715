# SPDX-License-Identifier: Apache-2.0
"""The front end is killed at named points on the way of a commit. After a restart with no hand: rows that were acknowledged are there, a
load nobody heard of is there wholly or not at all, and the same label loads it exactly once."""
from __future__ import annotations

import http.client
import time

import pymysql
import pytest

from runner.cluster import Cluster

ROWS = 60

# Point -> whether the load it cuts short is durable, and so visible after the restart.
POINTS = {
    "Journal.append?of=CommitTransaction": False,
    "Journal.append.done?of=CommitTransaction": True,
    "Publisher.send": True,
    "Publisher.done": True,
    "TransactionCoordinator.commit.done": True,
    "Journal.append?of=FinishTransaction": True,
    "Journal.append.done?of=FinishTransaction": True,
}


@pytest.fixture(scope="module")
def cluster():
    with Cluster(backends=3) as started:
        started.sql("CREATE DATABASE d")
        for name, model in (("log", "DUPLICATE"), ("upserts", "UNIQUE")):
            started.sql(f"CREATE TABLE {name} (k INT, b INT) {model} KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 3 "
                        'PROPERTIES ("replication_num" = "3")', "d")
        yield started


def arm(cluster: Cluster, point: str) -> None:
    """Sets the point for the next load. Ends of loads are journalled up to 200 ms after they are acknowledged, so those of earlier ones
    are given ten times that to pass."""
    if "FinishTransaction" in point:
        time.sleep(2)
    status, reply = cluster.http("POST", f"/api/debug_point/add/{point}{'&' if '?' in point else '?'}action=kill")
    assert status == 200, reply


def restart_after_death(cluster: Cluster) -> None:
    deadline = time.monotonic() + 60
    while cluster.fe.is_running():
        assert time.monotonic() < deadline, "the front end does not reach the point"
        time.sleep(0.05)
    cluster.fe.kill()
    cluster.fe.start()
    cluster.wait_ready()


def rows_of(cluster: Cluster, table: str, batch: int) -> int:
    """Rows of the batch, read once everything committed is visible."""
    return cluster.sql(f"SELECT count(*) FROM {table} WHERE b = {batch}", "d")[0][0]


def insert(cluster: Cluster, table: str, batch: int) -> None:
    label = f"{table}_{batch}"
    values = ", ".join(f"({batch * 1000 + k}, {batch})" for k in range(ROWS))
    cluster.sql(f"INSERT INTO {table} WITH LABEL {label} VALUES {values}", "d")


@pytest.mark.parametrize("table", ["log", "upserts"])
@pytest.mark.parametrize("point", POINTS)
def test_insert_with_a_kill_at(cluster, table, point):
    batch = list(POINTS).index(point)
    before = cluster.sql(f"SELECT count(*), count(DISTINCT k) FROM {table}", "d")[0]
    # Rows acknowledged before the kill have to survive it too, whatever of them is journalled by then.
    insert(cluster, table, 100 + batch)
    arm(cluster, point)
    acknowledged = False
    try:
        insert(cluster, table, batch)
        acknowledged = True
    except (pymysql.MySQLError, OSError):
        pass
    restart_after_death(cluster)
    durable = POINTS[point]
    assert not acknowledged or durable
    deadline = time.monotonic() + 30
    while rows_of(cluster, table, batch) != (ROWS if durable else 0):
        seen = rows_of(cluster, table, batch)
        assert seen in (0, ROWS), f"{seen} of {ROWS} rows are visible"
        assert time.monotonic() < deadline, f"{seen} rows 30 s after the restart"
        time.sleep(0.2)
    assert rows_of(cluster, table, 100 + batch) == ROWS
    # A client that heard nothing sends the same again under the same label.
    try:
        insert(cluster, table, batch)
        assert not durable, "the label of a durable load was free"
    except pymysql.MySQLError as error:
        assert durable and "abel" in str(error), error
    assert rows_of(cluster, table, batch) == ROWS
    after = cluster.sql(f"SELECT count(*), count(DISTINCT k) FROM {table}", "d")[0]
    assert after == (before[0] + 2 * ROWS, before[1] + 2 * ROWS)


@pytest.mark.parametrize("point", POINTS)
def test_stream_load_with_a_kill_at(cluster, point):
    batch = 200 + list(POINTS).index(point)
    label = f"stream_{batch}"
    body = "".join(f"{batch * 1000 + k}\t{batch}\n" for k in range(ROWS)).encode()
    arm(cluster, point)
    try:
        reply = cluster.stream_load("d", "log", body, backend=cluster.backends[0], label=label)
    except (OSError, ValueError, http.client.HTTPException) as error:
        reply = {"Status": "none", "Message": str(error)}
    restart_after_death(cluster)
    durable = POINTS[point]
    assert reply["Status"] not in ("Success", "Publish Timeout") or durable, reply
    again = cluster.stream_load("d", "log", body, backend=cluster.backends[0], label=label)
    # The back end itself may have asked the restarted front end again, so that the first attempt came through after all.
    assert again["Status"] in (("Label Already Exists",) if durable else ("Success", "Publish Timeout", "Label Already Exists")), again
    deadline = time.monotonic() + 30
    while rows_of(cluster, "log", batch) != ROWS:
        assert time.monotonic() < deadline, rows_of(cluster, "log", batch)
        time.sleep(0.2)
