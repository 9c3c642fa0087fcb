-- Version 7: when the caller of an ask still ran. Another one that started before is no successor.

ALTER TABLE desk ADD COLUMN caller_seen_at INTEGER;
