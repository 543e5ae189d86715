# SPDX-License-Identifier: Apache-2.0
"""config/{fe,be}/*.toml -> typed settings per owner, plus the list of every known key.

One file per owner, named like it. A `[[key]]` is a key we act on: name, type, default, doc and optionally min, max, mutable,
master_only. `accepted.toml` lists `name=default` pairs of keys that existing files may hold and that are stored but have no effect.
"""
import json
import pathlib

from output import CATALOG, CatalogError, camel, load, pascal, quote, require_sorted, write

TYPES = {"int": ("int32_t", "int"), "long": ("int64_t", "long"), "bool": ("bool", "boolean"),
         "double": ("double", "double"), "string": ("std::string", "String")}
FIELDS = {"name", "type", "default", "doc", "min", "max", "mutable", "master_only"}


def entries(side: str) -> tuple[list[dict], list[tuple[str, str]]]:
    """Keys of one side, each with its owner, and the names accepted without effect; both sorted by name."""
    keys = []
    for path in sorted((CATALOG / "config" / side).glob("*.toml")):
        if path.stem == "accepted":
            continue
        source = f"config/{side}/{path.name}"
        own = load(source)["key"]
        require_sorted(source, [key["name"] for key in own])
        for key in own:
            unknown = set(key) - FIELDS
            if unknown:
                raise CatalogError(f"{source}: {key['name']}: unknown field {sorted(unknown)}")
            if key["type"] not in TYPES:
                raise CatalogError(f"{source}: {key['name']}: type must be one of {sorted(TYPES)}")
            for field in ("default", "doc"):
                if field not in key:
                    raise CatalogError(f"{source}: {key['name']}: '{field}' is missing")
            keys.append(key | {"owner": path.stem})
    keys.sort(key=lambda key: key["name"])
    require_sorted(f"config/{side}", [key["name"] for key in keys])
    known = {key["name"] for key in keys}
    accepted = [tuple(item.split("=", 1)) if "=" in item else (item, "") for item in load(f"config/{side}/accepted.toml")["accepted"]]
    return keys, [(name, value) for name, value in accepted if name not in known]


def text_of(key: dict) -> str:
    value = key["default"]
    return str(value).lower() if isinstance(value, bool) else str(value)


def cpp(out: pathlib.Path) -> None:
    keys, accepted = entries("be")
    lines = ["// Generated from config/be; do not edit.", "#pragma once", "#include <cstdint>", "#include <string>", "#include <string_view>", "",
             '#include "base/config.h"', "", "namespace thetis {", "",
             "/// Every key a be.conf may hold: the ones acted on, then names that are accepted without effect.",
             "inline constexpr ConfigKey kBackendConfigKeys[] = {"]
    for key in keys:
        kind = "k" + pascal(key["type"])
        low, high = key.get("min"), key.get("max")
        bounds = f"{'true' if low is not None else 'false'}, {low if low is not None else 0}, {'true' if high is not None else 'false'}, {high if high is not None else 0}"
        lines.append(f"    {{{quote(key['name'])}, ConfigType::{kind}, {quote(text_of(key))}, {str(key.get('mutable', False)).lower()}, true, {bounds}, {quote(key['doc'])}}},")
    for name, value in accepted:
        lines.append(f"    {{{quote(name)}, ConfigType::kString, {quote(value)}, false, false, false, 0, false, 0, \"Accepted without effect.\"}},")
    lines += ["};", ""]
    for owner in sorted({key["owner"] for key in keys}):
        name = pascal(owner) + "Settings"
        lines += [f"/// The keys `{owner}` reads; current values, safe to call from any thread.", f"class {name} {{", "public:",
                  f"    explicit {name}(const Config& config) : config_(&config) {{}}", ""]
        for key in (k for k in keys if k["owner"] == owner):
            ctype = TYPES[key["type"]][0]
            lines += [f"    /// {key['doc']}", f"    {ctype} {key['name']}() const {{ return config_->get_{key['type']}({quote(key['name'])}); }}"]
        lines += ["", "private:", "    const Config* config_;  // Outlives every component.", "};", ""]
    lines += ["}  // namespace thetis", ""]
    write(out / "base" / "be_settings.gen.h", "\n".join(lines))


def java(out: pathlib.Path, resources: pathlib.Path) -> None:
    keys, accepted = entries("fe")
    document = {
        "keys": [{"name": k["name"], "type": k["type"], "default": text_of(k), "mutable": k.get("mutable", False), "min": k.get("min"),
                  "max": k.get("max"), "masterOnly": k.get("master_only", False), "doc": k["doc"]} for k in keys],
        "accepted": [{"name": n, "default": v} for n, v in accepted],
    }
    write(resources / "thetis" / "config-fe.json", json.dumps(document, indent=1) + "\n")
    for owner in sorted({key["owner"] for key in keys}):
        name = pascal(owner) + "Settings"
        lines = ["// Generated from config/fe; do not edit.", "package org.thetis.base.config;", "",
                 f"/** The keys the {owner} reads; current values, safe to call from any thread. */", f"public final class {name} {{",
                 "    private final Config config;", "", f"    public {name}(Config config) {{", "        this.config = config;", "    }"]
        for key in (k for k in keys if k["owner"] == owner):
            jtype = TYPES[key["type"]][1]
            lines += ["", f"    /** {key['doc']} */", f"    public {jtype} {camel(key['name'])}() {{",
                      f"        return config.get{pascal(key['type'])}({quote(key['name'])});", "    }"]
        lines += ["}", ""]
        write(out / "org/thetis/base/config" / f"{name}.java", "\n".join(lines))
