# SPDX-License-Identifier: Apache-2.0
"""UPDATE and DELETE by key look their rows up instead of scanning: random ones on a table leave it as the same statements do with
enable_short_circuit_query = false on its twin, with equal counts and errors. THETIS_CHANGE_STEPS is the number of statements per table."""
from __future__ import annotations

import os
import random
import threading

import pymysql
import pytest

from runner.prepared import Prepared
from test_point_queries import counter

STEPS = int(os.environ.get("THETIS_CHANGE_STEPS", "60"))
SEED = int(os.environ.get("THETIS_CHANGE_SEED", "0")) or random.randrange(1, 1 << 30)
KEYS = 12

COLUMNS = """v BIGINT, n INT NOT NULL DEFAULT "7", s VARCHAR(12), c CHAR(6), d DECIMAL(12,3), f DOUBLE, r FLOAT, m DATETIME(3), day DATE, b BOOLEAN, w LARGEINT"""
TABLES = {
    "rows": ("k BIGINT NOT NULL", "UNIQUE KEY(k)", "DISTRIBUTED BY HASH(k) BUCKETS 3", '"store_row_column" = "true"'),
    "two_keys": ("k BIGINT NOT NULL, t VARCHAR(5) NOT NULL", "UNIQUE KEY(k, t)", "DISTRIBUTED BY HASH(t) BUCKETS 2", '"store_row_column" = "false"'),
    "sequence": ("k BIGINT NOT NULL", "UNIQUE KEY(k)", "DISTRIBUTED BY HASH(k) BUCKETS 2", '"function_column.sequence_col" = "n"'),
    "parts": ("k BIGINT NOT NULL", "UNIQUE KEY(k)", "PARTITION BY RANGE(k) (PARTITION p1 VALUES LESS THAN (4), PARTITION p2 VALUES LESS THAN (9)) DISTRIBUTED BY HASH(k) BUCKETS 2", '"store_row_column" = "true"'),
}

# What is set, with the values of its parameters: mostly right, some that do not fit and have to be refused alike.
SETTINGS = [
    ("v = v + ?", lambda rng: [rng.randrange(-5, 6)]),
    ("v = ?", lambda rng: [rng.choice([None, 0, -1, 1 << 62, "12", "x", "2.5"])]),
    ("v = n * 2 - k", lambda rng: []),
    ("n = n + 1", lambda rng: []),
    ("n = ?", lambda rng: [rng.choice([1, 5, 3_000_000_000, None])]),
    ("n = DEFAULT", lambda rng: []),
    ("s = ?", lambda rng: [rng.choice(["", "it's", "ä漢", "a\\b", "blank ", "far too long for it", None])]),
    ("s = concat(s, ?)", lambda rng: [rng.choice(["x", "", "yy"])]),
    ("s = upper(c), c = s", lambda rng: []),
    ("c = substr(s, 1, 6)", lambda rng: []),
    ("d = d * ?", lambda rng: [rng.choice([2, "1.5", -1])]),
    ("d = v", lambda rng: []),
    ("f = f / 3", lambda rng: []),
    ("f = d, d = f", lambda rng: []),
    ("r = r * 1.1", lambda rng: []),
    ("m = date_add(m, INTERVAL 1 DAY)", lambda rng: []),
    ("m = ?", lambda rng: [rng.choice(["2024-02-29 10:00:00.1239", "2024-02-30", None])]),
    ("day = m", lambda rng: []),
    ("b = NOT b", lambda rng: []),
    ("w = w * 1000000007 + v", lambda rng: []),
    ("v = CASE WHEN v > ? THEN NULL ELSE length(s) END", lambda rng: [rng.randrange(5)]),
]
FURTHER = [("", lambda rng: [])] * 4 + [
    (" AND v > ?", lambda rng: [rng.randrange(-3, 4)]),
    (" AND s IS NOT NULL", lambda rng: []),
    (" AND (v IS NULL OR n > ?)", lambda rng: [rng.randrange(10)]),
    (" AND c = ?", lambda rng: [rng.choice(["a", "b"])]),
]


def text_of(value) -> str:
    if value is None:
        return "NULL"
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'" if isinstance(value, str) else str(value)


def condition(rng: random.Random, keys: str) -> tuple[str, list]:
    values: list = []
    parts = []
    for column in keys.split(", "):
        name = column.split()[0]
        some = [rng.randrange(-1, KEYS) if name == "k" else rng.choice("abc") for _ in range(rng.choice([1, 1, 1, 3]))]
        values += some
        parts.append(f"{name} = ?" if len(some) == 1 else f"{name} IN ({', '.join('?' * len(some))})")
    further, make = rng.choice(FURTHER)
    return " AND ".join(parts) + further, values + make(rng)


def statement(rng: random.Random, keys: str) -> tuple[str, list]:
    where, values = condition(rng, keys)
    if rng.random() < 0.25:
        return f"DELETE FROM {{}} WHERE {where}", values
    setting, make = rng.choice(SETTINGS)
    return f"UPDATE {{}} SET {setting} WHERE {where}", make(rng) + values


def filled(sql: str, values: list) -> str:
    parts = sql.split("?")
    return "".join(part + (text_of(values[i]) if i < len(values) else "") for i, part in enumerate(parts))


def row(rng: random.Random, key: int, keys: str) -> str:
    cells = [str(key)] + ([text_of(rng.choice("abc"))] if ", t " in keys else [])
    cells += [rng.choice(["NULL", str(rng.randrange(-4, 5))]), str(rng.randrange(9)), rng.choice(["NULL", "'s'", "'äß'", "'q ''x'"]), rng.choice(["NULL", "'a'", "'b'"]),
              rng.choice(["NULL", "1.125", "-3.5"]), rng.choice(["NULL", "0.1", "-1e100", "1.0000000000000002"]), rng.choice(["NULL", "0.1", "16777217"]),
              rng.choice(["NULL", "'2024-01-31 12:00:00.005'", "'0001-01-01'"]), rng.choice(["NULL", "'1999-12-31'"]), rng.choice(["NULL", "true", "false"]), rng.choice(["NULL", "100000000000000000000"])]
    return "(" + ", ".join(cells) + ")"


def run(connection, sql: str) -> tuple:
    try:
        with connection.cursor() as cursor:
            return ("done", cursor.execute(sql))
    except pymysql.MySQLError as error:
        return ("failed", error.args[0])


@pytest.mark.parametrize("table", TABLES)
def test_the_same_as_full_plans(cluster1, table):
    rng = random.Random(f"{SEED} {table}")
    keys, model, spread, properties = TABLES[table]
    database = f"changes_{table}"
    cluster1.sql(f"DROP DATABASE IF EXISTS {database} FORCE")
    cluster1.sql(f"CREATE DATABASE {database}")
    for name in ("quick", "whole"):
        cluster1.sql(f'CREATE TABLE {name} ({keys}, {COLUMNS}) {model} {spread} PROPERTIES ("replication_num" = "1", "enable_unique_key_merge_on_write" = "true", {properties})', database)
    looked_up = counter(cluster1, "point_change_total")
    order = "ORDER BY " + ", ".join(column.split()[0] for column in keys.split(", "))
    with cluster1.connect(database) as short, cluster1.connect(database) as full:
        run(full, "SET enable_short_circuit_query = false")
        kept: dict[str, Prepared] = {}
        for step in range(STEPS):
            where = f"seed {SEED}, step {step}"
            if step % 4 == 0:
                # Without a second row of one key: which of them wins is not told by the statement when sequences are equal.
                values = ", ".join(row(rng, key, keys) for key in rng.sample(range(min(KEYS, 9)), 3))
                assert run(short, f"INSERT INTO quick VALUES {values}") == run(full, f"INSERT INTO whole VALUES {values}"), where
                continue
            sql, values = statement(rng, keys)
            expected = run(full, filled(sql.format("whole"), values))
            if rng.random() < 0.5:
                answer = run(short, filled(sql.format("quick"), values))
                assert answer == expected, f"{where}: {filled(sql.format('short'), values)}"
            else:
                prepared = kept.get(sql) or kept.setdefault(sql, Prepared(short, sql.format("quick")))
                try:
                    prepared.execute(*values)
                    answer = ("done", prepared.affected_rows)
                except pymysql.MySQLError as error:
                    answer = ("failed", error.args[0])
                assert answer == expected, f"{where}: {sql} {values}"
            with short.cursor() as one, full.cursor() as other:
                one.execute(f"SELECT * FROM quick {order}")
                other.execute(f"SELECT * FROM whole {order}")
                assert one.fetchall() == other.fetchall(), f"{where}: {sql} {values}"
    assert counter(cluster1, "point_change_total") - looked_up > STEPS / 4, "the changes did not take their own road"
    cluster1.sql(f"DROP DATABASE {database} FORCE")


def test_plans_are_kept_and_follow_the_table(cluster1):
    cluster1.sql("DROP DATABASE IF EXISTS changes FORCE")
    cluster1.sql("CREATE DATABASE changes")
    cluster1.sql('CREATE TABLE t (k INT NOT NULL, v INT, s VARCHAR(10)) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 2 PROPERTIES ("replication_num" = "1")', "changes")
    cluster1.sql("INSERT INTO t VALUES (1, 1, 'a'), (2, 2, 'b')", "changes")
    with cluster1.connect("changes") as connection:
        update = Prepared(connection, "UPDATE t SET v = v + ? WHERE k = ?")
        before = counter(cluster1, "point_change_plan_total")
        for i in range(5):
            update.execute(i, 1)
            assert update.affected_rows == 1
            run(connection, f"UPDATE t SET s = 'text {i}' WHERE k = {1 + i % 2}")
        assert counter(cluster1, "point_change_plan_total") - before == 2, "one plan for each statement"
        with connection.cursor() as cursor:
            cursor.execute("UPDATE t SET v = 0 WHERE k = 77")
            assert cursor.rowcount == 0
            cursor.execute("SELECT * FROM t ORDER BY k")
            assert cursor.fetchall() == ((1, 11, "text 4"), (2, 2, "text 3"))
        cluster1.sql("ALTER TABLE t RENAME other", "changes")
        with pytest.raises(pymysql.MySQLError):
            update.execute(1, 1)
        cluster1.sql('CREATE TABLE t (k BIGINT NOT NULL, v DOUBLE) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1 PROPERTIES ("replication_num" = "1")', "changes")
        cluster1.sql("INSERT INTO t VALUES (1, 0.5)", "changes")
        update.execute(1, 1)
        assert update.affected_rows == 1
        with connection.cursor() as cursor:
            cursor.execute("SELECT * FROM t UNION ALL SELECT k, v FROM other WHERE k = 1")
            assert sorted(cursor.fetchall()) == [(1, 1.5), (1, 11.0)]
    cluster1.sql("DROP DATABASE changes FORCE")


def test_counters_lose_no_change(cluster1):
    cluster1.sql("DROP DATABASE IF EXISTS changes FORCE")
    cluster1.sql("CREATE DATABASE changes")
    cluster1.sql('CREATE TABLE t (k INT NOT NULL, v INT, w INT) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 3 PROPERTIES ("replication_num" = "1", "store_row_column" = "true")', "changes")
    cluster1.sql("INSERT INTO t VALUES (1, 0, 0), (2, 0, 0)", "changes")
    looked_up = counter(cluster1, "point_change_total")
    problems: list[str] = []

    def count(prepared: bool) -> None:
        try:
            with cluster1.connect("changes") as connection:
                statement = Prepared(connection, "UPDATE t SET v = v + ? WHERE k IN (?, ?)")
                for _ in range(12):
                    if prepared:
                        statement.execute(1, 1, 2)
                    else:
                        with connection.cursor() as cursor:
                            cursor.execute("UPDATE t SET v = v + 1, w = v WHERE k = 1")
        except pymysql.MySQLError as error:
            problems.append(str(error))

    threads = [threading.Thread(target=count, args=(i % 2 == 0,), daemon=True) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()
    assert not problems
    assert cluster1.sql("SELECT k, v FROM t ORDER BY k", "changes") == ((1, 48), (2, 24))
    assert counter(cluster1, "point_change_total") - looked_up == 48
    cluster1.sql("DROP DATABASE changes FORCE")
