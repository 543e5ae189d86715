# SPDX-License-Identifier: Apache-2.0
"""python -m clients: see README.md."""
from __future__ import annotations

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable

from runner.cluster import Cluster

HERE = pathlib.Path(__file__).resolve().parent
MAVEN = "https://repo1.maven.org/maven2"
JDBC = [
    ("mysql", "com/mysql/mysql-connector-j/8.0.33/mysql-connector-j-8.0.33.jar"),
    ("mysql", "com/mysql/mysql-connector-j/9.1.0/mysql-connector-j-9.1.0.jar"),
    ("mariadb", "org/mariadb/jdbc/mariadb-java-client/3.5.1/mariadb-java-client-3.5.1.jar"),
]
NODE = ["mysql2@3.24.5", "mysql@2.18.1", "mariadb@3.4.0"]
PYTHON = ["PyMySQL==1.2.4", "mysql-connector-python", "aiomysql", "asyncmy", "SQLAlchemy", "pandas"]


def java(port: int, work: pathlib.Path) -> bool:
    subprocess.run(["javac", "-d", str(work), str(HERE / "java" / "Checklist.java")], check=True)
    ok = True
    for scheme, path in JDBC:
        jar = work / path.rsplit("/", 1)[1]
        urllib.request.urlretrieve(f"{MAVEN}/{path}", jar)
        print(f"-- {jar.name}", flush=True)
        ok &= subprocess.run(["java", "-cp", f"{work}:{jar}", "Checklist", str(port), scheme], timeout=300).returncode == 0
    return ok


def go(port: int, work: pathlib.Path) -> bool:
    for file in (HERE / "go").iterdir():
        shutil.copy(file, work)
    subprocess.run(["go", "mod", "tidy"], cwd=work, check=True, capture_output=True)
    subprocess.run(["go", "build", "-o", "checklist", "."], cwd=work, check=True)
    return subprocess.run([str(work / "checklist"), str(port)], timeout=300).returncode == 0


def node(port: int, work: pathlib.Path) -> bool:
    shutil.copy(HERE / "node" / "checklist.js", work)
    subprocess.run(["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", str(work), *NODE], check=True, capture_output=True)
    return subprocess.run(["node", "checklist.js", str(port)], cwd=work, timeout=300).returncode == 0


def python(port: int, work: pathlib.Path) -> bool:
    subprocess.run([sys.executable, "-m", "venv", str(work / "venv")], check=True)
    subprocess.run([str(work / "venv/bin/pip"), "install", "-q", "--disable-pip-version-check", *PYTHON], check=True)
    return subprocess.run([str(work / "venv/bin/python"), "-W", "ignore", str(HERE / "python" / "checklist.py"), str(port)], timeout=300).returncode == 0


def look_ups(cluster: Cluster) -> int:
    """How many queries the front end has served as look-ups by key."""
    _, page = cluster.http("GET", "/metrics")
    return sum(int(line.rsplit(" ", 1)[1]) for line in page.decode().splitlines() if line.startswith("doris_fe_point_query_total{"))


CLIENTS: dict[str, tuple[str, Callable[[int, pathlib.Path], bool]]] = {
    "go": ("go", go), "java": ("javac", java), "node": ("npm", node), "python": ("python3", python)}


def main() -> int:
    parser = argparse.ArgumentParser(prog="clients")
    parser.add_argument("names", nargs="*", choices=[*CLIENTS, []], default=[])
    names = parser.parse_args().names or list(CLIENTS)
    failed = []
    with Cluster(backends=1) as cluster, tempfile.TemporaryDirectory() as folder:
        for name in names:
            tool, run = CLIENTS[name]
            if shutil.which(tool) is None:
                print(f"{name}: skipped, {tool} is not installed")
                continue
            work = pathlib.Path(folder) / name
            work.mkdir()
            before = look_ups(cluster)
            ok = run(cluster.query_port, work)
            if look_ups(cluster) == before:
                print(f"{name}: none of its queries was served as a look-up by key")
                ok = False
            print(f"{name}: {'passed' if ok else 'FAILED'}", flush=True)
            if not ok:
                failed.append(name)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
