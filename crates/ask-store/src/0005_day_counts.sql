-- Version 5: statistics are counted by day as asks close and are forgotten, so that nobody looks at all of
-- a long history for them. `local_hour` is the hour in which an ask was asked, in hours since 1970 began
-- where the computer was when it was counted. The program fills both in right after this file.

CREATE TABLE day (
  day    INTEGER PRIMARY KEY, -- days since 1970 began there
  counts TEXT    NOT NULL     -- ask-core's DayCounts as JSON
) STRICT;

ALTER TABLE past ADD COLUMN local_hour INTEGER NOT NULL DEFAULT 0;

-- No query has used these since version 4. Nothing reads or writes `ask.fingerprint` any more either; it
-- stays, because without it every row would have to be written again.
DROP INDEX ask_deadline;
DROP INDEX desk_back;
DROP INDEX desk_snoozed;
