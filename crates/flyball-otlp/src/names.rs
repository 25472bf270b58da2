//! Every name that is sent, in one place: `docs/telemetry.md` shows these tables, and a test compares them.

use std::fmt::Write as _;

#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    pub name: &'static str,
    pub on: &'static str,
    /// From which `content` on it is sent.
    pub content: &'static str,
    pub about: &'static str,
}

#[derive(Clone, Copy, Debug)]
pub struct Metric {
    pub name: &'static str,
    /// What it is, and of what kind.
    pub kind: &'static str,
    pub unit: &'static str,
    /// The attributes that distinguish its series.
    pub by: &'static [&'static str],
    pub about: &'static str,
}

/// A kind of span.
#[derive(Clone, Copy, Debug)]
pub struct SpanKind {
    pub name: &'static str,
    /// From when to when.
    pub about: &'static str,
    /// Its parent.
    pub parent: &'static str,
}

macro_rules! attributes {
    ($($constant:ident $name:literal $on:literal $content:literal $about:literal)+) => {
        $(pub(crate) const $constant: &str = $name;)+

        /// Every attribute, in the order of the page.
        pub const ATTRIBUTES: &[Attribute] =
            &[$(Attribute { name: $name, on: $on, content: $content, about: $about },)+];
    };
}

attributes! {
    SERVICE_NAME "service.name" "resource" "none" "`service_name` of `[otlp]`"
    SERVICE_VERSION "service.version" "resource" "none" "the version of flyball that sends"
    SESSION_ID "session.id" "logs, spans" "none" "the client's id of the session"
    CLIENT "flyball.client" "logs, spans, metrics" "none" "the client that called, e.g. `claude-code`"
    PROJECT_ID "flyball.project.id" "logs, spans" "none" "a number that is the same for the same project"
    PROJECT "flyball.project" "logs, spans" "subjects" "the path of the project"
    ANSWER_ID "flyball.answer.id" "logs, spans" "none" "the id of the answer, for `flyball explain`; the same event sent again has the same"
    EVENT_KIND "flyball.event.kind" "logs, spans, metrics" "none" "the kind of event, e.g. `before_tool`"
    EVENT_NATIVE "flyball.event.native" "logs, spans" "none" "the client's own name of it, e.g. `PreToolUse`"
    TOOL "flyball.tool" "logs, spans, metrics" "none" "the kind of tool, e.g. `shell`"
    STANCE "flyball.stance" "logs, spans, metrics" "none" "`silent`, `allow`, `ask` or `deny`"
    AGENT_ID "flyball.agent.id" "logs, spans" "none" "the subagent it happened in"
    AGENT_ROLE "flyball.agent.role" "logs, spans" "none" "the role of that subagent"
    POLICIES "flyball.policies" "logs, spans" "none" "the policies that were not silent"
    REWRITTEN "flyball.rewritten" "logs, spans" "none" "set if the call was rewritten"
    DUPLICATE "flyball.duplicate" "logs" "none" "set if the same call had been recorded already"
    CONTEXT_SIZE "flyball.context.size" "logs, spans" "none" "characters of context added for the model"
    HOOK_MICROS "flyball.hook.micros" "logs" "none" "how long flyball took, in microseconds"
    SUBJECT "flyball.subject" "logs, spans" "subjects" "what it was about, in one line: a command, a path, the head of a prompt"
    TEXTS "flyball.said" "logs, spans" "full" "the texts shown to the agent or the user"
    NOTICES "flyball.notices" "logs, spans" "full" "notices to the user"
    POLICY "flyball.policy" "spans, metrics" "none" "the policy"
    POLICY_MODE "flyball.policy.mode" "spans, metrics" "none" "`observe` or `enforce`"
    POLICY_SKIPPED "flyball.policy.skipped" "spans" "none" "set if the person who started the client had switched it off"
    POLICY_FAILED "flyball.policy.troubled" "spans" "none" "set if it could not judge"
    POLICY_ERROR "flyball.policy.trouble" "spans" "full" "why it could not judge"
    POLICY_REASONS "flyball.policy.reasons" "spans" "full" "its reasons"
    POLICY_EVIDENCE "flyball.policy.evidence" "spans" "full" "what it saw"
    UNFINISHED "flyball.unfinished" "spans" "none" "set if the end was never seen: another one began, or nothing came for long"
}

/// `flyball.events`.
pub(crate) static EVENTS: Metric = Metric {
    name: "flyball.events",
    kind: "sum",
    unit: "{event}",
    by: &[CLIENT, EVENT_KIND, STANCE, TOOL],
    about: "events, each call once",
};
/// `flyball.decisions`.
pub(crate) static DECISIONS: Metric = Metric {
    name: "flyball.decisions",
    kind: "sum",
    unit: "{decision}",
    by: &[POLICY, STANCE, POLICY_MODE],
    about: "the verdicts of policies that had one",
};
/// `flyball.troubles`.
pub(crate) static ERRORS: Metric = Metric {
    name: "flyball.troubles",
    kind: "sum",
    unit: "{trouble}",
    by: &[POLICY],
    about: "how often a policy could not judge",
};
/// `flyball.hook.duration`.
pub(crate) static HOOK_DURATION: Metric = Metric {
    name: "flyball.hook.duration",
    kind: "histogram",
    unit: "s",
    by: &[CLIENT, EVENT_KIND],
    about: "how long flyball took for an event",
};
/// `flyball.policy.duration`.
pub(crate) static POLICY_DURATION: Metric = Metric {
    name: "flyball.policy.duration",
    kind: "histogram",
    unit: "s",
    by: &[POLICY],
    about: "how long a policy took for an event",
};
/// `flyball.context.size` as a metric.
pub(crate) static CONTEXT_SIZES: Metric = Metric {
    name: "flyball.context.size",
    kind: "histogram",
    unit: "{character}",
    by: &[EVENT_KIND],
    about: "characters of context added for the model, where any were",
};

pub static METRICS: &[&Metric] =
    &[&EVENTS, &DECISIONS, &ERRORS, &HOOK_DURATION, &POLICY_DURATION, &CONTEXT_SIZES];

/// Every kind of span.
pub const SPANS: &[SpanKind] = &[
    SpanKind {
        name: "session",
        about: "from its first event to its end; without an end, to the last event once nothing came for 6 hours",
        parent: "–",
    },
    SpanKind {
        name: "turn",
        about: "from a prompt to the stop that was allowed, or to the next prompt",
        parent: "`session`",
    },
    SpanKind {
        name: "agent",
        about: "from a subagent's start to its stop",
        parent: "`turn`, else `session`",
    },
    SpanKind {
        name: "tool",
        about: "from before a call to after it; an error if it failed or was denied",
        parent: "`agent`, else `turn`, else `session`",
    },
    SpanKind {
        name: "hook",
        about: "what flyball did for one event",
        parent: "the `tool` it was about, else the parent of a `tool`",
    },
    SpanKind {
        name: "policy",
        about: "one policy, if it had a verdict or took a millisecond; placed one after the other, since only durations are recorded",
        parent: "`hook`",
    },
];

/// The tables of the page on telemetry, in Markdown.
#[must_use]
pub fn tables() -> String {
    let mut page = String::from("### Attributes\n\n| name | on | `content` | meaning |\n|---|---|---|---|\n");
    // Writing into memory cannot fail.
    for Attribute { name, on, content, about } in ATTRIBUTES {
        let _ = writeln!(page, "| `{name}` | {on} | `{content}` | {about} |");
    }
    page.push_str("\n### Metrics\n\n| name | kind | unit | by | meaning |\n|---|---|---|---|---|\n");
    for Metric { name, kind, unit, by, about } in METRICS {
        let by: Vec<String> = by.iter().map(|name| format!("`{name}`")).collect();
        let _ = writeln!(page, "| `{name}` | cumulative {kind} | `{unit}` | {} | {about} |", by.join(", "));
    }
    page.push_str("\n### Spans\n\n| name | from when to when | below |\n|---|---|---|\n");
    for SpanKind { name, about, parent } in SPANS {
        let _ = writeln!(page, "| `{name}` | {about} | {parent} |");
    }
    page
}
