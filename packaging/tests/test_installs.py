"""Each package, installed from local files where nothing was, used, and taken away again."""

import os
import shutil
import signal
import sys
import tarfile
import unittest
from pathlib import Path

import registry
from support import BINARY, Fresh, package, shared


class Npm(Fresh):
    def setUp(self):
        super().setUp()
        self.address = registry.opened(self)
        self.environment |= {
            "npm_config_cache": str(self.folder / "cache"),
            "npm_config_registry": self.address,
            "npm_config_prefix": str(self.folder / "prefix"),
            "npm_config_update_notifier": "false",
        }

    def installed(self):
        self.must("npm", "install", "--global", "ask-user")
        return self.folder / "prefix/bin/ask-user"

    def test_installs_by_name_with_the_binary_of_this_platform(self):
        self.is_ask_user(self.installed())
        self.assertTrue((self.folder / "prefix/share/man/man1/ask-user.1").exists())
        self.must("npm", "uninstall", "--global", "ask-user")
        self.assertFalse((self.folder / "prefix/bin/ask-user").is_symlink())

    def test_installs_from_files_without_any_registry(self):
        files = [package("ask-user-linux-*.tgz"), package("ask-user-[0-9]*.tgz")]
        self.must("npm", "install", "--global", "--offline", *files)
        self.is_ask_user(self.folder / "prefix/bin/ask-user")

    def test_npx_serves_an_agent(self):
        server, reply = self.serving("npx", "--yes", "ask-user", "mcp", cwd=self.folder)
        self.assertEqual(reply["result"]["serverInfo"]["name"], "ask-user")
        self.assertEqual(server.communicate(timeout=60)[0], "")
        self.assertEqual(server.returncode, 0)

    def test_signals_end_the_launcher_as_they_end_the_binary(self):
        launcher = self.installed()
        for name in ("SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"):
            with self.subTest(name):
                ends = []
                for command in (BINARY, launcher):
                    server, _ = self.serving(command, "mcp")
                    server.send_signal(signal.Signals[name])
                    server.wait(60)
                    # Nobody else holds its end of the pipe: the binary has gone, too.
                    self.assertEqual(server.stdout.read(), "")
                    ends.append(server.returncode)
                self.assertEqual(*ends)

    def test_a_signal_that_the_binary_does_not_mind_ends_nobody(self):
        server, _ = self.serving(self.installed(), "mcp")
        server.send_signal(signal.SIGINT)
        self.assertIn("result", self.told(server, {"jsonrpc": "2.0", "id": 2, "method": "ping"}))
        server.communicate(timeout=60)
        self.assertEqual(server.returncode, 0)

    def test_a_killed_binary_takes_the_launcher_along(self):
        server, _ = self.serving(self.installed(), "mcp")
        children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        # A newer Node has become the binary and has no child.
        os.kill(int(children[0]) if children else server.pid, signal.SIGKILL)
        self.assertEqual(server.wait(60), -signal.SIGKILL)

    def test_says_what_is_missing(self):
        self.must("npm", "install", "--omit=optional", "ask-user", cwd=self.folder)
        ended = self.run_it(self.folder / "node_modules/.bin/ask-user", "mcp")
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        self.assertIn("is not installed. Was npm told to leave out optional dependencies?", ended.stderr)


class Wheel(Fresh):
    def test_installs_the_plain_executable(self):
        place = self.folder / "environment"
        self.must(sys.executable, "-m", "venv", place)
        pip = [place / "bin/python", "-m", "pip", "--disable-pip-version-check"]
        self.must(*pip, "install", "--no-index", package("*.whl"))
        self.assertEqual((place / "bin/ask-user").read_bytes(), BINARY.read_bytes())
        self.is_ask_user(place / "bin/ask-user")
        for name, content in shared().items():
            self.assertEqual((place / "share" / name).read_bytes(), content, name)
        self.must(*pip, "check")
        self.must(*pip, "uninstall", "--yes", "ask-user")
        self.assertFalse((place / "bin/ask-user").exists())


class Tarball(Fresh):
    def test_unpacks_over_any_prefix(self):
        with tarfile.open(package("ask-user-*-*-*.tar.gz")) as archive:
            archive.extractall(self.folder)
        [place] = self.folder.glob("ask-user-*")
        self.is_ask_user(place / "bin/ask-user")
        for name, content in shared().items():
            self.assertEqual((place / "share" / name).read_bytes(), content, name)


@unittest.skipUnless(shutil.which("dpkg-deb"), "there is no dpkg-deb, and so no package for Debian")
class Deb(Fresh):
    def test_unpacks(self):
        self.must("dpkg-deb", "--extract", package("*.deb"), self.folder / "root")
        self.is_ask_user(self.folder / "root/usr/bin/ask-user")

    @unittest.skipUnless(os.geteuid() == 0, "only root may install it")
    @unittest.skipIf(Path("/usr/bin/ask-user").exists(), "ask-user is installed here already")
    def test_installs_and_goes_without_a_trace(self):
        self.addCleanup(self.run_it, "dpkg", "--purge", "ask-user")
        self.must("dpkg", "--install", package("*.deb"))
        self.is_ask_user("/usr/bin/ask-user")
        placed = self.must("dpkg", "--listfiles", "ask-user").splitlines()
        self.must("dpkg", "--verify", "ask-user")
        self.must("dpkg", "--remove", "ask-user")
        self.assertEqual([name for name in placed if Path(name).is_file()], [])
