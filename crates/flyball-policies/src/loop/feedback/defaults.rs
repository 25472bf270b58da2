//! The phases and domains of a project whose config names none.

use super::settings::{Domain, OnFail, Phase, three};
use crate::globs::{Glob, Globs};
use crate::test_files::TEST_FILES;

const REVIEW: &str = "review";
const PLANNING: &str = "test-planning";
const TESTING: &str = "testing";

/// Folders of code that nobody here wrote, and files that a generator wrote.
pub(in crate::r#loop) const EXTERNAL_CODE: [&str; 3] = [
    "**/{node_modules,vendor,third_party,dist,target,.venv,venv,site-packages,__pycache__,.git,.next,coverage}/**",
    "**/{generated,__generated__}/**",
    "**/*.{min.js,d.ts,pb.go,gen.go,g.dart,pb.cc,pb.h}",
];

/// Review, a plan for the tests, the tests.
pub(super) fn phases() -> Vec<Phase> {
    vec![
        Phase {
            issues: texts(&["Issues"]),
            agents: globs(&["reviewer", "code-reviewer"]),
            ..phase(REVIEW, "Review Result", ("REVIEW_APPROVED", "REVIEW_REJECTED"))
        },
        Phase {
            issues: texts(&["Blocking Issues", "Issues"]),
            agents: globs(&["test-lead"]),
            ..phase(PLANNING, "Test Planning Result", ("TEST_PLAN_READY", "TEST_PLAN_BLOCKED"))
        },
        Phase {
            issues: texts(&["Failures", "Issues"]),
            agents: globs(&["tester"]),
            on_fail: OnFail::Restart,
            ..phase(TESTING, "Test Result", ("TESTS_PASSED", "TESTS_FAILED"))
        },
    ]
}

fn phase(name: &str, heading: &str, (pass, fail): (&str, &str)) -> Phase {
    Phase {
        name: name.to_owned(),
        heading: heading.to_owned(),
        pass: pass.to_owned(),
        fail: fail.to_owned(),
        issues: Vec::new(),
        agents: Vec::new(),
        run: None,
        on_fail: OnFail::Again,
        max_failures: three(),
    }
}

/// The first that matches has a file, so the narrow ones come first.
pub(super) fn domains() -> Vec<Domain> {
    vec![
        domain(
            "integrations",
            &["**/integrations/**/*.{go,py,ts,js,rs,java,kt,rb}"],
            (&["integration-reviewer"], &["backend-tester"]),
        ),
        domain(
            "capabilities",
            &[
                "**/{capabilities,scanners}/**/*.go",
                "**/*.vql",
                "**/{nuclei,nuclei-templates,capabilities}/**/*.{yaml,yml}",
            ],
            (&["capability-reviewer"], &["capability-tester"]),
        ),
        Domain {
            except: globs(&[EXTERNAL_CODE.as_slice(), &["**/*.md"]].concat()),
            ..domain("tools", &[crate::client_defaults::TOOLS], (&["tool-reviewer"], &["tool-tester"]))
        },
        domain(
            "frontend",
            &[
                "**/*.{tsx,jsx,vue,svelte,css,scss,sass,less}",
                "**/{ui,frontend,components,webapp}/**/*.{ts,mts,cts,js,mjs,cjs}",
            ],
            (&["frontend-reviewer"], &["frontend-tester"]),
        ),
        Domain {
            except: globs(
                &[EXTERNAL_CODE.as_slice(), &["**/*_pb2.py", "**/*_pb2.pyi", "**/*_pb2_grpc.py"]].concat(),
            ),
            ..domain(
                "python",
                &["**/*.{py,pyi}"],
                (&["backend-reviewer", "python-reviewer"], &["backend-tester", "python-tester"]),
            )
        },
        domain(
            "backend",
            &[
                "**/*.{go,rs,java,kt,kts,cs,rb,php,scala,swift,ex,exs,dart,zig,lua,sql,proto}",
                "**/*.{c,h,cc,cpp,cxx,hh,hpp}",
                "**/*.{ts,mts,cts,js,mjs,cjs}",
            ],
            (&["backend-reviewer"], &["backend-tester"]),
        ),
    ]
}

fn domain(name: &str, paths: &[&str], (reviewers, testers): (&[&str], &[&str])) -> Domain {
    let agents = [(REVIEW, reviewers), (PLANNING, &["test-lead"]), (TESTING, testers)];
    Domain {
        name: name.to_owned(),
        paths: Globs::builtin(paths),
        except: globs(&EXTERNAL_CODE),
        agents: agents.map(|(phase, roles)| (phase.to_owned(), globs(roles))).into(),
        run: std::collections::BTreeMap::new(),
        skip: Vec::new(),
    }
}

/// What a test file is called.
pub(super) fn tests() -> Vec<Glob> {
    globs(&TEST_FILES)
}

fn globs(globs: &[&str]) -> Vec<Glob> {
    globs.iter().map(|glob| Glob::builtin(glob)).collect()
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
