//! The settings of a project whose config says nothing: its phases, domains and limits.

use serde::Serialize;

use super::super::limits::USUAL_FILE;
use super::settings::{DomainOf, OnFail, PhaseOf, SettingsOf, TESTING, Text, Trivial, three};
use crate::code_files;
use crate::globs::{Glob, Globs};
use crate::period::Period;
use crate::test_files::TEST_FILES;

const REVIEW: &str = "review";
const PLANNING: &str = "test-planning";

/// Folders of vendored or built code, and generated files.
pub(in crate::r#loop) const EXTERNAL_CODE: [&str; 7] = [
    "**/{node_modules,vendor,third_party,dist,target,.venv,venv,site-packages,__pycache__,.git,.next,coverage}/**",
    "**/{generated,__generated__}/**",
    "**/{.gradle,.dart_tool,.angular,.turbo,.svelte-kit,.nuxt,.output,.parcel-cache,.cache,.eggs,.ipynb_checkpoints}/**",
    "**/{.serverless,.vercel,.terraform,.history,DerivedData,Pods,storybook-static,cdk.out,_site,*.egg-info}/**",
    // What test runners report.
    "**/{htmlcov,playwright-report,test-results,allure-report,allure-results,lcov-report,.nyc_output}/**",
    "**/*.{min.js,min.css,d.ts,pb.go,gen.go,g.dart,pb.cc,pb.h,lock.hcl}",
    // Texts of Fluent, which have the ending of a template language.
    "**/{locale,locales,l10n,i18n}/**/*.ftl",
];

impl<S: Text, N: From<u32> + Serialize, P: From<Period> + Serialize> Default for SettingsOf<S, N, P> {
    fn default() -> Self {
        SettingsOf {
            phase: phases(),
            test_command: None,
            domain: domains(),
            trivial: vec![Trivial::Comments, Trivial::Whitespace, Trivial::Docs],
            tests: globs(&TEST_FILES),
            max_iterations: N::from(5),
            max_identical: N::from(3),
            max_time: P::from(Period::minutes(240)),
            max_holds: N::from(12),
            grant: three(),
            handoff: "/feature".to_owned(),
            run_time: P::from(Period::minutes(8)),
            tail_lines: 40,
            limits_file: USUAL_FILE.to_owned(),
            adviser: super::super::adviser::Settings::default(),
            written: std::collections::BTreeSet::new(),
        }
    }
}

/// Review, a plan for the tests, the tests.
fn phases<S: Text, N: From<u32> + Serialize>() -> Vec<PhaseOf<S, N>> {
    let phase = |name: &str, heading: &str, pass: &str, fail: &str| PhaseOf {
        name: text(name),
        heading: text(heading),
        pass: text(pass),
        fail: text(fail),
        issues: Vec::new(),
        agents: Vec::new(),
        run: None,
        needs_run: None,
        on_fail: OnFail::Again,
        max_failures: three(),
    };
    vec![
        PhaseOf {
            issues: texts(&["Issues"]),
            agents: globs(&["reviewer", "code-reviewer"]),
            ..phase(REVIEW, "Review Result", "REVIEW_APPROVED", "REVIEW_REJECTED")
        },
        PhaseOf {
            issues: texts(&["Blocking Issues", "Issues"]),
            agents: globs(&["test-lead"]),
            ..phase(PLANNING, "Test Planning Result", "TEST_PLAN_READY", "TEST_PLAN_BLOCKED")
        },
        PhaseOf {
            issues: texts(&["Failures", "Issues"]),
            agents: globs(&["tester"]),
            on_fail: OnFail::Restart,
            ..phase(TESTING, "Test Result", "TESTS_PASSED", "TESTS_FAILED")
        },
    ]
}

/// A file belongs to the first domain that matches, so the narrow ones come first.
fn domains<S: Text>() -> Vec<DomainOf<S>> {
    vec![
        domain(
            "integrations",
            &["**/integrations/**/*.{go,py,ts,js,rs,java,kt,rb}"],
            &["integration-reviewer"],
            &["backend-tester"],
        ),
        domain(
            "capabilities",
            &[
                "**/{capabilities,scanners}/**/*.go",
                "**/*.vql",
                "**/{nuclei,nuclei-templates,capabilities}/**/*.{yaml,yml}",
            ],
            &["capability-reviewer"],
            &["capability-tester"],
        ),
        DomainOf {
            except: globs(&[EXTERNAL_CODE.as_slice(), &["**/*.md"]].concat()),
            ..domain("tools", &[crate::client_defaults::TOOLS], &["tool-reviewer"], &["tool-tester"])
        },
        domain(
            "frontend",
            &[code_files::PAGES, &["**/{ui,frontend,components,webapp}/**/*.{ts,mts,cts,js,mjs,cjs}"]]
                .concat(),
            &["frontend-reviewer"],
            &["frontend-tester"],
        ),
        DomainOf {
            except: globs(
                &[EXTERNAL_CODE.as_slice(), &["**/*_pb2.py", "**/*_pb2.pyi", "**/*_pb2_grpc.py"]].concat(),
            ),
            ..domain(
                "python",
                code_files::PYTHON,
                &["backend-reviewer", "python-reviewer"],
                &["backend-tester", "python-tester"],
            )
        },
        domain("backend", &code_files::others(), &["backend-reviewer"], &["backend-tester"]),
    ]
}

fn domain<S: Text>(name: &str, paths: &[&str], reviewers: &[&str], testers: &[&str]) -> DomainOf<S> {
    let agents = [(REVIEW, reviewers), (PLANNING, &["test-lead"]), (TESTING, testers)];
    DomainOf {
        name: text(name),
        paths: Globs::builtin(paths),
        except: globs(&EXTERNAL_CODE),
        agents: agents.map(|(phase, roles)| (text(phase), globs(roles))).into(),
        run: std::collections::BTreeMap::new(),
        skip: Vec::new(),
        tree: None,
    }
}

fn globs(globs: &[&str]) -> Vec<Glob> {
    globs.iter().map(|glob| Glob::builtin(glob)).collect()
}

fn text<S: Text>(text: &str) -> S {
    S::from(text.to_owned())
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
