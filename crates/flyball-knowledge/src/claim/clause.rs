//! Reads sentences from left to right: a word that forbids or demands counts for the code behind it, up to the end of its
//! clause.

use flyball_core::text::Words;

use super::{Claim, Demand, Verb};

const FORBIDS: Words = Words(
    "never|don't|dont|not|no|avoid|mustn't|shouldn't|cannot|can't|forbidden|prohibited|banned|disallowed|stop",
);
/// Words that leave a choice.
const SOFT: Words = Words("avoid|should|shouldn't|prefer|rather|try|generally|usually|typically|instead");
const USES: Words = Words(
    "use|uses|using|used|prefer|always|run|runs|only|with|via|through|must|should|execute|call|invoke|ensure|make",
);
/// Words behind a name that forbid it: `npm` is forbidden.
const FORBIDDEN_BEHIND: Words =
    Words("forbidden|prohibited|banned|disallowed|off-limits|read-only|generated|deprecated");
const EDITS: Words = Words(
    "edit|edits|editing|edited|modify|modifying|change|changing|touch|touching|write|writing|alter|update|updating|\
     delete|deleting|remove|removing|hand-edit|overwrite|rename|move|create|creating|add|adding|tweak",
);
const COMMITS: Words = Words("commit|committing|committed|stage|check-in");
const READS: Words = Words("read|reading|open|opening|print|printing|cat|log|logging|show|expose|share|look");
const FORMATS: Words =
    Words("format|formats|formatted|formatting|formatter|lint|linted|linting|linter|lints");
const RUNS: Words = Words(
    "run|running|runs|use|using|uses|execute|executing|call|calling|invoke|invoking|install|installing|start|push|\
     pushing|prefer|rely",
);
/// What makes a rule hold only sometimes.
const CONDITIONS: Words =
    Words("unless|except|if|when|until|while|where|without|outside|blindly|between|during");
/// Words between a verb and the file that it is about.
const FILLERS: Words = Words(
    "the|a|an|any|all|file|files|anything|code|in|under|inside|within|of|or|and|directly|manually|by|hand|generated|existing|,|`|\
     these|this|those|contents|your|our",
);
/// What begins another thought: what is behind it is not what is forbidden.
const TURNS: Words = Words("after|before|because|so|when|if|unless|since|while|until|for|as|like");
/// What follows a name that is forbidden only somewhere.
const PLACES: Words = Words("in|on|for|from|as|inside|outside|during|within|to|with|here|there");
/// What ends the work.
const ENDINGS: Words = Words(
    "commit|committing|finish|finishing|finished|done|complete|completing|completed|completion|pr|prs|pull|push|pushing|\
     submit|submitting|merge|merging|stop|stopping|handing|ending|declaring|considering|claiming",
);
const ASKS: &[&str] = &[
    "ask before",
    "ask first",
    "ask the user",
    "ask me",
    "without asking",
    "without approval",
    "without permission",
    "without explicit",
    "without confirm",
    "without being asked",
    "without user",
    "unless asked",
    "unless explicitly",
    "unless told",
    "unless i ",
    "unless the user",
    "only when asked",
    "only if asked",
    "confirm before",
    "get approval",
    "get permission",
    "get confirmation",
    "requires approval",
    "require approval",
    "needs approval",
    "needs confirmation",
    "explicit permission",
    "explicit approval",
    "explicitly asked",
    "explicitly requested",
];
/// What says that something is done after each change.
const AFTERWARDS: &[&str] = &[
    "after each change",
    "after every change",
    "after any change",
    "after making changes",
    "after changes",
    "after modifying",
    "after editing",
    "after every edit",
    "after each edit",
    "after code changes",
    "after you make changes",
    "must pass",
    "always pass",
];

/// The claims of a rule. `lead` announces it, and `is_tool` tells names of tools from other words.
#[must_use]
pub fn read(lead: &str, text: &str, is_tool: &dyn Fn(&str) -> bool) -> Vec<Claim> {
    let announced = announced(lead);
    let mut claims: Vec<Claim> = Vec::new();
    for sentence in sentences(text) {
        let mut found = Sentence::new(&sentence, announced).claims(is_tool);
        // `Don't use npm. Use pnpm instead.`
        let used = found.iter().find(|claim| claim.demand == Demand::Used).map(|claim| claim.code.clone());
        let small = sentence.trim_start().to_lowercase();
        let is_answer = small.contains("instead") || small.starts_with("use ");
        if let (Some(last), Some(used), true) = (claims.last_mut(), used, is_answer)
            && last.demand == Demand::Forbidden
        {
            last.instead.get_or_insert(used);
        }
        found.retain(|claim| !claims.contains(claim));
        claims.append(&mut found);
    }
    claims
}

/// What the words in front of a list say about all its items.
fn announced(lead: &str) -> Option<Demand> {
    let small = lead.to_lowercase().replace('\u{2019}', "'");
    let words: Vec<&str> = small.split(|letter: char| !letter.is_alphanumeric() && letter != '\'').collect();
    if ASKS.iter().any(|words| small.contains(words)) {
        return Some(Demand::AskFirst);
    }
    let forbids = words.iter().take(6).any(|word| FORBIDS.contains(word));
    (forbids && small.trim_end().trim_end_matches(['*', '_']).ends_with(':')).then_some(Demand::Forbidden)
}

/// Sentences, without code fences. A full stop inside of code or of a word ends nothing.
fn sentences(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut is_fence = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_fence = !is_fence;
            continue;
        }
        if is_fence {
            continue;
        }
        let mut sentence = String::new();
        let mut is_code = false;
        let mut letters = line.chars().peekable();
        while let Some(letter) = letters.next() {
            is_code ^= letter == '`';
            let ends =
                !is_code && ".!?".contains(letter) && letters.peek().is_none_or(|next| next.is_whitespace());
            sentence.push(letter);
            if ends {
                all.push(std::mem::take(&mut sentence));
            }
        }
        all.push(sentence);
    }
    all.retain(|sentence| !sentence.trim().is_empty());
    all
}

/// A sentence, taken apart.
struct Sentence {
    parts: Vec<Part>,
    small: String,
    announced: Option<Demand>,
}

enum Part {
    Word(String),
    Code(String),
    /// What separates clauses.
    Break,
    Comma,
}

/// What the words so far say about the next code.
#[derive(Clone, Copy)]
struct Mood {
    demand: Option<Demand>,
    verb: Option<Verb>,
    is_soft: bool,
    /// Whether the verb has another object than the next code.
    has_object: bool,
}

impl Sentence {
    fn new(text: &str, announced: Option<Demand>) -> Sentence {
        let mut parts = Vec::new();
        let plain = text
            .replace('\u{2019}', "'")
            .replace(['*', '_'], " ")
            .replace('❌', " never ")
            .replace('✅', " use ");
        let mut is_code = false;
        for piece in plain.split('`') {
            if is_code {
                // Underlines were taken for emphasis.
                let at = text
                    .split('`')
                    .nth(parts.iter().filter(|part| matches!(part, Part::Code(_))).count() * 2 + 1);
                parts.push(Part::Code(at.unwrap_or(piece).trim().to_owned()));
            } else {
                words(piece, &mut parts);
            }
            is_code = !is_code;
        }
        Sentence { parts, small: plain.to_lowercase(), announced }
    }

    fn claims(&self, is_tool: &dyn Fn(&str) -> bool) -> Vec<Claim> {
        let has_code = self.parts.iter().any(|part| matches!(part, Part::Code(_)));
        let asks = ASKS.iter().any(|words| self.small.contains(words));
        let start = Mood { demand: self.announced, verb: None, is_soft: false, has_object: false };
        let (mut mood, mut claims) = (start, Vec::new());
        let mut words: Vec<&str> = Vec::new();
        for part in &self.parts {
            match part {
                Part::Word(word) if !has_code && is_tool(word) => claims.extend(self.claim(word, mood, asks)),
                Part::Word(word) => {
                    mood = mood.after(word, &words);
                    words.push(word);
                }
                Part::Code(code) => {
                    claims.extend(self.claim(code, mood, asks));
                    words.push("`");
                }
                Part::Comma => words.push(","),
                Part::Break => {
                    mood = start;
                    words.clear();
                }
            }
        }
        self.finish(claims)
    }

    fn claim(&self, code: &str, mood: Mood, asks: bool) -> Option<Claim> {
        let demand = match (mood.demand, asks) {
            (Some(Demand::Forbidden), true) => Demand::AskFirst,
            (None, true) if self.small.trim_start_matches(['-', ' ', '*']).starts_with("ask") => {
                Demand::AskFirst
            }
            (Some(demand), _) => demand,
            (None, _) if self.is_forbidden_behind(code) => Demand::Forbidden,
            (None, _) => return None,
        };
        let is_of_file = matches!(mood.verb, Some(Verb::Edit | Verb::Commit));
        // `Do not add documentation to docs/` is about more than the folder; a command stands for itself.
        if is_of_file && mood.has_object && !code.contains(' ') {
            return None;
        }
        let is_conditional = self.is_limited(code)
            || self
                .small
                .split(|letter: char| !letter.is_alphanumeric())
                .any(|word| CONDITIONS.contains(word));
        // `Avoid it between edits` leaves too much to whoever reads it.
        if mood.is_soft && is_conditional && demand == Demand::Forbidden {
            return None;
        }
        let is_behind = mood.demand.is_none();
        Some(Claim {
            code: code.to_owned(),
            demand,
            verb: mood.verb.unwrap_or(if is_behind { Verb::Edit } else { Verb::Run }),
            is_strict: demand == Demand::Forbidden && !mood.is_soft && !is_conditional,
            instead: None,
        })
    }

    /// Whether a name is forbidden only somewhere: `push` in production.
    fn is_limited(&self, code: &str) -> bool {
        let Some((_, behind)) = self.small.split_once(&format!("`{}`", code.to_lowercase())) else {
            return false;
        };
        let next = behind.split_whitespace().next().unwrap_or_default();
        behind.starts_with(' ') && PLACES.contains(next)
    }

    /// `src/gen/` is generated, `npm` is forbidden.
    fn is_forbidden_behind(&self, code: &str) -> bool {
        let Some((_, behind)) = self.small.split_once(&format!("`{}`", code.to_lowercase())) else {
            return false;
        };
        let clause = behind.split([';', '.']).next().unwrap_or_default();
        let mut words = clause.split_whitespace().map(|word| word.trim_matches([',', ':', ')']));
        let is_said = words.next().is_some_and(|word| ["is", "are", "must"].contains(&word));
        // `Is not generated` and `is hand-written, not generated` forbid nothing.
        let next: Vec<&str> = words.take(3).collect();
        is_said
            && next.iter().any(|word| FORBIDDEN_BEHIND.contains(word))
            && !next.iter().any(|word| ["not", "(not", "never"].contains(word))
    }

    /// What all claims of the sentence say together.
    fn finish(&self, mut claims: Vec<Claim>) -> Vec<Claim> {
        let used = claims.iter().find(|claim| claim.demand == Demand::Used).map(|claim| claim.code.clone());
        let is_before_done = self.is_before_done();
        for claim in &mut claims {
            match claim.demand {
                Demand::Forbidden => claim.instead.clone_from(&used),
                Demand::Used if is_before_done => claim.demand = Demand::BeforeDone,
                Demand::Used | Demand::AskFirst | Demand::BeforeDone => {}
            }
        }
        claims
    }

    /// Whether something has to be done before the work is: `before you commit`, `after every change`.
    fn is_before_done(&self) -> bool {
        let behind =
            self.small.match_indices("before").filter_map(|(at, word)| self.small.get(at + word.len()..));
        let ends = |rest: &str| {
            let mut words =
                rest.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).take(5);
            words.any(|word| ENDINGS.contains(word))
        };
        behind.into_iter().any(ends) || AFTERWARDS.iter().any(|words| self.small.contains(words))
    }
}

impl Mood {
    /// The mood behind one more word; `before` are the words of the clause so far.
    fn after(mut self, word: &str, before: &[&str]) -> Mood {
        let last = before.last().copied().unwrap_or_default();
        if SOFT.contains(word) {
            self.is_soft = true;
        }
        let verb = [
            (EDITS, Verb::Edit),
            (COMMITS, Verb::Commit),
            (FORMATS, Verb::Format),
            (READS, Verb::Read),
            (RUNS, Verb::Run),
        ];
        if let Some((_, verb)) = verb.iter().find(|(words, _)| words.contains(word)) {
            (self.verb, self.has_object) = (Some(*verb), false);
        } else if self.verb.is_some() && !FILLERS.contains(word) {
            self.has_object = true;
        }
        if self.demand == Some(Demand::Forbidden) && TURNS.contains(word) {
            (self.demand, self.verb) = (None, None);
            return self;
        }
        let replaces = (word == "of" && last == "instead") || (word == "than" && last == "rather");
        let is_over = word == "over" && self.demand == Some(Demand::Used);
        if replaces || is_over || (FORBIDS.contains(word) && !(word == "no" && last == "with")) {
            // `Do not forget to` and `not only` forbid nothing.
            self.demand = Some(Demand::Forbidden);
        } else if ["forget", "only", "hesitate", "skip"].contains(&word)
            && ["not", "don't", "never"].contains(&last)
        {
            self.demand = if word == "skip" { self.demand } else { Some(Demand::Used) };
        } else if word == "without" {
            self.demand = Some(Demand::Used);
        } else if USES.contains(word) {
            // `never use` forbids; `never npm, use pnpm` demands.
            let is_new = last == ","
                || last.is_empty()
                || last == "`"
                || ["and", "always", "instead", "please"].contains(&last);
            let is_only = word == "only" && self.demand != Some(Demand::Forbidden);
            let is_turned = is_only || (is_new && !before.is_empty() && last != "and");
            let is_open = self.demand != Some(Demand::Forbidden) || is_turned;
            if is_open && self.demand != Some(Demand::AskFirst) {
                self.demand = Some(Demand::Used);
            }
        } else if FORMATS.contains(word) && self.demand.is_none() {
            self.demand = Some(Demand::Used);
        }
        self
    }
}

/// The words of a text outside of code.
fn words(text: &str, parts: &mut Vec<Part>) {
    for word in text.split_whitespace() {
        let is_dash = ["-", "\u{2013}", "\u{2014}", "--", "->", "\u{2192}"].contains(&word);
        if is_dash || ["but", "because", "since"].contains(&word.to_lowercase().as_str()) {
            parts.push(Part::Break);
            continue;
        }
        let bare =
            word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '\'' && letter != '-');
        if !bare.is_empty() {
            parts.push(Part::Word(bare.to_lowercase()));
        }
        if word.ends_with([';', ':']) {
            parts.push(Part::Break);
        } else if word.ends_with(',') || word == "," {
            parts.push(Part::Comma);
        }
    }
}
