//! The words by which rules are recognised, in lower case, sorted.

use flyball_core::sorted_words;

/// Headings above rules.
pub(super) static NORMS: &[&str] = sorted_words!(
    "always|anti-patterns|antipatterns|avoid|best practice|best practices|boundaries|caveats|checklist|\
         constraints|convention|conventions|critical|do|do not|don't|don'ts|donts|dos|expectations|gotcha|gotchas|\
         guardrails|guidance|guideline|guidelines|instructions|invariant|invariants|limitations|mandatory|\
         mistakes|must|never|norms|pitfalls|policies|policy|practices|preferences|principle|principles|prohibited|\
         quality|requirement|requirements|rule|rules|standards|style|tips|warning|warnings"
);

/// Headings above descriptions.
pub(super) static DESCRIPTIONS: &[&str] = sorted_words!(
    "acknowledgements|acknowledgments|api surface|architecture|background|badges|built with|changelog|\
         code map|contributors|core concepts|credits|data flow|data model|design rationale|directories|directory|\
         downlinks|entry points|file organization|file structure|folder|folders|further reading|glossary|\
         high-level|how it works|how this works|introduction|key concepts|layout|licence|license|motivation|\
         overview|public api|rationale|roadmap|see also|sponsors|structure|subsystems|table of contents|\
         tech stack|technologies|technology|terminology|topology|what is|what it does|what this|where to look|\
         where to start"
);

/// Headings above descriptions, if they have no other words but those below.
pub(super) static PLAIN_DESCRIPTIONS: &[&str] = sorted_words!(
    "about|authors|code|codebase|components|concepts|contact|contents|dependencies|description|endpoints|\
         features|files|flow|goals|history|intro|links|map|modes|modules|organization|packages|product|purpose|\
         references|related|resources|services|stack|status|summary|thanks|toc"
);

/// Words before them that change nothing.
pub(super) static ADJECTIVES: &[&str] = sorted_words!(
    "app|application|basic|code|codebase|core|data|important|key|main|major|monorepo|notable|our|package|\
         project|related|repo|repository|shipped|source|system|tech|the|top-level|useful|workspace"
);

/// Headings above commands.
pub(super) static COMMANDS: &[&str] = sorted_words!(
    "build|building|check|checks|ci|cli|command|commands|debugging|deploy|deployment|develop|development|\
         format|formatting|getting started|install|installation|lint|linting|migrations|quick reference|\
         quick start|quickstart|run|running|scripts|setup|test|testing|tests|usage|verification|verify|workflow|\
         workflows"
);

/// What obliges or forbids, wherever it is in a sentence.
pub(super) static OBLIGES: &[&str] = sorted_words!(
    "be careful|be sure|beware|caution|caveat|disallowed|do not|don't|dont|don’t|forbidden|gotcha|has to|\
         have to|hint|important|is expected|make sure|mandatory|may not|must|mustn't|need to|needs to|never|\
         not allowed|note that|off limits|off-limits|ought to|prohibited|required|shall|should|shouldn't|\
         shouldn’t|strictly|take care|tip|warning"
);

/// What limits a fact, so that it matters at an edit.
pub(super) static LIMITS: &[&str] = sorted_words!(
    "always|as a rule|belong in|belong to|belongs in|belongs to|by convention|by hand|codebase uses|except|\
         exempt|follow|follows|go in|go into|goes in|goes into|instead|kept in|live|live in|lives|needed|needs|\
         placed|preferred|prefers|prefixed|project uses|rather than|repo uses|repository uses|requires|suffixed|\
         unless|we use|will fail"
);

/// What excludes something.
pub(super) static BOUNDS: &[&str] = sorted_words!(
    "and without|are not|aren't|at least|at most|can't|cannot|can’t|deprecated|does not|doesn't|exclusively|is not|isn't|\
         never|no|no longer|not|only|reserved|won't|won’t"
);

/// What begins a statement about all of a kind.
pub(super) static UNIVERSALS: &[&str] = sorted_words!(
    "all|any|anything|both|each|every|everybody|everyone|everything|everywhere|neither|nobody|none|nothing|\
         whatever|whoever"
);

/// Verbs of a statement about how things are done here, in the plural: "styles *use* the tokens".
pub(super) static CONVENTIONS: &[&str] = sorted_words!(
    "accept|answer|are|avoid|begin|belong|carry|come|contain|count|cover|end|expect|extend|follow|get|give|go|\
         have|hold|implement|import|inherit|keep|live|match|mirror|name|need|own|pass|raise|receive|report|return|\
         sit|start|state|stay|take|tell|throw|use|wrap|write"
);

/// Words with which no statement about all of a kind begins, although they end like a plural.
pub(super) static NO_PLURALS: &[&str] =
    sorted_words!("as|does|has|his|is|its|perhaps|plus|sometimes|this|thus|us|versus|was|yes");

/// What follows the subject of a statement about some of a kind: "a page that moves".
pub(super) static RELATIVES: &[&str] = sorted_words!("that|which|who|whose");

/// Verbs with which instructions begin.
pub(super) static VERBS: &[&str] = sorted_words!(
    "abort|accept|access|acknowledge|act|activate|adapt|add|address|adhere|adjust|adopt|aim|align|allow|\
         analyze|annotate|answer|append|apply|ask|assert|assign|assume|attach|author|avoid|await|base|batch|bear|\
         benchmark|bind|block|break|bring|build|bump|call|capture|catch|centralize|challenge|change|check|choose|\
         clarify|clean|clear|close|co-locate|collapse|colocate|combine|comment|commit|communicate|compare|compose|\
         compute|configure|confirm|consider|consolidate|construct|consult|contact|continue|convert|coordinate|\
         copy|cover|create|cross-check|deal|debug|declare|decouple|default|defer|define|delegate|delete|deploy|\
         deprecate|derive|describe|design|detect|develop|diagnose|disable|discard|discourage|discuss|display|\
         document|double-check|download|drop|edit|eliminate|embed|emit|enable|encapsulate|encode|end|enforce|\
         ensure|escalate|escape|establish|evaluate|examine|exclude|execute|exercise|expect|explain|explore|export|\
         expose|extend|extract|fail|favor|favour|fetch|file|fill|filter|find|finish|fix|flag|flush|focus|follow|\
         force|fork|format|generate|get|give|go|group|guard|handle|highlight|hold|identify|ignore|implement|\
         import|include|increment|indent|inform|inherit|initialize|inject|inline|insert|inspect|install|\
         instrument|introduce|invalidate|invoke|isolate|iterate|join|justify|keep|label|launch|lazy-load|leave|\
         let|leverage|limit|link|lint|list|load|localize|locate|lock|log|look|lower|maintain|make|manage|map|mark|\
         match|measure|memoize|mention|merge|migrate|mind|minimise|minimize|mirror|mock|model|modify|monitor|\
         mount|move|name|namespace|navigate|nest|normalize|note|notify|obtain|omit|open|optimize|order|organise|\
         organize|output|overwrite|pair|parametrize|parse|pass|paste|patch|perform|persist|pick|pin|place|plan|\
         point|poll|position|prefer|prefix|prepare|present|preserve|prevent|print|prioritise|prioritize|process|\
         propagate|propose|protect|provide|prune|publish|pull|push|put|query|quote|raise|re-export|re-run|read|\
         rebase|rebuild|recheck|record|redact|reduce|refactor|refer|reference|refresh|refuse|regenerate|register|\
         reject|release|rely|remember|remove|rename|render|reorder|replace|reply|report|reproduce|request|require|\
         rerun|reserve|reset|resist|resolve|respect|respond|restart|restrict|retain|rethrow|retry|return|reuse|\
         revert|review|rewrite|roll|rotate|round|route|run|sanitize|save|scan|scope|search|seed|select|send|\
         separate|serialize|set|share|ship|show|sign|simplify|skip|sort|specify|spell|split|squash|stage|start|\
         state|stay|stick|stop|store|strip|structure|stub|submit|suggest|suppress|surface|sync|tag|tailor|take|\
         target|tell|test|think|throw|track|translate|treat|trigger|trim|trust|try|type|undo|unify|update|upgrade|\
         upload|use|utilise|utilize|validate|verify|version|view|wait|warn|watch|wire|wrap|write"
);

/// Verbs of other languages with which instructions begin.
pub(super) static FOREIGN_VERBS: &[&str] = sorted_words!(
    "achte|aggiungi|ajouter|ajoutez|añade|beachte|benutze|bevorzuge|commitez|crea|crear|créer|créez|ejecuta|\
         ejecutar|escreva|escribe|evita|evitar|evite|exécuter|exécutez|führe|garde|gardez|halte|lancez|mantenha|\
         mantén|nutze|preferir|prefiere|prefira|privilégier|privilégiez|prüfe|respectez|respeta|rode|schreib|\
         schreibe|starte|usa|usar|utilice|utiliser|utilisez|utiliza|utilizar|utilizza|verifica|vermeide|verwende|\
         vérifiez|écrire|écrivez|éviter|évitez"
);

/// What obliges or forbids in other languages: words.
pub(super) static FOREIGN_WORDS: &[&str] = sorted_words!(
    "darf|debe|deben|deve|devem|devono|doit|doivent|dürfen|immer|interdit|jamais|kein|keine|muss|musí|\
         müssen|należy|nicht|nie|niemals|nunca|nur|não|obligatoire|obligatorio|obrigatório|sempre|siempre|\
         soll|sollen|sollte|toujours|uniquement|vietato|zawsze|всегда|должен|должна|должны|используй|используйте|\
         не|нельзя|никогда|обязательно|только"
);

/// The same in scripts without spaces: parts of a text.
pub(super) static FOREIGN_PARTS: &[&str] = sorted_words!(
    "ください|しない|すること|せよ|べき|不可|不得|不能|不要|严禁|优先|使う|使用|务必|勿|只能|始终|应当|应该|必ず|必須|必须|禁止|请|避免|需要|금지|마세요|반드시|사용|세요|하지|항상|\
         해야"
);

/// What may stand before the verb of an instruction.
pub(super) static FILLERS: &[&str] = sorted_words!(
    "additionally|afterwards|also|always|and|as|but|either|finally|first|generally|ideally|instead|just|\
         kindly|likewise|next|normally|now|only|optionally|or|otherwise|please|preferably|rather|second|similarly|\
         simply|so|then|therefore|third|thus|to|typically|usually"
);

/// What begins a condition; the instruction comes after its comma.
pub(super) static CONDITIONS: &[&str] = sorted_words!(
    "after|as|at|because|before|by|during|each|every|for|from|given|if|in|on|once|per|since|to|under|unless|\
         until|upon|when|whenever|where|wherever|while|with|within|without"
);

/// Parts of a project: a rule that names one is about it.
pub(super) static PARTS: &[&str] = sorted_words!(
    "api|apis|benchmark|benchmarks|cache|changelog|ci|class|classes|component|components|config|controller|\
         controllers|css|database|doc|docs|documentation|endpoint|endpoints|enum|enums|error|errors|event|events|\
         exception|exceptions|fixture|fixtures|form|forms|function|functions|handler|handlers|hook|hooks|import|\
         imports|interface|interfaces|job|jobs|log|logging|logs|method|methods|middleware|migration|migrations|\
         mock|mocks|model|models|module|modules|mutation|mutations|page|pages|parser|plugin|plugins|props|queries|\
         query|repository|resolver|resolvers|route|router|routes|schema|schemas|script|scripts|serializer|\
         serializers|service|services|snapshot|snapshots|sql|state|store|stores|struct|structs|style|styles|table|\
         tables|template|templates|test|testing|tests|timestamp|timestamps|trait|traits|translation|translations|\
         type|types|ui|view|views|workflow|workflows"
);

/// How work is done.
pub(super) static PROCESS: &[&str] = sorted_words!(
    "branch|branches|commit|commits|committing|dependencies|dependency|install|merge|merging|package manager|\
         pr|prs|pull request|pull requests|push|pushing|release|releases|review"
);

/// Whether a text in lower case has one of these words or phrases, as whole words. One walk through the text.
pub(super) fn any_word(text: &str, phrases: &[&str]) -> bool {
    let mut before = ' ';
    text.char_indices().any(|(at, letter)| {
        let is_start = is_part(letter) && !is_part(before);
        before = letter;
        is_start && text.get(at..).is_some_and(|rest| begins_with_any(rest, phrases))
    })
}

/// Whether a text begins with one of the phrases, and not with a longer word.
fn begins_with_any(text: &str, phrases: &[&str]) -> bool {
    let end = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
    let word = text.get(..end).unwrap_or(text);
    let from = phrases.partition_point(|phrase| *phrase < word);
    let near = phrases.iter().skip(from).take_while(|phrase| phrase.starts_with(word));
    near.into_iter().any(|phrase| {
        let behind = text.strip_prefix(phrase).map(|rest| rest.chars().next());
        behind.is_some_and(|next| !next.is_some_and(is_part))
    })
}

/// Whether a letter is part of a word.
pub(super) fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '\'' | '’')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole() {
        let cases = [
            ("you must not", true),
            ("a musty room", false),
            ("(must)", true),
            ("do not", true),
            ("do nothing", false),
            ("never", true),
            ("nevertheless", false),
            ("don't", true),
            ("don", false),
            ("", false),
        ];
        for (text, expected) in cases {
            assert_eq!(any_word(text, OBLIGES), expected, "{text}");
        }
    }
}
