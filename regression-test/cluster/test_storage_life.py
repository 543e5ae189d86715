# SPDX-License-Identifier: Apache-2.0
"""Compaction by policy and on demand, limits of versions, and full disks, seen from outside."""
import contextlib
import json
import pathlib
import subprocess
import tempfile
import threading
import time
import urllib.parse

import pymysql
import pytest

from runner.cluster import Cluster

WRITERS = 10
ROWS_PER_WRITER = 60


@pytest.fixture(scope="module")
def cluster():
    settings = {"enable_debug_points": "true", "tablet_rowset_stale_sweep_time_sec": "2"}
    with Cluster(backends=1, be_settings=settings) as started:
        yield started


@pytest.fixture
def database(cluster):
    with cluster.fresh_database() as name:
        yield name


def create(cluster, database, model="DUPLICATE KEY(k)", values="v INT", properties=""):
    cluster.sql(f"CREATE TABLE t (k INT NOT NULL, {values}) {model} DISTRIBUTED BY HASH(k) BUCKETS 1 "
                f'PROPERTIES ("replication_num" = "1"{properties})', database)
    return int(cluster.sql("SHOW TABLETS FROM t", database)[0][0])


def show(cluster, tablet):
    status, body = cluster.http("GET", f"/api/compaction/show?tablet_id={tablet}", cluster.backends[0])
    assert status == 200, body
    return json.loads(body)


def run(cluster, tablet, kind):
    status, body = cluster.http("POST", f"/api/compaction/run?tablet_id={tablet}&compact_type={kind}", cluster.backends[0])
    assert status == 200, body
    reply = json.loads(body)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        _, body = cluster.http("GET", f"/api/compaction/run_status?tablet_id={tablet}", cluster.backends[0])
        if not json.loads(body)["run_status"]:
            return reply
        time.sleep(0.05)
    raise AssertionError("the compaction does not end")


def debug_point(cluster, verb, name, **parameters):
    path = f"/api/debug_point/{verb}/{name}"
    if parameters:
        path += "?" + urllib.parse.urlencode(parameters)
    status, body = cluster.http("POST", path, cluster.backends[0])
    assert status == 200, body


def set_config(cluster, name, value):
    status, body = cluster.http("POST", f"/api/update_config?{name}={value}", cluster.backends[0])
    assert status == 200 and b"OK" in body, body


def test_kinds_of_compaction_on_demand(cluster, database):
    tablet = create(cluster, database)
    set_config(cluster, "disable_auto_compaction", "true")
    try:
        for i in range(6):
            cluster.sql(f"INSERT INTO t VALUES ({i}, {i}), ({i + 100}, {i})", database)
        assert len(show(cluster, tablet)["rowsets"]) == 7
        assert run(cluster, tablet, "cumulative")["status"] == "Success"
        assert [line.split(" ")[0] for line in show(cluster, tablet)["rowsets"]] == ["[0-1]", "[2-7]"]
        assert run(cluster, tablet, "cumulative")["status"] == "E-2000"
        cluster.sql("DELETE FROM t WHERE k < 3", database)
        cluster.sql("INSERT INTO t VALUES (1, 1)", database)
        expected = cluster.sql("SELECT k, v FROM t ORDER BY k", database)
        assert [row[0] for row in expected] == [1, 3, 4, 5, 100, 101, 102, 103, 104, 105]
        assert any(" DELETE " in line for line in show(cluster, tablet)["rowsets"])
        assert run(cluster, tablet, "full")["status"] == "Success"
        after = show(cluster, tablet)
        assert len(after["rowsets"]) == 1 and after["missing_rowsets"] == [] and after["stale_rowsets"]
        assert cluster.sql("SELECT k, v FROM t ORDER BY k", database) == expected
    finally:
        set_config(cluster, "disable_auto_compaction", "false")


def test_requests_that_make_no_sense(cluster, database):
    tablet = create(cluster, database)
    for path in (f"/api/compaction/run?tablet_id={tablet}&compact_type=sideways", "/api/compaction/run?compact_type=full",
                 "/api/compaction/run?tablet_id=x&compact_type=full"):
        status, _ = cluster.http("POST", path, cluster.backends[0])
        assert status == 400, path
    assert cluster.http("GET", "/api/compaction/show?tablet_id=1", cluster.backends[0])[0] == 404
    status, body = cluster.http("GET", "/api/compaction/run_status", cluster.backends[0])
    assert status == 200 and set(json.loads(body)) == {"CumulativeCompaction", "BaseCompaction", "FullCompaction"}


@pytest.mark.parametrize("model", ["DUPLICATE KEY(k)", "UNIQUE KEY(k)", "AGGREGATE KEY(k)"])
def test_many_tiny_loads_leave_few_versions(cluster, database, model):
    tablet = create(cluster, database, model, "v BIGINT SUM" if model.startswith("AGG") else "v BIGINT")
    failures = []

    def write(number):
        try:
            with pymysql.connect(host="127.0.0.1", port=cluster.query_port, user="root", database=database, autocommit=True) as connection:
                with connection.cursor() as cursor:
                    for i in range(ROWS_PER_WRITER):
                        cursor.execute(f"INSERT INTO t VALUES ({i}, {number})")
        except pymysql.MySQLError as e:
            failures.append(e)

    writers = [threading.Thread(target=write, args=(n,)) for n in range(WRITERS)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert failures == []
    deadline = time.monotonic() + 30
    while len(show(cluster, tablet)["rowsets"]) > 100 and time.monotonic() < deadline:
        time.sleep(0.2)
    assert len(show(cluster, tablet)["rowsets"]) <= 100
    rows, keys, total = cluster.sql("SELECT count(*), count(DISTINCT k), sum(v) FROM t", database)[0]
    assert keys == ROWS_PER_WRITER
    assert rows == (WRITERS * ROWS_PER_WRITER if model.startswith("DUP") else ROWS_PER_WRITER)
    if not model.startswith("UNIQUE"):
        assert total == ROWS_PER_WRITER * sum(range(WRITERS))


def test_a_disk_that_seems_full(cluster, database):
    create(cluster, database)
    cluster.sql("INSERT INTO t VALUES (1, 1)", database)
    for point in ("StorageEngine.check_room", "TabletWriter.flush"):
        debug_point(cluster, "add", point, action="full")
        with pytest.raises(pymysql.MySQLError, match="(?i)disk|space"):
            cluster.sql("INSERT INTO t VALUES (2, 2)", database)
        reply = cluster.stream_load(database, "t", b"3\t3\n")
        assert reply["Status"] == "Fail" and reply["Message"], reply
        assert [row[0] for row in cluster.sql("SELECT k FROM t", database)] == [1]
        debug_point(cluster, "remove", point)
    cluster.sql("INSERT INTO t VALUES (2, 2)", database)
    assert cluster.sql("SELECT count(*) FROM t", database)[0][0] == 2


def test_a_disk_that_is_full():
    """On a file system of 64 MB that is filled by somebody else."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="thetis-full-"))
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(folder)], capture_output=True, check=False).returncode != 0:
        folder.rmdir()
        pytest.skip("mounting a small tmpfs is not allowed here")
    try:
        settings = {"storage_root_path": str(folder), "storage_flood_stage_usage_percent": "80"}
        with Cluster(backends=1, be_settings=settings) as cluster:
            cluster.sql("CREATE DATABASE d")
            create(cluster, "d", values="v VARCHAR(1000)")
            cluster.sql("INSERT INTO t VALUES (1, 'a')", "d")
            filler = folder / "filler"
            with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
                for _ in range(64):
                    file.write(b"x" * (1 << 20))
            with pytest.raises(pymysql.MySQLError, match="(?i)full|space"):
                cluster.sql("INSERT INTO t VALUES (2, 'b')", "d")
            assert cluster.sql("SELECT count(*) FROM t", "d")[0][0] == 1
            filler.unlink()
            deadline = time.monotonic() + 20
            while True:
                try:
                    cluster.sql("INSERT INTO t VALUES (3, 'c')", "d")
                    break
                except pymysql.MySQLError:
                    assert time.monotonic() < deadline
                    time.sleep(0.2)
            assert [row[0] for row in cluster.sql("SELECT k FROM t ORDER BY k", "d")] == [1, 3]
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)
        folder.rmdir()
