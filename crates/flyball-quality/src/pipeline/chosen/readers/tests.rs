use super::*;
use crate::pipeline::chosen::sign::Sign;

const TOOLS: &[&str] = &[
    "black",
    "ruff",
    "ruff-check",
    "ruff-format",
    "prettier",
    "eslint",
    "mypy",
    "isort",
    "cargo",
    "biome-check",
    "shellcheck",
];

/// Whether a file runs or brings what a sign names.
fn names(file: &str, text: &str, sign: &str) -> bool {
    let sign = format!("$ {sign}");
    let words = Sign::parse(&sign).words().unwrap();
    uses(file, text, &Names::new(TOOLS.iter().copied())).iter().any(|used| used.is(&words))
}

#[test]
fn what_is_run_and_what_is_asked_for_is_found() {
    let cases = [
        ("Makefile", "lint:\n\tuv run ruff check .\n", "ruff"),
        ("Makefile", "fmt:\n\tcargo +nightly fmt --all\n", "cargo fmt"),
        ("Makefile", "fmt:\n\t@$(PYTHON) -m black .\n", "black"),
        ("Makefile", "fmt:\n\t-$(VENV)/bin/black \\\n\t  src\n", "black"),
        ("justfile", "fmt:\n    {{python}} -m black .\n", "black"),
        ("Taskfile.yml", "tasks:\n  a: black .\n", "black"),
        ("Taskfile.yml", "tasks:\n  a:\n    cmds:\n      - cmd: black .\n", "black"),
        (".pre-commit-config.yaml", "repos:\n- repo: x\n  hooks:\n  - id: ruff-format\n", "ruff-format"),
        (".pre-commit-config.yaml", "repos:\n  - repo: x/y\n    hooks: [{id: ruff-check}]\n", "ruff-check"),
        (
            ".pre-commit-config.yaml",
            "repos:\n- repo: local\n  hooks:\n  - id: a\n    entry: uv run black\n",
            "black",
        ),
        ("lefthook.yml", "pre-commit:\n  jobs:\n    - run: black {staged_files}\n", "black"),
        (
            ".github/workflows/ci.yml",
            "jobs:\n  a:\n    steps:\n    - run: |\n        cd x\n        black .\n",
            "black",
        ),
        (".github/workflows/ci.yml", "jobs:\n  a:\n    steps:\n    - uses: psf/black@stable\n", "black"),
        (
            ".github/workflows/ci.yml",
            "jobs:\n  a:\n    steps:\n    - uses: astral-sh/ruff-action@v3\n",
            "ruff",
        ),
        (
            ".gitlab-ci.yml",
            "lint code:\n  script:\n    - pip install black\n    - black --check .\n",
            "black",
        ),
        ("package.json", "{\"scripts\":{\"lint\":\"eslint .\"}}", "eslint"),
        ("package.json", "{\"devDependencies\":{\"prettier\":\"3\"}}", "prettier"),
        ("package.json", "{\"lint-staged\":{\"*.md\":[\"prettier --write\"]}}", "prettier"),
        (".lintstagedrc", "\"*.js\": eslint --fix\n", "eslint"),
        ("lint-staged.config.mjs", "export default { '*.js': ['eslint --fix'] }\n", "eslint"),
        ("pyproject.toml", "[dependency-groups]\ndev = [\"mypy>=1.8\"]\n", "mypy"),
        ("pyproject.toml", "[tool.poetry.group.dev.dependencies]\nblack = \"^23\"\n", "black"),
        ("pyproject.toml", "[tool.hatch.envs.lint.scripts]\nall = \"ruff format .\"\n", "ruff format"),
        (
            "pyproject.toml",
            "[tool.pdm.version]\nsource = 'scm'\n[tool.pdm.scripts]\nfmt = {cmd = \"black .\"}\n",
            "black",
        ),
        ("pyproject.toml", "[tool.poe.tasks]\nlint = { cmd = ['ruff', 'check'] }\n", "ruff check"),
        ("pixi.toml", "[feature.dev.dependencies]\nmypy = \"*\"\n", "mypy"),
        ("pixi.toml", "[tasks]\nlint = \"ruff check\"\n", "ruff check"),
        ("hatch.toml", "[envs.lint.scripts]\nx = \"ruff check\"\n", "ruff check"),
        ("tox.toml", "[env.lint]\ncommands = [[\"ruff\", \"check\"]]\n", "ruff check"),
        ("mise.toml", "[tools]\nruff = \"latest\"\n", "ruff"),
        ("mise.toml", "[tasks.lint]\nrun = \"ruff check\"\n", "ruff check"),
        ("environment.yml", "name: x\ndependencies:\n  - ruff=0.5\n  - pip:\n    - black\n", "black"),
        ("tox.ini", "[testenv:lint]\ndeps =\n    black\n", "black"),
        ("tox.ini", "[testenv:lint]\ncommands =\n    {envpython} -m black {posargs:.}\n", "black"),
        ("setup.cfg", "[options.extras_require]\ndev =\n    black>=22\n", "black"),
        ("setup.py", "setup(extras_require={'dev': ['black>=22', 'isort']})\n", "isort"),
        ("noxfile.py", "def lint(session):\n    session.run(\"black\", \"--check\", \".\")\n", "black"),
        ("tasks.py", "def lint(c):\n    c.run('black .', pty=True)\n", "black"),
        ("dodo.py", "def task_x():\n    return {'actions': ['black .']}\n", "black"),
        ("requirements-dev.txt", "black==24.1 ; python_version > '3'\n", "black"),
        ("requirements.txt", "black==24.1\n    # via -r dev.in\n", "black"),
        ("scripts/lint", "#!/bin/sh -e\n${PREFIX}black .\n", "black"),
        (".husky/pre-commit", "npx eslint .\n", "eslint"),
        ("Jenkinsfile", "stage('a') { steps { sh 'black --check .' } }\n", "black"),
    ];
    for (file, text, sign) in cases {
        assert!(names(file, text, sign), "{sign} in {file}: {text}");
    }
}

#[test]
fn other_words_are_not() {
    let cases = [
        ("Makefile", "lint:\n\truff check .\n", "ruff format"),
        ("Makefile", "# ruff is great\nblack: # black\n\techo black\nCOLOR = black\n", "black"),
        ("Makefile", "lint:\n\tpip install black\n", "black"),
        (".pre-commit-config.yaml", "repos:\n- repo: x\n  hooks:\n  - id: ruff-format\n", "ruff"),
        (
            ".pre-commit-config.yaml",
            "repos:\n- repo: local\n  hooks:\n  - id: black\n    entry: ./paint.sh\n",
            "black",
        ),
        (
            ".pre-commit-config.yaml",
            "repos:\n- repo: x\n  hooks:\n  - id: black\n    stages: [manual]\n",
            "black",
        ),
        (
            ".pre-commit-config.yaml",
            "repos:\n- repo: x\n  hooks:\n  - id: docs\n    additional_dependencies: [black==22]\n",
            "black",
        ),
        (
            ".github/workflows/ci.yml",
            "name: ci\njobs:\n  a:\n    steps:\n    - name: make output prettier\n      run: ./fmt.sh\n",
            "prettier",
        ),
        (
            ".github/workflows/ci.yml",
            "jobs:\n  a:\n    steps:\n    - uses: x/y\n      with: {color: black}\n",
            "black",
        ),
        (
            ".github/workflows/ci.yml",
            "jobs:\n  a:\n    steps:\n    - run: |\n        import black\n      shell: python\n",
            "black",
        ),
        (".github/workflows/ci.yml", "jobs:\n  black:\n    runs-on: black\n", "black"),
        ("package.json", "{\"dependencies\":{\"prettier\":\"2\"},\"keywords\":[\"eslint\"]}", "prettier"),
        ("package.json", "{\"scripts\":{\"prettier\":\"./fmt.sh\"}}", "prettier"),
        ("pyproject.toml", "[project]\nname = \"x\"\nkeywords = [\"black\"]\n", "black"),
        (
            "pyproject.toml",
            "[project]\ndynamic = [\"version\"]\n[project.scripts]\nblack = \"x:main\"\n",
            "black",
        ),
        ("pyproject.toml", "[tool.poetry.scripts]\nblack = \"x:main\"\n", "black"),
        ("requirements.txt", "flake8-black\n", "black"),
        ("requirements.txt", "isort==5.13\n    # via pylint\n", "isort"),
        ("setup.py", "setup(name='black', install_requires=['x'])\n", "black"),
        (
            "noxfile.py",
            "def black(session):\n    session.install('black')\n    session.run('pytest', 'black')\n",
            "black",
        ),
        ("scripts/plot.py", "plt.plot([1, 2], color=\"black\")\n", "black"),
        ("scripts/paint", "#!/usr/bin/env python\nblack = 1\n", "black"),
        ("scripts/a.sh", "echo black\ncat <<X\nblack .\nX\n", "black"),
        ("lint-staged.config.js", "// prettier is nice\nexport default { '*.js': 'eslint' }\n", "prettier"),
    ];
    for (file, text, sign) in cases {
        assert!(!names(file, text, sign), "{sign} in {file}: {text}");
    }
}
