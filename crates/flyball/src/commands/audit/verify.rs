//! `flyball audit verify`: finds changes to the record.

use std::path::{Path, PathBuf};

use clap::Args;
use flyball_store::{Audit, AuditOptions, Finding, FindingKind, Witness};
use jiff::Zoned;

use super::digest::{Digest, Opened, Signer, open};
use super::input::{WAIT, open_store, parse_time};
use super::key::{PublicKey, SigningKey};
use super::{check, page};
use crate::outcome::{Done, Failed};
use crate::progress::Progress;
use crate::project_context::ProjectContext;
use crate::show::time::Bound;
use crate::terminal::Terminal;

/// Arguments of `flyball audit verify`.
#[derive(Args)]
pub(super) struct Arguments {
    /// Only sessions whose id begins with ID
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Only sessions with something new since then: `2h`, `14:30`, `2026-11-14`, `2026-11-14T14:30`
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Compare the record with this digest
    #[arg(long, value_name = "DIGEST", conflicts_with = "export")]
    against: Option<PathBuf>,
    /// Verify this exported file instead of the record; needs no store
    #[arg(long, value_name = "FILE", conflicts_with_all = ["session", "since"])]
    export: Option<PathBuf>,
    /// The digest of the exported file
    #[arg(long, value_name = "FILE", requires = "export")]
    digest: Option<PathBuf>,
    /// The public key that the digest must be signed with (`flyball audit key` prints it)
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Print what was found as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, terminal: &Terminal) -> Result<Done, Failed> {
    let trusted = arguments.trusted()?;
    let digest = arguments.against.as_deref().or(arguments.digest.as_deref());
    let mut signed = LoadedDigest::default();
    if let Some(path) = digest {
        signed = LoadedDigest::read(path, trusted)?;
    }
    let mut audit = match &arguments.export {
        Some(path) => check::check(path, signed.digest.as_deref())?,
        None => audit_store(arguments, &signed)?,
    };
    // A digest that is not trusted is a finding, and the chain is verified without it.
    if let Some(why) = &signed.rejection {
        let about = Finding::new(FindingKind::Changed, Witness::Digest, (0, 0));
        audit.findings.insert(0, about.with_detail(why.clone()));
    }
    if arguments.json {
        terminal.raw(&page::json(&audit));
    } else {
        page::page(&audit, signed.signer, &Zoned::now()).print(terminal);
    }
    Ok(match audit {
        Audit { findings, .. } if !findings.is_empty() => Done::Findings,
        // Exit code 4: scripts must not take what could not be checked for proven.
        Audit { unchained, skipped, .. } if unchained > 0 || !skipped.is_empty() => Done::Unchecked,
        Audit { .. } => Done::Success,
    })
}

/// A digest that was read.
#[derive(Default)]
struct LoadedDigest {
    digest: Option<Box<Digest>>,
    signer: Option<Signer>,
    /// Why it is not trusted.
    rejection: Option<String>,
}

impl LoadedDigest {
    fn read(path: &Path, trusted: Option<PublicKey>) -> Result<LoadedDigest, Failed> {
        Ok(match open(path, trusted)? {
            Opened::Valid(digest, signer) => {
                LoadedDigest { digest: Some(digest), signer: Some(signer), rejection: None }
            }
            Opened::Forged(why) => LoadedDigest { rejection: Some(why), ..LoadedDigest::default() },
        })
    }
}

fn audit_store(arguments: &Arguments, signed: &LoadedDigest) -> Result<Audit, Failed> {
    let since = parse_time(arguments.since.as_deref(), Bound::Start)?;
    // Opening the archive folds journals into the index.
    drop(ProjectContext::find()?.archive()?);
    let checkpoints = signed.digest.as_ref().map(|digest| digest.positions()).unwrap_or_default();
    let session = arguments.session.as_deref();
    let options = AuditOptions { session, since, checkpoints: &checkpoints, wait: WAIT };
    let progress = Progress::with_text("reading the record");
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let mut report = |done: u64, all: u64| progress.bar("events", (number(done), number(all)));
    let audit = open_store()?.audit(&options, &mut report)?;
    if let Some(session) = session.filter(|_| audit.is_empty()) {
        let what = format!("no session begins with `{session}`");
        return Err(Failed::new(what, "`flyball status --all` lists the sessions"));
    }
    Ok(audit)
}

impl Arguments {
    /// The key that digests must be signed with: the one from `--key`, else the one of this store.
    fn trusted(&self) -> Result<Option<PublicKey>, Failed> {
        if let Some(path) = &self.key {
            return PublicKey::read(path).map(Some);
        }
        // An exported file may come from anywhere.
        if self.export.is_some() {
            return Ok(None);
        }
        Ok(SigningKey::find(open_store()?.root()).map(|own| own.public()))
    }
}
