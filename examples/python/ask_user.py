#!/usr/bin/env python3
"""Embeds ask-user by JSON lines (docs/reference/protocol.md). Needs Python 3.9 and no packages.

    ask_user.py ask '{"questions":[{"question":"Ship it?","options":["Yes","No"]}]}'
    ask_user.py show

`ask` is a host that asks: it prints the reply as one line of JSON. `show` is a surface: it prints
waiting asks and reads one line for each question from standard input.
"""

from __future__ import annotations

import itertools
import json
import queue
import subprocess
import sys
import threading

PROTOCOL = 1


class AskUserError(Exception):
    """An `ask_user_error` line: `code` is for programs, the text for people."""

    def __init__(self, line: dict):
        hint = line.get("hint")
        super().__init__(line["message"] + (f" ({hint})" if hint else ""))
        self.code = line["code"]


class AskUser:
    """An `ask-user rpc` process. It is safe to use from several threads."""

    def __init__(self, *arguments: str, binary: str = "ask-user", client: str = "python-example"):
        self._process = subprocess.Popen(
            [binary, "rpc", "--client", client, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        self._names = itertools.count(1)
        self._writing = threading.Lock()
        self._replies: dict[str, queue.Queue] = {}
        self._ended = False
        #: Lines for a surface: `ask_user_request`, `ask_user_closed`, and errors about them.
        self.news: queue.Queue = queue.Queue()
        hello = json.loads(self._process.stdout.readline() or "{}")
        if hello.get("protocol") != PROTOCOL:
            raise RuntimeError(f"ask-user rpc does not speak protocol {PROTOCOL}: {hello}")
        threading.Thread(target=self._read, daemon=True).start()

    def ask(self, call: dict) -> dict:
        """Asks, and waits until any surface has answered. Returns the reply in the stream's dialect."""
        name = f"r{next(self._names)}"
        replies = self._replies[name] = queue.Queue()
        if self._ended:
            raise ConnectionError("ask-user rpc has ended")
        try:
            self.say({"type": "ask_user_request", **call, "requestId": name})
            while True:
                line = replies.get()
                if line is None:
                    raise ConnectionError("ask-user rpc ended; what was asked stays open, ask it again")
                if line["type"] == "ask_user_error":
                    raise AskUserError(line)
                if line["type"] == "ask_user_response":
                    return line
        finally:
            del self._replies[name]

    def respond(self, request: str, **response: object) -> None:
        """Sends the person's response: answers=[...], cancelled=True or clarify="...". `news` receives the result."""
        self.say({"type": "ask_user_response", "requestId": request, **response})

    def say(self, line: dict) -> None:
        """Writes a line. The lock keeps lines of several threads apart."""
        with self._writing:
            self._process.stdin.write(json.dumps(line) + "\n")
            self._process.stdin.flush()

    def close(self) -> None:
        """Ends the process. Waiting asks stay open; they can be answered, and asked again."""
        self._process.stdin.close()
        self._process.wait()

    def _read(self) -> None:
        for text in self._process.stdout:
            line = json.loads(text)
            waiting = self._replies.get(line.get("requestId"))
            (waiting or self.news).put(line)
        self._ended = True
        for waiting in list(self._replies.values()):
            waiting.put(None)
        self.news.put(None)


def choice(text: str, options: int) -> int | str:
    """The number of an option as a number. A text is a label or the person's own words."""
    digits = text.strip()
    is_number = digits.isascii() and digits.isdigit() and 1 <= int(digits) <= options
    return int(digits) if is_number else text


def show(user: AskUser) -> None:
    """A surface for one person at one terminal."""
    answers = queue.Queue()

    def typed() -> None:
        for text in sys.stdin:
            answers.put(text.rstrip("\n"))
        answers.put(None)

    threading.Thread(target=typed, daemon=True).start()
    while (line := user.news.get()) is not None:
        if line["type"] == "ask_user_request":
            print(f"asked {json.dumps(line['requestId'])}", flush=True)
            said = []
            for question in line["questions"]:
                # As JSON, because an agent's text may contain control characters.
                print(json.dumps(question["question"]), flush=True)
                for number, option in enumerate(question.get("options", []), 1):
                    print(f"  {number} {json.dumps(option['label'])}", flush=True)
                text = answers.get()
                if text is None:
                    return
                count = len(question.get("options", []))
                parts = [choice(part, count) for part in text.split(",")]
                said.append(parts if question.get("multiSelect") else choice(text, count))
            user.respond(line["requestId"], answers=said)
        else:
            print(json.dumps(line), flush=True)


def main() -> None:
    what, arguments = sys.argv[1], sys.argv[2:]
    if what == "ask":
        user = AskUser()
        print(json.dumps(user.ask(json.loads(arguments[0]))), flush=True)
        user.close()
    else:
        user = AskUser("--surface", *arguments)
        show(user)
        user.close()


if __name__ == "__main__":
    main()
