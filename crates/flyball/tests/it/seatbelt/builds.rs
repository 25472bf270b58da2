//! Builds and tests of several ecosystems, inside and outside: the same comes of both.

use super::*;

/// A program that must be there, and what is done with it in an empty folder.
const BUILDS: &[(&str, &str)] = &[
    (
        "cargo",
        "cargo init -q --vcs none --name made . && printf '#[test]\\nfn t() { assert_eq!(1, 1); }\\n' >> src/main.rs && cargo test -q --offline && cargo build -q --offline && ./target/debug/made",
    ),
    (
        "npm",
        "mkdir dep && echo '{\"name\": \"dep\", \"version\": \"1.0.0\"}' > dep/package.json && echo 'module.exports = 7' > dep/index.js && echo '{\"name\": \"made\", \"version\": \"1.0.0\", \"dependencies\": {\"dep\": \"file:dep\"}, \"scripts\": {\"test\": \"node -e \\\"process.exit(require(\\u0027dep\\u0027) - 7)\\\"\"}}' > package.json && npm install --silent --offline --no-audit --no-fund && npm test --silent",
    ),
    (
        "python3",
        "python3 -m venv --without-pip v && mkdir t && touch t/__init__.py && printf 'import unittest\\nclass T(unittest.TestCase):\\n    def test(self): self.assertEqual(1, 1)\\n' > t/test_a.py && v/bin/python -m unittest -q t.test_a",
    ),
    (
        "uv",
        "uv venv -q --offline u && mkdir -p p/src/made && printf '[project]\\nname = \"made\"\\nversion = \"1\"\\n' > p/pyproject.toml && uv pip list -q --offline -p u",
    ),
    (
        "go",
        "printf 'module made\\n\\ngo 1.20\\n' > go.mod && printf 'package made\\nimport \"testing\"\\nfunc TestA(t *testing.T) {}\\n' > a_test.go && go vet ./... && go test ./...",
    ),
    (
        "make",
        "printf 'int main(void) { return 0; }\\n' > a.c && printf 'a: a.c\\n\\tcc -o a a.c\\ntest: a\\n\\t./a\\n' > Makefile && make -s -j2 test",
    ),
    (
        "cmake",
        "printf 'int main(void) { return 0; }\\n' > a.c && printf 'cmake_minimum_required(VERSION 3.10)\\nproject(made C)\\nenable_testing()\\nadd_executable(a a.c)\\nadd_test(NAME a COMMAND a)\\n' > CMakeLists.txt && cmake -S . -B b > log && cmake --build b >> log && cd b && ctest -Q",
    ),
];

#[test]
fn builds_and_tests_end_as_they_do_without_it() {
    let (Some(inside), Some(outside)) =
        (Belted::new(Who::Tester, ""), Belted::new(Who::Tester, "[seatbelt]\nmode = \"off\"\n"))
    else {
        return;
    };
    end_alike(&inside, &outside);
}

/// Builds and tests in two projects of which only one is in a seatbelt.
pub(super) fn end_alike(inside: &Belted, outside: &Belted) {
    let is_there = |program: &str| {
        let path = std::env::var_os("PATH").unwrap();
        std::env::split_paths(&path).any(|folder| folder.join(program).exists())
    };
    let home = std::env::var("HOME").unwrap_or_default();
    let tools = ["CARGO_HOME", "RUSTUP_HOME"].into_iter().zip([".cargo", ".rustup"]);
    let tools: Vec<(&str, String)> = tools
        .map(|(name, folder)| (name, std::env::var(name).unwrap_or_else(|_| format!("{home}/{folder}"))))
        .collect();
    for (program, line) in BUILDS.iter().filter(|(program, _)| is_there(program)) {
        let built = |belted: &Belted| {
            let mut command = belted.agent(&format!("mkdir made-{program} && cd made-{program} && {line}"));
            command.envs(tools.iter().map(|(name, value)| (name, value)));
            let ran = run(command, b"");
            let mut found = BTreeMap::new();
            describe(&belted.root().join(format!("made-{program}")), &mut found);
            let top = |path: &Path| path.strip_prefix(belted.root()).unwrap().components().count() <= 2;
            let names: Vec<PathBuf> = found
                .keys()
                .filter(|path| top(path))
                .map(|path| path.strip_prefix(belted.root()).unwrap().to_owned())
                .collect();
            ((ran.status, names), ran.stderr)
        };
        let (inside, outside) = (built(inside), built(outside));
        assert_eq!(inside.0, outside.0, "{program}: {} {}", inside.1, outside.1);
        assert_eq!(inside.0.0, 0, "{program}: {} {}", inside.1, outside.1);
    }
}
