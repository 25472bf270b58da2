//! The questions of `flyball init`, section by section. Nothing is written here: the result is the
//! changes to `flyball.toml`, where an answer differs from the present value.

mod draft;

use flyball_policies::r#loop::feedback;
use toml_edit::Value;

use self::draft::SettingsDraft;
use super::dialogue::{Choice, Dialogue};
use super::findings::Findings;
use super::packs::{self, Pack};
use crate::commands::companions::server::OnMissing;
use crate::config_edit::addition::Additions;
use crate::linters::Survey;
use crate::terminal::Terminal;

const FORMATS: &[Choice] = &[
    ("configured", "files whose formatter the project has a config for"),
    ("always", "every edited file"),
    ("never", "none"),
];

const SCOPES: &[Choice] = &[
    ("file", "all in the edited file"),
    ("changed-lines", "those on lines that the session changed"),
    ("new", "new ones only: best for old code"),
];

const NURSERIES: &[Choice] = &[("off", "left out"), ("warn", "advice"), ("error", "errors")];

const RUNTIMES: &[Choice] = &[
    ("auto", "the program itself, wherever it is"),
    ("node", "the same"),
    ("npm", "by `npx --no-install`"),
    ("pnpm", "by `pnpm exec`"),
    ("bun", "by `bunx --no-install`"),
];

const PROVIDERS: &[Choice] = &[
    ("claude", "the Claude Code client, `claude -p`"),
    ("anthropic", "a server that speaks Anthropic's Messages API"),
    ("openai", "a server that speaks OpenAI's Chat Completions API"),
];

const PYTHON: &[Choice] = &[
    ("auto", "the one whose lock file is there"),
    ("uv", "others are blocked"),
    ("uv:warn", "others are allowed, with a warning to the agent"),
    ("off", "any"),
];

const JAVASCRIPT: &[Choice] = &[
    ("auto", "the one whose lock file is there"),
    ("npm", "others are blocked"),
    ("pnpm", "others are blocked"),
    ("yarn", "others are blocked"),
    ("bun", "others are blocked"),
    ("bun:warn", "others are allowed, with a warning to the agent"),
    ("off", "any"),
];

/// Packs that are asked for together.
const OPTIONAL_PACKS: &[(Pack, &str)] = &[
    (Pack::Memory, "memory (rules of a folder before edits, reports of what goes wrong)"),
    (Pack::Task, "task (plans that survive compactions and stops)"),
];

/// What the questions are about.
pub(super) struct WizardInput<'a> {
    /// The config as it is, if there is one.
    pub(super) existing: Option<&'a str>,
    /// The linters of the project, if it is about one.
    pub(super) survey: Option<&'a Survey>,
    pub(super) findings: &'a Findings,
    /// The packs from the command line.
    pub(super) packs: &'a [Pack],
    pub(super) server: OnMissing,
}

#[derive(Default)]
pub(super) struct Answers {
    pub(super) settings: Additions,
    /// The packs that were chosen.
    pub(super) packs: Vec<Pack>,
    pub(super) wants_server: bool,
}

/// Asks for the settings.
pub(super) fn ask(subject: &WizardInput<'_>, terminal: &Terminal) -> Answers {
    let dialogue = Dialogue::new(terminal);
    dialogue.remark("Enter takes the default in [brackets].");
    let mut wizard = Wizard {
        dialogue,
        draft: SettingsDraft::parse(subject.existing.unwrap_or_default()),
        input: subject,
    };
    wizard.languages();
    wizard.formatting();
    wizard.scope();
    wizard.project();
    wizard.fixer();
    wizard.security();
    wizard.packages();
    let mut packs: Vec<Pack> = wizard.ask_loop().then_some(Pack::Loop).into_iter().collect();
    packs.extend(wizard.ask_packs());
    let has_memory = packs.contains(&Pack::Memory) || subject.packs.contains(&Pack::Memory);
    let wants_server = has_memory && wizard.ask_server();
    terminal.line("");
    Answers { settings: wizard.draft.changes, packs, wants_server }
}

struct Wizard<'a> {
    dialogue: Dialogue<'a>,
    draft: SettingsDraft,
    input: &'a WizardInput<'a>,
}

impl Wizard<'_> {
    /// Switches by number, so that the options of a language are not asked each time.
    fn languages(&mut self) {
        let mut names = self.input.survey.map(|survey| survey.languages.clone()).unwrap_or_default();
        names.extend(self.draft.named_languages());
        names.sort();
        names.dedup();
        if names.is_empty() {
            return;
        }
        self.dialogue.heading("Languages that are checked after edits");
        let switches: Vec<(String, bool)> =
            names.into_iter().map(|name| (name.clone(), self.draft.has_language(&name))).collect();
        let chosen = self.dialogue.switches("Numbers to switch (Enter continues):", switches.clone());
        for ((name, was), (_, is)) in switches.iter().zip(&chosen) {
            // Only switches that were touched: a language that is on by default need not be in the file.
            if was != is {
                self.draft.set("quality.languages", name, *is);
            }
        }
        let is_on = |(name, is_on): &(String, bool)| name == "typescript" && *is_on;
        let mut linters = self.input.survey.iter().flat_map(|survey| &survey.linters);
        let uses_biome = linters.any(|linter| linter.name.starts_with("biome"))
            || packs::find_section(self.input.existing.unwrap_or_default(), "quality.biome").is_some();
        if uses_biome && chosen.iter().any(is_on) && self.dialogue.confirm("Change how Biome is used?", false)
        {
            self.biome();
        }
    }

    fn biome(&mut self) {
        self.choice("quality.biome", "runtime", ("How is it started?", RUNTIMES));
        self.choice("quality.biome", "nursery", ("What do its nursery rules do?", NURSERIES));
        self.switch("quality.biome", "unsafe_fixes", "May it make fixes that can change what code does?");
    }

    fn formatting(&mut self) {
        self.dialogue.heading("Formatting");
        self.choice("quality", "format", ("Which edited files are formatted?", FORMATS));
    }

    fn scope(&mut self) {
        self.dialogue.heading("Scope");
        self.choice("quality", "scope", ("Which findings are reported to the agent?", SCOPES));
    }

    fn project(&mut self) {
        self.dialogue.heading("Checks of the whole project (duplicates, dead code, security, types)");
        let section = "quality.project";
        let now = self.draft.number(section, "after_files");
        let number = self.dialogue.number("After how many edited files (0 only at the end)?", (0, now));
        self.draft.set(section, "after_files", i64::from(number));
        self.switch(section, "blocking", "Do their findings block the agent from stopping?");
        let folders = self.draft.list(section, "folders");
        let question = "Folders searched for duplicates: one to add, -NUMBER to remove (Enter continues):";
        let folders = self.dialogue.list(question, folders);
        self.draft.set(section, "folders", Value::from_iter(folders));
    }

    fn fixer(&mut self) {
        self.dialogue.heading("A model that fixes what formatters cannot");
        let section = "quality.fixer";
        if !self.switch(section, "enabled", "Ask one? It costs money and time.") {
            return;
        }
        let provider = self.choice(section, "provider", ("Who is asked?", PROVIDERS));
        self.text(section, "model", "One model for everything, instead of one by difficulty?");
        // The client has its own login; only servers need an address and a key.
        if provider != "claude" {
            self.text(section, "key_variable", "The variable that holds its key?");
            self.text(section, "url", "Its address, if it is not the provider's own?");
        }
    }

    fn security(&mut self) {
        self.dialogue.heading("Files that security and dead-code linters skip");
        let globs = self.draft.list("quality", "security_exclude");
        let question = "A glob to add, -NUMBER to remove (Enter continues):";
        let globs = self.dialogue.list(question, globs);
        self.draft.set("quality", "security_exclude", Value::from_iter(globs));
    }

    fn packages(&mut self) {
        let uses = |names: &[&str]| {
            let findings = self.input.findings;
            findings.languages.iter().any(|language| names.contains(&language.name.as_str()))
        };
        let python = uses(&["Python"]);
        let javascript = uses(&["JavaScript", "TypeScript"]);
        if python || javascript {
            self.dialogue.heading("Package managers");
        }
        if python {
            self.choice("guard.packages", "python", ("For Python?", PYTHON));
        }
        if javascript {
            self.choice("guard.packages", "javascript", ("For JavaScript?", JAVASCRIPT));
        }
    }

    /// Whether to switch on the loop, and whether a command proves the tests.
    fn ask_loop(&mut self) -> bool {
        let existing = self.input.existing.unwrap_or_default();
        let is_on = packs::mode(existing, feedback::POLICY.id.as_str()).is_some_and(|mode| mode != "off");
        let is_chosen = self.input.packs.contains(&Pack::Loop);
        if is_chosen {
            return true;
        }
        self.dialogue.heading("Review and tests before an agent may stop");
        let question = "Require review and tests? Agents spawn a reviewer and a tester.";
        if !self.dialogue.confirm(question, is_on) {
            return false;
        }
        packs::switch_on(Pack::Loop, existing, &mut self.draft.changes);
        // Phases of the file's own are not replaced.
        if !packs::has_tests(existing) {
            let found = self.input.findings.test_command();
            let question =
                "Which command runs all tests? flyball runs it itself when an agent wants to stop.";
            if let Some(command) = self.dialogue.text(question, found.as_deref()) {
                self.draft.changes.replace(packs::LOOP, packs::TEST_COMMAND, command);
            }
        }
        true
    }

    /// The other packs. Those on the command line are not asked for.
    fn ask_packs(&mut self) -> Vec<Pack> {
        let existing = self.input.existing.unwrap_or_default();
        let is_set = |id: &str| packs::mode(existing, id).is_some_and(|mode| mode != "off");
        let is_asked = |(pack, _): &&(Pack, &str)| !self.input.packs.contains(pack);
        let asked: Vec<&(Pack, &str)> = OPTIONAL_PACKS.iter().filter(is_asked).collect();
        if asked.is_empty() {
            return Vec::new();
        }
        self.dialogue.heading("Further packs");
        let switch = |(pack, about): &&(Pack, &str)| ((*about).to_owned(), pack.policies().any(is_set));
        let switches = asked.iter().map(switch).collect();
        let chosen = self.dialogue.switches("Numbers to switch (Enter continues):", switches);
        let chosen = asked.iter().zip(chosen).filter(|(_, (_, is_on))| *is_on);
        let added: Vec<Pack> = chosen.map(|((pack, _), _)| *pack).collect();
        added.iter().for_each(|pack| packs::switch_on(*pack, existing, &mut self.draft.changes));
        added
    }

    fn ask_server(&self) -> bool {
        let question = "May agents ask for it themselves, by `flyball mcp` in the project's .mcp.json?";
        self.input.server == OnMissing::Leave && self.dialogue.confirm(question, false)
    }

    fn choice(&mut self, section: &str, key: &str, (question, choices): (&str, &[Choice])) -> String {
        let now = self.draft.text(section, key).unwrap_or_default();
        let chosen = self.dialogue.choose(question, choices, &now);
        self.draft.set(section, key, &chosen);
        chosen
    }

    fn switch(&mut self, section: &str, key: &str, question: &str) -> bool {
        let is_on = self.dialogue.confirm(question, self.draft.flag(section, key));
        self.draft.set(section, key, is_on);
        is_on
    }

    /// An optional text. It can be set here, but only removed in an editor.
    fn text(&mut self, section: &str, key: &str, question: &str) {
        let now = self.draft.text(section, key);
        if let Some(text) = self.dialogue.text(question, now.as_deref()) {
            self.draft.set(section, key, text);
        }
    }
}
