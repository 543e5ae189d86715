# SPDX-License-Identifier: Apache-2.0
"""SHOW PROC: every path that a row names can be followed down to the replicas, and counts agree with what was made."""

import pymysql
import pytest


def proc(cluster, path: str) -> list[dict]:
    with cluster.connect(cursorclass=pymysql.cursors.DictCursor) as connection, connection.cursor() as cursor:
        cursor.execute(f"SHOW PROC '{path}'")
        return list(cursor.fetchall())


@pytest.fixture
def database(cluster3):
    with cluster3.fresh_database() as name:
        cluster3.sql("CREATE TABLE t (d DATE NOT NULL, v INT) DUPLICATE KEY(d) PARTITION BY RANGE(d) (PARTITION p1 VALUES LESS THAN ('2024-01-01'), "
                     "PARTITION p2 VALUES LESS THAN ('2024-02-01')) DISTRIBUTED BY HASH(d) BUCKETS 2 PROPERTIES ('replication_num' = '3')", name)
        cluster3.sql(f"INSERT INTO t WITH LABEL first_{name} VALUES ('2024-01-05', 1)", name)
        yield name


def only(rows: list[dict], **wanted) -> dict:
    found = [row for row in rows if all(str(row[key]) == str(value) for key, value in wanted.items())]
    assert len(found) == 1, (wanted, rows)
    return found[0]


def test_down_to_the_replicas(cluster3, database):
    path = "/dbs/" + str(only(proc(cluster3, "/dbs"), DbName=database)["DbId"])
    path += "/" + str(only(proc(cluster3, path), TableName="t")["TableId"])
    assert [row["Nodes"] for row in proc(cluster3, path)] == ["partitions", "temp_partitions", "index_schema"]
    assert only(proc(cluster3, path + "/index_schema"), IndexName="t")["Keys"] == "d"
    assert proc(cluster3, path + "/temp_partitions") == []
    partitions = proc(cluster3, path + "/partitions")
    assert [row["PartitionName"] for row in partitions] == ["p1", "p2"]
    filled = only(partitions, PartitionName="p2")
    assert (int(filled["VisibleVersion"]), int(filled["Buckets"]), int(filled["ReplicationNum"])) == (2, 2, 3)
    path += f"/partitions/{filled['PartitionId']}"
    index = only(proc(cluster3, path), IndexName="t")
    assert index["State"] == "NORMAL"
    path += f"/{index['IndexId']}"
    replicas = proc(cluster3, path)
    assert len(replicas) == 6 and len({row["TabletId"] for row in replicas}) == 2
    assert {row["IsBad"] for row in replicas} == {"false"}
    one = proc(cluster3, f"{path}/{replicas[0]['TabletId']}")
    assert sorted(int(row["BackendId"]) for row in one) == sorted(int(row["BackendId"]) for row in proc(cluster3, "/backends"))


def test_transactions_counts_and_disks(cluster3, database):
    own = only(proc(cluster3, "/transactions"), DbName=database)
    path = f"/transactions/{own['DbId']}"
    assert {row["State"]: int(row["Number"]) for row in proc(cluster3, path)} == {"running": 0, "finished": 1}
    done = only(proc(cluster3, path + "/finished"), Label=f"first_{database}")
    assert done["TransactionStatus"] == "VISIBLE" and proc(cluster3, path + "/running") == []
    path += f"/finished/{done['TransactionId']}"
    table = proc(cluster3, path)[0]
    assert [(str(row["PartitionId"]), int(row["CommittedVersion"])) for row in proc(cluster3, f"{path}/{table['TableId']}")] == [
        (str(table["CommittedPartitionIds"]), 2)]
    counts = only(proc(cluster3, "/statistic"), DbName=database)
    assert [int(counts[key]) for key in ("TableNum", "PartitionNum", "IndexNum", "TabletNum", "ReplicaNum")] == [1, 2, 1, 4, 12]
    health = only(proc(cluster3, "/cluster_health/tablet_health"), DbName=database)
    assert (int(health["TabletNum"]), int(health["HealthyNum"])) == (4, 4)
    cluster3.sql("ALTER TABLE t ADD COLUMN n INT", database)
    jobs = only(proc(cluster3, f"/jobs/{own['DbId']}"), JobType="schema_change")
    assert (int(jobs["Finished"]), int(jobs["Total"])) == (1, 1)
    assert any("/current_queries" in row["Statement"] for row in proc(cluster3, "/current_queries"))
    for backend in proc(cluster3, "/backends"):
        assert isinstance(proc(cluster3, f"/backends/{backend['BackendId']}"), list)


@pytest.mark.parametrize("path", ["/nowhere", "/dbs/1/2/3", "/transactions/x", "/dbs/abc", "/frontends/x", "/backends/0", "/cluster_health/x"])
def test_what_is_not_there_is_one_error(cluster3, path):
    with pytest.raises(pymysql.MySQLError, match="(?i)not supported|unknown|not a database"):
        proc(cluster3, path)
