//! The fields of an object in an input, by what they are called.

use std::cell::RefCell;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::text::Words;

pub(super) const FOLDER: Words = Words(
    "cwd|dir|directory|folder|root|base|basepath|basedir|workingdirectory|workingdir|workdir|currentdirectory|repopath|\
     repodir|projectpath|projectdir|projectroot|rootpath|rootdir|parentpath|parentdir|parent|workspace|workspacepath|\
     worktree|worktreepath|localpath|dirpath|directorypath|folderpath",
);
pub(super) const PATH: Words = Words(
    "path|file|filepath|filename|absolutepath|abspath|relativepath|relpath|pathinproject|targetfile|uri|fileuri|\
     documenturi|notebookpath|notebook|fname|relativeworkspacepath|outputpath|outfile|output|outputfile|savepath|paths|files|\
     filenames|filepaths|uris|inputpath|document|textdocument|configpath|configfile|script_path|scriptpath|targets|items|\
     absolutefilepath|relativefilepath|fullpath",
);
/// Counts as a path only below a folder, or with an ending.
pub(super) const NAME: Words = Words("name|basename|title|key|target|id|resource");
pub(super) const FROM: Words =
    Words("source|src|from|oldpath|sourcepath|frompath|olduri|srcpath|currentpath|oldname|origin|sources");
pub(super) const TO: Words = Words(
    "destination|dest|dst|to|newpath|destinationpath|topath|newuri|dstpath|targetpath|newname|newfilename|target|link|\
     linkpath|linkname",
);
pub(super) const CONTENT: Words = Words(
    "content|contents|filetext|newcontent|newcontents|filecontent|filecontents|body|text|data|newsource|newtext|newstr|\
     newstring|newcode|inserttext|value|codeedit|base64|lines",
);
/// Content under names that searches do not use for what they look for.
pub(super) const SURE_CONTENT: Words = Words(
    "content|contents|filetext|newcontent|newcontents|filecontent|filecontents|newsource|newtext|newstr|newstring|\
     newcode|inserttext|codeedit|edits|patch|diff",
);
pub(super) const OLD: Words = Words(
    "old|oldtext|oldstring|oldstr|oldcode|search|searchtext|searchstring|find|findtext|original|originaltext|before|\
     oldcontent|oldvalue",
);
pub(super) const NEW: Words = Words(
    "new|newtext|newstring|newstr|newcode|replace|replacement|replacewith|replacetext|replacementtext|repl|after|with|\
     newcontent|newvalue|updated",
);
pub(super) const REGEX: Words = Words("regex|regexp|pattern|needle|searchpattern|regularexpression");
pub(super) const COMMAND: Words = Words(
    "command|cmd|commandline|clicommand|shellcommand|keys|keystrokes|line|shell|bash|exec|commands|cmds|cmdline|\
     bashcommand|commandstring|terminalcommand|run|sh|zsh|oneliner|shellcmd|shcommand|runcommand|execcommand|\
     startcommand|commandtext|cmdtext|invocation",
);
/// Of a terminal, these are typed into a shell.
pub(super) const TYPED: Words = Words("text|input|data|string|content|characters");
pub(super) const PROGRAM: Words = Words("program|executable|binary|exe|bin|tool|utility");
pub(super) const ARGS: Words =
    Words("args|argv|arguments|flags|options|params|parameters|extraargs|additionalargs|cliargs|commandargs");
pub(super) const CODE: Words = Words(
    "code|script|source|snippet|expression|function|javascript|python|pythoncode|js|jscode|cell|cellsource|eval|\
     sourcecode|scriptcontent|scriptbody|typescript|program|powershell|applescript|block|stdin|src|expr|py|pycode|\
     ruby|rubycode|perl|php|ts|node|nodecode|codeblock|codestring|shellscript|bashscript",
);
pub(super) const SQL: Words = Words(
    "sql|query|queries|statement|statements|sqlquery|sqlstatement|sqls|rawquery|ddl|migration|command|text|q|stmt|stmts|rawsql|sqltext|sqlcommand|querytext|querystring|script|input|code|cmd|\
     cql|expression|body",
);
pub(super) const PATCH: Words = Words(
    "patch|diff|unifieddiff|patchtext|patchcontent|patchstring|diffcontent|changes|input|content|edit|command|text",
);
pub(super) const ENV: Words = Words("env|environment|envvars|environmentvariables|envs");
pub(super) const LANGUAGE: Words =
    Words("language|lang|runtime|interpreter|kernel|kernelname|engine|shelltype|languageid");
/// What a call is asked to do, in a word.
pub(super) const ACTION: Words = Words("action|operation|op|subcommand|verb|method|mode|command");
/// Files whose content is sent, beside an address or to somebody.
pub(super) const SENT_FILE: Words = Words(
    "bodyfile|bodypath|datafile|payloadfile|uploadfile|upload|uploads|attachment|attachments|attachmentpath|\
     attachmentpaths|attachedfile|attachedfiles|formfile|inputfile|bodyfromfile|datafromfile|filestoupload|fileupload|\
     sendfile|attach|localfile",
);
pub(super) const URL: Words = Words("url|endpoint|href|uri|address");
/// Text for people: it names no file that a tool would change.
pub(super) const PROSE: Words = Words(
    "message|title|description|comment|prompt|question|summary|note|subject|reason|commitmessage|explanation|body|\
     thought|instructions|query|label|labels|text|task|goal",
);

/// Names of things, and text that is looked for: neither is run.
pub(super) const NAMING: Words = Words(
    "name|key|id|displayname|heading|header|caption|alt|placeholder|markdown|html|msg|reply|answer|response|notes|\
     details|context|feedback|abstract|keyword|keywords|term|terms|topic|todo|todos|memory|observation|observations|\
     intent|rationale|plan|hint|example|examples|tags|searchterm|highlight|selector|element|ref|value|values|entries|fact",
);

/// A key without what only separates its words.
pub(super) fn plain(key: &str) -> String {
    key.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// An object, and which of its fields were understood.
pub(super) struct Fields<'v> {
    pub(super) map: &'v Map<String, Value>,
    used: RefCell<BTreeSet<&'v str>>,
}

impl<'v> Fields<'v> {
    pub(super) fn new(map: &'v Map<String, Value>) -> Fields<'v> {
        Fields { map, used: RefCell::default() }
    }

    /// The first field under one of these names.
    pub(super) fn find(&self, names: Words) -> Option<(&'v str, &'v Value)> {
        self.all(names).next()
    }

    pub(super) fn all(&self, names: Words) -> impl Iterator<Item = (&'v str, &'v Value)> {
        let map = self.map;
        map.iter()
            .filter(move |(key, value)| names.contains(&plain(key)) && !is_empty(value))
            .map(|(key, value)| (key.as_str(), value))
    }

    pub(super) fn text(&self, names: Words) -> Option<(&'v str, &'v str)> {
        self.all(names).find_map(|(key, value)| Some((key, value.as_str()?)))
    }

    /// The text of such a field, which is understood by that.
    pub(super) fn take(&self, names: Words) -> Option<&'v str> {
        let (key, text) = self.text(names).filter(|(key, _)| !self.is_used(key))?;
        self.mark(key);
        Some(text)
    }

    /// The texts of such a field, one or a list.
    pub(super) fn take_list(&self, names: Words) -> Vec<&'v str> {
        for (key, value) in self.all(names).filter(|(key, _)| !self.is_used(key)) {
            let texts = texts(value);
            if !texts.is_empty() {
                self.mark(key);
                return texts;
            }
        }
        Vec::new()
    }

    pub(super) fn is_true(&self, names: Words) -> bool {
        self.all(names).any(|(_, value)| value.as_bool() == Some(true) || value.as_str() == Some("true"))
    }

    pub(super) fn mark(&self, key: &'v str) {
        self.used.borrow_mut().insert(key);
    }

    pub(super) fn is_used(&self, key: &str) -> bool {
        self.used.borrow().contains(key)
    }

    pub(super) fn rest(&self) -> Vec<(&'v str, &'v Value)> {
        self.map
            .iter()
            .map(|(key, value)| (key.as_str(), value))
            .filter(|(key, _)| !self.is_used(key))
            .collect()
    }
}

/// A text, or all texts of a list of nothing else.
pub(super) fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) if items.iter().all(Value::is_string) => {
            items.iter().filter_map(Value::as_str).collect()
        }
        _ => Vec::new(),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}
