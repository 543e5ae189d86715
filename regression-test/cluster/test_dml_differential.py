# SPDX-License-Identifier: Apache-2.0
"""Random histories of INSERT, UPDATE and DELETE on every model that has them, compared with SQLite after every few steps."""
import os
import random
import sqlite3
import uuid

import pytest

STEPS = int(os.environ.get("THETIS_DML_STEPS", "120"))
SEED = int(os.environ.get("THETIS_DML_SEED", "0")) or random.randrange(1, 1 << 30)
KEYS = 40


def literal(value) -> str:
    return "NULL" if value is None else f"'{value}'" if isinstance(value, str) else str(value)


class History:
    """One table here and in SQLite, and a source of random statements that mean the same in both."""

    def __init__(self, rng: random.Random, unique: bool):
        self.rng = rng
        self.unique = unique

    def value(self, column: str):
        if column != "k" and self.rng.random() < 0.15:
            return None
        if column == "s":
            return self.rng.choice(["", "a", "b", "ab", "B", "zz", "a b", "%"]) + str(self.rng.randrange(5))
        return self.rng.randrange(KEYS) if column == "k" else self.rng.randrange(-20, 20)

    def predicate(self, depth: int = 0) -> str:
        rng = self.rng
        kind = rng.randrange(9 if depth < 2 else 6)
        column = rng.choice(["k", "v", "s"])
        if kind == 0:
            return f"{column} {rng.choice(['=', '<>', '<', '>=', '>'])} {literal(self.value(column) if rng.random() < 0.95 else None)}"
        if kind == 1:
            return f"{column} IS {rng.choice(['', 'NOT '])}NULL"
        if kind == 2:
            options = ", ".join(literal(self.value(column)) for _ in range(rng.randrange(1, 4)))
            return f"{column} {rng.choice(['', 'NOT '])}IN ({options})"
        if kind == 3:
            low = rng.randrange(-20, KEYS)
            return f"{rng.choice(['k', 'v'])} BETWEEN {low} AND {low + rng.randrange(15)}"
        if kind == 4:
            return f"k % {rng.randrange(2, 7)} = {rng.randrange(3)}"
        if kind == 5:
            return f"v + k > {rng.randrange(-10, KEYS)}"
        if kind == 6:
            return f"NOT ({self.predicate(depth + 1)})"
        return f"({self.predicate(depth + 1)} {rng.choice(['AND', 'OR'])} {self.predicate(depth + 1)})"

    def insert(self) -> tuple[str, str]:
        rows = ", ".join("(" + ", ".join(literal(self.value(c)) for c in ("k", "v", "s")) + ")" for _ in range(self.rng.randrange(1, 8)))
        return f"INSERT INTO t VALUES {rows}", f"INSERT {'OR REPLACE ' if self.unique else ''}INTO t VALUES {rows}"

    def update(self) -> tuple[str, str]:
        settings = self.rng.sample(["v = v + 1", "v = k", "v = NULL", "s = 'u'", "v = k - v", "s = NULL", "v = CASE WHEN v > 0 THEN 0 ELSE v END"], 2)
        columns = {setting.split(" ")[0]: setting for setting in settings}
        text = f"UPDATE t SET {', '.join(columns.values())} WHERE {self.predicate()}"
        return text, text

    def delete(self) -> tuple[str, str]:
        predicate = self.predicate()
        if self.unique and self.rng.random() < 0.3:
            predicate = f"k IN (SELECT k + 1 FROM t WHERE {predicate})"
        return f"DELETE FROM t WHERE {predicate}", f"DELETE FROM t WHERE {predicate}"

    def step(self) -> tuple[str, str]:
        draw = self.rng.random()
        if draw < 0.5:
            return self.insert()
        return self.update() if self.unique and draw < 0.8 else self.delete()


MODELS = {
    "merge_on_write": ('UNIQUE KEY(k)', '"enable_unique_key_merge_on_write" = "true", ', True),
    "merge_on_read": ('UNIQUE KEY(k)', '"enable_unique_key_merge_on_write" = "false", ', True),
    "duplicate": ('DUPLICATE KEY(k)', '', False),
}


@pytest.mark.parametrize("model", MODELS)
def test_random_history(cluster1, model):
    keys, properties, unique = MODELS[model]
    rng = random.Random(f"{SEED} {model}")
    database = "dml_" + uuid.uuid4().hex[:10]
    cluster1.sql(f"CREATE DATABASE {database}")
    cluster1.sql(f'CREATE TABLE t (k INT NOT NULL, v INT, s VARCHAR(20)) {keys} DISTRIBUTED BY HASH(k) BUCKETS 3 PROPERTIES ({properties}"replication_num" = "1")', database)
    other = sqlite3.connect(":memory:")
    other.execute("PRAGMA case_sensitive_like = ON")
    other.execute(f"CREATE TABLE t (k INTEGER {'PRIMARY KEY' if unique else 'NOT NULL'}, v INTEGER, s TEXT)")
    history = History(rng, unique)
    order = "ORDER BY k, v, s"
    with cluster1.connect(database) as connection, connection.cursor() as cursor:
        for step in range(STEPS):
            ours, theirs = history.step()
            cursor.execute(ours)
            other.execute(theirs)
            if step % 5 == 4 or step == STEPS - 1:
                cursor.execute(f"SELECT k, v, s FROM t {order}")
                mine = [tuple(row) for row in cursor.fetchall()]
                expected = [tuple(row) for row in other.execute(f"SELECT k, v, s FROM t {order}").fetchall()]
                assert mine == expected, f"seed {SEED}, step {step}: {ours}"
                cursor.execute("SELECT count(*), count(v), sum(v) FROM t")
                counts = tuple(None if value is None else int(value) for value in cursor.fetchone())
                assert counts == other.execute("SELECT count(*), count(v), sum(v) FROM t").fetchone(), f"seed {SEED}, step {step}: {ours}"
    cluster1.sql(f"DROP DATABASE {database} FORCE")
