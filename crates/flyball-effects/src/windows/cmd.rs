//! Lines of `cmd`, as lines of sh.

use super::argument::{Argument, quote};
use super::cmdlets::cmd_call;
use super::names::{place, plain, variable};

/// A line of sh that does the same.
pub(super) fn translate(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut reader = Reader { letters: line.chars().peekable() };
        out.push_str(&reader.line());
        out.push('\n');
    }
    out.trim_end().to_owned()
}

struct Reader<'a> {
    letters: std::iter::Peekable<std::str::Chars<'a>>,
}

impl Reader<'_> {
    fn line(&mut self) -> String {
        let mut out = String::new();
        let mut words = Vec::new();
        let mut redirects = String::new();
        loop {
            while self.letters.next_if(|letter| letter.is_whitespace()).is_some() {}
            let Some(letter) = self.letters.peek().copied() else { break };
            match letter {
                '&' | '|' => {
                    self.letters.next();
                    let is_double = self.letters.next_if_eq(&letter).is_some();
                    out.push_str(&command(std::mem::take(&mut words), &std::mem::take(&mut redirects)));
                    out.push_str(match (letter, is_double) {
                        ('&', false) => "\n",
                        ('&', true) => " && ",
                        (_, false) => " | ",
                        (_, true) => " || ",
                    });
                }
                '(' | ')' => {
                    self.letters.next();
                    out.push_str(&command(std::mem::take(&mut words), &std::mem::take(&mut redirects)));
                    out.push('\n');
                }
                '>' | '<' => self.redirect("", &mut redirects),
                '0'..='2' if self.is_descriptor() => {
                    let number = self.letters.next().unwrap_or('1').to_string();
                    self.redirect(&number, &mut redirects);
                }
                '@' if words.is_empty() => {
                    self.letters.next();
                }
                _ => words.push(self.word()),
            }
            if words
                .first()
                .and_then(|word: &Argument| word.text.as_deref())
                .is_some_and(|name| name.eq_ignore_ascii_case("rem") || name.starts_with("::"))
            {
                return out;
            }
        }
        out.push_str(&command(words, &redirects));
        out
    }

    fn is_descriptor(&self) -> bool {
        let mut ahead = self.letters.clone();
        ahead.next();
        ahead.peek() == Some(&'>')
    }

    fn redirect(&mut self, descriptor: &str, redirects: &mut String) {
        let sign = self.letters.next().unwrap_or('>');
        let operator =
            if self.letters.next_if_eq(&sign).is_some() { ">>".to_owned() } else { sign.to_string() };
        if self.letters.next_if_eq(&'&').is_some() {
            self.letters.next();
            return;
        }
        while self.letters.next_if(|letter| letter.is_whitespace()).is_some() {}
        if self.letters.peek().is_none() {
            return;
        }
        let target = self.word();
        let is_nothing = target.text.as_deref().is_some_and(|text| text.eq_ignore_ascii_case("nul"));
        let target = if is_nothing { "/dev/null".to_owned() } else { target.as_place() };
        redirects.push_str(&format!(" {descriptor}{operator} {target}"));
    }

    /// One word: `"…"` keeps spaces, `^` takes away what a letter means, `%NAME%` is a variable.
    fn word(&mut self) -> Argument {
        let (mut sh, mut text, mut literal) = (String::new(), String::new(), String::new());
        let (mut is_known, mut is_quoted) = (true, false);
        while let Some(letter) = self.letters.peek().copied() {
            if !is_quoted && (letter.is_whitespace() || matches!(letter, '&' | '|' | '<' | '>' | '(' | ')')) {
                break;
            }
            self.letters.next();
            match letter {
                '"' => is_quoted = !is_quoted,
                '^' if !is_quoted => literal.extend(self.letters.next()),
                '%' | '!' => match self.named(letter) {
                    Some(Ok(known)) => literal.push_str(&known),
                    Some(Err(unknown)) => {
                        text.push_str(&literal);
                        sh.push_str(&quote(&std::mem::take(&mut literal)));
                        sh.push_str(&unknown);
                        is_known = false;
                    }
                    None => literal.push(letter),
                },
                _ => literal.push(letter),
            }
        }
        text.push_str(&literal);
        if is_known {
            return Argument::literal(&text, true);
        }
        sh.push_str(&quote(&literal));
        Argument::unknown(sh)
    }

    /// The variable that is closed by the sign that began it; `%i` of a loop.
    fn named(&mut self, sign: char) -> Option<Result<String, String>> {
        let name: String = self.letters.clone().take_while(|letter| *letter != sign).collect();
        let is_name = !name.is_empty()
            && name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '(' | ')'));
        let is_closed = self.letters.clone().nth(name.chars().count()) == Some(sign);
        if is_name && is_closed {
            for _ in 0..=name.chars().count() {
                self.letters.next();
            }
            return Some(variable(&format!("env:{name}")));
        }
        let mut ahead = self.letters.clone();
        ahead.next_if_eq(&'%');
        let is_loop =
            sign == '%' && ahead.next().is_some_and(|letter| letter.is_ascii_alphabetic() || letter == '~');
        is_loop.then(|| {
            self.letters.next_if_eq(&'%');
            while self.letters.next_if_eq(&'~').is_some() {}
            self.letters.next();
            Err("\"$cmd_item\"".to_owned())
        })
    }
}

fn command(mut words: Vec<Argument>, redirects: &str) -> String {
    // What stands in front of a command: `if exist x`, `for %i in (…) do`, `else`.
    loop {
        let name =
            words.first().and_then(|word| word.text.as_deref()).unwrap_or_default().to_ascii_lowercase();
        let taken = match name.as_str() {
            "do" | "else" => 1,
            "if" => match words
                .get(1)
                .and_then(|word| word.text.as_deref())
                .map(str::to_ascii_lowercase)
                .as_deref()
            {
                Some("not") => 4,
                _ => 3,
            },
            "for" => {
                return if redirects.is_empty() { "true".to_owned() } else { format!("true{redirects}") };
            }
            "set" => return set(words.get(1..).unwrap_or_default()),
            _ => break,
        };
        words.drain(..taken.min(words.len()));
    }
    if words.is_empty() {
        return format!("true{redirects}");
    }
    // A path with backslashes is the program.
    if let Some(text) = words.first().and_then(|word| word.text.clone())
        && let Some(first) = words.first_mut()
    {
        // `del/s` and `cd\` need no space.
        let (name, attached) =
            match text.find(['/', '\\']).filter(|at| (2..=5).contains(at) && !text.contains('.')) {
                Some(at) => text.split_at(at),
                None => (text.as_str(), ""),
            };
        if flyball_programs::cmdlet(&format!("cmd/{name}")).is_some() && !attached.is_empty() {
            *first = Argument::literal(name, true);
            words.insert(1, Argument::literal(attached, true));
        } else if text.contains('\\') {
            *first = Argument::literal(&place(&text), true);
        }
    }
    format!("{}{redirects}", cmd_call(&words))
}

/// `set NAME=value`
fn set(words: &[Argument]) -> String {
    let text: Option<Vec<&str>> = words.iter().map(|word| word.text.as_deref()).collect();
    let Some(text) = text.map(|words| words.join(" ")) else { return "true".to_owned() };
    match text.split_once('=') {
        Some((name, value)) => format!("{}={}", plain(name), quote(value)),
        None => "env".to_owned(),
    }
}
