//! Which function implements each behaviour in the table of programs.

use flyball_programs::Behaviour;

use super::super::call::Call;
use super::super::collector::Collector;
use super::super::git::git;
use super::super::network;
use super::{archives, files, find, interpreters, patching, reading, tools};

/// Adds the effects of a command.
pub(super) type EffectFn = fn(&Call, &mut Collector);

/// The function that adds the effects of this behaviour.
pub(super) fn effect_fn(behaviour: Behaviour) -> EffectFn {
    match behaviour {
        Behaviour::ApplyPatch => patching::apply_patch,
        Behaviour::Awk => reading::awk,
        Behaviour::Aws => network::aws,
        Behaviour::Buckets => network::buckets,
        Behaviour::Build => tools::builder,
        Behaviour::Cargo => tools::cargo,
        Behaviour::Change => files::change,
        Behaviour::Compile => tools::compiler,
        Behaviour::Compress => archives::compress,
        Behaviour::Connect => network::connect,
        Behaviour::Copy => files::copy,
        Behaviour::Curl => network::curl,
        Behaviour::Database => tools::database,
        Behaviour::Dd => files::dd,
        Behaviour::Deno => tools::deno,
        Behaviour::Edit => tools::editor,
        Behaviour::Emacs => tools::emacs,
        Behaviour::Fetch => network::fetch,
        Behaviour::Find => find::find,
        Behaviour::FixByVerb => tools::fixes_by_verb,
        Behaviour::FixByVerbOrBuild => tools::fixes_by_verb_or_build,
        Behaviour::FixIfAsked => tools::fixes_if_asked,
        Behaviour::FixUnlessAsked => tools::fixes_unless_asked,
        Behaviour::FixWithLetter => tools::fixes_with_letter,
        Behaviour::Gh => network::gh,
        Behaviour::Git => git,
        Behaviour::Go => tools::go,
        Behaviour::Httpie => network::httpie,
        Behaviour::Install => files::install,
        Behaviour::Interpret => interpreters::run_interpreter,
        Behaviour::InterpretInPlace => interpreters::in_place,
        Behaviour::Json => reading::json,
        Behaviour::Link => files::link,
        Behaviour::Mail => network::mail,
        Behaviour::Make => tools::make,
        Behaviour::Mark => files::marks,
        Behaviour::Markdownlint => tools::markdownlint,
        Behaviour::Mount => files::mount,
        Behaviour::Nothing => reading::nothing,
        Behaviour::Opaque => tools::opaque,
        Behaviour::Openssl => reading::openssl,
        Behaviour::Patch => patching::patch,
        Behaviour::Pipx => tools::pipx,
        Behaviour::Read => reading::operands,
        Behaviour::ReadWithOutput => reading::with_output,
        Behaviour::Remove => files::remove,
        Behaviour::RemoveAll => files::remove_all,
        Behaviour::Rename => files::rename,
        Behaviour::RenameByScript => files::rename_by_script,
        Behaviour::Resolve => network::resolve,
        Behaviour::Rsync => network::rsync,
        Behaviour::Scp => network::scp,
        Behaviour::Search => reading::search,
        Behaviour::Sed => reading::sed,
        Behaviour::Session => network::session,
        Behaviour::SetAttributes => files::attributes,
        Behaviour::SevenZip => archives::seven_zip,
        Behaviour::Shred => files::shred,
        Behaviour::Source => interpreters::sourced,
        Behaviour::Split => files::split,
        Behaviour::Sponge => files::sponge,
        Behaviour::Ssh => network::ssh,
        Behaviour::Start => tools::starter,
        Behaviour::Tar => archives::tar,
        Behaviour::Tee => files::tee,
        Behaviour::Touch => files::touch,
        Behaviour::Truncate => files::truncate,
        Behaviour::Typescript => tools::typescript,
        Behaviour::Unsure => tools::unsure,
        Behaviour::Unzip => archives::unzip,
        Behaviour::Wget => network::wget,
        Behaviour::Write => files::write,
        Behaviour::WriteSecond => reading::into_second,
        Behaviour::Zip => archives::zip,
    }
}
