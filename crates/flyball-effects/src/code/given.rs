//! Finds the code that a command line gives to an interpreter.

use crate::model::{Language, Redirect, RedirectKind, Word};

use super::spelling::{Written, spelled};
use super::token::HOLE;

/// The code of a command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Given {
    pub(crate) language: Language,
    /// The code; `None` if only the run will tell.
    pub(crate) code: Option<String>,
    /// How it was handed over: `python -c`.
    pub(crate) by: String,
}

/// What stands on a command's standard input besides its own redirections.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Piped<'a> {
    /// Nothing that the line says.
    Nothing,
    /// This text.
    Text(&'a str),
    /// What another command writes.
    Unknown,
}

/// The language that a program of this name runs.
pub(crate) fn language(name: &str) -> Option<Language> {
    let is_versioned = |base: &str| {
        name.strip_prefix(base)
            .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b't')))
    };
    Some(match name {
        "node" | "nodejs" | "deno" | "bun" | "tsx" | "ts-node" => Language::JavaScript,
        "awk" | "gawk" | "mawk" | "nawk" | "original-awk" => Language::Awk,
        "sed" | "gsed" => Language::Sed,
        "osascript" => Language::AppleScript,
        "luajit" | "texlua" => Language::Lua,
        "jruby" => Language::Ruby,
        "py" | "ipython" | "ipython3" => Language::Python,
        _ if is_versioned("python") || is_versioned("pypy") => Language::Python,
        _ if is_versioned("perl") => Language::Perl,
        _ if is_versioned("ruby") => Language::Ruby,
        _ if is_versioned("php") => Language::Php,
        _ if is_versioned("lua") => Language::Lua,
        _ => return None,
    })
}

/// The code that these words give to the program `name`.
pub(crate) fn given(
    name: &str,
    arguments: &[Word],
    redirects: &[Redirect],
    piped: Piped<'_>,
) -> Option<Given> {
    let language = language(name)?;
    let words: Vec<String> = arguments.iter().map(|word| spelled(word, Written::Argument)).collect();
    let options = Options::read(name, language, &words)?;
    let (code, how) = match options.source {
        Source::Code { code, how } => (Some(code), how),
        Source::File => return None,
        Source::Input => (input(redirects, piped)?, "<<"),
    };
    // A word that is nothing but a hole says nothing at all.
    let code =
        code.filter(|code| !code.trim().chars().all(|letter| letter == HOLE) || code.trim().is_empty());
    let code = code.map(|code| if options.is_page { behind_tag(&code) } else { code });
    let code = code.map(|code| options.prelude + &code);
    let language = options.language.unwrap_or(language);
    let by = if how.is_empty() { name.to_owned() } else { format!("{name} {how}") };
    Some(Given { language, code, by })
}

/// What is on standard input; the outer `None` if the line does not say that there is any.
fn input(redirects: &[Redirect], piped: Piped<'_>) -> Option<Option<String>> {
    let last = redirects.iter().rev().find(|redirect| match redirect.kind {
        RedirectKind::Read | RedirectKind::ReadWrite | RedirectKind::HereDoc | RedirectKind::HereString => {
            redirect.descriptor.is_none_or(|descriptor| descriptor == 0)
        }
        RedirectKind::Duplicate => redirect.descriptor == Some(0),
        RedirectKind::Write | RedirectKind::Append => false,
    });
    match (last, piped) {
        (Some(redirect), _) => match redirect.kind {
            RedirectKind::HereDoc => Some(Some(spelled(&redirect.target, Written::Body))),
            RedirectKind::HereString => Some(Some(spelled(&redirect.target, Written::Argument))),
            RedirectKind::Read
            | RedirectKind::ReadWrite
            | RedirectKind::Duplicate
            | RedirectKind::Write
            | RedirectKind::Append => None,
        },
        (None, Piped::Nothing) => None,
        (None, Piped::Text(text)) => Some(Some(text.to_owned())),
        (None, Piped::Unknown) => Some(None),
    }
}

/// PHP prints what stands outside of its tags.
fn behind_tag(page: &str) -> String {
    match page.split_once("<?") {
        Some((_, rest)) => {
            rest.strip_prefix('=').map_or_else(|| rest.to_owned(), |rest| format!("echo {rest}"))
        }
        None => String::new(),
    }
}

/// Where the code is.
enum Source {
    Code { code: String, how: &'static str },
    File,
    Input,
}

/// What the options of an interpreter say.
struct Options {
    source: Source,
    /// What the options make of the code: loaded modules, a loop around it.
    prelude: String,
    language: Option<Language>,
    is_page: bool,
}

impl Options {
    fn of(source: Source) -> Self {
        Self { source, prelude: String::new(), language: None, is_page: false }
    }

    fn code(code: impl Into<String>, how: &'static str) -> Self {
        Self::of(Source::Code { code: code.into(), how })
    }

    /// Reads them; `None` if the program is not told to run anything.
    fn read(name: &str, language: Language, words: &[String]) -> Option<Self> {
        match language {
            Language::Python => python(words),
            Language::JavaScript => javascript(name, words),
            Language::Perl => Some(perl(words)),
            Language::Ruby => Some(ruby(words)),
            Language::Php => php(words),
            Language::Lua => Some(lua(words)),
            Language::Awk => awk(words),
            Language::Sed => sed(words),
            Language::AppleScript => Some(applescript(words)),
        }
    }
}

fn python(words: &[String]) -> Option<Options> {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        match word.as_str() {
            "-" | "/dev/stdin" => return Some(Options::of(Source::Input)),
            "-V" | "--version" | "-VV" | "-h" | "--help" => return None,
            "-W" | "-X" | "--check-hash-based-pycs" => at += 1,
            _ if word.starts_with("--") || word.starts_with("-W") || word.starts_with("-X") => {}
            _ => match word.strip_prefix('-') {
                Some(letters) => {
                    if let Some((before, rest)) = letters.split_once(['c', 'm']) {
                        let is_code = letters.get(before.len()..).is_some_and(|rest| rest.starts_with('c'));
                        let code =
                            if rest.is_empty() { words.get(at).map(String::as_str) } else { Some(rest) };
                        return code.filter(|_| is_code).map(|code| Options::code(code, "-c"));
                    }
                }
                None => return None,
            },
        }
    }
    Some(Options::of(Source::Input))
}

fn javascript(name: &str, words: &[String]) -> Option<Options> {
    let words = match (name, words.first().map(String::as_str)) {
        ("deno", Some("eval")) => return deno(words.get(1..).unwrap_or_default()),
        ("deno" | "bun", Some("run")) => words.get(1..).unwrap_or_default(),
        ("deno", _) => return None,
        _ => words,
    };
    let mut prelude = String::new();
    let mut code = None;
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        let attached = word.split_once('=').filter(|_| word.starts_with("--"));
        match word.as_str() {
            "-" | "/dev/stdin" => return Some(Options::of(Source::Input)),
            "-v" | "--version" | "-h" | "--help" | "-c" | "--check" | "--test" => return None,
            "-e" | "--eval" | "-pe" | "-ep" => {
                code = words.get(at).map(|code| (code.clone(), "-e"));
                at += 1;
            }
            "-p" | "--print" => {
                code = words.get(at).map(|code| (code.clone(), "-p"));
                at += 1;
            }
            "-r" | "--require" | "--import" | "--loader" | "--preload" => {
                let module = words.get(at).map_or("?", String::as_str);
                prelude = format!("{prelude}require('{}');", module.replace('\'', "?"));
                at += 1;
            }
            "-C" | "--conditions" | "--env-file" | "--cwd" | "-O" | "--compiler-options" => at += 1,
            _ => match attached {
                Some(("--eval", text)) => code = Some((text.to_owned(), "-e")),
                Some(("--print", text)) => code = Some((text.to_owned(), "-p")),
                Some(_) => {}
                None if word.starts_with('-') => {}
                None => break,
            },
        }
    }
    let is_file =
        code.is_none() && words.get(at.saturating_sub(1)).is_some_and(|word| !word.starts_with('-'));
    let source = match code {
        Some((code, how)) => Source::Code { code, how },
        None if is_file && at > 0 => Source::File,
        // Without code, bun lists its commands.
        None if name == "bun" => return None,
        None => Source::Input,
    };
    Some(Options { prelude, ..Options::of(source) })
}

fn deno(words: &[String]) -> Option<Options> {
    let code = words.iter().find(|word| !word.starts_with('-'))?;
    Some(Options::code(code.as_str(), "eval"))
}

/// The letters of Perl's and Ruby's options.
struct Switches {
    codes: Vec<String>,
    is_loop: bool,
    prelude: String,
    /// Whether a file or standard input follows the options.
    operand: Option<String>,
}

impl Switches {
    fn read(words: &[String], code_letters: &str, loaded: impl Fn(char, &str) -> Option<String>) -> Self {
        let mut all = Self { codes: Vec::new(), is_loop: false, prelude: String::new(), operand: None };
        let mut at = 0;
        while let Some(word) = words.get(at) {
            at += 1;
            let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
                all.operand = Some(word.clone());
                break;
            };
            if letters == "-" {
                all.operand = words.get(at).cloned();
                break;
            }
            if !letters.starts_with('-') {
                at += all.letters(letters, words.get(at), code_letters, &loaded);
            }
        }
        all
    }

    /// Reads one word of switches; gives how many further words it takes.
    fn letters(
        &mut self,
        letters: &str,
        next: Option<&String>,
        code_letters: &str,
        loaded: &impl Fn(char, &str) -> Option<String>,
    ) -> usize {
        for (at, letter) in letters.char_indices() {
            let rest = letters.get(at + letter.len_utf8()..).unwrap_or_default();
            let (value, taken) =
                if rest.is_empty() { (next.map_or("", String::as_str), 1) } else { (rest, 0) };
            match letter {
                _ if code_letters.contains(letter) => {
                    self.codes.push(value.to_owned());
                    return taken;
                }
                'n' | 'p' => self.is_loop = true,
                'I' | 'M' | 'm' | 'r' => {
                    self.prelude.extend(loaded(letter, value));
                    return taken;
                }
                // What follows is a suffix, a pattern, a number.
                'i' | 'F' | 'C' | 'x' | 'D' | 'K' | 'E' | 'T' | 'd' | 'V' => return 0,
                _ => {}
            }
        }
        0
    }

    fn options(self, begins: &str, ends: &str) -> Options {
        let source = if !self.codes.is_empty() {
            let code = self.codes.join("\n");
            let code = if self.is_loop { format!("{begins}\n{code}\n{ends}") } else { code };
            Source::Code { code, how: "-e" }
        } else if self.operand.as_deref().is_none_or(|operand| matches!(operand, "-" | "/dev/stdin")) {
            Source::Input
        } else {
            Source::File
        };
        Options { prelude: self.prelude, ..Options::of(source) }
    }
}

fn perl(words: &[String]) -> Options {
    let loaded = |letter: char, value: &str| {
        let module = value.trim_start_matches('-').split(['=', ' ']).next().unwrap_or(value);
        (letter != 'I' && letter != 'r').then(|| format!("use {module};\n"))
    };
    Switches::read(words, "eE", loaded).options("while(<>){", "}")
}

fn ruby(words: &[String]) -> Options {
    let loaded = |letter: char, value: &str| {
        (letter == 'r').then(|| format!("require '{}'\n", value.replace('\'', "?")))
    };
    Switches::read(words, "e", loaded).options("while gets", "end")
}

fn php(words: &[String]) -> Option<Options> {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        match word.as_str() {
            "-r" | "--run" | "-R" | "-B" | "-E" => {
                return words.get(at).map(|code| Options::code(code.as_str(), "-r"));
            }
            "-d" | "-c" | "-z" => at += 1,
            "-f" | "-S" | "-v" | "-i" | "-m" | "-l" | "-w" | "-s" | "--version" | "--ini" | "-a" => {
                return None;
            }
            "--" | "-" => break,
            _ => match word.strip_prefix("-r").filter(|_| !word.starts_with("--")) {
                Some(code) => return Some(Options::code(code, "-r")),
                None if word.starts_with('-') => {}
                None => return None,
            },
        }
    }
    Some(Options { is_page: true, ..Options::of(Source::Input) })
}

fn lua(words: &[String]) -> Options {
    let loaded = |_: char, _: &str| None;
    let mut prelude = String::new();
    for pair in words.windows(2) {
        if let [option, module] = pair
            && option == "-l"
        {
            prelude = format!("{prelude}require('{}') ", module.replace('\'', "?"));
        }
    }
    let words: Vec<String> = words
        .iter()
        .scan(false, |skip, word| {
            let is_skipped = *skip || word == "-l";
            *skip = word == "-l";
            Some((!is_skipped).then(|| word.clone()))
        })
        .flatten()
        .collect();
    let options = Switches::read(&words, "e", loaded).options("", "");
    Options { prelude, ..options }
}

fn awk(words: &[String]) -> Option<Options> {
    let mut codes: Vec<&str> = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        match word.as_str() {
            "--" => break,
            "-F" | "-v" | "--assign" | "--field-separator" | "-i" | "--include" | "-l" | "--load" => at += 1,
            "-e" | "--source" => {
                codes.extend(words.get(at).map(String::as_str));
                at += 1;
            }
            "-f" | "--file" | "-E" | "--exec" | "--version" | "-V" | "-W" => return None,
            _ if word.starts_with("-f") || word.starts_with("--file=") => return None,
            _ => match word.strip_prefix("--source=") {
                Some(code) => codes.push(code),
                None if word.starts_with('-') && word.len() > 1 => {}
                None => {
                    at -= 1;
                    break;
                }
            },
        }
    }
    if codes.is_empty() {
        codes.push(words.get(at)?);
    }
    Some(Options::code(codes.join("\n"), ""))
}

fn sed(words: &[String]) -> Option<Options> {
    let mut codes: Vec<&str> = Vec::new();
    let mut operand: Option<&str> = None;
    let mut has_file = false;
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        let next = words.get(at).map(String::as_str);
        let short = word.strip_prefix('-').filter(|rest| !rest.starts_with('-') && !rest.is_empty());
        match (word.as_str(), short) {
            ("--expression", _) => {
                codes.extend(next);
                at += 1;
            }
            ("--file", _) => {
                has_file = true;
                at += 1;
            }
            ("--version" | "--help", _) => return None,
            // BSD takes the suffix as a word of its own.
            ("-i", _) if next == Some("") => at += 1,
            (_, Some(letters)) => at += sed_letters(letters, next, &mut codes, &mut has_file),
            _ => match word.strip_prefix("--expression=") {
                Some(code) => codes.push(code),
                None if word.starts_with("--file=") => has_file = true,
                None if word.starts_with("--") => {}
                None => operand = operand.or(Some(word)),
            },
        }
    }
    if codes.is_empty() {
        codes.push(operand.filter(|_| !has_file)?);
    }
    Some(Options::code(codes.join("\n"), ""))
}

fn sed_letters<'w>(
    letters: &'w str,
    next: Option<&'w str>,
    codes: &mut Vec<&'w str>,
    has_file: &mut bool,
) -> usize {
    for (at, letter) in letters.char_indices() {
        let rest = letters.get(at + letter.len_utf8()..).unwrap_or_default();
        match letter {
            'e' if rest.is_empty() => {
                codes.extend(next);
                return 1;
            }
            'e' => {
                codes.push(rest);
                return 0;
            }
            'f' => {
                *has_file = true;
                return usize::from(rest.is_empty());
            }
            'l' => return usize::from(rest.is_empty()),
            'i' => return 0,
            _ => {}
        }
    }
    0
}

fn applescript(words: &[String]) -> Options {
    let mut codes: Vec<&str> = Vec::new();
    let mut language = None;
    let mut at = 0;
    let mut source = Source::Input;
    while let Some(word) = words.get(at) {
        at += 1;
        match word.as_str() {
            "-e" => {
                codes.extend(words.get(at).map(String::as_str));
                at += 1;
            }
            "-l" => {
                let is_other = words.get(at).is_some_and(|name| name == "JavaScript");
                language = is_other.then_some(Language::JavaScript);
                at += 1;
            }
            "-s" => at += 1,
            "-" => break,
            _ if word.starts_with('-') => {}
            _ => {
                source = Source::File;
                break;
            }
        }
    }
    if !codes.is_empty() {
        source = Source::Code { code: codes.join("\n"), how: "-e" };
    }
    Options { language, ..Options::of(source) }
}
