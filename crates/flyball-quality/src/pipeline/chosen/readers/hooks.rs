//! Hooks: pre-commit, lefthook, lint-staged.

use flyball_effects::Word;
use flyball_effects::yaml::{self, Node};

use super::tree::{texts, tree};
use super::{Collector, code};
use crate::pipeline::chosen::commands;
use crate::pipeline::chosen::uses::{Use, UseKind, UsedOn};

/// The files that pre-commit takes for a type. Other types are left to the linter itself.
const TYPES: &[(&str, &str)] = &[
    ("python", "*.{py,pyi}"),
    ("pyi", "*.pyi"),
    ("jupyter", "*.ipynb"),
    ("javascript", "*.{js,mjs,cjs}"),
    ("jsx", "*.jsx"),
    ("ts", "*.{ts,mts,cts}"),
    ("tsx", "*.tsx"),
    ("vue", "*.vue"),
    ("svelte", "*.svelte"),
    ("css", "*.css"),
    ("scss", "*.scss"),
    ("less", "*.less"),
    ("html", "*.{html,htm}"),
    ("json", "*.json"),
    ("yaml", "*.{yml,yaml}"),
    ("toml", "*.toml"),
    ("markdown", "*.{md,markdown}"),
    ("shell", "*.{sh,bash}"),
    ("sh", "*.sh"),
    ("bash", "*.{sh,bash}"),
    ("dockerfile", "*Dockerfile*"),
    ("go", "*.go"),
    ("rust", "*.rs"),
    ("sql", "*.sql"),
    ("proto", "*.proto"),
    ("terraform", "*.tf"),
];
/// Ends of hook ids that only say how the tool is installed.
const INSTALLED_BY: &[&str] = &["-docker", "-system"];

impl Collector<'_> {
    /// `.pre-commit-config.yaml`
    pub(super) fn pre_commit(&mut self, config: &Node) {
        let everywhere = UsedOn {
            patterns: texts(config.get("files")),
            excluded_patterns: texts(config.get("exclude")),
            ..UsedOn::default()
        };
        for repository in config.get("repos").items() {
            let name = repository.get("repo").text().unwrap_or_default();
            let name =
                name.trim_end_matches('/').trim_end_matches(".git").rsplit('/').next().unwrap_or_default();
            for hook in repository.get("hooks").items() {
                // One that runs only when it is asked for is not what the project does.
                if texts(hook.get("stages")) != ["manual"] {
                    self.pre_commit_hook(name, hook, &everywhere);
                }
            }
        }
    }

    fn pre_commit_hook(&mut self, repository: &str, hook: &Node, everywhere: &UsedOn) {
        let mut files = everywhere.clone();
        files.patterns.extend(texts(hook.get("files")));
        files.excluded_patterns.extend(texts(hook.get("exclude")));
        files.globs = globs_of(&[texts(hook.get("types")), texts(hook.get("types_or"))].concat());
        files.excluded_globs = globs_of(&texts(hook.get("exclude_types")));
        let arguments: Vec<Word> = texts(hook.get("args")).into_iter().map(Word::literal).collect();
        // A hook of the project itself may have any id.
        let run = match hook.get("entry").text() {
            Some(entry) => commands::tools(entry, &files, self.names),
            None => {
                let id = hook.get("id").text().unwrap_or_default();
                let id = INSTALLED_BY.iter().find_map(|end| id.strip_suffix(end)).unwrap_or(id);
                vec![Use {
                    kind: UseKind::Run,
                    name: format!("{repository}/{id}"),
                    arguments: Vec::new(),
                    files,
                }]
            }
        };
        for mut used in run {
            used.arguments.extend(arguments.clone());
            self.uses.push(used);
        }
    }

    /// `lefthook.yml`: whatever has a `run`.
    pub(super) fn lefthook(&mut self, config: &Node, above: &UsedOn) {
        let mut files = above.clone();
        files.globs.extend(texts(config.get("glob")));
        match config.get("exclude") {
            // Older versions have a pattern here.
            Node::Text(pattern) => files.excluded_patterns.push(pattern.clone()),
            list => files.excluded_globs.extend(texts(list)),
        }
        if let Some(folder) = config.get("root").text() {
            commands::enter(&mut files, folder);
        }
        self.shells(config.get("run"), &files);
        for (_, below) in config.entries() {
            self.lefthook(below, &files);
        }
        for below in config.items() {
            self.lefthook(below, &files);
        }
    }

    pub(super) fn lint_staged_file(&mut self, end: &str, text: &str) {
        match end {
            "json" | "yaml" | "yml" => self.lint_staged(&tree(end, text)),
            "lintstagedrc" if text.trim_start().starts_with('{') => self.lint_staged(&tree("json", text)),
            "lintstagedrc" => self.lint_staged(&yaml::read(text)),
            _ => self.lint_staged_code(text),
        }
    }

    /// Commands by the glob of the files that they get.
    pub(super) fn lint_staged(&mut self, config: &Node) {
        for (glob, commands) in config.entries() {
            match commands {
                Node::Map(_) => self.lint_staged(commands),
                Node::Text(_) | Node::List(_) => self.shells(commands, &UsedOn::matching(vec![glob.clone()])),
            }
        }
    }

    /// The same as a module: a text in front of a colon is a glob, every other one a command.
    fn lint_staged_code(&mut self, text: &str) {
        let mut files = UsedOn::default();
        for literal in code::literals(&code::without_comments(text, "//")) {
            if literal.is_key {
                files = UsedOn::matching(vec![literal.text]);
            } else {
                self.shell(&literal.text, &files);
            }
        }
    }
}

fn globs_of(types: &[String]) -> Vec<String> {
    let glob =
        |name: &String| TYPES.iter().find(|(known, _)| known == name).map(|(_, glob)| (*glob).to_owned());
    types.iter().filter_map(glob).collect()
}
