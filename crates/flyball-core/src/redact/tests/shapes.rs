//! An example of every shape. They are put together here, so that no scanner takes this file for a leak.

use serde_json::json;

use super::super::redact;
use super::super::shape::SHAPES;

/// How a token begins, and what follows: so many letters and digits (`a`), lower-case ones (`l`), hexadecimal digits
/// (`h`), capitals and digits (`c`), base64 (`b`), digits (`n`), or a literal text after `=`.
const EXAMPLES: &[(&str, &str)] = &[
    ("AKIA", "c16"),
    ("ASIA", "c16"),
    ("ABIA", "c16"),
    ("ACCA", "c16"),
    ("ABSK", "b108"),
    ("bedrock-api-key-", "b120"),
    ("amzn1.oa2-cs.v1.", "h64"),
    ("amzn.mws.", "h8 =- h4 =- h4 =- h4 =- h12"),
    ("AIza", "a35"),
    ("GOCSPX-", "a28"),
    ("ya29.", "=a0A a60 =_ a40"),
    ("LTAI", "a20"),
    ("dop_v1_", "h64"),
    ("doo_v1_", "h64"),
    ("dor_v1_", "h64"),
    ("HRKU-", "h8 =- h4 =- h4 =- h4 =- h12"),
    ("HRKU-", "=AA a58"),
    ("v1.0-", "h24 =- h146"),
    ("cfut_", "a40"),
    ("cfat_", "a40"),
    ("cfk_", "a40"),
    ("AVNS_", "a19"),
    ("rnd_", "a28"),
    ("y0_", "=AgAAAA a50"),
    ("fm1r_", "b60"),
    ("fm1a_", "b60"),
    ("fm2_", "b90"),
    ("fo1_", "a43"),
    ("nfp_", "a36"),
    ("nfc_", "a36"),
    ("nfo_", "a36"),
    ("nfu_", "a36"),
    ("nfb_", "a36"),
    ("vcp_", "a24"),
    ("vci_", "a24"),
    ("vca_", "a24"),
    ("vcr_", "a24"),
    ("vck_", "a24"),
    ("vercel_blob_rw_", "a16 =_ a30"),
    ("ghp_", "a36"),
    ("gho_", "a36"),
    ("ghu_", "a36"),
    ("ghs_", "a36"),
    ("ghr_", "a36"),
    ("github_pat_", "a22 =_ a59"),
    ("glpat-", "a20"),
    ("glpat-", "a27 =. =01. a9"),
    ("gldt-", "a20"),
    ("glrt-", "a20"),
    ("glrtr-", "a20"),
    ("glcbt-", "=1_ a20"),
    ("glptt-", "h40"),
    ("glft-", "a20"),
    ("glsoat-", "a20"),
    ("glagent-", "a50"),
    ("glimt-", "a25"),
    ("gloas-", "h64"),
    ("glffct-", "a20"),
    ("GR1348941", "a20"),
    ("ATATT3x", "a186"),
    ("ATCTT3x", "a186"),
    ("ATSTT3x", "a186"),
    ("ATBB", "a32"),
    ("npm_", "a36"),
    ("pypi-AgE", "=IcHlwaS5vcmc a70"),
    ("rubygems_", "h48"),
    ("cio", "a32"),
    ("oy2", "l43"),
    ("CLOJARS_", "h60"),
    ("dckr_pat_", "a27"),
    ("dckr_oat_", "a32"),
    ("SWMTKN-1-", "l50 =- l25"),
    ("AKCp", "a69"),
    ("cmVmdGtuO", "a54"),
    ("CCIPAT_", "a22 =_ h40"),
    ("CCIPRJ_", "a22 =_ h40"),
    ("bkua_", "h40"),
    ("bkct_", "a40"),
    ("sgp_", "h40"),
    ("squ_", "h40"),
    ("sqp_", "h40"),
    ("sqa_", "h40"),
    ("snyk_uat.", "h8 =. a40"),
    ("snyk_sat.", "h24"),
    ("pul-", "h40"),
    ("pnu_", "a36"),
    ("pnb_", "a36"),
    ("xoxb-", "n12 =- n13 =- a24"),
    ("xoxa-", "=2- n12 =- h32"),
    ("xoxp-", "n12 =- n12 =- n12 =- h32"),
    ("xoxr-", "n12 =- a24"),
    ("xoxs-", "n12 =- a24"),
    ("xoxo-", "n12 =- a24"),
    ("xoxe-", "=1- a146"),
    ("xoxe.", "=xoxp-1- a166"),
    ("xoxc-", "n12 =- h64"),
    ("xoxd-", "b100"),
    ("xapp-", "=1-A01 c8 =- n13 =- h64"),
    ("SG.", "a22 =. a43"),
    ("key-", "h32"),
    ("SK", "h32"),
    ("AC", "h32"),
    ("xkeysib-", "h64 =- a16"),
    ("xsmtpsib-", "h64 =- a16"),
    ("re_", "a8 =_ a24"),
    ("EAA", "a180"),
    ("EAA", "=CEdEose0cBA a100"),
    ("IGQ", "=VJ a150"),
    ("IGAA", "a150"),
    ("AQV", "a200"),
    ("AQX", "a200"),
    ("WPL_AP1.", "a16 =. a8"),
    ("sk_live_", "a24"),
    ("sk_test_", "a24"),
    ("sk_live_", "=51 a98"),
    ("rk_live_", "a24"),
    ("rk_test_", "a24"),
    ("whsec_", "b32"),
    ("shpat_", "h32"),
    ("shpss_", "h32"),
    ("shpca_", "h32"),
    ("shppa_", "h32"),
    ("shptka_", "h32"),
    ("sq0atp-", "a22"),
    ("sq0csp-", "a43"),
    ("sq0idp-", "a22"),
    ("EZAK", "a54"),
    ("EZTK", "a54"),
    ("FLWSECK", "=_TEST- h32 =-X"),
    ("pdl_live_apikey_", "a26 =_ a22 =_ a3"),
    ("pdl_sdbx_apikey_", "a26 =_ a22 =_ a3"),
    ("duffel_live_", "a43"),
    ("duffel_test_", "a43"),
    ("shippo_live_", "h40"),
    ("hvs.", "a90"),
    ("hvb.", "a140"),
    ("hvr.", "a90"),
    ("s.", "a24"),
    ("dp.pt.", "a43"),
    ("dp.st.", "=prd. a43"),
    ("dp.ct.", "a43"),
    ("dp.sa.", "a43"),
    ("dp.scim.", "a43"),
    ("dp.audit.", "a43"),
    ("ops_eyJ", "b300"),
    ("AGE-SECRET-KEY-1", "c58"),
    ("dapi", "h32"),
    ("dapi", "h32 =-2"),
    ("NRAK-", "c27"),
    ("NRII-", "a32"),
    ("NRJS-", "h19"),
    ("NRRA-", "h42"),
    ("glsa_", "a32 =_ h8"),
    ("glc_", "=eyJvIjoi b80"),
    ("eyJrIjoi", "b70"),
    ("sntrys_", "=eyJpYXQiOj b80 =_ a43"),
    ("sntryu_", "h64"),
    ("sntrya_", "h64"),
    ("sntryi_", "h64"),
    ("dt0c01.", "c24 =. c64"),
    ("dt0s16.", "c8 =. c64"),
    ("phx_", "a47"),
    ("phs_", "a47"),
    ("pscale_tkn_", "a43"),
    ("pscale_pw_", "a43"),
    ("pscale_oauth_", "a43"),
    ("sbp_", "h40"),
    ("sb_secret_", "a22 =_ a8"),
    ("napi_", "l64"),
    ("mdb_sa_sk_", "a40"),
    ("tskey-", "=auth-k a11 =CNTRL- a32"),
    ("ory_", "=at_ a43 =. a43"),
    ("PMAK-", "h24 =- h34"),
    ("RGAPI-", "h8 =- h4 =- h4 =- h4 =- h12"),
    ("lin_api_", "a40"),
    ("lin_oauth_", "h64"),
    ("secret_", "a43"),
    ("ntn_", "n11 a35"),
    ("figd_", "a40"),
    ("figu_", "a40"),
    ("tfp_", "a43 =_ a14"),
    ("pat-na1-", "h8 =- h4 =- h4 =- h4 =- h12"),
    ("pat-eu1-", "h8 =- h4 =- h4 =- h4 =- h12"),
    ("pk_", "n8 =_ c32"),
    ("CFPAT-", "a43"),
    ("fio-u-", "a64"),
    ("rdme_", "l70"),
    ("waka_", "h8 =- h4 =- h4 =- h4 =- h12"),
    ("sl.", "a135"),
    ("sl.", "=u. a135"),
    ("sk-", "a48"),
    ("sk-", "h32"),
    ("sk-ant-", "=api03- a93 =AA"),
    ("sk-proj-", "a74 =T3BlbkFJ a74"),
    ("sk-svcacct-", "a74"),
    ("sk-admin-", "a74"),
    ("sk-or-v1-", "h64"),
    ("sk_", "h48"),
    ("hf_", "a34"),
    ("api_org_", "a34"),
    ("r8_", "a37"),
    ("gsk_", "a52"),
    ("xai-", "a80"),
    ("pplx-", "a48"),
    ("lsv2_", "=pt_ h32 =_ h10"),
    ("tvly-", "a32"),
    ("tvly-", "=dev- a32"),
    ("nvapi-", "a64"),
    ("pcsk_", "a6 =_ a64"),
    ("pa-", "a43"),
    ("fw_", "a24"),
    ("fc-", "h32"),
    ("csk-", "l48"),
    ("rpa_", "a40"),
    ("esecret_", "a26"),
    ("apify_api_", "a36"),
    ("tgp_v1_", "a43"),
    ("key_", "h64"),
    ("eyJ", "=hbGciOiJIUzI1NiJ9. =eyJzdWIiOiIx a24 =. a43"),
];

/// Tokens that no prefix gives away but the way they are put together.
const FORMS: &[(&str, &str)] = &[
    ("Discord", "=M a23 =. a6 =. a27"),
    ("Discord", "=MT a24 =. =G a5 =. a38"),
    ("Telegram", "n10 =:AA a33"),
    ("Airtable", "=pat a14 =. h64"),
    ("Terraform", "a14 =.atlasv1. a67"),
    ("Mailchimp", "h32 =-us12"),
    ("Azure", "a3 =8Q~ a34"),
    ("Twitter", "=AAAAAAAAAAAAAAAAAAAAA a25 =%2B a25 =%3D a50"),
    ("Google refresh", "=1//0 a60"),
    ("Google code", "=4/0A a70"),
    ("a prefix of its own", "=acme_live_ a32"),
    ("a prefix of its own", "=internal-token- a32"),
];

/// The token of such a description; the same each time.
pub(super) fn token(description: &str) -> String {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |alphabet: &str| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = usize::try_from(state >> 33).unwrap() % alphabet.len();
        char::from(alphabet.as_bytes()[at])
    };
    let mut text = String::new();
    for part in description.split(' ') {
        if let Some(literal) = part.strip_prefix('=') {
            text.push_str(literal);
            continue;
        }
        let (kind, count) = part.split_at(1);
        let alphabet = match kind {
            "a" => "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
            "l" => "abcdefghijklmnopqrstuvwxyz0123456789",
            "c" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
            "h" => "0123456789abcdef",
            "n" => "123456789",
            _ => "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/",
        };
        text.extend((0..count.parse::<usize>().unwrap()).map(|_| next(alphabet)));
    }
    text
}

/// Every token of both tables, with its name.
pub(super) fn tokens() -> impl Iterator<Item = (&'static str, String)> {
    let shaped = EXAMPLES.iter().map(|(prefix, rest)| (*prefix, format!("{prefix}{}", token(rest))));
    shaped.chain(FORMS.iter().map(|(name, parts)| (*name, token(parts))))
}

#[test]
fn every_shape_has_an_example() {
    for shape in SHAPES {
        assert!(EXAMPLES.iter().any(|(prefix, _)| *prefix == shape.prefix), "{}", shape.prefix);
    }
}

/// Where tokens are found: in a line, in quotes, in an address, after colours, in JSON and in JSON in JSON.
#[test]
fn every_token_is_struck_out_wherever_it_is() {
    let mut failures = Vec::new();
    for (name, token) in tokens() {
        let line = format!("first {token} last");
        let places = [
            line.clone(),
            token.clone(),
            format!("'{token}'"),
            format!("({token})."),
            format!("x={token};"),
            format!("a\n{token}\nb"),
            format!("\u{1b}[31m{token}\u{1b}[0m"),
            format!("curl https://api.example.com/?x={token}&y=1"),
            json!({ "tool_input": { "command": line } }).to_string(),
            json!({ "content": format!("a\n{token}\nb") }).to_string(),
            json!({ "content": format!("\u{1b}[1;31m{token}\u{1b}[0m") }).to_string(),
            json!({ "a": json!({ "b": [token.clone()] }).to_string() }).to_string(),
        ];
        for text in places {
            let clean = redact(&text);
            // Not just the first part of it.
            let tail = &token[token.len() - 8..];
            let is_json = !text.starts_with('{') || serde_json::from_str::<serde_json::Value>(&clean).is_ok();
            if clean.contains(&token) || clean.contains(tail) || redact(&clean) != clean || !is_json {
                failures.push(format!("{name}: {text} became {clean}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
