"""The check of advisories can fail. `.ci/full` runs this: cargo-deny takes minutes to build.

    packaging/test deny
"""

import shutil
import tempfile
import unittest
from pathlib import Path

import supply

MADE_UP_ADVISORY = """```toml
[advisory]
id = "RUSTSEC-2026-9999"
package = "etcetera"
date = "2026-01-01"

[versions]
patched = []
```

# Made up by packaging/tests/deny.py
"""


class Advisories(unittest.TestCase):
    def test_cargo_deny_rejects_a_crate_with_an_advisory(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "advisories"
            shutil.copytree(supply.ADVISORIES, copy)
            (copy / "crates/etcetera").mkdir()
            (copy / "crates/etcetera/RUSTSEC-2026-9999.md").write_text(MADE_UP_ADVISORY)
            self.assertFalse(supply.deny(copy, Path(folder)), "cargo-deny rejects every version of etcetera")
