# SPDX-License-Identifier: Apache-2.0
"""functions/<family>.toml -> function catalog resource (Java) and name list (C++, checked against the kernels at start).

Scalar entry:    name, doc, signatures ["(varchar, int...) -> varchar"], nulls (propagate | custom | never_null), aliases, examples,
                 return_rule (name of a rule in fe/sql/functions when the signature's result is not enough), volatile, fold = false.
Aggregate entry (families aggregate*): the same plus state ("same" | "binary" | a type), empty ("null" | "zero").
Window entry (families window*): as a scalar entry; the function only works with OVER.
"""
import json
import pathlib

from output import CATALOG, CatalogError, load, quote, require_sorted, write

NULLS = {"propagate", "custom", "never_null"}
KINDS = ("scalar", "aggregate", "window")


def kind_of(family: str) -> str:
    """A family is of the kind its name starts with, else scalar."""
    return next((kind for kind in KINDS if family.startswith(kind)), "scalar")


def entries() -> list[dict]:
    functions: list[dict] = []
    for path in sorted((CATALOG / "functions").glob("*.toml")):
        relative = f"functions/{path.name}"
        family = load(relative).get("function", [])
        require_sorted(relative, [f["name"] for f in family])
        for f in family:
            if not f.get("signatures"):
                raise CatalogError(f"{relative}: {f['name']}: no signatures")
            if f.get("nulls", "propagate") not in NULLS:
                raise CatalogError(f"{relative}: {f['name']}: nulls must be one of {sorted(NULLS)}")
            functions.append({"family": path.stem, "kind": kind_of(path.stem), **f})
    seen: dict[tuple[str, str], str] = {}
    for f in functions:
        for name in [f["name"], *f.get("aliases", [])]:
            key = (f["kind"], name)
            if key in seen:
                raise CatalogError(f"function '{name}' is declared in {seen[key]} and in {f['family']}")
            seen[key] = f["family"]
    return functions


def java(resources: pathlib.Path) -> None:
    write(resources / "thetis" / "functions.json", json.dumps(entries(), indent=1, ensure_ascii=False) + "\n")


def cpp(out: pathlib.Path) -> None:
    functions = entries()
    lines = ["// Generated from functions/*.toml; do not edit.", "#pragma once", "#include <string_view>", "", "namespace thetis {", ""]
    for kind in KINDS:
        names = sorted(f["name"] for f in functions if f["kind"] == kind)
        lines += [f"/// Catalog names of {kind} functions; each must have a kernel.", f"inline constexpr std::string_view k{kind.capitalize()}FunctionNames[] = {{"]
        lines += [f"    {quote(name)}," for name in names] or ['    "",']
        lines += ["};", ""]
    lines += ["}  // namespace thetis", ""]
    write(out / "functions" / "function_names.gen.h", "\n".join(lines))
