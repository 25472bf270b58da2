//! One permission rule of Claude Code as patterns of guard.permissions.

use flyball_core::text;
use flyball_policies::guard::permissions::check;

/// Which list of the client a rule is in. The lists of guard.permissions have the same names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    Allow,
    Deny,
    Ask,
}

impl List {
    pub(super) const ALL: [List; 3] = [List::Allow, List::Deny, List::Ask];

    pub(super) const fn name(self) -> &'static str {
        match self {
            List::Allow => "allow",
            List::Deny => "deny",
            List::Ask => "ask",
        }
    }
}

/// Whose settings a rule is in, which decides what `/path` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Project,
    User,
}

/// What a rule became.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Converted {
    pub(super) patterns: Vec<String>,
    /// How they differ from the rule; empty if they do not.
    pub(super) note: &'static str,
}

impl Converted {
    pub(super) fn describe(&self) -> String {
        let note = if self.note.is_empty() { String::new() } else { format!(" ({})", self.note) };
        self.patterns.join(", ") + &note
    }
}

fn same(pattern: impl Into<String>) -> Result<Converted, String> {
    Ok(Converted { patterns: vec![pattern.into()], note: "" })
}

/// Turns a rule into patterns; the error says why it cannot.
pub(super) fn convert(rule: &str, list: List, owner: Owner) -> Result<Converted, String> {
    let rule = rule.trim();
    let (tool, inside) = match rule.split_once('(') {
        None => (rule, None),
        Some((tool, rest)) => match rest.strip_suffix(')') {
            Some(inside) => (tool, Some(inside.trim())),
            None => return Err("the bracket is not closed".to_owned()),
        },
    };
    let inside = inside.filter(|text| !matches!(*text, "" | "*"));
    let converted = match (tool, inside) {
        ("", _) => return Err("no tool".to_owned()),
        ("Bash", Some(command)) => command_line(command),
        ("Bash", None) => Err("it matches every command; name the commands".to_owned()),
        ("Read", path) => file("read", path, owner),
        ("Edit", path) => file("edit", path, owner),
        ("WebFetch", page) => fetch(page),
        ("Write" | "MultiEdit" | "NotebookEdit" | "Glob" | "Grep" | "LS", Some(path)) => {
            let real = if matches!(tool, "Glob" | "Grep" | "LS") { "Read" } else { "Edit" };
            Err(format!("the client ignores it; it checks `{real}({path})`"))
        }
        ("Write" | "MultiEdit" | "NotebookEdit", None) if list == List::Allow => {
            Err("allow edits by file, for example `edit:src/**`".to_owned())
        }
        (_, inside) if tool.starts_with("mcp__") => server_tool(tool, inside),
        (_, Some(_)) => Err(format!("there is no pattern for the arguments of `{tool}`")),
        (_, None) => same(format!("tool:{tool}")),
    }?;
    converted.patterns.iter().try_for_each(|pattern| check(pattern))?;
    Ok(converted)
}

/// `npm run test:*` and `npm run test *` match every command that begins so, `npm run test` only itself.
fn command_line(command: &str) -> Result<Converted, String> {
    // The client and flyball match each command of a line by itself.
    if ["&&", "||", ";", "|"].iter().any(|sign| command.contains(sign)) {
        return Err("several commands at once; each is matched on its own".to_owned());
    }
    let open = command.strip_suffix(":*").or_else(|| command.strip_suffix(" *"));
    let (words, is_open) = match open {
        Some(words) => (words.trim_end(), true),
        // A `*` at the end also matches the words that follow.
        None => (command, command.ends_with('*')),
    };
    let inner = words.strip_suffix('*').unwrap_or(words);
    let note = if inner.contains('*') { "where `*` is one word" } else { "" };
    let end = if is_open { "" } else { "$" };
    let pattern = text::one_line(words);
    Ok(Converted { patterns: vec![format!("{pattern}{end}")], note })
}

/// Paths are written as in `.gitignore`: `//` is absolute, a name alone matches in every folder, a
/// folder matches what is in it.
fn file(kind: &str, path: Option<&str>, owner: Owner) -> Result<Converted, String> {
    let Some(path) = path else { return same(format!("{kind}:/**")) };
    if path.starts_with('!') {
        return Err("a rule that negates another has no pattern".to_owned());
    }
    let glob = if let Some(absolute) = path.strip_prefix("//") {
        format!("/{absolute}")
    } else if path.starts_with('~') {
        path.to_owned()
    } else if let Some(below) = path.strip_prefix('/') {
        match owner {
            Owner::Project => below.to_owned(),
            Owner::User => {
                return Err("`/` is ambiguous in the user's settings; `//` is absolute".to_owned());
            }
        }
    } else {
        let below = path.strip_prefix("./").unwrap_or(path);
        // As in `.gitignore`: without a slash, or with one only at its end, it matches at any depth.
        let is_name = !path.starts_with("./") && !below.trim_end_matches('/').contains('/');
        if is_name && below != "**" { format!("**/{below}") } else { below.to_owned() }
    };
    let name = glob.rsplit('/').find(|part| !part.is_empty()).unwrap_or_default();
    let patterns = if glob.ends_with('/') {
        vec![format!("{kind}:{glob}**")]
    // Probably a file. A bare name may be a folder as well, so both are written.
    } else if name.contains(['*', '.', '?', '[', '{']) {
        vec![format!("{kind}:{glob}")]
    } else {
        vec![format!("{kind}:{glob}"), format!("{kind}:{glob}/**")]
    };
    Ok(Converted { patterns, note: "" })
}

fn fetch(page: Option<&str>) -> Result<Converted, String> {
    match page.map(|page| page.split_once(':')) {
        None => same("fetch:*"),
        Some(Some(("domain", host))) => same(format!("fetch:{host}")),
        Some(_) => Err("pages are matched by `domain:` only".to_owned()),
    }
}

/// `mcp__server__tool`, or all tools of `mcp__server`.
fn server_tool(name: &str, inside: Option<&str>) -> Result<Converted, String> {
    if inside.is_some() {
        return Err("there is no pattern for the arguments of a server's tool".to_owned());
    }
    let rest = name.strip_prefix("mcp__").unwrap_or(name);
    match rest.split_once("__") {
        Some((server, tool)) => same(format!("mcp:{server}/{tool}")),
        None => same(format!("mcp:{rest}/*")),
    }
}
