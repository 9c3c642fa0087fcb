-- Version 2: what lies on the person's desk can be put aside, drafts are numbered, a history is
-- searched by more than its words, and an ask whose time has passed is found when it is asked again.

ALTER TABLE desk ADD COLUMN draft_revision  INTEGER NOT NULL DEFAULT 0;
ALTER TABLE desk ADD COLUMN snoozed_until   TEXT;    -- a moment, or that its agent asks again
ALTER TABLE desk ADD COLUMN back_at         INTEGER; -- the same for the clock
ALTER TABLE desk ADD COLUMN asked_again_at  INTEGER;

CREATE INDEX desk_back    ON desk (back_at)       WHERE back_at IS NOT NULL;
CREATE INDEX desk_snoozed ON desk (snoozed_until) WHERE snoozed_until IS NOT NULL;

ALTER TABLE ask ADD COLUMN closed_at INTEGER;
UPDATE ask SET closed_at = json_extract(settlement, '$.at') WHERE settlement IS NOT NULL;
CREATE INDEX ask_closed ON ask (closed_at) WHERE closed_at IS NOT NULL;

-- What a person has switched on for all surfaces.
CREATE TABLE switch (
  name TEXT PRIMARY KEY
) STRICT;

-- The facts that figures are made of, one row for each closed ask that a search finds.
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

-- The earliest and the latest ask of each 4,096 rows: rows stand nearly in the order of time, and
-- a period finds its rows without looking at all of them.
CREATE TABLE era (
  block  INTEGER PRIMARY KEY,
  first  INTEGER NOT NULL,
  latest INTEGER NOT NULL
) STRICT;

-- What a search finds: the words, and beside them a token for each thing that a filter asks for.
DROP TABLE found;
CREATE VIRTUAL TABLE found USING fts5 (words, facts, content = '', contentless_delete = 1, prefix = '2 3');

-- `indexed`: 0 not yet, 1 found, 2 found as it was before its agent was told.
UPDATE ask SET indexed = 0;
DROP INDEX ask_unindexed;
CREATE INDEX ask_unindexed ON ask (row) WHERE state <> 'waiting' AND indexed <> 1;

CREATE INDEX ask_lapsed ON ask (likeness) WHERE state = 'expired';
