//! Justfiles: the recipes that are asked for.

use super::{Runner, Tasks, texts, value};
use crate::shell::quoting::quote;
use crate::shell::reader::Reader;

struct Recipe {
    name: String,
    parameters: Vec<String>,
    needs: Vec<String>,
    lines: Vec<String>,
}

#[derive(Default)]
struct Justfile {
    recipes: Vec<Recipe>,
    variables: Vec<(String, String)>,
    aliases: Vec<(String, String)>,
}

impl Reader<'_> {
    pub(super) fn just(&mut self, runner: &Runner<'_>) -> Option<Tasks> {
        const LOOKS: &[&str] = &[
            "--list",
            "-l",
            "--dry-run",
            "-n",
            "--show",
            "-s",
            "--summary",
            "--evaluate",
            "--dump",
            "--fmt",
            "--check",
            "--variables",
            "--choose",
            "--edit",
            "-e",
            "--init",
            "--groups",
        ];
        if runner.has(LOOKS) {
            return None;
        }
        let parsed = runner.parsed("fd", "justfile working-directory set shell");
        let folder = value(&parsed, "d working-directory");
        let named = value(&parsed, "f justfile");
        let names = match named.as_deref() {
            Some(name) => vec![name],
            None => vec!["justfile", "Justfile", ".justfile"],
        };
        let text = self.first_file(None, &names, runner.directory)?;
        let lines = Justfile::read(&text).lines(&texts(&parsed));
        Some(Tasks { lines, folder })
    }
}

impl Justfile {
    fn read(text: &str) -> Justfile {
        let mut file = Justfile::default();
        for line in text.replace("\\\n", " ").lines() {
            if line.starts_with([' ', '\t']) {
                if let Some(recipe) = file.recipes.last_mut() {
                    recipe.lines.push(line.trim().to_owned());
                }
                continue;
            }
            let line = line.split(" #").next().unwrap_or(line).trim();
            if let Some((name, other)) = line.strip_prefix("alias ").and_then(|rest| rest.split_once(":=")) {
                file.aliases.push((name.trim().to_owned(), other.trim().to_owned()));
            } else if let Some((name, value)) = line.split_once(":=") {
                let name = name.trim().trim_start_matches("export ").to_owned();
                file.variables.push((name, value.trim().trim_matches(['"', '\'']).to_owned()));
            } else if let Some((head, needs)) = line.split_once(':')
                && !line.starts_with(['#', '['])
            {
                file.recipes.extend(recipe(head, needs));
            }
        }
        file
    }

    /// The lines of the recipes that these words name; words behind a recipe are its arguments.
    fn lines(&self, words: &[&str]) -> Vec<String> {
        let mut lines = Vec::new();
        let mut rest = words;
        if rest.is_empty() {
            if let Some(first) = self.recipes.first() {
                self.add(first, &[], &mut lines, 0);
            }
            return lines;
        }
        while let Some((name, behind)) = rest.split_first() {
            let Some(recipe) = self.find(name) else {
                rest = behind;
                continue;
            };
            let count = recipe.parameters.len().min(behind.len());
            self.add(recipe, behind.get(..count).unwrap_or_default(), &mut lines, 0);
            rest = behind.get(count..).unwrap_or_default();
        }
        lines
    }

    fn find(&self, name: &str) -> Option<&Recipe> {
        let name = self.aliases.iter().find(|(alias, _)| alias == name).map_or(name, |(_, other)| other);
        self.recipes.iter().find(|recipe| recipe.name == name)
    }

    fn add(&self, recipe: &Recipe, arguments: &[&str], lines: &mut Vec<String>, depth: usize) {
        const MOST_NEEDS: usize = 8;
        if depth > MOST_NEEDS {
            return;
        }
        for need in recipe.needs.iter().filter_map(|name| self.find(name)) {
            self.add(need, &[], lines, depth + 1);
        }
        let fill = |line: &String| self.filled(line, recipe, arguments);
        if recipe.lines.first().is_some_and(|line| line.starts_with("#!")) {
            let script: Vec<String> = recipe.lines.iter().map(fill).collect();
            return lines.push(script.join("\n"));
        }
        lines.extend(recipe.lines.iter().map(|line| fill(line).trim_start_matches(['@', '-']).to_owned()));
    }

    /// The line with what stands for `{{name}}`.
    fn filled(&self, line: &str, recipe: &Recipe, arguments: &[&str]) -> String {
        let mut out = String::new();
        let mut rest = line;
        while let Some((before, behind)) = rest.split_once("{{") {
            let Some((name, after)) = behind.split_once("}}") else { break };
            let name = name.trim();
            let given =
                recipe.parameters.iter().position(|known| known == name).and_then(|at| arguments.get(at));
            let known =
                || self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
            out.push_str(before);
            out.push_str(
                &given.map(|text| quote(text)).or_else(known).unwrap_or_else(|| "\"$_\"".to_owned()),
            );
            rest = after;
        }
        out + rest
    }
}

/// `name parameter other='default': need (need 'x')`
fn recipe(head: &str, needs: &str) -> Option<Recipe> {
    let mut words = head.trim_start_matches('@').split_ascii_whitespace();
    let name = words.next()?.to_owned();
    let parameter =
        |word: &str| word.trim_start_matches(['+', '*', '$']).split('=').next().unwrap_or(word).to_owned();
    let need = |word: &str| word.trim_matches(['(', ')', '&']).to_owned();
    Some(Recipe {
        name,
        parameters: words.map(parameter).collect(),
        needs: needs.split_ascii_whitespace().map(need).filter(|word| !word.is_empty()).collect(),
        lines: Vec::new(),
    })
}
