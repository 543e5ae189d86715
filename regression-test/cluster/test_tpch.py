# SPDX-License-Identifier: Apache-2.0
"""All 22 TPC-H queries give what DuckDB gives on the same generated data, on one and on three back ends."""
import datetime
import decimal
import pathlib

import duckdb
import pytest

QUERIES = sorted((pathlib.Path(__file__).resolve().parents[1] / "data" / "tpch" / "queries").glob("q*.sql"))
SCHEMA = {
    "region": "r_regionkey INT, r_name VARCHAR, r_comment VARCHAR",
    "nation": "n_nationkey INT, n_name VARCHAR, n_regionkey INT, n_comment VARCHAR",
    "supplier": "s_suppkey INT, s_name VARCHAR, s_address VARCHAR, s_nationkey INT, s_phone VARCHAR, s_acctbal DECIMAL(15,2), s_comment VARCHAR",
    "part": "p_partkey INT, p_name VARCHAR, p_mfgr VARCHAR, p_brand VARCHAR, p_type VARCHAR, p_size INT, p_container VARCHAR, "
            "p_retailprice DECIMAL(15,2), p_comment VARCHAR",
    "partsupp": "ps_partkey INT, ps_suppkey INT, ps_availqty INT, ps_supplycost DECIMAL(15,2), ps_comment VARCHAR",
    "customer": "c_custkey INT, c_name VARCHAR, c_address VARCHAR, c_nationkey INT, c_phone VARCHAR, c_acctbal DECIMAL(15,2), "
                "c_mktsegment VARCHAR, c_comment VARCHAR",
    "orders": "o_orderkey BIGINT, o_custkey INT, o_orderstatus VARCHAR, o_totalprice DECIMAL(15,2), o_orderdate DATE, o_orderpriority VARCHAR, "
              "o_clerk VARCHAR, o_shippriority INT, o_comment VARCHAR",
    "lineitem": "l_orderkey BIGINT, l_partkey INT, l_suppkey INT, l_linenumber INT, l_quantity DECIMAL(15,2), l_extendedprice DECIMAL(15,2), "
                "l_discount DECIMAL(15,2), l_tax DECIMAL(15,2), l_returnflag VARCHAR, l_linestatus VARCHAR, l_shipdate DATE, l_commitdate DATE, "
                "l_receiptdate DATE, l_shipinstruct VARCHAR, l_shipmode VARCHAR, l_comment VARCHAR",
}


@pytest.fixture(scope="session")
def duck(tpch_data):
    connection = duckdb.connect()
    for table, columns in SCHEMA.items():
        connection.execute(f"CREATE TABLE {table} ({columns})")
        # A .tbl line ends in a separator: read one column more and drop it.
        names = [column.split()[0] for column in columns.split(", ")]
        types = ", ".join(f"'{c.split()[0]}': '{c.split()[1]}'" for c in columns.split(", ")) + ", 'trailing': 'VARCHAR'"
        connection.execute(f"INSERT INTO {table} SELECT {', '.join(names)} FROM read_csv('{tpch_data}/{table}.tbl', delim='|', header=false, columns={{{types}}})")
    return connection


@pytest.fixture(scope="session")
def loaded1(cluster1, tpch_data, tpch_loader):
    tpch_loader(cluster1, tpch_data)
    return cluster1


@pytest.fixture(scope="session")
def loaded3(cluster3, tpch_data, tpch_loader):
    tpch_loader(cluster3, tpch_data)
    return cluster3


def same(ours, theirs) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    if isinstance(theirs, (float, decimal.Decimal)) or isinstance(ours, (float, decimal.Decimal)):
        left, right = float(ours), float(theirs)
        # Division keeps a few decimal digits in one engine and is binary in the other.
        return abs(left - right) <= max(1e-4, 1e-6 * abs(right))
    if isinstance(theirs, datetime.date):
        return str(ours) == str(theirs)
    return ours == theirs


def check(cluster, duck, path):
    sql = path.read_text()
    expected = duck.execute(sql).fetchall()
    actual = cluster.sql(sql, "tpch")
    assert len(actual) == len(expected), f"{len(actual)} rows, DuckDB has {len(expected)}"
    for number, (ours, theirs) in enumerate(zip(actual, expected)):
        assert len(ours) == len(theirs) and all(same(a, b) for a, b in zip(ours, theirs)), f"row {number}: {ours} is not {theirs}"


@pytest.mark.parametrize("path", QUERIES, ids=lambda p: p.stem)
def test_one_backend(loaded1, duck, path):
    check(loaded1, duck, path)


@pytest.mark.parametrize("path", QUERIES, ids=lambda p: p.stem)
def test_three_backends(loaded3, duck, path):
    check(loaded3, duck, path)
