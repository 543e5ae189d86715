# SPDX-License-Identifier: Apache-2.0
"""How many connections there may be, and that an administrator gets in when there are too many."""
import contextlib
import time

import pymysql
import pytest

from runner.cluster import Cluster

MAX = 8
RESERVED = 10  # For administrators, past each limit.


@pytest.fixture(scope="module")
def server():
    """A front end alone, with few connections allowed."""
    with Cluster(backends=0, fe_settings={"qe_max_connection": str(MAX)}) as cluster:
        cluster.sql("CREATE USER app IDENTIFIED BY 'pw'")
        cluster.sql("CREATE USER boss IDENTIFIED BY 'pw'")
        cluster.sql("GRANT 'admin' TO 'boss'@'%'")
        yield cluster


def leave(connection):
    if connection.open:
        connection.close()


def open_as(server, user, wanted, stack):
    """Connections of a user until one is refused or there are as many as wanted; gives them and the code of the refusal."""
    opened = []
    for _ in range(wanted):
        try:
            opened.append(server.connect(user=user, password="" if user == "root" else "pw"))
            stack.callback(leave, opened[-1])
        except pymysql.MySQLError as refused:
            assert "Reach limit of connections" in refused.args[1]
            return opened, refused.args[0]
    return opened, None


def query(connection, sql):
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall()


@pytest.fixture
def at_rest(server):
    """No connection of an earlier test is left: the server hears of a close a moment after the client."""
    deadline = time.monotonic() + 30
    while len(server.sql("SHOW PROCESSLIST")) > 1:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    yield
    for user in ("app", "boss", "root"):
        server.sql(f"SET PROPERTY FOR '{user}' 'max_user_connections' = '100'")


def test_the_server_takes_so_many_and_administrators_past_them(server, at_rest):
    with contextlib.ExitStack() as stack:
        opened, code = open_as(server, "app", MAX + 1, stack)
        assert (len(opened), code) == (MAX, 1040)
        for user in ("root", "boss"):
            administrators, code = open_as(server, user, RESERVED // 2, stack)
            assert code is None
            assert len(query(administrators[0], "SHOW PROCESSLIST")) > MAX
        # Those of administrators have taken no place of others, and one that is killed is free again.
        assert open_as(server, "app", 1, stack)[1] == 1040
        for administrator in administrators:
            administrator.close()
        (victim,), = query(opened[0], "SELECT CONNECTION_ID()")
        server.sql(f"KILL {victim}")
        with pytest.raises(pymysql.MySQLError):
            query(opened[0], "SELECT 1")
        for connection in opened[1:3]:
            connection.close()
    with contextlib.ExitStack() as stack:
        deadline = time.monotonic() + 30
        while True:
            with contextlib.ExitStack() as attempt:
                if open_as(server, "app", MAX, attempt)[1] is None:
                    break
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_a_user_has_so_many_and_administrators_more(server, at_rest):
    for user in ("app", "boss", "root"):
        server.sql(f"SET PROPERTY FOR '{user}' 'max_user_connections' = '2'")
        assert server.sql(f"SHOW PROPERTY FOR '{user}' LIKE 'max_user_connections'") == (("max_user_connections", "2"),)
    with contextlib.ExitStack() as stack:
        opened, code = open_as(server, "app", 3, stack)
        assert (len(opened), code) == (2, 1203)
        for user in ("boss", "root"):
            assert open_as(server, user, 3, stack)[1] is None
        opened[0].close()
        deadline = time.monotonic() + 30
        while not open_as(server, "app", 1, stack)[0]:
            assert time.monotonic() < deadline
            time.sleep(0.02)
    with pytest.raises(pymysql.MySQLError, match="positive integer"):
        server.sql("SET PROPERTY FOR 'app' 'max_user_connections' = '0'")


def test_refused_logins_take_no_place(server, at_rest):
    server.sql("SET PROPERTY FOR 'app' 'max_user_connections' = '2'")
    for _ in range(3 * MAX):
        with pytest.raises(pymysql.MySQLError) as refused:
            server.connect(user="app", password="wrong")
        assert refused.value.args[0] == 1045
        with pytest.raises(pymysql.MySQLError) as refused:
            server.connect("nowhere", user="app", password="pw")
        assert refused.value.args[0] in (1044, 1049)
    with contextlib.ExitStack() as stack:
        opened, code = open_as(server, "app", 3, stack)
        assert (len(opened), code) == (2, 1203)
