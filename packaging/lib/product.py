"""What goes into the packages: facts from Cargo.toml, the binary, and the files that the binary generates."""

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


def output_of(*command, cwd=TREE):
    """The standard output of a command, which must succeed."""
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
        """The target triple of the binary: the compiler's host, because we never cross-compile."""
        return re.search(r"^host: (\S+)$", output_of("rustc", "-vV").decode(), re.M)[1]

    @property
    def owner(self):
        return self.repository.split("/")[-2]

    @property
    def mcp_name(self):
        """The name in the MCP registry, which verifies the owner by a GitHub account."""
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
        return output_of(str(self.binary), "man")

    def completions(self, shell):
        return output_of(str(self.binary), "completions", shell)

    def shared(self, zsh="zsh/site-functions"):
        """The files for a `share` folder, by their paths in it."""
        return {
            f"bash-completion/completions/{self.name}": self.completions("bash"),
            f"fish/vendor_completions.d/{self.name}.fish": self.completions("fish"),
            f"{zsh}/_{self.name}": self.completions("zsh"),
            f"man/man1/{self.name}.1": self.manual,
        }

    def print_size(self, path):
        print(f"{path.stat().st_size:>9} {path.name}", flush=True)


def metadata(*more):
    """The output of `cargo metadata`."""
    return json.loads(output_of("cargo", "metadata", "--format-version=1", "--locked", *more))


def load_product():
    """The product, with the binary and output folder from a `build` script's command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    [package] = [each for each in metadata("--no-deps")["packages"] if each["name"] == "ask-user"]
    return Product(
        name=package["name"],
        version=package["version"],
        description=package["description"],
        licence=package["license"],
        repository=package["repository"],
        binary=arguments.binary.resolve(),
        out=arguments.out.resolve(),
        epoch=int(os.environ["SOURCE_DATE_EPOCH"]),
    )


def fill_template(template, **words):
    """A template with each @WORD@ replaced by its value; all words must have one."""
    for word, value in words.items():
        template = template.replace(f"@{word}@", value)
    missing = re.search(r"@[A-Z_]+@", template)
    assert not missing, f"{missing[0]} has no value"
    return template
