-- Version 5: statistics are counted by day when asks are indexed and removed, so that no query
-- scans a long history for them. `local_hour` is when an ask was opened, in hours since the start
-- of 1970 in the time zone that the computer had when the ask was counted. The program fills both
-- in after this file.

CREATE TABLE day (
  day    INTEGER PRIMARY KEY, -- days since 1970 began there
  counts TEXT    NOT NULL     -- ask-core's DayCounts as JSON
) STRICT;

ALTER TABLE past ADD COLUMN local_hour INTEGER NOT NULL DEFAULT 0;

-- No query has used these indexes since version 4. Nothing reads or writes `ask.fingerprint` any
-- more either. The column stays, because dropping it would rewrite every row.
DROP INDEX ask_deadline;
DROP INDEX desk_back;
DROP INDEX desk_snoozed;
