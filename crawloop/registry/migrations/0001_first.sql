-- The registry as it was first released. {bytes} and {serial} are the dialect's own words.
CREATE TABLE families (
    name TEXT PRIMARY KEY,
    schema_ref TEXT NOT NULL,
    status TEXT NOT NULL,
    active INTEGER,
    epoch INTEGER NOT NULL,
    urls TEXT NOT NULL,
    cooldown_until TEXT
);
CREATE TABLE versions (
    family TEXT NOT NULL REFERENCES families (name),
    number INTEGER NOT NULL,
    digest TEXT NOT NULL,
    source TEXT NOT NULL,
    origin TEXT NOT NULL,
    schema_ref TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    model TEXT,
    cost DOUBLE PRECISION,
    body TEXT NOT NULL,
    PRIMARY KEY (family, number)
);
CREATE TABLE golden_sets (
    family TEXT NOT NULL,
    version INTEGER NOT NULL,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (family, version, position),
    FOREIGN KEY (family, version) REFERENCES versions (family, number)
);
CREATE TABLE history (
    family TEXT NOT NULL,
    url_key TEXT NOT NULL,
    url TEXT NOT NULL,
    records TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    PRIMARY KEY (family, url_key)
);
CREATE TABLE audit (
    id {serial},
    family TEXT NOT NULL,
    kind TEXT NOT NULL,
    at TEXT NOT NULL,
    run TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX audit_by_family ON audit (family, id);
CREATE INDEX audit_by_run ON audit (run, id);
CREATE INDEX audit_by_time ON audit (at);
CREATE TABLE bodies (
    digest TEXT PRIMARY KEY,
    html {bytes} NOT NULL
);
CREATE TABLE pages (
    digest TEXT NOT NULL REFERENCES bodies (digest),
    url TEXT NOT NULL,
    final_url TEXT NOT NULL,
    status INTEGER NOT NULL,
    content_type TEXT NOT NULL,
    fetched_at TEXT NOT NULL,
    PRIMARY KEY (digest, url)
);
CREATE TABLE journals (
    run TEXT PRIMARY KEY,
    family TEXT NOT NULL,
    begun_at TEXT NOT NULL
);
CREATE INDEX journals_by_family ON journals (family);
CREATE TABLE journal_steps (
    run TEXT NOT NULL REFERENCES journals (run),
    step INTEGER NOT NULL,
    name TEXT NOT NULL,
    state {bytes} NOT NULL,
    PRIMARY KEY (run, step)
);
CREATE TABLE answers (
    key TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    purpose TEXT NOT NULL,
    text TEXT NOT NULL,
    dollars DOUBLE PRECISION,
    seconds DOUBLE PRECISION NOT NULL,
    family TEXT NOT NULL,
    run TEXT NOT NULL,
    at TEXT NOT NULL
);
CREATE INDEX answers_by_family ON answers (family);
CREATE INDEX answers_by_run ON answers (run);
