# SPDX-License-Identifier: Apache-2.0
"""Key look-ups give what full plans give: random statements, prepared and as text, against enable_short_circuit_query = false, while rows are
deleted, written again and partly updated and the tables' columns change. THETIS_POINT_PAIRS=100000 is the long form."""
from __future__ import annotations

import datetime
import decimal
import os
import random

import pymysql
import pytest

from runner.prepared import Prepared

PAIRS = int(os.environ.get("THETIS_POINT_PAIRS", "3000"))
SEED = int(os.environ.get("THETIS_POINT_SEED", "0")) or random.randrange(1, 1 << 30)
KEYS = 60

DAY = datetime.date(2024, 1, 1)
NOON = datetime.datetime(2024, 1, 1, 12, 0, 0)

# Keys that exist sometimes, by type; the i-th is the same every time.
KEY_VALUES = {
    "TINYINT": lambda i: i - KEYS // 2,
    "INT": lambda i: (i - KEYS // 2) * 7919,
    "BIGINT": lambda i: (i - KEYS // 2) * 1_000_000_007_000,
    "LARGEINT": lambda i: (i - KEYS // 2) * 10**25,
    "DECIMAL(9,2)": lambda i: decimal.Decimal(i - KEYS // 2) / 4,
    "DECIMAL(18,3)": lambda i: decimal.Decimal(i - KEYS // 2) * 1000 / 8,
    "DECIMAL(38,6)": lambda i: decimal.Decimal(i - KEYS // 2) * 10**20,
    "DATE": lambda i: DAY + datetime.timedelta(days=i),
    "DATETIME": lambda i: NOON + datetime.timedelta(hours=i),
    "DATETIME(6)": lambda i: NOON + datetime.timedelta(microseconds=i),
    "VARCHAR(20)": lambda i: ["", "a", "A", "a ", "ä", "it's", "漢字", "back\\slash", "%_", '"'][i % 10] + ("" if i < 10 else str(i // 10)),
    "CHAR(10)": lambda i: f"c{i}",
    "BOOLEAN": lambda i: i % 2 == 0,
}

# Constants that are compared with keys of any type, besides keys themselves.
ODD = [None, 0, 1, -1, 128, 3_000_000_000, 1 << 62, "", "abc", "1", " 1", "1.0", "1.5", "2024-01-01", "2024-01-01 00:00:00", "2024-13-01", "a",
       decimal.Decimal("1.5"), decimal.Decimal("1.00"), DAY, NOON, True]

TABLES = {
    "t_bigint": (["BIGINT"], "DISTRIBUTED BY HASH(k0) BUCKETS 6", {"store_row_column": "true"}),
    "t_int_varchar": (["INT", "VARCHAR(20)"], "DISTRIBUTED BY HASH(k1) BUCKETS 5", {"store_row_column": "true"}),
    "t_varchar": (["VARCHAR(20)"], "DISTRIBUTED BY HASH(k0) BUCKETS 4", {}),
    "t_char": (["CHAR(10)"], "DISTRIBUTED BY HASH(k0) BUCKETS 3", {}),
    "t_date": (["DATE", "TINYINT"], "PARTITION BY RANGE(k0) (PARTITION p1 VALUES LESS THAN ('2024-01-20'), PARTITION p2 VALUES LESS THAN ('2024-02-10'), "
                                    "PARTITION p3 VALUES LESS THAN ('2024-02-20')) DISTRIBUTED BY HASH(k1) BUCKETS 3", {"store_row_column": "true"}),
    "t_datetime": (["DATETIME"], "DISTRIBUTED BY HASH(k0) BUCKETS 3", {}),
    "t_micros": (["DATETIME(6)", "BOOLEAN"], "DISTRIBUTED BY HASH(k0, k1) BUCKETS 3", {}),
    "t_decimal": (["DECIMAL(9,2)", "DECIMAL(18,3)"], "DISTRIBUTED BY HASH(k1, k0) BUCKETS 4", {}),
    "t_wide": (["LARGEINT", "DECIMAL(38,6)"], "DISTRIBUTED BY HASH(k0) BUCKETS 4", {"store_row_column": "true"}),
    "t_list": (["INT", "BIGINT"], "PARTITION BY LIST(k0) (PARTITION p1 VALUES IN ('0', '7919', '-7919'), PARTITION p2 VALUES IN ('15838', '-15838', '23757')) "
                                  "DISTRIBUTED BY HASH(k1) BUCKETS 2", {}),
    "t_eight": (["TINYINT", "INT", "BIGINT", "DATE", "BOOLEAN", "VARCHAR(20)", "DECIMAL(9,2)", "DATETIME"], "DISTRIBUTED BY HASH(k2, k5) BUCKETS 5", {}),
}


def literal(value) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, decimal.Decimal)):
        return format(value, "f") if isinstance(value, decimal.Decimal) else str(value)
    text = value.strftime("%Y-%m-%d %H:%M:%S.%f") if isinstance(value, datetime.datetime) else str(value)
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


class Table:
    """One table under test and its random statements."""

    def __init__(self, name: str, rng: random.Random):
        self.name = name
        self.types, self.layout, self.properties = TABLES[name]
        self.rng = rng
        self.values = ["v INT", "s VARCHAR(30)", "n DECIMAL(12,3)", "m DATETIME"]
        self.added = 0

    def create(self) -> str:
        keys = [f"k{i} {kind} NOT NULL" for i, kind in enumerate(self.types)]
        names = ", ".join(f"k{i}" for i in range(len(self.types)))
        properties = ", ".join(f'"{k}" = "{v}"' for k, v in {"replication_num": "1", **self.properties}.items())
        return f"CREATE TABLE {self.name} ({', '.join(keys + self.values)}) UNIQUE KEY({names}) {self.layout} PROPERTIES ({properties})"

    def key(self) -> list:
        """A key: its columns move together, so that keys of many columns are met too."""
        i = self.rng.randrange(KEYS)
        if self.name == "t_list":
            return [self.rng.choice([0, 7919, -7919, 15838, 23757]), KEY_VALUES["BIGINT"](i)]
        if self.name == "t_date":
            return [DAY + datetime.timedelta(days=i % 48), i % 5]
        return [KEY_VALUES[kind](i) for kind in self.types]

    def change(self) -> str:
        rng, draw = self.rng, self.rng.random()
        where = " AND ".join(f"k{i} = {literal(v)}" for i, v in enumerate(self.key()))
        if draw < 0.55:
            rows = {tuple(map(str, key)): key for key in (self.key() for _ in range(rng.randrange(1, 6)))}
            texts = [f"({', '.join([*map(literal, key), *self.row()])})" for key in rows.values()]
            return f"INSERT INTO {self.name} ({self.key_names()}, v, s, n, m) VALUES {', '.join(texts)}"
        if draw < 0.75:
            return f"UPDATE {self.name} SET v = {rng.randrange(100)}, s = 'updated' WHERE {where}"
        return f"DELETE FROM {self.name} WHERE {where}"

    def partial(self) -> str:
        return f"INSERT INTO {self.name} ({self.key_names()}, v) VALUES ({', '.join([*map(literal, self.key()), str(self.rng.randrange(100))])})"

    def key_names(self) -> str:
        return ", ".join(f"k{i}" for i in range(len(self.types)))

    def row(self) -> list[str]:
        rng = self.rng
        return [rng.choice(["NULL", str(rng.randrange(-50, 50))]), rng.choice(["NULL", "'text'", "'it''s'", f"'s{rng.randrange(9)}'"]),
                rng.choice(["NULL", "1.5", "-2.125", "0"]), rng.choice(["NULL", "'2024-02-29 01:02:03'"])]

    def alter(self) -> str:
        self.added += 1
        if self.added % 3 == 0:
            return f"ALTER TABLE {self.name} DROP COLUMN x{self.added - 1}"
        return f"ALTER TABLE {self.name} ADD COLUMN x{self.added} INT DEFAULT \"{self.added}\""

    def query(self) -> tuple[str, list]:
        """A statement with placeholders, and their values."""
        rng = self.rng
        items = rng.choice(["*", "v, s", "k0, v + 1, upper(s)", "s", "coalesce(v, -1) AS c, n, m", "n * 2, k0", "'constant', 5, v", "concat(s, '-', k0)"])
        key = self.key()
        parts, values = [], []
        for i, value in enumerate(key):
            constant = rng.choice(ODD) if rng.random() < 0.07 else value
            if rng.random() < 0.12:
                options = [constant, *(self.key()[i] for _ in range(rng.randrange(3)))]
                parts.append(f"k{i} IN ({', '.join('?' for _ in options)})")
                values += options
            else:
                parts.append(rng.choice([f"k{i} = ?", f"k{i} = ?", f"? = k{i}"]))
                values.append(constant)
        draw = rng.random()
        if draw < 0.1:
            parts.append("v > ?")
            values.append(rng.randrange(-50, 50))
        elif draw < 0.2:
            parts.append("s = ?")
            values.append(rng.choice(["text", "it's", "updated", "TEXT"]))
        elif draw < 0.25:
            parts.append("n < ?")
            values.append(rng.choice([1, decimal.Decimal("1.5"), decimal.Decimal("0.0001"), "1"]))
        elif draw < 0.3:
            parts.append("s LIKE ?")
            values.append(rng.choice(["s%", "t_xt"]))
        return f"SELECT {items} FROM {self.name} WHERE {' AND '.join(parts)}", values


def answer(run) -> object:
    """Rows in an order of their own, or the failure's number."""
    try:
        return sorted((tuple(map(plain, row)) for row in run()), key=repr)
    except pymysql.MySQLError as error:
        return error.args[0]


def plain(value):
    """Types that differ between the protocols brought together."""
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    return str(value) if isinstance(value, (decimal.Decimal, datetime.date)) else value


def filled(sql: str, values: list) -> str:
    pieces = sql.split("?")
    return "".join(piece + (literal(values[i]) if i < len(values) else "") for i, piece in enumerate(pieces))


def rows_of(connection, sql: str) -> tuple:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall()


def metric(cluster, name: str) -> float:
    _, body = cluster.http("GET", "/metrics")
    return sum(float(line.rsplit(" ", 1)[1]) for line in body.decode().splitlines() if line.startswith(name))


@pytest.fixture()
def database(cluster3):
    cluster3.sql("CREATE DATABASE point_query")
    yield "point_query"
    cluster3.sql("DROP DATABASE point_query FORCE")


def test_prepared_text_and_full_plan_agree(cluster3, database):
    rng = random.Random(SEED)
    tables = [Table(name, rng) for name in TABLES]
    with cluster3.connect(database) as look, cluster3.connect(database) as full, cluster3.connect(database) as write:
        rows_of(full, "SET enable_short_circuit_query = false")
        for table in tables:
            rows_of(write, table.create())
            for _ in range(12):
                rows_of(write, table.change())
        planned = metric(cluster3, "doris_fe_point_plan_total")
        statements: dict[str, Prepared] = {}
        found = failed = 0
        for pair in range(PAIRS):
            table = rng.choice(tables)
            if rng.random() < 0.05:
                rows_of(write, table.change())
            if rng.random() < 0.02:
                rows_of(write, "SET enable_unique_key_partial_update = true")
                rows_of(write, "SET enable_insert_strict = false")
                rows_of(write, table.partial())
                rows_of(write, "SET enable_unique_key_partial_update = false")
            if rng.random() < 0.004:
                rows_of(write, table.alter())
            sql, values = table.query()
            text = filled(sql, values)
            if sql not in statements:
                if len(statements) >= 200:
                    statements.pop(next(iter(statements))).close()
                statements[sql] = Prepared(look, sql)
            where = f"seed {SEED}, pair {pair}: {text}"
            expected = answer(lambda: rows_of(full, text))
            assert answer(lambda: rows_of(look, text)) == expected, where
            # The literal of a text and a parameter of the protocol may have different types: the full plan is asked for both.
            prepared = answer(lambda: statements[sql].execute(*values))
            if prepared != expected:
                other = Prepared(full, sql)
                assert prepared == answer(lambda: other.execute(*values)), f"prepared, {where}, {values}"
                other.close()
            found += isinstance(expected, list) and len(expected) > 0
            failed += not isinstance(expected, list)
        assert found > PAIRS // 10 and failed < PAIRS // 5, (found, failed)
        assert metric(cluster3, "doris_fe_point_plan_total") > planned


def test_explain_says_why_not(cluster3, database):
    def short_circuit(sql: str, connection) -> list[str]:
        return [row[0].strip(" |") for row in rows_of(connection, f"EXPLAIN {sql}") if "SHORT-CIRCUIT" in row[0]]

    with cluster3.connect(database) as connection:
        rows_of(connection, 'CREATE TABLE two (k INT NOT NULL, s VARCHAR(9) NOT NULL, v INT) UNIQUE KEY(k, s) DISTRIBUTED BY HASH(k) BUCKETS 2 '
                            'PROPERTIES ("replication_num" = "1")')
        assert short_circuit("SELECT v FROM two WHERE k = 1 AND s = 'x'", connection) == ["SHORT-CIRCUIT"]
        assert short_circuit("SELECT v FROM two WHERE k IN (1, 2) AND s = 'x' AND v > 3", connection) == ["SHORT-CIRCUIT"]
        assert short_circuit("SELECT v FROM two WHERE k = 1", connection) == ["SHORT-CIRCUIT: no: key column s is not compared with a constant"]
        assert short_circuit("SELECT v FROM two WHERE k = 1.5 AND s = 'x'", connection) == ["SHORT-CIRCUIT: no: a key is compared with a value of another kind"]
        assert short_circuit("SELECT now() FROM two WHERE k = 1 AND s = 'x'", connection) == [
            "SHORT-CIRCUIT: no: it depends on the time, the connection or user variables"]
        assert short_circuit("SELECT v FROM two WHERE v = 1", connection) == []
        assert short_circuit("UPDATE two SET v = v + 1 WHERE k = 1 AND s IN ('x', 'y')", connection) == ["SHORT-CIRCUIT"]
        assert short_circuit("DELETE FROM two WHERE k = 1 AND s = 'x' AND v IS NULL", connection) == ["SHORT-CIRCUIT"]
        assert short_circuit("UPDATE two SET v = 1 WHERE k = 1", connection) == ["SHORT-CIRCUIT: no: key column s is not compared with a constant"]
        assert short_circuit("DELETE FROM two WHERE v = 1", connection) == []
        rows_of(connection, "SET enable_short_circuit_query = false")
        for sql in ("SELECT v FROM two WHERE k = 1 AND s = 'x'", "UPDATE two SET v = 1 WHERE k = 1 AND s = 'x'"):
            assert short_circuit(sql, connection) == ["SHORT-CIRCUIT: no: enable_short_circuit_query is false"]


def test_the_next_execute_is_right(cluster3, database):
    """A prepared look-up after everything that changes what it means."""
    create = 'CREATE TABLE {} (k INT NOT NULL, v INT) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 3 PROPERTIES ("replication_num" = "1")'
    cluster3.sql(create.format("t"), database)
    cluster3.sql("INSERT INTO t VALUES (1, 10), (2, 20)", database)
    cluster3.sql("DROP USER IF EXISTS 'point_reader'")
    cluster3.sql("CREATE USER 'point_reader' IDENTIFIED BY 'x'")
    cluster3.sql("GRANT SELECT_PRIV ON point_query.* TO 'point_reader'")
    cluster3.sql("CREATE DATABASE IF NOT EXISTS point_query_2")
    cluster3.sql(create.format("t"), "point_query_2")
    cluster3.sql("INSERT INTO t VALUES (1, -10)", "point_query_2")
    try:
        with cluster3.connect(database, user="point_reader", password="x") as connection:
            statement = Prepared(connection, "SELECT * FROM t WHERE k = ?")
            named = Prepared(connection, "SELECT * FROM point_query.t WHERE k = ?")

            def executed(key=1):
                return [answer(lambda: each.execute(key)) for each in (statement, statement, named, named)]

            def same(*rows):
                return [sorted(rows)] * 4

            assert executed() == same((1, 10))
            cluster3.sql("INSERT INTO t VALUES (1, 11)", database)
            assert executed() == same((1, 11))
            cluster3.sql("DELETE FROM t WHERE k = 1", database)
            assert executed() == same()
            cluster3.sql("INSERT INTO t VALUES (1, 12)", database)
            assert executed("1") == same((1, 12))
            cluster3.sql('ALTER TABLE t ADD COLUMN w INT DEFAULT "7"', database)
            assert executed() == same((1, 12, 7))
            cluster3.sql("ALTER TABLE t DROP COLUMN w", database)
            assert executed() == same((1, 12))
            cluster3.sql("TRUNCATE TABLE t", database)
            assert executed() == same()
            cluster3.sql("INSERT OVERWRITE TABLE t VALUES (1, 13)", database)
            assert executed() == same((1, 13))
            cluster3.sql("ALTER TABLE t RENAME gone", database)
            assert executed() == [1109] * 4
            cluster3.sql("CREATE VIEW t AS SELECT k, v + 100 AS v FROM gone", database)
            assert executed() == same((1, 113))
            cluster3.sql("DROP VIEW t", database)
            cluster3.sql(create.format("t").replace("v INT", "v VARCHAR(5)"), database)
            cluster3.sql("INSERT INTO t VALUES (1, 'text')", database)
            assert executed() == same((1, "text"))
            rows_of(connection, "USE point_query")
            cluster3.sql("GRANT SELECT_PRIV ON point_query_2.* TO 'point_reader'")
            rows_of(connection, "USE point_query_2")
            assert executed() == [[(1, -10)]] * 2 + [[(1, "text")]] * 2
            rows_of(connection, "USE point_query")
            assert executed() == same((1, "text"))
            rows_of(connection, "SET enable_short_circuit_query = false")
            assert executed() == same((1, "text"))
            cluster3.sql("REVOKE SELECT_PRIV ON point_query.* FROM 'point_reader'")
            refused = executed()
            assert all(isinstance(number, int) for number in refused) and len(set(refused)) == 1, refused
            cluster3.sql("GRANT SELECT_PRIV ON point_query.t TO 'point_reader'")
            rows_of(connection, "SET enable_short_circuit_query = true")
            assert executed() == same((1, "text"))
    finally:
        cluster3.sql("DROP USER 'point_reader'")
        cluster3.sql("DROP DATABASE point_query_2 FORCE")
