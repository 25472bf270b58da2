//! Files that list commands: crontabs, units, Procfiles, `tox.ini`, hooks.

use super::{Runner, Tasks, texts, value};
use crate::shell::reader::Reader;
use crate::yaml::{self, Node};

impl Reader<'_> {
    /// `crontab file` and `crontab -`.
    pub(super) fn crontab(&mut self, runner: &Runner<'_>) -> Option<Tasks> {
        let parsed = runner.parsed("u", "");
        if runner.has(&["-l", "-r", "-e"]) {
            return None;
        }
        let text = match texts(&parsed).first() {
            Some(path) if *path != "-" => self.task_file(path, runner.directory)?,
            _ => runner.input?.to_owned(),
        };
        let commands = text.lines().filter_map(scheduled);
        // It runs in the home folder, which `quote` would take for a name.
        Some(Tasks::here(commands.map(|command| format!("cd ~ &&\n{command}")).collect()))
    }

    /// `systemctl --user enable name`.
    pub(super) fn unit(&mut self, runner: &Runner<'_>) -> Option<Tasks> {
        let parsed = runner.parsed("HMtpno", "host machine type property");
        let words = texts(&parsed);
        let (verb, units) = words.split_first()?;
        if !matches!(*verb, "start" | "restart" | "enable" | "link" | "reenable") {
            return None;
        }
        let mut lines = Vec::new();
        for unit in units {
            let name = unit.rsplit('/').next().unwrap_or(unit);
            let whole = if name.contains('.') { name.to_owned() } else { format!("{name}.service") };
            let service = whole.replace(".timer", ".service");
            let places = [
                (*unit).to_owned(),
                format!("~/.config/systemd/user/{service}"),
                format!("/etc/systemd/system/{service}"),
            ];
            let names: Vec<&str> = places.iter().map(String::as_str).collect();
            let text = self.first_file(None, &names, runner.directory).unwrap_or_default();
            let starts = |line: &str| {
                let (key, command) = line.split_once('=')?;
                key.starts_with("Exec")
                    .then(|| command.trim_start_matches(['-', '@', ':', '+', '!']).replace("%h", "~"))
            };
            lines.extend(text.lines().filter_map(starts));
        }
        Some(Tasks::here(lines))
    }

    pub(super) fn procfile(&mut self, runner: &Runner<'_>) -> Option<Tasks> {
        let parsed = runner.parsed("fdep", "procfile root env port");
        let named = value(&parsed, "f procfile").unwrap_or_else(|| "Procfile".to_owned());
        let text = self.task_file(&named, runner.directory)?;
        let command = |line: &str| {
            let (name, command) = line.split_once(':')?;
            (!name.contains([' ', '#'])).then(|| command.trim().to_owned())
        };
        Some(Tasks::here(text.lines().filter_map(command).collect()))
    }

    pub(super) fn tox(&mut self, runner: &Runner<'_>) -> Option<Tasks> {
        if runner.has(&["-l", "--listenvs", "list", "config", "--showconfig", "-n", "--notest"]) {
            return None;
        }
        let text = self.task_file("tox.ini", runner.directory)?;
        let (mut lines, mut is_environment, mut is_command) = (Vec::new(), false, false);
        for line in text.lines() {
            if line.starts_with('[') {
                is_environment = line.starts_with("[testenv");
                is_command = false;
            } else if !line.starts_with([' ', '\t']) {
                let (key, command) = line.split_once('=').unwrap_or_default();
                is_command = is_environment && key.trim().starts_with("commands");
                lines.extend(Some(command).filter(|_| is_command).map(tox_line));
            } else if is_command {
                lines.push(tox_line(line));
            }
        }
        Some(Tasks::here(lines))
    }

    /// Hooks of the project itself; those of other repositories are not here.
    pub(super) fn hooks(&mut self, runner: &Runner<'_>) -> Option<Tasks> {
        let parsed = runner.parsed("c", "config files");
        let words = texts(&parsed);
        let (verb, chosen) = words.split_first()?;
        if *verb != "run" {
            return None;
        }
        let named = value(&parsed, "c config").unwrap_or_else(|| ".pre-commit-config.yaml".to_owned());
        let tree = yaml::read(&self.task_file(&named, runner.directory)?);
        let mut lines = Vec::new();
        for hook in tree.get("repos").items().iter().flat_map(|repository| repository.get("hooks").items()) {
            let is_chosen = chosen.is_empty() || hook.get("id").text().is_some_and(|id| chosen.contains(&id));
            let Some(entry) = hook.get("entry").text().filter(|_| is_chosen) else { continue };
            let arguments: Vec<&str> = hook.get("args").items().iter().filter_map(Node::text).collect();
            lines.push(format!("{entry} {}", arguments.join(" ")));
        }
        Some(Tasks::here(lines))
    }

    /// `task name`.
    pub(super) fn taskfile(&mut self, runner: &Runner<'_>) -> Option<Tasks> {
        if runner.has(&[
            "--list",
            "-l",
            "--list-all",
            "-a",
            "--dry",
            "-n",
            "--summary",
            "--status",
            "--init",
            "-i",
        ]) {
            return None;
        }
        let parsed = runner.parsed("tdo", "taskfile dir");
        let folder = value(&parsed, "d dir");
        let named = value(&parsed, "t taskfile");
        let names = match named.as_deref() {
            Some(name) => vec![name],
            None => vec!["Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml"],
        };
        let tree = yaml::read(&self.first_file(folder.as_deref(), &names, runner.directory)?);
        let words = texts(&parsed);
        let mut waiting: Vec<String> = if words.is_empty() {
            vec!["default".to_owned()]
        } else {
            words.iter().map(|it| (*it).to_owned()).collect()
        };
        let (mut seen, mut lines) = (Vec::new(), Vec::new());
        while let Some(name) = waiting.pop() {
            if seen.contains(&name) {
                continue;
            }
            let task = tree.get("tasks").get(&name);
            let alone = task.text().into_iter().chain(task.get("cmd").text());
            lines.extend(alone.map(task_line));
            for command in task.get("cmds").items().iter().chain(task.items()) {
                lines.extend(command.text().or_else(|| command.get("cmd").text()).map(task_line));
                waiting.extend(command.get("task").text().map(str::to_owned));
            }
            let needs = task
                .get("deps")
                .items()
                .iter()
                .filter_map(|need| need.text().or_else(|| need.get("task").text()));
            waiting.extend(needs.map(str::to_owned));
            seen.push(name);
        }
        Some(Tasks { lines, folder })
    }

    /// Hooks of a folder that the line itself names: `git -c core.hooksPath=hooks commit`.
    pub(super) fn git_hooks(&mut self, runner: &Runner<'_>) -> Option<Tasks> {
        let set = |text: &str| {
            let (name, value) = text.split_once('=')?;
            name.eq_ignore_ascii_case("core.hookspath").then(|| value.to_owned())
        };
        let given = runner.arguments.iter().filter_map(|word| word.text.as_deref()).find_map(set);
        let folder = given.or_else(|| self.scope.value("git core.hooksPath").map(str::to_owned))?;
        let mut lines = Vec::new();
        for hook in HOOKS {
            let path = format!("{folder}/{hook}");
            if self.task_file(&path, runner.directory).is_some() {
                lines.push(if path.starts_with(['/', '~']) { path } else { format!("./{path}") });
            }
        }
        Some(Tasks::here(lines))
    }
}

const HOOKS: &[&str] = &[
    "pre-commit",
    "commit-msg",
    "prepare-commit-msg",
    "post-commit",
    "post-checkout",
    "pre-push",
    "pre-rebase",
    "post-merge",
    "post-rewrite",
];

/// The command of a line of a crontab.
fn scheduled(line: &str) -> Option<String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let fields = if line.starts_with('@') { 1 } else { 5 };
    let mut rest = line;
    for _ in 0..fields {
        rest = rest.split_once(char::is_whitespace)?.1.trim_start();
    }
    // A `%` that is not escaped is a newline.
    rest.split('%').next().map(str::to_owned)
}

fn tox_line(line: &str) -> String {
    let line = line.trim().trim_start_matches('-').trim();
    let known = [("{homedir}", "~"), ("{toxinidir}", "."), ("{posargs}", ""), ("{envpython}", "python")];
    let line = known.iter().fold(line.to_owned(), |line, (name, text)| line.replace(name, text));
    line.replace('{', "${")
}

/// What Task puts into a line is known only when it runs.
fn task_line(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once("{{") {
        let Some((_, after)) = behind.split_once("}}") else { break };
        out.push_str(before);
        out.push_str("\"$_\"");
        rest = after;
    }
    out + rest
}
