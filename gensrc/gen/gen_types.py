# SPDX-License-Identifier: Apache-2.0
"""types.toml -> thetis::TypeId (C++) and org.thetis.catalog.type.TypeId (Java)."""
import pathlib

from output import CatalogError, load, pascal, quote, write

SOURCE = "types.toml"
PHYSICAL = ["none", "bool", "int8", "int16", "int32", "int64", "int128", "float", "double", "string", "by_precision"]


def entries() -> list[dict]:
    types = load(SOURCE)["type"]
    ids = [entry["id"] for entry in types]
    if ids != sorted(set(ids)):
        raise CatalogError(f"{SOURCE}: ids must be unique and ascending")
    for entry in types:
        if entry["physical"] not in PHYSICAL:
            raise CatalogError(f"{SOURCE}: {entry['name']}: unknown physical type {entry['physical']}")
    return types


def cpp(out: pathlib.Path) -> None:
    types = entries()
    lines = [f"// Generated from {SOURCE}; do not edit.", "#pragma once", "#include <cstdint>", "#include <string_view>", "",
             "namespace thetis {", "", "/// Logical type ids, shared with the front end.", "enum class TypeId : uint8_t {"]
    lines += [f"    k{pascal(t['name'])} = {t['id']}," for t in types]
    lines += ["};", "", "/// Type name as SQL shows it, lower case.",
              "constexpr std::string_view type_name(TypeId id) {", "    switch (id) {"]
    lines += [f"        case TypeId::k{pascal(t['name'])}: return {quote(t['sql'])};" for t in types]
    lines += ["    }", '    return "unknown";', "}", "",
              f"inline constexpr int kMaxTypeId = {types[-1]['id']};", "", "}  // namespace thetis", ""]
    write(out / "types" / "type_id.gen.h", "\n".join(lines))


def java(out: pathlib.Path) -> None:
    types = entries()
    body = ",\n".join(
        f"    {t['name'].upper()}({t['id']}, {quote(t['sql'])}, {t['rank']}, {t['mysql']}, {t['mysql_length']}, Physical.{t['physical'].upper()})" for t in types)
    text = f"""// Generated from {SOURCE}; do not edit.
package org.thetis.catalog.type;

/** Logical type ids, shared with the back end. */
public enum TypeId {{
{body};

    /** How values are held in memory; BY_PRECISION is int32, int64 or int128 for decimals. */
    public enum Physical {{
        {", ".join(p.upper() for p in PHYSICAL)}
    }}

    private static final TypeId[] BY_ID = new TypeId[256];

    static {{
        for (TypeId type : values()) {{
            BY_ID[type.id] = type;
        }}
    }}

    private final int id;
    private final String sqlName;
    private final int rank;
    private final int mysqlType;
    private final int mysqlLength;
    private final Physical physical;

    TypeId(int id, String sqlName, int rank, int mysqlType, int mysqlLength, Physical physical) {{
        this.id = id;
        this.sqlName = sqlName;
        this.rank = rank;
        this.mysqlType = mysqlType;
        this.mysqlLength = mysqlLength;
        this.physical = physical;
    }}

    /** The number used on the wire and on disk. */
    public int id() {{
        return id;
    }}

    /** Lower-case SQL name without parameters. */
    public String sqlName() {{
        return sqlName;
    }}

    /** Position in the numeric widening order; 0 for types outside it. */
    public int rank() {{
        return rank;
    }}

    /** Column type code in the MySQL protocol. */
    public int mysqlType() {{
        return mysqlType;
    }}

    /** Display length in a MySQL column definition. */
    public int mysqlLength() {{
        return mysqlLength;
    }}

    public Physical physical() {{
        return physical;
    }}

    /** Finds a type by its wire number. */
    public static TypeId of(int id) {{
        TypeId type = id >= 0 && id < BY_ID.length ? BY_ID[id] : null;
        if (type == null) {{
            throw new IllegalArgumentException("unknown type id " + id);
        }}
        return type;
    }}
}}
"""
    write(out / "org/thetis/catalog/type/TypeId.java", text)
