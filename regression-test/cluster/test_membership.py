# SPDX-License-Identifier: Apache-2.0
"""Back ends join by themselves or by ALTER SYSTEM; strangers are refused; replicas are written everywhere."""
import time

import pymysql
import pytest

from runner.cluster import Cluster


def backends(cluster):
    with cluster.connect() as connection, connection.cursor(pymysql.cursors.DictCursor) as cursor:
        cursor.execute("SHOW BACKENDS")
        return cursor.fetchall()


def test_join_by_conf_and_by_statement():
    with Cluster(backends=1) as cluster:
        assert [str(b["Alive"]).lower() for b in backends(cluster)] == ["true"]
        node = cluster.add_backend_node()
        node.settings["fe_addresses"] = ""
        node.write_settings()
        node.start()
        address = f"127.0.0.1:{node.settings['heartbeat_service_port']}"
        cluster.sql(f'ALTER SYSTEM ADD BACKEND "{address}"')
        cluster.wait_ready()
        assert len(backends(cluster)) == 2
        with pytest.raises(pymysql.MySQLError):
            cluster.sql(f'ALTER SYSTEM ADD BACKEND "{address}"')
        node.stop()
        deadline = time.monotonic() + 30
        while sum(str(b["Alive"]).lower() == "true" for b in backends(cluster)) != 1:
            assert time.monotonic() < deadline, backends(cluster)
            time.sleep(0.2)
        cluster.sql(f'ALTER SYSTEM DROPP BACKEND "{address}"')
        assert len(backends(cluster)) == 1


def test_replicas_and_quorum():
    with Cluster(backends=3) as cluster:
        cluster.sql("CREATE DATABASE d")
        cluster.sql('CREATE TABLE t (k INT, v INT) DISTRIBUTED BY HASH(k) BUCKETS 2 PROPERTIES ("replication_num" = "3")', "d")
        cluster.sql("INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)", "d")
        cluster.backends[0].kill()
        # Two of three are a quorum: writes and reads go on, perhaps after one refusal.
        deadline = time.monotonic() + 60
        while True:
            try:
                cluster.sql("INSERT INTO t VALUES (4, 4)", "d")
                break
            except pymysql.MySQLError:
                assert time.monotonic() < deadline
                time.sleep(0.5)
        assert cluster.sql("SELECT count(*), sum(v) FROM t", "d")[0][0] in (4, 5)
        cluster.backends[1].kill()
        time.sleep(3)
        with pytest.raises(pymysql.MySQLError):
            cluster.sql("INSERT INTO t VALUES (5, 5)", "d")
        cluster.backends[0].start()
        cluster.backends[1].start()
        cluster.wait_ready()


def test_too_many_replicas_is_a_clear_error(cluster3):
    cluster3.sql("CREATE DATABASE IF NOT EXISTS many")
    with pytest.raises(pymysql.MySQLError) as error:
        cluster3.sql('CREATE TABLE t (k INT) DISTRIBUTED BY HASH(k) BUCKETS 1 PROPERTIES ("replication_num" = "5")', "many")
    assert "replica" in str(error.value).lower()


def test_metadata_survives_restart_of_the_frontend():
    with Cluster(backends=1) as cluster:
        cluster.sql("CREATE DATABASE d")
        cluster.sql('CREATE TABLE t (k INT, v VARCHAR(10)) DISTRIBUTED BY HASH(k) BUCKETS 2 PROPERTIES ("replication_num" = "1")', "d")
        cluster.sql("INSERT INTO t VALUES (1, 'a')", "d")
        cluster.sql("CREATE USER u IDENTIFIED BY 'pw'")
        cluster.sql("GRANT SELECT_PRIV ON d.* TO u")
        before = cluster.sql("SHOW CREATE TABLE t", "d")
        cluster.fe.stop()
        cluster.fe.start()
        cluster.wait_ready()
        assert cluster.sql("SHOW CREATE TABLE t", "d") == before
        with cluster.connect("d", user="u", password="pw") as connection, connection.cursor() as cursor:
            cursor.execute("SELECT * FROM t")
            assert cursor.fetchall() == ((1, "a"),)
            with pytest.raises(pymysql.MySQLError):
                cursor.execute("DROP TABLE t")
