# SPDX-License-Identifier: Apache-2.0
"""Clusters shared by scenarios. Scenarios that kill things start their own."""
import pathlib
import subprocess
import sys

import pytest

from runner.cluster import Cluster

TPCH = pathlib.Path(__file__).resolve().parents[1] / "data" / "tpch"


@pytest.fixture(scope="session")
def cluster3():
    """One front end and three back ends, left as found."""
    with Cluster(backends=3) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def cluster1():
    """One front end and one back end, left as found."""
    with Cluster(backends=1) as cluster:
        yield cluster


@pytest.fixture
def database(cluster3):
    """A database of the test's own, on three back ends."""
    with cluster3.fresh_database() as name:
        yield name


@pytest.fixture(scope="session")
def tpch_data(tmp_path_factory):
    """TPC-H tables as .tbl files at scale 0.02."""
    folder = tmp_path_factory.mktemp("tpch")
    generator = pathlib.Path(sys.executable).parent / "tpchgen-cli"
    subprocess.run([str(generator), "-s", "0.02", "--output-dir", str(folder)], check=True, capture_output=True)
    return folder


def load_tpch(cluster, data: pathlib.Path, database: str = "tpch", buckets: int = 3) -> None:
    """Creates and stream-loads all tables."""
    cluster.sql(f"CREATE DATABASE IF NOT EXISTS {database}")
    text = "\n".join(line for line in (TPCH / "schema.sql").read_text().splitlines() if not line.startswith("--"))
    for statement in text.replace("@BUCKETS@", str(buckets)).split(";"):
        if statement.strip():
            cluster.sql(statement, database)
    for line in (TPCH / "columns.txt").read_text().splitlines():
        table, columns = line.split(" ", 1)
        reply = cluster.stream_load(database, table, (data / f"{table}.tbl").read_bytes(), column_separator="|", columns=f"{columns},trailing")
        assert reply["Status"] in ("Success", "Publish Timeout"), reply


@pytest.fixture(scope="session")
def tpch_loader():
    return load_tpch
