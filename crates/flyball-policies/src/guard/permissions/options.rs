//! Options that make a safe command do something else: write a file, run a program, read other
//! settings.
//!
//! A pattern that names such an option itself (`cargo test --config *`) allows it.

/// One program's options, separated by spaces.
struct Row {
    /// Its names, separated by spaces.
    programs: &'static str,
    /// With these it is not what was allowed.
    never: &'static str,
    /// With these it changes files, which only some patterns allow.
    changes: &'static str,
}

const fn row(programs: &'static str, never: &'static str) -> Row {
    Row { programs, never, changes: "" }
}

const fn fixer(programs: &'static str, never: &'static str, changes: &'static str) -> Row {
    Row { programs, never, changes }
}

/// `-o` is one letter, alone or among others; `=-o` only alone or as `-o=x`; `--output` also its
/// abbreviations and `--output=x`; `-exec` a word, also `--exec` and `-exec=x`.
static ROWS: &[Row] = &[
    row(
        "git",
        "-O --output --ext-diff --open-files-in-pager --upload-pack --receive-pack --exec --exec-path \
         --config-env --git-dir --work-tree --no-index --filters --textconv",
    ),
    row("find gfind", "-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from"),
    row("rg", "--pre --hostname-bin --search-zip -z"),
    row("sort", "-o --output --compress-program -T --temporary-directory --files0-from"),
    row("tree", "-o -R --output --fromfile --fromtabfile"),
    row("file", "-C --compile -m --magic-file -f --files-from -p --preserve-date"),
    row("date", "-s --set -f --file"),
    row("printf", "-v"),
    row("jq", "-L --library-path -f --from-file"),
    row("wc du", "--files0-from"),
    row("npm pnpm yarn", "--script-shell --prefix --dir --cwd --userconfig --globalconfig --node-options"),
    row(
        "go",
        "-exec -toolexec -vettool -overlay -modfile =-o =-C -ldflags -gcflags -asmflags -gccgoflags -pkgdir \
         -mod -buildmode -fix",
    ),
    fixer(
        "cargo",
        "--config -Z -C --out-dir --artifact-dir --broken-code --logfile --open",
        "--fix --allow-dirty",
    ),
    row(
        "pytest py.test",
        "--basetemp --junitxml --junit-xml --log-file --pastebin --pdbcls --report-log --resultlog \
         =-o --override-ini",
    ),
    row(
        "jest vitest",
        "--outputFile --globalSetup --globalTeardown --runner --testRunner --config =-c --api --ui",
    ),
    row("mocha", "--require -r --config --package --loader --import --reporter-options --reporter-option"),
    row("rspec", "-o --out -O --options -r --require"),
    row(
        "bun deno",
        "--preload -r --require --import -A --allow-all --allow-run --allow-write --allow-ffi --allow-net \
         --allow-env --allow-read --allow-sys --allow-import --config -c --env-file",
    ),
    row(
        "ctest",
        "-S -D -O -M -T --output-log --output-junit --build-and-test --script --script-new-process \
         --dashboard --extra-submit",
    ),
    row(
        "phpunit",
        "-c -d --configuration --bootstrap --prepend --log-junit --log-teamcity --generate-configuration \
         --migrate-configuration --extension --include-path",
    ),
    row("dotnet", "-o --output -p --property -s --settings --test-adapter-path --results-directory"),
    row(
        "make gmake",
        "-f --file --makefile -C --directory -E --eval -I --include-dir -e --environment-overrides -W -o",
    ),
    row("just", "-f --justfile -d --working-directory --set --shell --shell-arg --command -c --dotenv-path"),
    row(
        "mvn mvnw",
        "=-f --file =-s --settings -gs --global-settings =-P --activate-profiles =-t --toolchains",
    ),
    row(
        "gradle gradlew",
        "-I --init-script -b --build-file -c --settings-file -p --project-dir -D -P --include-build \
         --system-prop --project-prop --gradle-user-home -g",
    ),
    fixer("golangci-lint", "-c --config --cpu-profile-path --mem-profile-path", "--fix"),
    fixer("ruff", "--config --cache-dir -o --output-file", "--fix --fix-only --unsafe-fixes --add-noqa"),
    fixer(
        "eslint",
        "-c --config --rulesdir --plugin --parser --resolve-plugins-relative-to -o --output-file -f --format",
        "--fix --fix-type --cache --suppress-all --suppress-rule --prune-suppressions",
    ),
    fixer("biome", "--config-path", "--write --apply --apply-unsafe --fix --unsafe --suppress"),
    fixer("prettier", "--config --plugin --plugin-search-dir", "-w --write"),
    fixer(
        "rubocop",
        "-c --config -r --require -o --out",
        "-a -A --autocorrect --auto-correct --fix-layout --auto-gen-config",
    ),
    fixer("markdownlint", "-c --config -r --rules -o --output", "-f --fix"),
    fixer(
        "mypy pyright basedpyright pylint flake8",
        "--config-file --rcfile --init-hook --load-plugins --install-types --config --project --output-file \
         --junit-xml --any-exprs-report --html-report --xml-report --txt-report --pythonpath \
         --python-executable",
        "--writebaseline --createstub",
    ),
    row("black isort", "--config --settings-path"),
    fixer("gofmt goimports gofumpt shfmt", "-cpuprofile", "-w --write"),
    row("rustfmt clang-format", "--config-path --config --print-config"),
    row(
        "tsc",
        "--outFile --outDir --declarationDir --tsBuildInfoFile --generateTrace --generateCpuProfile --init \
         --build -b",
    ),
    row("cmake", "-P -E -D -S -B --install -t --target =--"),
    row("ninja", "-f -C -t"),
    row("actionlint", "-shellcheck -pyflakes -config-file -init-config"),
    row("terraform", "-chdir"),
    row(
        "curl",
        "-o --output -O --remote-name -d --data --data-raw --data-binary --data-ascii --data-urlencode -F --form \
         -T --upload-file -K --config -X --request -x --proxy -c --cookie-jar -D --dump-header --json \
         --output-dir --trace --trace-ascii --stderr -n --netrc -b --cookie",
    ),
    row(
        "wget",
        "-O --output-document -o --output-file -a --append-output -i --input-file --post-data --post-file \
         --body-data --body-file --method -e --execute --use-askpass --config -P --directory-prefix -r",
    ),
];

/// Whether the pattern in use lets files of the project change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Files {
    /// It is about looking, or about running tests.
    Stay,
    /// It is about a command that writes.
    MayChange,
}

/// The first word with which a program does something else than what was allowed. What stands for
/// it in the pattern may name several programs: `uv run pytest`.
pub(super) fn unsafe_word<'a>(pattern: &[&str], words: &[&'a str], files: Files) -> Option<&'a str> {
    let names: Vec<&str> = pattern.iter().filter_map(|word| word.rsplit('/').next()).collect();
    let rows = ROWS.iter().filter(|row| row.programs.split(' ').any(|program| names.contains(&program)));
    let listed: Vec<&str> = rows
        .flat_map(|row| {
            let changes = if files == Files::Stay { row.changes } else { "" };
            row.never.split_whitespace().chain(changes.split_whitespace())
        })
        .collect();
    words.iter().copied().find(|word| listed.iter().any(|option| is_option(word, option)))
}

/// Whether a word is or holds an option.
fn is_option(word: &str, option: &str) -> bool {
    let bare = word.split_once('=').map_or(word, |(name, _)| name);
    if let Some(option) = option.strip_prefix('=') {
        return bare == option;
    }
    match (option.strip_prefix("--"), option.strip_prefix('-')) {
        // Programs take a long option cut short, as long as it is clear which one is meant.
        (Some(_), _) => bare.len() > 2 && bare.starts_with("--") && option.starts_with(bare),
        (None, Some(letter)) if letter.len() == 1 => is_among(word, letter),
        (None, Some(name)) => bare == option || bare.strip_prefix("--") == Some(name),
        (None, None) => false,
    }
}

/// Whether a word of one-letter options holds this one.
fn is_among(word: &str, letter: &str) -> bool {
    let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    letters.is_some_and(|letters| {
        letters.chars().take_while(char::is_ascii_alphanumeric).any(|found| letter.contains(found))
    })
}
