//! The built-in lists of safe commands, as patterns separated by commas.
//!
//! What a program can be told to do beyond its usual work is in `options` and `arguments`: a line
//! here is only as safe as the program's row there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::pattern::begins;

/// A built-in list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// Looking at files, at git's history and at versions.
    ReadOnly,
    /// Running tests, linters and compilers.
    Tests,
    /// Building.
    Builds,
    /// Formatting: changes files of the project.
    Formatters,
}

impl Preset {
    /// The name used in the config.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Preset::ReadOnly => "read-only",
            Preset::Tests => "tests",
            Preset::Builds => "builds",
            Preset::Formatters => "formatters",
        }
    }

    /// Whether what it allows may change files of the project.
    pub(super) const fn may_change(self) -> bool {
        match self {
            Preset::ReadOnly | Preset::Tests => false,
            Preset::Builds | Preset::Formatters => true,
        }
    }

    const fn patterns(self) -> &'static str {
        match self {
            Preset::ReadOnly => READ_ONLY,
            Preset::Tests => TESTS,
            Preset::Builds => BUILDS,
            Preset::Formatters => FORMATTERS,
        }
    }

    /// The pattern of this list that is about a command, and how many of its words it stands for.
    pub(super) fn find(self, words: &[&str]) -> Option<(&'static str, usize)> {
        let program = words.first()?;
        let lines = self.patterns().split(',').map(str::trim);
        lines.filter(|line| first_word(line) == *program).find_map(|line| {
            let (text, is_whole) = match line.strip_suffix('$') {
                Some(text) => (text, true),
                None => (line, false),
            };
            let pattern: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            Some((line, begins(words, &pattern, is_whole)?))
        })
    }
}

fn first_word(line: &str) -> &str {
    line.split([' ', '$']).next().unwrap_or(line)
}

const READ_ONLY: &str = "\
    ls, cat, head, tail, wc, grep, egrep, fgrep, rg, find, stat, file, du, df, tree, pwd, which, type, \
    echo, printf, diff, cmp, comm, sort, uniq, cut, tr, nl, tac, rev, fold, paste, join, column, jq, sed, \
    awk, date, uname$, uname -a$, uname -s$, uname -m$, uname -r$, whoami$, id$, nproc$, basename, dirname, \
    realpath, readlink, md5sum, sha1sum, sha256sum, cksum, strings, od, hexdump, seq, sleep, true, false, :, \
    test, [, cd, pushd, popd, exit, set -e$, set -u$, set -x$, set -eu$, set -ex$, set -o pipefail$, \
    set -eo pipefail$, set -euo pipefail$, set -euxo pipefail$, command -v, \
    git status, git log, git diff, git show, git blame, git annotate, git grep, git branch$, git branch -a$, \
    git branch -r$, git branch -v$, git branch -vv$, git branch -av$, git branch -avv$, git branch --all$, \
    git branch --list$, git branch --list *$, git branch --show-current$, git branch --contains *$, \
    git branch --merged$, git branch --no-merged$, git branch -a --list$, git remote$, git remote -v$, \
    git remote get-url *$, git rev-parse, git rev-list, git ls-files, git ls-tree, git cat-file -p, \
    git cat-file -t, git describe, git shortlog, git stash list, git stash show, git tag$, git tag -l$, \
    git tag -l *$, git tag --list$, git tag --list *$, git worktree list, git check-ignore, git merge-base, \
    git name-rev, git for-each-ref, git diff-tree, git show-ref, git count-objects, git version$, \
    go version$, go env GOPATH$, node -v$, npm -v$, npm ls, npm list, \
    python -V$, python3 -V$, java -version$, rustc -vV$, rustup show$, uv pip list$, pip list$, pip show";

const TESTS: &str = "\
    cargo test, cargo t, cargo nextest run, cargo nextest list, cargo check, cargo c, cargo clippy, \
    cargo build, cargo b, cargo fmt --check, cargo fmt --all --check, cargo fmt --all -- --check, \
    go test, go vet, go build, gofmt -l, golangci-lint run, staticcheck, \
    npm test, npm t, npm run test*, npm run lint*, npm run typecheck*, npm run type-check*, npm run check*, \
    pnpm test, pnpm t, pnpm run test*, pnpm run lint*, pnpm run typecheck*, pnpm run type-check*, \
    pnpm test:*, pnpm lint*, pnpm typecheck*, yarn test*, yarn lint*, yarn typecheck*, yarn run test*, \
    yarn run lint*, yarn run typecheck*, bun test, bun run test*, bun run lint*, bun run typecheck*, \
    pytest, py.test, python -m pytest, python3 -m pytest, python -m unittest, python3 -m unittest, \
    uv run pytest, uv run python -m pytest, uv run mypy, uv run pyright, uv run ruff check, poetry run pytest, \
    mypy, pyright, basedpyright, ty check, ruff check, ruff format --check, flake8, pylint, black --check, \
    jest, vitest run, vitest --run, mocha, eslint, biome check, biome lint, prettier --check, tsc --noEmit, \
    rspec, bundle exec rspec, rake test, bundle exec rake test, bin/rails test, bin/rspec, rubocop, \
    mvn test, mvn verify, ./mvnw test, ./mvnw verify, gradle test, gradle check, ./gradlew test, \
    ./gradlew check, sbt test, dotnet test, dotnet build, swift test, zig build test, \
    make test, make check, make lint, gmake test, gmake check, just test, just check, just lint, ctest, \
    phpunit, vendor/bin/phpunit, ./vendor/bin/phpunit, phpstan analyse, mix test, mix compile, deno test, \
    deno lint, deno check, shellcheck, hadolint, yamllint, actionlint, markdownlint, terraform validate";

const BUILDS: &str = "\
    cargo build, cargo b, cargo check, cargo doc, go build, go generate, npm run build*, pnpm run build*, \
    pnpm build, yarn build, yarn run build*, bun run build*, tsc, vite build, next build, webpack, rollup, \
    esbuild, mvn compile, mvn package, ./mvnw compile, ./mvnw package, gradle build, gradle assemble, \
    ./gradlew build, ./gradlew assemble, dotnet build, cmake --build, ninja, make$, make -j*$, make all, \
    make build, gmake$, swift build, zig build, mix compile, sbt compile, just build, python -m build, \
    uv build, meson compile";

const FORMATTERS: &str = "\
    cargo fmt, rustfmt, gofmt, goimports, gofumpt, go fmt, prettier, eslint, biome format, biome check, \
    biome lint, ruff format, ruff check, uv run ruff format, uv run ruff check, black, isort, shfmt, \
    taplo fmt, taplo format, dprint fmt, deno fmt, mix format, dotnet format, clang-format, stylua, \
    swiftformat, swift-format, terraform fmt, rubocop -a, zig fmt, npm run format*, npm run fmt*, \
    npm run lint:fix, pnpm run format*, pnpm format*, pnpm run fmt*, yarn format*, yarn run format*, \
    bun run format*";
