//! Which of several linters acts on a file, and what an edit of a file with findings brings in.

use flyball_quality::finding::Level;
use flyball_quality::linter::Origin;

use crate::pipeline::chosen::project;
use crate::pipeline::site::places;

/// Whoever asks for a linter by name gets its advice only where the project has no other one for that.
#[test]
fn a_linter_that_is_asked_for_is_silent_where_another_one_does_its_work() {
    let cases = [
        (
            "biome",
            "a.js",
            "let a = 1\nvar b = a == 2\n",
            "eslint.config.mjs",
            "export default [{ rules: {} }];\n",
        ),
        ("ty", "a.py", "x: int = 'text'\n", "pyproject.toml", "[tool.pyright]\n"),
        ("flake8", "a.py", "x = 1\nprint(x == None)\n", "ruff.toml", "lint.select = ['E9']\n"),
    ];
    for (linter, file, text, config, settings) in cases {
        let site = |files: &[(&str, &str)]| {
            let mut site = project(files);
            for asked in site.settings.linters.iter_mut().filter(|it| it.name == linter) {
                asked.origin = Origin::Asked;
            }
            site.put(file, text);
            site
        };
        let advice = site(&[("README", "x\n")]).run_one(file);
        assert!(!advice.findings.is_empty(), "{linter}");
        assert!(
            advice.findings.iter().all(|it| it.linter == linter && it.level == Level::Advisory),
            "{advice:?}"
        );
        let owned = site(&[(config, settings)]).run_one(file);
        assert!(!owned.linters.contains(&linter.to_owned()), "{linter}: {:?}", owned.linters);
        assert_eq!(owned.findings.iter().filter(|it| it.linter == linter).count(), 0);
    }
}

/// Only what an edit brought in is new, also in a line that was bad, and for linters that cannot be given old content.
#[test]
fn an_edit_of_a_line_with_findings_does_not_bring_them_in() {
    type Files = &'static [(&'static str, &'static str)];
    let cases: [(Files, &str, &str, &str); 4] = [
        (
            &[("ruff.toml", "lint.select = ['E711']\n"), ("a.py", "x = 0\nprint('a', x == None)\n")],
            "a.py",
            "'a'",
            "'b'",
        ),
        (
            &[
                ("pyproject.toml", "[tool.mypy]\nstrict = true\n"),
                ("a.py", "def f(x):\n    y = 'a'\n    return y\n"),
            ],
            "a.py",
            "'a'",
            "'b'",
        ),
        (&[(".markdownlint.json", "{}\n"), ("a.md", "# A\n\nText\n* one\n")], "a.md", "one", "two"),
        (
            &[
                ("go.mod", "module sample\n\ngo 1.20\n"),
                ("Makefile", "check:\n\tgo vet ./...\n"),
                ("a.go", "package sample\n\nimport \"fmt\"\n\nfunc F() { fmt.Printf(\"a %s\", 1) }\n"),
            ],
            "a.go",
            "a %s",
            "b %s",
        ),
    ];
    for (files, name, old, new) in cases {
        let mut site = project(files);
        site.settings.deadline_seconds = 300;
        site.put(name, &site.read(name).replace(old, new));
        let report = site.run(&[name]);
        assert_eq!(report.troubles, [], "{name}");
        assert_eq!(report.files[0].findings, [], "{name}");
        assert!(report.files[0].old > 0, "{name}: {report:?}");
    }
}

/// A change of a function breaks a call in a line of the same file that did not change.
#[test]
fn what_an_edit_breaks_in_another_line_of_the_file_is_new() {
    let before = "def half(x: int) -> int:\n    return x // 2\n\n\ntext = half(2) + 1\nold: int = 'x'\n";
    let site = project(&[("mypy.ini", "[mypy]\n"), ("a.py", before)]);
    site.put("a.py", &before.replace("-> int:\n    return x // 2", "-> str:\n    return str(x)"));
    let report = site.run_one("a.py");
    assert_eq!(places(&report.findings), [(5, "operator")]);
    assert_eq!(report.old, 1);
}

/// Its configs have the same names as those of the one that it was made from.
#[test]
fn basedpyright_acts_only_where_it_is_named() {
    let why = |files: &[(&str, &str)]| {
        let mut site = project(files);
        // It is not one of the pinned linters.
        let is_of = |name: &str| ["pyright", "basedpyright"].contains(&name);
        site.settings.linters.retain(|linter| is_of(&linter.name));
        for linter in &mut site.settings.linters {
            linter.entry.optional = Some(true);
        }
        site.settings.deadline_seconds = 300;
        site.put("a.py", "x: int = 'text'\n");
        let files = site.run(&["a.py"]).files;
        files.into_iter().flat_map(|file| file.linters).collect::<Vec<String>>()
    };
    assert_eq!(why(&[("pyrightconfig.json", "{}\n")]), ["pyright"]);
    assert_eq!(why(&[("pyproject.toml", "[tool.pyright]\n")]), ["pyright"]);
    assert_eq!(
        why(&[("pyproject.toml", "[tool.pyright]\n[dependency-groups]\ndev = ['basedpyright']\n")]),
        [""; 0]
    );
}

/// `mypy` and `pyright` without arguments check what their configs list.
#[test]
fn type_checkers_act_on_the_files_that_their_configs_list() {
    let bad = "x: int = 'text'\n";
    let configs = [
        ("pyproject.toml", "[tool.mypy]\nfiles = ['src']\n"),
        ("setup.cfg", "[mypy]\nfiles = src, other\n"),
        ("pyproject.toml", "[tool.pyright]\ninclude = ['src']\n"),
        ("pyrightconfig.json", "{ \"include\": [\"src\"] }\n"),
    ];
    for (name, config) in configs {
        let mut site = project(&[(name, config)]);
        site.settings.deadline_seconds = 300;
        site.put("src/a.py", bad);
        site.put("tests/a.py", bad);
        assert_eq!(site.run_one("src/a.py").findings.len(), 1, "{config}");
        assert_eq!(site.run(&["tests/a.py"]).files, [], "{config}");
    }
}
