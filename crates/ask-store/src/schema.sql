-- The store, version 1. Migrations are the numbered files after this one.

CREATE TABLE ask (
  row          INTEGER PRIMARY KEY,
  id           TEXT    NOT NULL UNIQUE,
  state        TEXT    NOT NULL DEFAULT 'waiting',
  asked_at     INTEGER NOT NULL,
  deadline_at  INTEGER,
  delivered_at INTEGER,
  client       TEXT,
  project      TEXT,
  directory    TEXT,
  content      TEXT    NOT NULL,  -- the record as asked, in the native form
  settlement   TEXT,              -- how it ended, in the native form
  indexed      INTEGER NOT NULL DEFAULT 0, -- whether a search finds it
  likeness     INTEGER                     -- the same for the same ask, asked again
) STRICT;

CREATE INDEX ask_waiting     ON ask (row)         WHERE state = 'waiting';
CREATE INDEX ask_deadline    ON ask (deadline_at) WHERE state = 'waiting' AND deadline_at IS NOT NULL;
CREATE INDEX ask_likeness    ON ask (likeness)    WHERE delivered_at IS NULL;
CREATE INDEX ask_unindexed   ON ask (row)         WHERE state <> 'waiting' AND indexed = 0;
CREATE INDEX ask_undelivered ON ask (row)         WHERE state IN ('answered', 'declined', 'clarify') AND delivered_at IS NULL;

-- The draft of an ask, and where the ask is shown.
CREATE TABLE desk (
  row      INTEGER PRIMARY KEY REFERENCES ask (row) ON DELETE CASCADE,
  draft    TEXT,
  draft_at INTEGER,
  draft_by TEXT,
  shown_by TEXT,
  shown_at INTEGER
) STRICT;

-- The feed of changes, oldest first: one row for each.
CREATE TABLE change (
  seq INTEGER PRIMARY KEY,
  id  TEXT NOT NULL
) STRICT;

-- The search index. An ask is added some time after it has closed, so that no answer waits for it.
CREATE VIRTUAL TABLE found USING fts5 (words, content = '', contentless_delete = 1, prefix = '2 3');
