# SPDX-License-Identifier: Apache-2.0
"""Registries from folder listings: in a registry folder each file is one entry, so adding an entry touches no list.

C++: every `<stem>.cpp` (tests and benches apart) defines `void register_<stem>(Registry&)`; a missing definition is a link
error that names it. Java: every public top-level class with the folder's suffix is an entry, built with the constructor it has
(none, or one parameter that the registry passes on).
"""
import pathlib
import re

from output import ROOT, pascal, write

BE = ROOT / "be" / "src"

# folder, registry type, header that declares it, output header, recursive
CPP_REGISTRIES = [
    ("functions/scalar", "ScalarRegistry", "functions/scalar_registry.h", "functions/register_scalar.gen.h", True),
    ("functions/aggregate", "AggregateRegistry", "functions/aggregate_registry.h", "functions/register_aggregate.gen.h", False),
    ("storage/encoding", "EncodingRegistry", "storage/encoding_registry.h", "storage/register_encodings.gen.h", False),
    ("server/http", "HttpRouter", "server/http_router.h", "server/register_endpoints.gen.h", False),
]
SUFFIX = {"server/http": "_endpoint", "storage/encoding": "_encoding"}


def cpp(out: pathlib.Path) -> None:
    for folder, registry, header, target, recursive in CPP_REGISTRIES:
        base = BE / folder
        files = sorted(base.rglob("*.cpp") if recursive else base.glob("*.cpp")) if base.exists() else []
        suffix = SUFFIX.get(folder, "")
        stems = [f.stem for f in files if not re.search(r"_(test|bench)$", f.stem) and f.stem.endswith(suffix) and f"register_{f.stem}" in f.read_text(encoding="utf-8")]
        name = "register_all_" + pathlib.Path(target).name.removesuffix(".gen.h").removeprefix("register_")
        lines = [f"// Generated from the listing of {folder}; do not edit.", "#pragma once", f'#include "{header}"', "", "namespace thetis {", ""]
        lines += [f"void register_{stem}({registry}& registry);" for stem in stems]
        lines += ["", f"inline void {name}([[maybe_unused]] {registry}& registry) {{"]
        lines += [f"    register_{stem}(registry);" for stem in stems]
        lines += ["}", "", "}  // namespace thetis", ""]
        write(out / target, "\n".join(lines))


def java_classes(root: pathlib.Path, suffix: str) -> list[tuple[str, str, bool]]:
    """Public top-level classes under `root`: (qualified name, simple name, constructor takes one parameter)."""
    found = []
    for path in sorted(root.rglob("*.java")) if root.exists() else []:
        text = path.read_text(encoding="utf-8")
        name = path.stem
        if not name.endswith(suffix) or not re.search(rf"^public (final )?(class|record) {name}\b", text, re.M):
            continue
        package = re.search(r"^package ([\w.]+);", text, re.M).group(1)
        record = re.search(rf"^public record {name}\(([^)]*)\)", text, re.M)
        constructor = re.search(rf"^    public {name}\(([^)]*)\)", text, re.M)
        parameters = record.group(1) if record else constructor.group(1) if constructor else ""
        found.append((f"{package}.{name}", name, bool(parameters.strip())))
    return found


def java_registry(out: pathlib.Path, package: str, name: str, what: str, entry_type: str, services: str, classes: list[tuple[str, str, bool]]) -> None:
    lines = ["// Generated from a folder listing; do not edit.", f"package {package};", "", "import java.util.List;", "", f"/** {what} */", f"public final class {name} {{",
             f"    private {name}() {{}}", "", "    /** Builds every entry of the folder. */"]
    simple_services = services.rsplit(".", 1)[-1]
    parameter = f"{services} {simple_services[:1].lower() + simple_services[1:]}" if services else ""
    argument = parameter.split(" ")[-1] if services else ""
    lines += [f"    public static List<{entry_type}> create({parameter}) {{", "        return List.of("]
    lines.append(",\n".join(f"                new {qualified}({argument if takes else ''})" for qualified, _, takes in classes) + ");")
    lines += ["    }", "}", ""]
    write(out / package.replace(".", "/") / f"{name}.java", "\n".join(lines))


def java_sql(out: pathlib.Path) -> None:
    rules = ROOT / "fe/sql/src/main/java/org/thetis/sql/rules"
    for phase in ("normalize", "rewrite", "explore", "implement"):
        classes = java_classes(rules / phase, "")
        if classes:
            java_registry(out, f"org.thetis.sql.rules.{phase}", f"{phase.capitalize()}Rules", f"Every rule of the {phase} phase.", "org.thetis.sql.rules.Rule", "", classes)


def java_query(out: pathlib.Path) -> None:
    base = ROOT / "fe/query/src/main/java/org/thetis/query"
    handlers = java_classes(base / "statement", "Handler")
    if handlers:
        java_registry(out, "org.thetis.query.statement", "StatementHandlers", "Every statement handler.", "StatementHandler<?>",
                      "org.thetis.query.statement.StatementServices", handlers)
    tables = java_classes(base / "infoschema", "Table")
    if tables:
        java_registry(out, "org.thetis.query.infoschema", "SchemaTables", "Every information_schema table.", "SchemaTable", "", tables)


def java_server(out: pathlib.Path) -> None:
    endpoints = java_classes(ROOT / "fe/server/src/main/java/org/thetis/server/http", "Endpoint")
    if endpoints:
        java_registry(out, "org.thetis.server.http", "HttpEndpoints", "Every HTTP endpoint.", "Endpoint", "org.thetis.server.http.HttpServices", endpoints)
