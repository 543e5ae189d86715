# SPDX-License-Identifier: Apache-2.0
"""errors.toml -> thetis::ErrorCode (C++) and org.thetis.base.error.ErrorCode (Java)."""
import pathlib

from output import CatalogError, load, pascal, quote, require_sorted, write

SOURCE = "errors.toml"
KINDS = ["corruption", "internal", "resource", "transient", "user"]


def entries() -> list[dict]:
    errors = load(SOURCE).get("error", [])
    require_sorted(SOURCE, [entry["name"] for entry in errors])
    numbers = [entry["number"] for entry in errors]
    if len(numbers) != len(set(numbers)):
        raise CatalogError(f"{SOURCE}: numbers must be unique")
    for entry in errors:
        if entry["kind"] not in KINDS:
            raise CatalogError(f"{SOURCE}: {entry['name']}: kind must be one of {KINDS}")
    return errors


def cpp(out: pathlib.Path) -> None:
    errors = entries()
    lines = [f"// Generated from {SOURCE}; do not edit.", "#pragma once", "#include <cstdint>", "#include <string_view>", "",
             "namespace thetis {", "", "/// Why something failed; numbers are shared with the front end.", "enum class ErrorCode : int32_t {", "    kOk = 0,"]
    for e in errors:
        lines += [f"    /// {e['doc']}", f"    k{pascal(e['name'])} = {e['number']},"]
    lines += ["};", "", "/// Upper-case name, as load replies and logs show it.", "constexpr std::string_view error_name(ErrorCode code) {",
              "    switch (code) {", '        case ErrorCode::kOk: return "OK";']
    lines += [f"        case ErrorCode::k{pascal(e['name'])}: return {quote(e['name'].upper())};" for e in errors]
    lines += ["    }", '    return "UNKNOWN";', "}", "", "}  // namespace thetis", ""]
    write(out / "base" / "error_code.gen.h", "\n".join(lines))


def java(out: pathlib.Path) -> None:
    rows = ",\n".join(
        f"    /** {e['doc']} */\n    {e['name'].upper()}({e['number']}, Kind.{e['kind'].upper()}, {e.get('mysql', 1105)}, {quote(e.get('sqlstate', 'HY000'))})"
        for e in entries())
    text = f"""// Generated from {SOURCE}; do not edit.
package org.thetis.base.error;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Why something failed; numbers are shared with the back end. */
public enum ErrorCode {{
{rows};

    /** Who has to act: the client (USER), the operator (RESOURCE), nobody but a retry (TRANSIENT), us (INTERNAL). */
    public enum Kind {{
        {", ".join(kind.upper() for kind in KINDS)}
    }}

    private static final Map<Integer, ErrorCode> BY_NUMBER = new HashMap<>();

    static {{
        for (ErrorCode code : values()) {{
            BY_NUMBER.put(code.number, code);
        }}
    }}

    private final int number;
    private final Kind kind;
    private final int mysqlCode;
    private final String sqlState;

    ErrorCode(int number, Kind kind, int mysqlCode, String sqlState) {{
        this.number = number;
        this.kind = kind;
        this.mysqlCode = mysqlCode;
        this.sqlState = sqlState;
    }}

    public int number() {{
        return number;
    }}

    public Kind kind() {{
        return kind;
    }}

    public int mysqlCode() {{
        return mysqlCode;
    }}

    public String sqlState() {{
        return sqlState;
    }}

    /** Finds a code by the number a back end sent. */
    public static Optional<ErrorCode> of(int number) {{
        return Optional.ofNullable(BY_NUMBER.get(number));
    }}
}}
"""
    write(out / "org/thetis/base/error/ErrorCode.java", text)
