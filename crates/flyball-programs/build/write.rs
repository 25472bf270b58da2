//! Writes the tables as Rust.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;

use crate::Catalogue;
use crate::schema::{Cmdlet, Entry, Starter, Wrapper};

type Written = Result<String, Box<dyn Error>>;

/// The kinds that check by a config that they are given.
const CHECKERS: &[&str] = &["linter", "formatter", "test-runner", "hook-runner"];
/// The kinds that run what a project defines.
const RUNNERS: &[&str] = &["test-runner", "build-tool", "package-manager", "hook-runner"];
/// The kinds whose failures are about the project's code.
const JUDGES: &[&str] = &["linter", "formatter", "test-runner", "compiler", "build-tool", "hook-runner"];

pub(crate) fn tables(catalogue: &Catalogue) -> Written {
    let mut text = String::new();
    text += &programs(catalogue)?;
    text += &configs(catalogue)?;
    text += &manifests(catalogue)?;
    text += &safe_commands(catalogue)?;
    text += &signs(catalogue)?;
    text += &linters(catalogue)?;
    text += &configured(catalogue)?;
    text += &risks(catalogue)?;
    text += &cmdlets(catalogue)?;
    Ok(text)
}

fn programs(catalogue: &Catalogue) -> Written {
    // Sorted, because `program` looks names up by binary search.
    let mut sorted: Vec<&(String, Entry)> = catalogue.programs.iter().collect();
    sorted.sort_by(|one, other| one.0.cmp(&other.0));
    for pair in sorted.windows(2) {
        if let [(one, _), (other, _)] = pair
            && one == other
        {
            return Err(format!("`{one}` has two entries").into());
        }
    }
    let mut text = String::from(
        "static PLAIN: Grammar = Grammar::PLAIN;\nstatic NONE: Facts = Facts::NONE;\n\
         static JUDGES: Facts = Facts { failures: Failures::Judges, ..Facts::NONE };\n\
         /// Every program, sorted by name.\npub static PROGRAMS: &[Program] = &[\n",
    );
    for (name, entry) in sorted {
        let does = optional("Behaviour", entry.does.as_deref());
        let kind = variant("Kind", &entry.kind);
        let (leaf, grammar, facts) = (entry.leaf, grammar(entry), facts(name, entry));
        writeln!(
            text,
            "Program {{ name: {name:?}, kind: {kind}, does: {does}, is_leaf: {leaf}, grammar: {grammar}, facts: {facts} }},"
        )?;
    }
    Ok(text + "];\n")
}

fn grammar(entry: &Entry) -> String {
    let style = entry.habit.as_deref().unwrap_or("anywhere");
    if style == "anywhere" && entry.values.is_empty() && entry.optional.is_empty() {
        return "&PLAIN".to_owned();
    }
    format!("&{}", grammar_text(&entry.values, &entry.optional, style))
}

fn grammar_text(values: &str, optional: &str, style: &str) -> String {
    // With `one-dash`, `-o` is a name like any other: letters are never put together.
    let is_letter = |word: &&str| word.len() == 1 && style != "one-dash";
    let (letters, names): (Vec<&str>, Vec<&str>) = values.split(' ').partition(is_letter);
    let (letters, names, style) = (letters.concat(), names.join(" "), variant("OptionStyle", style));
    format!(
        "Grammar {{ letters: {letters:?}, optional: {optional:?}, names: {names:?}, option_style: {style} }}"
    )
}

fn facts(name: &str, entry: &Entry) -> String {
    let judges = JUDGES.contains(&entry.kind.as_str()).then_some("judges");
    // What the entry says wins over what follows from its kind.
    let failures = entry.failures.as_deref().or(judges);
    let mut fields = String::new();
    let mut add = |name: &str, value: String| fields += &format!("{name}: {value}, ");
    if let Some(failures) = failures {
        add("failures", variant("Failures", failures));
    }
    let flags = [
        ("has_goals", entry.goals),
        ("is_started_by_name", entry.started_by_name),
        ("detaches", entry.detaches),
        ("starts_later", entry.starts_later),
        ("serves", entry.serves),
    ];
    for (name, _) in flags.into_iter().filter(|(_, is_set)| *is_set) {
        add(name, "true".to_owned());
    }
    let texts = [
        ("fix_letters", &entry.fix_letters),
        ("look_letters", &entry.look_letters),
        ("writing_verbs", &entry.writing_verbs),
        ("starts_behind", &entry.starts_behind),
        ("start_values", &entry.start_values),
        ("never", &entry.never),
        ("changes", &entry.changes),
    ];
    for (name, value) in texts.into_iter().filter(|(_, value)| !value.is_empty()) {
        add(name, format!("{value:?}"));
    }
    if let Some(wrapper) = &entry.wrapper {
        add("wrapper", wrapper_text(name, wrapper));
    }
    if let Some(Starter { verb, values, operands }) = &entry.starter {
        let grammar = grammar_text(values, "", "wrapper");
        add(
            "starter",
            format!(
                "Some(Starter {{ name: {name:?}, verb: {verb:?}, grammar: {grammar}, operands: {operands} }})"
            ),
        );
    }
    let lists = [
        ("runs", &entry.runs),
        ("tasks", &entry.tasks),
        ("serves_with", &entry.serves_with),
        ("looks_with", &entry.looks_with),
        ("tests_with", &entry.tests_with),
        ("tests_not", &entry.tests_not),
        ("starts_inside", &entry.starts_inside),
    ];
    for (name, value) in lists.into_iter().filter(|(_, value)| !value.is_empty()) {
        add(name, format!("&{value:?}"));
    }
    let settings = settings(entry);
    if !settings.is_empty() {
        let row = |(file, sections)| format!("Setting {{ file: {file:?}, sections: &{sections:?} }}, ");
        add("settings", format!("&[{}]", settings.into_iter().map(row).collect::<String>()));
    }
    // The two most common values are shared statics instead of hundreds of equal copies.
    match (fields.as_str(), failures) {
        ("", _) => "&NONE".to_owned(),
        (_, Some("judges")) if fields == "failures: Failures::Judges, " => "&JUDGES".to_owned(),
        _ => format!("&Facts {{ {fields}..Facts::NONE }}"),
    }
}

/// What configures a program: its own files, its parts of shared ones, and what the entry names besides.
fn settings(entry: &Entry) -> BTreeMap<String, Vec<String>> {
    if !RUNNERS.contains(&entry.kind.as_str()) {
        return entry.settings.clone();
    }
    let own = entry.configs.iter().chain(&entry.watched_configs).flat_map(|pattern| expanded(pattern));
    let own = own.map(|file| (file, Vec::new()));
    let parts = entry.sections.iter().chain(&entry.watched_sections).chain(&entry.settings);
    let parts = parts
        .flat_map(|(pattern, names)| expanded(pattern).into_iter().map(move |file| (file, names.clone())));
    let mut all: BTreeMap<String, Vec<String>> = own.collect();
    for (file, names) in parts {
        all.entry(file).or_default().extend(names);
    }
    all
}

fn wrapper_text(name: &str, wrapper: &Wrapper) -> String {
    let Wrapper { values, optional, inert, operands, adds } = wrapper;
    let grammar = grammar_text(values, optional, "wrapper");
    let adds = variant("Adds", adds.as_deref().unwrap_or("nothing"));
    format!(
        "Some(Wrapper {{ name: {name:?}, grammar: {grammar}, inert: {inert:?}, operands: {operands}, adds: {adds} }})"
    )
}

fn configs(catalogue: &Catalogue) -> Written {
    let mut own = String::new();
    let mut watched = String::new();
    let mut letters = Vec::new();
    let mut taken = BTreeSet::new();
    for (name, entry) in &catalogue.programs {
        let named = entry.linter.as_ref().and_then(|linter| linter.get("configs")?.as_array());
        let named = named.into_iter().flatten().filter_map(|file| Some(file.as_str()?.to_owned()));
        let files = entry.configs.iter().flat_map(|pattern| expanded(pattern)).chain(named);
        // A file that several programs share is protected by section, not as a whole.
        for file in files.filter(|file| !catalogue.is_shared(file)) {
            // The program that is written first owns a file that several name.
            if taken.insert(file.clone()) {
                own += &config(name, entry, &file);
                // Where it may begin with any letter, as for a wildcard.
                letters.push(if file.starts_with("./") {
                    b'*'
                } else {
                    *file.as_bytes().first().unwrap_or(&b'*')
                });
            }
        }
        for file in &entry.watched_configs {
            watched += &config(name, entry, file);
        }
    }
    Ok(format!(
        "/// The files that are one program's own: protected, and watched for loosening.\n\
         pub static CONFIGS: &[Config] = &[\n{own}];\n\
         /// The first byte of the pattern of each of them: most names are none of them, which these show.\n\
         pub static CONFIG_LETTERS: &[u8] = &{letters:?};\n\
         /// More files that are watched for loosening, but free to change.\n\
         pub static WATCHED_CONFIGS: &[Config] = &[\n{watched}];\n"
    ))
}

fn config(name: &str, entry: &Entry, pattern: &str) -> String {
    let title = entry.title.as_deref().unwrap_or(name);
    let (kind, format) = (variant("Kind", &entry.kind), optional("Format", entry.format.as_deref()));
    format!(
        "Config {{ program: {name:?}, title: {title:?}, kind: {kind}, pattern: {pattern:?}, format: {format} }},\n"
    )
}

/// `a.{b,c}` as `a.b` and `a.c`.
fn expanded(pattern: &str) -> Vec<String> {
    let parts = pattern.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    match parts {
        Some((before, (choices, after))) => {
            choices.split(',').map(|choice| format!("{before}{choice}{after}")).collect()
        }
        None => vec![pattern.to_owned()],
    }
}

fn manifests(catalogue: &Catalogue) -> Written {
    let mut text = String::from(
        "/// The files that programs share, with the sections of each.\npub static MANIFESTS: &[Manifest] = &[\n",
    );
    for (file, manifest) in &catalogue.manifests {
        let (mut sections, mut protected, mut watched) = (String::new(), Vec::new(), Vec::new());
        for (program, entry) in &catalogue.programs {
            let own = entry.sections.get(file).into_iter().flatten();
            let more = entry.watched_sections.get(file).into_iter().flatten();
            protected.extend(own.clone());
            for name in own.chain(more) {
                let kind = variant("Kind", &entry.kind);
                sections += &format!("Section {{ program: {program:?}, kind: {kind}, name: {name:?} }}, ");
                watched.push(name);
            }
        }
        let format = variant("Format", &manifest.format);
        let commands = match manifest.commands.as_deref() {
            None => "Commands::None".to_owned(),
            Some("anywhere") => "Commands::Anywhere".to_owned(),
            Some(key) => format!("Commands::Below({key:?})"),
        };
        writeln!(
            text,
            "Manifest {{ file: {file:?}, format: {format}, commands: {commands}, sections: &[{sections}], \
             protected: &{protected:?}, watched: &{watched:?} }},"
        )?;
    }
    let mut named = catalogue.programs.iter().flat_map(|(program, entry)| {
        entry.sections.keys().chain(entry.watched_sections.keys()).map(move |file| (program, file))
    });
    // A section of a file that is not in `manifests.toml` would never be looked at.
    match named.find(|(_, file)| !catalogue.is_shared(file)) {
        Some((program, file)) => Err(format!("`{program}`: manifests.toml has no `{file}`").into()),
        None => Ok(text + "];\n"),
    }
}

/// Sorted by their first word; those of one word stay in the order in which they were written.
fn safe_commands(catalogue: &Catalogue) -> Written {
    let mut all = Vec::new();
    for (program, entry) in &catalogue.programs {
        for (purpose, patterns) in &entry.allow {
            all.extend(patterns.iter().map(|pattern| (pattern, program, variant("Purpose", purpose))));
        }
    }
    // The sort is stable: commands of one word are tried in the order of the entry.
    all.sort_by_key(|(pattern, ..)| pattern.split([' ', '$']).next().unwrap_or_default());
    let mut text = String::from(
        "/// The commands that are safe, sorted by their first word.\npub static SAFE_COMMANDS: &[SafeCommand] = &[\n",
    );
    for (pattern, program, purpose) in all {
        writeln!(text, "SafeCommand {{ program: {program:?}, purpose: {purpose}, pattern: {pattern:?} }},")?;
    }
    Ok(text + "];\n")
}

fn signs(catalogue: &Catalogue) -> Written {
    let mut text = String::new();
    let (mut locks, mut tests, mut packages) = (Vec::new(), Vec::new(), Vec::new());
    let (mut tasks, mut checks) = (Vec::new(), Vec::new());
    for (name, entry) in &catalogue.programs {
        locks.extend(entry.locks.iter().map(|file| (name, file)));
        tests.extend(entry.tests.iter().map(|(file, command)| (command, file)));
        packages.extend(entry.packages.iter().map(|package| (name, package)));
        tasks.extend(entry.tasks.iter().map(|file| (name, file)));
        checks.extend(&entry.checks);
    }
    let tables = [
        ("LOCKS", "The lock files that package managers write", locks),
        ("TESTS", "The files that show a project's tests, and the command that runs them", tests),
        ("TASKS", "The files that say what a program does", tasks),
        ("PACKAGES", "The packages of a `package.json` that bring a program", packages),
    ];
    for (table, what, rows) in tables {
        writeln!(text, "/// {what}.\npub static {table}: &[Sign] = &[")?;
        for (name, file) in rows {
            writeln!(text, "Sign {{ name: {name:?}, file: {file:?} }},")?;
        }
        text += "];\n";
    }
    writeln!(text, "/// How pipelines run checks.\npub static CHECKS: &[&str] = &{checks:?};")?;
    Ok(text)
}

/// The programs that check by files of their own, or one of whose jobs does.
fn configured(catalogue: &Catalogue) -> Written {
    let is_checker = |entry: &Entry| CHECKERS.contains(&entry.kind.as_str());
    let has_files = |entry: &Entry| {
        let is_own = |file: &toml::Value| !catalogue.is_shared(file.as_str().unwrap_or_default());
        let linter = entry.linter.as_ref().and_then(|linter| linter.get("configs")?.as_array());
        !entry.configs.is_empty()
            || !entry.watched_configs.is_empty()
            || !entry.sections.is_empty()
            || linter.is_some_and(|files| files.iter().any(is_own))
    };
    let checkers = catalogue.programs.iter().filter(|(_, entry)| is_checker(entry) && has_files(entry));
    let names: BTreeSet<&str> =
        checkers.map(|(name, entry)| entry.part_of.as_ref().unwrap_or(name).as_str()).collect();
    Ok(format!(
        "/// The programs that check by files of their own, sorted.\npub static CONFIGURED: &[&str] = &{:?};\n",
        names.into_iter().collect::<Vec<_>>()
    ))
}

fn linters(catalogue: &Catalogue) -> Written {
    let mut text = String::from(
        "/// The linters by name, each as TOML that a user could have written.\n\
         pub static LINTERS: &[(&str, &str)] = &[\n",
    );
    for (name, entry) in &catalogue.programs {
        if let Some(linter) = &entry.linter {
            let mut linter = linter.clone();
            if !linter.contains_key("chosen_by") {
                let signs = signs_of_choice(catalogue, name, entry);
                linter.insert("chosen_by".to_owned(), signs.into());
            }
            writeln!(text, "({name:?}, {:?}),", toml::to_string(&linter)?)?;
        }
    }
    Ok(text + "];\n")
}

/// What shows that a project chose a linter: its own files, its parts of shared ones, and its names in commands, hooks and
/// lists of packages.
fn signs_of_choice(catalogue: &Catalogue, name: &str, entry: &Entry) -> Vec<String> {
    let named = entry.linter.as_ref().and_then(|linter| linter.get("configs")?.as_array());
    let named = named.into_iter().flatten().filter_map(|file| file.as_str());
    let files = entry.configs.iter().map(String::as_str).chain(named);
    // What a tool ignores does not say that it is used.
    let files = files.filter(|file| !catalogue.is_shared(file) && !file.contains("ignore"));
    let sections = entry.sections.iter();
    let sections =
        sections.flat_map(|(file, names)| names.iter().map(move |name| format!("{file} [{name}]")));
    let names = std::iter::once(name).chain(entry.packages.iter().map(String::as_str));
    let mut names: Vec<String> = names.map(|name| format!("$ {name}")).collect();
    names.dedup();
    files.map(str::to_owned).chain(sections).chain(names).collect()
}

/// Sorted by name, one row for each program, also for those that share their calls.
fn risks(catalogue: &Catalogue) -> Written {
    let mut rows = BTreeMap::new();
    for (name, risks) in &catalogue.risks {
        let style = risks.habit.as_deref().unwrap_or("anywhere");
        let has_own = risks.values.is_some() || risks.habit.is_some();
        let values = risks.values.as_deref().unwrap_or_default();
        let grammar =
            if has_own { format!("Some(&{})", grammar_text(values, "", style)) } else { "None".to_owned() };
        let patterns = risks.rules.iter().flat_map(|(rule, patterns)| {
            patterns.iter().map(move |pattern| format!("Risk {{ rule: {rule:?}, pattern: {pattern:?} }}, "))
        });
        let patterns: String = patterns.collect();
        for name in std::iter::once(name).chain(&risks.also) {
            let row =
                format!("RiskyProgram {{ name: {name:?}, grammar: {grammar}, risks: &[{patterns}] }},\n");
            if rows.insert(name, row).is_some() {
                return Err(format!("risks.toml has `{name}` twice").into());
            }
        }
    }
    let rows: String = rows.into_values().collect();
    Ok(format!(
        "/// The programs with calls that rules are about, sorted by name.\npub static RISKS: &[RiskyProgram] = &[\n{rows}];\n"
    ))
}

/// `fix-by-verb` as `Behaviour::FixByVerb`. A name that the type does not have fails to compile.
fn variant(of: &str, name: &str) -> String {
    let parts = name.split('-').map(|part| {
        let (first, rest) = part.split_at(usize::from(!part.is_empty()));
        format!("{}{rest}", first.to_uppercase())
    });
    format!("{of}::{}", parts.collect::<String>())
}

fn optional(of: &str, name: Option<&str>) -> String {
    name.map_or_else(|| "None".to_owned(), |name| format!("Some({})", variant(of, name)))
}

fn cmdlets(catalogue: &Catalogue) -> Written {
    let mut text =
        "/// The commands of PowerShell and `cmd`.\npub static CMDLETS: &[Cmdlet] = &[\n".to_owned();
    for (name, cmdlet) in &catalogue.cmdlets {
        let Cmdlet { also, runs, operands, options, switches, drops } = cmdlet;
        writeln!(
            text,
            "Cmdlet {{ name: {name:?}, also: {also:?}, runs: {runs:?}, operands: {operands:?}, options: {options:?}, switches: {switches:?}, drops: {drops:?} }},"
        )?;
    }
    Ok(text + "];\n")
}
