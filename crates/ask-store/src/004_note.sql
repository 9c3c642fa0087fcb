-- Version 4: changes are told by the hub from its memory, so the store keeps no feed of them. What the
-- hub remembers besides asks, such as which notifications were shown, is here and not in files.

DROP TABLE change;

CREATE TABLE note (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
