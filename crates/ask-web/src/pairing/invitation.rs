//! An invitation: what lets one device ask to be let in, once and soon. It is known by a secret of
//! 128 bits, which a QR code carries, and by six digits for typing. It lives in memory alone.

use ask_config::clock;
use ask_core::Time;
use ask_core::devices::{self, Permission};
use ask_core::secret::{hash, hex, same};

/// How long it lets in.
pub const LIFE_MS: u64 = 3 * 60 * 1_000;

/// After so many wrong codes there is another.
const WRONG: u32 = 5;

/// So many codes one invitation has; then only its link is left. Whoever guesses has a chance of one
/// in fifty thousand, and then the person's yes is still needed.
const CODES: u32 = 4;

/// What a device shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The secret of the link.
    Secret(String),
    /// The six digits.
    Code(String),
}

/// What came of showing something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tried {
    /// It lets in: the invitation is used up.
    Good,
    /// It does not.
    Wrong,
    /// It is not the code, and so many tries are left for that.
    Missed(u32),
    /// That was the last try for the code: there is another one now, or only the link is left.
    Ended {
        /// Whether there is another.
        another: bool,
    },
}

/// One invitation.
pub struct Invitation {
    secret: String,
    code: Option<String>,
    wrong: u32,
    codes: u32,
    /// Until when.
    pub until: Time,
    /// What the device may that comes by it.
    pub may: Permission,
}

impl Invitation {
    /// Makes one.
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

    /// The same, but not for longer than devices may come.
    pub fn while_open(mut self, until: Option<Time>) -> Self {
        self.until = until.map_or(self.until, |until| self.until.min(until));
        self
    }

    /// Whether it lets this in. Whatever is shown is compared as a hash, in a time that tells
    /// nothing.
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

    /// As the person's own surfaces show it.
    pub fn shown(&self, base: &str) -> devices::Invitation {
        devices::Invitation {
            url: format!("{base}/pair#{}", self.secret),
            code: self.code.clone(),
            until: self.until,
        }
    }
}

/// Six digits.
fn code() -> String {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&clock::random()[..8]);
    format!("{:06}", u64::from_le_bytes(bytes) % 1_000_000)
}

/// A code as a person types it: with a gap, or a dash.
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
