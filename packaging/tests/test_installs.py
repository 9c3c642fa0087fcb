"""Each package: installed from local files into an empty folder, used, and uninstalled."""

import os
import shutil
import signal
import sys
import tarfile
import unittest
from pathlib import Path

import registry
from support import BINARY, FreshFolder, package, shared


class Npm(FreshFolder):
    def setUp(self):
        super().setUp()
        self.address = registry.start(self)
        self.environment |= {
            "npm_config_cache": str(self.folder / "cache"),
            "npm_config_registry": self.address,
            "npm_config_prefix": str(self.folder / "prefix"),
            "npm_config_update_notifier": "false",
        }

    def install(self):
        self.run_ok("npm", "install", "--global", "ask-user")
        return self.folder / "prefix/bin/ask-user"

    def test_installs_by_name_with_the_binary_of_this_platform(self):
        self.assert_is_ask_user(self.install())
        self.assertTrue((self.folder / "prefix/share/man/man1/ask-user.1").exists())
        self.run_ok("npm", "uninstall", "--global", "ask-user")
        self.assertFalse((self.folder / "prefix/bin/ask-user").is_symlink())

    def test_installs_from_files_without_any_registry(self):
        files = [package("ask-user-linux-*.tgz"), package("ask-user-[0-9]*.tgz")]
        self.run_ok("npm", "install", "--global", "--offline", *files)
        self.assert_is_ask_user(self.folder / "prefix/bin/ask-user")

    def test_npx_serves_an_agent(self):
        server, reply = self.start_server("npx", "--yes", "ask-user", "mcp", cwd=self.folder)
        self.assertEqual(reply["result"]["serverInfo"]["name"], "ask-user")
        self.assertEqual(server.communicate(timeout=60)[0], "")
        self.assertEqual(server.returncode, 0)

    def test_signals_end_the_launcher_as_they_end_the_binary(self):
        launcher = self.install()
        for name in ("SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"):
            with self.subTest(name):
                ends = []
                for command in (BINARY, launcher):
                    server, _ = self.start_server(command, "mcp")
                    server.send_signal(signal.Signals[name])
                    server.wait(60)
                    # The end of its output shows that the binary has ended, too.
                    self.assertEqual(server.stdout.read(), "")
                    ends.append(server.returncode)
                self.assertEqual(*ends)

    def test_a_signal_that_the_binary_ignores_does_not_end_the_launcher(self):
        server, _ = self.start_server(self.install(), "mcp")
        server.send_signal(signal.SIGINT)
        self.assertIn("result", self.request(server, {"jsonrpc": "2.0", "id": 2, "method": "ping"}))
        server.communicate(timeout=60)
        self.assertEqual(server.returncode, 0)

    def test_the_launcher_ends_when_the_binary_is_killed(self):
        server, _ = self.start_server(self.install(), "mcp")
        children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        # A newer Node.js was replaced by the binary and has no child.
        os.kill(int(children[0]) if children else server.pid, signal.SIGKILL)
        self.assertEqual(server.wait(60), -signal.SIGKILL)

    def test_reports_a_missing_binary(self):
        self.run_ok("npm", "install", "--omit=optional", "ask-user", cwd=self.folder)
        result = self.run_command(self.folder / "node_modules/.bin/ask-user", "mcp")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("is not installed. Was npm told to leave out optional dependencies?", result.stderr)


class Wheel(FreshFolder):
    def test_installs_the_plain_executable(self):
        environment = self.folder / "environment"
        self.run_ok(sys.executable, "-m", "venv", environment)
        pip = [environment / "bin/python", "-m", "pip", "--disable-pip-version-check"]
        self.run_ok(*pip, "install", "--no-index", package("*.whl"))
        self.assertEqual((environment / "bin/ask-user").read_bytes(), BINARY.read_bytes())
        self.assert_is_ask_user(environment / "bin/ask-user")
        for name, content in shared().items():
            self.assertEqual((environment / "share" / name).read_bytes(), content, name)
        self.run_ok(*pip, "check")
        self.run_ok(*pip, "uninstall", "--yes", "ask-user")
        self.assertFalse((environment / "bin/ask-user").exists())


class Tarball(FreshFolder):
    def test_unpacks_over_any_prefix(self):
        with tarfile.open(package("ask-user-*-*-*.tar.gz")) as archive:
            archive.extractall(self.folder)
        [unpacked] = self.folder.glob("ask-user-*")
        self.assert_is_ask_user(unpacked / "bin/ask-user")
        for name, content in shared().items():
            self.assertEqual((unpacked / "share" / name).read_bytes(), content, name)


@unittest.skipUnless(shutil.which("dpkg-deb"), "there is no dpkg-deb, and so no package for Debian")
class Deb(FreshFolder):
    def test_unpacks(self):
        self.run_ok("dpkg-deb", "--extract", package("*.deb"), self.folder / "root")
        self.assert_is_ask_user(self.folder / "root/usr/bin/ask-user")

    @unittest.skipUnless(os.geteuid() == 0, "only root may install it")
    @unittest.skipIf(Path("/usr/bin/ask-user").exists(), "ask-user is installed here already")
    def test_installs_and_uninstalls_completely(self):
        self.addCleanup(self.run_command, "dpkg", "--purge", "ask-user")
        self.run_ok("dpkg", "--install", package("*.deb"))
        self.assert_is_ask_user("/usr/bin/ask-user")
        installed = self.run_ok("dpkg", "--listfiles", "ask-user").splitlines()
        self.run_ok("dpkg", "--verify", "ask-user")
        self.run_ok("dpkg", "--remove", "ask-user")
        self.assertEqual([name for name in installed if Path(name).is_file()], [])
