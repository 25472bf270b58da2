//! What an agent does, by its name.

use flyball_core::text::Words;

/// What an agent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    Test,
    Review,
    Develop,
}

/// The words by which agents are called. The first role whose word is in a name is the one: a `qa-engineer` tests.
const WORDS: [(Role, Words); 3] = [
    (Role::Test, Words("test|tests|tester|testers|testing|qa|sdet|e2e|qe")),
    (
        Role::Review,
        Words(
            "review|reviews|reviewer|reviewers|reviewing|check|checks|checker|checking|audit|auditor|\
            auditing|critic|inspector|verifier",
        ),
    ),
    (
        Role::Develop,
        Words(
            "dev|devs|develop|developer|developers|development|devops|implement|implementer|implementor|\
            implementation|coder|coding|engineer|engineering|architect|build|builder|building|fix|fixer|\
            fixing|programmer|programming|refactor|refactorer|refactoring|debugger|frontend|backend|\
            fullstack|sre",
        ),
    ),
];

impl Role {
    /// The name of its section in a plan.
    #[must_use]
    pub const fn section(self) -> &'static str {
        match self {
            Role::Test => "TEST",
            Role::Review => "REVIEW",
            Role::Develop => "DEV",
        }
    }

    /// The role of an agent of this name: `java_developer`, `qa-lead`, `devops`. Only whole words count.
    #[must_use]
    pub fn from_agent(agent: &str) -> Option<Role> {
        // The part before the name is its pack, which counts only if the name has no role.
        let (pack, name) = agent.rsplit_once([':', '/']).unwrap_or(("", agent));
        of_words(&words(name)).or_else(|| of_words(&words(pack)))
    }
}

fn of_words(words: &[String]) -> Option<Role> {
    let is_named = |(_, table): &&(Role, Words)| words.iter().any(|word| table.contains(word));
    WORDS.iter().find(is_named).map(|(role, _)| *role)
}

/// The words of a name, in lower case: split at marks, and where an upper-case letter begins one.
fn words(name: &str) -> Vec<String> {
    let parts = name.split(|letter: char| !letter.is_alphanumeric());
    parts.flat_map(humps).map(|word| word.to_lowercase()).filter(|word| !word.is_empty()).collect()
}

/// `QALead` is `QA` and `Lead`.
fn humps(part: &str) -> Vec<String> {
    let letters: Vec<char> = part.chars().collect();
    let mut humps = vec![String::new()];
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let is_behind_small = before.is_some_and(|letter| !letter.is_uppercase());
        let is_before_small = letters.get(at + 1).is_some_and(|letter| letter.is_lowercase());
        if at > 0 && letter.is_uppercase() && (is_behind_small || is_before_small) {
            humps.push(String::new());
        }
        if let Some(hump) = humps.last_mut() {
            hump.push(*letter);
        }
    }
    humps
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: Words = Words(
        "test|tester|Tester|TESTER|qa|QA|qa-lead|qa_lead|QALead|qaLead|sdet|senior-sdet|test_automator|\
        test-automator|testAutomator|brewcode:tester|e2eTester|e2e|unit.tests|api/testing|qa-engineer|\
        test-engineer|load_tester_2|TestRunner|pack:qa:lead|tester-reviewer",
    );
    const REVIEW: Words = Words(
        "review|reviewer|code-reviewer|code_reviewer|codeReviewer|CodeReviewer|SecurityAuditor|\
        security-audit|checker|type_checker|spell-check|brewcode:reviewer|test-pack:reviewer|\
        dev-tools:auditor|plan.critic|PRReviewer|build-checker|architect-reviewer|reviewing|\
        acme/qa:code-review",
    );
    const DEVELOP: Words = Words(
        "dev|developer|java_developer|java-developer|javaDeveloper|JavaDeveloper|devops|DevOps-lead|\
        devops_engineer|backend-dev|backend|frontend-specialist|fullstack|implementer|coder|coding|engineer|\
        ml.engineer|architect|solution_architect|builder|bug-fixer|fix|brewcode:developer|tests:developer|\
        iOSDeveloper|rust2dev-dev|refactoring-expert|sre|debugger",
    );
    const NONE: Words = Words(
        "|contest|attestation|devil|devils-advocate|prefix|suffix|fixture|latest|greatest|preview|previewer|\
        checkpoint|checkout|auditorium|writer|doc-writer|Explore|Plan|Bash|general-purpose|researcher|\
        translator|aqua|qatar|device|rebuilds|decoder|testament|protest|qualifier|___|日本",
    );

    #[test]
    fn defect_24_the_role_is_in_the_words_of_a_name_however_they_are_split() {
        let tables = [
            (Some(Role::Test), TEST),
            (Some(Role::Review), REVIEW),
            (Some(Role::Develop), DEVELOP),
            (None, NONE),
        ];
        let wrong: Vec<(&str, Option<Role>)> = tables
            .iter()
            .flat_map(|(role, names)| names.iter().map(|name| (name, *role)))
            .filter(|(name, role)| Role::from_agent(name) != *role)
            .map(|(name, _)| (name, Role::from_agent(name)))
            .collect();
        assert_eq!(wrong, []);
    }
}
