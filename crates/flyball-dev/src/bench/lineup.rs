//! Who runs: flyball in several situations, and what it is compared with.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use flyball_clients::showcase;
use flyball_store::Store;

use super::contestant::{Answer, Contestant, Input, Record};
use super::knowledge::{self, Knowledge};
use super::scratch::{Scratch, find};
use super::{fill, open_loop, packs, rules};
use flyball::environment;
use flyball::outcome::Failed;
use flyball::progress::Progress;

const SHELL: &str = include_str!("../../../../bench/before-shell.json");
const SPAWN: &str = include_str!("../../../../bench/before-spawn.json");
const FAILED: &str = include_str!("../../../../bench/failed-shell.json");
const STOP: &str = include_str!("../../../../bench/stop.json");
const EDIT: &str = include_str!("../../../../bench/before-edit.json");
const SCRIPT: &str = include_str!("../../../../bench/script.sh");
const BASH_GUARD: &str = include_str!("../../../../bench/guard.sh");
const NODE_GUARD: &str = include_str!("../../../../bench/guard.mjs");
/// A command line of the usual length.
const COMMAND: &str = "cd api && uv run pytest -q tests/test_parser.py 2>&1 | tail -n 40";
/// What the client hands to the shell for a command of its agent.
const AGENT_LINE: &str = "true && eval 'true' && pwd -P >| /dev/null";
/// One that guards have to parse, because it contains `rm`.
const REMOVES: &str = "rm -rf build dist && uv run python -m build --wheel . 2>&1 | tee build.log";
/// One of which nobody knows what it changes.
const BUILD: &str = "make build";
/// The files of the repository in which it runs.
const TREE_FILES: usize = 2_000;
/// The sessions that a contestant's events take turns in.
const SESSIONS: usize = 24;

/// More than a contestant ever runs.
const MOST_STOPS: usize = 400;

/// How large the large things are.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) rounds: usize,
    pub(super) events: u64,
    /// Events in the store that the board is measured with.
    pub(super) board_events: u64,
    /// Calls that are replayed.
    pub(super) replayed: usize,
    pub(super) megabytes: usize,
    pub(super) knowledge: Knowledge,
}

impl Sizes {
    /// What the limits are about.
    pub(super) const WHOLE: Sizes = Sizes {
        rounds: 200,
        events: 1_000_000,
        board_events: 1_000_000,
        replayed: 10_000,
        megabytes: 200,
        knowledge: Knowledge::MUCH,
    };
    /// Enough to see whether something is badly wrong.
    pub(super) const QUICK: Sizes = Sizes {
        rounds: 40,
        events: 20_000,
        board_events: 10_000,
        replayed: 500,
        megabytes: 8,
        knowledge: Knowledge::SOME,
    };
}

/// Everything that is measured, and what cannot be.
pub(super) struct Lineup {
    pub(super) contestants: Vec<Contestant>,
    /// What is missing, and what that means for the figures.
    pub(super) missing: Vec<String>,
}

/// Sets up all contestants.
pub(super) fn set_up(program: &Path, scratch: &Scratch, by: (&Sizes, &Progress)) -> Result<Lineup, Failed> {
    let session = showcase::session()
        .map_err(|cause| Failed::new(format!("the recorded session is broken: {cause}"), "this is a bug"))?;
    let mut setup = Setup {
        program,
        scratch,
        client: &session,
        lineup: Lineup { contestants: Vec::new(), missing: Vec::new() },
    };
    let project = scratch.project("project", "")?;
    setup.trivial(&project);
    setup.situations(&project)?;
    setup.packs()?;
    setup.sizes(&project, by)?;
    setup.others(&project)?;
    setup.seatbelt(&project)?;
    setup.undo()?;
    Ok(setup.lineup)
}

/// A program that flyball is compared with.
struct Other {
    id: &'static str,
    about: &'static str,
    program: PathBuf,
    arguments: Vec<OsString>,
}

struct Setup<'a> {
    program: &'a Path,
    scratch: &'a Scratch,
    client: &'a showcase::Session,
    lineup: Lineup,
}

impl Setup<'_> {
    fn trivial(&mut self, project: &Path) {
        let Some(trivial) = self.scratch.trivial().map(Path::to_path_buf) else {
            let what = "no compiler that makes static programs: no trivial program, so no ratio to it, no memory and no page faults";
            return self.lineup.missing.push(what.to_owned());
        };
        let about = "trivial static program";
        self.other(Other { id: "trivial", about, program: trivial, arguments: Vec::new() }, project);
    }

    fn situations(&mut self, project: &Path) -> Result<(), Failed> {
        let shell = self.input(project);
        self.hook("hook.shell", "a shell command", "state", shell.clone());
        let removes = Input { command: REMOVES, ..shell.clone() };
        self.hook("hook.removes", "a shell command with `rm`", "state", removes);
        self.hook("hook.edit", "an edit", "state", Input { template: EDIT, ..shell.clone() });
        self.hook("hook.script", "a script of 3 KB as command", "state", Input { command: SCRIPT, ..shell });
        for (id, count) in [("rules.10", 10), ("rules.500", 500)] {
            let project = self.scratch.project(id, &rules::config(count))?;
            let input = self.input(&project);
            self.hook(id, &format!("a shell command, {count} user rules"), "state", input);
        }
        Ok(())
    }

    /// An edit and the end of a turn where every policy is on.
    fn packs(&mut self) -> Result<(), Failed> {
        let project = self.scratch.project("packs", &packs::config())?;
        let input = self.input(&project);
        self.hook("edit.packs", "an edit, all packs on", "state", Input { template: EDIT, ..input.clone() });
        self.hook(
            "stop.packs",
            "the end of a turn, all packs on",
            "state",
            Input { template: STOP, ..input },
        );
        Ok(())
    }

    fn sizes(&mut self, project: &Path, (sizes, progress): (&Sizes, &Progress)) -> Result<(), Failed> {
        let Sizes { events, megabytes, .. } = sizes;
        let input = self.input(project);
        progress.set_text("writing a long transcript");
        let transcript = self.scratch.file("long.jsonl");
        fill::transcript(&transcript, megabytes * 1_000_000)?;
        self.hook(
            "transcript.long",
            &format!("a transcript of {megabytes} MB"),
            "state",
            Input { transcript: transcript.clone(), ..input.clone() },
        );
        self.stops(&transcript)?;
        self.with_knowledge(
            "unknowing",
            (Knowledge::NONE, progress),
            ["edit.none", "spawn.none", "failed.none"],
        )?;
        self.with_knowledge(
            "knowing",
            (sizes.knowledge, progress),
            ["edit.much", "spawn.much", "failed.much"],
        )?;
        fill::store(&self.store("state-full"), *events, progress)?;
        self.hook("store.full", &format!("a store of {events} events"), "state-full", input.clone());
        // A journal of that size is made only once, so its events cannot take turns; neither do
        // those of the journal it is compared with.
        let single = Input { sessions: 1, ..input };
        self.hook("journal.short", "all events in one session", "state", single.clone());
        progress.set_text("writing a long journal");
        let next = Input { number: self.lineup.contestants.len(), ..single.clone() };
        fill::journal(&self.store("state-long"), &next.session(0), *megabytes as u64 * 1_000_000)?;
        self.hook(
            "journal.long",
            &format!("all in one with a journal of {megabytes} MB"),
            "state-long",
            single,
        );
        Ok(())
    }

    /// The end of a turn: without a loop, and blocked by one with ten domains.
    fn stops(&mut self, transcript: &Path) -> Result<(), Failed> {
        let project = self.scratch.project("loop", &open_loop::config())?;
        open_loop::files(self.scratch, "loop")?;
        let input = Input { template: STOP, transcript: transcript.to_path_buf(), ..self.input(&project) };
        let plain = Input { project: self.scratch.file("project"), ..input.clone() };
        self.hook("stop.plain", "the end of a turn", "state", plain);
        // An agent that is blocked twice without progress is released, so each is blocked once.
        let number = self.lineup.contestants.len();
        let blocked = Input { number, sessions: MOST_STOPS, answer: Answer::Block, ..input };
        open_loop::begin(&self.store("state-loop"), self.client.client, &project, &blocked)?;
        self.hook("stop.loop", "the end of a turn with ten domains open", "state-loop", blocked);
        Ok(())
    }

    /// An edit, a subagent of a task and a failure in a project that knows this much.
    fn with_knowledge(
        &mut self,
        name: &str,
        (knowledge, progress): (Knowledge, &Progress),
        [edit, spawn, failed]: [&'static str; 3],
    ) -> Result<(), Failed> {
        knowledge::project(self.scratch, name, (knowledge, progress))?;
        let state = format!("state-{name}");
        let (folder, project) = (self.scratch.file(&format!("{state}/flyball")), self.scratch.file(name));
        knowledge::index(self.program, (&folder, &project))?;
        let Knowledge { nodes, reports, lessons } = knowledge;
        let input = Input { answer: Answer::Knowledge, ..self.input(&project) };
        let about = format!("an edit with {nodes} nodes and {reports} reports");
        self.hook(edit, &about, &state, Input { template: EDIT, ..input.clone() });
        // Only one session works on a task.
        let number = self.lineup.contestants.len();
        let single = Input { number, sessions: 1, template: SPAWN, answer: Answer::Rewrite, ..input.clone() };
        knowledge::bind(&folder, &project, (self.client.client, &single.session(0)))?;
        self.hook(spawn, &format!("a worker of a task with {lessons} lessons"), &state, single);
        let about = format!("a failed command with {reports} reports");
        self.hook(failed, &about, &state, Input { template: FAILED, ..input });
        Ok(())
    }

    fn others(&mut self, project: &Path) -> Result<(), Failed> {
        match (find("bash"), find("jq")) {
            (Some(bash), Some(_)) => {
                let script = self.scratch.write("guard.sh", BASH_GUARD)?;
                let (id, about) = ("bash-jq", "a guard in bash and jq");
                self.other(Other { id, about, program: bash, arguments: vec![script.into()] }, project);
            }
            _ => self.lineup.missing.push("no bash or no jq: not compared with a guard in bash".to_owned()),
        }
        let Some(node) = find("node") else {
            self.lineup.missing.push("no node: not compared with a guard in Node".to_owned());
            return Ok(());
        };
        let script = self.scratch.write("guard.mjs", NODE_GUARD)?;
        let (id, about) = ("node", "a guard in Node");
        self.other(Other { id, about, program: node, arguments: vec![script.into()] }, project);
        Ok(())
    }

    /// A command of an agent in the plain shell, and in the seatbelt.
    fn seatbelt(&mut self, project: &Path) -> Result<(), Failed> {
        let bash = find("bash").unwrap_or_else(|| PathBuf::from("/bin/sh"));
        let arguments = vec!["-c".into(), AGENT_LINE.into()];
        let about = "a command in the plain shell";
        self.other(Other { id: "shell.plain", about, program: bash, arguments }, project);
        if !flyball::seatbelt_holds(self.program) {
            self.lineup
                .missing
                .push("the kernel allows no namespaces: the seatbelt is not measured".to_owned());
            return Ok(());
        }
        let link = self.scratch.file("flyball-run");
        std::os::unix::fs::symlink(self.program, &link).map_err(|cause| {
            Failed::new(format!("cannot link {}: {cause}", link.display()), "free some space")
        })?;
        let (about, arguments) = ("flyball: a command in the seatbelt", vec![AGENT_LINE.into()]);
        self.other(Other { id: "shell.seatbelt", about, program: link, arguments }, project);
        Ok(())
    }

    /// A build in a repository in which nothing has changed since the last snapshot, and git's own look at that.
    fn undo(&mut self) -> Result<(), Failed> {
        let Some(git) = find("git") else {
            self.lineup.missing.push("no git: copies for `flyball undo` are not measured".to_owned());
            return Ok(());
        };
        let project = self.scratch.project("undo", "")?;
        for number in 0..TREE_FILES {
            let name = format!("undo/src/package{}/module{number}.py", number / 50);
            self.scratch.write(&name, &format!("value = {number}\n").repeat(40))?;
        }
        let who = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"];
        for words in ["init --quiet", "add .", "commit --quiet --message=all"] {
            let mut command = Command::new(&git);
            let done = command.arg("-C").arg(&project).args(who).args(words.split(' ')).status();
            if !done.is_ok_and(|status| status.success()) {
                let what = format!("`git {words}` failed in {}", project.display());
                return Err(Failed::new(what, "run it by hand to see why"));
            }
        }
        let build = Input { command: BUILD, ..self.input(&project) };
        self.hook("undo.same", "a build, 2,000 files as in the last snapshot", "state", build);
        let arguments = vec!["-C".into(), project.clone().into(), "status".into(), "--porcelain".into()];
        let about = "`git status` of the same 2,000 files";
        self.other(Other { id: "git.status", about, program: git, arguments }, &project);
        Ok(())
    }

    fn input(&self, project: &Path) -> Input {
        Input {
            template: SHELL,
            command: COMMAND,
            project: project.to_path_buf(),
            transcript: self.scratch.file("home/none.jsonl"),
            number: 0,
            sessions: SESSIONS,
            answer: Answer::Silence,
        }
    }

    fn hook(&mut self, id: &'static str, about: &str, state: &str, input: Input) {
        let input = Input { number: self.lineup.contestants.len(), ..input };
        let event = match input.template {
            STOP => "Stop",
            FAILED => "PostToolUseFailure",
            _ => "PreToolUse",
        };
        let arguments = ["hook", "--client", self.client.client, "--event", event];
        let mut variables = self.variables(&input.project);
        variables.push(("FLYBALL_STATE_DIR", self.scratch.file(&format!("{state}/flyball")).into()));
        let mut contestant = Contestant {
            id,
            about: format!("flyball: {about}"),
            program: self.program.to_path_buf(),
            arguments: arguments.map(OsString::from).to_vec(),
            variables,
            input,
            record: None,
        };
        let record = Record { store: self.store(state), client: self.client.client, before: 0 };
        let before = contestant.recorded(&record);
        contestant.record = Some(Record { before, ..record });
        self.lineup.contestants.push(contestant);
    }

    fn other(&mut self, other: Other, project: &Path) {
        let Other { id, about, program, arguments } = other;
        let input = self.input(project);
        let variables = self.variables(project);
        self.lineup.contestants.push(Contestant {
            id,
            about: about.to_owned(),
            program,
            arguments,
            variables,
            input,
            record: None,
        });
    }

    /// The environment of a hook: the client's variables, and the usual ones.
    fn variables(&self, project: &Path) -> Vec<(&'static str, OsString)> {
        let path = environment::variable("PATH").unwrap_or_default();
        let mut all = vec![
            ("PATH", path.into()),
            ("HOME", self.scratch.file("home").into()),
            ("LANG", "C.UTF-8".into()),
        ];
        all.push(("FLYBALL_CONFIG_DIR", self.scratch.file("home/.config/flyball").into()));
        all.extend(self.client.variables.iter().map(|(name, value)| (*name, OsString::from(value))));
        all.push((self.client.project_variable, project.into()));
        all
    }

    fn store(&self, state: &str) -> Store {
        Store::at(&self.scratch.file(&format!("{state}/flyball")))
    }
}
