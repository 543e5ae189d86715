# SPDX-License-Identifier: Apache-2.0
"""The checklist through Python's drivers: checklist.py PORT"""
import asyncio
import datetime
import decimal
import sys
from collections.abc import Callable

import aiomysql
import asyncmy
import mysql.connector
import pandas
import pymysql
import sqlalchemy

PORT = int(sys.argv[1])
SERVER = {"host": "127.0.0.1", "port": PORT, "user": "root"}
DATABASE = "python_checklist"
TABLE = "(a INT, b BIGINT, d DECIMAL(20,4), e VARCHAR(100), f DATE, g DATETIME(3)) PROPERTIES('replication_num'='1')"
ROW = (1, 2**62, decimal.Decimal("1.5000"), "x'y\\日", datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 1, 2, 3, 456000))
failures = 0


def step(name: str, run: Callable[[], None]) -> None:
    global failures
    try:
        run()
    except Exception as failure:  # noqa: BLE001 - a driver may raise anything
        failures += 1
        print("FAIL", name, type(failure).__name__, failure)


def both_ways(connection, cursor) -> None:
    """Writes and reads every type, in one row and in a batch."""
    cursor.execute(f"CREATE DATABASE IF NOT EXISTS {DATABASE}")
    cursor.execute(f"DROP TABLE IF EXISTS {DATABASE}.t")
    cursor.execute(f"CREATE TABLE {DATABASE}.t {TABLE}")
    cursor.execute(f"INSERT INTO {DATABASE}.t VALUES (%s, %s, %s, %s, %s, %s)", ROW)
    cursor.executemany(f"INSERT INTO {DATABASE}.t (a, e) VALUES (%s, %s)", [(2, "q"), (3, None)])
    connection.commit()
    cursor.execute(f"SELECT * FROM {DATABASE}.t WHERE a > %s ORDER BY a", (0,))
    rows = [tuple(row) for row in cursor.fetchall()]
    assert rows == [ROW, (2, None, None, "q", None, None), (3, None, None, None, None, None)], rows


def look_ups(cursor) -> None:
    """Rows by key, again and again, and some that are not there."""
    cursor.execute(f"DROP TABLE IF EXISTS {DATABASE}.kv")
    cursor.execute(f"CREATE TABLE {DATABASE}.kv (k BIGINT, v VARCHAR(50), n DECIMAL(10,2)) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 2 "
                   "PROPERTIES('replication_num'='1', 'store_row_column'='true')")
    cursor.execute(f"INSERT INTO {DATABASE}.kv VALUES (1, 'one', 1.50), (2, NULL, NULL), (-3, '', 0)")
    expected = {1: ("one", decimal.Decimal("1.50")), 2: (None, None), -3: ("", decimal.Decimal("0.00"))}
    for _ in range(5):
        for key in range(-3, 5):
            cursor.execute(f"SELECT v, n FROM {DATABASE}.kv WHERE k = %s", (key,))
            rows = [tuple(row) for row in cursor.fetchall()]
            assert rows == ([expected[key]] if key in expected else []), (key, rows)


def connector(prepared: bool) -> None:
    connection = mysql.connector.connect(**SERVER, use_pure=True, ssl_disabled=True)
    both_ways(connection, connection.cursor(prepared=prepared))
    look_ups(connection.cursor(prepared=prepared))
    connection.cmd_reset_connection()
    connection.close()


def with_pymysql() -> None:
    connection = pymysql.connect(**SERVER)
    both_ways(connection, connection.cursor())
    look_ups(connection.cursor())
    connection.ping()
    connection.close()


async def asynchronous(driver) -> None:
    connection = await driver.connect(**SERVER, db=DATABASE)
    async with connection.cursor() as cursor:
        await cursor.execute("SELECT count(*) FROM t WHERE a > %s", (0,))
        assert (await cursor.fetchall())[0][0] == 3
        for _ in range(5):
            await cursor.execute("SELECT v FROM kv WHERE k = %s", (1,))
            assert [tuple(row) for row in await cursor.fetchall()] == [("one",)]
    connection.close()


def with_sqlalchemy() -> None:
    engine = sqlalchemy.create_engine(f"mysql+pymysql://root:@127.0.0.1:{PORT}/{DATABASE}", pool_pre_ping=True)
    names = [column["name"] for column in sqlalchemy.inspect(engine).get_columns("t")]
    assert names == ["a", "b", "d", "e", "f", "g"], names
    reflected = sqlalchemy.Table("t", sqlalchemy.MetaData(), autoload_with=engine)
    with engine.begin() as connection:
        query = sqlalchemy.select(sqlalchemy.func.count()).select_from(reflected).where(reflected.c.a.in_([1, 2]))
        assert connection.execute(query).scalar() == 2
    metadata = sqlalchemy.MetaData()
    people = sqlalchemy.Table(
        "people", metadata, sqlalchemy.Column("id", sqlalchemy.Integer, primary_key=True, autoincrement=False),
        sqlalchemy.Column("name", sqlalchemy.String(50)), sqlalchemy.Column("at", sqlalchemy.DateTime))
    metadata.drop_all(engine)
    metadata.create_all(engine)
    with engine.begin() as connection:
        connection.execute(people.insert(), [{"id": 1, "name": "a", "at": ROW[5].replace(microsecond=0)}, {"id": 2, "name": "b", "at": None}])
    with engine.begin() as connection:
        connection.execute(people.update().where(people.c.id == 2).values(name="c"))
        connection.execute(people.delete().where(people.c.id == 1))
        assert connection.execute(sqlalchemy.select(people.c.id, people.c.name)).fetchall() == [(2, "c")]


def with_pandas() -> None:
    engine = sqlalchemy.create_engine(f"mysql+pymysql://root:@127.0.0.1:{PORT}/{DATABASE}")
    frame = pandas.DataFrame({"a": [7, 8], "e": ["p", "q"]})
    frame.to_sql("frame", engine, if_exists="replace", index=False)
    frame.to_sql("frame", engine, if_exists="append", index=False)
    assert sorted(pandas.read_sql("SELECT a FROM frame", engine)["a"]) == [7, 7, 8, 8]


step("mysql-connector-python text", lambda: connector(False))
step("mysql-connector-python prepared", lambda: connector(True))
step("PyMySQL", with_pymysql)
step("aiomysql", lambda: asyncio.run(asynchronous(aiomysql)))
step("asyncmy", lambda: asyncio.run(asynchronous(asyncmy)))
step("SQLAlchemy", with_sqlalchemy)
step("pandas", with_pandas)
sys.exit(1 if failures else 0)
