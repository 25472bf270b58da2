-- When each journal last had something new, by a clock that nobody can set: which start of the machine, and how long
-- after it, in microseconds.
ALTER TABLE journals ADD COLUMN boot INTEGER NOT NULL DEFAULT 0;
ALTER TABLE journals ADD COLUMN since_boot INTEGER NOT NULL DEFAULT 0;

-- How far the events went at moments of this start of the machine: what proves how old they are.
CREATE TABLE ticks (
    since_boot INTEGER PRIMARY KEY,
    row INTEGER NOT NULL
);

-- A session is in the order of its events, whatever the clock was when they happened.
DROP INDEX events_session;
CREATE INDEX events_session
    ON events (session, id, at, duplicate, stance, project, kind, tool, agent, micros, context);
ALTER TABLE sessions ADD COLUMN last_seq INTEGER NOT NULL DEFAULT 0;

-- The last event of a session is the one with the highest number, even if the clock was set back before it. The numbers
-- begin anew if the session outlives its journal.
DROP TRIGGER event_added;
CREATE TRIGGER event_added AFTER INSERT ON events BEGIN
    UPDATE sessions SET
        events = events + (new.duplicate = 0),
        denials = denials + (new.duplicate = 0 AND new.stance = 3),
        first_at = min(first_at, new.at)
    WHERE id = new.session;
    UPDATE sessions SET
        last_at = new.at,
        project = new.project,
        last_kind = new.kind,
        ended = new.kind = 'session_end',
        last_seq = new.seq
    WHERE id = new.session AND (new.at >= last_at OR new.seq > last_seq);
END;
