# SPDX-License-Identifier: Apache-2.0
"""What client drivers rely on: connect-time questions, types and NULLs as text, several results, error codes, warnings, KILL."""
import datetime
import decimal
import shutil
import subprocess
import threading
import time

import pymysql
import pytest
from pymysql.constants import CLIENT

DATABASE = "drivers"

CONNECT_QUESTIONS = [
    "select @@version_comment limit 1",
    "SELECT DATABASE()",
    "SELECT @@session.auto_increment_increment AS a, @@character_set_client AS b, @@collation_server AS c, @@init_connect AS d, "
    "@@interactive_timeout AS e, @@license AS f, @@lower_case_table_names AS g, @@max_allowed_packet AS h, @@net_write_timeout AS i, "
    "@@performance_schema AS j, @@query_cache_size AS k, @@query_cache_type AS l, @@sql_mode AS m, @@system_time_zone AS n, "
    "@@time_zone AS o, @@transaction_isolation AS p, @@wait_timeout AS q",
    "SET NAMES utf8mb4",
    "SET character_set_results = NULL",
    "SET autocommit=1",
    "SET sql_mode='STRICT_TRANS_TABLES'",
    "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
    "SET SESSION TRANSACTION READ ONLY",
    "SET foreign_key_checks = 0",
    "SHOW VARIABLES LIKE 'lower_case_table_names'",
    "SHOW ENGINES",
    "SHOW CHARSET",
    "SHOW COLLATION",
    "SHOW PLUGINS",
    "SHOW PRIVILEGES",
    "SHOW FULL PROCESSLIST",
    "SHOW STATUS",
    "SHOW WARNINGS",
    "SHOW ERRORS",
    "ROLLBACK",
    "COMMIT",
    "SELECT CAST('test plain returns' AS CHAR(60))",
]


@pytest.fixture
def connection(cluster1):
    cluster1.sql(f"CREATE DATABASE IF NOT EXISTS {DATABASE}")
    connection = cluster1.connect(DATABASE, client_flag=CLIENT.MULTI_STATEMENTS)
    yield connection
    connection.close()


def run(connection, sql, arguments=None):
    with connection.cursor() as cursor:
        cursor.execute(sql, arguments)
        return cursor.fetchall()


def test_connect_time_questions(connection):
    for sql in CONNECT_QUESTIONS:
        run(connection, sql)


def test_types_and_nulls(connection):
    run(connection, "DROP TABLE IF EXISTS types")
    run(connection, "CREATE TABLE types (id INT, b BIGINT, l LARGEINT, d DOUBLE, m DECIMAL(20, 4), dt DATE, ts DATETIME(3), v VARCHAR(20), t BOOLEAN)"
                    " DISTRIBUTED BY HASH(id) BUCKETS 1 PROPERTIES ('replication_num' = '1')")
    row = (1, 1 << 40, 2**127 - 1, 2.25, decimal.Decimal("12345.6789"), datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2, 3, 4, 5, 678000), "hé'\\", 1)
    run(connection, "INSERT INTO types VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)", row)
    run(connection, "INSERT INTO types (id) VALUES (%s)", (2,))
    first, second = run(connection, "SELECT * FROM types ORDER BY id")
    # LARGEINT has no type in the protocol and travels as text.
    assert first == row[:2] + (str(row[2]),) + row[3:]
    assert second == (2,) + (None,) * 8


def test_several_results_of_one_text(connection):
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1; SET @x = 2; SELECT @x, 3")
        results = [cursor.fetchall()]
        while cursor.nextset():
            results.append(cursor.fetchall())
    assert results[0] == ((1,),) and results[-1] == ((2, 3),)


@pytest.mark.parametrize("sql, code", [
    ("SELEC 1", 1064),
    ("SELECT * FROM missing", 1109),
    ("SELECT missing", 1054),
    ("USE missing_database", 1049),
    ("SET missing_variable = 1", 1193),
    ("SET query_timeout = 'x'", 1232),
    ("SELECT (SELECT number FROM numbers('number' = '2'))", None),
    ("OPTIMIZE TABLE x", 1235),
    ("KILL 987654321", 1094),
])
def test_error_codes(connection, sql, code):
    with pytest.raises(pymysql.MySQLError) as error:
        run(connection, sql)
    if code is not None:
        assert error.value.args[0] == code, error.value
    (level, number, message), = run(connection, "SHOW ERRORS")
    assert level == "Error" and number == error.value.args[0] and message
    assert run(connection, "SELECT 1") == ((1,),)


def test_unused_hints_are_warnings(connection):
    run(connection, "SELECT /*+ LEADING(a b) */ 1")
    (level, _, message), = run(connection, "SHOW WARNINGS")
    assert level == "Warning" and "LEADING" in message
    run(connection, "SELECT 1")
    assert run(connection, "SHOW WARNINGS") == ()


def test_kill_query_ends_the_statement_and_keeps_the_connection(cluster1, connection):
    (number,), = run(connection, "SELECT CONNECTION_ID()")

    def kill():
        # The statement is surely running when it is listed.
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            if any("sleep(60)" in str(row) and row[1] == number for row in cluster1.sql("SHOW PROCESSLIST")):
                cluster1.sql(f"KILL QUERY {number}")
                return
            time.sleep(0.05)

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(pymysql.MySQLError) as error:
        run(connection, "SELECT sleep(60)")
    killer.join()
    assert error.value.args[0] == 1317
    assert run(connection, "SELECT sleep(0)") == ((1,),)


def test_row_limit_variables(connection):
    run(connection, "SET sql_select_limit = 2")
    assert len(run(connection, "SELECT * FROM numbers('number' = '5')")) == 2
    assert len(run(connection, "SELECT * FROM numbers('number' = '5') LIMIT 3")) == 3
    assert len(run(connection, "(SELECT * FROM numbers('number' = '5') LIMIT 3)")) == 3
    run(connection, "SET sql_select_limit = DEFAULT")
    run(connection, "SET default_order_by_limit = 1")
    assert len(run(connection, "SELECT * FROM numbers('number' = '5') ORDER BY 1")) == 1
    assert len(run(connection, "SELECT * FROM numbers('number' = '5')")) == 5


def test_mariadb_client(cluster1, connection):
    client = shutil.which("mariadb") or shutil.which("mysql")
    if client is None:
        pytest.fail("the mariadb client is missing: thirdparty/apt.txt names it")
    command = [client, "-h127.0.0.1", f"-P{cluster1.query_port}", "-uroot", "-N", "-B", DATABASE]
    done = subprocess.run(
        [*command, "-e", "SELECT 1, NULL, 'a\\tb'; SHOW WARNINGS; SELECT DATABASE()"], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.splitlines() == ["1\tNULL\ta\\tb", DATABASE]
    failed = subprocess.run([*command, "-e", "SELECT missing"], capture_output=True, text=True, timeout=30, check=False)
    assert failed.returncode == 1 and "ERROR 1054 (42S22)" in failed.stderr
