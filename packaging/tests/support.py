"""The packages, and helpers to run what a test has installed."""

import functools
import json
import os
import signal
import subprocess
import tempfile
import tomllib
import unittest
from pathlib import Path

from product import TREE

PACKAGES = Path(os.environ["PACKAGES"])
TARGET = Path(os.environ["CARGO_TARGET_DIR"])
BINARY = TARGET / "release/ask-user"
VERSION = tomllib.loads((TREE / "Cargo.toml").read_text())["workspace"]["package"]["version"]
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "packages", "version": "1"}},
}


def package(pattern):
    """The only package whose file name matches."""
    found = sorted(PACKAGES.glob(pattern))
    assert len(found) == 1, f"{pattern}: {found}"
    return found[0]


@functools.cache
def binary_output(*arguments):
    return subprocess.run([BINARY, *arguments], check=True, stdout=subprocess.PIPE).stdout


def shared(zsh="zsh/site-functions"):
    """The files that every package has under its `share`, by path."""
    return {
        "bash-completion/completions/ask-user": binary_output("completions", "bash"),
        "fish/vendor_completions.d/ask-user.fish": binary_output("completions", "fish"),
        f"{zsh}/_ask-user": binary_output("completions", "zsh"),
        "man/man1/ask-user.1": binary_output("man"),
    }


class FreshFolder(unittest.TestCase):
    """A test with its own folder and home."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.environment = os.environ | {"ASK_USER_HOME": str(self.folder / "home"), "HOME": str(self.folder)}
        self.addCleanup(self.run_command, BINARY, "hub", "--stop")

    def run_command(self, *command, **more):
        return subprocess.run(
            [str(each) for each in command],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, timeout=120, **more,
        )

    def run_ok(self, *command, **more):
        result = self.run_command(*command, **more)
        self.assertEqual(result.returncode, 0, f"{command}\n{result.stdout}{result.stderr}")
        return result.stdout

    def request(self, server, message):
        """Sends a request to a server and returns its reply."""
        server.stdin.write(json.dumps(message) + "\n")
        return json.loads(server.stdout.readline())

    def start_server(self, *command, **more):
        """Starts a server. Returns it and its reply to `initialize`."""

        def reset_signals():
            # A background job may have inherited that these are ignored.
            for each in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
                signal.signal(each, signal.SIG_DFL)

        server = subprocess.Popen(
            [str(each) for each in command], env=self.environment, text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=reset_signals, **more,
        )
        self.addCleanup(server.communicate)
        self.addCleanup(server.kill)
        return server, self.request(server, INITIALIZE)

    def assert_is_ask_user(self, *command):
        """Asserts that it prints its version, reports a usage error, serves an agent, and ends when the agent disconnects."""
        self.assertEqual(self.run_ok(*command, "--version"), f"ask-user {VERSION}\n")
        actual, expected = (self.run_command(*start, "no-such-command") for start in (command, [BINARY]))
        self.assertEqual((actual.returncode, actual.stdout, actual.stderr), (expected.returncode, expected.stdout, expected.stderr))
        server, reply = self.start_server(*command, "mcp")
        self.assertEqual(reply["result"]["serverInfo"]["version"], VERSION)
        self.assertEqual(server.communicate(timeout=60), ("", ""))
        self.assertEqual(server.returncode, 0)
