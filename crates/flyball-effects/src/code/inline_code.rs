//! Finds the code that a command line gives to an interpreter.

use crate::argv::{Grammar, OptionStyle, Parsed, parse};
use crate::model::{Language, Redirect, RedirectKind, Word, input_redirect};

use super::spelling::{WordForm, word_text};
use super::token::HOLE;

/// The code of a command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct InlineCode {
    pub(crate) language: Language,
    /// The code; `None` if it is known only at run time.
    pub(crate) code: Option<String>,
    /// How it was passed: `python -c`.
    pub(crate) by: String,
}

/// What a command reads from standard input besides its own redirections.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Piped<'a> {
    /// Nothing that the line says.
    Nothing,
    Text(&'a str),
    /// What another command writes.
    Unknown,
}

/// The language that a program of this name runs.
pub(crate) fn language(name: &str) -> Option<Language> {
    let is_versioned = |base: &str| {
        name.strip_prefix(base)
            // `python3.13t` is the build without the global lock.
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
pub(crate) fn find_inline_code(
    name: &str,
    arguments: &[Word],
    redirects: &[Redirect],
    piped: Piped<'_>,
) -> Option<InlineCode> {
    let language = language(name)?;
    // Holes stand for what the shell puts in, so every word has a text and the options can be read.
    let words: Vec<Word> =
        arguments.iter().map(|word| Word::literal(word_text(word, WordForm::Argument))).collect();
    let options = Options::read(name, language, &words)?;
    let (code, how) = match options.source {
        Source::Code { code, how } => (Some(code), how),
        // A script in a file is not on the line; its effect is that the file is run.
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
    Some(InlineCode { language, code, by })
}

/// The place of the file that an interpreter of this name runs, if it runs one.
pub(crate) fn script_operand(name: &str, words: &[Word]) -> Option<usize> {
    let first = |grammar: &Grammar, words: &[Word], other: &[&str]| {
        let parsed = parse(grammar, words);
        let is_other = |option: &str| other.contains(&option);
        let in_front = parsed.options.iter().take_while(|option| option.words.start < parsed.first_operand);
        let runs = !in_front.into_iter().any(|option| is_other(option.name));
        (runs && parsed.first_operand < words.len()).then_some(parsed.first_operand)
    };
    match language(name)? {
        Language::Python => first(&PYTHON, words, &["c", "m", "V", "version", "h", "help"]),
        Language::JavaScript => {
            let runs = matches!(name, "deno" | "bun") && words.first().is_some_and(|verb| verb.is("run"));
            let behind = words.get(usize::from(runs)..)?;
            let other = ["e", "eval", "pe", "ep", "p", "print", "c", "check", "v", "version", "h", "help"];
            if name == "deno" && !runs {
                return None;
            }
            first(&JAVASCRIPT, behind, &other).map(|at| at + usize::from(runs))
        }
        Language::Perl => first(&PERL.grammar, words, &["e", "E", "c", "v"]),
        Language::Ruby => first(&RUBY.grammar, words, &["e", "c", "v", "version"]),
        Language::Lua => first(&LUA.grammar, words, &["e", "v"]),
        Language::Php => {
            let named = words.iter().position(|word| word.is("-f") || word.is("--file"));
            named
                .map(|at| at + 1)
                .or_else(|| first(&PHP, words, &["r", "run", "R", "B", "E", "l", "S", "v", "i"]))
        }
        Language::Awk | Language::Sed => {
            words.iter().position(|word| word.is("-f") || word.is("--file")).map(|at| at + 1)
        }
        Language::AppleScript => first(&in_front("els", "", ""), words, &["e"]),
    }
}

/// What is on standard input; the outer `None` if the line does not say that there is any.
fn input(redirects: &[Redirect], piped: Piped<'_>) -> Option<Option<String>> {
    match (input_redirect(redirects), piped) {
        (Some(redirect), _) => match redirect.kind {
            RedirectKind::HereDoc => Some(Some(word_text(&redirect.target, WordForm::Body))),
            RedirectKind::HereString => Some(Some(word_text(&redirect.target, WordForm::Argument))),
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

/// PHP prints the text outside of its tags.
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
    fn new(source: Source) -> Self {
        Self { source, prelude: String::new(), language: None, is_page: false }
    }

    fn code(code: impl Into<String>, how: &'static str) -> Self {
        Self::new(Source::Code { code: code.into(), how })
    }

    /// Reads them; `None` if the program does not run anything.
    fn read(name: &str, language: Language, words: &[Word]) -> Option<Self> {
        match language {
            Language::Python => python(words),
            Language::JavaScript => javascript(name, words),
            Language::Perl => Some(PERL.options(words)),
            Language::Ruby => Some(RUBY.options(words)),
            Language::Php => php(words),
            Language::Lua => Some(LUA.options(words)),
            Language::Awk => awk(words),
            Language::Sed => sed(words),
            Language::AppleScript => Some(applescript(words)),
        }
    }
}

/// An interpreter whose options come before the script.
const fn in_front(letters: &'static str, optional: &'static str, names: &'static str) -> Grammar {
    Grammar { letters, optional, names, option_style: OptionStyle::InFront }
}

/// The text of the first operand.
fn operand<'a>(parsed: &Parsed<'a>) -> Option<&'a str> {
    parsed.operands.first().and_then(|word| word.text.as_deref())
}

/// Where an interpreter without code on the line finds it.
fn file_or_input(operand: Option<&str>) -> Source {
    if operand.is_none_or(|operand| matches!(operand, "-" | "/dev/stdin")) {
        Source::Input
    } else {
        Source::File
    }
}

/// A script that loads a module by name.
fn required(module: &str) -> String {
    // A quote in the name must not end the string that we write around it.
    format!("require('{}')", module.replace('\'', "?"))
}

const PYTHON: Grammar = in_front("cmWX", "", "check-hash-based-pycs");

fn python(words: &[Word]) -> Option<Options> {
    let parsed = parse(&PYTHON, words);
    for option in &parsed.options {
        match option.name {
            "c" => return option.text().map(|code| Options::code(code, "-c")),
            // `-m` runs a program by another name, which `interpreters` handles.
            "m" | "V" | "version" | "h" | "help" => return None,
            _ => {}
        }
    }
    match file_or_input(operand(&parsed)) {
        Source::File => None,
        source => Some(Options::new(source)),
    }
}

/// Letters are not combined; `-pe` is an option of its own.
const JAVASCRIPT: Grammar = Grammar {
    letters: "",
    optional: "",
    names: "e eval pe ep p print r require import loader preload C conditions env-file cwd O \
            compiler-options",
    option_style: OptionStyle::OneDash,
};

fn javascript(name: &str, words: &[Word]) -> Option<Options> {
    let (first, behind) =
        words.split_first().map_or((None, words), |(first, rest)| (first.text.as_deref(), rest));
    let words = match (name, first) {
        ("deno", Some("eval")) => {
            let code = operand(&parse(&Grammar::PLAIN, behind))?;
            return Some(Options::code(code, "eval"));
        }
        ("deno" | "bun", Some("run")) => behind,
        ("deno", _) => return None,
        _ => words,
    };
    let parsed = parse(&JAVASCRIPT, words);
    let (mut prelude, mut code) = (String::new(), None);
    // Options behind the script belong to the script.
    let in_front = parsed.options.iter().take_while(|option| option.words.start < parsed.first_operand);
    for option in in_front {
        let given = |how| option.text().map(|code| (code.to_owned(), how));
        match option.name {
            "v" | "version" | "h" | "help" | "c" | "check" | "test" => return None,
            "e" | "eval" | "pe" | "ep" => code = given("-e"),
            "p" | "print" => code = given("-p"),
            "r" | "require" | "import" | "loader" | "preload" => {
                prelude = format!("{prelude}{};", required(option.text().unwrap_or("?")));
            }
            _ => {}
        }
    }
    let source = match (code, file_or_input(operand(&parsed))) {
        (Some((code, how)), _) => Source::Code { code, how },
        // Without code, bun lists its commands.
        (None, Source::Input) if name == "bun" && parsed.operands.is_empty() => return None,
        (None, source) => source,
    };
    Some(Options { prelude, ..Options::new(source) })
}

/// An interpreter whose code is the value of a letter, of which there may be several.
struct Switches {
    grammar: Grammar,
    /// The letters whose value is code.
    code: &'static str,
    /// What `-n` and `-p` put around the code.
    around: [&'static str; 2],
    /// The line that loads the module which is the value of a letter.
    loads: fn(&str, &str) -> Option<String>,
}

const PERL: Switches = Switches {
    grammar: in_front("eEIMmr", "iFCxDKTdV", ""),
    code: "eE",
    around: ["while(<>){", "}"],
    loads: |letter, value| {
        let module = value.trim_start_matches('-').split(['=', ' ']).next().unwrap_or(value);
        matches!(letter, "M" | "m").then(|| format!("use {module};\n"))
    },
};

const RUBY: Switches = Switches {
    grammar: in_front("eIMmr", "iFCxDKETdV", ""),
    code: "e",
    around: ["while gets", "end"],
    loads: |letter, value| (letter == "r").then(|| format!("require '{}'\n", value.replace('\'', "?"))),
};

const LUA: Switches = Switches {
    grammar: in_front("el", "", ""),
    code: "e",
    around: ["", ""],
    loads: |letter, value| (letter == "l").then(|| format!("{} ", required(value))),
};

impl Switches {
    fn options(&self, words: &[Word]) -> Options {
        let parsed = parse(&self.grammar, words);
        let (mut codes, mut prelude, mut is_loop) = (Vec::new(), String::new(), false);
        for option in &parsed.options {
            let value = option.text().unwrap_or_default();
            match option.name {
                name if self.code.contains(name) => codes.push(value),
                "n" | "p" => is_loop = true,
                name => prelude.extend((self.loads)(name, value)),
            }
        }
        // Perl, Ruby and Lua put several `-e` together, one per line.
        let code = codes.join("\n");
        let [begins, ends] = self.around;
        let source = if codes.is_empty() {
            file_or_input(operand(&parsed))
        } else if is_loop {
            // The loop matters: what it surrounds may run never or often, so no write in it is exact.
            Source::Code { code: format!("{begins}\n{code}\n{ends}"), how: "-e" }
        } else {
            Source::Code { code, how: "-e" }
        };
        Options { prelude, ..Options::new(source) }
    }
}

const PHP: Grammar = in_front("rRBEdczfS", "", "run");

fn php(words: &[Word]) -> Option<Options> {
    let parsed = parse(&PHP, words);
    for option in &parsed.options {
        match option.name {
            "r" | "run" | "R" | "B" | "E" => return option.text().map(|code| Options::code(code, "-r")),
            "f" | "S" | "v" | "i" | "m" | "l" | "w" | "s" | "version" | "ini" | "a" => return None,
            _ => {}
        }
    }
    let reads_input = parsed.before_dashes.is_some() || operand(&parsed).is_none_or(|operand| operand == "-");
    reads_input.then(|| Options { is_page: true, ..Options::new(Source::Input) })
}

const AWK: Grammar = in_front("FvileEfW", "", "assign field-separator include load source file exec");

fn awk(words: &[Word]) -> Option<Options> {
    let parsed = parse(&AWK, words);
    let is_elsewhere = |name| matches!(name, "f" | "file" | "E" | "exec" | "version" | "V" | "W");
    if parsed.options.iter().any(|option| is_elsewhere(option.name)) {
        return None;
    }
    code_or_operand(&parsed, "e source", operand(&parsed))
}

const SED: Grammar =
    Grammar { letters: "efl", optional: "i", names: "expression file", option_style: OptionStyle::Gnu };

fn sed(words: &[Word]) -> Option<Options> {
    let parsed = parse(&SED, words);
    if parsed.options.iter().any(|option| matches!(option.name, "version" | "help")) {
        return None;
    }
    // BSD takes the suffix of `-i` as a word of its own.
    let is_suffix = |option: &str, end: usize| option == "i" && end == parsed.first_operand;
    let mut operands = parsed.operands.iter().filter_map(|word| word.text.as_deref());
    let mut operand = operands.next();
    if operand == Some("") && parsed.options.iter().any(|option| is_suffix(option.name, option.words.end)) {
        operand = operands.next();
    }
    let has_file = parsed.has("f file", OptionStyle::Gnu);
    code_or_operand(&parsed, "e expression", operand.filter(|_| !has_file))
}

/// All code that these options give, else the operand.
fn code_or_operand(parsed: &Parsed<'_>, names: &str, operand: Option<&str>) -> Option<Options> {
    let given = parsed.values(names, SED.option_style).filter_map(|word| word.text.as_deref());
    let codes: Vec<&str> = given.collect();
    if codes.is_empty() {
        return operand.map(|code| Options::code(code, ""));
    }
    Some(Options::code(codes.join("\n"), ""))
}

fn applescript(words: &[Word]) -> Options {
    let parsed = parse(&in_front("els", "", ""), words);
    let codes: Vec<&str> =
        parsed.values("e", OptionStyle::InFront).filter_map(|word| word.text.as_deref()).collect();
    let is_javascript = parsed.value("l", OptionStyle::InFront).is_some_and(|name| name.is("JavaScript"));
    let source = match operand(&parsed) {
        _ if !codes.is_empty() => Source::Code { code: codes.join("\n"), how: "-e" },
        None | Some("-") => Source::Input,
        Some(_) => Source::File,
    };
    Options { language: is_javascript.then_some(Language::JavaScript), ..Options::new(source) }
}
