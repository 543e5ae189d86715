# SPDX-License-Identifier: Apache-2.0
"""What look-ups by key leave in the metrics of both sides, as information_schema shows them."""
LOOK_UPS = 60


def numbers(cluster, table):
    """Values by name and labels, of one front end and one back end."""
    return {(name, labels): value for name, labels, value in cluster.sql(f"SELECT name, labels, value FROM information_schema.{table}")}


def test_counts_latencies_caches_and_cpu(cluster1):
    cluster1.sql("CREATE DATABASE IF NOT EXISTS seen")
    cluster1.sql("DROP TABLE IF EXISTS seen.kv")
    cluster1.sql("CREATE TABLE seen.kv (k INT, v VARCHAR(20)) UNIQUE KEY(k) DISTRIBUTED BY HASH(k) BUCKETS 1 "
                 "PROPERTIES ('replication_num' = '1', 'store_row_column' = 'true')")
    cluster1.sql("INSERT INTO seen.kv VALUES (1, 'one'), (2, 'two'), (3, 'three')")
    with cluster1.connect("seen") as connection, connection.cursor() as cursor:

        def look_up(key):
            cursor.execute(f"SELECT v FROM kv WHERE k IN ({key}, 3)")
            return cursor.fetchall()

        look_up(1)  # Makes the plan.
        before = numbers(cluster1, "frontend_metrics"), numbers(cluster1, "backend_metrics")
        for i in range(LOOK_UPS):
            assert len(look_up(i % 3)) == (1 if i % 3 == 0 else 2)
        after = numbers(cluster1, "frontend_metrics"), numbers(cluster1, "backend_metrics")

    def grown(side, name, labels=""):
        return after[side][name, labels] - before[side][name, labels]

    assert grown(0, "doris_fe_point_query_total", 'protocol="text"') == LOOK_UPS
    assert grown(0, "doris_fe_point_query_latency_us_count") == LOOK_UPS
    assert grown(0, "doris_fe_point_query_batch_calls_sum") == LOOK_UPS
    assert grown(0, "doris_fe_point_query_rows_total") == LOOK_UPS * 5 / 3
    assert 0 < after[0]["doris_fe_point_query_latency_us", 'quantile="0.5"'] <= after[0]["doris_fe_point_query_latency_us", 'quantile="0.99"']
    assert grown(0, "doris_fe_query_latency_ms_count") >= LOOK_UPS
    assert grown(0, "doris_fe_event_loop_cpu_ns") > 0
    assert grown(1, "doris_be_lookup_requests_total") == LOOK_UPS
    assert grown(1, "doris_be_lookup_plan_hits_total") + grown(1, "doris_be_lookup_plan_misses_total") == LOOK_UPS
    assert grown(1, "doris_be_lookup_keys_per_call_count") == LOOK_UPS
    assert grown(1, "doris_be_lookup_keys_per_call_sum") == 2 * LOOK_UPS
    hits, misses = grown(1, "doris_be_lookup_row_cache_hits_total"), grown(1, "doris_be_lookup_row_cache_misses_total")
    assert hits + misses == 2 * LOOK_UPS and hits > misses
    assert grown(1, "doris_be_small_call_cpu_ns") > 0
    assert after[1]["up", ""] == 1
    assert grown(0, "doris_fe_point_query_row_cache_hits_total") > 0


def test_only_administrators_see_them(cluster1):
    cluster1.sql("DROP USER IF EXISTS nosy")
    cluster1.sql("CREATE USER nosy IDENTIFIED BY 'pw'")
    with cluster1.connect(user="nosy", password="pw") as connection, connection.cursor() as cursor:
        for table in ("frontend_metrics", "backend_metrics"):
            cursor.execute(f"SELECT * FROM information_schema.{table}")
            assert cursor.fetchall() == (), table
    cluster1.sql("DROP USER nosy")
