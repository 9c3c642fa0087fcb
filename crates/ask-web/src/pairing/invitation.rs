//! An invitation: it lets one device request admission, once and within a short time. A QR code
//! carries its secret of 128 bits; six digits can be typed instead. It is only in memory.

use ask_config::clock;
use ask_core::Time;
use ask_core::devices::{self, Permission};
use ask_core::secret::{hash, hex, same};

/// How long an invitation is valid.
pub const LIFE_MS: u64 = 3 * 60 * 1_000;

/// After this many wrong codes, a new code is made.
const MAX_WRONG: u32 = 5;

/// How many codes one invitation has; afterwards only its link is valid. Guessing succeeds with a
/// probability of 1 in 50,000, and the person still has to admit the device.
const MAX_CODES: u32 = 4;

/// What a device presents to use an invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credential {
    /// The secret of the link.
    Secret(String),
    /// The typed digits, possibly with gaps.
    Code(String),
}

/// The result of presenting a credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redemption {
    /// The invitation is valid, and now used up.
    Valid,
    /// The invitation is invalid.
    Invalid,
    /// The code is wrong; the number is the attempts left for it.
    WrongCode(u32),
    /// The code is wrong, and that was its last attempt.
    CodeEnded {
        /// Whether a new code was made.
        is_replaced: bool,
    },
}

/// An invitation for one device.
pub struct Invitation {
    secret: String,
    code: Option<String>,
    wrong_codes: u32,
    codes: u32,
    /// When it stops being valid.
    pub until: Time,
    /// The permission of a device that uses it.
    pub may: Permission,
}

impl Invitation {
    /// Creates an invitation with a random secret and code.
    pub fn new(may: Permission, now: Time) -> Self {
        Self {
            secret: hex(&clock::random()),
            code: Some(random_code()),
            wrong_codes: 0,
            codes: 1,
            until: now.plus_ms(LIFE_MS),
            may,
        }
    }

    /// Ends it no later than pairing.
    pub fn limit_until(mut self, until: Option<Time>) -> Self {
        self.until = until.map_or(self.until, |until| self.until.min(until));
        self
    }

    /// Checks what a device presents, and counts wrong codes. The comparison of hashes takes constant
    /// time.
    pub fn redeem(&mut self, credential: &Credential, now: Time) -> Redemption {
        if self.until <= now {
            return Redemption::Invalid;
        }
        let matches = |presented: &str, known: &str| same(&hash(presented), &hash(known));
        match credential {
            Credential::Secret(secret) if matches(secret, &self.secret) => Redemption::Valid,
            Credential::Secret(_) => Redemption::Invalid,
            Credential::Code(typed) => match &self.code {
                Some(code) if matches(&normalize(typed), code) => Redemption::Valid,
                Some(_) => self.count_wrong_code(),
                None => Redemption::CodeEnded { is_replaced: false },
            },
        }
    }

    fn count_wrong_code(&mut self) -> Redemption {
        self.wrong_codes += 1;
        if self.wrong_codes < MAX_WRONG {
            return Redemption::WrongCode(MAX_WRONG - self.wrong_codes);
        }
        self.wrong_codes = 0;
        self.codes += 1;
        self.code = (self.codes <= MAX_CODES).then(random_code);
        Redemption::CodeEnded {
            is_replaced: self.code.is_some(),
        }
    }

    /// The invitation as the person's own surfaces show it.
    pub fn describe(&self, base: &str) -> devices::Invitation {
        devices::Invitation {
            url: format!("{base}/pair#{}", self.secret),
            code: self.code.clone(),
            until: self.until,
        }
    }
}

/// A random code of six digits.
fn random_code() -> String {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&clock::random()[..8]);
    format!("{:06}", u64::from_le_bytes(bytes) % 1_000_000)
}

/// Normalizes a typed code, which may contain a gap or a dash.
fn normalize(text: &str) -> String {
    let mut digits = text.to_owned();
    digits.retain(|char| !char.is_whitespace() && char != '-');
    digits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: Time = Time(1_000_000);

    fn known(invitation: &Invitation) -> (Credential, Credential) {
        let described = invitation.describe("http://192.168.1.7:4127");
        let secret = described.url.split_once('#').unwrap().1.to_owned();
        (
            Credential::Secret(secret),
            Credential::Code(described.code.unwrap()),
        )
    }

    #[test]
    fn the_secret_and_the_code_are_valid_until_the_end() {
        for by_secret in [true, false] {
            let mut invitation = Invitation::new(Permission::Answer, NOW);
            let (secret, code) = known(&invitation);
            let credential = if by_secret { secret } else { code };
            let last = NOW.plus_ms(LIFE_MS - 1);
            assert_eq!(invitation.redeem(&credential, last), Redemption::Valid);
            let end = NOW.plus_ms(LIFE_MS);
            assert_eq!(
                invitation.redeem(&credential, end),
                Redemption::Invalid,
                "{credential:?}"
            );
        }
    }

    #[test]
    fn a_code_ends_after_five_wrong_ones_and_the_fourth_is_the_last() {
        let mut invitation = Invitation::new(Permission::Answer, NOW);
        let (secret, _) = known(&invitation);
        for codes in 1..=MAX_CODES {
            let code = invitation.code.clone().unwrap();
            let wrong = if code == "000000" { "000001" } else { "000000" };
            let wrong = Credential::Code(wrong.to_owned());
            for tries in 1..MAX_WRONG {
                let left = MAX_WRONG - tries;
                assert_eq!(invitation.redeem(&wrong, NOW), Redemption::WrongCode(left));
            }
            let is_replaced = codes < MAX_CODES;
            assert_eq!(
                invitation.redeem(&wrong, NOW),
                Redemption::CodeEnded { is_replaced }
            );
            let old = Credential::Code(code.clone());
            assert_ne!(
                invitation.redeem(&old, NOW),
                Redemption::Valid,
                "the code ended"
            );
            invitation.wrong_codes = 0;
        }
        assert_eq!(invitation.code, None);
        assert_eq!(
            invitation.redeem(&secret, NOW),
            Redemption::Valid,
            "the link is still valid"
        );
    }

    #[test]
    fn a_code_may_be_typed_with_gaps() {
        let mut invitation = Invitation::new(Permission::Answer, NOW);
        let code = invitation.code.clone().unwrap();
        let (first, last) = code.split_at(3);
        for typed in [format!("{first} {last}"), format!(" {first}-{last}\n")] {
            assert_eq!(
                invitation.redeem(&Credential::Code(typed), NOW),
                Redemption::Valid
            );
        }
    }

    proptest! {
        #[test]
        fn any_other_credential_is_refused(text in ".{0,40}") {
            let mut invitation = Invitation::new(Permission::Answer, NOW);
            let (secret, code) = known(&invitation);
            for credential in [Credential::Secret(text.clone()), Credential::Code(text.clone())] {
                prop_assume!(credential != secret && credential != code);
                prop_assert_ne!(invitation.redeem(&credential, NOW), Redemption::Valid);
            }
        }
    }
}
