//! Tells whether a person's words correct what the agent did. Knows English only, and rather misses one than takes a
//! new task for one: only the first words count, since that is where people complain.

use flyball_core::text::Words;

/// How much of a prompt is looked at, in letters. Specifications are long, corrections are not.
const LETTERS: usize = 600;

/// What a correction asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Correction {
    /// It says what to do from now on.
    Rule,
    /// It says that something was wrong.
    Complaint,
}

/// Polite openings before the point.
const OPENINGS: Words = Words(
    "please|ok|okay|but|and|well|hm|hmm|hey|sorry|actually|wait|thanks|again|also|so|ugh|you must|\
    you should|once more|as i said|i said|nope|no",
);

/// Phrases that complain anywhere in the first sentences.
const COMPLAINTS: Words = Words(
    "that's wrong|that is wrong|this is wrong|that was wrong|it's wrong|that's not right|\
    that isn't right|this isn't right|that's incorrect|this is incorrect|not what i asked|\
    not what i meant|not what i wanted|not what i said|that's not how|this is not how|i told you|\
    i already told you|i already said|as i already said|didn't i tell you|why did you|why would you|\
    why are you still|why do you keep|you were not supposed|you weren't supposed|you shouldn't have|\
    you should not have|you should have used|that's the wrong|that is the wrong|this is the wrong|\
    it's the wrong|stop doing|stop using|stop adding|stop changing|stop editing|stop creating|\
    stop writing|don't do that|do not do that|don't do this again|never do that",
);

/// Words that complain where a clause begins with them: "check whether you forgot a file" is a task.
const ACCUSES: Words = Words(
    "you keep |you broke|you forgot|you missed|you ignored|you deleted|you overwrote|wrong file|\
    wrong folder|wrong directory|wrong branch",
);

/// What separates two clauses.
const JOINTS: &[&str] = &[", ", ": ", " - ", " and ", " but ", " because ", " think "];

/// How a sentence begins that asks to undo something.
const TAKES_BACK: Words = Words(
    "revert that|revert this|revert it|revert your|revert the last|undo that|undo this|undo it|undo your|\
    undo the last|roll that back|roll it back|put it back|take that out again",
);

/// How a sentence begins that forbids.
const FORBIDS: &[&str] = &["don't", "dont", "do not", "never", "stop"];

/// Verbs of a rule. Others ("don't worry", "always fails") are talk.
const ACTIONS: Words = Words(
    "use|run|write|add|check|keep|put|prefer|call|import|ask|read|test|format|commit|start|make|edit|\
    touch|push|mock|hardcode|hard-code|delete|remove|change|modify|skip|install|create|return|log|catch|\
    rename|move|build|disable|update|using|adding|editing|changing|writing|running|guess|invent|include|\
    mix",
);

/// What follows a plain "no" that corrects.
const AFTER_NO: Words = Words(
    "use |not |wrong|instead|don't|do not|should|supposed|must|never|always|revert|undo|i meant|i said|\
    i asked|i want|belongs|the other",
);

/// What people say of themselves.
const OWN: Words = Words(
    "i don't |i do not |we don't need|we do not need|it's not needed|not needed|not necessary|not now|not yet|\
    not really|not today|not sure|don't worry|don't bother",
);

/// What a prompt corrects, if it reads like a correction.
pub(super) fn detect(prompt: &str) -> Option<Correction> {
    let text = plain(prompt);
    let mut all = sentences(&text);
    let first = all.next()?;
    if is_rule(first) {
        return Some(Correction::Rule);
    }
    let is_question = first.ends_with('?');
    if first == "no" || first == "nope" {
        let second = all.next()?;
        let is_meant = !second.ends_with('?') && corrects_by_no(&format!("no, {second}"));
        return if is_rule(second) {
            Some(Correction::Rule)
        } else {
            is_meant.then_some(Correction::Complaint)
        };
    }
    if !is_question && corrects_by_no(first) {
        return Some(if all.next().is_some_and(is_rule) { Correction::Rule } else { Correction::Complaint });
    }
    let second = all.next();
    let complains = |sentence: &str| {
        let opened = opened(sentence);
        // A question complains only if it begins with the phrase: `why did you …?`
        COMPLAINTS.iter().any(|words| sentence.contains(words) && (!is_question || opened.starts_with(words)))
            || clauses(opened).any(|clause| ACCUSES.iter().any(|words| clause.starts_with(words)))
            || (TAKES_BACK.iter().any(|words| opened.starts_with(words))
                && !sentence.ends_with('?')
                && !is_bare_take_back(opened))
    };
    if !complains(first) || is_shrugged_off(first) {
        return None;
    }
    Some(if second.is_some_and(is_rule) { Correction::Rule } else { Correction::Complaint })
}

/// `revert that`, and nothing that says why: the person changed their mind, perhaps.
fn is_bare_take_back(sentence: &str) -> bool {
    let bare = sentence.trim_end_matches(", please").trim_end_matches(" please").trim_end_matches(" again");
    TAKES_BACK.iter().any(|words| bare == words) && !bare.ends_with("your") && !bare.ends_with("last")
}

/// `that's wrong, but fine`.
fn is_shrugged_off(sentence: &str) -> bool {
    let shrugs =
        ["but fine", "but ok", "but okay", "but whatever", "but leave it", "but keep it", "but never mind"];
    shrugs.iter().any(|words| sentence.ends_with(words))
}

/// The words in small letters, one kind of apostrophe, without quoted code.
fn plain(prompt: &str) -> String {
    let mut outside = String::new();
    for (number, part) in prompt.split("```").enumerate() {
        if number % 2 == 0 {
            outside.push_str(part);
        }
    }
    let start: String = outside.trim().chars().take(LETTERS).collect();
    start.to_lowercase().replace(['\u{2019}', '\u{2018}'], "'")
}

/// What a sentence and each clause of it begin with.
fn clauses(sentence: &str) -> impl Iterator<Item = &str> {
    let behind = |joint: &'static &'static str| {
        sentence.match_indices(*joint).filter_map(|(at, _)| sentence.get(at + joint.len()..))
    };
    std::iter::once(sentence).chain(JOINTS.iter().flat_map(behind))
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    // A full stop inside of a word (`a.py`) ends nothing.
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|letter: char| letter.is_whitespace() || ".!;".contains(letter));
        if rest.is_empty() {
            return None;
        }
        let is_end = |(at, letter): &(usize, char)| {
            let next = rest.get(at + letter.len_utf8()..).and_then(|behind| behind.chars().next());
            *letter == '\n' || (".!?;".contains(*letter) && next.is_none_or(char::is_whitespace))
        };
        let end = rest.char_indices().find(is_end).map_or(rest.len(), |(at, letter)| at + letter.len_utf8());
        let (sentence, behind) = rest.split_at_checked(end)?;
        rest = behind;
        Some(sentence.trim().trim_end_matches(['.', '!', ';']))
    })
}

/// A sentence without politeness in front of it.
fn opened(sentence: &str) -> &str {
    let mut rest = sentence;
    loop {
        let start = rest.trim_start_matches(|letter: char| letter.is_whitespace() || ",:-".contains(letter));
        let opening = OPENINGS.iter().find_map(|opening| {
            let behind = start.strip_prefix(opening)?;
            behind.starts_with([' ', ',', ':']).then_some(behind)
        });
        match opening {
            Some(behind) => rest = behind,
            None => return start,
        }
    }
}

/// Whether a sentence is a rule for the future.
fn is_rule(sentence: &str) -> bool {
    if sentence.ends_with('?') {
        return false;
    }
    let start = opened(sentence);
    // `we always use uv here`
    let start = start.strip_prefix("we ").unwrap_or(start);
    let is_action = |rest: &str| {
        let word = rest.trim_start().split([' ', ',']).next().unwrap_or_default();
        ACTIONS.contains(word)
    };
    let forbids = FORBIDS
        .iter()
        .any(|words| start.strip_prefix(words).is_some_and(|rest| rest.starts_with(' ') && is_action(rest)));
    let always =
        start.strip_prefix("always ").is_some_and(is_action) || start.strip_prefix("from now on").is_some();
    let swaps = |marker: &str| start.starts_with("use ") && start.contains(marker);
    let instead = swaps(" instead") || swaps(", not ") || swaps(" rather than ");
    let turned = start.starts_with("instead of ") && start.contains(" use ");
    forbids || always || instead || turned
}

/// Whether a sentence begins with a "no" that corrects something.
fn corrects_by_no(sentence: &str) -> bool {
    let rest = sentence.strip_prefix("nope").or_else(|| sentence.strip_prefix("no"));
    let Some(rest) = rest.filter(|rest| rest.starts_with([',', '.', '!', ':', ' '])) else { return false };
    // `no problem` and `no tests yet` correct nothing.
    let is_marked = !rest.starts_with(' ')
        || rest.trim_start().starts_with("that")
        || rest.trim_start().starts_with("not ");
    // `no, I don't think so` says what the person does.
    let rest = OWN.iter().fold(rest.to_owned(), |rest, words| rest.replace(words, " "));
    is_marked && AFTER_NO.iter().any(|words| rest.contains(words))
}
