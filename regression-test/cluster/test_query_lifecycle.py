# SPDX-License-Identifier: Apache-2.0
"""Nothing outlives its query: prepared fragments that are never started, cancels at random moments, clients that go away."""
import random
import threading
import time

import pymysql
import pytest

from runner.cluster import Cluster

PREPARED = 500
CANCELS = 2000


@pytest.fixture(scope="module")
def cluster():
    with Cluster(backends=3, be_settings={"fragment_start_timeout_ms": "3000"}) as running:
        running.sql("CREATE DATABASE d")
        running.sql('CREATE TABLE t (k INT, g INT, v VARCHAR(20)) DISTRIBUTED BY HASH(k) BUCKETS 6 PROPERTIES ("replication_num" = "1")', "d")
        running.sql('INSERT INTO t SELECT number, number % 1000, concat("v", number) FROM numbers("number" = "200000")', "d")
        yield running


def metric(cluster, name: str) -> int:
    """Sum of a gauge over all back ends."""
    total = 0
    for node in cluster.backends:
        status, body = cluster.http("GET", "/metrics", node)
        assert status == 200
        for line in body.decode().splitlines():
            if line.startswith(name) and not line.startswith("#"):
                total += int(float(line.rsplit(" ", 1)[1]))
    return total


def threads(cluster) -> int:
    return sum(node.num_threads() for node in cluster.backends)


def wait_until(condition, seconds: float, what) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, what()
        time.sleep(0.2)


QUERY = "SELECT a.g, count(*), max(b.v) FROM t a JOIN t b ON a.k = b.k GROUP BY a.g ORDER BY 2 DESC, 1 LIMIT 5"


def test_prepared_but_never_started(cluster):
    expected = cluster.sql(QUERY, "d")
    base_threads = threads(cluster)
    status, body = cluster.http("POST", "/api/debug_point/add/coordinator.skip_start")
    assert status == 200, body
    failures: list[str] = []

    def run(count: int) -> None:
        for _ in range(count):
            try:
                cluster.sql(QUERY, "d")
                failures.append("a query that was never started answered")
            except pymysql.MySQLError:
                pass  # The back ends give up on it, and say so.

    try:
        clients = [threading.Thread(target=run, args=(PREPARED // 50,)) for _ in range(50)]
        for client in clients:
            client.start()
        peak = 0
        while any(client.is_alive() for client in clients):
            peak = max(peak, threads(cluster))
            time.sleep(0.3)
        for client in clients:
            client.join()
    finally:
        cluster.http("POST", "/api/debug_point/remove/coordinator.skip_start")
    assert not failures, failures[:3]
    assert peak <= base_threads + 60, f"{peak} threads at the peak, {base_threads} before"
    wait_until(lambda: metric(cluster, "doris_be_query_ctx_cnt") == 0, 20, lambda: f"{metric(cluster, 'doris_be_query_ctx_cnt')} queries left")
    assert metric(cluster, "doris_be_exchange_receivers") == 0
    wait_until(lambda: threads(cluster) <= base_threads + 15, 30, lambda: f"{threads(cluster)} threads, {base_threads} before")
    assert cluster.sql(QUERY, "d") == expected


def test_cancels_at_random_moments(cluster):
    seed = random.randrange(1 << 32)
    print("seed", seed)
    expected = cluster.sql(QUERY, "d")
    problems: list[str] = []

    def run(number: int) -> None:
        source = random.Random(seed + number)
        killer = cluster.connect("d")
        for _ in range(CANCELS // 20):
            connection = cluster.connect("d")
            try:
                connection_id = connection.thread_id()
                delay = source.random() ** 3 * 0.15
                how = source.randrange(3)

                def cut(c=connection, i=connection_id, h=how) -> None:
                    try:
                        if h == 0:
                            c._sock.shutdown(2)  # The client vanishes.
                        else:
                            with killer.cursor() as cursor:
                                cursor.execute(f"KILL {'QUERY ' if h == 1 else ''}{i}")
                    except (pymysql.MySQLError, OSError, AttributeError):
                        pass  # The query was faster.

                timer = threading.Timer(delay, cut)
                timer.start()
                try:
                    with connection.cursor() as cursor:
                        cursor.execute(QUERY)
                        if cursor.fetchall() != expected:
                            problems.append("a wrong answer")
                except (pymysql.MySQLError, OSError):
                    pass  # Cancelled, as wished.
                except Exception as garbled:  # The client did not understand what it got.
                    problems.append(f"{type(garbled).__name__}: {garbled}")
                timer.join()
            finally:
                try:
                    connection.close()
                except pymysql.MySQLError:
                    pass  # Already closed by the kill.
        killer.close()

    workers = [threading.Thread(target=run, args=(n,)) for n in range(20)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=600)
    assert not any(worker.is_alive() for worker in workers), "a client hangs"
    assert not problems, problems[:3]
    for node in [cluster.fe, *cluster.backends]:
        assert node.is_running(), node.log_tail()
    wait_until(lambda: metric(cluster, "doris_be_query_ctx_cnt") == 0, 30, lambda: f"{metric(cluster, 'doris_be_query_ctx_cnt')} queries left")
    assert cluster.sql(QUERY, "d") == expected


def test_a_back_end_that_reaches_no_other_fails_the_query(cluster):
    """It cannot tell those that wait for its rows; the front end hears it, and the next attempt goes without it or succeeds."""
    expected = cluster.sql(QUERY, "d")
    for node in cluster.backends:
        path = "/api/debug_point/{}/GrpcExchangeTransport.open.unreachable"
        assert cluster.http("POST", path.format("add"), node)[0] == 200
        begin = time.monotonic()
        try:
            with pytest.raises(pymysql.MySQLError) as caught, cluster.connect("d", read_timeout=60) as connection, connection.cursor() as cursor:
                cursor.execute(QUERY)
        finally:
            assert cluster.http("POST", path.format("remove"), node)[0] == 200
        assert "back end 127.0.0.1:1" in str(caught.value), caught.value
        assert time.monotonic() - begin < 40
        wait_until(lambda: metric(cluster, "doris_be_query_ctx_cnt") == 0, 20, lambda: "queries are left")
        assert answer_soon(cluster) == expected


def answer_soon(cluster):
    """The answer of QUERY, asked again while back ends are avoided for the failure before."""
    deadline = time.monotonic() + 60
    while True:
        try:
            return cluster.sql(QUERY, "d")
        except pymysql.MySQLError:
            assert time.monotonic() < deadline
            time.sleep(0.2)


def test_deadline(cluster):
    with cluster.connect("d") as connection, connection.cursor() as cursor:
        cursor.execute("SET query_timeout = 1")
        begin = time.monotonic()
        with pytest.raises(pymysql.MySQLError) as error:
            cursor.execute("SELECT count(*) FROM t a, t b, t c WHERE a.v < b.v AND b.v < c.v")
        assert time.monotonic() - begin < 15
        assert "timeout" in str(error.value).lower()
    wait_until(lambda: metric(cluster, "doris_be_query_ctx_cnt") == 0, 20, lambda: "the query lives on")


def test_memory_limit(cluster):
    with cluster.connect("d") as connection, connection.cursor() as cursor:
        cursor.execute("SET exec_mem_limit = 2097152")
        with pytest.raises(pymysql.MySQLError) as error:
            cursor.execute("SELECT v, count(*) FROM t GROUP BY v ORDER BY 1 LIMIT 1")
        assert "MEM_LIMIT_EXCEEDED" in str(error.value), str(error.value)
        cursor.execute("SET exec_mem_limit = 2147483648")
        cursor.execute("SELECT count(DISTINCT v) FROM t")
        assert cursor.fetchall() == ((200000,),)
