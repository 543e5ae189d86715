# SPDX-License-Identifier: Apache-2.0
"""Server-side prepared statements over PyMySQL, which has none: integers and texts as parameters, rows of the types look-ups give."""
from __future__ import annotations

import struct

import pymysql

COM_STMT_PREPARE = 0x16
COM_STMT_EXECUTE = 0x17
COM_STMT_CLOSE = 0x19

_INTEGERS = {1: "<b", 2: "<h", 3: "<i", 8: "<q"}


class Prepared:
    """One prepared statement of a connection."""

    def __init__(self, connection: pymysql.connections.Connection, sql: str):
        self.connection = connection
        connection._execute_command(COM_STMT_PREPARE, sql)
        reply = connection._read_packet()
        self.id, _, self.parameters = struct.unpack_from("<IHH", reply.get_all_data(), 1)
        for _ in range(self.parameters + 1 if self.parameters else 0):
            connection._read_packet()

    def execute(self, *values: int | str | None) -> list[tuple]:
        """The rows of one execution."""
        nulls = bytearray((len(values) + 7) // 8)
        types, data = b"", b""
        for position, value in enumerate(values):
            if value is None:
                nulls[position // 8] |= 1 << position % 8
                types += struct.pack("<H", 6)
            elif isinstance(value, int):
                types += struct.pack("<H", 8)
                data += struct.pack("<q", value)
            else:
                text = value.encode()
                types += struct.pack("<H", 253)
                data += _length(len(text)) + text
        body = struct.pack("<IBI", self.id, 0, 1)
        if values:
            body += bytes(nulls) + b"\x01" + types + data
        self.connection._execute_command(COM_STMT_EXECUTE, body)
        first = self.connection._read_packet()
        if first.is_ok_packet():
            return []
        columns = [self._column() for _ in range(first.read_length_encoded_integer())]
        self.connection._read_packet()
        rows = []
        while True:
            packet = self.connection._read_packet()
            if packet.is_eof_packet():
                return rows
            rows.append(_row(packet.get_all_data(), columns))

    def close(self) -> None:
        self.connection._execute_command(COM_STMT_CLOSE, struct.pack("<I", self.id))

    def _column(self) -> int:
        packet = self.connection._read_packet()
        for _ in range(6):
            packet.read_length_coded_string()
        packet.advance(7)
        return packet.read_uint8()


def _length(size: int) -> bytes:
    return bytes([size]) if size < 251 else b"\xfc" + struct.pack("<H", size)


def _row(data: bytes, columns: list[int]) -> tuple:
    """A binary row; everything but integers is text with its length before it."""
    at = 1 + (len(columns) + 9) // 8
    values: list[int | str | None] = []
    for position, column in enumerate(columns):
        if data[1 + (position + 2) // 8] >> (position + 2) % 8 & 1:
            values.append(None)
        elif column in _INTEGERS:
            values.append(struct.unpack_from(_INTEGERS[column], data, at)[0])
            at += struct.calcsize(_INTEGERS[column])
        else:
            size = data[at]
            at += 1
            if size == 0xFC:
                size = struct.unpack_from("<H", data, at)[0]
                at += 2
            values.append(data[at : at + size].decode())
            at += size
    return tuple(values)
