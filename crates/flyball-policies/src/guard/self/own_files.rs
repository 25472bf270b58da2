//! Our files on this machine, and how a call may name them.

use std::cell::OnceCell;

use flyball_core::path::is_or_is_below;
use flyball_core::policy::{OwnFile, World};

use crate::guard::touch;

/// The end of the path of every project's configuration.
const CONFIG_NAME: &str = "/flyball.toml";

/// Our files on this machine.
pub(super) struct OwnFiles<'a> {
    world: &'a dyn World,
    /// Without symlinks; resolved on first use.
    own: OnceCell<Vec<OwnFile>>,
    /// The text of the call. What depends on it alone is worked out once: a long line has thousands of touches.
    line: &'a str,
    picks: OnceCell<Picks>,
    names: OnceCell<Vec<String>>,
}

/// Whether a line picks files out of a list, and whether it gives a part of our name for that.
#[derive(Clone, Copy)]
struct Picks {
    has_list: bool,
    has_our_name: bool,
}

impl<'a> OwnFiles<'a> {
    pub(super) fn new(world: &'a dyn World, line: &'a str) -> OwnFiles<'a> {
        OwnFiles { world, own: OnceCell::new(), line, picks: OnceCell::new(), names: OnceCell::new() }
    }

    /// Our file or folder that a path names or is in.
    pub(super) fn own_at(&self, path: &str) -> Option<&'static str> {
        let path = lower(path);
        // A config in any other folder would apply to the next session that starts there.
        if path.ends_with(CONFIG_NAME) {
            return Some("flyball's configuration");
        }
        let own =
            self.own_files().iter().find(|own| is_or_is_below(&path, &lower(&own.path))).map(|own| own.what);
        own.or_else(|| usual_place(&path))
    }

    /// Our file that a pattern of file names matches.
    pub(super) fn own_matching(&self, pattern: &str) -> Option<&'static str> {
        if pattern.ends_with(CONFIG_NAME) {
            return self.own_at(pattern);
        }
        let (folder, _) = pattern.split_at(pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len()));
        let folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
        let found = self.own_files().iter().find(|own| {
            // Or all that it can match is in a folder of ours.
            fast_glob::glob_match(pattern, own.path.as_str()) || is_or_is_below(folder, &own.path)
        });
        found.map(|own| own.what)
    }

    /// Our file that is deleted or moved together with this path.
    pub(super) fn own_below(&self, path: &str) -> Option<&'static str> {
        self.own_files().iter().find(|own| is_or_is_below(&own.path, path)).map(|own| own.what)
    }

    /// A file of ours that is named somewhere in a text. Most are called what other files are
    /// called too (`settings.json`), so those count only with the folder they are in.
    pub(super) fn mentioned(&self, text: &str) -> Option<&OwnFile> {
        let names = self.names.get_or_init(|| self.world.own_files().iter().map(telling_name).collect());
        let mut named = self.world.own_files().iter().zip(names);
        let by_name = named.find(|(_, name)| !name.is_empty() && text.contains(name.as_str()));
        let by_name = by_name.map(|(own, _)| own).or_else(|| self.by_variable(text));
        by_name.or_else(|| {
            touch::names_in(text).filter(|name| name.contains(['*', '?'])).find_map(|it| self.glob(it))
        })
    }

    /// A file of ours below a folder that a variable names: `${XDG_CONFIG_HOME:-$HOME/.config}/flyball/config.toml`.
    fn by_variable(&self, text: &str) -> Option<&OwnFile> {
        let variables = || self.world.clients().iter().filter_map(|client| client.home_variable);
        let may_name_ours = || {
            text.contains("flyball")
                || text.contains("FLYBALL")
                || variables().any(|name| text.contains(name))
        };
        if !text.contains('$') || !may_name_ours() {
            return None;
        }
        let bare = text.replace(['{', '}', '"', '\''], "");
        let is_moved = |own: &&OwnFile| {
            let name = file_name(own);
            // The variable names the client's folder, so that what follows it is the file's own name.
            let is_registration = variables().any(|variable| bare.contains(&format!("${variable}/{name}")));
            let folder = own.path.rsplit('/').nth(1).unwrap_or_default();
            is_registration || (name == "flyball" && bare.contains(&format!("{folder}/{name}")))
        };
        const OUR_FOLDERS: &[&str] =
            &["XDG_CONFIG_HOME/flyball", "XDG_STATE_HOME/flyball", "FLYBALL_CONFIG_DIR", "FLYBALL_STATE_DIR"];
        let is_ours = OUR_FOLDERS.iter().any(|folder| bare.contains(&format!("${folder}")));
        let own = self.world.own_files();
        own.iter().find(is_moved).or_else(|| own.iter().find(|own| is_ours && file_name(own) == "flyball"))
    }

    /// A file of ours that a pattern in a text selects: `fly*.toml`, `.claude/*.json`. One that selects almost
    /// everything (`*.json`) says nothing about ours.
    fn glob(&self, pattern: &str) -> Option<&OwnFile> {
        let literal = pattern.rsplit('/').next()?.split(['*', '?']).next()?;
        let names_folder =
            pattern.rsplit('/').nth(1).is_some_and(|folder| folder.len() > 2 && !folder.contains('*'));
        if literal.len() < 3 && !names_folder {
            return None;
        }
        let anywhere = format!("**/{}", pattern.trim_start_matches(['.', '/']).trim_start_matches('~'));
        let with_dot = format!("**/{}", pattern.trim_start_matches("./"));
        let matches = |own: &&OwnFile| {
            fast_glob::glob_match(&anywhere, own.path.as_str())
                || fast_glob::glob_match(&with_dot, own.path.as_str())
        };
        self.world.own_files().iter().find(matches)
    }

    /// Our configuration, if the line picks it out of a list: `ls | grep '^fly' | xargs rm`.
    pub(super) fn selected(&self, text: &str) -> Option<&OwnFile> {
        let picks = self.picks.get_or_init(|| Picks::read(self.line));
        (picks.has_list && (picks.has_our_name || has_our_name(text))).then_some(())?;
        self.world.own_files().iter().find(|own| CONFIG_NAME.ends_with(file_name(own)))
    }

    /// A file of ours with this name whose folder is elsewhere on the line, after a `cd`.
    pub(super) fn split_file(&self, name: &str) -> Option<&OwnFile> {
        let own = |own: &&OwnFile| name == file_name(own) && self.line.contains(folder_or_name(own));
        self.world.own_files().iter().find(own)
    }

    fn own_files(&self) -> &[OwnFile] {
        let real = |own: &OwnFile| OwnFile { path: self.world.real_path(&own.path, "."), what: own.what };
        self.own.get_or_init(|| self.world.own_files().iter().map(real).collect())
    }
}

impl Picks {
    fn read(line: &str) -> Picks {
        let lists = ["grep", "rg ", "awk", "sed", "fzf", "find "];
        let has_list = lists.iter().any(|program| line.contains(program));
        Picks { has_list, has_our_name: has_list && has_our_name(line) }
    }
}

/// Whether a word of a text is a beginning of our name that few other files have.
fn has_our_name(text: &str) -> bool {
    let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.any(|word| word.len() >= 3 && "flyball".starts_with(word))
}

/// What of a path says that it is ours: nothing where that cannot be told.
fn telling_name(own: &OwnFile) -> String {
    match own.path.rsplit_once('/') {
        Some((_, name)) if CONFIG_NAME.ends_with(name) => name.to_owned(),
        Some((above, name)) => match above.rsplit('/').next().unwrap_or_default() {
            "" => String::new(),
            folder => format!("{folder}/{name}"),
        },
        None => String::new(),
    }
}

/// What we have at this place unless the environment says otherwise: it may not say so in the next session.
fn usual_place(path: &str) -> Option<&'static str> {
    const FOLDERS: [(&str, &str); 2] =
        [("/.config/flyball", "flyball's configuration"), ("/.local/state/flyball", "flyball's record")];
    let is_in = |folder: &str| {
        path.split_once(folder).is_some_and(|(_, rest)| rest.is_empty() || rest.starts_with('/'))
    };
    let is_program = || path.ends_with("/bin/flyball").then_some("flyball's program");
    FOLDERS.iter().find(|(folder, _)| is_in(folder)).map(|(_, what)| *what).or_else(is_program)
}

/// Some file systems ignore case: `Flyball.toml` is `flyball.toml` there.
fn lower(path: &str) -> String {
    path.to_lowercase()
}

pub(super) fn file_name(own: &OwnFile) -> &str {
    own.path.rsplit('/').next().unwrap_or(&own.path)
}

/// The name by which a command line would reach the file: its folder if that belongs to a client
/// (`cd .claude`), else its own name.
fn folder_or_name(own: &OwnFile) -> &str {
    let folder = own.path.rsplit('/').nth(1).unwrap_or_default();
    if folder.starts_with('.') { folder } else { file_name(own) }
}

/// The program, if a text looks up where it is: `$(command -v flyball)`.
pub(super) fn looked_up(text: &str) -> Option<&'static str> {
    const LOOKUPS: &[&str] = &[
        "command -v",
        "which",
        "which -a",
        "type -p",
        "type -P",
        "whence",
        "whence -p",
        "whereis -b",
        "where",
    ];
    if !text.contains("flyball") {
        return None;
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    LOOKUPS.iter().any(|lookup| text.contains(&format!("{lookup} flyball"))).then_some("flyball")
}
