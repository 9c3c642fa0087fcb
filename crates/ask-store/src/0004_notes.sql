-- Version 4: subscribers receive changes from the hub's memory, so the feed of changes is dropped.
-- State besides asks, such as which notifications were shown, is stored here instead of in files.
-- The hub's own queries no longer scan a long history.

DROP TABLE change;

CREATE TABLE note (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The hub recognizes repeated asks in its memory, so no query selects by fingerprint.
DROP INDEX ask_fingerprint;
DROP INDEX ask_lapsed;

CREATE INDEX ask_expired ON ask (asked_at)  WHERE state = 'expired';
CREATE INDEX ask_folder  ON ask (directory) WHERE closed_at IS NOT NULL;
CREATE INDEX ask_files   ON ask (row)       WHERE instr(settlement, '"sha256"') > 0;

-- The program merges the index in steps while it has nothing else to write. FTS5 merges by itself
-- only if a level gets this many parts.
INSERT INTO found (found, rank) VALUES ('automerge', 64);
