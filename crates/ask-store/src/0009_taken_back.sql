-- Version 9: a person can take an outcome back before an agent has it. Until then its form stays.

ALTER TABLE desk ADD COLUMN taken_back TEXT; -- the outcomes taken back, a list in the native form
