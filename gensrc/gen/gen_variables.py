# SPDX-License-Identifier: Apache-2.0
"""variables.toml -> session variable descriptions (resource), typed accessors (Java), options read by the back end (C++).

A `[[variable]]` is acted on: name, type, default, doc and optionally scope (both | session | global | read_only),
experimental, deprecated, to_backend. `accepted` lists `name=default` pairs that are stored and shown but have no effect.
`experimental`, `deprecated`, `global_only`, `session_only` and `read_only` list accepted names that carry that mark.
Variables with to_backend travel as text in the query options; the back end reads them through QueryVariables.
"""
import json
import pathlib

from output import CatalogError, camel, load, pascal, quote, require_sorted, write

SOURCE = "variables.toml"
TYPES = {"int": ("int32_t", "int"), "long": ("int64_t", "long"), "bool": ("bool", "boolean"),
         "double": ("double", "double"), "string": ("std::string", "String")}


MARKS = {"experimental": "experimental", "deprecated": "deprecated"}
SCOPES = {"global_only": "global", "session_only": "session", "read_only": "read_only"}


def entries() -> tuple[list[dict], list[dict]]:
    """Variables acted on, and accepted ones as name, default, scope, experimental, deprecated."""
    catalog = load(SOURCE)
    variables = catalog.get("variable", [])
    require_sorted(SOURCE, [v["name"] for v in variables])
    for v in variables:
        if v["type"] not in TYPES:
            raise CatalogError(f"{SOURCE}: {v['name']}: type must be one of {sorted(TYPES)}")
    for listed in ["accepted", *MARKS, *SCOPES]:
        require_sorted(SOURCE, [item.split("=", 1)[0] for item in catalog.get(listed, [])])
    scope_of = {name: scope for listed, scope in SCOPES.items() for name in catalog.get(listed, [])}
    known = {v["name"] for v in variables}
    accepted = []
    for item in catalog.get("accepted", []):
        name, _, default = item.partition("=")
        if name not in known:
            accepted.append({"name": name, "default": default, "scope": scope_of.get(name, "both"),
                             **{mark: name in catalog.get(mark, []) for mark in MARKS}})
    return variables, accepted


def text_of(variable: dict) -> str:
    value = variable["default"]
    return str(value).lower() if isinstance(value, bool) else str(value)


def cpp(out: pathlib.Path) -> None:
    variables, _ = entries()
    lines = [f"// Generated from {SOURCE}; do not edit.", "#pragma once", "#include <cstdint>", "#include <map>", "#include <string>", "", "namespace thetis {", "",
             "/// Session variables that reach the back end, parsed once per query from the query options.", "struct QueryVariables {"]
    sent = [v for v in variables if v.get("to_backend", False)]
    for v in sent:
        ctype = TYPES[v["type"]][0]
        default = quote(text_of(v)) if v["type"] == "string" else text_of(v)
        lines += [f"    /// {v['doc']}", f"    {ctype} {v['name']} = {default};"]
    lines += ["", "    /// Takes what the front end sent; unknown names and unparsable values keep the default.",
              "    static QueryVariables from(const std::map<std::string, std::string>& options);", "};", "",
              "inline QueryVariables QueryVariables::from(const std::map<std::string, std::string>& options) {", "    QueryVariables variables;",
              "    for (const auto& [name, value] : options) {", "        try {"]
    for i, v in enumerate(sent):
        parse = {"int": "std::stoi(value)", "long": "std::stoll(value)", "double": "std::stod(value)", "bool": 'value == "true" || value == "1"', "string": "value"}[v["type"]]
        lines.append(f"            {'if' if i == 0 else '} else if'} (name == {quote(v['name'])}) {{")
        lines.append(f"                variables.{v['name']} = {parse};")
    if sent:
        lines.append("            }")
    lines += ["        } catch (const std::exception&) {", "            // A value of another version: the default stands.", "            continue;", "        }", "    }", "    return variables;", "}", "",
              "}  // namespace thetis", ""]
    write(out / "query" / "query_variables.gen.h", "\n".join(lines))


def java(out: pathlib.Path, resources: pathlib.Path) -> None:
    variables, accepted = entries()
    document = {"variables": [
        {"name": v["name"], "type": v["type"], "default": text_of(v), "scope": v.get("scope", "both"), "experimental": v.get("experimental", False),
         "deprecated": v.get("deprecated", False), "toBackend": v.get("to_backend", False), "doc": v["doc"]} for v in variables],
        "accepted": accepted}
    write(resources / "thetis" / "variables.json", json.dumps(document, indent=1) + "\n")
    lines = [f"// Generated from {SOURCE}; do not edit.", "package org.thetis.query.session;", "", "import java.util.function.UnaryOperator;", "",
             "/** Typed reading of the session variables we act on. */", "public final class SessionSettings {", "    private final UnaryOperator<String> values;", "",
             "    /** Takes a look-up from variable name to its current text. */", "    public SessionSettings(UnaryOperator<String> values) {", "        this.values = values;", "    }"]
    for v in variables:
        jtype = TYPES[v["type"]][1]
        get = f"values.apply({quote(v['name'])})"
        body = {"int": f"Integer.parseInt({get})", "long": f"Long.parseLong({get})", "double": f"Double.parseDouble({get})",
                "bool": f"Boolean.parseBoolean({get})", "string": get}[v["type"]]
        lines += ["", f"    /** {v['doc']} */", f"    public {jtype} {camel(v['name'])}() {{", f"        return {body};", "    }"]
    lines += ["}", ""]
    write(out / "org/thetis/query/session/SessionSettings.java", "\n".join(lines))
