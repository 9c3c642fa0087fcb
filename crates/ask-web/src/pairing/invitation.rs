//! An invitation: it lets one device request admission, once and within a short time. A QR code
//! carries its secret of 128 bits; six digits can be typed instead. It is only in memory.

use ask_config::clock;
use ask_core::Time;
use ask_core::devices::{self, Permission};
use ask_core::secret::{hash, hex, same};

/// How long an invitation is valid.
pub const LIFE_MS: u64 = 3 * 60 * 1_000;

/// After this many wrong codes, a new code is made.
const WRONG: u32 = 5;

/// How many codes one invitation has; afterwards only its link is valid. Guessing succeeds with a
/// probability of 1 in 50,000, and the person still has to admit the device.
const CODES: u32 = 4;

/// What a device presents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The secret of the link.
    Secret(String),
    /// The six digits.
    Code(String),
}

/// The result of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tried {
    /// The invitation is valid, and now used up.
    Good,
    /// The invitation is invalid.
    Wrong,
    /// The code is wrong; the number is the attempts left for it.
    Missed(u32),
    /// The code is wrong, and that was its last attempt.
    Ended {
        /// Whether a new code was made.
        another: bool,
    },
}

/// One invitation.
pub struct Invitation {
    secret: String,
    code: Option<String>,
    wrong: u32,
    codes: u32,
    /// Its end.
    pub until: Time,
    /// The permission of a device that uses it.
    pub may: Permission,
}

impl Invitation {
    /// A new invitation.
    pub fn new(may: Permission, now: Time) -> Self {
        Self {
            secret: hex(&clock::random()),
            code: Some(code()),
            wrong: 0,
            codes: 1,
            until: now.plus_ms(LIFE_MS),
            may,
        }
    }

    /// Limits its end to that of pairing.
    pub fn while_open(mut self, until: Option<Time>) -> Self {
        self.until = until.map_or(self.until, |until| self.until.min(until));
        self
    }

    /// Checks what a device presents. The comparison of hashes takes constant time.
    pub fn takes(&mut self, shown: &Shown, now: Time) -> Tried {
        if self.until <= now {
            return Tried::Wrong;
        }
        let is = |shown: &str, known: &str| same(&hash(shown), &hash(known));
        match shown {
            Shown::Secret(secret) if is(secret, &self.secret) => Tried::Good,
            Shown::Secret(_) => Tried::Wrong,
            Shown::Code(shown) => match &self.code {
                Some(code) if is(&digits(shown), code) => Tried::Good,
                Some(_) => self.miss(),
                None => Tried::Ended { another: false },
            },
        }
    }

    fn miss(&mut self) -> Tried {
        self.wrong += 1;
        if self.wrong < WRONG {
            return Tried::Missed(WRONG - self.wrong);
        }
        self.wrong = 0;
        self.codes += 1;
        self.code = (self.codes <= CODES).then(code);
        Tried::Ended {
            another: self.code.is_some(),
        }
    }

    /// The invitation as the person's own surfaces show it.
    pub fn shown(&self, base: &str) -> devices::Invitation {
        devices::Invitation {
            url: format!("{base}/pair#{}", self.secret),
            code: self.code.clone(),
            until: self.until,
        }
    }
}

/// A random code of six digits.
fn code() -> String {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&clock::random()[..8]);
    format!("{:06}", u64::from_le_bytes(bytes) % 1_000_000)
}

/// Normalizes a typed code, which may contain a gap or a dash.
fn digits(text: &str) -> String {
    let mut digits = text.to_owned();
    digits.retain(|char| !char.is_whitespace() && char != '-');
    digits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const NOW: Time = Time(1_000_000);

    fn known(invitation: &Invitation) -> (Shown, Shown) {
        let shown = invitation.shown("http://192.168.1.7:4127");
        let secret = shown.url.split_once('#').unwrap().1.to_owned();
        (Shown::Secret(secret), Shown::Code(shown.code.unwrap()))
    }

    #[test]
    fn its_secret_and_its_code_let_in_while_it_lasts() {
        for by_secret in [true, false] {
            let mut invitation = Invitation::new(Permission::Answer, NOW);
            let (secret, code) = known(&invitation);
            let shown = if by_secret { secret } else { code };
            let last = NOW.plus_ms(LIFE_MS - 1);
            assert_eq!(invitation.takes(&shown, last), Tried::Good);
            let over = NOW.plus_ms(LIFE_MS);
            assert_eq!(invitation.takes(&shown, over), Tried::Wrong, "{shown:?}");
        }
    }

    #[test]
    fn five_wrong_codes_make_another_and_after_four_there_is_none() {
        let mut invitation = Invitation::new(Permission::Answer, NOW);
        let (secret, _) = known(&invitation);
        for codes in 1..=CODES {
            let code = invitation.code.clone().unwrap();
            let wrong = if code == "000000" { "000001" } else { "000000" };
            let wrong = Shown::Code(wrong.to_owned());
            for tries in 1..WRONG {
                let left = WRONG - tries;
                assert_eq!(invitation.takes(&wrong, NOW), Tried::Missed(left));
            }
            let another = codes < CODES;
            assert_eq!(invitation.takes(&wrong, NOW), Tried::Ended { another });
            let old = Shown::Code(code.clone());
            assert_ne!(invitation.takes(&old, NOW), Tried::Good, "it ended");
            invitation.wrong = 0;
        }
        assert_eq!(invitation.code, None);
        assert_eq!(
            invitation.takes(&secret, NOW),
            Tried::Good,
            "the link is left"
        );
    }

    #[test]
    fn a_code_may_be_typed_with_gaps() {
        let mut invitation = Invitation::new(Permission::Answer, NOW);
        let code = invitation.code.clone().unwrap();
        let (first, last) = code.split_at(3);
        for typed in [format!("{first} {last}"), format!(" {first}-{last}\n")] {
            assert_eq!(invitation.takes(&Shown::Code(typed), NOW), Tried::Good);
        }
    }

    proptest! {
        #[test]
        fn nothing_else_lets_in(text in ".{0,40}") {
            let mut invitation = Invitation::new(Permission::Answer, NOW);
            let (secret, code) = known(&invitation);
            for shown in [Shown::Secret(text.clone()), Shown::Code(text.clone())] {
                prop_assume!(shown != secret && shown != code);
                prop_assert_ne!(invitation.takes(&shown, NOW), Tried::Good);
            }
        }
    }
}
