//! Python: every direction.

use super::{Row, check_rows, config, instead, judged_at};
use crate::testing::PinnedWorld;

const TO_UV: &[Row] = &[
    ("pip install requests", "uv add requests"),
    ("pip install requests flask", "uv add requests flask"),
    ("pip install 'requests>=2' \"flask[async]==3.*\"", "uv add 'requests>=2' \"flask[async]==3.*\""),
    ("pip install requests==2.31", "uv add requests==2.31"),
    ("pip install -U requests", "uv add --upgrade-package requests requests"),
    ("pip install --upgrade 'requests>=2'", "uv add --upgrade-package 'requests>=2' 'requests>=2'"),
    ("pip install --pre black", "uv add --prerelease allow black"),
    ("pip install -q --no-cache-dir requests", "uv add requests"),
    ("pip install -i https://x.y/simple z", "uv add --index-url https://x.y/simple z"),
    ("pip install git+https://github.com/a/b.git@v1", "uv add git+https://github.com/a/b.git@v1"),
    ("pip install -r requirements.txt", "uv pip install -r requirements.txt"),
    ("pip install -r dev.txt -r test.txt -c pins.txt", "uv pip install -r dev.txt -r test.txt -c pins.txt"),
    ("pip install --requirement=dev.txt", "uv pip install -r dev.txt"),
    ("pip install -rdev.txt", "uv pip install -r dev.txt"),
    ("pip install -e .", "uv pip install -e ."),
    ("pip install -e '.[dev,test]'", "uv pip install -e '.[dev,test]'"),
    ("pip install -e \".[dev]\"", "uv pip install -e \".[dev]\""),
    ("pip install .", "uv pip install ."),
    ("pip install ./dist/x-1.0-py3-none-any.whl", "uv pip install ./dist/x-1.0-py3-none-any.whl"),
    ("pip install --target lib requests", "uv pip install --target lib requests"),
    ("pip install --no-deps requests", "uv pip install --no-deps requests"),
    ("pip install --force-reinstall requests", "uv pip install --reinstall requests"),
    ("pip install -U pip setuptools wheel", "uv pip install -U pip setuptools wheel"),
    ("pip3 install requests", "uv add requests"),
    ("pip3.11 install requests", "uv add requests"),
    ("/usr/bin/pip install requests", "uv add requests"),
    (".venv/bin/pip install requests", "uv add requests"),
    ("python -m pip install requests", "uv add requests"),
    ("python3.12 -m pip install requests", "uv add requests"),
    ("python3 -I -mpip install requests", "uv add requests"),
    ("pip uninstall -y requests", "uv remove requests"),
    ("pip uninstall -r old.txt -y", "uv pip uninstall -r old.txt"),
    ("pip freeze", ""),
    ("pip freeze > requirements.txt", ""),
    ("pip list", ""),
    ("pip list --outdated --format json", ""),
    ("pip show requests", ""),
    ("pip show -f requests", ""),
    ("pip check", ""),
    ("pip index versions requests", ""),
    ("pip hash x.whl", ""),
    ("pip config list", ""),
    ("pip config get global.index-url", ""),
    ("pip config --user list", ""),
    (
        "pip config set global.index-url https://x.example",
        "uvx pip config set global.index-url https://x.example",
    ),
    ("pip cache dir", ""),
    ("pip cache info", ""),
    ("python3 -m pip cache list", ""),
    ("pip debug", ""),
    ("pip help install", ""),
    ("pip --version", ""),
    ("pip cache purge", "uvx pip cache purge"),
    ("pip inspect", ""),
    ("pip wheel . -w dist", "uvx pip wheel . -w dist"),
    ("python -m venv .venv", "uv venv .venv"),
    ("python3.11 -m venv env", "uv venv --python 3.11 env"),
    ("virtualenv env -p python3.10", "uv venv --python python3.10 env"),
    ("python -m ensurepip --upgrade", "uv pip install pip"),
    ("easy_install requests", "uv add requests"),
    ("poetry add requests", "uv add requests"),
    (
        "poetry add requests@^2.31 'flask@~3.0' rich@latest",
        "uv add 'requests>=2.31,<3' 'flask>=3.0,<3.1' rich",
    ),
    ("poetry add -n requests", "uv add requests"),
    ("poetry -n add requests", "uv add requests"),
    ("poetry add -D pytest", "uv add --dev pytest"),
    ("poetry add --group docs mkdocs", "uv add --group docs mkdocs"),
    ("poetry add -G dev pytest", "uv add --dev pytest"),
    ("poetry add --editable ../lib", "uv add --editable ../lib"),
    ("poetry install", "uv sync"),
    ("poetry install --no-root --with docs -E api", "uv sync --no-install-project --group docs --extra api"),
    ("poetry install --only main", "uv sync --no-dev"),
    ("poetry install -n --sync", "uv sync"),
    ("poetry remove requests", "uv remove requests"),
    ("poetry run pytest -q --help", "uv run pytest -q --help"),
    ("poetry run python -m app --flag", "uv run python -m app --flag"),
    ("poetry run pip install x", "uv add x"),
    ("poetry run python -m pip list", ""),
    ("poetry -C api install", "uv --directory api sync"),
    ("poetry lock", "uv lock"),
    ("poetry lock --no-update", "uv lock"),
    ("poetry update", "uv sync --upgrade"),
    ("poetry update requests rich", "uv sync --upgrade-package requests --upgrade-package rich"),
    ("poetry show", ""),
    ("poetry show requests", ""),
    ("poetry show --tree", ""),
    ("poetry build", "uv build"),
    ("poetry publish --build", "-"),
    ("poetry export -f requirements.txt -o r.txt", "-"),
    ("poetry new app", "uv init app"),
    ("poetry check", "uv lock --check"),
    ("poetry env use 3.12", "-"),
    ("poetry export --without-hashes --with dev -o r.txt", "-"),
    ("pipenv requirements > r.txt", "-"),
    ("poetry version", "-"),
    ("poetry version patch", "-"),
    ("poetry cache clear --all .", "-"),
    ("poetry add --dry-run requests", "-"),
    ("poetry update --dry-run", "-"),
    ("pip list -e", ""),
    ("pip list --exclude six", ""),
    ("uv run pip install requests", "uv add requests"),
    ("uv run pip install -r requirements.txt", "uv pip install -r requirements.txt"),
    ("uv run -- python -m pip install requests", "uv add requests"),
    ("uv run -m pip install requests", "uv add requests"),
    ("uv run --directory api pip install x", "uv --directory api add x"),
    ("uv run poetry install", "uv sync"),
    ("uv run .venv/bin/pip list", ""),
    ("uv run pip --version", ""),
    ("uv run python -m venv env", "uv venv env"),
    ("poetry run pipenv run pip install x", "uv add x"),
    ("poetry shell", "-"),
    ("poetry search requests", ""),
    ("pipenv install", "uv sync --no-dev"),
    ("pipenv install --dev", "uv sync"),
    ("pipenv install requests", "uv add requests"),
    ("pipenv install --dev pytest", "uv add --dev pytest"),
    ("pipenv install -r requirements.txt", "uv add -r requirements.txt"),
    ("pipenv install -e .", "uv sync"),
    ("pipenv install -e '.[dev]'", "uv sync --extra dev"),
    ("pipenv install -e ./lib", "uv add --editable ./lib"),
    ("pipenv install --deploy --dev", "uv sync --locked"),
    ("pipenv sync --dev", "uv sync --locked"),
    ("pipenv uninstall requests", "uv remove requests"),
    ("pipenv run python manage.py migrate", "uv run python manage.py migrate"),
    ("pipenv lock", "uv lock --upgrade"),
    ("pipenv graph", ""),
    ("pipenv --python 3.11", "-"),
    ("pipenv shell", "-"),
];

/// Commands in different places: the whole line is suggested, with only the command replaced.
const IN_LINES: &[Row] = &[
    ("cd api && python -m pip install x", "cd api && uv add x"),
    ("cd api; pip install x  # now\npytest", "cd api; uv add x  # now\npytest"),
    ("pip install x && pip install y || pip list | head -3", "uv add x && uv add y || uv pip list | head -3"),
    ("source .venv/bin/activate && pip install x", "source .venv/bin/activate && uv add x"),
    ("pip install \\\n  requests \\\n  flask 2>&1 | tail -5", "uv add requests flask 2>&1 | tail -5"),
    ("sudo -H pip install x", "uv add x"),
    ("PIP_NO_INPUT=1 pip install x", "PIP_NO_INPUT=1 uv add x"),
    ("env A=1 timeout 60 pip install x", "env A=1 timeout 60 uv add x"),
    ("cat deps | xargs pip install", "cat deps | xargs uv add"),
    ("cat deps | xargs -I{} pip install {}", "cat deps | xargs -I{} uv add {}"),
    ("(pip install x)", "(uv add x)"),
    ("for p in a b; do pip install $p; done", "for p in a b; do uv add $p; done"),
    ("if ! pip show x; then pip install x; fi", "if ! uv pip show x; then uv add x; fi"),
    ("pip install \"$PKG\" '$x'", "uv add \"$PKG\" '$x'"),
    ("V=2.1; pip install foo==$V", "V=2.1; uv add foo==2.1"),
    ("pip install {requests,flask}", "uv add requests flask"),
    ("X=$(pip freeze | wc -l)", ""),
    ("pip install x &", "uv add x &"),
    ("pip install \"$(pip show x | head -1)\"", "uv add \"$(uv pip show x | head -1)\""),
    ("echo \"päckchen\" && pip install x", "echo \"päckchen\" && uv add x"),
    ("p\\ip install x", "uv add x"),
    ("bash -c 'pip install x'", "> uv add x"),
    ("sh -c \"cd a && pip install 'x>=1'\"", "> uv add 'x>=1'"),
    ("eval \"pip install x\"", "> uv add x"),
    ("find . -name r.txt -exec pip install -r {} \\;", "> uv pip install -r {}"),
    ("pip install >log x", "> uv add x"),
];

const TO_POETRY: &[Row] = &[
    ("pip install requests", "poetry add requests"),
    ("pip install 'requests>=2'", "poetry add 'requests>=2'"),
    ("pip install -U requests", "poetry add requests@latest"),
    ("pip install --pre black", "poetry add --allow-prereleases black"),
    ("pip install -e .", "poetry install"),
    ("pip install '.[dev]'", "poetry install --extras dev"),
    ("pip install -e ../lib", "poetry add --editable ../lib"),
    ("pip install -r requirements.txt", "poetry run pip install -r requirements.txt"),
    ("pip install --no-deps x", "poetry run pip install --no-deps x"),
    ("pip uninstall requests", "poetry remove requests"),
    ("pip list", ""),
    ("pip list --outdated", ""),
    ("pip freeze", ""),
    ("pip show requests", ""),
    ("pip install -U pip", "poetry run pip install -U pip"),
    ("pipenv install --dev pytest", "poetry add --group dev pytest"),
    ("pipenv install", "poetry install --only main"),
    ("pipenv run pytest", "poetry run pytest"),
    ("pipenv shell", "-"),
    ("pip cache purge", "poetry run pip cache purge"),
    ("uv add requests", "poetry add requests"),
    ("uv add --dev pytest", "poetry add --group dev pytest"),
    ("uv add --group docs mkdocs", "poetry add --group docs mkdocs"),
    ("uv remove requests", "poetry remove requests"),
    ("uv sync", "poetry install"),
    ("uv sync --no-dev --extra api", "poetry install --only main --extras api"),
    ("uv run pytest -q", "poetry run pytest -q"),
    ("uv lock --upgrade", "poetry lock --regenerate"),
    ("uv lock --upgrade-package rich", "poetry update rich"),
    ("uv tree", ""),
    ("uv pip install -r r.txt", "poetry run pip install -r r.txt"),
    ("uv pip install requests", "poetry add requests"),
    ("uv init", "poetry init -n"),
    ("uv --directory api sync", "poetry -C api install"),
    ("pipenv install -r r.txt", "poetry run pip install -r r.txt"),
    ("poetry run pip install requests", "poetry add requests"),
    ("poetry run pip install -r r.txt", ""),
    ("poetry run python -m pip list", ""),
    ("uv run pip install requests", "poetry add requests"),
    ("uv run poetry install", "poetry install"),
    ("uv run -m app --flag", "poetry run python -m app --flag"),
    ("uv sync --directory api", "poetry -C api install"),
    ("uv export -o r.txt", "-"),
    ("uv add -c pins.txt x", "poetry run pip install -c pins.txt x"),
];

const TO_PIPENV: &[Row] = &[
    ("pip install requests", "pipenv install requests"),
    ("pip install -r requirements.txt", "pipenv install -r requirements.txt"),
    ("pip install -e .", "pipenv install -e ."),
    ("pip install -c pins.txt x", "pipenv run pip install -c pins.txt x"),
    ("pip uninstall requests", "pipenv uninstall requests"),
    ("pip list", ""),
    ("poetry add -D pytest", "pipenv install --dev pytest"),
    ("poetry install", "pipenv install --dev"),
    ("poetry run pytest", "pipenv run pytest"),
    ("poetry lock", "pipenv lock"),
    ("poetry build", "-"),
    ("uv add requests", "pipenv install requests"),
    ("uv sync --locked", "pipenv sync --dev"),
    ("uv tree", ""),
    ("uv export -o requirements.txt", "-"),
    ("pipenv run pip install requests", "pipenv install requests"),
    ("pipenv run pip list", ""),
];

const TO_PIP: &[Row] = &[
    ("uv add requests 'flask>=3'", "pip install requests 'flask>=3'"),
    ("uv add -r requirements.txt", "pip install -r requirements.txt"),
    ("uv remove requests", "pip uninstall -y requests"),
    ("uv pip install -e .", "pip install -e ."),
    ("uv pip freeze", ""),
    ("uv sync", "pip install -e ."),
    ("uv run pytest -q", "pytest -q"),
    ("uv lock", "-"),
    ("poetry add requests@^2", "pip install 'requests>=2,<3'"),
    ("poetry install", "pip install -e ."),
    ("poetry run python app.py", "python app.py"),
    ("poetry update requests", "pip install -U requests"),
    ("poetry update", "-"),
    ("poetry build", "python3 -m build"),
    ("pipenv install requests", "pip install requests"),
    ("pipenv uninstall requests", "pip uninstall -y requests"),
    ("pipenv graph", ""),
    ("poetry run pip install requests", "pip install requests"),
    ("uv run pip list", ""),
    ("python -m venv .venv", ""),
    ("python -m pip install x", ""),
];

const TO_CONDA: &[Row] = &[
    ("pip install numpy", "conda install -y numpy"),
    ("pip install 'numpy>=2'", "conda install -y 'numpy>=2'"),
    ("pip install -r r.txt", "conda install -y --file r.txt"),
    ("pip uninstall numpy", "conda remove -y numpy"),
    ("pip list", ""),
    ("pip freeze", ""),
    ("pip install -e . --no-deps", ""),
    ("pip install -e .", ""),
    ("poetry install", "conda env update -f environment.yml"),
    ("uv run pytest", "conda run pytest"),
    ("conda install numpy", ""),
    ("mamba install numpy", ""),
];

pub(super) fn tables() -> impl Iterator<Item = &'static [Row]> {
    [TO_UV, IN_LINES, TO_POETRY, TO_PIPENV, TO_PIP, TO_CONDA].into_iter()
}

#[test]
fn to_uv() {
    check_rows("uv", TO_UV);
}

#[test]
fn only_the_command_is_replaced() {
    check_rows("uv", IN_LINES);
}

#[test]
fn to_poetry() {
    check_rows("poetry", TO_POETRY);
}

#[test]
fn to_pipenv() {
    check_rows("pipenv", TO_PIPENV);
}

#[test]
fn to_pip() {
    check_rows("pip", TO_PIP);
}

#[test]
fn to_conda() {
    check_rows("conda", TO_CONDA);
}

#[test]
fn an_existing_environment_is_reused() {
    let rows = [
        ("python -m venv .venv", "Use `uv venv --allow-existing .venv`"),
        ("python -m venv --clear .venv", "Use `uv venv --clear .venv`"),
        ("python -m venv env", "Use `uv venv env`"),
    ];
    for (command, expected) in rows {
        let world = PinnedWorld::new().file("/project/.venv/pyvenv.cfg", "");
        assert_eq!(instead(&judged_at(&config("uv"), command, world)), expected);
    }
}

#[test]
fn what_is_left_out_is_named() {
    let rows = [
        ("uv", "pip install --user x", "Use `uv add x` (uv has no `--user`)"),
        (
            "poetry",
            "pip install --user -r r.txt",
            "Use `poetry run pip install -r r.txt` (poetry has no `--user`)",
        ),
        ("uv", "uv run --with a pip install x", "Use `uv add x` (uv has no `--with a`)"),
    ];
    for (tool, command, expected) in rows {
        assert_eq!(instead(&judged_at(&config(tool), command, PinnedWorld::new())), expected);
    }
}
