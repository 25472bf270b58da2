//! A light reader of compiled languages: what their code deletes and which programs it starts, where the words of it
//! are written or begin with the home. Anything else is left out.

use std::collections::BTreeMap;

use crate::lex::{self, Language};

/// More commands of one file are not listed.
const MOST_COMMANDS: usize = 32;
/// Longer files are not read.
const MOST_BYTES: usize = 64 * 1024;
/// Longer values are not known: a line can double them.
const MOST_VALUE: usize = 4 * 1024;

/// The commands that code amounts to, each as its words: a deletion is `rm`.
pub(crate) fn commands(path: &str, text: &str) -> Vec<Vec<Option<String>>> {
    let language = match path.rsplit_once('.') {
        Some((_, "rs")) => Language::Rust,
        Some((_, "go")) => Language::Go,
        _ => return Vec::new(),
    };
    if text.len() > MOST_BYTES {
        return Vec::new();
    }
    let lexed = lex::lex(text, language);
    let pieces = pieces(&lexed, language == Language::Go);
    let mut reader = Reader {
        pieces: &pieces,
        closes: closes(&pieces),
        values: BTreeMap::new(),
        found: Vec::new(),
        pending: None,
        held: BTreeMap::new(),
    };
    reader.read();
    reader.found
}

/// A piece of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'a> {
    Name(&'a str),
    Text(&'a str),
    Sign(char),
    /// The end of a line where it ends a statement.
    End,
}

/// The pieces of code: comments are gone, and strings are whole.
fn pieces<'a>(lexed: &'a lex::Lexed<'_>, lines_end: bool) -> Vec<Piece<'a>> {
    let mut found = Vec::new();
    let code = lexed.code.as_str();
    let mut at = 0;
    while let Some(letter) = code.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = code.get(at..).unwrap_or_default();
        let length = if letter == '"' || letter == '`' {
            // What is inside is blank, so that the next quote closes it.
            let inside =
                rest.get(1..).unwrap_or_default().find(letter).unwrap_or(rest.len().saturating_sub(1));
            found.extend(lexed.text.get(at + 1..at + 1 + inside).map(Piece::Text));
            inside + 2
        } else if letter.is_alphabetic() || letter == '_' {
            let is_other = |letter: char| !letter.is_alphanumeric() && letter != '_';
            let end = rest.find(is_other).unwrap_or(rest.len());
            found.extend(rest.get(..end).map(Piece::Name));
            end
        } else {
            match letter {
                '\n' if lines_end => found.push(Piece::End),
                ';' => found.push(Piece::End),
                _ if letter.is_whitespace() => {}
                _ => found.push(Piece::Sign(letter)),
            }
            letter.len_utf8()
        };
        at += length;
    }
    found
}

/// For each bracket the place of the one that closes it, and for all else its own place.
fn closes(pieces: &[Piece<'_>]) -> Vec<usize> {
    let mut closes: Vec<usize> = (0..pieces.len()).collect();
    let mut open = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Sign('(' | '[' | '{') => open.push(at),
            Piece::Sign(')' | ']' | '}') => {
                if let Some(place) = open.pop().and_then(|opened| closes.get_mut(opened)) {
                    *place = at;
                }
            }
            _ => {}
        }
    }
    for opened in open {
        if let Some(place) = closes.get_mut(opened) {
            *place = pieces.len();
        }
    }
    closes
}

struct Reader<'a> {
    pieces: &'a [Piece<'a>],
    closes: Vec<usize>,
    /// The variables whose value is known.
    values: BTreeMap<&'a str, String>,
    found: Vec<Vec<Option<String>>>,
    /// The variable that the next command is put into.
    pending: Option<&'a str>,
    /// The commands that variables hold, by their place in the list.
    held: BTreeMap<&'a str, usize>,
}

/// Names by which code asks for the home.
const HOMES: &[&str] = &["UserHomeDir", "home_dir", "HomeDir", "homedir"];
/// Names of modules and types, which say nothing about a path.
const PLAIN: &[&str] = &[
    "std", "fs", "env", "os", "path", "filepath", "fmt", "strings", "Path", "PathBuf", "String", "format",
    "dirs", "home", "user", "as_str", "mut", "OsString", "tokio",
];

/// Functions of those modules that make a path or a text of what they are given. What any other of them returns is not known:
/// `os.MkdirTemp("", "x")` is not `/x`.
const MAKERS: &[&str] = &[
    "Join",
    "join",
    "Clean",
    "Abs",
    "Dir",
    "FromSlash",
    "ToSlash",
    "EvalSymlinks",
    "Getenv",
    "LookupEnv",
    "ExpandEnv",
    "Expand",
    "Sprintf",
    "Sprint",
    "Errorf",
    "Replace",
    "ReplaceAll",
    "TrimSpace",
    "TrimSuffix",
    "TrimPrefix",
    "new",
    "from",
    "var",
    "var_os",
    "canonicalize",
    "absolute",
    "format",
    "unwrap",
    "expect",
];

impl<'a> Reader<'a> {
    fn read(&mut self) {
        let mut at = 0;
        while at < self.pieces.len() && self.found.len() < MOST_COMMANDS {
            self.define(at);
            match self.pieces.get(at..).unwrap_or_default() {
                [Piece::Name("remove_dir_all"), Piece::Sign('('), ..] if !self.is_method(at) => {
                    self.delete(at + 1, "-rf");
                }
                [Piece::Name("remove_file" | "remove_dir"), Piece::Sign('('), ..] if !self.is_method(at) => {
                    self.delete(at + 1, "-f");
                }
                [Piece::Name("os"), Piece::Sign('.'), Piece::Name("RemoveAll"), Piece::Sign('('), ..] => {
                    self.delete(at + 3, "-rf");
                }
                [Piece::Name("os"), Piece::Sign('.'), Piece::Name("Remove"), Piece::Sign('('), ..] => {
                    self.delete(at + 3, "-f");
                }
                [
                    Piece::Name("Command"),
                    Piece::Sign(':'),
                    Piece::Sign(':'),
                    Piece::Name("new"),
                    Piece::Sign('('),
                    ..,
                ] => self.chain(at + 4),
                [Piece::Name("exec"), Piece::Sign('.'), Piece::Name("Command"), Piece::Sign('('), ..] => {
                    let words = self.arguments(at + 3);
                    self.found.push(words);
                }
                [
                    Piece::Name("exec"),
                    Piece::Sign('.'),
                    Piece::Name("CommandContext"),
                    Piece::Sign('('),
                    ..,
                ] => {
                    let words = self.arguments(at + 3).into_iter().skip(1).collect();
                    self.found.push(words);
                }
                [Piece::Name(name), Piece::Sign('.'), Piece::Name("arg" | "args"), Piece::Sign('('), ..] => {
                    self.add_words(name, at + 1);
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Whether the name at a place is a method of something: `router.remove_file(…)`.
    fn is_method(&self, at: usize) -> bool {
        at.checked_sub(1).and_then(|before| self.pieces.get(before)) == Some(&Piece::Sign('.'))
    }

    fn delete(&mut self, open: usize, flags: &str) {
        if let [Some(path)] = self.arguments(open).as_slice() {
            let words = ["rm", flags, path.as_str()];
            self.found.push(words.iter().map(|word| Some((*word).to_owned())).collect());
        }
    }

    /// `Command::new("a").arg("b").args(["c"])`
    fn chain(&mut self, open: usize) {
        let mut words = self.arguments(open);
        let behind = self.close(open) + 1;
        words.extend(self.chained(behind));
        if let Some(folder) = self.folder(behind) {
            let moved = ["env", "-C"].map(|word| Some(word.to_owned()));
            words = moved.into_iter().chain([folder]).chain(words).collect();
        }
        if let Some(name) = self.pending.take() {
            self.held.insert(name, self.found.len());
        }
        self.found.push(words);
    }

    /// The words that `.arg(…)` and `.args(…)` from a place on add.
    fn chained(&self, mut at: usize) -> Vec<Option<String>> {
        let mut words = Vec::new();
        while let [Piece::Sign('.'), Piece::Name(name), Piece::Sign('('), ..] =
            self.pieces.get(at..).unwrap_or_default()
        {
            if matches!(*name, "arg" | "args") {
                words.extend(self.arguments(at + 2));
            }
            at = self.close(at + 2) + 1;
        }
        words
    }

    /// The folder that `.current_dir(…)` from a place on sets, if that is done at all.
    fn folder(&self, mut at: usize) -> Option<Option<String>> {
        while let [Piece::Sign('.'), Piece::Name(name), Piece::Sign('('), ..] =
            self.pieces.get(at..).unwrap_or_default()
        {
            if *name == "current_dir" {
                return Some(self.arguments(at + 2).into_iter().next().flatten());
            }
            at = self.close(at + 2) + 1;
        }
        None
    }

    /// `command.arg(…)` for one that a variable holds.
    fn add_words(&mut self, name: &str, at: usize) {
        let Some(held) = self.held.get(name).copied() else { return };
        let words = self.chained(at);
        if let Some(command) = self.found.get_mut(held) {
            command.extend(words);
        }
    }

    /// `let x = …`, `x := …`, `x, err := …`, `const x = …`
    fn define(&mut self, at: usize) {
        let name = match self.pieces.get(at..).unwrap_or_default() {
            [Piece::Name("let"), Piece::Name("mut"), Piece::Name(name), ..]
            | [Piece::Name("let" | "const" | "static" | "var"), Piece::Name(name), ..] => *name,
            [Piece::Name(name), Piece::Sign(':'), Piece::Sign('='), ..]
            | [Piece::Name(name), Piece::Sign(','), Piece::Name(_), Piece::Sign(':'), Piece::Sign('='), ..] => {
                *name
            }
            _ => return,
        };
        let rest = self.pieces.get(at..).unwrap_or_default();
        let end = rest.iter().position(|piece| *piece == Piece::End).unwrap_or(rest.len());
        let Some(equals) = rest.iter().take(end).position(|piece| *piece == Piece::Sign('=')) else { return };
        let expression = rest.get(equals + 1..end).unwrap_or_default();
        if expression.contains(&Piece::Name("Command")) {
            self.pending = Some(name);
        }
        match self.value(expression) {
            Some(value) => self.values.insert(name, value),
            None => self.values.remove(name),
        };
    }

    /// The place of the bracket that closes the one at a place.
    fn close(&self, open: usize) -> usize {
        self.closes.get(open).copied().unwrap_or(self.pieces.len())
    }

    /// The values of the arguments behind the bracket at a place; a list of them counts as its items.
    fn arguments(&self, open: usize) -> Vec<Option<String>> {
        let close = self.close(open);
        let mut inside = self.pieces.get(open + 1..close).unwrap_or_default();
        while let [Piece::Sign('&'), rest @ ..] | [Piece::Name("vec"), Piece::Sign('!'), rest @ ..] = inside {
            inside = rest;
        }
        if let [Piece::Sign('['), items @ .., Piece::Sign(']')] = inside {
            inside = items;
        }
        let mut depth = 0usize;
        let parts = inside.split(|piece| {
            match piece {
                Piece::Sign('(' | '[' | '{') => depth += 1,
                Piece::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && *piece == Piece::Sign(',')
        });
        parts
            .filter(|part| part.iter().any(|piece| *piece != Piece::End))
            .map(|part| self.value(part))
            .collect()
    }

    /// The path or text that an expression makes, if it is made of known parts.
    fn value(&self, expression: &[Piece<'_>]) -> Option<String> {
        let asks_home = |piece: &Piece<'_>| match piece {
            Piece::Name(name) => HOMES.contains(name),
            Piece::Text(text) => matches!(*text, "HOME" | "USERPROFILE"),
            Piece::Sign(_) | Piece::End => false,
        };
        let mut parts: Vec<String> = Vec::new();
        // What stands before the home only leads to it.
        let from = expression.iter().rposition(asks_home).map_or(0, |at| {
            parts.push("~".to_owned());
            at + 1
        });
        let behind = expression.get(from..).unwrap_or_default();
        let formats = expression.get(..from).unwrap_or_default().iter().find_map(|piece| match piece {
            Piece::Text(text) if is_format(text) => Some((*text).to_owned()),
            _ => None,
        });
        parts.splice(..0, formats);
        for (at, piece) in behind.iter().enumerate() {
            match piece {
                Piece::Name(name) if is_other_function(behind, at) => {
                    let is_known = MAKERS.contains(name) || HOMES.contains(name);
                    if !is_known {
                        return None;
                    }
                }
                Piece::Text(text) => parts.push((*text).to_owned()),
                Piece::Name(name) => match self.values.get(name) {
                    Some(value) => parts.push(value.clone()),
                    None if PLAIN.contains(name) => {}
                    // A method, or what to do if there is none: `.unwrap()`, `.join(…)`.
                    None if at > 0 && matches!(behind.get(at - 1), Some(Piece::Sign('.' | ':'))) => {}
                    None => return None,
                },
                Piece::Sign(_) | Piece::End => {}
            }
        }
        self.joined(parts)
    }

    fn joined(&self, parts: Vec<String>) -> Option<String> {
        let mut parts = parts.into_iter();
        let mut whole = self.with_names(parts.next()?)?;
        for part in parts {
            let mark = ["{}", "%s", "%v"].iter().filter_map(|mark| Some((whole.find(mark)?, *mark))).min();
            match mark {
                None if part.is_empty() => {}
                None if whole.is_empty() => whole = part,
                Some((_, mark)) => whole = whole.replacen(mark, &part, 1),
                None if part.starts_with('/') || whole.ends_with('/') => whole.push_str(&part),
                None => whole = format!("{whole}/{part}"),
            }
            if whole.len() > MOST_VALUE {
                return None;
            }
        }
        let whole = whole.replace("$HOME", "~").replace("${HOME}", "~");
        (!whole.contains(['{', '%'])).then_some(whole)
    }

    /// `{home}/x` with the variables in it. `None` if it becomes too long.
    fn with_names(&self, mut text: String) -> Option<String> {
        if !text.contains('{') {
            return Some(text);
        }
        for (name, value) in &self.values {
            let mark = format!("{{{name}}}");
            let times = text.matches(mark.as_str()).count();
            if text.len() + times * value.len() > MOST_VALUE {
                return None;
            }
            text = text.replace(&mark, value);
        }
        Some(text)
    }
}

/// Whether the name at a place is a function of a module: `os.MkdirTemp(…)`, `env::temp_dir()`.
fn is_other_function(pieces: &[Piece<'_>], at: usize) -> bool {
    let is_called = pieces.get(at + 1) == Some(&Piece::Sign('('));
    let before = pieces.get(..at).unwrap_or_default();
    let module = match before {
        [.., Piece::Name(module), Piece::Sign('.')]
        | [.., Piece::Name(module), Piece::Sign(':'), Piece::Sign(':')] => module,
        _ => return false,
    };
    is_called && PLAIN.contains(module)
}

fn is_format(text: &str) -> bool {
    text.contains("{}") || text.contains("%s") || text.contains("%v")
}

#[cfg(test)]
mod tests {
    use super::commands;

    fn words(path: &str, text: &str) -> Vec<String> {
        let spelled = |words: &Vec<Option<String>>| {
            words.iter().map(|word| word.as_deref().unwrap_or("?")).collect::<Vec<_>>().join(" ")
        };
        commands(path, text).iter().map(spelled).collect()
    }

    #[test]
    fn rust_shows_what_it_deletes_and_starts() {
        let cases = [
            (r#"std::fs::remove_dir_all("/srv/a").ok();"#, "rm -rf /srv/a"),
            (
                r#"let home = std::env::var("HOME").unwrap(); fs::remove_dir_all(format!("{}/.config", home))"#,
                "rm -rf ~/.config",
            ),
            (r#"let home = env::var("HOME")?; fs::remove_dir_all(format!("{home}/a")).ok();"#, "rm -rf ~/a"),
            (r#"let h = dirs::home_dir().unwrap(); fs::remove_dir_all(h.join("a"))"#, "rm -rf ~/a"),
            (r#"fs::remove_dir_all(Path::new(&env::var("HOME").unwrap()).join("a"))"#, "rm -rf ~/a"),
            (r#"Command::new("rm").arg("-rf").args(["/srv/a", "b"]).status()"#, "rm -rf /srv/a b"),
            (
                r#"let mut c = Command::new("rm"); c.arg("-rf"); c.arg("/srv/a").arg("b"); c.status()"#,
                "rm -rf /srv/a b",
            ),
            (r#"Command::new("sh").args(&["-c", "rm x"]).status()"#, "sh -c rm x"),
        ];
        for (code, expected) in cases {
            assert_eq!(words("build.rs", code), [expected], "{code}");
        }
    }

    #[test]
    fn go_shows_what_it_deletes_and_starts() {
        let cases = [
            ("h, _ := os.UserHomeDir()\nos.RemoveAll(filepath.Join(h, \"a\"))\n", "rm -rf ~/a"),
            ("os.RemoveAll(os.Getenv(\"HOME\") + \"/a\")\n", "rm -rf ~/a"),
            ("os.RemoveAll(fmt.Sprintf(\"%s/a\", os.Getenv(\"HOME\")))\n", "rm -rf ~/a"),
            ("os.RemoveAll(os.ExpandEnv(\"$HOME/a\"))\n", "rm -rf ~/a"),
            ("exec.Command(\"rm\", \"-rf\", \"/srv\").Run()\n", "rm -rf /srv"),
        ];
        for (code, expected) in cases {
            assert_eq!(words("main.go", code), [expected], "{code}");
        }
    }

    #[test]
    fn another_folder_is_kept() {
        let code = r#"Command::new("git").current_dir(tmp.path()).args(["reset", "--hard"]).status()"#;
        assert_eq!(words("a.rs", code), ["env -C ? git reset --hard"]);
    }

    #[test]
    fn hostile_code_is_no_work() {
        let doubling = |number: usize| {
            format!("let b{} = format!(\"{{b{number}}}{{b{number}}}{{b{number}}}\");", number + 1)
        };
        let bomb = format!("let b0 = \"x\"; {}", (0..60).map(doubling).collect::<String>());
        assert!(words("build.rs", &bomb).is_empty());
        assert!(words("q.go", &"os.Remove(".repeat(5_000)).len() <= super::MOST_COMMANDS);
        // A file that is half written.
        assert_eq!(words("a.go", "exec.CommandContext("), [""]);
    }

    #[test]
    fn what_is_only_known_at_run_time_is_left_out() {
        let cases = [
            r#"fs::remove_dir_all(tmp.path().join("src"))"#,
            "fs::remove_dir_all(&dir)",
            r#"// fs::remove_dir_all("/srv")"#,
            r#"fs::remove_dir_all(make_dir("a"))"#,
            r#"let text = "fs::remove_dir_all(\"/srv\")";"#,
            r#"router.remove_file("/srv")"#,
            r#"let dir = std::env::temp_dir().join("x"); fs::remove_dir_all(&dir)"#,
            r#"fs::remove_dir_all(tempfile::tempdir_in("").unwrap().path())"#,
        ];
        for code in cases {
            assert!(words("build.rs", code).is_empty(), "{code}: {:?}", words("build.rs", code));
        }
        let cases = [
            "tmp, err := os.MkdirTemp(\"\", \"x\")\ndefer os.RemoveAll(tmp)\n",
            "tmp, _ := os.MkdirTemp(\"\", \"x\")\ndefer os.RemoveAll(tmp)\n",
            "tmp, err := ioutil.TempDir(\"\", \"\")\nos.RemoveAll(tmp)\n",
            "f, err := os.CreateTemp(\"\", \"x\")\nos.Remove(f.Name())\n",
            "os.RemoveAll(filepath.Join(os.TempDir(), \"x\"))\n",
            "dir := t.TempDir()\nos.RemoveAll(dir)\n",
            "os.RemoveAll(os.Getwd())\n",
            "dir, err := os.Getwd()\nos.RemoveAll(filepath.Join(dir, \"x\"))\n",
        ];
        for code in cases {
            assert!(words("main.go", code).is_empty(), "{code}: {:?}", words("main.go", code));
        }
    }

    #[test]
    fn an_empty_part_of_a_path_is_no_root() {
        for code in ["os.RemoveAll(filepath.Join(\"\", \"x\"))\n", "os.RemoveAll(\"\" + \"x\" + \"\")\n"] {
            assert_eq!(words("main.go", code), ["rm -rf x"], "{code}");
        }
        assert_eq!(words("build.rs", r#"fs::remove_dir_all(Path::new("").join("x"))"#), ["rm -rf x"]);
    }
}
