//! `auto` follows the project's files.

use flyball_core::verdict::Reason;

use super::{instead, judged_at};
use crate::testing::PinnedWorld;

/// Files of the project, a command, and the line to run instead.
type Case = (&'static [(&'static str, &'static str)], &'static str, &'static str);

const CASES: &[Case] = &[
    (&[], "pip install x", ""),
    (&[], "npm i x", ""),
    (&[("uv.lock", "")], "pip install x", "uv add x"),
    (&[("uv.lock", "")], "npm i x", ""),
    (&[("poetry.lock", "")], "pip install x", "poetry add x"),
    (&[("Pipfile", "")], "pip install x", "pipenv install x"),
    (&[("Pipfile", ""), ("Pipfile.lock", "")], "poetry add x", "pipenv install x"),
    (&[("conda-lock.yml", "")], "pip install x", "conda install -y x"),
    (&[("environment.yml", "dependencies:\n- numpy\n")], "pip install x", "conda install -y x"),
    (&[("environment.yml", "dependencies:\n- pip:\n  - x\n")], "pip install x", ""),
    (&[("requirements.txt", "x")], "pip install x", ""),
    (&[("requirements.txt", "x")], "uv add x", ""),
    (&[("uv.lock", ""), ("poetry.lock", "")], "pip install x", ""),
    (&[("uv.lock", ""), ("requirements.txt", "")], "pip install x", "uv add x"),
    (&[("uv.lock", ""), ("pdm.lock", "")], "pip install x", ""),
    (&[("pyproject.toml", "[project]\nname = \"a\"\n")], "pip install x", ""),
    (&[("pyproject.toml", "[tool.uv]\n")], "pip install x", "uv add x"),
    (&[("pyproject.toml", "[tool.uv.sources]\n")], "pip install x", "uv add x"),
    (&[("pyproject.toml", "[tool.poetry.dependencies]\n")], "pip install x", "poetry add x"),
    (&[("pyproject.toml", "[tool.uv]\n[tool.poetry]\n")], "pip install x", ""),
    (&[("pyproject.toml", "[tool.uvicorn]\n")], "pip install x", ""),
    (&[("pyproject.toml", "[tool.poetry]\n"), ("uv.lock", "")], "pip install x", "uv add x"),
    (&[("bun.lock", "")], "npm i x", "bun add x"),
    (&[("bun.lockb", "")], "npm i x", "bun add x"),
    (&[("pnpm-lock.yaml", "")], "npm i x", "pnpm add x"),
    (&[("yarn.lock", "")], "npm i x", "yarn add x"),
    (&[("package-lock.json", "")], "npm i x", ""),
    (&[("package-lock.json", "")], "yarn add x", "npm install x"),
    (&[("npm-shrinkwrap.json", "")], "yarn add x", "npm install x"),
    (&[("package-lock.json", ""), ("yarn.lock", "")], "pnpm add x", "yarn add x"),
    (&[("package-lock.json", ""), ("yarn.lock", "")], "npm i x", "yarn add x"),
    (&[("package.json", "{}")], "npm i x", ""),
    (&[("package.json", "{\"packageManager\": \"pnpm@9.1.0\"}")], "npm i x", "pnpm add x"),
    (
        &[("package.json", "{\"packageManager\": \"pnpm@9.1.0\"}"), ("package-lock.json", "")],
        "npm i x",
        "pnpm add x",
    ),
    (&[("package.json", "{\"packageManager\": \"other@1\"}"), ("yarn.lock", "")], "npm i x", ""),
    (&[("package.json", "broken \"packageManager\"")], "npm i x", ""),
    (&[("pnpm-lock.yaml", ""), ("web/src/a.ts", "")], "cd web/src && npm i x", "cd web/src && pnpm add x"),
    (&[("pnpm-lock.yaml", ""), ("web/yarn.lock", "")], "cd web && npm i x", "cd web && yarn add x"),
    (&[("pnpm-lock.yaml", ""), ("web/yarn.lock", "")], "npm --prefix web i x", "yarn --cwd web add x"),
    (&[("web/yarn.lock", "")], "npm i x", ""),
    (&[("uv.lock", ""), ("poetry.lock", "")], "pip install x", ""),
    (&[("pnpm-lock.yaml", ""), ("web/yarn.lock", "")], "cd web; npm i x", ""),
    (&[("uv.lock", "")], "cd /tmp/other && pip install x", ""),
    (&[("uv.lock", "")], "cd \"$X\" && pip install x", ""),
    (&[("yarn.lock", "")], "npm --prefix \"$X\" i x", ""),
    (&[("requirements.txt", "x")], "pip install -r requirements.txt", ""),
    (&[("uv.lock/x", "")], "pip install x", ""),
];

#[test]
fn the_nearest_lock_file_decides() {
    for (files, command, expected) in CASES {
        let world = files.iter().fold(PinnedWorld::new(), |world, (path, content)| {
            world.file(&format!("/project/{path}"), content)
        });
        let expected = if expected.is_empty() { String::new() } else { format!("Use `{expected}`") };
        assert_eq!(instead(&judged_at("", command, world)), expected, "{files:?}: {command}");
    }
}

#[test]
fn the_denial_names_the_file() {
    let world = PinnedWorld::new().file("/project/uv.lock", "");
    let judgement = judged_at("", "pip install requests", world);
    assert_eq!(
        judgement.merged.reasons[0].reason,
        Reason {
            what: "this is a uv project (uv.lock)".to_owned(),
            why: String::new(),
            instead: "Use `uv add requests`".to_owned(),
        }
    );
}

#[test]
fn without_a_lock_pip_installs_what_the_project_lists() {
    let world = PinnedWorld::new().file("/project/requirements.txt", "");
    let judgement = judged_at("[guard.packages]\npython = \"pip\"", "uv sync", world);
    assert_eq!(instead(&judgement), "Use `pip install -r requirements.txt`");
}

#[test]
fn other_ways_to_start_a_manager() {
    let uv = || PinnedWorld::new().file("/project/uv.lock", "");
    let npm = || PinnedWorld::new().file("/project/package-lock.json", "{}");
    let cases = [
        (uv(), "python -Im pip install requests"),
        (uv(), "uvx poetry@1.8 add httpx"),
        (uv(), "pipx run pipenv install x"),
        (uv(), "python3 -c \"from pip._internal.cli.main import main; main(['install', 'x'])\""),
        (
            uv(),
            "python3 -c \"import subprocess, sys; subprocess.run([sys.executable, '-m', 'pip', 'install', 'x'])\"",
        ),
        (uv(), "python3 get-pip.py"),
        (npm(), "corepack pnpm@latest install"),
        (npm(), "corepack use yarn@4.1.0"),
        (npm(), "node $(npm root -g)/yarn/bin/yarn.js add axios"),
    ];
    for (world, line) in cases {
        assert!(!instead(&judged_at("", line, world)).is_empty(), "{line}");
    }
    for line in
        ["corepack enable", "uvx ruff check", "python3 -c \"print('install')\"", "node scripts/yarn.mjs"]
    {
        assert_eq!(
            instead(&judged_at("", line, uv().file("/project/package-lock.json", "{}"))),
            "",
            "{line}"
        );
    }
}

#[test]
fn careless_installs_are_asked_about() {
    use flyball_core::verdict::Stance;
    let world = || PinnedWorld::new().file("/project/package-lock.json", "{}");
    let cases = [
        ("npm install react@19 --legacy-peer-deps", Stance::Silent),
        ("rm -rf node_modules package-lock.json && npm install", Stance::Ask),
        ("npm audit fix --force", Stance::Ask),
        ("npm config set strict-ssl false", Stance::Ask),
        ("echo 'legacy-peer-deps=true' >> .npmrc", Stance::Ask),
        ("rm -rf node_modules && npm install", Stance::Silent),
        ("npm audit fix", Stance::Silent),
        ("npm config set registry https://registry.example.com", Stance::Silent),
        ("echo 'engine-strict=true' >> .npmrc", Stance::Silent),
    ];
    for (line, expected) in cases {
        assert_eq!(judged_at("", line, world()).merged.stance, expected, "{line}");
    }
}
