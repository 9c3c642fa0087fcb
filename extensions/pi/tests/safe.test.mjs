// Which characters of a text reach the terminal.
import assert from "node:assert/strict";
import { test } from "node:test";
import { plain, plainLines } from "../src/safe.ts";

test("what an agent could hide or reorder is removed", () => {
  const hidden = ["\u001b[31m", "\u001b]0;title\u0007", "\u0007", "\u009b", "\u00ad", "\u034f", "\u061c", "\u180e", "\u200b", "\u200f", "\u202e", "\u2028", "\u2066", "\u2800", "\u3164", "\ufeff", "\ufff9", "\u{1d173}", "\u{e0041}", "\u{e0100}"];
  for (const text of hidden) assert.equal(plain(`a${text}b`), "a b", JSON.stringify(text));
});

test("letters that need a joiner or a selector keep it", () => {
  for (const text of ["نمی\u200cخواهم", "👩\u200d💻", "❤\ufe0f", "葛\u{e0100}飾"]) assert.equal(plain(text), text);
});

test("lines stay lines", () => {
  assert.equal(plainLines("one\u0007\n\ttwo  words"), "one\ntwo words");
});
