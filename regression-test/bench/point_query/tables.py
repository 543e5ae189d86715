# SPDX-License-Identifier: Apache-2.0
"""The two tables: the same rows on every machine and in both servers."""
from __future__ import annotations

import dataclasses
import pathlib
import random
from collections.abc import Iterator

DATABASE = "serving"
COLORS = "almond azure beige black blue brown coral cream cyan forest green grey indigo ivory khaki lemon lime maroon mint navy".split()
TYPES = ["STANDARD ANODIZED TIN", "SMALL PLATED COPPER", "MEDIUM BURNISHED BRASS", "LARGE POLISHED STEEL", "ECONOMY BRUSHED NICKEL"]
CONTAINERS = ["SM CASE", "LG BOX", "MED BAG", "JUMBO JAR", "WRAP PKG"]
# Printable, and none of tab, newline, backslash and quotes: one text for every loader.
PRINTABLE = bytes(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-"[i % 64] for i in range(256))
# Tables keep as many buckets for serving as for anything else.
UNIQUE = ('UNIQUE KEY({key}) DISTRIBUTED BY HASH({key}) BUCKETS 8 PROPERTIES ("enable_unique_key_merge_on_write" = "true", '
          '"store_row_column" = "true", "replication_num" = "1")')


@dataclasses.dataclass(frozen=True)
class Table:
    """A table of both servers and how clients ask for its rows."""

    name: str
    key: str
    columns: str
    key_prefix: str | None = None  # of text keys

    @property
    def select(self) -> str:
        return f"SELECT * FROM {self.name} WHERE {self.key} = ?"

    def key_of(self, number: int) -> int | str:
        return number if self.key_prefix is None else f"{self.key_prefix}{10_000_000_000 + number}"

    def create(self, for_thetis: bool) -> str:
        if for_thetis:
            return f"CREATE TABLE {self.name} ({self.columns}) " + UNIQUE.format(key=self.key)
        return f"CREATE TABLE {self.name} ({self.columns}, PRIMARY KEY ({self.key})) ENGINE=InnoDB CHARSET=utf8mb4"

    def write(self, rows: int, folder: pathlib.Path) -> pathlib.Path:
        """Its rows as tab-separated text; made once per folder."""
        path = folder / f"{self.name}-{rows}.tsv"
        if not path.exists():
            part = path.with_suffix(".part")
            with part.open("wb", buffering=1 << 20) as out:
                for line in self.lines(rows):
                    out.write(line)
            part.rename(path)
        return path

    def lines(self, rows: int) -> Iterator[bytes]:
        source = random.Random(self.name)
        for number in range(rows):
            if self.key_prefix is not None:
                fields = source.randbytes(1000).translate(PRINTABLE)
                yield b"\t".join([str(self.key_of(number)).encode(), *(fields[i:i + 100] for i in range(0, 1000, 100))]) + b"\n"
                continue
            maker, category, brand, color = source.randrange(1, 6), source.randrange(1, 6), source.randrange(1, 41), source.choice(COLORS)
            yield (f"{number}\t{color} {source.choice(COLORS)}\tMFGR#{maker}\tMFGR#{maker}{category}\tMFGR#{maker}{category}{brand}\t{color}\t"
                   f"{source.choice(TYPES)}\t{source.randrange(1, 51)}\t{source.choice(CONTAINERS)}\n").encode()


PART = Table("part", "p_partkey", "p_partkey INT NOT NULL, p_name VARCHAR(23) NOT NULL, p_mfgr VARCHAR(7) NOT NULL, p_category VARCHAR(8) NOT NULL, "
             "p_brand VARCHAR(10) NOT NULL, p_color VARCHAR(12) NOT NULL, p_type VARCHAR(26) NOT NULL, p_size INT NOT NULL, p_container VARCHAR(11) NOT NULL")
WIDE = Table("usertable", "ycsb_key", "ycsb_key VARCHAR(64) NOT NULL, " + ", ".join(f"field{i} VARCHAR(100) NOT NULL" for i in range(10)), key_prefix="user")
# What reads everything of PART and cannot be answered from a count.
SCAN = "SELECT p_color, count(*), sum(p_size), max(p_name), max(p_type), max(p_container) FROM part GROUP BY p_color"
