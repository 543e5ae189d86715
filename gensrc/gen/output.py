# SPDX-License-Identifier: Apache-2.0
"""Small text tools shared by the generators: catalog loading, names, literals, writing only what changed."""
import pathlib
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
CATALOG = ROOT / "gensrc" / "catalog"


class CatalogError(Exception):
    """A catalog entry that cannot be generated from; the message names file and entry."""


def load(relative: str) -> dict:
    """Reads one TOML catalog; an absent file is an empty catalog."""
    path = CATALOG / relative
    if not path.exists():
        return {}
    with path.open("rb") as file:
        return tomllib.load(file)


def require_sorted(relative: str, names: list[str]) -> None:
    """Catalog entries are kept sorted, so that parallel additions rarely conflict."""
    for before, after in zip(names, names[1:]):
        if not before < after:
            raise CatalogError(f"{relative}: '{after}' must come before '{before}' and names must be unique")


def pascal(name: str) -> str:
    return "".join(part[:1].upper() + part[1:].lower() for part in name.replace("-", "_").split("_"))


def camel(name: str) -> str:
    text = pascal(name)
    return text[:1].lower() + text[1:]


def quote(text: str) -> str:
    """A C++ or Java string literal."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def write(path: pathlib.Path, text: str) -> None:
    """Writes `text` unless the file already holds exactly that."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    path.write_text(text, encoding="utf-8")
