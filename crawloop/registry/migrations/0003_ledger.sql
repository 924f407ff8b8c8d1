-- What was asked, by which prompt, how many tokens it took, and what became of the answer.
ALTER TABLE answers ADD COLUMN prompt TEXT NOT NULL DEFAULT '';
ALTER TABLE answers ADD COLUMN question {bytes};
ALTER TABLE answers ADD COLUMN asked INTEGER;
ALTER TABLE answers ADD COLUMN answered INTEGER;
ALTER TABLE answers ADD COLUMN verdict TEXT NOT NULL DEFAULT '';
CREATE INDEX answers_by_time ON answers (at);
