-- What is known over time of each version's streams: see crawl/drift.py.
CREATE TABLE detectors (
    family TEXT NOT NULL,
    version INTEGER NOT NULL,
    numbers TEXT NOT NULL,
    PRIMARY KEY (family, version)
);
