#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on an include or import against the written order of folders (layers.toml); --graph prints the real graph as Mermaid."""
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#include "([a-z_0-9/]+)\.(?:gen\.)?h"')
IMPORT = re.compile(r"^import (?:static )?org\.thetis\.([a-z]+)\.([a-z]+)")
MAX_ROOT_FILES = 12


class Layer:
    """One ordered set of folders: of a component, or of the topics inside a layer."""

    def __init__(self, name: str, rules: dict):
        self.name = name
        self.order: list[str] = rules["order"]
        self.never = {tuple(edge.split(" -> ")) for edge in rules.get("never", [])}
        self.siblings = set(rules.get("siblings", []))
        self.edges: dict[tuple[str, str], str] = {}

    def check(self, source: str, target: str, where: str) -> str | None:
        if source == target:
            return None
        self.edges.setdefault((source, target), where)
        for folder in (source, target):
            if folder not in self.order:
                return f"{where}: folder '{folder}' is not in the order of [{self.name}]"
        if (source, target) in self.never:
            return f"{where}: {source} -> {target} is listed as never in [{self.name}]"
        if source in self.siblings and target in self.siblings:
            return f"{where}: {source} and {target} are siblings in [{self.name}]"
        if self.order.index(source) < self.order.index(target):
            return f"{where}: {source} -> {target} goes against the order of [{self.name}]"
        return None


def back_end(rules: dict) -> tuple[list[str], list[Layer]]:
    problems: list[str] = []
    root = ROOT / "be" / "src"
    top = Layer("be", rules)
    inner = {name: Layer(f"be.{name}", value) for name, value in rules.items() if isinstance(value, dict)}
    for path in sorted([*root.rglob("*.cpp"), *root.rglob("*.h")]):
        relative = path.relative_to(root)
        if re.search(r"_(test|bench)\.cpp$", path.name) or "testing" in relative.parts:
            continue  # Tests may use anything below their own layer; the linker sees to that.
        layer = relative.parts[0]
        topic = relative.parts[1] if len(relative.parts) > 2 else None
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if match is None or "/" not in match.group(1):
                continue
            parts = match.group(1).split("/")
            where = f"be/src/{relative}:{number}"
            if parts[0] not in top.order:
                continue  # Generated wire code and third-party headers.
            problem = top.check(layer, parts[0], where)
            if problem is None and parts[0] == layer and layer in inner and topic and len(parts) > 2:
                problem = inner[layer].check(topic, parts[1], where)
            if problem:
                problems.append(problem)
    for layer in top.order:
        folder = root / layer
        if not folder.exists():
            continue
        if not (folder / "README.md").exists():
            problems.append(f"be/src/{layer}: README.md is missing")
        topics = [p for p in folder.iterdir() if p.is_dir()]
        loose = [p for p in folder.glob("*.cpp") if not re.search(r"_(test|bench)$", p.stem)]
        if layer in inner and topics and len(loose) > MAX_ROOT_FILES:
            problems.append(f"be/src/{layer}: {len(loose)} sources in the root of a layer that has topics (at most {MAX_ROOT_FILES})")
    return problems, [top, *inner.values()]


def front_end(rules: dict) -> tuple[list[str], list[Layer]]:
    problems: list[str] = []
    top = Layer("fe", rules)
    inner = {name: Layer(f"fe.{name}", value) for name, value in rules.items() if isinstance(value, dict)}
    for module in top.order:
        root = ROOT / "fe" / module / "src/main/java/org/thetis" / module
        if not root.exists():
            continue
        if not (ROOT / "fe" / module / "README.md").exists():
            problems.append(f"fe/{module}: README.md is missing")
        for path in sorted(root.rglob("*.java")):
            relative = path.relative_to(root)
            package = relative.parts[0] if len(relative.parts) > 1 else None
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                match = IMPORT.match(line)
                if match is None:
                    continue
                where = f"fe/{module}/.../{relative}:{number}"
                problem = top.check(module, match.group(1), where)
                if problem is None and match.group(1) == module and module in inner and package:
                    problem = inner[module].check(package, match.group(2), where)
                if problem:
                    problems.append(problem)
    return problems, [top, *inner.values()]


def main() -> int:
    with (ROOT / "tools/check/layers.toml").open("rb") as file:
        rules = tomllib.load(file)
    be_problems, be_layers = back_end(rules["be"])
    fe_problems, fe_layers = front_end(rules["fe"])
    if "--graph" in sys.argv:
        for layer in [*be_layers, *fe_layers]:
            print(f"%% {layer.name}\ngraph BT")
            for source, target in sorted(layer.edges):
                print(f"    {source} --> {target}")
        return 0
    for problem in [*be_problems, *fe_problems]:
        print(problem)
    return 1 if be_problems or fe_problems else 0


if __name__ == "__main__":
    sys.exit(main())
