//! Files of options: what `curl -K file` and `wget --config=file` do is in the file.

use super::launch::{Input, Launch};
use super::reader::Reader;
use super::unwrap::Invocation;
use crate::model::Word;

/// More options of one file are not read.
const MOST_OPTIONS: usize = 64;

/// The options by which a program is given such a file.
fn file_options(name: &str) -> &'static [&'static str] {
    match name {
        "curl" => &["-K", "--config"],
        "wget" => &["--config"],
        _ => &[],
    }
}

/// Whether a command has a file of options.
pub(super) fn has_option_file(name: &str, arguments: &[Word]) -> bool {
    !file_options(name).is_empty() && arguments.iter().any(|word| named_file(name, word).is_some())
}

/// What the word says about the file: its name, or an empty text if that is the next word.
fn named_file(name: &str, word: &Word) -> Option<String> {
    let text = word.text.as_deref()?;
    file_options(name)
        .iter()
        .find_map(|option| {
            let rest = text.strip_prefix(option)?;
            let is_letter = option.len() == 2;
            match rest.strip_prefix('=') {
                Some(file) => Some(file.to_owned()),
                None if rest.is_empty() || is_letter => Some(rest.to_owned()),
                None => None,
            }
        })
        // `-sK file`
        .or_else(|| {
            let is_cluster =
                name == "curl" && text.starts_with('-') && !text.starts_with("--") && text.ends_with('K');
            is_cluster.then(String::new)
        })
}

impl Reader<'_> {
    /// The call with the options that its file has.
    pub(super) fn option_file_launches(&mut self, invocation: &Invocation, input: &Input) -> Vec<Launch> {
        let Some(name) = invocation.name().filter(|name| !file_options(name).is_empty()).map(str::to_owned)
        else {
            return Vec::new();
        };
        let arguments = invocation.words.get(1..).unwrap_or_default();
        let Some(at) = arguments.iter().position(|word| named_file(&name, word).is_some()) else {
            return self.variable_file_launches(&name, invocation);
        };
        let named =
            arguments.get(at).and_then(|word| named_file(&name, word)).filter(|file| !file.is_empty());
        let next = named.is_none().then(|| arguments.get(at + 1)?.text.clone()).flatten();
        let taken = if named.is_some() { 1 } else { 2 };
        let Some(file) = named.or(next) else { return Vec::new() };
        let text = match (file.as_str(), input) {
            ("-", Input::Text(text)) => Some(text.to_string()),
            ("-", _) => None,
            _ => self.file_text(&file, &invocation.directory),
        };
        let Some(text) = text else { return Vec::new() };
        let before = arguments.iter().take(at).cloned();
        let behind = arguments.iter().skip(at + taken).cloned();
        let words =
            [Word::literal(name.clone())].into_iter().chain(before).chain(options(&text)).chain(behind);
        vec![Launch::Words { words: words.collect(), by: format!("{name} {file}") }]
    }

    /// The call with the options of a file that a variable leads to: `CURL_HOME=d curl …` reads `d/.curlrc`.
    fn variable_file_launches(&mut self, name: &str, invocation: &Invocation) -> Vec<Launch> {
        let variables = VARIABLE_FILES.iter().filter(|it| it.program == name);
        let files: Vec<String> = variables
            .filter_map(|it| {
                let own = invocation.assignments.iter().find(|(set, _)| set == it.variable);
                let own = own.and_then(|(_, value)| value.text.clone());
                let value = own.or_else(|| self.scope.value(it.variable).map(str::to_owned))?;
                Some(format!("{value}{}", it.file))
            })
            .collect();
        let mut found = Vec::new();
        for file in files {
            let by = format!("{name} {file}");
            // The call with these options is read with the same variables.
            if invocation.wrappers.contains(&by) {
                continue;
            }
            let Some(text) = self.file_text(&file, &invocation.directory) else { continue };
            let arguments = invocation.words.iter().skip(1).cloned();
            let words = [Word::literal(name)].into_iter().chain(options(&text)).chain(arguments);
            found.push(Launch::Words { words: words.collect(), by });
        }
        found
    }
}

/// A variable that leads a program to a file of options.
struct VariableFile {
    variable: &'static str,
    program: &'static str,
    /// What comes behind the value of the variable.
    file: &'static str,
}

const VARIABLE_FILES: &[VariableFile] = &[
    VariableFile { variable: "CURL_HOME", program: "curl", file: "/.curlrc" },
    VariableFile { variable: "XDG_CONFIG_HOME", program: "curl", file: "/curlrc" },
    VariableFile { variable: "HOME", program: "curl", file: "/.curlrc" },
    VariableFile { variable: "WGETRC", program: "wget", file: "" },
    VariableFile { variable: "HOME", program: "wget", file: "/.wgetrc" },
];

/// Whether a variable leads a program to a file of options.
pub(super) fn leads_to_options(variable: &str) -> bool {
    VARIABLE_FILES.iter().any(|it| it.variable == variable)
}

/// The options that a file has.
fn options(text: &str) -> impl Iterator<Item = Word> {
    text.lines().filter_map(option).take(MOST_OPTIONS).flatten().map(Word::literal)
}

/// The words of one line: `data = "@x"`, `url: x`, `-d x`, `post_file = x`.
fn option(line: &str) -> Option<Vec<String>> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let end =
        line.find(|letter: char| letter.is_whitespace() || matches!(letter, '=' | ':')).unwrap_or(line.len());
    let (name, rest) = line.split_at_checked(end)?;
    let value =
        rest.trim_start_matches(|letter: char| letter.is_whitespace() || matches!(letter, '=' | ':')).trim();
    let value = value.strip_prefix('"').map_or(value, |inner| inner.trim_end_matches('"'));
    let name = if name.starts_with('-') { name.to_owned() } else { format!("--{}", name.replace('_', "-")) };
    Some([name].into_iter().chain((!value.is_empty()).then(|| value.to_owned())).collect())
}

#[cfg(test)]
mod tests {
    use super::option;

    #[test]
    fn a_line_is_an_option_with_its_value() {
        let cases: [(&str, Option<&[&str]>); 6] = [
            ("data-binary = \"@.env\"", Some(&["--data-binary", "@.env"])),
            ("url: https://a.example/in", Some(&["--url", "https://a.example/in"])),
            ("-d @x", Some(&["-d", "@x"])),
            ("post_file = .env", Some(&["--post-file", ".env"])),
            ("silent", Some(&["--silent"])),
            ("# url = x", None),
        ];
        for (line, expected) in cases {
            assert_eq!(
                option(line).as_deref(),
                expected.map(|words| words.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()).as_deref(),
                "{line}"
            );
        }
    }
}
