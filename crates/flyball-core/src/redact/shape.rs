//! The public list of token shapes: how each token begins and what follows.
//!
//! One row per beginning. The tests have an example of each and fail for a row without one.

use super::random::is_mixed;
use super::scan::{LONGEST, is_word};

/// What follows the beginning of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    /// Letters, digits, `_` and `-`.
    Word,
    /// The same, in parts with dots between them.
    Dotted,
    Hex,
    /// Letters, digits and `+/=_-`, also as `%2B`.
    Base64,
}

impl Body {
    fn has(self, byte: u8) -> bool {
        match self {
            Body::Word => is_word(byte) || byte == b'-',
            Body::Dotted => is_word(byte) || matches!(byte, b'-' | b'.'),
            Body::Hex => byte.is_ascii_hexdigit(),
            Body::Base64 => is_word(byte) || matches!(byte, b'-' | b'.' | b'+' | b'/' | b'=' | b'%' | b','),
        }
    }
}

/// A token that is recognised by its beginning.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) prefix: &'static str,
    body: Body,
    /// How much has to follow, and how much may.
    least: usize,
    most: usize,
    /// Whether a long part of it has to mix letters and digits, because names start like that too.
    mixed: bool,
    /// How many dots have to be in it.
    dots: usize,
}

impl Shape {
    const fn new(prefix: &'static str, body: Body, least: usize) -> Shape {
        Shape { prefix, body, least, most: usize::MAX, mixed: false, dots: 0 }
    }

    /// Such a beginning and at least so much after it.
    const fn word(prefix: &'static str, least: usize) -> Shape {
        Shape::new(prefix, Body::Word, least)
    }

    /// The same for a beginning that names in code have, too.
    const fn mixed(prefix: &'static str, least: usize) -> Shape {
        Shape { mixed: true, ..Shape::new(prefix, Body::Word, least) }
    }

    /// The same with dots in it.
    const fn mixed_parts(prefix: &'static str, least: usize) -> Shape {
        Shape { mixed: true, ..Shape::new(prefix, Body::Dotted, least) }
    }

    /// Exactly so many letters and digits, mixed.
    const fn exact(prefix: &'static str, length: usize) -> Shape {
        Shape { most: length, ..Shape::mixed(prefix, length) }
    }

    const fn hex(prefix: &'static str, least: usize) -> Shape {
        Shape::new(prefix, Body::Hex, least)
    }

    /// Exactly so many hexadecimal digits.
    const fn exact_hex(prefix: &'static str, length: usize) -> Shape {
        Shape { most: length, ..Shape::hex(prefix, length) }
    }

    const fn base64(prefix: &'static str, least: usize) -> Shape {
        Shape::new(prefix, Body::Base64, least)
    }

    /// Parts with so many dots between them.
    const fn dotted(prefix: &'static str, least: usize, dots: usize) -> Shape {
        Shape { dots, ..Shape::new(prefix, Body::Dotted, least) }
    }

    /// The end of the token that starts with this text, if it is one.
    fn end(&self, text: &[u8]) -> Option<usize> {
        let rest = text.strip_prefix(self.prefix.as_bytes())?;
        let run = |limit: usize| rest.iter().take(limit).take_while(|byte| self.body.has(**byte)).count();
        let mut length = run(LONGEST + 1);
        if length > LONGEST && self.most == usize::MAX {
            // No name is that long, and to look at it again from each of its parts would take for ever.
            return Some(self.prefix.len() + run(usize::MAX));
        }
        // A sentence may end with the token.
        while length > 0 && matches!(rest.get(length - 1), Some(b'.' | b',')) {
            length -= 1;
        }
        let body = rest.get(..length)?;
        let goes_on = rest.get(length).copied().is_some_and(is_word);
        let fits = (self.least..=self.most).contains(&length)
            && !(self.most < usize::MAX && goes_on)
            && body.iter().filter(|byte| **byte == b'.').count() >= self.dots
            && (!self.mixed || is_mixed(body));
        fits.then(|| self.prefix.len() + length + rest.get(length..).map_or(0, more_parts))
    }
}

/// The length of further parts of a token, after dots and dashes: a checksum, a number. Each has a digit in it, so that
/// the end of a file's name is none.
fn more_parts(text: &[u8]) -> usize {
    let mut end = 0;
    while let Some([b'.' | b'-', rest @ ..]) = text.get(end..) {
        let length = rest.iter().take(LONGEST).take_while(|byte| is_word(**byte)).count();
        if !rest.get(..length).is_some_and(|part| part.iter().any(u8::is_ascii_digit)) {
            break;
        }
        end += 1 + length;
    }
    end
}

/// The end of the token at the beginning of this text, if it has one of the [`SHAPES`].
pub(super) fn token_end(text: &[u8]) -> Option<usize> {
    let [first, second, ..] = *text else { return None };
    if second >= 128 || PAIRS.get(usize::from(first))? >> second & 1 == 0 {
        return None;
    }
    let candidates = BY_FIRST.get(usize::from(first))?;
    for (bits, shapes) in candidates.iter().zip(SHAPES.chunks(64)) {
        let mut bits = *bits;
        while bits != 0 {
            let end = shapes.get(bits.trailing_zeros() as usize).and_then(|shape| shape.end(text));
            if end.is_some() {
                return end;
            }
            bits &= bits - 1;
        }
    }
    None
}

/// How many times 64 shapes there may be.
const CHUNKS: usize = 4;

/// For each first byte, the second bytes of shapes, as bits: most words are done with one look.
static PAIRS: [u128; 128] = pairs();

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler: out of bounds does not compile")]
const fn pairs() -> [u128; 128] {
    let mut pairs = [0; 128];
    let mut at = 0;
    while at < SHAPES.len() {
        let prefix = SHAPES[at].prefix.as_bytes();
        pairs[prefix[0] as usize] |= 1 << prefix[1];
        at += 1;
    }
    pairs
}

/// For each first byte, the shapes that begin with it, as bits.
static BY_FIRST: [[u64; CHUNKS]; 128] = index();

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler: out of bounds does not compile")]
const fn index() -> [[u64; CHUNKS]; 128] {
    let mut index = [[0; CHUNKS]; 128];
    let mut at = 0;
    while at < SHAPES.len() {
        let first = SHAPES[at].prefix.as_bytes()[0];
        index[first as usize][at / 64] |= 1 << (at % 64);
        at += 1;
    }
    index
}

pub(super) static SHAPES: &[Shape] = &[
    // Clouds.
    Shape::word("AKIA", 16),
    Shape::word("ASIA", 16),
    Shape::word("ABIA", 16),
    Shape::word("ACCA", 16),
    Shape::base64("ABSK", 80),
    Shape::base64("bedrock-api-key-", 40),
    Shape::word("amzn1.oa2-cs.v1.", 30),
    Shape::word("amzn.mws.", 30),
    Shape::word("AIza", 30),
    Shape::word("GOCSPX-", 20),
    Shape::mixed("ya29.", 20),
    Shape::mixed("LTAI", 12),
    Shape::hex("dop_v1_", 32),
    Shape::hex("doo_v1_", 32),
    Shape::hex("dor_v1_", 32),
    Shape::word("HRKU-", 20),
    Shape::mixed("v1.0-", 60),
    Shape::mixed("cfut_", 30),
    Shape::mixed("cfat_", 30),
    Shape::mixed("cfk_", 30),
    Shape::word("AVNS_", 12),
    Shape::mixed("rnd_", 24),
    Shape::word("y0_", 40),
    Shape::base64("fm1r_", 30),
    Shape::base64("fm1a_", 30),
    Shape::base64("fm2_", 30),
    Shape::base64("fo1_", 30),
    Shape::mixed("nfp_", 24),
    Shape::mixed("nfc_", 24),
    Shape::mixed("nfo_", 24),
    Shape::mixed("nfu_", 24),
    Shape::mixed("nfb_", 24),
    Shape::mixed("vcp_", 20),
    Shape::mixed("vci_", 20),
    Shape::mixed("vca_", 20),
    Shape::mixed("vcr_", 20),
    Shape::mixed("vck_", 20),
    Shape::mixed("vercel_blob_rw_", 20),
    // Code hosts, CI, registries.
    Shape::word("ghp_", 20),
    Shape::word("gho_", 20),
    Shape::word("ghu_", 20),
    Shape::word("ghs_", 20),
    Shape::word("ghr_", 20),
    Shape::word("github_pat_", 20),
    Shape::word("glpat-", 16),
    Shape::word("gldt-", 16),
    Shape::word("glrt-", 16),
    Shape::word("glrtr-", 16),
    Shape::word("glcbt-", 16),
    Shape::word("glptt-", 16),
    Shape::word("glft-", 16),
    Shape::word("glsoat-", 16),
    Shape::word("glagent-", 16),
    Shape::word("glimt-", 16),
    Shape::word("gloas-", 16),
    Shape::word("glffct-", 16),
    Shape::word("GR1348941", 16),
    Shape::word("ATATT3x", 20),
    Shape::word("ATCTT3x", 20),
    Shape::word("ATSTT3x", 20),
    Shape::mixed("ATBB", 24),
    Shape::mixed("npm_", 30),
    Shape::word("pypi-AgE", 30),
    Shape::hex("rubygems_", 32),
    Shape::exact("cio", 32),
    Shape::exact("oy2", 43),
    Shape::hex("CLOJARS_", 40),
    Shape::word("dckr_pat_", 16),
    Shape::word("dckr_oat_", 16),
    Shape::word("SWMTKN-1-", 30),
    Shape::word("AKCp", 40),
    Shape::word("cmVmdGtuO", 30),
    Shape::word("CCIPAT_", 20),
    Shape::word("CCIPRJ_", 20),
    Shape::hex("bkua_", 30),
    Shape::mixed("bkct_", 20),
    Shape::hex("sgp_", 32),
    Shape::hex("squ_", 32),
    Shape::hex("sqp_", 32),
    Shape::hex("sqa_", 32),
    Shape::mixed_parts("snyk_uat.", 20),
    Shape::mixed_parts("snyk_sat.", 20),
    Shape::mixed("pul-", 32),
    Shape::mixed("pnu_", 24),
    Shape::mixed("pnb_", 24),
    // Chat, mail, telephone.
    Shape::word("xoxb-", 10),
    Shape::word("xoxa-", 10),
    Shape::word("xoxp-", 10),
    Shape::word("xoxr-", 10),
    Shape::word("xoxs-", 10),
    Shape::word("xoxo-", 10),
    Shape::base64("xoxe-", 10),
    Shape::word("xoxe.", 10),
    Shape::word("xoxc-", 10),
    Shape::base64("xoxd-", 10),
    Shape::word("xapp-", 20),
    Shape::dotted("SG.", 40, 1),
    Shape::exact_hex("key-", 32),
    Shape::exact_hex("SK", 32),
    Shape::exact_hex("AC", 32),
    Shape::hex("xkeysib-", 40),
    Shape::hex("xsmtpsib-", 40),
    Shape::mixed("re_", 24),
    Shape::mixed("EAA", 55),
    Shape::mixed("IGQ", 60),
    Shape::mixed("IGAA", 60),
    Shape::mixed("AQV", 100),
    Shape::mixed("AQX", 100),
    Shape::dotted("WPL_AP1.", 12, 0),
    // Payment and shops.
    Shape::mixed("sk_live_", 16),
    Shape::mixed("sk_test_", 16),
    Shape::mixed("rk_live_", 16),
    Shape::mixed("rk_test_", 16),
    Shape::base64("whsec_", 20),
    Shape::hex("shpat_", 24),
    Shape::hex("shpss_", 24),
    Shape::hex("shpca_", 24),
    Shape::hex("shppa_", 24),
    Shape::hex("shptka_", 24),
    Shape::word("sq0atp-", 20),
    Shape::word("sq0csp-", 30),
    Shape::word("sq0idp-", 20),
    Shape::mixed("EZAK", 40),
    Shape::mixed("EZTK", 40),
    Shape::word("FLWSECK", 12),
    Shape::mixed("pdl_live_apikey_", 20),
    Shape::mixed("pdl_sdbx_apikey_", 20),
    Shape::mixed("duffel_live_", 30),
    Shape::mixed("duffel_test_", 30),
    Shape::hex("shippo_live_", 30),
    // Secrets, observability, infrastructure.
    Shape::word("hvs.", 20),
    Shape::word("hvb.", 20),
    Shape::word("hvr.", 20),
    Shape::exact("s.", 24),
    Shape::mixed_parts("dp.pt.", 20),
    Shape::mixed_parts("dp.st.", 20),
    Shape::mixed_parts("dp.ct.", 20),
    Shape::mixed_parts("dp.sa.", 20),
    Shape::mixed_parts("dp.scim.", 20),
    Shape::mixed_parts("dp.audit.", 20),
    Shape::base64("ops_eyJ", 40),
    Shape::word("AGE-SECRET-KEY-1", 20),
    Shape::hex("dapi", 32),
    Shape::word("NRAK-", 20),
    Shape::word("NRII-", 20),
    Shape::word("NRJS-", 16),
    Shape::word("NRRA-", 20),
    Shape::word("glsa_", 24),
    Shape::base64("glc_", 30),
    Shape::base64("eyJrIjoi", 30),
    Shape::base64("sntrys_", 30),
    Shape::hex("sntryu_", 30),
    Shape::hex("sntrya_", 30),
    Shape::hex("sntryi_", 30),
    Shape::dotted("dt0c01.", 40, 1),
    Shape::dotted("dt0s16.", 40, 1),
    Shape::mixed("phx_", 30),
    Shape::mixed("phs_", 30),
    Shape::word("pscale_tkn_", 20),
    Shape::word("pscale_pw_", 20),
    Shape::word("pscale_oauth_", 20),
    Shape::hex("sbp_", 32),
    Shape::mixed("sb_secret_", 20),
    Shape::mixed("napi_", 30),
    Shape::word("mdb_sa_sk_", 20),
    Shape::word("tskey-", 16),
    Shape::mixed("ory_", 24),
    Shape::mixed("PMAK-", 24),
    Shape::word("RGAPI-", 30),
    // Work and design.
    Shape::mixed("lin_api_", 24),
    Shape::mixed("lin_oauth_", 24),
    Shape::mixed("secret_", 32),
    Shape::mixed("ntn_", 30),
    Shape::word("figd_", 20),
    Shape::word("figu_", 20),
    Shape::mixed("tfp_", 30),
    Shape::word("pat-na1-", 30),
    Shape::word("pat-eu1-", 30),
    Shape::mixed("pk_", 30),
    Shape::word("CFPAT-", 30),
    Shape::word("fio-u-", 40),
    Shape::mixed("rdme_", 40),
    Shape::word("waka_", 30),
    Shape::mixed_parts("sl.", 60),
    // Models.
    Shape::mixed("sk-", 20),
    Shape::word("sk-ant-", 20),
    Shape::word("sk-proj-", 20),
    Shape::word("sk-svcacct-", 20),
    Shape::word("sk-admin-", 20),
    Shape::hex("sk-or-v1-", 32),
    Shape::mixed("sk_", 24),
    Shape::mixed("hf_", 24),
    Shape::mixed("api_org_", 24),
    Shape::mixed("r8_", 24),
    Shape::mixed("gsk_", 30),
    Shape::mixed("xai-", 30),
    Shape::mixed("pplx-", 30),
    Shape::mixed("lsv2_", 30),
    Shape::mixed("tvly-", 20),
    Shape::mixed("nvapi-", 30),
    Shape::mixed("pcsk_", 30),
    Shape::mixed("pa-", 40),
    Shape::mixed("fw_", 20),
    Shape::exact_hex("fc-", 32),
    Shape::mixed("csk-", 30),
    Shape::mixed("rpa_", 30),
    Shape::mixed("esecret_", 20),
    Shape::mixed("apify_api_", 24),
    Shape::mixed("tgp_v1_", 24),
    Shape::exact_hex("key_", 64),
    // Signed claims: header, payload and signature.
    Shape::dotted("eyJ", 20, 1),
];
