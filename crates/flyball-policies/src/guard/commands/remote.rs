//! What a line does on another machine or in a running container: `ssh host '…'`, `docker exec` and their like.

use flyball_core::text::Words;
use flyball_effects::argv::{Grammar, OptionStyle, parse};
use flyball_effects::{Directory, FileAct, Line, RedirectKind, Word};

use super::context::Call;
use super::finding::Finding;
use super::hosts::is_local;
use super::rule::{Check, rules};
use super::zone::is_build_folder;
use crate::shell_word::{path_word, quoted};

rules! {
    "remote-harm" Standard Ask "on another machine or in a running container: deleting folders, stopping services, losing data; `ssh host 'rm -rf /srv/app'`"
        => Check::Elsewhere;
}

/// Rules about data that outlives a container in its volumes. The rest of a container is made anew.
const RULES_IN_CONTAINERS: &[&str] = &["write-disk", "storage", "drop-data", "reset-database"];

/// Rules that hold on every machine.
const RULES_THERE: &[&str] = &[
    "write-disk",
    "storage",
    "power-off",
    "kill-everything",
    "fork-bomb",
    "open-permissions",
    "stop-services",
    "container-data",
    "drop-data",
    "reset-database",
    "cluster-delete",
    "infrastructure",
    "firewall",
    "kernel",
    "accounts",
    "crontab-remove",
    "remove-essential",
    "erase-logs",
    "run-fetched",
];

impl Place {
    /// The rules that hold there too.
    pub(super) const fn rules(self) -> &'static [&'static str] {
        match self {
            Place::Machine => RULES_THERE,
            Place::Container => RULES_IN_CONTAINERS,
        }
    }
}

/// The finding about what a call does elsewhere.
pub(super) fn finding(call: &Call<'_>, place: Place, harm: &str) -> Option<Finding> {
    let place = match place {
        Place::Machine => "another machine",
        Place::Container => "a running container",
    };
    Finding::new(
        format!("`{}` reaches {place}: {harm}", call.display_text()),
        "Others may depend on it, and nothing here can undo it",
        "Look first, such as with `ls` there, show the user what would be lost, and let them decide",
    )
}

/// Whether what is stopped is started again.
pub(super) fn starts_again(text: &str) -> bool {
    [" start", "restart", " up ", "up -d"].iter().any(|word| text.contains(word))
}

/// The first folder that a line deletes which is neither temporary nor made by a build.
pub(super) fn deleted_folder(line: &Line, place: Place) -> Option<String> {
    let deleted = line.effects.files.iter().filter(|it| it.act == FileAct::Delete { recursive: true });
    let named = deleted.filter_map(|effect| {
        let text = effect.target.word.text.as_deref()?;
        // Behind a `cd`, a name is in the folder that it leads to; elsewhere it is in the home there.
        let folder = match &effect.target.directory {
            _ if text.starts_with(['/', '~']) => None,
            Directory::OneOf(places) => places.last().map(|it| format!("{it}/")),
            Directory::Start => None,
            Directory::Unknown => return None,
        };
        let path = folder.unwrap_or_default() + text;
        Some(path.trim_end_matches("/*").trim_end_matches('/').to_owned())
    });
    let is_scratch = |path: &str| {
        let mut parts = path.split('/');
        parts.any(|part| matches!(part, "tmp" | ".cache" | "cache") || is_build_folder(part))
    };
    // Where a container starts is most often the project, which is mounted there.
    let is_kept = |path: &str| place == Place::Machine || path.is_empty() || path.starts_with(['/', '~']);
    let mut named = named.filter(|path| !is_scratch(path) && is_kept(path));
    named.next().map(|path| if path.is_empty() { "/".to_owned() } else { path })
}

/// A program that starts what it is given on another machine or in a container.
struct Starter {
    programs: Words,
    /// The verbs in front of the names, as they follow each other; an empty one if there is none.
    verbs: Words,
    /// Its options with values, before and behind the verbs and the names.
    grammar: Grammar,
    /// How many words name the machine.
    names: usize,
    given: Given,
    place: Place,
}

/// How a program hands on what it is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    /// The words, joined, are text for a shell.
    Text,
    /// The words are a program and its arguments.
    Words,
    /// The values of these options are text for a shell.
    Options(&'static str),
}

/// Where a text runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Machine,
    Container,
}

/// A text that runs elsewhere.
pub(super) struct Remote {
    pub(super) text: String,
    pub(super) place: Place,
}

const fn starter(programs: &'static str, verbs: &'static str, given: Given, place: Place) -> Starter {
    let grammar = Grammar { option_style: OptionStyle::InFront, ..Grammar::PLAIN };
    Starter { programs: Words(programs), verbs: Words(verbs), grammar, names: 1, given, place }
}

impl Starter {
    const fn values(mut self, letters: &'static str, names: &'static str) -> Starter {
        self.grammar = Grammar { letters, names, ..self.grammar };
        self
    }

    const fn names(mut self, names: usize) -> Starter {
        self.names = names;
        self
    }
}

const STARTERS: &[Starter] = &[
    starter("ssh|autossh|mosh|slogin|rsh", "", Given::Text, Place::Machine)
        .values("bcDEeFIiJLlmOopQRSWwM", "ssh server predict port client family bind-server"),
    starter("tsh", "ssh", Given::Text, Place::Machine)
        .values("lpLDoJi", "login proxy user cluster identity port"),
    starter("gcloud", "compute ssh|alpha compute ssh|beta compute ssh", Given::Text, Place::Machine)
        .values("", "project zone ssh-key-file account configuration ssh-flag container"),
    starter("adb", "shell", Given::Text, Place::Machine).values("sHPLt", "").names(0),
    starter("minikube|docker-machine|colima", "ssh", Given::Text, Place::Machine)
        .values("pn", "profile node")
        .names(0),
    starter("kubectl|oc|k3s|microk8s", "exec|rsh|kubectl exec", Given::Words, Place::Machine).values(
        "ncsf",
        "namespace container context kubeconfig cluster user server token as filename pod-running-timeout \
         request-timeout shell",
    ),
    starter("lxc|incus|multipass|limactl", "exec|shell", Given::Words, Place::Machine)
        .values("TnC", "env user group cwd mode project working-directory workdir shell"),
    starter(
        "docker|podman|nerdctl|docker-compose|podman-compose|crictl",
        "exec|container exec|compose exec",
        Given::Words,
        Place::Container,
    )
    .values(
        "Hlceuwfpn",
        "context host log-level config env env-file user workdir detach-keys file project-name profile \
         project-directory index namespace runtime-endpoint",
    ),
    starter("gcloud|az", "", Given::Options("command scripts"), Place::Machine).values("", "command scripts"),
    starter("ansible", "", Given::Options("a args"), Place::Machine).values("a", "args"),
    starter("fly|flyctl", "", Given::Options("C command"), Place::Machine).values("C", "command"),
    starter("vagrant", "", Given::Options("c command"), Place::Machine).values("c", "command"),
    starter("doctl", "", Given::Options("ssh-command"), Place::Machine).values("", "ssh-command"),
    starter("aws", "", Given::Options("command"), Place::Machine).values("", "command"),
];

/// Whether any of these programs starts what it is given on another machine or in a container: a long line has many
/// commands of few programs.
pub(super) fn starts_elsewhere<'n>(programs: impl IntoIterator<Item = &'n str>) -> bool {
    let is_starter =
        |name: &str| BY_HOSTS.contains(&name) || STARTERS.iter().any(|it| it.programs.contains(name));
    programs.into_iter().any(is_starter)
}

/// Programs that take a text for a list of hosts.
const BY_HOSTS: [&str; 6] = ["pdsh", "dsh", "clush", "pssh", "parallel-ssh", "heroku"];

/// The texts that a call runs on another machine or in a container.
pub(super) fn remote_texts(call: &Call<'_>) -> Vec<Remote> {
    if BY_HOSTS.contains(&call.program) {
        // The text is the last word, or the words behind the hosts.
        let texts = call.operands().into_iter().map(|word| joined(&[word]));
        let texts = texts.filter(|text| text.contains(' '));
        return texts.map(|text| Remote { text, place: Place::Machine }).collect();
    }
    let starters = STARTERS.iter().filter(|it| it.programs.contains(call.program));
    starters.flat_map(|it| it.remotes(call)).filter(|it| !it.text.trim().is_empty()).collect()
}

impl Starter {
    fn remotes(&self, call: &Call<'_>) -> Vec<Remote> {
        let texts = match self.given {
            Given::Options(options) => {
                let grammar = Grammar { option_style: OptionStyle::Anywhere, ..self.grammar };
                let parsed = parse(&grammar, &call.command.arguments);
                let given = parsed.options.iter().filter(|it| it.is_one_of(options, OptionStyle::Anywhere));
                given.filter_map(|option| option.text().map(str::to_owned)).collect()
            }
            Given::Text | Given::Words => match self.started(&call.command.arguments) {
                Some(words) => with_input(call, &self.spelled(&words)),
                None => Vec::new(),
            },
        };
        texts.into_iter().map(|text| Remote { text, place: self.place }).collect()
    }

    /// The words that are started, behind the verbs and the names; `None` if the verbs are others, or if the machine is
    /// this one.
    fn started<'a>(&self, arguments: &'a [Word]) -> Option<Vec<&'a Word>> {
        let mut arguments = arguments;
        // Options may come before, between and behind the verbs and the names, up to the command.
        let next = |arguments: &mut &'a [Word]| {
            let rest: &'a [Word] = arguments;
            let (word, behind) = rest.get(parse(&self.grammar, rest).first_operand..)?.split_first()?;
            *arguments = behind;
            Some(word)
        };
        if !self.verbs.0.is_empty() {
            let mut is_found = false;
            for verbs in self.verbs.iter() {
                let mut rest = arguments;
                if verbs.split(' ').all(|verb| next(&mut rest).is_some_and(|word| word.is(verb))) {
                    (arguments, is_found) = (rest, true);
                    break;
                }
            }
            if !is_found {
                return None;
            }
        }
        for _ in 0..self.names {
            let name = next(&mut arguments)?.text.as_deref().unwrap_or_default();
            if self.given == Given::Text && is_local(name.rsplit('@').next().unwrap_or(name)) {
                return None;
            }
        }
        let first = parse(&self.grammar, arguments).first_operand;
        Some(arguments.get(first..).unwrap_or_default().iter().collect())
    }

    fn spelled(&self, words: &[&Word]) -> String {
        match self.given {
            Given::Words => {
                let texts = words.iter().map(|word| match word.text.as_deref() {
                    Some(text) => path_word(text),
                    None => word.raw.clone(),
                });
                texts.collect::<Vec<_>>().join(" ")
            }
            Given::Text | Given::Options(_) => joined(words),
        }
    }
}

fn joined(words: &[&Word]) -> String {
    words.iter().map(|word| word.text.as_deref().unwrap_or(&word.raw)).collect::<Vec<_>>().join(" ")
}

/// What is started, with the texts of this line that it reads. A login shell runs what it reads.
fn with_input(call: &Call<'_>, started: &str) -> Vec<String> {
    let is_text = |kind: RedirectKind| matches!(kind, RedirectKind::HereDoc | RedirectKind::HereString);
    let documents = call.command.redirects.iter().filter(|it| is_text(it.kind));
    let documents = documents.map(|it| it.target.text.as_deref().unwrap_or(&it.target.raw));
    let inputs: Vec<&str> = documents.chain(call.command.input.as_deref()).collect();
    if started.trim().is_empty() {
        return inputs.into_iter().map(str::to_owned).collect();
    }
    let mut texts = vec![started.to_owned()];
    texts.extend(inputs.into_iter().map(|input| format!("{} <<< {}", started.trim_end(), quoted(input))));
    texts
}
