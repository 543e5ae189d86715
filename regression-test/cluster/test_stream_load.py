# SPDX-License-Identifier: Apache-2.0
"""Stream Load as curl and the connectors use it: formats, headers, bad rows, labels, compression, replies."""
import gzip
import json
import socket
import subprocess
import time
import uuid

import pymysql
import pytest


@pytest.fixture
def table(cluster1):
    """A fresh table `t (k INT NOT NULL, v VARCHAR(10), d DECIMAL(10,2), at DATETIME)` in a fresh database."""
    database = "load_" + uuid.uuid4().hex[:12]
    cluster1.sql(f"CREATE DATABASE {database}")
    cluster1.sql('CREATE TABLE t (k INT NOT NULL, v VARCHAR(10), d DECIMAL(10, 2), at DATETIME) DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 2 '
                 'PROPERTIES ("replication_num" = "1")', database)
    yield database
    cluster1.sql(f"DROP DATABASE {database} FORCE")


def rows(cluster, database, columns="k, v, d"):
    return [tuple(str(x) if x is not None else None for x in row) for row in cluster.sql(f"SELECT {columns} FROM {database}.t ORDER BY k, v")]


def load(cluster, database, text, **headers):
    return cluster.stream_load(database, "t", text if isinstance(text, bytes) else text.encode(), **headers)


def test_csv_defaults_and_reply(cluster1, table):
    reply = load(cluster1, table, "1\ta\t1.5\t2024-01-02 03:04:05\n2\t\\N\t\\N\t\\N\n", label="first")
    assert reply["Status"] == "Success", reply
    assert reply["Message"] == "OK" and reply["Label"] == "first" and reply["TwoPhaseCommit"] == "false"
    assert (reply["NumberTotalRows"], reply["NumberLoadedRows"], reply["NumberFilteredRows"], reply["NumberUnselectedRows"]) == (2, 2, 0, 0)
    assert isinstance(reply["TxnId"], int) and reply["TxnId"] > 0 and reply["LoadBytes"] > 0
    for key in ("LoadTimeMs", "BeginTxnTimeMs", "StreamLoadPutTimeMs", "ReadDataTimeMs", "WriteDataTimeMs", "CommitAndPublishTimeMs"):
        assert isinstance(reply[key], int), key
    assert rows(cluster1, table) == [("1", "a", "1.50"), ("2", None, None)]


def test_csv_options(cluster1, table):
    reply = load(cluster1, table, 'skip||me||0@"x||y"||7||3.25@"a\\"b"||8||4@', column_separator="||", line_delimiter="@", skip_lines="1", enclose='"', escape="\\", trim_double_quotes="true",
                 columns="v,k,d")
    assert reply["Status"] == "Success", reply
    assert rows(cluster1, table) == [("7", "x||y", "3.25"), ("8", 'a"b', "4.00")]


def test_columns_expressions_and_where(cluster1, table):
    reply = load(cluster1, table, "1,10\n2,20\n3,30\n", column_separator=",", columns="a,b,k=a*10,v=concat('n',b)", where="k > 10")
    assert reply["Status"] == "Success", reply
    assert reply["NumberUnselectedRows"] == 1 and reply["NumberLoadedRows"] == 2
    assert rows(cluster1, table) == [("20", "n20", None), ("30", "n30", None)]


def test_json_lines_array_paths(cluster1, table):
    lines = "\n".join(json.dumps({"k": i, "v": f"v{i}", "d": i / 4}) for i in range(3))
    assert load(cluster1, table, lines, format="json", read_json_by_line="true")["NumberLoadedRows"] == 3
    array = json.dumps([{"k": 10, "v": "ä"}, {"k": 11}])
    assert load(cluster1, table, array, format="json", strip_outer_array="true")["NumberLoadedRows"] == 2
    nested = json.dumps({"data": [{"id": 20, "x": {"name": "deep"}}]})
    reply = load(cluster1, table, nested, format="json", strip_outer_array="true", json_root="$.data", jsonpaths='["$.id", "$.x.name"]', columns="k,v")
    assert reply["Status"] == "Success", reply
    assert rows(cluster1, table) == [("0", "v0", "0.00"), ("1", "v1", "0.25"), ("2", "v2", "0.50"), ("10", "ä", None), ("11", None, None), ("20", "deep", None)]


@pytest.mark.parametrize("kind", ["gz", "lz4", "zstd"])
def test_compressed_bodies(cluster1, table, kind):
    text = "".join(f"{i}\tv{i}\t{i}.5\t\\N\n" for i in range(5000)).encode()
    if kind == "gz":
        body = gzip.compress(text)
    else:
        tool = {"lz4": ["lz4", "-c"], "zstd": ["zstd", "-c"]}[kind]
        try:
            body = subprocess.run(tool, input=text, capture_output=True, check=True).stdout
        except FileNotFoundError:
            pytest.skip(f"the {tool[0]} program is not installed")
    reply = load(cluster1, table, body, compress_type=kind)
    assert reply["Status"] == "Success" and reply["NumberLoadedRows"] == 5000, reply
    assert cluster1.sql(f"SELECT count(*), sum(k) FROM {table}.t") == ((5000, 12497500),)


def test_bad_rows_refuse_the_load_and_are_shown(cluster1, table):
    text = b"1\ta\t1\t\\N\n2\tb\n3\t\xff\xfe\t1\t\\N\n4\twaytoolongvalue\t1\t\\N\n\\N\tnokey\t1\t\\N\n"
    reply = load(cluster1, table, text, strict_mode="true")
    assert reply["Status"] == "Fail" and "too many filtered rows" in reply["Message"], reply
    assert reply["NumberFilteredRows"] == 4 and rows(cluster1, table) == []
    path = reply["ErrorURL"].split("/", 3)[3]
    status, body = cluster1.http("GET", "/" + path, cluster1.backends[0])
    assert status == 200 and body.count(b"Reason:") == 4, body


def test_bad_rows_within_the_ratio_are_skipped(cluster1, table):
    reply = load(cluster1, table, "1\ta\t1\t\\N\n2\tb\n3\tc\t3\t\\N\n", max_filter_ratio="0.5")
    assert reply["Status"] == "Success" and (reply["NumberLoadedRows"], reply["NumberFilteredRows"]) == (2, 1), reply
    assert [row[0] for row in rows(cluster1, table)] == ["1", "3"]


def test_strict_mode_decides_what_conversion_failure_means(cluster1, table):
    text = "1\ta\tnotanumber\t\\N\n"
    assert load(cluster1, table, text, strict_mode="true")["Status"] == "Fail"
    assert load(cluster1, table, text)["Status"] == "Success"
    assert rows(cluster1, table) == [("1", "a", None)]


def test_labels(cluster1, table):
    assert load(cluster1, table, "1\ta\t1\t\\N\n", label="once")["Status"] == "Success"
    reply = load(cluster1, table, "1\ta\t1\t\\N\n", label="once")
    assert reply["Status"] == "Label Already Exists" and reply["ExistingJobStatus"] == "FINISHED", reply
    assert "Label [once] has already been used, relate to txn [" in reply["Message"]
    assert len(rows(cluster1, table)) == 1
    # A failed load gives its label back.
    assert load(cluster1, table, "x\n", label="again", strict_mode="true")["Status"] == "Fail"
    assert load(cluster1, table, "2\tb\t1\t\\N\n", label="again")["Status"] == "Success"


def test_directly_on_the_backend(cluster1, table):
    reply = cluster1.stream_load(table, "t", b"5\tx\t1\t\\N\n", backend=cluster1.backends[0])
    assert reply["Status"] == "Success", reply


def test_missing_table_and_database(cluster1, table):
    for database, name in ((table, "nosuch"), ("nosuchdb", "t")):
        connection_reply = cluster1.stream_load(database, name, b"1\n")
        assert str(connection_reply.get("status", connection_reply.get("Status"))).upper() in ("FAILED", "FAIL"), connection_reply


def test_unauthenticated(cluster1, table):
    status, _ = cluster1.http("PUT", f"/api/{table}/t/_stream_load", body=b"1\n", auth=False)
    assert status == 401
    status, _ = cluster1.http("PUT", f"/api/{table}/t/_stream_load", cluster1.backends[0], body=b"1\n", auth=False)
    assert status == 401


def test_redirect_needs_expect_and_comes_before_the_body(cluster1, table):
    with socket.create_connection(("127.0.0.1", cluster1.http_port), timeout=10) as s:
        s.sendall(f"PUT /api/{table}/t/_stream_load HTTP/1.1\r\nHost: x\r\nAuthorization: Basic cm9vdDo=\r\nExpect: 100-continue\r\nContent-Length: 1000000\r\n\r\n".encode())
        head = s.recv(65536).decode()
    assert head.startswith("HTTP/1.1 307"), head
    assert f"Location: http://root:@127.0.0.1:{cluster1.backends[0].settings['webserver_port']}/api/{table}/t/_stream_load" in head or "ocation: http://root:" in head, head
    with socket.create_connection(("127.0.0.1", cluster1.http_port), timeout=10) as s:
        s.sendall(f"PUT /api/{table}/t/_stream_load HTTP/1.1\r\nHost: x\r\nAuthorization: Basic cm9vdDo=\r\nContent-Length: 0\r\n\r\n".encode())
        reply = s.recv(65536).decode()
    assert "FAILED" in reply and "100-continue" in reply, reply


def test_truncated_body_leaves_nothing(cluster1, table):
    port = int(cluster1.backends[0].settings["webserver_port"])
    with socket.create_connection(("127.0.0.1", port), timeout=10) as s:
        s.sendall(f"PUT /api/{table}/t/_stream_load HTTP/1.1\r\nHost: x\r\nAuthorization: Basic cm9vdDo=\r\nlabel: cut\r\nContent-Length: 1000000\r\n\r\n".encode())
        s.sendall(b"1\ta\t1\t\\N\n" * 100)
        s.shutdown(socket.SHUT_RDWR)
    assert rows(cluster1, table) == []
    # The label is free again once the load is aborted.
    deadline = time.monotonic() + 20
    while (reply := load(cluster1, table, "2\tb\t1\t\\N\n", label="cut"))["Status"] != "Success":
        assert time.monotonic() < deadline, reply
        time.sleep(0.2)
    assert [row[0] for row in rows(cluster1, table)] == ["2"]


def test_partitions_header(cluster1, table):
    cluster1.sql('CREATE TABLE p (d DATE NOT NULL, v INT) PARTITION BY RANGE(d) (PARTITION a VALUES LESS THAN ("2024-01-01"), PARTITION b VALUES LESS THAN '
                 '("2025-01-01")) DISTRIBUTED BY HASH(v) BUCKETS 1 PROPERTIES ("replication_num" = "1")', table)
    reply = cluster1.stream_load(table, "p", b"2023-01-01\t1\n2024-05-01\t2\n2030-01-01\t3\n", max_filter_ratio="0.9", partitions="b")
    assert reply["Status"] == "Success" and (reply["NumberLoadedRows"], reply["NumberFilteredRows"]) == (1, 2), reply
    assert cluster1.sql(f"SELECT v FROM {table}.p") == ((2,),)


def test_show_stream_load_says_who(cluster1, table):
    load(cluster1, table, "1\ta\t1\t\\N\n", label="seen", comment="nightly")
    load(cluster1, table, "x\ta\t1\t\\N\n", label="refused", strict_mode="true")
    with cluster1.connect(table) as connection, connection.cursor(pymysql.cursors.DictCursor) as cursor:
        cursor.execute("SHOW STREAM LOAD")
        shown = {row["Label"]: row for row in cursor.fetchall()}
    for label, status in (("seen", "Success"), ("refused", "Fail")):
        assert (shown[label]["Status"], shown[label]["ClientIp"], shown[label]["User"]) == (status, "127.0.0.1", "root"), shown[label]
    assert (shown["seen"]["LoadedRows"], shown["seen"]["Comment"]) == ("1", "nightly"), shown["seen"]
