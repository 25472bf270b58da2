//! Rakefiles: the blocks of the tasks that are asked for, as ruby code.

use super::{Runner, Tasks, texts, value};
use crate::shell::quoting::quote;
use crate::shell::reader::Reader;

impl Reader<'_> {
    pub(super) fn rake(&mut self, runner: &Runner<'_>) -> Option<Tasks> {
        if runner.has(&["-T", "--tasks", "-n", "--dry-run", "-P", "--prereqs", "-W", "-D"]) {
            return None;
        }
        let parsed = runner.parsed("fCIrG", "rakefile");
        let named = value(&parsed, "f rakefile");
        let names = match named.as_deref() {
            Some(name) => vec![name],
            None => vec!["Rakefile", "rakefile", "Rakefile.rb"],
        };
        let text = self.first_file(None, &names, runner.directory)?;
        let words = texts(&parsed);
        let words = if words.is_empty() { vec!["default"] } else { words };
        let mut waiting: Vec<String> =
            words.iter().map(|word| word.split('[').next().unwrap_or(word).to_owned()).collect();
        let (mut seen, mut lines) = (Vec::new(), Vec::new());
        while let Some(name) = waiting.pop() {
            let short = name.rsplit(':').next().unwrap_or(&name).to_owned();
            if seen.contains(&short) {
                continue;
            }
            if let Some(Block { needs, code }) = block(&text, &short) {
                waiting.extend(needs);
                lines.push(format!("ruby -rfileutils -e {}", quote(&code)));
            }
            seen.push(short);
        }
        Some(Tasks::here(lines))
    }
}

struct Block {
    needs: Vec<String>,
    code: String,
}

/// The block of a task: `task :name => [:other] do … end`.
fn block(text: &str, name: &str) -> Option<Block> {
    let mut lines = text.lines();
    let head = lines.by_ref().find(|line| {
        let words = line.trim_start();
        // `task :name`, `task "name"`, `task name: :other`
        let mut words = words.split(|letter: char| !is_part(letter)).filter(|word| !word.is_empty());
        words.next() == Some("task") && words.next() == Some(name)
    })?;
    let needs = head.split_once("=>").map(|(_, needs)| needs).unwrap_or_default();
    let needs = needs.split(|letter: char| !is_part(letter)).filter(|word| !word.is_empty() && *word != "do");
    let needs = needs.map(str::to_owned).collect();
    let indent = head.len() - head.trim_start().len();
    let is_end = |line: &&str| line.trim() == "end" && line.len() - line.trim_start().len() <= indent;
    let body: Vec<String> = lines.take_while(|line| !is_end(line)).map(ruby).collect();
    Some(Block { needs, code: body.join("\n") })
}

/// rake's `sh` is ruby's `system`.
fn ruby(line: &str) -> String {
    let code = line.trim_start();
    match code.strip_prefix("sh ").or_else(|| code.strip_prefix("sh(")) {
        Some(rest) => format!("system({})", rest.trim_end_matches(')')),
        None => match code.split_once(' ') {
            Some((verb @ ("rm_rf" | "rm_r" | "rm" | "rm_f" | "mv" | "cp"), rest)) => {
                format!("FileUtils.{verb}({rest})")
            }
            _ => code.to_owned(),
        },
    }
}

fn is_part(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}
