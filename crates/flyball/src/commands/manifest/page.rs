//! A manifest and a trail as people read them.

use std::path::Path;

use flyball_core::text;
use flyball_core::time::Time;
use flyball_policies::r#loop::manifest::Manifest;
use flyball_policies::r#loop::workflow::{AgentRun, Trail};
use jiff::Zoned;

use super::output::{CheckedManifest, Output, Session};
use crate::project_context::tilde;
use crate::show::record::short_session;
use crate::show::text::one_line;
use crate::show::{Cell, Columns, Row, time};
use crate::terminal::{Style, Terminal};

/// How many other manifests are named.
const FEW: usize = 3;

pub(super) fn lines(shown: &Output, root: &Path, now: &Zoned, terminal: &Terminal) -> Vec<String> {
    let mut parts: Vec<Vec<String>> = Vec::new();
    if let (Some(checked), Some(path)) = (&shown.manifest, &shown.path) {
        parts.push(head(&checked.manifest, &name_of(path, root), terminal));
        parts.extend(sections(checked, terminal));
    }
    if let Some(session) = &shown.session {
        parts.push(trail(session, &shown.trail, now, terminal));
    }
    if !shown.others.is_empty() {
        let others: Vec<String> = shown.others.iter().map(|name| one_line(name)).collect();
        let named = text::first(&others, FEW);
        parts.push(vec![terminal.paint(Style::Faint, &format!("Changed earlier: {named}"))]);
    }
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(&String::new())
}

/// A path of the project from its root, another one from home.
pub(super) fn name_of(path: &Path, root: &Path) -> String {
    let inside = path.strip_prefix(root).ok().map(|path| path.to_string_lossy().into_owned());
    one_line(&inside.unwrap_or_else(|| tilde(&path.to_string_lossy())))
}

fn head(manifest: &Manifest, path: &str, terminal: &Terminal) -> Vec<String> {
    let feature = match manifest.feature() {
        "" => "Unnamed workflow".to_owned(),
        feature => one_line(feature),
    };
    let status = one_line(&manifest.status);
    let mut row = vec![Cell::new(Style::Strong, feature)];
    if !status.is_empty() {
        row.push(Cell::new(style_of(&status), status));
    }
    row.push(Cell::new(Style::Faint, path));
    let mut lines = vec![Columns::fit([&row], terminal.line_limit()).line(&row, terminal)];
    if !manifest.description.is_empty() {
        lines.push(one_line(&manifest.description));
    }
    lines
}

fn sections(checked: &CheckedManifest, terminal: &Terminal) -> Vec<Vec<String>> {
    let manifest = &checked.manifest;
    let plain = |text: &str| Cell::plain(one_line(text));
    let status = |text: &str| Cell::new(style_of(text), one_line(text));
    let agents = manifest.agents_contributed.iter().map(|it| {
        vec![
            plain(&it.agent),
            status(&it.status),
            plain(&it.artifact),
            Cell::new(Style::Faint, one_line(&it.timestamp)),
        ]
    });
    let artifacts = manifest.artifacts.iter().zip(&checked.exists).map(|(it, exists)| {
        let missing = if *exists { Cell::plain("") } else { Cell::new(Style::Bad, "missing") };
        vec![plain(&it.path), plain(&it.kind), plain(&it.agent), missing]
    });
    let verification = manifest.verification.iter().map(|it| {
        let result = if it.result.is_empty() { "not yet" } else { &it.result };
        vec![plain(&it.what), status(result)]
    });
    vec![
        section("Phases", phases(manifest), terminal),
        section("Agents", agents.collect(), terminal),
        section("Artifacts", artifacts.collect(), terminal),
        section("Verification", verification.collect(), terminal),
    ]
}

/// The phases; the current one is marked, and added if nobody listed it.
fn phases(manifest: &Manifest) -> Vec<Row> {
    let current = &manifest.current_phase;
    let row = |name: &str, status: &str| {
        let is_current = name.eq_ignore_ascii_case(current);
        let (mark, style) = if is_current { (">", Style::Strong) } else { (" ", Style::Plain) };
        let name = Cell::new(style, one_line(name));
        vec![Cell::new(Style::Accent, mark), name, Cell::new(style_of(status), one_line(status))]
    };
    let mut rows: Vec<Row> = manifest.phases.iter().map(|phase| row(&phase.name, &phase.status)).collect();
    let is_listed = manifest.phases.iter().any(|phase| phase.name.eq_ignore_ascii_case(current));
    if !is_listed && !current.is_empty() {
        rows.push(row(current, ""));
    }
    rows
}

fn trail(session: &Session, trail: &Trail, now: &Zoned, terminal: &Terminal) -> Vec<String> {
    let title = format!("Session {} ({})", short_session(&session.id), one_line(&session.client));
    let agents: Vec<Row> = trail.agents.iter().map(|run| agent(run, now)).collect();
    let written = trail.artifacts.iter().map(|it| {
        let at = time::clock(it.at, now);
        let what = format!("wrote {}", one_line(&it.path));
        vec![Cell::plain(one_line(&it.by)), Cell::new(Style::Faint, at), Cell::plain(""), Cell::plain(what)]
    });
    let mut lines = section(&title, agents.into_iter().chain(written).collect(), terminal);
    if lines.is_empty() {
        lines.extend([terminal.paint(Style::Faint, &title), "  no subagent took part yet".to_owned()]);
    }
    if trail.dropped > 0 {
        lines.push(terminal.paint(Style::Faint, &format!("  {} older entries were dropped", trail.dropped)));
    }
    lines
}

/// Role, start, duration and result.
fn agent(run: &AgentRun, now: &Zoned) -> Row {
    let (took, style, result) = match run.ended {
        Some(ended) => (lasted(run.started, ended), Style::Plain, one_line(&run.result)),
        None => (String::new(), Style::Warning, "still running".to_owned()),
    };
    let result = match (run.background, result.is_empty()) {
        (true, true) => "in the background".to_owned(),
        (true, false) => format!("{result} (in the background)"),
        (false, _) => result,
    };
    let at = time::clock(run.started, now);
    vec![
        Cell::plain(one_line(&run.role)),
        Cell::new(Style::Faint, at),
        Cell::amount(Style::Faint, took),
        Cell::new(style, result),
    ]
}

fn lasted(from: Time, to: Time) -> String {
    let seconds = to.since(from).as_secs();
    if seconds < 60 { format!("{seconds} s") } else { format!("{} min", seconds / 60) }
}

/// A title and its rows; nothing without rows.
fn section(title: &str, rows: Vec<Row>, terminal: &Terminal) -> Vec<String> {
    if rows.is_empty() {
        return Vec::new();
    }
    let rows: Vec<Row> = rows.into_iter().map(indented).collect();
    let columns = Columns::fit(&rows, terminal.line_limit());
    let title = terminal.paint(Style::Faint, title);
    std::iter::once(title).chain(rows.iter().map(|row| columns.line(row, terminal))).collect()
}

/// The row behind an empty cell: two blanks, as wide as the gap between columns.
fn indented(row: Row) -> Row {
    std::iter::once(Cell::plain("")).chain(row).collect()
}

/// How a status looks.
fn style_of(status: &str) -> Style {
    // Agents write these words as they like; only the colour depends on them.
    match status.to_ascii_lowercase().replace(['_', ' '], "-").as_str() {
        "complete" | "completed" | "done" | "finished" | "passed" | "pass" | "approved" | "ok" => Style::Good,
        "blocked" | "failed" | "fail" | "rejected" | "cancelled" | "canceled" | "aborted" => Style::Bad,
        "in-progress" | "running" | "active" => Style::Warning,
        _ => Style::Faint,
    }
}
