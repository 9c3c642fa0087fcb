"""Where the packages are, and how a test talks to what it has installed."""

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
    """The one package whose file name fits."""
    found = sorted(PACKAGES.glob(pattern))
    assert len(found) == 1, f"{pattern}: {found}"
    return found[0]


@functools.cache
def printed_by_the_binary(*arguments):
    return subprocess.run([BINARY, *arguments], check=True, stdout=subprocess.PIPE).stdout


def shared(zsh="zsh/site-functions"):
    """What every package holds under its `share`, by path."""
    return {
        "bash-completion/completions/ask-user": printed_by_the_binary("completions", "bash"),
        "fish/vendor_completions.d/ask-user.fish": printed_by_the_binary("completions", "fish"),
        f"{zsh}/_ask-user": printed_by_the_binary("completions", "zsh"),
        "man/man1/ask-user.1": printed_by_the_binary("man"),
    }


class Fresh(unittest.TestCase):
    """A test with a folder and a home of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.environment = os.environ | {"ASK_USER_HOME": str(self.folder / "home"), "HOME": str(self.folder)}
        self.addCleanup(self.run_it, BINARY, "hub", "--stop")

    def run_it(self, *command, **more):
        return subprocess.run(
            [str(each) for each in command],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, timeout=120, **more,
        )

    def must(self, *command, **more):
        ended = self.run_it(*command, **more)
        self.assertEqual(ended.returncode, 0, f"{command}\n{ended.stdout}{ended.stderr}")
        return ended.stdout

    def told(self, server, message):
        """A server's reply."""
        server.stdin.write(json.dumps(message) + "\n")
        return json.loads(server.stdout.readline())

    def serving(self, *command, **more):
        """A server that has answered `initialize`, and what it said."""

        def as_from_a_shell():
            # What runs in the background may have been told to ignore these.
            for each in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
                signal.signal(each, signal.SIG_DFL)

        server = subprocess.Popen(
            [str(each) for each in command], env=self.environment, text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=as_from_a_shell, **more,
        )
        self.addCleanup(server.communicate)
        self.addCleanup(server.kill)
        return server, self.told(server, INITIALIZE)

    def is_ask_user(self, *command):
        """It says its version, passes a usage error on, serves an agent, and ends when the agent leaves."""
        self.assertEqual(self.must(*command, "--version"), f"ask-user {VERSION}\n")
        wrong, as_is = (self.run_it(*start, "no-such-command") for start in (command, [BINARY]))
        self.assertEqual((wrong.returncode, wrong.stdout, wrong.stderr), (as_is.returncode, as_is.stdout, as_is.stderr))
        server, reply = self.serving(*command, "mcp")
        self.assertEqual(reply["result"]["serverInfo"]["version"], VERSION)
        self.assertEqual(server.communicate(timeout=60), ("", ""))
        self.assertEqual(server.returncode, 0)
