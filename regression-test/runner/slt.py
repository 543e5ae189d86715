# SPDX-License-Identifier: Apache-2.0
"""sqllogictest files: parsing, execution, comparison, completion.

Records as the public corpora have them:

    statement ok | statement error [<regular expression>]      query <types> [nosort|rowsort|valuesort] [label]
    <sql>                                                      <sql>
                                                               ----
                                                               <rows: values separated by tabs, or one value a line>

`skipif`/`onlyif <engine>`, `halt`, `hash-threshold` and "N values hashing to <md5>" are understood. NULL prints as NULL, an empty
string as (empty). A column of type R compares as a number (relative error 1e-8, or equal at three digits); others compare as text.
"""
from __future__ import annotations

import dataclasses
import hashlib
import pathlib
import re

import pymysql
import pymysql.converters

ENGINES = {"thetis", "mysql", "doris"}


@dataclasses.dataclass
class Record:
    """One statement or query, with the lines of the file it came from."""
    kind: str  # ok, error, query
    sql: str
    line: int
    expected: list[str] = dataclasses.field(default_factory=list)
    error: str = ""
    types: str = ""
    sort: str = "nosort"
    result_start: int = 0  # First line of the result block (index into lines), for completion.
    result_end: int = 0


def parse(path: pathlib.Path) -> list[Record]:
    lines = path.read_text(encoding="utf-8").splitlines()
    records: list[Record] = []
    i = 0
    skip = False
    while i < len(lines):
        line = lines[i].strip()
        if not line or line.startswith("#"):
            i += 1
            continue
        words = line.split()
        if words[0] == "halt":
            break
        if words[0] == "hash-threshold":
            i += 1
            continue
        if words[0] in ("skipif", "onlyif"):
            skip = skip or (words[1].lower() in ENGINES) == (words[0] == "skipif")
            i += 1
            continue
        if words[0] not in ("statement", "query"):
            raise ValueError(f"{path}:{i + 1}: expected a record, got '{line}'")
        start = i
        i += 1
        sql_lines = []
        while i < len(lines) and lines[i].strip() != "----" and lines[i].strip():
            sql_lines.append(lines[i])
            i += 1
        sql = "\n".join(sql_lines).rstrip().rstrip(";")
        if words[0] == "statement":
            error = line.split("error", 1)[1].strip() if words[1] == "error" else ""
            record = Record(words[1], sql, start + 1, error=error)
            if i < len(lines) and lines[i].strip() == "----":  # The error text below the statement, as DuckDB's corpus has it.
                i += 1
                block = []
                while i < len(lines) and lines[i].strip():
                    block.append(lines[i])
                    i += 1
                record.error = record.error or "\n".join(block)
        else:
            record = Record("query", sql, start + 1, types=words[1] if len(words) > 1 else "")
            record.sort = next((w for w in words[2:] if w in ("nosort", "rowsort", "valuesort")), "nosort")
            record.result_start = i
            if i < len(lines) and lines[i].strip() == "----":
                i += 1
                while i < len(lines) and lines[i] != "":
                    record.expected.append(lines[i])
                    i += 1
            record.result_end = i
        if not skip:
            records.append(record)
        skip = False
    return records


def text_of(value: bytes | str | None) -> str:
    if value is None:
        return "NULL"
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    if text == "":
        return "(empty)"
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


def same_value(kind: str, expected: str, actual: str) -> bool:
    if expected == actual:
        return True
    if kind != "R" and not (kind == "I" and re.fullmatch(r"-?\d+\.\d*", actual)):
        return False
    try:
        left, right = float(expected), float(actual)
    except ValueError:
        return False
    if kind == "I":
        return int(right) == left
    return abs(left - right) <= 1e-8 * max(abs(left), abs(right)) or f"{right:.3f}" == expected


def arrange(rows: list[list[str]], sort: str) -> list[list[str]]:
    if sort == "rowsort":
        return sorted(rows)
    if sort == "valuesort":
        return [[value] for value in sorted(value for row in rows for value in row)]
    return rows


def compare(record: Record, rows: list[list[str]]) -> str | None:
    """None when the result is as expected, else what differs."""
    actual = arrange(rows, record.sort)
    width = len(actual[0]) if actual else 0
    if len(record.expected) == 1 and (match := re.fullmatch(r"(\d+) values hashing to ([0-9a-f]{32})", record.expected[0])):
        values = [value for row in actual for value in row]
        digest = hashlib.md5("".join(value + "\n" for value in values).encode()).hexdigest()
        return None if len(values) == int(match.group(1)) and digest == match.group(2) else f"{len(values)} values hash to {digest}"
    by_row = [line.split("\t") for line in record.expected]
    if record.expected and width > 1 and all(len(row) == 1 for row in by_row) and len(by_row) % width == 0:
        by_row = [[row[0] for row in by_row[k:k + width]] for k in range(0, len(by_row), width)]
    expected = arrange(by_row, record.sort) if record.sort != "nosort" else by_row
    if len(expected) != len(actual):
        return f"expected {len(expected)} rows, got {len(actual)}:\n" + "\n".join("\t".join(row) for row in actual[:20])
    for number, (want, have) in enumerate(zip(expected, actual), 1):
        kinds = record.types.ljust(len(have), "T") if record.sort != "valuesort" else "T" * len(have)
        if len(want) != len(have) or not all(same_value(k, w, h) for k, w, h in zip(kinds, want, have)):
            return f"row {number}: expected {chr(9).join(want)}\n       got      {chr(9).join(have)}"
    return None


class Session:
    """One connection that returns every value as the server's text."""

    def __init__(self, connect, database: str, variables: dict[str, str]):
        self.connection = connect(conv=dict(pymysql.converters.encoders), charset="utf8mb4")
        with self.connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE IF EXISTS `{database}` FORCE")
            cursor.execute(f"CREATE DATABASE `{database}`")
            cursor.execute(f"USE `{database}`")
            for name, value in variables.items():
                cursor.execute(f"SET {name} = {value}")

    def run(self, sql: str) -> list[list[str]]:
        with self.connection.cursor() as cursor:
            cursor.execute(sql)
            return [[text_of(value) for value in row] for row in cursor.fetchall()] if cursor.description else []

    def close(self) -> None:
        try:
            self.connection.close()
        except pymysql.MySQLError:
            pass  # The server may have closed it first.


def run_file(path: pathlib.Path, connect, database: str, variables: dict[str, str], rewrite, complete: bool,
             repeat: int = 1) -> tuple[int, list[str]]:
    """Runs one file in its own database, every query `repeat` times. Returns the number of records run and the failures, each naming file and line."""
    records = parse(path)
    failures: list[str] = []
    completed: list[tuple[Record, list[list[str]]]] = []
    session = Session(connect, database, variables)
    try:
        for record in records:
            where = f"{path}:{record.line}"
            sql = rewrite(record.sql)
            try:
                rows = session.run(sql)
                for _ in range(repeat - 1 if record.kind == "query" else 0):
                    again = session.run(sql)
                    difference = compare(record, again)
                    if difference and not compare(record, rows):
                        failures.append(f"{where}: {record.sql}\n    asked again: {difference}")
                        break
            except pymysql.MySQLError as error:
                text = str(error.args[-1]) if error.args else str(error)
                code = error.args[0] if error.args else 0
                if record.kind != "error":
                    failures.append(f"{where}: {record.sql}\n    failed: ({code}) {text}")
                elif record.error and not re.search(record.error, f"({code}) {text}"):
                    failures.append(f"{where}: error should match '{record.error}', is: ({code}) {text}")
                if isinstance(error, (pymysql.OperationalError, pymysql.InterfaceError)) and code in (0, 2006, 2013):
                    failures.append(f"{where}: the connection was lost; the rest of the file is not run")
                    break
                continue
            except OSError as error:
                failures.append(f"{where}: {error}; the rest of the file is not run")
                break
            if record.kind == "error":
                failures.append(f"{where}: should fail but did not: {record.sql}")
            elif record.kind == "query":
                completed.append((record, rows))
                difference = None if complete else compare(record, rows)
                if difference:
                    failures.append(f"{where}: {record.sql}\n    {difference}")
    finally:
        session.close()
    if complete:
        write_results(path, completed)
    return len(records), failures


def write_results(path: pathlib.Path, completed: list[tuple[Record, list[list[str]]]]) -> None:
    """Puts actual results into the file; the author then checks every one of them."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for record, rows in reversed(completed):
        block = ["----"] + ["\t".join(row) for row in arrange(rows, record.sort)]
        lines[record.result_start:record.result_end] = block
    path.write_text("\n".join(lines).rstrip("\n") + "\n", encoding="utf-8")
