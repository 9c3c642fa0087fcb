-- Version 2: open asks can be snoozed, drafts have revisions, the history has filters besides a
-- search for words, and an expired ask can be taken up.

ALTER TABLE desk ADD COLUMN draft_revision  INTEGER NOT NULL DEFAULT 0;
ALTER TABLE desk ADD COLUMN snoozed_until   TEXT;    -- a moment, or that its agent asks again
ALTER TABLE desk ADD COLUMN back_at         INTEGER; -- the same for the clock
ALTER TABLE desk ADD COLUMN asked_again_at  INTEGER;

CREATE INDEX desk_back    ON desk (back_at)       WHERE back_at IS NOT NULL;
CREATE INDEX desk_snoozed ON desk (snoozed_until) WHERE snoozed_until IS NOT NULL;

ALTER TABLE ask ADD COLUMN closed_at INTEGER;
UPDATE ask SET closed_at = json_extract(settlement, '$.at') WHERE settlement IS NOT NULL;
CREATE INDEX ask_closed ON ask (closed_at) WHERE closed_at IS NOT NULL;

-- Settings that a person has switched on for all surfaces. A row means on.
CREATE TABLE switch (
  name TEXT PRIMARY KEY
) STRICT;

-- The facts that statistics are computed from: one row for each closed ask that is indexed.
CREATE TABLE past (
  row          INTEGER PRIMARY KEY REFERENCES ask (row) ON DELETE CASCADE,
  asked_at     INTEGER NOT NULL,
  took_ms      INTEGER NOT NULL,
  end          INTEGER NOT NULL,
  agent        TEXT,
  project      TEXT,
  surface      TEXT    NOT NULL,
  offered      INTEGER NOT NULL,
  recommending INTEGER NOT NULL,
  recommended  INTEGER NOT NULL,
  another      INTEGER NOT NULL,
  own          INTEGER NOT NULL,
  noted        INTEGER NOT NULL
) STRICT;

-- When the earliest and the latest ask of each 4,096 rows were opened. Rows are nearly in the order
-- of time, so a query for a period reads few other rows.
CREATE TABLE era (
  block  INTEGER PRIMARY KEY,
  first  INTEGER NOT NULL,
  latest INTEGER NOT NULL
) STRICT;

-- The search index: the words of each ask, and one token for each property that a filter can
-- select.
DROP TABLE found;
CREATE VIRTUAL TABLE found USING fts5 (words, facts, content = '', contentless_delete = 1, prefix = '2 3');

-- `indexed`: 0 = not indexed, 1 = indexed, 2 = indexed with an older outcome or delivery.
UPDATE ask SET indexed = 0;
DROP INDEX ask_unindexed;
CREATE INDEX ask_unindexed ON ask (row) WHERE state <> 'waiting' AND indexed <> 1;

CREATE INDEX ask_lapsed ON ask (likeness) WHERE state = 'expired';
