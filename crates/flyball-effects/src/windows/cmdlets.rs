//! Commands of Windows, as commands of sh, by the table of programs.

use flyball_programs::{Cmdlet, cmdlet};

use super::argument::{Argument, quote};
use super::calls::combined;
use super::names::place;

/// A command with its words.
pub(super) struct Call {
    pub(super) words: Vec<Argument>,
    /// Its redirections in sh.
    pub(super) redirects: String,
    pub(super) is_piped: bool,
    /// Whether it is a value that is only shown.
    pub(super) is_expression: bool,
}

/// Parameters that every command has, with a value.
const VALUED: &[&str] = &[
    "erroraction",
    "ea",
    "warningaction",
    "wa",
    "informationaction",
    "errorvariable",
    "ev",
    "outvariable",
    "ov",
    "warningvariable",
    "outbuffer",
    "pipelinevariable",
    "filter",
    "include",
    "exclude",
    "encoding",
    "credential",
    "stream",
    "inputobject",
];

/// A command of PowerShell in sh.
pub(super) fn call(call: Call, has_blocks: bool) -> String {
    let Call { words, redirects, is_piped, is_expression } = call;
    let name = words.first().filter(|_| !is_expression).and_then(|word| word.text.clone());
    let known = name.as_deref().and_then(|name| {
        let own = name.rsplit('\\').next().unwrap_or(name);
        cmdlet(own).filter(|known| !known.name.starts_with("cmd/"))
    });
    let arguments = words.get(1..).unwrap_or_default();
    let line = match known {
        Some(known) => of_table(known, Parameters::read(known, arguments), is_piped),
        None if is_expression => {
            let values: Vec<&str> = words.iter().map(|word| word.sh.as_str()).collect();
            format!("echo {}", values.join(" "))
        }
        None => native(&words, has_blocks),
    };
    if redirects.is_empty() { line } else { format!("{line}{redirects}") }
}

/// A program that PowerShell starts by its name.
fn native(words: &[Argument], has_blocks: bool) -> String {
    let mut parts: Vec<String> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        parts.push(match &word.text {
            Some(text) if at == 0 => quote(&place(text)),
            // Slashes where it is the path of a file; patterns are the program's own affair.
            Some(text) if word.is_bare && is_path(text) => word.as_place(),
            _ => word.sh.clone(),
        });
    }
    // A block without a command is what runs.
    if parts.is_empty() && has_blocks { String::new() } else { parts.join(" ") }
}

/// Whether a word is a path rather than a pattern or an option.
fn is_path(text: &str) -> bool {
    text.contains('\\') && !text.starts_with('-') && !text.contains(['$', '^', '['])
}

/// What a command was given.
#[derive(Default)]
pub(super) struct Parameters {
    /// The operands in their order; a list has several words.
    operands: Vec<Vec<Argument>>,
    switches: Vec<&'static str>,
    options: Vec<(&'static str, Argument)>,
    /// Words that mean something else, as they are.
    others: Vec<Argument>,
    only_shows: bool,
}

impl Parameters {
    fn read(known: &'static Cmdlet, words: &[Argument]) -> Parameters {
        let slots: Vec<&'static str> = known.operands.split(' ').filter(|slot| !slot.is_empty()).collect();
        let mut found = Parameters { operands: vec![Vec::new(); slots.len()], ..Parameters::default() };
        let mut words = words.iter().peekable();
        let mut free: Vec<Argument> = Vec::new();
        while let Some(word) = words.next() {
            let Some(written) =
                word.text.as_deref().filter(|_| word.is_bare).and_then(|text| text.strip_prefix('-'))
            else {
                free.push(word.clone());
                continue;
            };
            let (name, attached) =
                written.split_once(':').map_or((written, None), |(name, value)| (name, Some(value)));
            let name = name.to_ascii_lowercase();
            let attached =
                attached.filter(|value| !value.is_empty()).map(|value| Argument::literal(value, true));
            let mut value = || attached.clone().or_else(|| words.next().cloned());
            match meaning(known, &slots, &name) {
                Meaning::Operand(at) => {
                    if let (Some(value), Some(slot)) = (value(), found.operands.get_mut(at)) {
                        slot.push(value);
                    }
                }
                Meaning::Option(option) => found.options.extend(value().map(|value| (option, value))),
                Meaning::Switch(option) => found.switches.push(option),
                Meaning::Dropped => _ = value(),
                Meaning::Nothing => {}
                Meaning::OnlyShows => {
                    found.only_shows = attached.is_none_or(|value| value.text.as_deref() != Some("false"))
                }
                Meaning::Unknown => found.others.push(word.clone()),
            }
        }
        found.place(free);
        found
    }

    /// Puts words without names where they belong: the last place takes all that are left.
    fn place(&mut self, free: Vec<Argument>) {
        let empty: Vec<usize> =
            (0..self.operands.len()).filter(|at| self.operands.get(*at).is_some_and(Vec::is_empty)).collect();
        let mut empty = empty.into_iter();
        // With one place, all words are a list for it; with more, one each.
        for word in free {
            let at = match (self.operands.len(), empty.next()) {
                (0, _) => {
                    self.others.push(word);
                    continue;
                }
                (_, Some(at)) => at,
                (count, None) => count - 1,
            };
            if let Some(slot) = self.operands.get_mut(at) {
                slot.push(word);
            }
        }
    }

    fn first(&self, at: usize) -> &[Argument] {
        self.operands.get(at).map(Vec::as_slice).unwrap_or_default()
    }

    fn option(&self, name: &str) -> Option<&Argument> {
        self.options.iter().find(|(option, _)| *option == name).map(|(_, value)| value)
    }
}

enum Meaning {
    Operand(usize),
    Option(&'static str),
    Switch(&'static str),
    Dropped,
    Nothing,
    OnlyShows,
    Unknown,
}

/// What a parameter means, of which only the beginning may be written.
fn meaning(known: &'static Cmdlet, slots: &[&'static str], name: &str) -> Meaning {
    let begins = |full: &str| full.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name));
    let is_one = |names: &str| !name.is_empty() && names.split('|').any(begins);
    if name == "whatif" || name == "wi" {
        return Meaning::OnlyShows;
    }
    let pairs = |list: &'static str| list.split(' ').filter_map(|pair| pair.split_once('='));
    if let Some((_, option)) = pairs(known.switches).find(|(names, _)| is_one(names)) {
        return Meaning::Switch(option);
    }
    if let Some(at) = slots.iter().position(|names| is_one(names)) {
        return Meaning::Operand(at);
    }
    if let Some((_, option)) = pairs(known.options).find(|(names, _)| is_one(names)) {
        return Meaning::Option(option);
    }
    if known.drops.split(' ').any(is_one)
        || VALUED.iter().any(|full| *full == name || (name.len() > 3 && begins(full)))
    {
        return Meaning::Dropped;
    }
    // Letters of a Unix program of the same name: `rm -rf`, `ls -la`.
    if known.also.split(' ').any(|other| matches!(other, "rm" | "cp" | "mv" | "ls" | "cat" | "tee"))
        && name.len() <= 3
    {
        return Meaning::Unknown;
    }
    Meaning::Nothing
}

fn of_table(known: &'static Cmdlet, given: Parameters, is_piped: bool) -> String {
    if given.only_shows {
        let words: String = given.operands.iter().flatten().map(|word| format!(" {}", word.sh)).collect();
        return format!("echo{words}");
    }
    match known.runs {
        "" => {
            let mut line = quote(known.name);
            for word in given.others.iter().chain(given.operands.iter().flatten()) {
                line.push_str(&format!(" {}", word.sh));
            }
            line
        }
        "blocks" => given.operands.iter().flatten().map(|word| format!("echo {} ", word.sh)).collect(),
        ">" | ">>" => write(&given, known.runs == ">>" || given.switches.contains(&">>"), is_piped),
        "new" => new_item(&given),
        "eval" if is_piped && given.first(0).is_empty() => "sh".to_owned(),
        "eval" => {
            let words: Vec<&str> = given.first(0).iter().map(|word| word.sh.as_str()).collect();
            format!("eval {}", words.join(" "))
        }
        "start" => start(&given),
        words => plain_call(words, &given, is_piped),
    }
}

fn plain_call(program: &str, given: &Parameters, is_piped: bool) -> String {
    let mut line = program.to_owned();
    let mut add = |word: &str| {
        line.push(' ');
        line.push_str(word);
    };
    given.switches.iter().for_each(|switch| add(switch));
    given.others.iter().for_each(|word| add(&word.sh));
    for (option, value) in &given.options {
        add(option);
        add(&if matches!(*option, "-o" | "-T") { value.as_place() } else { value.sh.clone() });
    }
    let is_text = matches!(program, "echo" | "curl" | "grep");
    for word in given.operands.iter().flatten() {
        add(&if is_text { word.sh.clone() } else { word.as_place() });
    }
    let has_operand = given.operands.iter().any(|operand| !operand.is_empty());
    // What comes through the pipe is what it works on.
    if is_piped && !has_operand && matches!(program, "rm" | "cp" | "mv" | "cat") {
        return format!("xargs {line}");
    }
    line
}

fn write(given: &Parameters, appends: bool, is_piped: bool) -> String {
    let operator = if appends { ">>" } else { ">" };
    let targets: Vec<String> = given.first(0).iter().map(Argument::as_place).collect();
    let text = given.first(1).iter().map(|word| word.sh.as_str()).collect::<Vec<_>>().join(" ");
    let mut line = match (text.is_empty(), is_piped) {
        (false, _) => format!("printf '%s\\n' {text}"),
        (true, true) => "cat".to_owned(),
        (true, false) => ":".to_owned(),
    };
    for target in targets {
        line.push_str(&format!(" {operator} {target}"));
    }
    line
}

fn new_item(given: &Parameters) -> String {
    let kind =
        given.option("type").and_then(|word| word.text.as_deref()).unwrap_or("file").to_ascii_lowercase();
    let parts: Vec<Argument> = given.operands.iter().flatten().cloned().collect();
    let place = combined(&parts).as_place();
    match (kind.as_str(), given.option("value")) {
        (kind, _) if kind.starts_with('d') => format!("mkdir -p {place}"),
        (kind, Some(target)) if kind.ends_with("link") || kind == "junction" => {
            format!("ln -s {} {place}", target.as_place())
        }
        (_, Some(text)) => format!("printf '%s\\n' {} > {place}", text.sh),
        (_, None) => format!("touch {place}"),
    }
}

fn start(given: &Parameters) -> String {
    let as_administrator = given
        .option("verb")
        .and_then(|word| word.text.as_deref())
        .is_some_and(|verb| verb.eq_ignore_ascii_case("runas"));
    let mut line = if as_administrator { "sudo".to_owned() } else { String::new() };
    for (at, word) in given.first(0).iter().chain(given.first(1)).enumerate() {
        let sh = match &word.text {
            // An argument may hold several.
            Some(text) if at > 0 && text.contains(' ') && !text.contains(['\'', '"', '$', ';', '|', '&']) => {
                text.clone()
            }
            _ if at == 0 => word.as_place(),
            _ => word.sh.clone(),
        };
        line.push_str(&format!(" {sh}"));
    }
    line.trim_start().to_owned()
}

/// A command of `cmd` in sh; its switches begin with a slash.
pub(super) fn cmd_call(words: &[Argument]) -> String {
    let name = words.first().and_then(|word| word.text.as_deref()).unwrap_or_default();
    let Some(known) = cmdlet(&format!("cmd/{name}")) else { return native(words, false) };
    let mut given = Parameters::default();
    let mut operands = Vec::new();
    for word in words.get(1..).unwrap_or_default() {
        let lower = word.text.as_deref().unwrap_or_default().to_ascii_lowercase();
        // Of `/s/q`, each is one.
        if lower.starts_with('/')
            && lower.len() > 1
            && !lower.get(1..).unwrap_or_default().contains(['.', '\\'])
        {
            for letter in lower.split('/').skip(1) {
                let switch = known.switches.split(' ').filter_map(|pair| pair.split_once('='));
                let found = switch.into_iter().find(|(own, _)| own.strip_prefix('/') == Some(letter));
                given.switches.extend(found.map(|(_, option)| option));
            }
        } else {
            operands.push(word.clone());
        }
    }
    given.operands = vec![operands];
    of_table(known, given, false)
}
