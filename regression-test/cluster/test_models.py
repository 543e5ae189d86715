# SPDX-License-Identifier: Apache-2.0
"""Random histories of statements and loads on every table model, through the clients' own doors, against a small model in Python: after each
step the table holds what the model says. The seed is printed; THETIS_HISTORIES and THETIS_SEED repeat and enlarge."""
import os
import random
import time

import pytest

HISTORIES = int(os.environ.get("THETIS_HISTORIES", "2"))
STEPS = int(os.environ.get("THETIS_HISTORY_STEPS", "25"))
KEYS = 40

MODELS = {
    "duplicate": "DUPLICATE KEY(k1, k2)",
    "aggregate": "AGGREGATE KEY(k1, k2)",
    "merge_on_write": "UNIQUE KEY(k1, k2)",
    "merge_on_read": "UNIQUE KEY(k1, k2)",
    "sequence": "UNIQUE KEY(k1, k2)",
}
PROPERTIES = {
    "merge_on_write": '"enable_unique_key_merge_on_write" = "true"',
    "merge_on_read": '"enable_unique_key_merge_on_write" = "false"',
    "sequence": '"function_column.sequence_col" = "n"',
}


def literal(value) -> str:
    if value is None:
        return "NULL"
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


class Table:
    """The table under test and what it should hold: rows are [k1, k2, n, s, further value columns...]."""

    def __init__(self, cluster, kind: str, source: random.Random, number: int):
        self.cluster = cluster
        self.kind = kind
        self.random = source
        self.name = f"{kind}_{number}"
        self.columns = ["k1", "k2", "n", "s"]
        self.rows: dict[tuple, list] | list = [] if kind == "duplicate" else {}
        self.deleted_sequence: dict[tuple, int] = {}
        self.log: list[str] = []
        aggregate = kind == "aggregate"
        replicas = len(cluster.backends)
        properties = ", ".join(filter(None, [f'"replication_num" = "{replicas}"', PROPERTIES.get(kind)]))
        self.run(f"CREATE TABLE {self.name} (k1 INT NOT NULL, k2 VARCHAR(20), n BIGINT {'SUM' if aggregate else ''} NULL, "
                 f"s VARCHAR(50) {'REPLACE_IF_NOT_NULL' if aggregate else ''} NULL) {MODELS[kind]} "
                 f"DISTRIBUTED BY HASH(k1) BUCKETS 2 PROPERTIES ({properties})")

    def run(self, statement: str) -> tuple:
        self.log.append(statement[:300])
        return self.cluster.sql(statement, "models")

    # What a step gives.
    def key(self) -> tuple:
        return self.random.randrange(KEYS), self.random.choice([None, "", "a", "b ", "ü", "zz" * 8])

    def row(self) -> list:
        k1, k2 = self.key()
        n = self.random.choice([None, *range(-3, 12)])
        if self.kind == "sequence":
            n = self.random.randrange(30)
        values = [k1, k2, n, self.random.choice([None, "", "x", "it's", "日本"])]
        return values + [self.random.choice([None, 1, 2, 3]) for _ in self.columns[4:]]

    # The model.
    def put(self, row: list) -> None:
        if self.kind == "duplicate":
            self.rows.append(row)
            return
        key = (row[0], row[1])
        old = self.rows.get(key)
        if self.kind == "aggregate" and old is not None:
            total = None if old[2] is None and row[2] is None else (old[2] or 0) + (row[2] or 0)
            merged = [row[0], row[1], total, old[3] if row[3] is None else row[3]]
            merged += [b if b is not None else a for a, b in zip(old[4:], row[4:])]
            self.rows[key] = merged
            return
        if self.kind == "sequence":
            known = self.deleted_sequence.get(key, old[2] if old is not None else None)
            if known is not None and row[2] < known:
                return
            self.deleted_sequence.pop(key, None)
        self.rows[key] = row

    def all(self) -> list:
        return self.rows if self.kind == "duplicate" else list(self.rows.values())

    def keep(self, condition) -> None:
        if self.kind == "duplicate":
            self.rows = [row for row in self.rows if condition(row)]
            return
        for key, row in list(self.rows.items()):
            if not condition(row):
                del self.rows[key]
                if self.kind == "sequence":
                    self.deleted_sequence[key] = row[2]

    # The steps.
    def insert(self) -> None:
        rows = [self.row() for _ in range(self.random.choice([1, 1, 3, 30]))]
        values = ", ".join("(" + ", ".join(map(literal, row)) + ")" for row in rows)
        self.run(f"INSERT INTO {self.name} ({', '.join(self.columns)}) VALUES {values}")
        for row in rows:
            self.put(row)

    def stream_load(self) -> None:
        rows = [self.row() for _ in range(self.random.choice([1, 50, 400]))]
        body = "".join("|".join("\\N" if v is None else str(v) for v in row) + "\n" for row in rows)
        self.log.append(f"stream load of {len(rows)} rows")
        reply = self.cluster.stream_load("models", self.name, body.encode(), column_separator="|", columns=",".join(self.columns))
        assert reply["Status"] == "Success", reply
        for row in rows:
            self.put(row)

    def delete(self) -> None:
        low = self.random.randrange(KEYS)
        if self.kind == "aggregate" or self.random.random() < 0.6:
            self.run(f"DELETE FROM {self.name} WHERE k1 >= {low} AND k1 < {low + 6}")
            self.keep(lambda row: not low <= row[0] < low + 6)
        else:
            self.run(f"DELETE FROM {self.name} WHERE n = {low % 10} OR s IS NULL")
            self.keep(lambda row: not (row[2] == low % 10 or row[3] is None))

    def update(self) -> None:
        if self.kind not in ("merge_on_write", "merge_on_read", "sequence"):
            return self.insert()
        low = self.random.randrange(KEYS)
        self.run(f"UPDATE {self.name} SET s = concat('u', k1) WHERE k1 > {low} AND (n > 2 OR n IS NULL)")
        for row in self.all():
            if row[0] > low and (row[2] is None or row[2] > 2):
                row[3] = f"u{row[0]}"

    def partial_update(self) -> None:
        if self.kind != "merge_on_write":
            return self.insert()
        rows = [self.row() for _ in range(20)]
        body = "".join(f"{r[0]}|{chr(92) + 'N' if r[1] is None else r[1]}|{chr(92) + 'N' if r[3] is None else r[3]}\n" for r in rows)
        self.log.append("partial update of s")
        reply = self.cluster.stream_load("models", self.name, body.encode(), column_separator="|", columns="k1,k2,s", partial_columns="true")
        assert reply["Status"] == "Success", reply
        for row in rows:
            old = self.rows.get((row[0], row[1]))
            if old is not None:
                old[3] = row[3]
            else:
                self.put([row[0], row[1], None, row[3], *([None] * len(self.columns[4:]))])

    def truncate(self) -> None:
        if self.random.random() < 0.7:
            return self.insert()
        self.run(f"TRUNCATE TABLE {self.name}")
        self.rows = [] if self.kind == "duplicate" else {}
        self.deleted_sequence = {}

    def alter(self) -> None:
        if len(self.columns) < 6:
            name = f"c{self.random.randrange(1000)}"
            if name not in self.columns:
                self.run(f"ALTER TABLE {self.name} ADD COLUMN {name} INT {'REPLACE_IF_NOT_NULL' if self.kind == 'aggregate' else ''} NULL")
                self.columns.append(name)
                for row in self.all():
                    row.append(None)
        else:
            self.run(f"ALTER TABLE {self.name} DROP COLUMN {self.columns.pop(4)}")
            for row in self.all():
                del row[4]

    def compact(self) -> None:
        self.log.append("compaction")
        # A base compaction may forget deleted keys with their sequence; what an older row then does is not promised.
        kinds = ["cumulative"] if self.kind == "sequence" else ["cumulative", "base", "full"]
        tablets = self.cluster.sql(f"SHOW TABLETS FROM {self.name}", "models")
        for backend in self.cluster.backends:
            for tablet in {row[0] for row in tablets}:
                self.cluster.http("POST", f"/api/compaction/run?tablet_id={tablet}&compact_type={self.random.choice(kinds)}", backend)

    def check(self) -> None:
        expected = sorted(self.all(), key=repr)
        names = ", ".join(self.columns)
        actual = sorted([list(row) for row in self.run(f"SELECT {names} FROM {self.name}")], key=repr)
        assert actual == expected, self.difference(actual, expected)
        low = self.random.randrange(KEYS)
        counted = self.run(f"SELECT count(*), count(n), min(s) FROM {self.name} WHERE k1 <= {low}")[0]
        chosen = [row for row in self.all() if row[0] <= low]
        texts = [row[3].encode() for row in chosen if row[3] is not None]
        assert counted == (len(chosen), sum(row[2] is not None for row in chosen), min(texts).decode() if texts else None), self.history()

    def difference(self, actual: list, expected: list) -> str:
        surplus = [row for row in actual if row not in expected][:5]
        missing = [row for row in expected if row not in actual][:5]
        return f"{len(actual)} rows instead of {len(expected)}; surplus {surplus}; missing {missing}\n{self.history()}"

    def history(self) -> str:
        return "\n".join(self.log[-40:])


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("backends", [1, 3])
def test_random_histories(kind, backends, request):
    cluster = request.getfixturevalue(f"cluster{backends}")
    cluster.sql("CREATE DATABASE IF NOT EXISTS models")
    seed = int(os.environ.get("THETIS_SEED", time.time_ns() % (1 << 32)))
    print("seed", seed)
    for number in range(HISTORIES):
        source = random.Random(f"{seed}/{kind}/{number}")
        table = Table(cluster, kind, source, number)
        steps = [table.insert, table.insert, table.stream_load, table.delete, table.update, table.partial_update, table.truncate, table.alter, table.compact]
        for _ in range(STEPS):
            source.choice(steps)()
            table.check()
        cluster.sql(f"DROP TABLE {table.name}", "models")
