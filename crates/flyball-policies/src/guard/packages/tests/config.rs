//! Valid and invalid values in `[guard.packages]`.

use flyball_core::verdict::Stance;

use super::{instead, judged};
use crate::testing::problems;

#[test]
fn every_value_is_accepted() {
    for (key, tools) in [
        ("python", ["auto", "uv", "pip", "poetry", "pipenv", "conda"].as_slice()),
        ("javascript", ["auto", "npm", "yarn", "pnpm", "bun"].as_slice()),
    ] {
        for tool in tools {
            for suffix in ["", ":warn", ":rewrite"] {
                assert_eq!(problems(&format!("[guard.packages]\n{key} = \"{tool}{suffix}\"")), [""; 0]);
            }
        }
        assert_eq!(problems(&format!("[guard.packages]\n{key} = \"off\"")), [""; 0]);
    }
}

#[test]
fn an_unknown_value_names_the_nearest() {
    let rows = [
        ("python = \"uvv\"", "flyball.toml:2:10: unknown value `uvv`; did you mean `uv`?"),
        ("python = \"uv:wran\"", "flyball.toml:2:10: unknown value `uv:wran`; did you mean `uv:warn`?"),
        ("javascript = \"pnmp\"", "flyball.toml:2:14: unknown value `pnmp`; did you mean `pnpm`?"),
        ("pyton = \"uv\"", "flyball.toml:2:1: unknown key `pyton`; did you mean `python`?"),
        ("python = false", "flyball.toml:2:10: expected a string, found the boolean `false`"),
        ("allow.nmp = []", "flyball.toml:2:7: unknown key `nmp`; did you mean `npm`?"),
    ];
    for (line, expected) in rows {
        assert_eq!(problems(&format!("[guard.packages]\n{line}")), [expected], "{line}");
    }
}

#[test]
fn a_list_replaces_the_default_of_its_tool_only() {
    let config = "[guard.packages]\npython = \"uv\"\njavascript = \"bun\"\n\n[guard.packages.allow]\nnpm = [\"run\"]\nnpx = [\"playwright\"]\n";
    let stance = |command: &str| judged(config, command).merged.stance;
    let rows = [
        ("npm run build", Stance::Silent),
        ("npm run-script build", Stance::Silent),
        ("npm audit", Stance::Deny),
        ("pip download x", Stance::Silent),
        ("yarn audit", Stance::Silent),
        ("npx playwright test", Stance::Silent),
        ("npx tsc", Stance::Deny),
    ];
    for (command, expected) in rows {
        assert_eq!(stance(command), expected, "{command}");
    }
}

#[test]
fn off_allows_everything() {
    let config = "[guard.packages]\npython = \"off\"\njavascript = \"off\"\n";
    for command in ["pip install x", "npm i", "poetry shell", "python -m venv x"] {
        assert_eq!(judged(config, command).merged.stance, Stance::Silent, "{command}");
    }
}

#[test]
fn conda_is_governed_if_enabled() {
    let config = "[guard.packages]\npython = \"uv\"\nconda = true\n";
    let rows = [
        ("conda install -y numpy=1.26 pandas", "Use `uv add 'numpy==1.26.*' pandas`"),
        ("mamba install -c conda-forge rich", "Use `uv add rich`"),
        ("micromamba remove rich", "Use `uv remove rich`"),
        ("conda list", ""),
        ("conda run -n env pytest -q", "Use `uv run pytest -q`"),
        ("conda activate base", ""),
        ("conda --version", ""),
        ("conda info", ""),
    ];
    for (command, expected) in rows {
        assert_eq!(instead(&judged(config, command)), expected, "{command}");
    }
}
