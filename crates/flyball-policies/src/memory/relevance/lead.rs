//! What a rule begins with: that is what it is about.

use flyball_knowledge::polarity::Token;
use flyball_knowledge::similar;

use super::text::{is_keyword, is_meaningful, meaningful, parts, words};

const AUXILIARIES: &[&str] = &[
    "are", "arrive", "begins", "belong", "belongs", "can", "cannot", "come", "comes", "declare", "declares",
    "depend", "do", "does", "end", "ends", "get", "gets", "go", "goes", "has", "have", "is", "may", "must",
    "need", "needs", "run", "runs", "should", "sit", "stay", "stays", "take", "takes", "use", "uses", "was",
    "were", "work", "works",
];
const VERBS: &[&str] = &[
    "add", "address", "ask", "await", "build", "call", "check", "compare", "convert", "copy", "create",
    "declare", "decode", "give", "handle", "import", "install", "keep", "load", "look", "make", "open",
    "pass", "prefer", "read", "remove", "render", "return", "run", "say", "select", "send", "set", "show",
    "start", "state", "store", "take", "test", "try", "use", "validate", "wrap", "write",
];

fn is_verb(word: &str) -> bool {
    VERBS.binary_search(&word).is_ok()
}

fn is_auxiliary(word: &str) -> bool {
    AUXILIARIES.iter().any(|one| word.eq_ignore_ascii_case(one))
}

/// What a rule begins with: the stems of its first words up to its verb, and where that ends.
pub(super) fn lead(tokens: &[(usize, Token<'_>)]) -> (Vec<String>, usize) {
    const MOST_WORDS: usize = 4;
    const MOST_TOKENS: usize = 7;
    let (mut stems, mut counted) = (Vec::new(), 0);
    for (seen, (at, token)) in tokens.iter().enumerate() {
        let is_over = match token {
            Token::Stop | Token::Colon => !stems.is_empty(),
            Token::Comma => !stems.is_empty(),
            Token::Word(word) => is_auxiliary(word) && !stems.is_empty(),
            Token::Code(_) => false,
        };
        if is_over || counted >= MOST_WORDS || seen >= MOST_TOKENS {
            return (stems, *at);
        }
        let words: Vec<String> = match token {
            Token::Code(code) => words(code).filter(|word| !is_keyword(word)).collect(),
            Token::Word(word) => {
                let lower = word.to_lowercase();
                if is_verb(&lower) || !is_meaningful(&lower) {
                    continue;
                }
                parts(word).filter_map(meaningful).collect()
            }
            Token::Stop | Token::Colon | Token::Comma => continue,
        };
        counted += 1;
        stems.extend(words.iter().map(|word| similar::stem(word)));
    }
    (stems, usize::MAX)
}

#[cfg(test)]
mod tests {
    use flyball_knowledge::polarity::tokens;

    use super::*;

    #[test]
    fn a_rule_is_about_what_it_begins_with() {
        let cases = [
            ("NAT gateways cost money: one for dev.", "nat gateway cost money"),
            ("Currency codes are stored lower case.", "currency cod"),
            ("Never open a security group to all.", "security group"),
        ];
        for (rule, expected) in cases {
            assert_eq!(lead(&tokens(rule)).0.join(" "), expected, "{rule}");
        }
    }

    #[test]
    fn the_lists_are_sorted_for_the_search_in_them() {
        assert!(VERBS.is_sorted());
    }
}
