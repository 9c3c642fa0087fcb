-- Version 3: the hash by which an ask is known again no longer depends on the compiler. `likeness` of
-- versions 1 and 2 did; nothing reads it any more. The program fills `fingerprint` in for the rows
-- that these indexes cover, right after this file.

DROP INDEX ask_likeness;
DROP INDEX ask_lapsed;
ALTER TABLE ask ADD COLUMN fingerprint INTEGER;
CREATE INDEX ask_fingerprint ON ask (fingerprint) WHERE delivered_at IS NULL;
CREATE INDEX ask_lapsed      ON ask (fingerprint) WHERE state = 'expired';
