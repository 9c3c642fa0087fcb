"""The check of third-party crates can fail."""

import shutil
import tempfile
import tomllib
import unittest
from pathlib import Path

import supply


class List(unittest.TestCase):
    def setUp(self):
        self.crates = supply.locked()
        self.names = supply.listed()
        self.snapshot = tomllib.loads((supply.ADVISORIES / "snapshot.toml").read_text())
        self.actual = supply.checksums(supply.ADVISORIES, self.crates)

    def problems(self, **other):
        return supply.problems(**({name: getattr(self, name) for name in ("crates", "names", "snapshot", "actual")} | other))

    def test_nothing_is_wrong(self):
        self.assertEqual(self.problems(), [])
        self.assertIn("libfuzzer-sys", self.crates, "the lock file of fuzz/ is read")
        self.assertNotIn("ask-core", self.crates)

    def test_an_unlisted_crate(self):
        [problem] = self.problems(crates=self.crates | {"leftpad"})
        self.assertRegex(problem, "^leftpad is in a lock file and not in .*: look at the crate")

    def test_a_listed_crate_in_no_lock_file(self):
        [problem] = self.problems(crates=self.crates - {"serde"})
        self.assertRegex(problem, "^serde is in .* in no lock file: remove it")

    def test_a_crate_that_is_listed_twice(self):
        [problem] = self.problems(names=[*self.names, "serde"])
        self.assertRegex(problem, "^serde is more than once")

    def test_advisories_for_other_crates(self):
        [problem] = self.problems(actual=supply.checksums(supply.ADVISORIES, self.crates | {"leftpad"}))
        self.assertIn("renew", problem)

    def test_an_advisory_that_was_changed_or_removed(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "advisories"
            shutil.copytree(supply.ADVISORIES, copy)
            one = next(copy.glob("crates/*/*.md"))
            content = one.read_bytes()
            one.write_bytes(content + b"\n")
            [changed] = self.problems(actual=supply.checksums(copy, self.crates))
            one.unlink()
            [removed] = self.problems(actual=supply.checksums(copy, self.crates))
            self.assertEqual(changed, removed)
            one.write_bytes(content)
            self.assertEqual(self.problems(actual=supply.checksums(copy, self.crates)), [])

    def test_every_group_has_its_reason(self):
        for group in tomllib.loads(supply.LIST.read_text())["group"]:
            self.assertTrue(group["maintainers"] and group["reason"].endswith("."), group)
