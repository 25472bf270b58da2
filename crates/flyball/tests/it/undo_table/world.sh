# Makes a project in the state that its argument says, with files of all kinds.
set -e
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.org GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@example.org
git config --global user.name t
git config --global user.email t@example.org
mkdir -p ~/.ssh ~/code/project ~/code/beside
echo key > ~/.ssh/id_ed25519
echo 'not of this project' > ~/code/beside/file
cd ~/code/project
git init -q --bare -b main ../origin.git
git init -q -b main
git remote add origin ../origin.git

mkdir -p src packages/web tests docs
for name in ruff.toml .eslintrc.json biome.json .pre-commit-config.yaml packages/web/index.js src/app.py app.db; do
    echo a > "$name"
done
printf '[project]\nname = "x"\n\n[tool.ruff]\nline-length = 80\n' > pyproject.toml
printf 'import app\n\ndef test_a():\n    assert app\n' > tests/test_a.py
printf '\000\377\012binary' > image.iso
printf 'ignored/\n*.log\n' > .gitignore
printf '#!/bin/sh\necho run\n' > run.sh
chmod 755 run.sh
if command -v sqlite3 > /dev/null; then
    rm app.db
    sqlite3 app.db 'create table users (name); insert into users values (1)'
fi
ln -s src/app.py link
ln -s nowhere dangling
echo name > 'docs/a name with ä.md'
cp .git/hooks/pre-commit.sample .git/hooks/pre-commit 2> /dev/null || printf '#!/bin/sh\nexit 0\n' > .git/hooks/pre-commit
for change in one two; do
    echo "$change" > src/app.py
    git add -A
    git commit -q --no-verify -m "$change"
done
git push -q -u origin main
git branch feature
mkdir ignored
echo cache > ignored/cache

case "$1" in
dirty)
    echo 'not committed' > src/app.py
    echo 'not known to git' > src/new.py
    printf 'KEY=1\n' > .env
    mkdir -p new/deep
    echo 'deep' > new/deep/file
    chmod 600 new/deep/file
    rm docs/*.md
    ;;
clean | pushed) ;;
stashed)
    echo stashed > src/app.py
    git stash -q
    ;;
unpushed)
    for change in three four; do
        echo "$change" > src/app.py
        git commit -q --no-verify -a -m "$change"
    done
    ;;
uv-bun)
    touch uv.lock bun.lock
    ;;
*)
    echo "no such world: $1" >&2
    exit 2
    ;;
esac
