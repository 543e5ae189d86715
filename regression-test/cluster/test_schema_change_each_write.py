# SPDX-License-Identifier: Apache-2.0
"""Each kind of write beside each kind of heavy change. A twin of every table takes the same statements and changes afterwards: in the
end both hold the same rows on every back end, and every statement gave both clients the same answer."""
from __future__ import annotations

import base64
import dataclasses
import http.client
import json
import time

import pymysql
import pytest


@dataclasses.dataclass(frozen=True)
class Load:
    """A stream load, which is refused as a whole or not."""

    rows: list[tuple]
    columns: str
    headers: dict[str, str] = dataclasses.field(default_factory=dict)
    is_refused: bool = False

    def send(self, cluster, database: str, table: str, **headers: str) -> dict:
        body = "".join("\t".join("\\N" if value is None else str(value) for value in row) + "\n" for row in self.rows).encode()
        return cluster.stream_load(database, table, body, columns=self.columns, **self.headers, **headers)

    def run(self, cluster, database: str, table: str):
        reply = self.send(cluster, database, table)
        assert (reply["Status"] == "Fail") == self.is_refused and reply["Status"] in ("Success", "Fail"), (self, reply)
        return reply["Status"], reply.get("NumberLoadedRows"), reply.get("NumberFilteredRows")


@dataclasses.dataclass(frozen=True)
class Sql:
    """Statements of one session; {t} is the table. The answer is how many rows changed, or the error."""

    statements: tuple[str, ...]
    is_refused: bool = False

    def run(self, cluster, database: str, table: str):
        with cluster.connect(database) as connection, connection.cursor() as cursor:
            try:
                answer = [cursor.execute(statement.format(t=table)) for statement in self.statements]
            except pymysql.MySQLError as error:
                assert self.is_refused, (self, error)
                return error.args
            assert not self.is_refused, self
            return answer


def sql(*statements: str) -> Sql:
    return Sql(statements)


def refused(step):
    """Both tables refuse the step with the same words."""
    return dataclasses.replace(step, is_refused=True)


def partial(columns: str, *rows: tuple, **headers: str) -> Load:
    return Load(list(rows), columns, {"partial_columns": "true", "strict_mode": "false", **headers})


def existing(columns: str, *rows: tuple) -> Load:
    return partial(columns, *rows, strict_mode="true", max_filter_ratio="1")


def partial_insert(columns: str, values: str) -> Sql:
    return sql("SET enable_unique_key_partial_update = true", "SET enable_insert_strict = false",
               f"INSERT INTO {{t}} ({columns}) VALUES {values}")


@dataclasses.dataclass(frozen=True)
class Case:
    """A table, how it changes, and what is written before, meanwhile and afterwards; `late` is prepared meanwhile and committed afterwards."""

    columns: str
    properties: str
    change: str
    before: list
    meanwhile: list
    afterwards: list
    late: Load | None = None


UNIQUE = Case(
    columns="k INT NOT NULL, p SMALLINT NOT NULL, f CHAR(6), a INT NOT NULL DEFAULT '1', gone INT DEFAULT '3', day DATE, "
            "c DECIMAL(8, 2) DEFAULT '7.50', w VARCHAR(10)) UNIQUE KEY(k, p",
    properties='"store_row_column" = "true"',
    change="MODIFY COLUMN p INT KEY NOT NULL, MODIFY COLUMN f VARCHAR(12), MODIFY COLUMN a BIGINT NULL DEFAULT '1', DROP COLUMN gone, "
           "MODIFY COLUMN day DATETIME, MODIFY COLUMN c DECIMAL(12, 3) DEFAULT '7.50', ADD COLUMN x INT NOT NULL DEFAULT '5' AFTER f, "
           "MODIFY COLUMN w STRING AFTER p",
    before=[
        sql("INSERT INTO {t} SELECT number, number % 3, concat('f', number), number, number, '2024-01-31', number, concat('w', number) "
            "FROM numbers('number' = '30')"),
        sql("DELETE FROM {t} WHERE k = 29"),
    ],
    meanwhile=[
        sql("UPDATE {t} SET a = a + 100 WHERE k <= 5"),
        sql("UPDATE {t} SET gone = 77 WHERE k IN (1, 2)"),
        sql("UPDATE {t} SET f = concat('z', k), day = '2024-02-29' WHERE k BETWEEN 3 AND 8"),
        partial("k,p,c", (6, 0, "6.66"), (7, 1, None), (29, 2, "2.90"), (30, 0, "3.00")),
        partial("k,p,gone", (8, 2, 88), (31, 1, 31)),
        existing("k,p,a,w", (9, 0, 900, "nine"), (40, 1, 4000, "forty"), (32, 2, 3200, "none")),
        sql("DELETE FROM {t} WHERE a > 100 AND f LIKE 'z%'"),
        partial("k,p,w", (3, 0, "back"), (10, 1, "ten"), (10, 1, "again")),
        existing("k,p,w", (4, 1, "stays"), (11, 2, "eleven")),
        partial_insert("k, p, day", "(12, 0, '2024-12-31'), (33, 0, '2024-03-03')"),
        sql("DELETE FROM {t} WHERE k = 13 AND p = 1"),
        sql("INSERT INTO {t} (k, p, f) VALUES (13, 1, 'new'), (5, 2, NULL)"),
        sql("UPDATE {t} SET a = DEFAULT, c = c * 2 WHERE k IN (5, 13, 14)"),
        Load([(15, 0), (16, 1), (99, 0)], "k,p", {"merge_type": "DELETE"}),
        partial("k,p,f,a", (15, 0, "f", 15), (17, 2, "", -2147483648)),
        partial("k,p,a", (18, 0, None), (19, 1, 19), max_filter_ratio="1"),
        refused(sql("UPDATE {t} SET k = 1 WHERE k = 2")),
    ],
    afterwards=[
        sql("UPDATE {t} SET a = a + 1 WHERE k < 20"),
        partial("k,p,w", (3, 0, "later"), (50, 2, "new")),
        sql("DELETE FROM {t} WHERE c > 20"),
    ],
    late=partial("k,p,f", (1, 1, "late"), (20, 2, "late"), (9, 0, "late"), (51, 0, "late")),
)

SEQUENCE = Case(
    columns="k INT NOT NULL, p SMALLINT NOT NULL, q INT, v INT, need INT NOT NULL) UNIQUE KEY(k, p",
    properties='"function_column.sequence_col" = "q", "store_row_column" = "true"',
    change="MODIFY COLUMN v BIGINT, ORDER BY (p, k, need, v, q)",
    before=[
        sql("INSERT INTO {t} SELECT number, number % 3, 10, number, number FROM numbers('number' = '20')"),
        sql("DELETE FROM {t} WHERE k = 19"),
    ],
    meanwhile=[
        sql("UPDATE {t} SET v = v + 100 WHERE k < 4"),
        sql("UPDATE {t} SET q = q - 5 WHERE k = 4"),
        sql("UPDATE {t} SET q = q + 5, v = -5 WHERE k = 5"),
        partial("k,p,q,v", (6, 0, 9, 600), (7, 1, 11, 700), (8, 2, 10, 800)),
        partial("k,p,v", (9, 0, 900), (5, 2, 500)),
        refused(partial("k,p,q,v", (30, 0, 1, 1))),
        existing("k,p,q,v", (30, 0, 1, 1), (10, 1, 12, 1000)),
        sql("DELETE FROM {t} WHERE k IN (11, 12)"),
        sql("INSERT INTO {t} (k, p, q, v, need) VALUES (11, 2, 3, 1, 1), (12, 0, 30, 2, 2), (13, 1, 9, 3, 3), (14, 2, 11, 4, 4), (19, 1, 4, 5, 5)"),
        existing("k,p,v", (11, 2, 1), (12, 0, 12), (19, 1, 19)),
        sql("UPDATE {t} SET need = need * 2 WHERE v > 12"),
        Load([(15, 0, 1, 1, 1), (16, 1, 99, 1, 1)], "k,p,q,v,need", {"merge_type": "DELETE"}),
        partial("k,p,q,need", (16, 1, 50, 16), (17, 2, 20, 17), max_filter_ratio="1"),
    ],
    afterwards=[
        sql("INSERT INTO {t} (k, p, q, v, need) VALUES (16, 1, 98, 0, 0), (7, 1, 10, 0, 0), (11, 2, 31, 0, 0)"),
        sql("UPDATE {t} SET v = v + 1"),
    ],
    late=existing("k,p,q,v", (1, 1, 10, 111), (2, 2, 9, 222), (17, 2, 19, 1700)),
)

HIDDEN_SEQUENCE = Case(
    columns="k INT NOT NULL, v INT, w INT) UNIQUE KEY(k",
    properties='"function_column.sequence_type" = "int"',
    change="MODIFY COLUMN v BIGINT, MODIFY COLUMN w INT AFTER k",
    before=[Load([(k, k, k, 10) for k in range(10)], "k,v,w,s", {"function_column.sequence_col": "s"})],
    meanwhile=[
        sql("UPDATE {t} SET v = v + 100 WHERE k < 4"),
        Load([(k, k, k + 1000, 8 + k) for k in range(5)], "k,v,w,s", {"function_column.sequence_col": "s"}),
        partial("k,w,s", (5, 500, 9), (6, 600, 11), **{"function_column.sequence_col": "s"}),
        sql("DELETE FROM {t} WHERE v = 7"),
        Load([(7, 0, 0, 9), (8, 0, 0, 9), (9, 9, 9, 20)], "k,v,w,s", {"function_column.sequence_col": "s"}),
        partial("k,v", (9, 99), (20, 20)),
    ],
    afterwards=[Load([(k, 0, 0, 11) for k in range(10)], "k,v,w,s", {"function_column.sequence_col": "s"})],
)

DUPLICATE = Case(
    columns="k INT NOT NULL, g SMALLINT, n INT NOT NULL, f CHAR(4), i INT, day DATE, c DECIMAL(8, 2), z FLOAT, b BIGINT NOT NULL, ts DATETIME) "
            "DUPLICATE KEY(k, g",
    properties='"bloom_filter_columns" = "i,f"',
    change="DROP COLUMN g, MODIFY COLUMN f VARCHAR(9), MODIFY COLUMN i VARCHAR(30), MODIFY COLUMN day DATETIME, MODIFY COLUMN c VARCHAR(20), "
           "MODIFY COLUMN z DOUBLE, MODIFY COLUMN b LARGEINT NULL, MODIFY COLUMN ts DATETIME(3)",
    before=[sql("INSERT INTO {t} SELECT number, number % 3, number, concat('f', number % 7), number - 50, date_add('2024-01-01', INTERVAL number DAY), "
                "number / 4, number / 8, number, date_add('2024-01-01 10:00:00', INTERVAL number SECOND) FROM numbers('number' = '200')")],
    meanwhile=[
        sql("INSERT INTO {t} SELECT number, NULL, number + 1000, concat('g', number % 5), NULL, NULL, NULL, NULL, number, NULL FROM numbers('number' = '20')"),
        sql("DELETE FROM {t} WHERE i > 5 AND i < 9"),
        sql("DELETE FROM {t} WHERE i IN (-50, -7, 100)"),
        sql("DELETE FROM {t} WHERE f = 'f3' AND k < 20"),
        sql("DELETE FROM {t} WHERE f LIKE 'g4%'"),
        sql("DELETE FROM {t} WHERE f IN ('f1', 'f2') AND n BETWEEN 20 AND 40"),
        sql("DELETE FROM {t} WHERE day = '2024-02-29'"),
        sql("DELETE FROM {t} WHERE day BETWEEN '2024-05-01' AND '2024-05-03'"),
        sql("DELETE FROM {t} WHERE c = 7.50"),
        sql("DELETE FROM {t} WHERE c >= 48 OR c < 0.5 AND k > 0"),
        sql("DELETE FROM {t} WHERE z = 0.5"),
        sql("DELETE FROM {t} WHERE z > 22.25 AND z < 22.75"),
        sql("DELETE FROM {t} WHERE b IN (61, 62) AND i IS NOT NULL"),
        sql("DELETE FROM {t} WHERE ts = '2024-01-01 10:01:03'"),
        sql("DELETE FROM {t} WHERE i IS NULL AND k >= 10"),
        sql("DELETE FROM {t} WHERE NOT (i <> 14) AND length(f) = 2"),
        sql("DELETE FROM {t} WHERE i % 13 = 6 AND year(day) = 2024"),
        sql("INSERT INTO {t} VALUES (7, 1, 2000, 'f3', 7, '2024-02-29', 7.50, 0.5, 61, '2024-01-01 10:01:03')"),
        sql("DELETE FROM {t} WHERE b = 199 OR b IS NULL"),
    ],
    afterwards=[sql("DELETE FROM {t} WHERE i = '20' OR c = '25.00'"), sql("DELETE FROM {t} WHERE k = 30")],
    late=Load([(500, 1, 5000, "f3", 7, "2024-02-29", "7.50", 0.5, 61, "2024-01-01 10:01:03")], "k,g,n,f,i,day,c,z,b,ts"),
)

AGGREGATE = Case(
    columns="k INT NOT NULL, p SMALLINT, t VARCHAR(5), v INT SUM, m INT MAX, r VARCHAR(5) REPLACE) AGGREGATE KEY(k, p, t",
    properties='"compression" = "zstd"',
    change="MODIFY COLUMN p INT KEY, MODIFY COLUMN v BIGINT SUM, MODIFY COLUMN m BIGINT MAX, ORDER BY (k, t, p, m, v, r)",
    before=[sql("INSERT INTO {t} SELECT number % 10, number % 4, concat('t', number % 3), number, number, concat('r', number) FROM numbers('number' = '60')")],
    meanwhile=[
        sql("INSERT INTO {t} SELECT number % 10, number % 4, concat('t', number % 3), 1000, number, 'new' FROM numbers('number' = '25')"),
        sql("DELETE FROM {t} WHERE p = 3"),
        sql("INSERT INTO {t} VALUES (3, 3, 't0', 7, 7, 'back'), (3, 3, 't0', 8, 8, 'twice'), (1, NULL, 't1', 1, 1, 'null')"),
        sql("DELETE FROM {t} WHERE k IN (4, 5) AND p >= 1 AND t = 't1'"),
        sql("DELETE FROM {t} WHERE p IS NULL"),
        refused(sql("DELETE FROM {t} WHERE v = 7")),
    ],
    afterwards=[sql("DELETE FROM {t} WHERE p = 2"), sql("INSERT INTO {t} (k, p, t, v, m, r) VALUES (3, 3, 't0', 1, 100, 'end')")],
    late=Load([(3, 3, "t0", 1, 9, "late"), (77, 7, "t7", 7, 7, "late")], "k,p,t,v,m,r"),
)

MERGE_ON_READ = Case(
    columns="k INT NOT NULL, p SMALLINT NOT NULL, v INT, w CHAR(5), gone INT) UNIQUE KEY(k, p",
    properties='"enable_unique_key_merge_on_write" = "false"',
    change="MODIFY COLUMN v BIGINT, MODIFY COLUMN w VARCHAR(8), DROP COLUMN gone, ADD COLUMN x INT NOT NULL DEFAULT '4' AFTER p",
    before=[sql("INSERT INTO {t} SELECT number, number % 3, number, concat('w', number), 1 FROM numbers('number' = '30')")],
    meanwhile=[
        sql("UPDATE {t} SET v = v + 100 WHERE k < 5"),
        sql("UPDATE {t} SET gone = 2 WHERE k = 6"),
        sql("DELETE FROM {t} WHERE v > 102 AND w LIKE 'w%'"),
        sql("DELETE FROM {t} WHERE gone = 2"),
        sql("INSERT INTO {t} VALUES (3, 0, 33, 'back', NULL), (40, 1, 40, 'new', NULL)"),
    ],
    afterwards=[sql("UPDATE {t} SET v = v + x"), sql("DELETE FROM {t} WHERE k = 8")],
    late=Load([(1, 1, 1, "late", 0), (41, 1, 1, "late", 0)], "k,p,v,w,gone"),
)

# Of one length, as errors say where in a statement something is.
TABLES = ("test", "twin")

CASES = {"unique": UNIQUE, "sequence": SEQUENCE, "hidden sequence": HIDDEN_SEQUENCE, "duplicate": DUPLICATE, "aggregate": AGGREGATE,
         "merge on read": MERGE_ON_READ}


def job_of(cluster, database: str, table: str) -> dict:
    with cluster.connect(database, cursorclass=pymysql.cursors.DictCursor) as connection, connection.cursor() as cursor:
        cursor.execute("SHOW ALTER TABLE COLUMN ORDER BY JobId DESC")
        return next(row for row in cursor.fetchall() if row["TableName"] == table)


def await_job(cluster, database: str, table: str, is_reached) -> None:
    deadline = time.monotonic() + 90
    while not is_reached(job := job_of(cluster, database, table)):
        assert job["State"] != "CANCELLED" and time.monotonic() < deadline, job
        time.sleep(0.05)


def change(cluster, database: str, table: str, case: Case) -> None:
    cluster.sql(f"ALTER TABLE {table} {case.change}", database)


def is_finished(job: dict) -> bool:
    return job["State"] == "FINISHED"


def prepare(cluster, database: str, table: str, load: Load) -> int:
    reply = load.send(cluster, database, table, two_phase_commit="true")
    assert reply["Status"] == "Success", reply
    return reply["TxnId"]


def commit(cluster, database: str, transaction: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", int(cluster.backends[0].settings["webserver_port"]), timeout=60)
    try:
        connection.request("PUT", f"/api/{database}/_stream_load_2pc", headers={
            "Authorization": "Basic " + base64.b64encode(b"root:").decode(), "txn_id": str(transaction), "txn_operation": "commit"})
        reply = json.loads(connection.getresponse().read())
        assert reply["status"] == "Success", reply
    finally:
        connection.close()


def compare(cluster, database: str, when: str) -> int:
    def read(table: str, replica: int) -> list[tuple]:
        return sorted(cluster.sql(f"SELECT /*+ SET_VAR(use_fix_replica={replica}) */ * FROM {table}", database), key=str)

    rows = read("twin", 0)
    for table in TABLES:
        for replica in range(len(cluster.backends)):
            found = read(table, replica)
            assert found == rows, (when, table, replica, "only there", set(found) - set(rows), "only twin", set(rows) - set(found))
    return len(rows)


@pytest.mark.parametrize("name", CASES)
def test_the_same_as_if_it_had_changed_afterwards(cluster3, database, name):
    case = CASES[name]

    def both(steps: list) -> None:
        for step in steps:
            answers = [step.run(cluster3, database, table) for table in TABLES]
            assert answers[0] == answers[1], (step, answers)

    for table in TABLES:
        cluster3.sql(f"CREATE TABLE {table} ({case.columns}) DISTRIBUTED BY HASH(k) BUCKETS 1 "
                     f'PROPERTIES ("replication_num" = "3", {case.properties})', database)
    both(case.before)
    for node in cluster3.backends:
        cluster3.http("POST", "/api/debug_point/add/SchemaChange.commit?action=wait", node)
    try:
        change(cluster3, database, "test", case)
        # The version up to which history is converted is fixed before the conversion begins.
        await_job(cluster3, database, "test", lambda job: job["State"] == "RUNNING" and job["Progress"] != "N/A")
        both(case.meanwhile)
        late = [] if case.late is None else [prepare(cluster3, database, table, case.late) for table in TABLES]
        assert job_of(cluster3, database, "test")["State"] == "RUNNING", "the change did not wait"
    finally:
        for node in cluster3.backends:
            cluster3.http("POST", "/api/debug_point/clear", node)
    await_job(cluster3, database, "test", is_finished)
    for transaction in late:
        commit(cluster3, database, transaction)
    change(cluster3, database, "twin", case)
    await_job(cluster3, database, "twin", is_finished)
    assert compare(cluster3, database, "after the change") > 5
    both(case.afterwards)
    compare(cluster3, database, "after later writes")
