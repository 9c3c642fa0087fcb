-- Version 4: changes are told by the hub from its memory, so the store keeps no feed of them. What the
-- hub remembers besides asks, such as which notifications were shown, is here and not in files. What
-- the hub looks up beside the path of an ask no longer walks through a long history.

DROP TABLE change;

CREATE TABLE note (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- An ask is known again in the hub's memory, so nothing looks for a fingerprint here.
DROP INDEX ask_fingerprint;
DROP INDEX ask_lapsed;

CREATE INDEX ask_expired ON ask (asked_at)  WHERE state = 'expired';
CREATE INDEX ask_folder  ON ask (directory) WHERE closed_at IS NOT NULL;
CREATE INDEX ask_files   ON ask (row)       WHERE instr(settlement, '"sha256"') > 0;

-- The store merges the parts of the search bit by bit, and not while somebody writes.
INSERT INTO found (found, rank) VALUES ('automerge', 64);
