-- Version 3: `fingerprint` replaces `likeness` of versions 1 and 2, the hash by which a repeated
-- ask is recognized. `likeness` depended on the compiler; nothing reads it any more. After this
-- file the program computes `fingerprint` for the rows that the new indexes cover.

DROP INDEX ask_likeness;
DROP INDEX ask_lapsed;
ALTER TABLE ask ADD COLUMN fingerprint INTEGER;
CREATE INDEX ask_fingerprint ON ask (fingerprint) WHERE delivered_at IS NULL;
CREATE INDEX ask_lapsed      ON ask (fingerprint) WHERE state = 'expired';
