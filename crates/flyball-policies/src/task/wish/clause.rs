//! One clause of a sentence: whether it says to pause, or to continue.

use flyball_core::text::Words;

/// The words of a clause, without the ones that change nothing at its beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Clause {
    words: Vec<String>,
    /// Whether it only says how things are.
    is_remark: bool,
    /// Whether it begins with who is meant to do it: `let's`, `please`, `you can`.
    has_subject: bool,
}

/// By which people begin before they come to it. The longest first.
const OPENERS: Words = Words(
    "thank you very much|thanks a lot|thank you|good work|nice work|great work|good job|nice job|great job|\
     well done|all right|no problem|for now|ok|okay|alright|right|good|great|nice|fine|perfect|thanks|well|\
     so|now|then|and|but|hey|hi|hello|yes|yeah|yep|sure|wait|actually|sorry|cool|oh|hmm|just",
);

/// Who is meant to do it, at the beginning of a clause. The longest first.
const SUBJECTS: Words = Words(
    "i think we should|i think we can|i think|i would like you to|i'd like you to|i would like us to|\
     i want you to|i need you to|i would like to|i'd like to|i want to|i need to|it's time to|feel free to|\
     go ahead and|we should|we can|we will|we'll|\
     you can|you may|you should|let us|let's|lets|please|pls|we|time to",
);

/// A request in the form of a question.
const ASKS: Words = Words("can you|could you|would you|will you|can we|shall we");
/// The same, where it is no question about what would be good.
const REQUESTS: Words =
    Words("can you please|could you please|would you please|can you just|could you just|can you|could you");

/// A time at which work goes on that ends for now.
const TIMES: Words = Words(
    "tomorrow morning|tomorrow|later today|later|next week|next time|another day|another time|in the morning|\
     in the afternoon|in the evening|after lunch|after dinner|after the weekend|after my meeting|on monday|on tuesday|\
     on wednesday|on thursday|on friday|on saturday|on sunday|monday|tuesday|wednesday|thursday|friday|tonight",
);

/// How others say it, as a whole.
const FOREIGN: Words = Words(
    "hier pausieren|pausieren|mach hier pause|mach eine pause|hier pause machen|hier aufhören|pause hier|\
     lass uns hier aufhören|lass uns hier pausieren|morgen weiter|fais une pause|on s'arrête là|pausa aquí|haz una pausa",
);

/// How a clause begins that is only about some case or another time.
const CONDITIONS: Words =
    Words("if|when|whenever|once|after|before|unless|while|as soon|as long|in case|every|should");

/// How a clause begins in which a person says how things are.
const REMARKS: Words = Words(
    "i'm|i am|i've|i have|i need|i must|i'll|i will|i got|gotta|it's|it is|that's|that is|this is|looks|\
     lunch|dinner|time|no",
);

/// What is paused.
const OBJECTS: Words = Words(
    "work on this task|work on the task|working on this task|working on the task|working on this|\
     working on it|the current task|this task|the task|our task|this work|the work|your work|this session|\
     the session|this plan|the plan|this job|everything|all work|work|working|task",
);
/// Also these, where the verb means nothing else.
const PRONOUNS: Words = Words("this|it|that|things");

const PLACES: Words = Words("right here|right there|here|there|at this point|at that");

/// How long, for the rest of a day.
const FOR_THE_DAY: Words = Words(
    "for today|for tonight|for the day|for the night|for the evening|for the weekend|for now|for the moment|\
     for the time being",
);
/// The same, where `for now` could be about anything.
const TODAY: Words =
    Words("for today|for tonight|for the day|for the night|for the evening|for the weekend|today");

/// What says it as a whole.
const PHRASES: Words = Words("pause|call it a day|call it a night|take five");

/// What kind of a break somebody takes.
const KINDS: Words = Words("short|quick|little|small|brief|long|longer|lunch|coffee|tea|dinner");

/// Ends a day as a fact, together with for how long.
const ENOUGH: Words = Words(
    "are done|am done|that's it|that is it|that's all|that is all|that's enough|that is enough|enough|i'm done|we're done|\
     we are done|done|quit|end here|finish here|wrap up",
);

/// A last thing to do, not the work itself.
const LAST_THINGS: Words = Words(
    "commit|save|push|stash|summarize|summarise|tell|show|give|list|report|write|note|wait|let|explain|\
     update|tick",
);

const CONTINUES: Words = Words(
    "continue|resume|unpause|go on|go ahead|carry on|keep going|keep on|keep working|proceed|move on|\
     get going|get back to|go back to|back to work|back to the task|back to it|pick up|pick it up|\
     pick this up|pick that up|start again|don't stop|do not stop|don't pause|mach weiter|weiter",
);

/// Not now.
const LATER: Words = Words(
    "tomorrow|later|tonight|monday|tuesday|wednesday|thursday|friday|saturday|sunday|afterwards|morning|\
     afternoon|evening|week|month|lunch|soon|when|once|after|if|until|another",
);

/// What makes more of a clause than an entry in a list of features.
const EXPLICIT: Words =
    Words("here|there|today|tonight|now|task|work|working|session|break|day|night|plan|until|hold");

/// The most words of `for …` and `until …`.
const MOST_SPAN: usize = 5;

impl Clause {
    pub(super) fn new(text: &str) -> Clause {
        let is_part = |letter: char| letter.is_alphanumeric() || "'-\u{fffc}_./:%".contains(letter);
        let all: Vec<String> = text
            .split(|letter| !is_part(letter))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        let (mut words, mut has_subject) = (all.as_slice(), false);
        loop {
            if let Some(rest) = after_any(words, OPENERS).filter(|_| waits(words).is_none()) {
                words = rest;
            } else if let Some(rest) = after_any(words, SUBJECTS) {
                (words, has_subject) = (rest, true);
            } else {
                break;
            }
        }
        Clause { words: words.to_vec(), is_remark: after_any(&all, REMARKS).is_some(), has_subject }
    }

    /// Whether it has only words that lead to something.
    pub(super) const fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(super) const fn is_remark(&self) -> bool {
        self.is_remark
    }

    pub(super) fn is_condition(&self) -> bool {
        after_any(&self.words, CONDITIONS).is_some()
    }

    /// Whether it only says `stop`. Beside anything else, that is about what is said there.
    pub(super) fn is_bare_stop(&self) -> bool {
        let rest = after_any(&self.words, Words("stop|halt"));
        rest.is_some_and(|rest| {
            rest.is_empty() || matches!(rest, [word] if word == "please" || word == "now")
        })
    }

    /// Whether it is meant by itself, whatever is said before.
    pub(super) fn is_explicit(&self) -> bool {
        self.has_subject || self.words.iter().any(|word| EXPLICIT.contains(word))
    }

    /// Whether it asks for something, in the form of a question.
    pub(super) fn is_request(&self) -> bool {
        after_any(&self.words, REQUESTS).is_some()
    }

    pub(super) fn pauses(&self) -> bool {
        let words = after_any(&self.words, REQUESTS).unwrap_or(&self.words);
        if self.has_subject && goes_on_later(words) || is_foreign(words) {
            return true;
        }
        let as_fact = after_any(words, ENOUGH).and_then(|rest| after_any(rest, TODAY));
        let begins = [
            after_any(words, PHRASES),
            takes_break(words),
            pauses_thing(words),
            stops(words),
            lays_aside(words),
            waits(words),
            as_fact,
        ];
        begins.into_iter().flatten().any(is_tail)
    }

    pub(super) fn continues(&self) -> bool {
        let words = after_any(&self.words, ASKS).unwrap_or(&self.words);
        let words = after_any(words, Words("please|just")).unwrap_or(words);
        let is_later = self.words.iter().any(|word| LATER.contains(word));
        after_any(words, CONTINUES).is_some() && !is_later
    }
}

/// `take a short break`: the words behind it.
fn takes_break(words: &[String]) -> Option<&[String]> {
    let rest = after_any(words, Words("take a|take another|take our|take my|have a|make a"))?;
    let rest = after_any(rest, KINDS).unwrap_or(rest);
    after_any(rest, Words("break|pause|rest|breather"))
}

/// `pause the task`: the words behind it.
fn pauses_thing(words: &[String]) -> Option<&[String]> {
    let rest = after_any(words, Words("pause|suspend"))?;
    after_any(rest, OBJECTS).or_else(|| after_any(rest, PRONOUNS))
}

/// `continue this tomorrow`, after `we'll` or `let's`: so it ends for now.
fn goes_on_later(words: &[String]) -> bool {
    let Some(rest) = after_any(words, CONTINUES) else { return false };
    let rest = after_any(rest, Words("from here|with it|with that|here|there")).unwrap_or(rest);
    let rest = after_any(rest, OBJECTS).or_else(|| after_any(rest, PRONOUNS)).unwrap_or(rest);
    // `with phase 2 tomorrow`
    let last = match rest {
        [with, rest @ ..] if with == "with" => {
            (0..=rest.len().min(MOST_SPAN)).filter_map(|from| rest.get(from..)).find(|rest| is_time(rest))
        }
        rest => Some(rest),
    };
    last.is_some_and(is_time)
}

fn is_time(words: &[String]) -> bool {
    after_any(words, TIMES).is_some_and(|rest| {
        let polite = Words("please|then|thanks|ok|okay");
        rest.is_empty() || after_any(rest, polite).is_some_and(<[String]>::is_empty)
    })
}

/// `wait here until I am back`: for a person, and not for a program.
fn waits(words: &[String]) -> Option<&[String]> {
    let rest = after_any(words, Words("wait"))?;
    let until = Words("until i|until we|till i|till we|for me|until tomorrow");
    let here = after_any(rest, PLACES);
    match here {
        Some([]) => here,
        Some(rest) if after_any(rest, until).is_some() => Some(rest),
        _ => None,
    }
}

fn is_foreign(words: &[String]) -> bool {
    let rest = after_any(words, Words("bitte|s'il te plaît|por favor")).unwrap_or(words);
    after_any(rest, FOREIGN).is_some_and(|rest| rest.is_empty() || after_any(rest, Words("bitte")).is_some())
}

/// `stop here`, `hold the task`. To stop `it` may be about anything.
fn stops(words: &[String]) -> Option<&[String]> {
    let rest = after_any(words, Words("stop|halt|hold off|hold on|hold|break off|break"))?;
    after_any(rest, OBJECTS).or_else(|| place_or_day(rest))
}

/// `park this task`, `put it on hold`, `leave it here for today`.
fn lays_aside(words: &[String]) -> Option<&[String]> {
    let thing = |rest| after_any(rest, OBJECTS).or_else(|| after_any(rest, PRONOUNS));
    if let Some(rest) = after_any(words, Words("park|shelve")) {
        return thing(rest);
    }
    if let Some(rest) = after_any(words, Words("put|set|lay|place")) {
        let aside = Words("on hold|aside|on pause|on ice");
        let before = thing(rest).and_then(|rest| after_any(rest, aside));
        return before.or_else(|| thing(after_any(rest, aside)?));
    }
    let rest = after_any(thing(after_any(words, Words("leave"))?)?, PLACES)?;
    after_any(rest, TODAY)
}

fn place_or_day(words: &[String]) -> Option<&[String]> {
    after_any(words, PLACES).or_else(|| after_any(words, FOR_THE_DAY))
}

/// Whether the words behind a pause only say where, for how long, and what to do at last.
fn is_tail(words: &[String]) -> bool {
    let more = Words(
        "right now|now|today|tonight|please|pls|thanks|thank you|thx|ok|okay|then|again|from here|from this|from it|\
         after this one|after this step|after this",
    );
    if let Some(rest) = place_or_day(words).or_else(|| after_any(words, more)) {
        return is_tail(rest);
    }
    match words {
        [] => true,
        [first, rest @ ..] => match first.as_str() {
            "for" | "until" | "till" => is_span(rest),
            "and" => is_last_thing(rest),
            "because" | "as" | "since" => true,
            "with" | "from" => after_any(rest, OBJECTS).is_some_and(is_tail),
            _ => false,
        },
    }
}

/// Whether a time of a few words is followed by nothing, or by something that is allowed there.
fn is_span(words: &[String]) -> bool {
    let length = words.iter().position(|word| word == "and").unwrap_or(words.len());
    let (time, rest) = words.split_at_checked(length).unwrap_or((words, &[]));
    !time.is_empty() && time.len() <= MOST_SPAN && is_tail(rest)
}

/// `commit what you have`, `continue tomorrow`.
fn is_last_thing(words: &[String]) -> bool {
    let words = Words("we|i|we'll|i'll|let's|you|will|can")
        .iter()
        .fold(words, |words, word| after_any(words, Words(word)).unwrap_or(words));
    let is_later = words.iter().any(|word| LATER.contains(word));
    let goes_on = || after_any(words, CONTINUES).or_else(|| after_any(words, Words("finish|come back|see")));
    after_any(words, LAST_THINGS).is_some() || (is_later && goes_on().is_some())
}

/// The words behind the first of these phrases with which they begin.
fn after_any(words: &[String], phrases: Words) -> Option<&[String]> {
    phrases.iter().find_map(|phrase| {
        let length = phrase.split(' ').count();
        let mut pairs = words.iter().zip(phrase.split(' '));
        let begins = words.len() >= length && pairs.all(|(word, other)| word == other);
        begins.then(|| words.get(length..)).flatten()
    })
}
