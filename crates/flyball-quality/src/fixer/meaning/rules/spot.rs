//! The place that a rule is asked about.

use flyball_effects::lex::Language;

use super::super::piece::Piece;
use super::super::topics::Subject;
use super::super::units::Unit;

/// How many units of the old and of the new version belong together.
pub(in crate::fixer::meaning) type Step = (usize, usize);

/// Both versions, and what is known about them.
pub(in crate::fixer::meaning) struct Scene<'s> {
    pub(in crate::fixer::meaning) old: &'s [Unit],
    pub(in crate::fixer::meaning) new: &'s [Unit],
    pub(in crate::fixer::meaning) language: Option<Language>,
    pub(in crate::fixer::meaning) subjects: &'s [Subject<'s>],
}

/// One place in both versions, and a finding.
#[derive(Clone, Copy)]
pub(super) struct Spot<'s> {
    pub(super) scene: &'s Scene<'s>,
    pub(super) subject: &'s Subject<'s>,
    pub(super) old_at: usize,
    pub(super) new_at: usize,
}

impl<'s> Spot<'s> {
    /// The units from here on.
    pub(super) fn before(&self) -> &'s [Unit] {
        self.scene.old.get(self.old_at..).unwrap_or_default()
    }

    pub(super) fn after(&self) -> &'s [Unit] {
        self.scene.new.get(self.new_at..).unwrap_or_default()
    }

    /// The statements here, if the finding is about the old one.
    pub(super) fn pair(&self) -> Option<(&'s Unit, &'s Unit)> {
        let old = self.statement()?;
        Some((old, self.after().first().filter(|new| new.is_statement())?))
    }

    /// The old statement here, if the finding is about it.
    pub(super) fn statement(&self) -> Option<&'s Unit> {
        self.before().first().filter(|old| old.is_statement() && self.subject.covers(old))
    }

    pub(super) fn is(&self, language: Language) -> bool {
        self.scene.language == Some(language)
    }

    pub(super) fn is_script(&self) -> bool {
        self.is(Language::Script) || self.is(Language::Component)
    }
}

/// The pieces without those in a range.
pub(super) fn without(pieces: &[Piece], range: std::ops::Range<usize>) -> Vec<Piece> {
    let is_left = |(at, _): &(usize, &Piece)| !range.contains(at);
    pieces.iter().enumerate().filter(is_left).map(|(_, piece)| piece.clone()).collect()
}
