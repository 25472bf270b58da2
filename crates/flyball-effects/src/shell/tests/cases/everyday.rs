//! Lines as agents write them.

use super::Row;

pub(super) const ROWS: &[Row] = &[
    (
        "commit with a body",
        "git commit -m \"$(cat <<'EOF'\nfix: don't `crash` on \"quotes\" (it's $5)\n\n$(not run)\nEOF\n)\" && git push",
        &[
            r#"cat <<"fix: don't `crash` on \"quotes\" (it's $5)\n\n$(not run)\n" $()"#,
            r#"git commit -m "fix: don't `crash` on \"quotes\" (it's $5)\n\n$(not run)""#,
            "git push if",
        ],
    ),
    (
        "json",
        r#"curl -s -X POST https://x.y/z -d "{\"name\": \"$NAME\", \"x\": \"${Y:-z}\"}" | jq -r '.a[0].b'"#,
        &[
            r#"curl -s -X POST https://x.y/z -d ?"\"{\\\"name\\\": \\\"$NAME\\\", \\\"x\\\": \\\"${Y:-z}\\\"}\"" |out"#,
            "jq -r .a[0].b |in",
        ],
    ),
    (
        "awk and sed",
        r"awk '{ if ($1 > 5) print $2 }' f | sort -u; sed -i 's/a\(.*\)b/\1/g; s|a|b|' src/*.rs",
        &[
            r#"awk "{ if ($1 > 5) print $2 }" f |out"#,
            "sort -u |in",
            r#"sed -i "s/a\\(.*\\)b/\\1/g; s|a|b|" glob:src/*.rs"#,
        ],
    ),
    (
        "find and xargs",
        "find . -name '*.py' -not -path './venv/*' -print0 | xargs -0 grep -l 'import os' 2>/dev/null | head",
        &[
            "find . -name *.py -not -path ./venv/* -print0 |out",
            r#"xargs> grep -l "import os" ?"" 2>/dev/null |in |out"#,
            "head |in",
        ],
    ),
    (
        "python with a program",
        "python3 - <<'PY'\nprint(\"(\\w+)\", $x)\nPY",
        &[r#"python3 - <<"print(\"(\\w+)\", $x)\n""#],
    ),
    (
        "a file by cat",
        "cat > src/main.rs <<'EOF'\nfn main() { println!(\"{}\", 1); }\nEOF",
        &[r#"cat >src/main.rs <<"fn main() { println!(\"{}\", 1); }\n""#],
    ),
    (
        "path and tests",
        r#"export PATH="$HOME/.cargo/bin:$PATH" && cargo test --workspace 2>&1 | tail -40"#,
        &[
            r#"export ?PATH="$HOME/.cargo/bin:$PATH""#,
            "cargo test --workspace 2>&1 |out if",
            "tail -40 |in if",
        ],
    ),
    (
        "docker",
        r#"docker run --rm -v "$(pwd)":/w -w /w node:20 sh -c 'npm ci && npm test'"#,
        &["pwd $()", r#"docker run --rm -v ?"$(pwd)":/w -w /w node:20 sh -c "npm ci && npm test""#],
    ),
    (
        "kill by name",
        "ps aux | grep -v grep | awk '/node/ {print $2}' | xargs -r kill -9",
        &[
            "ps aux |out",
            "grep -v grep |in |out",
            r#"awk "/node/ {print $2}" |in |out"#,
            r#"xargs> kill -9 ?"" |in"#,
        ],
    ),
    (
        "read lines of a process",
        r#"while IFS= read -r line; do printf '%s\n' "$line"; done < <(ls -1)"#,
        &["ls -1 |out $()", r#"<?"<(ls -1)""#, r#"IFS="" read -r line if"#, r#"printf %s\n ?"$line" if"#],
    ),
    (
        "regular expression",
        r#"[[ "$x" =~ ^([0-9]+)\.([0-9]+)$ ]] && echo "${BASH_REMATCH[1]}""#,
        &[r#"echo ?"${BASH_REMATCH[1]}" if"#],
    ),
    (
        "two builds at once",
        "(cd packages/a && npm run build) & (cd packages/b && npm run build) & wait",
        &[
            "cd packages/a () &",
            "npm run build () if & @packages/a",
            "cd packages/b () &",
            "npm run build () if & @packages/b",
            "wait",
        ],
    ),
    (
        "clean up on exit",
        r#"set -euo pipefail; tmp=$(mktemp); trap 'rm -f "$tmp"' EXIT; echo hi > "$tmp""#,
        &[
            "set -euo pipefail",
            "mktemp $()",
            "tmp=?$(mktemp)",
            r#"trap> rm -f ?"$tmp""#,
            r#"trap "rm -f \"$tmp\"" EXIT"#,
            r#"echo hi >?"$tmp""#,
        ],
    ),
    (
        "jq into a file",
        r#"jq '.scripts["test"] = "x" | .y |= map(select(.z > 1))' p.json > t.json && mv t.json p.json"#,
        &[
            r#"jq ".scripts[\"test\"] = \"x\" | .y |= map(select(.z > 1))" p.json >t.json"#,
            "mv t.json p.json if",
        ],
    ),
    (
        "a remote line",
        r#"ssh -o A=no user@host "cd /srv && git pull && sudo systemctl restart app""#,
        &[r#"ssh -o A=no user@host "cd /srv && git pull && sudo systemctl restart app""#],
    ),
    (
        "errors through a process",
        r#"make -j"$(nproc)" CFLAGS="-O2 -g" 2> >(tee err.log >&2)"#,
        &[
            "nproc $()",
            "tee err.log 1>&2 |in $()",
            r#"make ?-j"$(nproc)" "CFLAGS=-O2 -g" 2>?">(tee err.log >&2)""#,
        ],
    ),
    (
        "node with a template",
        r#"node -e "const a = [1,2].map(x => x * 2); console.log(\`\${a}\`)""#,
        &[r#"node -e "const a = [1,2].map(x => x * 2); console.log(`${a}`)""#],
    ),
    (
        "wait for a server",
        "timeout 30 bash -c 'until curl -sf localhost:8080/health; do sleep 1; done'",
        &[
            "timeout> bash -c> curl -sf localhost:8080/health if",
            "timeout> bash -c> sleep 1 if",
            r#"timeout> bash -c "until curl -sf localhost:8080/health; do sleep 1; done""#,
        ],
    ),
    (
        "a server in the background",
        "nohup python -m http.server 8000 > /dev/null 2>&1 &",
        &["nohup> python -m http.server 8000 >/dev/null 2>&1 &"],
    ),
    (
        "to the top of the repository",
        r#"cd "$(git rev-parse --show-toplevel)" && ls"#,
        &["git rev-parse --show-toplevel $()", r#"cd ?"\"$(git rev-parse --show-toplevel)\"""#, "ls if @."],
    ),
    (
        "a config from a template",
        "cat <<EOF > conf.yml\nkey: \"$VAL\"\ncmd: echo \\$HOME \\`date\\` $(hostname)\nEOF",
        &["hostname $()", r#"cat <<?"key: \"$VAL\"\ncmd: echo \\$HOME \\`date\\` $(hostname)\n" >conf.yml"#],
    ),
    (
        "a file as root",
        "sudo tee /etc/x.conf > /dev/null <<'EOF'\n[a]\nEOF",
        &[r#"sudo> tee /etc/x.conf >/dev/null <<"[a]\n""#],
    ),
    (
        "an agent's agent",
        r#"eval "$(ssh-agent -s)" && ssh-add ~/.ssh/id"#,
        &[
            "ssh-agent -s $()",
            r#"eval ?"\"$(ssh-agent -s)\"""#,
            "ssh-add ~/.ssh/id if @?",
            r#"?Source "eval \"$(ssh-agent -s)\"""#,
        ],
    ),
    (
        "a retry function",
        r#"retry() { until "$@"; do sleep 1; done; }; retry curl -f x"#,
        &[
            r#"?"$@" fn if"#,
            "sleep 1 fn if @?",
            "curl -f x if",
            "sleep 1 if",
            "retry curl -f x",
            r#"?Program "$@""#,
        ],
    ),
    (
        "continued with a comment",
        "true \\\n  && echo a \\\n  || echo b   # why",
        &["true", "echo a if", "echo b if"],
    ),
    (
        "a profile",
        r#"if ! grep -q "^export FOO=" ~/.bashrc; then echo 'export FOO="bar baz"' >> ~/.bashrc; fi"#,
        &[r#"grep -q "^export FOO=" ~/.bashrc !"#, r#"echo "export FOO=\"bar baz\"" >>~/.bashrc if"#],
    ),
];
