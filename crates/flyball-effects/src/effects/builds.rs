//! Folders whose code a command runs by building or installing it.

use crate::argv::{Grammar, OptionStyle, parse};
use crate::model::{Command, Target, Word, base_name};

/// A program that runs the code of a folder by building or installing it.
struct Builder {
    /// Its names.
    programs: &'static [&'static str],
    /// Its options with values.
    grammar: Grammar,
    /// The options that name the folder, or a file in it.
    folders: &'static str,
    /// Without such an option it builds the folder where it is started.
    builds_here: bool,
    /// The verbs behind which a path is a folder that it builds.
    verbs: &'static [&'static str],
}

const fn builder(programs: &'static [&'static str], letters: &'static str, names: &'static str) -> Builder {
    let grammar = Grammar { letters, optional: "", names, option_style: OptionStyle::Anywhere };
    Builder { programs, grammar, folders: "", builds_here: false, verbs: &[] }
}

impl Builder {
    const fn in_folders(mut self, folders: &'static str) -> Builder {
        self.folders = folders;
        self
    }

    const fn or_here(mut self) -> Builder {
        self.builds_here = true;
        self
    }

    const fn behind(mut self, verbs: &'static [&'static str]) -> Builder {
        self.verbs = verbs;
        self
    }
}

/// Any verb, or none.
const ANY: &[&str] = &[""];

const BUILDERS: &[Builder] = &[
    builder(&["make", "gmake", "ninja", "scons"], "CfIWo", "directory file makefile include-dir")
        .in_folders("C directory f file makefile")
        .or_here(),
    builder(&["rake"], "fIrC", "rakefile directory libdir require")
        .in_folders("C directory f rakefile")
        .or_here(),
    builder(&["just"], "dfE", "working-directory justfile set shell dotenv-path")
        .in_folders("d working-directory f justfile")
        .or_here(),
    builder(&["meson"], "C", "prefix native-file cross-file backend").in_folders("C").or_here().behind(ANY),
    builder(&["cmake"], "SBGDUCTAP", "build install preset target config parallel toolchain")
        .in_folders("S build install")
        .behind(ANY),
    builder(
        &["pip", "pip3", "pipx"],
        "ercit",
        "editable requirement constraint index-url extra-index-url target python",
    )
    .in_folders("e editable r requirement")
    .behind(&["install", "wheel", "run"]),
    builder(&["uv"], "erp", "editable requirement directory project with with-editable python index-url")
        .in_folders("directory project e editable with-editable r requirement")
        .behind(&["pip", "sync", "run", "build", "tool"]),
    builder(&["poetry", "pdm", "hatch"], "CPp", "directory project")
        .in_folders("C P p directory project")
        .or_here(),
    builder(&["npm", "yarn", "pnpm", "bun"], "Cwc", "prefix cwd dir workspace filter")
        .in_folders("C prefix cwd dir")
        .or_here()
        .behind(&["install", "i", "add", "ci", "link"]),
    builder(&["cargo"], "pFjC", "path manifest-path package features target target-dir bin example profile")
        .in_folders("path manifest-path C")
        .or_here(),
    builder(&["go"], "C", "").in_folders("C").behind(&["run", "install", "generate", "test"]),
    builder(
        &["gradle", "gradlew"],
        "pbcPDI",
        "project-dir build-file settings-file init-script include-build",
    )
    .in_folders("p project-dir b build-file c settings-file")
    .or_here(),
    builder(&["mvn", "mvnw"], "fPplDs", "file projects activate-profiles settings")
        .in_folders("f file")
        .or_here(),
    builder(&["composer", "bundle", "mix", "swift"], "d", "working-dir gemfile package-path path")
        .in_folders("d working-dir gemfile package-path path")
        .or_here(),
    builder(&["bazel", "bazelisk"], "", "output_base bazelrc").or_here(),
];

/// The builder and the words that a command starts it with: `python -m pip install x` starts pip.
fn started(command: &Command) -> Option<(&'static Builder, &[Word])> {
    let name = command.program_name()?;
    let of = |name: &str| BUILDERS.iter().find(|it| it.programs.contains(&base_name(name)));
    if name.starts_with("python") || name.starts_with("pypy") {
        let at = command.arguments.iter().position(|word| word.is("-m"))?;
        let module = command.arguments.get(at + 1)?.text.as_deref()?;
        return Some((of(module)?, command.arguments.get(at + 2..)?));
    }
    Some((of(name)?, &command.arguments))
}

/// Whether a command may build or install the code of a folder. Asked for every line.
pub fn builds(command: &Command) -> bool {
    started(command).is_some()
}

/// The folders whose code a command runs by building or installing it.
pub fn built_folders(command: &Command) -> Vec<Target> {
    let Some((builder, arguments)) = started(command) else { return Vec::new() };
    let parsed = parse(&builder.grammar, arguments);
    let given =
        parsed.options.iter().filter(|option| option.is_one_of(builder.folders, OptionStyle::Anywhere));
    let mut folders: Vec<Word> = given.filter_map(|option| Some(option.value.as_deref()?.clone())).collect();
    if folders.is_empty() && builder.builds_here {
        folders.push(Word::literal("."));
    }
    let is_path = |word: &&&Word| word.text.as_deref().is_some_and(|text| text.starts_with(['.', '/', '~']));
    let has_verb = |verb: &&str| verb.is_empty() || parsed.operands.iter().any(|word| word.is(verb));
    if builder.verbs.iter().any(has_verb) {
        folders.extend(parsed.operands.iter().filter(is_path).map(|word| (*word).clone()));
    }
    folders.iter().map(|folder| Target::new(folder, &command.directory)).collect()
}
