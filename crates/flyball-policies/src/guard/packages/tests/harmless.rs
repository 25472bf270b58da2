//! What must stay silent, whatever the project's package manager.

use flyball_core::verdict::Stance;

use super::{config, judged};

/// Silent in a project of uv and bun, and in one of poetry and pnpm.
const ALWAYS: &[&str] = &[
    "git commit -m \"drop npm\"",
    "git commit -m 'pip install requests; npm i'",
    "git log --grep='npm install'",
    "git add package-lock.json poetry.lock",
    "git checkout -b pip/upgrade",
    "grep -r \"pip install\" docs",
    "grep -rn 'npm install' . | head",
    "rg 'poetry add'",
    "sed -n '/pip install/p' README.md",
    "awk '/npm/ {print}' notes.txt",
    "cat pip.conf",
    "cat .npmrc",
    "cat ~/.npmrc ~/.yarnrc.yml",
    "less poetry.lock",
    "ls node_modules/npm",
    "ls -la ~/.cache/pip",
    "rm -rf node_modules package-lock.json",
    "rm -rf .venv",
    "which npm",
    "which pip pip3",
    "type pip",
    "command -v npm",
    "command -v pip3 >/dev/null 2>&1",
    "hash yarn",
    "man npm",
    "whereis pnpm",
    "pip-compile requirements.in",
    "pip-sync requirements.txt",
    "pip-audit",
    "pipx install black",
    "pipx run ruff check",
    "pipdeptree",
    "npm-check-updates -u",
    "ncu -u",
    "echo \"npm i\"",
    "echo pip install requests",
    "printf '%s\\n' 'npm install' > install.txt",
    "echo 'run npm install' >> README.md",
    "cat > Dockerfile <<'EOF'\nRUN pip install x\nRUN npm ci\nEOF",
    "cat <<EOF > notes.md\npip install x\nEOF",
    "# npm install\nls",
    "ls # pip install x",
    "X='npm install'",
    "export NPM_CONFIG_LOGLEVEL=error PIP_INDEX_URL=https://x.y",
    "PKG=npm; echo $PKG",
    "npm --version",
    "npm -v",
    "npm -h",
    "npm --help",
    "npm help install",
    "npm install --help",
    "npm",
    "npm search zod",
    "npm docs react",
    "npm root -g",
    "npm dist-tag ls react",
    "npm owner ls react",
    "npm pkg get version",
    "npm pkg set type=module",
    "npm version patch",
    "npm token list",
    "python3 -m venv /tmp/env",
    "T=$(mktemp -d); python3 -m venv $T/v; $T/v/bin/pip install flask; rm -rf $T",
    "python -m venv /tmp/env && /tmp/env/bin/pip install flask",
    "python3 -m venv /tmp/env && . /tmp/env/bin/activate && pip install dist/x.whl",
    "python3 -m venv /tmp/env && /tmp/env/bin/python -m pip install flask",
    "npx --version",
    "npx",
    "yarn --version",
    "yarn -v",
    "pip --version",
    "pip -V",
    "pip3 --version",
    "pip3.11 -V",
    "pip",
    "pip help",
    "pip install --help",
    "python -m pip --version",
    "python3 -m pip -h",
    "python3 -m venv --help",
    "virtualenv --version",
    "pipenv --version",
    "pipenv --venv",
    "pipenv",
    "python script.py",
    "python3 -m pytest",
    "python -m http.server 8000",
    "python -m piptools compile",
    "python -c 'import pip; print(pip.__version__)'",
    "python -c \"print('npm install')\"",
    "python -c 'import os; os.system(\"true\")' -m pip",
    "python3 tools/pip.py install x",
    "py.test -k npm",
    "node index.js",
    "node npm.js install",
    "node -e \"console.log('npm i')\"",
    "corepack enable",
    "corepack prepare pnpm@9 --activate",
    "brew install npm",
    "apt-get install -y python3-pip npm",
    "apt install yarn",
    "docker run node:22 npm install",
    "docker build -t npm .",
    "ssh host pip install x",
    "make npm",
    "just pip",
    "tox -e py311",
    "nox -s tests",
    "cargo install npm-rs",
    "go get example.com/npm",
    "conda install numpy",
    "mamba env create -f env.yml",
    "conda activate base",
    "hatch run test",
    "pdm add requests",
    "rye sync",
    "uvx ruff check",
    "curl https://bootstrap.pypa.io/get-pip.py -o get-pip.py",
    "curl -s https://registry.npmjs.org/npm | jq .name",
    "find . -name npm -type d",
    "find . -name package.json -not -path '*/node_modules/*'",
    "cp pip.conf ~/.config/pip/pip.conf",
    "mv npm-debug.log /tmp",
    "tail -f npm-debug.log",
    "test -f package-lock.json && echo npm",
    "[ -x \"$(command -v npm)\" ] && echo yes",
    "case $pm in npm) echo a;; pip) echo b;; esac",
    "for pm in npm yarn pnpm; do echo $pm; done",
    "alias ll='ls -l' npmrc='cat ~/.npmrc'",
    "kill $(pgrep npm)",
    "pkill -f 'npm run dev'",
    "ps aux | grep npm",
    "npm audit",
    "npm audit --json",
    "npm view react version",
    "npm info react",
    "npm pack",
    "npm publish",
    "npm whoami",
    "npm login",
    "pip download requests",
    "yarn audit",
    "yarn info react",
    "pip $ARGS",
    "npm \"$@\"",
    "npm $CMD",
    "$PM install x",
    "xargs npm < words.txt",
    "jq '.scripts.npm' package.json",
    "bun test",
    "bun build src/index.ts",
    "bun server.ts",
    "bun run scripts/seed.ts",
    "uv --version",
    "uv self update",
    "uv python install 3.12",
    "uv tool install ruff",
    "poetry --version",
    "poetry -h",
    "poetry",
];

/// Silent where uv and bun are the project's.
const UV_AND_BUN: &[&str] = &[
    "uv add requests",
    "uv add 'requests>=2'",
    "uv pip install -r requirements.txt",
    "uv pip list",
    "uv run pytest -q",
    "uv run python -m pip --version",
    "uv sync && uv run pytest",
    "uv venv .venv",
    "uv remove requests",
    "uvx pip index versions requests",
    "uv run pip --version",
    "uv run uv add requests",
    "npx bun add react",
    "bun add react",
    "bun install --frozen-lockfile",
    "bun run test",
    "bunx tsc --noEmit",
    "bun pm ls",
    "pnpm audit",
    "pnpm info react",
    "pnpm --version",
    "pnpm",
];

/// Silent where poetry and pnpm are.
const POETRY_AND_PNPM: &[&str] = &[
    "poetry add requests",
    "poetry run pip install -r requirements.txt",
    "poetry install --with docs",
    "poetry run python -m pip install -r requirements.txt",
    "poetry run pip3 install --no-deps x",
    "poetry run pip freeze",
    "npx pnpm@9 install",
    "pnpm add react",
    "pnpm dlx create-next-app",
    "pnpm -r build",
    "pnpx cowsay hi",
    "pnpm exec tsc",
    "python -m venv /tmp/scratch",
    "virtualenv .venv",
    "uv tool run black",
    "uv build",
    "bun index.tsx",
    "bun --hot src/server.ts",
];

pub(super) fn all() -> impl Iterator<Item = &'static str> {
    [ALWAYS, UV_AND_BUN, POETRY_AND_PNPM].into_iter().flatten().copied()
}

#[test]
fn harmless_commands_are_silent() {
    for (tools, rows) in [
        ("uv bun", ALWAYS),
        ("poetry pnpm", ALWAYS),
        ("pip npm", ALWAYS),
        ("pipenv yarn", ALWAYS),
        ("uv bun", UV_AND_BUN),
        ("poetry pnpm", POETRY_AND_PNPM),
    ] {
        let config = config(tools);
        for command in rows {
            let judgement = judged(&config, command);
            assert_eq!(
                judgement.merged.stance,
                Stance::Silent,
                "{command} under {tools}: {:?}",
                judgement.merged.reasons
            );
            assert_eq!(judgement.merged.context.text, "", "{command} under {tools}");
        }
    }
}

#[test]
fn the_lists_are_long_and_have_no_row_twice() {
    let mut all: Vec<&str> = [ALWAYS, UV_AND_BUN, POETRY_AND_PNPM].concat();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), count);
    assert!(count >= 150);
}

#[test]
fn the_projects_own_package_manager_may_be_installed_by_another() {
    let cases = [
        ("uv bun", "pip install uv", true),
        ("uv bun", "pip install --upgrade uv", true),
        ("uv bun", "pip install 'uv==0.13.1'", true),
        ("uv bun", "npm install -g bun", true),
        ("poetry pnpm", "pip install poetry", true),
        ("poetry pnpm", "npm i -g pnpm@9", true),
        ("uv bun", "pip install uvloop", false),
        ("uv bun", "pip install uv flask", false),
        ("uv bun", "pip install -r requirements.txt uv", false),
        ("uv bun", "npm install bun", false),
        ("poetry pnpm", "npm i -g yarn", false),
        ("uv bun", "python3 -m venv env", false),
        ("uv bun", "/tmp/env/bin/pip install flask", false),
        ("uv bun", ". .venv/bin/activate && pip install flask", false),
        ("uv bun", "pip install flask; . /tmp/env/bin/activate", false),
    ];
    for (tools, command, is_allowed) in cases {
        let stance = judged(&config(tools), command).merged.stance;
        assert_eq!(stance == Stance::Silent, is_allowed, "{command}");
    }
}

#[test]
fn an_option_instead_of_the_second_word_is_no_subcommand() {
    for (tool, command) in [("yarn", "yarn global --help"), ("bun", "bun pm --help")] {
        assert_eq!(judged(&config(tool), command).merged.stance, Stance::Silent, "{command}");
    }
}
