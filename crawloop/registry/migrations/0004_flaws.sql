-- Why an answer that was paid for does not count: cut off, refused or empty.
ALTER TABLE answers ADD COLUMN flaw TEXT NOT NULL DEFAULT '';
