//! The words by which the roles of code are recognised, in lower case.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What a word can do in a sentence, a bit for each list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Class(u32);

impl Class {
    /// Whether the word is in this list.
    pub(super) fn is(self, list: Class) -> bool {
        self.0 & list.0 != 0
    }
}

/// The lists that a word is in.
pub(super) fn class(word: &str) -> Class {
    TABLE.get(word).copied().unwrap_or_default()
}

/// Built once in a process, and only if there are rules.
static TABLE: LazyLock<BTreeMap<&'static str, Class>> = LazyLock::new(|| {
    let mut table: BTreeMap<&'static str, Class> = BTreeMap::new();
    for (list, words) in LISTS {
        for word in words.split('|') {
            table.entry(word).or_default().0 |= list.0;
        }
    }
    table
});

/// They forbid what comes behind them.
pub(super) const NEGATIONS: Class = Class(1 << 0);
/// They forbid what comes before them.
pub(super) const FORBIDDEN_BEHIND: Class = Class(1 << 1);
/// They do so behind a form of "to be".
pub(super) const FORBIDDEN_BY_BE: Class = Class(1 << 2);
pub(super) const BE: Class = Class(1 << 3);
/// What is allowed, behind a form of "to be".
pub(super) const ALLOWED_BEHIND: Class = Class(1 << 4);
/// Behind a negation: what was named before it is not to be used.
pub(super) const NOT_DONE: Class = Class(1 << 5);
/// Not to do these is to do it.
pub(super) const NEGLECTS: Class = Class(1 << 6);
/// Not to do these is to leave it.
pub(super) const REMOVES: Class = Class(1 << 7);
pub(super) const NEEDS: Class = Class(1 << 8);
/// What need not be done, behind a form of "to be".
pub(super) const NOT_NEEDED: Class = Class(1 << 29);
/// Between a negation and its verb.
pub(super) const BETWEEN: Class = Class(1 << 9);
/// `Not only`, `no more than`.
pub(super) const NO_NEGATION_BEFORE: Class = Class(1 << 10);
pub(super) const EXEMPTS: Class = Class(1 << 11);
pub(super) const CONTRASTS: Class = Class(1 << 12);
/// They begin another thought if what is forbidden was named already.
pub(super) const NEW_THOUGHTS: Class = Class(1 << 13);
/// Behind them is where something holds.
pub(super) const INSIDE: Class = Class(1 << 14);
/// Behind them is what it is done for, with or to.
pub(super) const BESIDE: Class = Class(1 << 15);
pub(super) const ASKS: Class = Class(1 << 16);
pub(super) const GIVES: Class = Class(1 << 17);
pub(super) const ARTICLES: Class = Class(1 << 18);
pub(super) const PREFERS: Class = Class(1 << 19);
pub(super) const REPLACES: Class = Class(1 << 20);
pub(super) const MIGRATES: Class = Class(1 << 21);
/// Verbs of the place where something is put.
pub(super) const PUTS: Class = Class(1 << 22);
/// Words between a preposition and the folder.
pub(super) const KINDS: Class = Class(1 << 23);
/// A part of a text that only says whether what follows is good.
pub(super) const BAD: Class = Class(1 << 24);
pub(super) const GOOD: Class = Class(1 << 25);
/// What a heading or an announcement that forbids may say besides.
pub(super) const ANNOUNCES: Class = Class(1 << 26);
/// What makes a heading or an announcement forbid.
pub(super) const FORBIDDING: Class = Class(1 << 27);
/// Verbs that name nothing themselves.
pub(super) const VERBS: Class = Class(1 << 28);

const LISTS: [(Class, &str); 30] = [
    (
        NEGATIONS,
        "avoid|avoids|ban|bans|can't|cannot|disallow|disallows|discourage|discourages|doesn't|don't|dont|forbid|forbids|\
     isn't|aren't|mustn't|never|no|not|prohibit|prohibits|shouldn't|won't",
    ),
    (
        FORBIDDEN_BEHIND,
        "banned|deprecated|disallowed|discouraged|fails|forbidden|obsolete|off-limits|prohibited|rejected|unsupported",
    ),
    (FORBIDDEN_BY_BE, "gone|removed|dropped|superseded|replaced|dead|retired|abandoned|unwanted"),
    (BE, "is|are|was|were|be|been|being|got|gets|get"),
    (
        ALLOWED_BEHIND,
        "fine|ok|okay|allowed|permitted|acceptable|preferred|recommended|required|mandatory|good",
    ),
    (
        NOT_DONE,
        "allowed|permitted|used|called|imported|written|added|edited|changed|touched|modified|introduced|appear|appears|\
     exist|exists|supported|available|acceptable|ok|okay|welcome|wanted|accepted|tolerated|instantiated|invoked|run|\
     committed|mutated|overwritten|moved|updated|hand-edited",
    ),
    (
        NEGLECTS,
        "skip|skipping|skips|skipped|forget|forgetting|forgotten|omit|omits|omitting|omitted|miss|missed|neglect|bypass|\
     bypassing|bypassed|fail|hesitate",
    ),
    (
        REMOVES,
        "remove|removing|removes|removed|delete|deleting|deletes|deleted|strip|stripping|stripped|drop|dropping|dropped|\
     weaken|rename|renamed",
    ),
    (NOT_NEEDED, "unnecessary|optional|needless|superfluous"),
    (NEEDS, "need|needs|needed|necessary|required|mandatory|obliged"),
    (BETWEEN, "be|been|being|ever|to|longer|get|yet|also|either|just|please|you|directly"),
    (NO_NEGATION_BEFORE, "only|just|necessarily|limited|more|less|fewer|later|earlier|matter"),
    (EXEMPTS, "except|outside|unless|apart"),
    (CONTRASTS, "but|instead|because|since|although"),
    (NEW_THOUGHTS, "use|uses|using|call|calls|prefer|prefers|favor|favour|choose|pick|try|switch|rely"),
    (INSIDE, "in|inside|within|under|below|beneath|across|at|throughout"),
    (
        BESIDE,
        "for|from|on|when|if|before|after|while|so|as|to|with|by|via|through|using|where|into|onto|until",
    ),
    (ASKS, "by|call|calling|calls|defer|prefer|through|use|uses|using|via|with|choose|adopt"),
    (GIVES, "and|are|declare|declares|from|has|have|is|or|to"),
    (ARTICLES, "the|a|an|our|your|its|any|all|new|plain"),
    (PREFERS, "prefer|prefers|preferring|favor|favour|favors|favours|choose"),
    (REPLACES, "replace|replacing|swap|swapping"),
    (MIGRATES, "migrate|migrating|switch|switching|move|moving"),
    (
        PUTS,
        "put|place|add|added|live|lives|belong|belongs|go|goes|kept|keep|stored|store|defined|define|declare|declared|\
     create|created|write|written|documented|listed|register|registered|sit|sits|stay|stays|exported|found|see|look",
    ),
    (KINDS, "the|a|an|any|all|our|folder|directory|files|file|code|package|module|existing"),
    (
        BAD,
        "never|don't|dont|don'ts|donts|do not|avoid|no|not|bad|wrong|incorrect|forbidden|prohibited|banned|not allowed",
    ),
    (GOOD, "do|dos|good|right|correct|yes|prefer|preferred|use|instead|better|allowed"),
    (
        ANNOUNCES,
        "do|use|using|these|this|the|following|ever|to|things|list|patterns|at|all|costs|any|of|allowed|commit|edit|touch|\
     change|import|write|run|add|modify|call|in|code|here|please|you|anything|it|list|rules|what|we|must|should|may|can|are|is|s",
    ),
    (
        FORBIDDING,
        "never|don't|dont|don'ts|donts|not|nots|avoid|forbidden|prohibited|banned|disallowed|off-limits|anti-patterns|\
     antipatterns|anti-pattern|mustn't|deprecated",
    ),
    (
        VERBS,
        "add|address|ask|await|build|call|check|compare|convert|copy|create|declare|decode|give|handle|import|install|keep|\
     load|look|make|open|pass|prefer|read|remove|render|return|run|say|seek|select|send|set|show|start|state|store|take|\
     test|try|use|validate|wrap|write",
    ),
];
