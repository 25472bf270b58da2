//! Distinguishes a lesson from the chatter of an agent at work.
//!
//! An agent that reports its progress begins like a person who teaches: "Fixed the bug" and "Fixed-size buffers
//! overflow". So an opening word alone is never enough: what follows it decides, and a text that claims something
//! ("because", "must", "fails when") is a lesson unless it is about its writer.

use flyball_core::text::Words;

/// The longest lesson, in characters. What is longer is a report.
const MOST_LETTERS: usize = 2_000;

/// Phrases without content.
const EMPTY_PHRASES: Words = Words(
    "done|all done|fixed|all fixed|lgtm|looks good|look good|looks good to me|looks great|ok|okay|\
    all good|good|great|perfect|completed|complete|finished|success|successful|task completed|\
    task complete|task done|task finished|tests pass|tests passed|all tests pass|all tests passed|\
    all tests passing|all tests are passing|all tests green|ready for review|ready|work in progress|\
    in progress|working on it|no issues|no issues found|moving on|everything works",
);

/// How a text about its writer's own work begins.
const SELF_TALK: Words = Words(
    "let me |let's |let us |i will |i'll |i am |i'm |i have now |i have just |i've now |i've just |\
    i have completed |i have finished |i have fixed |i've completed |i've finished |i've fixed |\
    we will now |we'll now |now i |now i'll |now we |now let |now let's |next i |next i'll |next we |\
    next let |next let's |then i |then i'll |then we |then let |then let's ",
);

/// The states of a phase, task or step.
const STATES: Words = Words(
    "complete|completed|done|finished|started|starting|starts|begins|begun|in|ok|passed|failed|pending|\
    ready|underway",
);

/// What is counted in a plan.
const COUNTED: [&str; 6] = ["phase", "step", "task", "iteration", "milestone", "stage"];

/// What work is begun with.
const BEGINNINGS: [&str; 5] = ["starting", "working", "beginning", "continuing", "proceeding"];

/// Objects of work: what follows these words is not a lesson.
const WORK: Words = Words(
    "on|work|phase|task|step|implementation|to|iteration|milestone|analysis|research|review|verification|\
    now",
);

const COMPLETED_VERBS: Words = Words(
    "completed|finished|fixed|implemented|added|updated|created|refactored|wrote|removed|renamed|\
    resolved|verified|reviewed",
);

/// What it was done to, in a report.
const OBJECTS: Words = Words(
    "the|a|an|all|this|that|it|them|some|both|bug|bugs|issue|issues|typo|typos|failing|broken|several|\
    two|three|phase|task|step|my|our|new|tests|everything|implementation",
);

/// Words of a claim: a text that claims something is a lesson.
const CLAIMS: Words = Words(
    "because|must|should|never|always|cannot|can't|can|requires|require|needs|need|causes|cause|caused|\
    breaks|break|fails|fail|hangs|deadlocks|leads|returns|throws|raises|instead|unless|otherwise|\
    without|when|if|since|so|only|by|is|are|was|were|has|have|does|doesn't|don't|isn't|aren't|won't|\
    makes|gives|leaves|loses|means|works|expects|ignores|depends|avoid|use",
);

/// Why a text is not a lesson; `None` if it is one.
#[must_use]
pub fn objection(text: &str) -> Option<&'static str> {
    let plain = plain(text);
    let words: Vec<&str> = plain.split_whitespace().collect();
    if words.is_empty() {
        return Some("it is empty");
    }
    if text.chars().count() > MOST_LETTERS {
        return Some("it is longer than 2000 characters; a lesson is one to three sentences");
    }
    // Scripts without spaces have a whole sentence in one word.
    if words.len() == 1 && plain.is_ascii() {
        return Some("it is a single word");
    }
    is_chatter(&plain, &words)
        .then_some("it reports progress; a lesson says what to avoid, what works or what is true")
}

/// In lower case, without marks before the first word, with simple apostrophes.
fn plain(text: &str) -> String {
    let text = text.replace(['\u{2019}', '\u{2018}'], "'").to_lowercase();
    text.trim_start_matches(|letter: char| !letter.is_alphanumeric() && letter != '`').trim_end().to_owned()
}

fn is_chatter(plain: &str, words: &[&str]) -> bool {
    let bare = plain.trim_end_matches(|letter: char| !letter.is_alphanumeric());
    // `Now, let me …` is `now let me …`.
    let spoken = plain.replacen(", ", " ", 1);
    EMPTY_PHRASES.contains(bare)
        || SELF_TALK.iter().any(|opening| spoken.starts_with(opening))
        || is_sign_off(plain)
        || is_state(words)
        || is_beginning(words)
        || reports_work(words)
}

/// `Done. …`, `LGTM, …`, `Looks good …`: about the writer's own work.
fn is_sign_off(plain: &str) -> bool {
    let behind = |word: &str| plain.strip_prefix(word);
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(['.', '!', ',', ':', ';', ' ']);
    let is_done = behind("done").is_some_and(|rest| {
        rest.starts_with(['.', '!', ',', ':', ';']) || rest.starts_with(" with ") || rest.starts_with(" - ")
    });
    is_done || behind("lgtm").is_some_and(ends) || behind("looks good").is_some_and(ends)
}

/// `Phase 3 complete`, `Task 2: write the parser`.
fn is_state(words: &[&str]) -> bool {
    let mut rest = words.iter().copied();
    let Some(counted) = rest.next().filter(|word| COUNTED.contains(&bare(word))) else { return false };
    let mut next = rest.next().unwrap_or_default();
    let is_numbered = next.starts_with(|letter: char| letter.is_ascii_digit());
    let is_titled = next.ends_with(':') || counted.ends_with(':');
    if is_numbered {
        next = rest.next().unwrap_or_default();
    }
    if matches!(next, "is" | "-" | "–" | "—" | ":" | "now") {
        next = rest.next().unwrap_or_default();
    }
    let state = bare(next);
    // `in` is a state only as `in progress`.
    let is_state = STATES.contains(state) && (state != "in" || rest.next().map(bare) == Some("progress"));
    let is_only_number = is_numbered && next.is_empty();
    is_state && (is_numbered || !claims(rest))
        || is_only_number
        || is_numbered && is_titled && !claims(words.iter().copied())
}

/// `Starting work on the parser`, but not `Starting with v2 …` or `Starting the server twice hangs`.
fn is_beginning(words: &[&str]) -> bool {
    let [first, next, rest @ ..] = words else { return false };
    if !BEGINNINGS.contains(&bare(first)) {
        return false;
    }
    // "Starting with v2" teaches, "Continuing with the tests" does not.
    let is_with = bare(next) == "with";
    let goes_on = is_with && matches!(bare(first), "continuing" | "proceeding");
    let works = WORK.contains(bare(next)) && !claims_strongly(rest);
    let does = goes_on || !is_with && is_object(next);
    works || does && !claims(rest.iter().copied())
}

/// `Fixed the login`, but not `Fixed the login by …` or `Fixed point numbers …`.
fn reports_work(words: &[&str]) -> bool {
    let [first, next, rest @ ..] = words else { return false };
    if !COMPLETED_VERBS.contains(bare(first)) {
        return false;
    }
    let is_over = first.ends_with(['.', '!', ',', ':']);
    (is_over || is_object(next)) && !claims(rest.iter().copied())
}

fn is_object(word: &str) -> bool {
    OBJECTS.contains(bare(word))
}

fn claims<'a>(words: impl Iterator<Item = &'a str>) -> bool {
    let mut words = words;
    words.any(|word| CLAIMS.contains(bare(word)))
}

/// A lesson even after the words that mostly begin a report: `Working on a copy is safer than …`.
fn claims_strongly(words: &[&str]) -> bool {
    words.iter().take(4).any(|word| {
        matches!(
            bare(word),
            "is" | "are" | "must" | "never" | "always" | "requires" | "needs" | "breaks" | "fails" | "causes"
        )
    })
}

/// A word without the marks around it. What is joined by a hyphen is another word.
fn bare(word: &str) -> &str {
    word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '\'')
}
