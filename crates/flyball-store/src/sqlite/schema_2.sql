-- What the board, reports and exports ask of an event without reading its record.
ALTER TABLE events ADD COLUMN agent TEXT NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN micros INTEGER NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN context INTEGER NOT NULL DEFAULT 0;
-- Whether a policy that only observes would have denied what was not denied.
ALTER TABLE events ADD COLUMN would_deny INTEGER NOT NULL DEFAULT 0;
-- The link of the session's chain at this event; none for events from before there were chains.
ALTER TABLE events ADD COLUMN link BLOB;

UPDATE events SET
    agent = coalesce((SELECT json_extract(record, '$.agent.id') FROM records WHERE event = events.id), ''),
    micros = coalesce((SELECT json_extract(record, '$.micros') FROM records WHERE event = events.id), 0),
    context = coalesce((SELECT json_extract(record, '$.context_chars') FROM records WHERE event = events.id), 0),
    would_deny = stance < 3 AND EXISTS (
        SELECT 1 FROM verdicts v WHERE v.event = events.id AND v.stance = 3 AND v.mode = 'observe'
    );

-- Each index leads to events in the order of pages, and has what other filters look at: a combination of
-- filters that nothing passes is found empty without looking at a single event.
DROP INDEX events_at;
DROP INDEX events_session;
DROP INDEX events_project;
DROP INDEX events_kind;
DROP INDEX events_tool;
DROP INDEX events_stance;
CREATE INDEX events_at ON events (at, id, duplicate, stance, project, kind, tool);
CREATE INDEX events_session
    ON events (session, at, id, duplicate, stance, project, kind, tool, agent, micros, context);
CREATE INDEX events_project ON events (project, at, id, duplicate, stance, kind, tool);
CREATE INDEX events_kind ON events (kind, at, id, duplicate, stance, project, tool);
CREATE INDEX events_tool ON events (tool, at, id, duplicate, stance, project, kind) WHERE tool IS NOT NULL;
CREATE INDEX events_stance ON events (stance, at, id, duplicate, project, kind, tool);
CREATE INDEX events_would_deny ON events (at, id) WHERE would_deny = 1;
CREATE INDEX events_agent ON events (agent, at, id) WHERE agent <> '';
CREATE INDEX events_micros ON events (micros, at, id, duplicate, project);
CREATE INDEX events_context ON events (context, at, id, duplicate, project) WHERE context > 0;

-- What happened in a minute or an hour of a project: `took` are the times of its events, by their size.
CREATE TABLE pulse (
    grain INTEGER NOT NULL,
    start INTEGER NOT NULL,
    project INTEGER NOT NULL,
    events INTEGER NOT NULL,
    denials INTEGER NOT NULL,
    asks INTEGER NOT NULL,
    allows INTEGER NOT NULL,
    context INTEGER NOT NULL,
    took BLOB NOT NULL,
    PRIMARY KEY (grain, start, project)
) WITHOUT ROWID;

-- What each policy did in five minutes or an hour of a project, also when it was silent.
CREATE TABLE policy_pulse (
    grain INTEGER NOT NULL,
    start INTEGER NOT NULL,
    project INTEGER NOT NULL,
    policy TEXT NOT NULL,
    denials INTEGER NOT NULL,
    asks INTEGER NOT NULL,
    allows INTEGER NOT NULL,
    troubles INTEGER NOT NULL,
    took BLOB NOT NULL,
    PRIMARY KEY (grain, start, project, policy)
) WITHOUT ROWID;

-- The subjects of some hundred events in one row, in lower case: a search reads them in one go. `ids` are
-- the events, eight bytes each; `since` and `until` the times of the first and the last of them.
CREATE TABLE texts (
    id INTEGER PRIMARY KEY,
    since INTEGER NOT NULL,
    until INTEGER NOT NULL,
    ids BLOB NOT NULL,
    body TEXT NOT NULL
);
