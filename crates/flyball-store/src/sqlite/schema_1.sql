-- What flyball remembers of itself: when it last tidied up.
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) WITHOUT ROWID;

-- How far each journal has been read. Another inode is another journal under the same name.
CREATE TABLE journals (
    name TEXT PRIMARY KEY,
    inode INTEGER NOT NULL,
    folded INTEGER NOT NULL,
    corrupt INTEGER NOT NULL,
    last_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE projects (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE
);

CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    client TEXT NOT NULL,
    session TEXT NOT NULL,
    project INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    events INTEGER NOT NULL DEFAULT 0,
    denials INTEGER NOT NULL DEFAULT 0,
    last_kind TEXT NOT NULL,
    ended INTEGER NOT NULL DEFAULT 0,
    UNIQUE (session, client)
);
CREATE INDEX sessions_last ON sessions (last_at);

-- When each client last sent each kind of event, also of those that are forgotten.
CREATE TABLE seen (
    client TEXT NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (client, kind)
) WITHOUT ROWID;

-- What events are found by. Kept narrow, so that a search for text reads little; the record
-- itself stands in its own table. Row numbers are never used twice: followers count on it.
CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    answer TEXT NOT NULL,
    session INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    project INTEGER NOT NULL,
    kind TEXT NOT NULL,
    tool TEXT,
    stance INTEGER NOT NULL,
    duplicate INTEGER NOT NULL,
    subject TEXT NOT NULL
);
-- An answer's id alone is not unique for ever, a number not if a session outlives its journal.
CREATE UNIQUE INDEX events_answer ON events (answer, session, seq);
CREATE INDEX events_at ON events (at);
CREATE INDEX events_session ON events (session, at);
CREATE INDEX events_project ON events (project, at);
-- With what is counted, so that counting all reads nothing else.
CREATE INDEX events_kind ON events (kind, at, stance, duplicate);
CREATE INDEX events_tool ON events (tool, at) WHERE tool IS NOT NULL;
CREATE INDEX events_stance ON events (stance, at);

-- The record as JSON, without its payload.
CREATE TABLE records (
    event INTEGER PRIMARY KEY,
    record TEXT NOT NULL
);

CREATE TABLE payloads (
    event INTEGER PRIMARY KEY,
    payload TEXT NOT NULL
);

-- The policies that had something to say; the silent ones are in the record.
CREATE TABLE verdicts (
    policy TEXT NOT NULL,
    at INTEGER NOT NULL,
    event INTEGER NOT NULL,
    stance INTEGER NOT NULL,
    mode TEXT NOT NULL,
    troubled INTEGER NOT NULL,
    PRIMARY KEY (policy, at, event)
) WITHOUT ROWID;
CREATE INDEX verdicts_event ON verdicts (event);

-- The counts of a session are those of the events that are there, whoever adds or deletes them.
CREATE TRIGGER event_added AFTER INSERT ON events BEGIN
    UPDATE sessions SET
        events = events + (new.duplicate = 0),
        denials = denials + (new.duplicate = 0 AND new.stance = 3),
        first_at = min(first_at, new.at),
        last_at = max(last_at, new.at),
        project = iif(new.at >= last_at, new.project, project),
        last_kind = iif(new.at >= last_at, new.kind, last_kind),
        ended = iif(new.at >= last_at, new.kind = 'session_end', ended)
    WHERE id = new.session;
END;

CREATE TRIGGER event_deleted AFTER DELETE ON events BEGIN
    UPDATE sessions SET
        events = events - (old.duplicate = 0),
        denials = denials - (old.duplicate = 0 AND old.stance = 3)
    WHERE id = old.session;
    DELETE FROM records WHERE event = old.id;
    DELETE FROM payloads WHERE event = old.id;
    DELETE FROM verdicts WHERE event = old.id;
END;
