"""What is packed: facts from Cargo.toml, the binary, and what the binary prints about itself."""

import argparse
import functools
import json
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
LICENCES = ["LICENSE-APACHE", "LICENSE-MIT"]


def said(*command, cwd=TREE):
    """What a command printed; its complaint ends us."""
    return subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.PIPE).stdout


@dataclass(frozen=True)
class Product:
    name: str
    version: str
    description: str
    licence: str
    repository: str
    binary: Path
    out: Path
    epoch: int

    @functools.cached_property
    def target(self):
        """The triple that the binary was built for: the compiler's own."""
        return re.search(r"^host: (\S+)$", said("rustc", "-vV").decode(), re.M)[1]

    @property
    def owner(self):
        return self.repository.split("/")[-2]

    @property
    def mcp_name(self):
        """The name in the MCP registry, whose owner shows himself by an account of this forge."""
        assert self.repository.startswith("https://github.com/"), self.repository
        return f"io.github.{self.owner}/{self.name}"

    @property
    def source_archive(self):
        return f"{self.name}-{self.version}-source.tar.gz"

    @functools.cached_property
    def program(self):
        return self.binary.read_bytes()

    @functools.cached_property
    def manual(self):
        return said(str(self.binary), "man")

    def completions(self, shell):
        return said(str(self.binary), "completions", shell)

    def shared(self, zsh="zsh/site-functions"):
        """The files that go under a `share` folder, by their paths in it."""
        return {
            f"bash-completion/completions/{self.name}": self.completions("bash"),
            f"fish/vendor_completions.d/{self.name}.fish": self.completions("fish"),
            f"{zsh}/_{self.name}": self.completions("zsh"),
            f"man/man1/{self.name}.1": self.manual,
        }

    def wrote(self, path):
        print(f"{path.stat().st_size:>9} {path.name}", flush=True)


def metadata(*more):
    """What Cargo knows about the tree."""
    return json.loads(said("cargo", "metadata", "--format-version=1", "--locked", *more))


def product():
    """The product, with the binary and the folder that the command line of a `build` names."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    [package] = [each for each in metadata("--no-deps")["packages"] if each["name"] == "ask-user"]
    return Product(
        name=package["name"],
        version=package["version"],
        description=package["description"],
        licence=package["license"],
        repository=package["repository"],
        binary=given.binary.resolve(),
        out=given.out.resolve(),
        epoch=int(os.environ["SOURCE_DATE_EPOCH"]),
    )


def filled(template, **words):
    """A template with each @WORD@ in its place; one that stays is a mistake of ours."""
    for word, value in words.items():
        template = template.replace(f"@{word}@", value)
    left = re.search(r"@[A-Z_]+@", template)
    assert not left, f"{left[0]} has no value"
    return template
