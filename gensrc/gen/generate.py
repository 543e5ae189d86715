#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates the sources both processes share from the declarative catalogs.

    generate.py java <module> --out DIR --resources DIR    # one Maven module's generated classes and resources
    generate.py cpp --out DIR                              # every generated C++ header and registry

Output goes under build folders only and is rewritten only when its text changes, so builds stay incremental.
"""
import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import gen_config  # noqa: E402
import gen_errors  # noqa: E402
import gen_functions  # noqa: E402
import gen_registry  # noqa: E402
import gen_types  # noqa: E402
import gen_variables  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    sub = parser.add_subparsers(dest="language", required=True)
    java = sub.add_parser("java")
    java.add_argument("module", choices=["base", "catalog", "sql", "query", "server"])
    java.add_argument("--out", type=pathlib.Path, required=True)
    java.add_argument("--resources", type=pathlib.Path, required=True)
    cpp = sub.add_parser("cpp")
    cpp.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()

    if arguments.language == "cpp":
        gen_types.cpp(arguments.out)
        gen_errors.cpp(arguments.out)
        gen_config.cpp(arguments.out)
        gen_functions.cpp(arguments.out)
        gen_variables.cpp(arguments.out)
        gen_registry.cpp(arguments.out)
        return 0

    arguments.resources.mkdir(parents=True, exist_ok=True)
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.module == "base":
        gen_errors.java(arguments.out)
        gen_config.java(arguments.out, arguments.resources)
    elif arguments.module == "catalog":
        gen_types.java(arguments.out)
    elif arguments.module == "sql":
        gen_functions.java(arguments.resources)
        gen_registry.java_sql(arguments.out)
    elif arguments.module == "query":
        gen_variables.java(arguments.out, arguments.resources)
        gen_registry.java_query(arguments.out)
    elif arguments.module == "server":
        gen_registry.java_server(arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
