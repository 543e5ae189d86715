# SPDX-License-Identifier: Apache-2.0
"""Hostile bytes on the MySQL port close one connection and nobody else notices."""
import random
import socket
import struct

import pymysql
import pytest


def greet(cluster):
    s = socket.create_connection(("127.0.0.1", cluster.query_port), timeout=10)
    header = s.recv(4)
    length = header[0] | header[1] << 8 | header[2] << 16
    body = b""
    while len(body) < length:
        body += s.recv(length - len(body))
    return s, body


def log_in(cluster):
    """A raw, logged-in connection."""
    s, _ = greet(cluster)
    capabilities = 0x0200 | 0x8000 | 0x1 | 0x4 | 0x80000
    body = struct.pack("<IIB23s", capabilities, 1 << 24, 33, b"") + b"root\0" + b"\0" + b"mysql_native_password\0"
    s.sendall(len(body).to_bytes(3, "little") + b"\x01" + body)
    s.recv(1024)
    return s


def is_closed(s) -> bool:
    s.settimeout(20)
    try:
        while True:
            if not s.recv(65536):
                return True
    except ConnectionError:
        return True
    except TimeoutError:
        return False


def test_wrong_password(cluster1):
    with pytest.raises(pymysql.MySQLError) as error:
        cluster1.connect(user="nobody", password="x")
    assert error.value.args[0] == 1045 and "Access denied for user" in error.value.args[1]


def test_garbage_instead_of_login(cluster1):
    s, _ = greet(cluster1)
    s.sendall(b"\xff" * 64)
    s.shutdown(socket.SHUT_WR)
    assert is_closed(s)
    assert cluster1.sql("SELECT 1") == ((1,),)


def test_announced_but_missing_bytes(cluster1):
    s = log_in(cluster1)
    s.sendall((1000).to_bytes(3, "little") + b"\x00" + b"\x03SELECT")
    s.close()
    assert cluster1.sql("SELECT 1") == ((1,),)


def test_wrong_sequence_number(cluster1):
    s = log_in(cluster1)
    query = b"\x03SELECT 1"
    s.sendall(len(query).to_bytes(3, "little") + b"\x55" + query)
    assert is_closed(s)
    assert cluster1.sql("SELECT 1") == ((1,),)


def test_unknown_command(cluster1):
    s = log_in(cluster1)
    s.sendall(b"\x01\x00\x00\x00\x77")
    reply = s.recv(4096)
    assert reply[4] == 0xFF and struct.unpack("<H", reply[5:7])[0] == 1047
    s.close()


def test_malformed_execute_keeps_the_connection(cluster1):
    s = log_in(cluster1)
    body = b"\x17" + struct.pack("<IBI", 999999, 0, 1)
    s.sendall(len(body).to_bytes(3, "little") + b"\x00" + body)
    assert s.recv(4096)[4] == 0xFF
    query = b"\x03SELECT 7"
    s.sendall(len(query).to_bytes(3, "little") + b"\x00" + query)
    assert b"7" in s.recv(4096)
    s.close()


def test_random_packets(cluster1):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    source = random.Random(seed)
    for _ in range(150):
        s = log_in(cluster1)
        try:
            for _ in range(source.randint(1, 4)):
                body = bytes([source.choice([1, 2, 3, 4, 14, 17, 22, 23, 24, 25, 26, 27, 28, 31, source.randrange(256)])]) + source.randbytes(source.randint(0, 60))
                s.sendall(len(body).to_bytes(3, "little") + b"\x00" + body)
        except OSError:
            pass  # The server closed it: that is its right.
        s.close()
    assert cluster1.sql("SELECT 1") == ((1,),)


def test_packets_over_sixteen_megabytes(cluster1):
    with cluster1.connect(max_allowed_packet=1 << 26) as connection, connection.cursor() as cursor:
        text = "x" * (17 << 20)
        cursor.execute("SELECT length(%s)", (text,))
        assert cursor.fetchall() == ((len(text),),)


def test_deeply_nested_expression_is_an_error(cluster1):
    with pytest.raises(pymysql.MySQLError):
        cluster1.sql("SELECT " + "(" * 20000 + "1" + ")" * 20000)
    assert cluster1.sql("SELECT 1") == ((1,),)


def test_http_without_credentials(cluster1):
    status, body = cluster1.http("GET", "/api/backends?is_alive=true", auth=False)
    assert status == 401 or b"401" in body
    status, body = cluster1.http("GET", "/api/health", auth=False)
    assert status == 200 and b"online_backend_num" in body
