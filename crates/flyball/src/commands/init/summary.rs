//! What `init` shows on the terminal.

use std::path::PathBuf;

use flyball_clients::install::Scope;
use flyball_core::config::Mode;

use super::findings::Finding;
use super::plan::SetupContext;
use crate::commands::companions::exclude::is_ignored;
use crate::commands::companions::server;
use crate::install::{DetectedClient, PROGRAM_NAME as NAME, Steps, on_path, plugin};
use crate::terminal::{Style, Terminal};

/// What is shown.
pub(super) struct Summary<'a> {
    pub(super) terminal: &'a Terminal,
    pub(super) context: &'a SetupContext<'a>,
    pub(super) steps: &'a Steps,
}

/// Shows what was found.
pub(super) fn show_findings(context: &SetupContext<'_>, terminal: &Terminal) {
    let SetupContext { site, clients, findings, scope, .. } = context;
    let clients: Vec<String> = clients.iter().map(client).collect();
    let whom = match scope {
        Scope::Project | Scope::Local => ("project", site.show(&site.root)),
        Scope::User => ("for", "you, in every project".to_owned()),
        Scope::Managed => ("for", "everyone on this machine".to_owned()),
    };
    let rows = [
        whom,
        ("languages", names(&findings.languages)),
        ("packages", names(&findings.locks)),
        ("linters", names(&findings.linters)),
        ("tests", names(&findings.tests)),
        ("clients", clients.join(", ")),
    ];
    let rows: Vec<_> = rows.iter().filter(|(_, text)| !text.is_empty()).collect();
    let width = rows.iter().map(|(title, _)| title.len()).max().unwrap_or_default();
    for (title, text) in rows {
        let title = terminal.paint(Style::Faint, &format!("{title:<width$}"));
        terminal.line(&format!("{title}  {text}"));
    }
    terminal.line("");
}

/// Names the clients of this machine that the project does not use.
pub(super) fn show_left_out(clients: &[DetectedClient], terminal: &Terminal) {
    for detected in clients {
        let (title, id) = (detected.title(), detected.client.id());
        terminal
            .line(&format!("{title} is not used in this project: `flyball init --client {id}` registers it"));
    }
    if !clients.is_empty() {
        terminal.line("");
    }
}

fn client(detected: &DetectedClient) -> String {
    let title = detected.title();
    match (detected.in_use, detected.version) {
        (true, Some(_)) => title,
        (true, None) => format!("{title} (version unknown)"),
        (false, _) => format!("{title} (not found on this machine)"),
    }
}

impl Summary<'_> {
    /// What happens to each file.
    pub(super) fn steps(&self) {
        self.steps.show(self.terminal);
        self.terminal.line("");
        self.warnings();
    }

    fn warnings(&self) {
        if let Some(place) = self.context.program.vanish_reason() {
            let path = self.context.site.show(&self.context.program.path);
            let mark = self.terminal.paint(Style::Warning, "!");
            self.terminal.line(&format!("{mark} {path} is in {place}: if it is deleted, hooks fail."));
            self.terminal.line("  Install flyball in a permanent place, then run `flyball init` again.");
            self.terminal.line("");
        } else if on_path(NAME).is_none() {
            let mark = self.terminal.paint(Style::Warning, "!");
            let path = self.context.site.show(&self.context.program.path);
            self.terminal.line(&format!("{mark} flyball is not on the search path: hooks start {path},"));
            self.terminal
                .line("  but you and your agents cannot call it by its name. Add its folder to PATH.");
            self.terminal.line("");
        }
    }

    /// What the user should know about the loop.
    pub(super) fn about_the_loop(&self, mode: Mode) {
        let loops = match mode {
            Mode::Enforce => {
                "The loop blocks an agent that edited code from stopping until the code is reviewed and tested; `flyball loop` shows the progress."
            }
            Mode::Observe => "The loop only observes and blocks nobody; `flyball loop` shows the progress.",
            Mode::Off => "The loop itself is off: flyball.toml sets that in [loop.feedback].",
        };
        let lines = [
            loops,
            "A phase with a command (`run`) is proven by it: see `flyball policies loop.feedback`.",
            "`loop.iterations` (bounds of a task) and `loop.output` (where documents belong) are off until flyball.toml turns them on, sounds until `flyball sound on`.",
        ];
        lines.iter().for_each(|line| self.terminal.line(&format!("  {line}")));
    }

    /// What the user should know about memory.
    pub(super) fn about_memory(&self) {
        self.terminal.line(
            "  Reports of failures wait in .intent-layer for a person; review them with `flyball learn`.",
        );
        let SetupContext { site, clients, .. } = self.context;
        if !clients.iter().any(|detected| server::find_registered(site, detected.client).is_some()) {
            self.terminal.line("  `flyball init --mcp` lets agents ask what the project knows.");
        }
    }

    /// What the user should know about tasks.
    pub(super) fn about_tasks(&self) {
        let line = "To work on a task: `flyball task start`; to see its progress: `flyball task`.";
        self.terminal.line(&format!("  {line}"));
    }

    /// What to do now.
    pub(super) fn next(&self) {
        self.terminal.line("");
        self.terminal.line("Next:");
        self.terminal.line("  `flyball doctor` checks the installation.");
        self.terminal.line("  Start a new session and have the agent run `flyball doctor --live`: it proves that hooks fire.");
        for detected in self.context.clients {
            if let Some(step) = detected.client.facts().after_install {
                self.terminal.line(&format!("  {step}."));
            }
        }
        if self.context.scope == Scope::Project && self.context.site.root.join(".git").exists() {
            self.about_commits();
        }
    }

    /// What others get of this.
    fn about_commits(&self) {
        let SetupContext { site, clients, .. } = self.context;
        let registered = clients.iter().filter(|it| plugin::enabled(it.client, site).is_none());
        let files: Vec<PathBuf> = registered
            .filter_map(|it| it.client.facts().settings_file(Scope::Project, &site.places()))
            .collect();
        let ignored: Vec<&PathBuf> = files.iter().filter(|file| is_ignored(site, file)).collect();
        if files.is_empty() {
            self.terminal
                .line("  Commit flyball.toml: it counts for everyone who has flyball and its plugin.");
        } else if ignored.len() < files.len() {
            self.terminal.line(
                "  Commit these files: who has flyball is guarded too, who does not have it gets one line about that.",
            );
        }
        for file in ignored {
            let shown = site.show(file);
            self.terminal.line(&format!("  {shown} is ignored by git: its hooks guard only you, here."));
        }
    }
}

fn names(list: &[Finding]) -> String {
    let name = |found: &Finding| match found.folder() {
        Some(folder) => format!("{} ({folder})", found.name),
        None => found.name.clone(),
    };
    list.iter().map(name).collect::<Vec<_>>().join(", ")
}
