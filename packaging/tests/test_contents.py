"""The contents of each package, without installing it."""

import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import tarfile
import unittest
import zipfile
from email.parser import Parser
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from product import TREE
from support import BINARY, PACKAGES, TARGET, VERSION, package, shared

SIZE_LIMIT = 16 * 1024 * 1024


def tar_contents(archive):
    """Contents by name, without the first folder; an archive is a path or bytes."""
    stream = io.BytesIO(archive) if isinstance(archive, bytes) else open(archive, "rb")
    with stream, tarfile.open(fileobj=stream) as opened:
        files = [entry for entry in opened.getmembers() if entry.isfile()]
        return {entry.name.partition("/")[2]: opened.extractfile(entry).read() for entry in files}


def zip_contents(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


class Contents(unittest.TestCase):
    def assert_holds(self, files, at, shares):
        """Asserts that `files` has the built binary at `at`, unless that is None, and the files of `shares`."""
        if at:
            self.assertEqual(hashlib.sha256(files[at]).digest(), hashlib.sha256(BINARY.read_bytes()).digest())
        for name, content in shares.items():
            self.assertEqual(files[name], content, name)

    def test_the_binary_is_small_and_has_no_local_paths(self):
        program = BINARY.read_bytes()
        self.assertLess(len(program), SIZE_LIMIT)
        rust = subprocess.run(["rustc", "--print", "sysroot"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
        cargo = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
        for place in {str(TREE), str(TARGET), cargo, rust, str(Path.home()) + "/"} - {"//"}:
            self.assertNotIn(place.encode(), program)

    def test_tarball(self):
        files = tar_contents(package("ask-user-*-*-*.tar.gz"))
        self.assert_holds(files, "bin/ask-user", {f"share/{name}": content for name, content in shared().items()})
        for name in ("README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"):
            self.assertEqual(files[f"share/doc/ask-user/{name}"], (TREE / name).read_bytes())

    def test_npm(self):
        files = tar_contents(package("ask-user-[0-9]*.tgz"))
        self.assert_holds(files, None, {f"share/{name}": content for name, content in shared().items()})
        main = json.loads(files["package.json"])
        files = tar_contents(package("ask-user-linux-*.tgz"))
        self.assert_holds(files, "bin/ask-user", {})
        platform = json.loads(files["package.json"])
        self.assertEqual((main["version"], platform["version"]), (VERSION, VERSION))
        self.assertEqual(main["optionalDependencies"], {platform["name"]: VERSION})
        for manifest in (main, platform):
            self.assertNotIn("scripts", manifest)
            self.assertNotIn("dependencies", manifest)

    def test_wheel(self):
        path = package("*.whl")
        files = zip_contents(path)
        [info] = {name.split("/")[0] for name in files if ".dist-info/" in name}
        data = info.replace(".dist-info", ".data")
        self.assert_holds(files, f"{data}/scripts/ask-user", {f"{data}/data/share/{name}": content for name, content in shared().items()})
        metadata = Parser().parsestr(files[f"{info}/METADATA"].decode())
        self.assertEqual(metadata["Version"], VERSION)
        self.assertIn(f"Tag: {path.stem.split('-', 2)[2]}\n", files[f"{info}/WHEEL"].decode())

    @unittest.skipUnless(shutil.which("dpkg-deb"), "there is no dpkg-deb, and so no package for Debian")
    def test_deb(self):
        def dpkg_deb(*command):
            return subprocess.run(["dpkg-deb", *command], check=True, stdout=subprocess.PIPE).stdout

        path = package("*.deb")
        files = tar_contents(dpkg_deb("--fsys-tarfile", path))
        shares = {f"usr/share/{name}": content for name, content in shared("zsh/vendor-completions").items()}
        manual = "usr/share/man/man1/ask-user.1"
        self.assertEqual(gzip.decompress(files[f"{manual}.gz"]), shares.pop(manual))
        self.assert_holds(files, "usr/bin/ask-user", shares)
        self.assertEqual(dpkg_deb("--field", path, "Version").decode().strip(), VERSION.replace("-", "~"))
        self.assertRegex(dpkg_deb("--field", path, "Depends").decode(), r"libc6 \(>= 2\.\d+\)")
        sums = dpkg_deb("--ctrl-tarfile", path)
        listed = dict(reversed(line.split("  ")) for line in tar_contents(sums)["md5sums"].decode().splitlines())
        self.assertEqual(listed, {name: hashlib.md5(content).hexdigest() for name, content in files.items()})

    @unittest.skipUnless(shutil.which("lintian"), "there is no lintian")
    def test_lintian_finds_no_error(self):
        found = subprocess.run(["lintian", "--allow-root", "--fail-on", "error", package("*.deb")], stdout=subprocess.PIPE, text=True)
        self.assertEqual(found.returncode, 0, found.stdout)

    def test_formula_names_the_source_archive(self):
        formula = package("ask-user.rb").read_text()
        source = package("ask-user-*-source.tar.gz")
        self.assertIn(f'/v{VERSION}/{source.name}"', formula)
        self.assertIn(f'sha256 "{hashlib.sha256(source.read_bytes()).hexdigest()}"', formula)
        self.assertIn("Cargo.lock", tar_contents(source))

    @unittest.skipUnless(shutil.which("ruby"), "there is no ruby")
    def test_formula_is_ruby(self):
        subprocess.run(["ruby", "-c", package("ask-user.rb")], check=True, stdout=subprocess.DEVNULL)

    @unittest.skipUnless(shutil.which("nix-instantiate"), "there is no nix")
    def test_flake_is_nix(self):
        for name in ("flake.nix", "packaging/nix/package.nix"):
            subprocess.run(["nix-instantiate", "--parse", TREE / name], check=True, stdout=subprocess.DEVNULL)

    def test_registry_entry_agrees_with_the_packages(self):
        entry = json.loads(package("server.json").read_text())
        self.assertEqual((TREE / "packaging/mcp-registry/server.json").read_text(), package("server.json").read_text(), (
            "refresh it from the root of the tree with\n  cp target/packages/server.json packaging/mcp-registry/server.json"))
        self.assertLessEqual(len(entry["description"]), 100)
        self.assertEqual([entry["version"], *(each["version"] for each in entry["packages"])], [VERSION] * 3)
        manifest = json.loads(tar_contents(package("ask-user-[0-9]*.tgz"))["package.json"])
        self.assertEqual((manifest["mcpName"], manifest["name"]), (entry["name"], entry["packages"][0]["identifier"]))
        [metadata] = [content.decode() for name, content in zip_contents(package("*.whl")).items() if name.endswith("/METADATA")]
        self.assertIn(f"<!-- mcp-name: {entry['name']} -->", metadata)
        self.assertEqual(Parser().parsestr(metadata)["Name"], entry["packages"][1]["identifier"])

    def test_bill_of_materials_lists_what_was_compiled(self):
        path = package("*.cdx.json")
        self.assertIsNone(JsonStrictValidator(SchemaVersion.V1_6).validate_str(path.read_text()))
        bill = json.loads(path.read_text())
        about = bill["metadata"]["component"]["bom-ref"]
        listed = {about} | {each["bom-ref"] for each in bill["components"]}
        required = {about} | {each["bom-ref"] for each in bill["components"] if each["scope"] == "required"}
        linked = {each for each in required if each.startswith("pkg:cargo/")}
        # The page is inside the binary, so its packages are required, too.
        self.assertEqual([each.split("@")[0] for each in required - linked], ["pkg:npm/preact"])
        build = ["cargo", "build", "--release", "--locked", "--offline", "--package", "ask-user", "--message-format", "json", "--quiet"]
        printed = subprocess.run(build, cwd=TREE, check=True, stdout=subprocess.PIPE, text=True).stdout
        messages = [json.loads(line) for line in printed.splitlines()]
        ids = {each["package_id"] for each in messages if each["reason"] == "compiler-artifact"}
        compiled = {"pkg:cargo/" + re.sub(r"^.*[/#]([\w-]+)[#@]([^#@]+)$", r"\1@\2", each) for each in ids}
        # The list also has build dependencies of crates without a build script, which Cargo doesn't compile.
        self.assertLessEqual(linked, compiled)
        self.assertLessEqual(compiled, listed)
        self.assertEqual({each["ref"] for each in bill["dependencies"]}, listed)

    def test_checksums(self):
        subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=PACKAGES, check=True)
        summed = {line.split("  ")[1] for line in (PACKAGES / "SHA256SUMS").read_text().splitlines()}
        self.assertEqual(summed | {"SHA256SUMS"}, {path.name for path in PACKAGES.iterdir()})
