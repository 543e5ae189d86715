# SPDX-License-Identifier: Apache-2.0
"""Server-side prepared statements over a PyMySQL connection, which has none of its own: values in, Python values out."""
from __future__ import annotations

import datetime
import decimal
import struct

import pymysql
from pymysql.protocol import FieldDescriptorPacket, OKPacketWrapper

PREPARE, EXECUTE, CLOSE = 0x16, 0x17, 0x19
INTEGERS = {1: "<b", 2: "<h", 3: "<i", 8: "<q"}


class Prepared:
    """One statement; not to be used beside another result that is being read."""

    def __init__(self, connection: pymysql.connections.Connection, sql: str):
        self.connection = connection
        self.affected_rows = 0  # of the last execution that had no rows to give
        connection._execute_command(PREPARE, sql)
        packet = connection._read_packet()
        packet.read_uint8()
        self.id = packet.read_uint32()
        packet.read_uint16()
        self.num_parameters = packet.read_uint16()
        if self.num_parameters:
            for _ in range(self.num_parameters + 1):
                connection._read_packet()

    def execute(self, *values) -> list[tuple]:
        """Runs the statement and gives its rows."""
        assert len(values) == self.num_parameters, (len(values), self.num_parameters)
        body = struct.pack("<IBI", self.id, 0, 1)
        if values:
            nulls = bytearray((len(values) + 7) // 8)
            types, data = b"", b""
            for i, value in enumerate(values):
                kind, encoded = encode(value)
                types += struct.pack("<H", kind)
                data += encoded
                if value is None:
                    nulls[i // 8] |= 1 << i % 8
            body += bytes(nulls) + b"\1" + types + data
        self.connection._execute_command(EXECUTE, body)
        first = self.connection._read_packet()
        if first.is_ok_packet():
            self.affected_rows = OKPacketWrapper(first).affected_rows
            return []
        fields = [self.connection._read_packet(FieldDescriptorPacket) for _ in range(first.read_length_encoded_integer())]
        self.connection._read_packet()
        rows = []
        while True:
            packet = self.connection._read_packet()
            if packet.is_eof_packet():
                return rows
            rows.append(decode(packet, fields))

    def close(self) -> None:
        self.connection._execute_command(CLOSE, struct.pack("<I", self.id))


def length_encoded(data: bytes) -> bytes:
    if len(data) < 251:
        return bytes([len(data)]) + data
    return b"\xfc" + struct.pack("<H", len(data)) + data


def encode(value) -> tuple[int, bytes]:
    """Type code and bytes of a parameter."""
    if value is None:
        return 6, b""
    if isinstance(value, bool):
        return 1, struct.pack("<b", value)
    if isinstance(value, int):
        return (8, struct.pack("<q", value)) if -(1 << 63) <= value < 1 << 63 else (246, length_encoded(str(value).encode()))
    if isinstance(value, float):
        return 5, struct.pack("<d", value)
    if isinstance(value, decimal.Decimal):
        return 246, length_encoded(str(value).encode())
    if isinstance(value, datetime.datetime):
        return 12, struct.pack("<BHBBBBBI", 11, value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond)
    if isinstance(value, datetime.date):
        return 10, struct.pack("<BHBB", 4, value.year, value.month, value.day)
    return 253, length_encoded(str(value).encode())


def decode(packet, fields) -> tuple:
    packet.read_uint8()
    nulls = packet.read((len(fields) + 9) // 8)
    row = []
    for i, field in enumerate(fields):
        if nulls[(i + 2) // 8] >> (i + 2) % 8 & 1:
            row.append(None)
        elif field.type_code in INTEGERS:
            form = INTEGERS[field.type_code]
            row.append(struct.unpack(form, packet.read(struct.calcsize(form)))[0])
        elif field.type_code == 4:
            row.append(struct.unpack("<f", packet.read(4))[0])
        elif field.type_code == 5:
            row.append(struct.unpack("<d", packet.read(8))[0])
        elif field.type_code in (7, 10, 12):
            row.append(moment(field.type_code, packet.read(packet.read_uint8())))
        else:
            text = packet.read_length_coded_string().decode()
            row.append(decimal.Decimal(text) if field.type_code in (0, 246) else text)
    return tuple(row)


def moment(kind: int, data: bytes) -> datetime.date:
    year, month, day = struct.unpack("<HBB", data[:4])
    if kind == 10:
        return datetime.date(year, month, day)
    hour, minute, second = struct.unpack("<BBB", data[4:7]) if len(data) >= 7 else (0, 0, 0)
    micros = struct.unpack("<I", data[7:11])[0] if len(data) >= 11 else 0
    return datetime.datetime(year, month, day, hour, minute, second, micros)
