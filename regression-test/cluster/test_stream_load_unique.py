# SPDX-License-Identifier: Apache-2.0
"""Stream loads into UNIQUE tables: merging, deleting, sequences, hidden columns, partial updates, and what contradicts itself."""
import uuid

import pytest


class Target:
    """A database of its own with short ways to load and look."""

    def __init__(self, cluster, database: str):
        self.cluster = cluster
        self.database = database
        cluster.sql(f"CREATE DATABASE {database}")

    def create(self, columns: str, key: str = "k", **properties) -> None:
        self.cluster.sql("DROP TABLE IF EXISTS t", self.database)
        text = ", ".join(f'"{name.replace("__", ".")}" = "{value}"' for name, value in {"replication_num": "1", **properties}.items())
        self.cluster.sql(f"CREATE TABLE t ({columns}) UNIQUE KEY({key}) DISTRIBUTED BY HASH({key}) BUCKETS 2 PROPERTIES ({text})", self.database)

    def load(self, body: str, **headers) -> dict:
        headers = {name.replace("__", "."): value for name, value in headers.items()}
        return self.cluster.stream_load(self.database, "t", body.encode(), **{"column_separator": ",", **headers})

    def loaded(self, body: str, **headers) -> dict:
        reply = self.load(body, **headers)
        assert reply["Status"] == "Success", reply
        return reply

    def refused(self, text: str, body: str, **headers) -> None:
        before = self.rows()
        reply = self.load(body, **headers)
        assert reply["Status"] == "Fail" and text in reply["Message"], reply
        assert self.rows() == before

    def rows(self, columns: str = "*") -> list[tuple]:
        return sorted(self.cluster.sql(f"SELECT {columns} FROM t", self.database))


@pytest.fixture(params=["true", "false"], ids=["merge_on_write", "merge_on_read"])
def target(cluster1, request):
    target = Target(cluster1, "u" + uuid.uuid4().hex[:12])
    target.mow = request.param
    return target


@pytest.fixture
def written(cluster1):
    return Target(cluster1, "w" + uuid.uuid4().hex[:12])


def test_upsert_delete_and_merge(target):
    target.create("k INT, v INT, s VARCHAR(20)", enable_unique_key_merge_on_write=target.mow)
    target.loaded("1,10,a\n2,20,b\n3,30,c\n1,11,d\n")
    assert target.rows() == [(1, 11, "d"), (2, 20, "b"), (3, 30, "c")]
    target.loaded("2,0,x\n", merge_type="DELETE")
    assert target.rows() == [(1, 11, "d"), (3, 30, "c")]
    # The condition sees stored values: 9 is less than 10 although "9" is not less than "10".
    target.loaded("1,9,e\n3,10,f\n4,100,g\n", merge_type="MERGE", delete="v < 10")
    assert target.rows() == [(3, 10, "f"), (4, 100, "g")]
    # Also fields that are no columns, and columns that are computed; a NULL condition deletes nothing.
    target.loaded("3,D,1\n4,U,2\n5,,3\n", merge_type="MERGE", columns="k, op, x, v = x * 2", delete="op = 'D'")
    assert target.rows() == [(4, 4, None), (5, 6, None)]
    # A deleted key comes back with the next row.
    target.loaded("3,1,h\n")
    assert target.rows() == [(3, 1, "h"), (4, 4, None), (5, 6, None)]
    # Within one load the later row counts, whatever it does.
    target.loaded("3,D\n3,U\n4,U\n4,D\n", merge_type="MERGE", columns="k, op, v = 7", delete="op = 'D'")
    assert target.rows("k, v") == [(3, 7), (5, 6)]


def test_delete_sign_in_the_data(target):
    target.create("k INT, v INT", enable_unique_key_merge_on_write=target.mow)
    target.loaded("1,1\n2,2\n")
    target.loaded("1,0,1\n3,3,0\n", hidden_columns="__DORIS_DELETE_SIGN__")
    assert target.rows() == [(2, 2), (3, 3)]
    target.loaded("1,2\n0,4\n", columns="__DORIS_DELETE_SIGN__, k, v = k * 10")
    assert target.rows() == [(3, 3), (4, 40)]


def test_sequence_mapped_to_a_column(target):
    target.create("k INT, s INT, v VARCHAR(10)", enable_unique_key_merge_on_write=target.mow, function_column__sequence_col="s")
    target.loaded("1,5,a\n1,3,b\n2,1,c\n")
    assert target.rows() == [(1, 5, "a"), (2, 1, "c")]
    target.loaded("1,4,old\n2,1,tie\n")
    assert target.rows() == [(1, 5, "a"), (2, 1, "tie")]
    # A deletion with a smaller sequence deletes nothing.
    target.loaded("1,4,x\n2,2,x\n", merge_type="DELETE")
    assert target.rows() == [(1, 5, "a")]
    target.refused("the table's sequence is its column s", "1,9,z\n", function_column__sequence_col="v")
    target.loaded("1,9,z\n", function_column__sequence_col="s")
    assert target.rows() == [(1, 9, "z")]


def test_sequence_named_by_the_load(target):
    target.create("k INT, v VARCHAR(10)", enable_unique_key_merge_on_write=target.mow, function_column__sequence_type="bigint")
    target.refused("function_column.sequence_col", "1,a\n")
    target.loaded("1,a,7\n2,b,7\n", columns="k, v, seq", function_column__sequence_col="seq")
    target.loaded("1,c,6\n2,d,8\n", columns="k, v, seq", function_column__sequence_col="seq")
    assert target.rows() == [(1, "a"), (2, "d")]
    target.loaded("1,e,8\n", hidden_columns="__DORIS_SEQUENCE_COL__")
    target.loaded("2,f,3\n", columns="k, v, raw, n = raw * 3", function_column__sequence_col="n")
    assert target.rows() == [(1, "e"), (2, "f")]
    target.refused("neither a field", "1,a\n", columns="k, v", function_column__sequence_col="missing")
    target.refused("contradicts data with its own", "1,a,1,2\n", columns="k, v, x, __DORIS_SEQUENCE_COL__", function_column__sequence_col="x")
    # A sequence that is no number is a bad row in strict mode.
    reply = target.loaded("1,g,zzz\n2,h,9\n", columns="k, v, seq", function_column__sequence_col="seq", strict_mode="true", max_filter_ratio="0.5")
    assert (reply["NumberLoadedRows"], reply["NumberFilteredRows"]) == (1, 1)
    assert target.rows() == [(1, "e"), (2, "h")]


def test_partial_update(written):
    written.create("k INT, a INT DEFAULT '7', b VARCHAR(10), c INT")
    written.loaded("1,10,x,100\n2,20,y,200\n")
    written.loaded("1,z\n3,new\n", columns="k, b", partial_columns="true")
    assert written.rows() == [(1, 10, "z", 100), (2, 20, "y", 200), (3, 7, "new", None)]
    written.loaded("2,21\n", columns="k, x, a = x + 1", unique_key_update_mode="UPDATE_FIXED_COLUMNS")
    assert written.rows()[1] == (2, 22, "y", 200)
    # Two partial updates of one key in one load add up.
    written.loaded("1,1\n1,2\n", columns="k, c", partial_columns="true")
    assert written.rows()[0] == (1, 10, "z", 2)
    written.loaded("1\n", columns="k", partial_columns="true", merge_type="DELETE")
    assert [row[0] for row in written.rows()] == [2, 3]
    reply = written.load("9,1\n", columns="k, c", partial_columns="true", strict_mode="true", max_filter_ratio="0")
    assert reply["Status"] == "Fail", reply
    reply = written.load("9,1\n", columns="k, c", partial_columns="true", partial_update_new_key_behavior="ERROR")
    assert reply["Status"] == "Fail", reply
    assert [row[0] for row in written.rows()] == [2, 3]
    written.loaded("9,1\n", columns="k, c", partial_columns="true", strict_mode="true", partial_update_new_key_behavior="APPEND")
    assert written.rows()[2] == (9, 7, None, 1)
    written.refused("missing: k", "1\n", columns="c", partial_columns="true")


def test_new_keys_of_a_partial_update_have_the_defaults_of_now(written):
    written.create("k INT, a INT, ts DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP")
    written.loaded("1,1,2020-01-02 03:04:05\n")
    written.cluster.sql("ALTER TABLE t ADD COLUMN b VARCHAR(10) DEFAULT 'old'", written.database)
    written.cluster.sql("ALTER TABLE t MODIFY COLUMN b VARCHAR(10) DEFAULT 'new'", written.database)
    written.loaded("1,10\n2,20\n3,30\n", columns="k, a", partial_columns="true")
    assert written.rows("k, a, b") == [(1, 10, "old"), (2, 20, "new"), (3, 30, "new")]
    assert written.rows("k, ts > '2024-01-01'") == [(1, 0), (2, 1), (3, 1)]
    # One moment for all rows of a load.
    assert written.rows("count(DISTINCT ts)") == [(2,)]
    written.loaded("4\n", columns="k")
    assert written.rows("k, a, b")[3] == (4, None, "new")


def test_missing_keys_of_an_update_of_existing_rows_are_bad_rows(written):
    written.create("k INT, a INT DEFAULT '7', b VARCHAR(10) NOT NULL")
    written.loaded("1,10,x\n2,20,y\n3,30,z\n")
    strict = {"columns": "k, a", "partial_columns": "true", "strict_mode": "true"}
    reply = written.loaded("1,11\n8,80\n2,21\n9,90\n", max_filter_ratio="0.5", **strict)
    assert (reply["NumberTotalRows"], reply["NumberLoadedRows"], reply["NumberFilteredRows"]) == (4, 2, 2), reply
    assert written.rows() == [(1, 11, "x"), (2, 21, "y"), (3, 30, "z")]
    # A deleted key is missing too; past the ratio nothing is loaded.
    written.loaded("3,0,q\n", merge_type="DELETE")
    reply = written.load("1,12\n3,31\n", max_filter_ratio="0.4", **strict)
    assert reply["Status"] == "Fail" and "too many filtered rows" in reply["Message"], reply
    assert written.rows() == [(1, 11, "x"), (2, 21, "y")]
    # None left is a load like another.
    reply = written.loaded("7,1\n8,1\n", max_filter_ratio="1", **strict)
    assert (reply["NumberLoadedRows"], reply["NumberFilteredRows"]) == (0, 2), reply
    assert written.rows() == [(1, 11, "x"), (2, 21, "y")]


def test_contradictory_headers_are_one_error(target):
    target.create("k INT, v INT", enable_unique_key_merge_on_write=target.mow)
    target.loaded("1,1\n")
    target.refused("needs the header delete", "1,2\n", merge_type="MERGE")
    target.refused("needs merge_type MERGE", "1,2\n", delete="v = 1")
    target.refused("must be APPEND, DELETE or MERGE", "1,2\n", merge_type="UPSERT")
    target.refused("cannot be used together", "1,2\n", columns="k, v", hidden_columns="__DORIS_DELETE_SIGN__")
    target.refused("no hidden column", "1,2,3\n", hidden_columns="__DORIS_NOPE__")
    target.refused("no hidden column", "1,2,3\n", hidden_columns="v")
    target.refused("contradicts data with its own", "1,2,0\n", hidden_columns="__DORIS_DELETE_SIGN__", merge_type="DELETE")
    target.refused("filled in by the storage engine", "1,2,3\n", columns="k, v, __DORIS_VERSION_COL__")
    target.refused("has no sequence column", "1,2\n", function_column__sequence_col="v")
    target.refused("partial_columns must be true or false", "1,2\n", partial_columns="maybe")
    target.refused("needs partial_columns", "1,2\n", partial_update_new_key_behavior="ERROR")
    target.refused("Unknown column", "1,2\n", merge_type="MERGE", delete="nope = 1")
    if target.mow == "false":
        target.refused("merge-on-write", "1,2\n", partial_columns="true")


def test_headers_of_unique_tables_elsewhere(cluster1, written):
    cluster1.sql('CREATE TABLE t (k INT, v INT) DUPLICATE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1 PROPERTIES ("replication_num" = "1")', written.database)
    written.refused("needs a UNIQUE KEY table", "1,2\n", merge_type="DELETE")
    written.refused("merge-on-write", "1,2\n", partial_columns="true")
    written.refused("no hidden column", "1,2,1\n", hidden_columns="__DORIS_DELETE_SIGN__")
    written.refused("has no sequence column", "1,2\n", function_column__sequence_col="v")
