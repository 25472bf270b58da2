//! Build, test and deployment tools that need no grammar: they read what they are given, and
//! write more than the line says.

/// The tool of this name.
pub(super) fn builder(name: &str) -> Option<&'static str> {
    let at = BUILDERS.binary_search(&name).ok()?;
    BUILDERS.get(at).copied()
}

/// Sorted, because it is searched by halves.
static BUILDERS: &[&str] = &[
    "actionlint",
    "alembic",
    "ansible",
    "ansible-playbook",
    "astro",
    "ava",
    "bandit",
    "c8",
    "cabal",
    "celery",
    "coverage",
    "ctest",
    "cypress",
    "dart",
    "drizzle-kit",
    "esbuild",
    "expo",
    "firebase",
    "flask",
    "flutter",
    "fly",
    "gem",
    "ghc",
    "gitleaks",
    "gunicorn",
    "heroku",
    "hugo",
    "java",
    "javac",
    "jekyll",
    "jupyter",
    "kotlinc",
    "lerna",
    "mkdocs",
    "netlify",
    "next",
    "nox",
    "nx",
    "nyc",
    "packer",
    "pod",
    "prisma",
    "protoc",
    "rollup",
    "sbt",
    "semgrep",
    "sphinx-build",
    "stack",
    "streamlit",
    "supabase",
    "tflint",
    "trivy",
    "tsup",
    "uvicorn",
    "vagrant",
    "vercel",
    "vulture",
    "webpack",
    "wrangler",
    "xcodebuild",
];

#[cfg(test)]
mod tests {
    use super::BUILDERS;

    #[test]
    fn the_tools_are_in_order() {
        assert!(BUILDERS.is_sorted());
    }
}
