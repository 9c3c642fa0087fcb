-- Version 8: when the agent of an ask still ran. Its server or its command may have ended before.

ALTER TABLE desk ADD COLUMN agent_seen_at INTEGER;
