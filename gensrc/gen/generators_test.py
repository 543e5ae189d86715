# SPDX-License-Identifier: Apache-2.0
"""Tests of the generators: sorted catalogs are enforced, output is stable and rewritten only when it changes."""
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import gen_config  # noqa: E402
import gen_errors  # noqa: E402
import gen_registry  # noqa: E402
import gen_types  # noqa: E402
import output  # noqa: E402


class GeneratorsTest(unittest.TestCase):
    def test_unsorted_names_are_refused(self):
        with self.assertRaises(output.CatalogError):
            output.require_sorted("x.toml", ["b", "a"])

    def test_duplicate_names_are_refused(self):
        with self.assertRaises(output.CatalogError):
            output.require_sorted("x.toml", ["a", "a"])

    def test_names(self):
        self.assertEqual(output.pascal("mem_limit_exceeded"), "MemLimitExceeded")
        self.assertEqual(output.camel("query_port"), "queryPort")
        self.assertEqual(output.quote('a"\\b\n'), '"a\\"\\\\b\\n"')

    def test_a_setting_belongs_to_the_file_that_names_its_owner_and_to_no_second_one(self):
        with tempfile.TemporaryDirectory() as folder:
            catalog = pathlib.Path(folder)
            side = catalog / "config" / "be"
            side.mkdir(parents=True)
            (side / "accepted.toml").write_text('accepted = ["a=1", "z=2"]')
            (side / "load.toml").write_text('[[key]]\nname = "a"\ntype = "int"\ndefault = 1\ndoc = "A."\n')
            with unittest.mock.patch.object(gen_config, "CATALOG", catalog), unittest.mock.patch.object(output, "CATALOG", catalog):
                keys, accepted = gen_config.entries("be")
                self.assertEqual([(key["name"], key["owner"]) for key in keys], [("a", "load")])
                self.assertEqual(accepted, [("z", "2")])
                (side / "server.toml").write_text('[[key]]\nname = "a"\ntype = "int"\ndefault = 1\ndoc = "A."\n')
                with self.assertRaises(output.CatalogError):
                    gen_config.entries("be")

    def test_unchanged_output_keeps_its_time(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.h"
            output.write(path, "one")
            before = path.stat().st_mtime_ns
            output.write(path, "one")
            self.assertEqual(path.stat().st_mtime_ns, before)

    def test_both_languages_agree_on_type_ids(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder)
            gen_types.cpp(out)
            gen_types.java(out)
            cpp = (out / "types/type_id.gen.h").read_text()
            java = (out / "org/thetis/catalog/type/TypeId.java").read_text()
            for entry in gen_types.entries():
                self.assertIn(f"k{output.pascal(entry['name'])} = {entry['id']},", cpp)
                self.assertIn(f"{entry['name'].upper()}({entry['id']}, ", java)

    def test_error_numbers_are_unique(self):
        numbers = [entry["number"] for entry in gen_errors.entries()]
        self.assertEqual(len(numbers), len(set(numbers)))

    def test_registry_finds_public_classes_and_their_parameter(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "AHandler.java").write_text("package p;\npublic final class AHandler {\n    public AHandler(Services s) {}\n}\n")
            (root / "BHandler.java").write_text("package p;\npublic final class BHandler {\n}\n")
            (root / "CHandler.java").write_text("package p;\nfinal class CHandler {\n}\n")
            self.assertEqual(gen_registry.java_classes(root, "Handler"), [("p.AHandler", "AHandler", True), ("p.BHandler", "BHandler", False)])


if __name__ == "__main__":
    unittest.main()
