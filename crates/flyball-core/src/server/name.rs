//! What the name of a tool says that it does.

use crate::text::Words;

const READS: Words = Words(
    "read|get|list|search|find|view|show|stat|fetch|query|describe|open|diff|log|status|info|inspect|count|exists|\
     check|lint|validate|explain|preview|tree|grep|glob|head|tail|cat|ls|look|lookup|browse|navigate|screenshot|\
     snapshot|hover|problems|diagnostics|symbols|references|definition|blame|history|compare|analyze|analyse|review|\
     verify|suggest|resolve|docs|ask|think|wait|overview|outline|summarize|retrieve|display|print|peek|scan|select|\
     detect|monitor|watch|poll|load|onboarding|help",
);

const WRITES: Words = Words(
    "write|create|edit|update|delete|remove|set|put|replace|insert|append|prepend|move|rename|exec|execute|run|start|\
     spawn|eval|evaluate|send|push|commit|merge|rebase|reset|clean|drop|truncate|save|upload|apply|add|modify|\
     change|overwrite|restore|checkout|revert|install|uninstall|format|fix|chmod|chown|link|symlink|unlink|mkdir|rmdir|\
     rm|mv|cp|copy|touch|make|destroy|purge|wipe|clear|kill|stop|flush|import|sync|transform|refactor|convert|\
     generate|download|publish|deploy|stash|patch|post|submit|upsert|erase|trash|store|mutate|alter|invoke|call|switch|\
     pull|clone|init|reload|toggle|enable|disable|approve|archive|prune|terminate|tag|branch|multiedit",
);

/// Words that are nouns behind a verb of reading: `get_commit`, `list_workflow_run`.
const NOUNS: Words = Words(
    "commit|branch|tag|merge|patch|link|run|import|stash|change|post|copy|call|pull|format|fix|start|stop|edit|set|\
     update|add|make|store|sync|init|archive",
);

const DELETES: Words = Words(
    "delete|remove|rm|destroy|drop|purge|wipe|erase|truncate|unlink|trash|rmdir|del|terminate|nuke|prune|flush",
);

/// The words of a name, in lower case: `getFileContents`, `get_file_contents` and `get-file-contents` have the same.
pub(super) fn split(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        let begins = letter.is_uppercase() && was_lower;
        if begins || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        was_lower = letter.is_lowercase() || letter.is_ascii_digit();
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// What a tool is asked to do, in words: those of its name, and of fields like `action`.
#[derive(Debug)]
pub(super) struct Verbs(pub(super) Vec<String>);

impl Verbs {
    pub(super) fn has(&self, words: Words) -> bool {
        self.0.iter().any(|word| words.contains(word))
    }

    pub(super) fn deletes(&self) -> bool {
        self.has(DELETES)
    }

    /// Whether the words say that it reads, and none that it writes. `get_and_delete` does both.
    pub(super) fn only_read(&self) -> bool {
        let Some(at) = self.0.iter().position(|word| READS.contains(word)) else { return false };
        let writes = |(place, word): (usize, &String)| {
            let is_noun = place > at && NOUNS.contains(word) && !self.0.iter().any(|it| it == "and");
            WRITES.contains(word) && !is_noun || DELETES.contains(word)
        };
        !self.0.iter().enumerate().any(writes)
    }
}
