-- Version 6: what the person answered when the same was asked shortly before is offered. Up to
-- version 5 it was a draft of the surface 'earlier answer', so that forms opened filled in.

ALTER TABLE desk ADD COLUMN earlier_answer    TEXT;    -- a form in the native form, like `draft`
ALTER TABLE desk ADD COLUMN earlier_answer_at INTEGER; -- when it was given

UPDATE desk SET earlier_answer = draft, earlier_answer_at = draft_at,
                draft = NULL, draft_by = NULL, draft_at = NULL
WHERE draft_by = 'earlier answer';
