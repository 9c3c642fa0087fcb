//! Pairing: any text either becomes a QR code or is too long for one, the name can't be mistaken for other
//! text, and an invitation accepts only its own secret and code.

use ask_config::text;
use ask_core::devices::Permission;
use ask_core::{SafeText, Time};
use ask_web::device_name as name;
use ask_web::invitation::{Credential, Invitation, LIFE_MS, Redemption};
use ask_web::qr::Qr;

/// Fragments of device names, codes and links.
pub const PIECES: &[&str] = &[
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)",
    "Firefox/140.0",
    "\"",
    "''",
    "\u{201c}",
    "\u{ff02}",
    "[y/N] y",
    " ",
    "-",
    "\u{a0}",
    "٣",
    "0",
    "http://192.168.1.7:4127/pair#",
];

/// The most bytes that surely fit into a QR code of this kind.
const MAX_IN_QR: usize = 2_000;

/// No link is longer.
const MAX_LINK: usize = 200;

const NOW: Time = Time(1_000_000);

/// Uses the input as a link, as a name, and as the secret or code that a device presents.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    assert_qr(&text);
    assert_is_name(&name::clean_name(&text));
    assert_is_name(&name::from_user_agent(&text));
    assert_eq!(
        name::clean_name(&name::clean_name(&text)),
        name::clean_name(&text)
    );
    assert_only_its_own_proof(&text);
    assert_changed_proof_fails(bytes);
}

fn assert_qr(text: &str) {
    // Lengths in between take long to encode, and test nothing more.
    if (MAX_LINK + 1..MAX_IN_QR - 50).contains(&text.len()) {
        return;
    }
    let Some(qr) = Qr::encode(text) else {
        assert!(text.len() > MAX_IN_QR, "{} bytes fit", text.len());
        return;
    };
    let lines = qr.lines();
    assert_eq!(lines.len(), qr.size.div_ceil(2));
    let path = qr.path();
    let dark: usize = path
        .split('h')
        .skip(1)
        .filter_map(|run| run.split_once('v')?.0.parse::<usize>().ok())
        .sum();
    let blocks = lines.iter().flat_map(|line| line.chars());
    let painted: usize = blocks
        .map(|block| match block {
            '█' => 2,
            '▀' | '▄' => 1,
            _ => 0,
        })
        .sum();
    assert_eq!(dark, painted, "page and terminal show the same code");
}

fn assert_is_name(name: &str) {
    assert_eq!(SafeText::line(name).as_str(), name);
    assert!(!name.trim().is_empty() && text::width(name) <= 40);
    let quotes = ['"', '`', '\u{201c}', '\u{201d}', '\u{201e}', '\u{ff02}'];
    assert!(!name.contains(quotes) && !name.contains("''"), "{name:?}");
}

/// An invitation accepts only its own secret and code, and only until it expires.
fn assert_only_its_own_proof(text: &str) {
    let mut invitation = Invitation::new(Permission::Answer, NOW);
    let known = invitation.describe("http://192.168.1.7:4127");
    let (_, secret) = known.url.split_once('#').expect("a link");
    let code = known.code.expect("the invitation is new");
    let typed = text.replace(|letter: char| letter.is_whitespace() || letter == '-', "");
    let by_secret = invitation.redeem(&Credential::Secret(text.to_owned()), NOW);
    assert_eq!(by_secret == Redemption::Valid, text == secret);
    let by_code = invitation.redeem(&Credential::Code(text.to_owned()), NOW);
    assert_eq!(by_code == Redemption::Valid, typed == code);
    let over = NOW.plus_ms(LIFE_MS);
    let late = Credential::Secret(secret.to_owned());
    assert_eq!(invitation.redeem(&late, over), Redemption::Invalid);
}

/// Replaces one letter of the secret and of the code: the first byte selects its position, the second is the new
/// letter.
fn assert_changed_proof_fails(bytes: &[u8]) {
    let [at, letter, ..] = bytes else { return };
    let letter = char::from(*letter);
    let mut invitation = Invitation::new(Permission::See, NOW).limit_until(None);
    let known = invitation.describe("");
    let (_, secret) = known.url.split_once('#').expect("a link");
    let code = known.code.expect("the invitation is new");
    let replace = |text: &str| -> String {
        let at = usize::from(*at) % text.len();
        let letters = text.chars().enumerate();
        letters
            .map(|(index, original)| if index == at { letter } else { original })
            .collect()
    };
    let (other, typed) = (replace(secret), replace(&code));
    let is_own = other == secret;
    let tried = invitation.redeem(&Credential::Secret(other), NOW);
    assert_eq!(tried == Redemption::Valid, is_own);
    let is_own = typed == code;
    let tried = invitation.redeem(&Credential::Code(typed), NOW);
    assert_eq!(tried == Redemption::Valid, is_own);
    assert_eq!(invitation.may, Permission::See);
}
