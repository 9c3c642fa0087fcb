//! Devices that used an invitation and wait for the person's decision. Each request has a number of
//! two digits, which the device and the question show, so that the person admits the device in
//! their hand.

use std::net::IpAddr;

use ask_config::clock;
use ask_core::Time;
use ask_core::devices::{self, Permission};
use ask_core::secret::{hash, hex, same};

use super::device_name;
use crate::sessions::Through;

/// How long the person may take.
const LIFE_MS: u64 = 3 * 60 * 1_000;

/// How many bytes of a secret identify the hub that made it.
const MARK: usize = 6;

/// A device's request.
struct Request {
    id: String,
    /// The hash of the secret with which the device polls.
    hash: String,
    name: String,
    address: IpAddr,
    through: Through,
    number: String,
    may: Permission,
    since: Time,
    until: Time,
    verdict: Option<Decision>,
}

/// The person's decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decision {
    Allowed,
    Refused,
}

/// The status of a request, for its device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestStatus {
    /// The person hasn't decided.
    Waiting,
    /// The person refused.
    Refused,
    /// There is no such request, or none any more.
    Over,
    /// The previous hub had the request, in memory only.
    Anew,
    /// The person admitted the device. This is returned once.
    Allowed {
        /// The device's name.
        name: String,
        /// Its permission.
        may: Permission,
        /// How it connects.
        through: Through,
    },
}

/// What is known of a requesting device.
pub(super) struct Asks<'a> {
    /// The name that it gives itself.
    pub name: &'a str,
    /// Its address.
    pub address: IpAddr,
    /// How it connects.
    pub through: Through,
    /// The permission of its invitation.
    pub may: Permission,
    /// When pairing ends.
    pub until: Option<Time>,
}

/// All requests.
pub(super) struct Requests {
    all: Vec<Request>,
    /// The beginning of this hub's secrets.
    mark: String,
}

impl Default for Requests {
    fn default() -> Self {
        let all = Vec::new();
        let mark = hex(&clock::random()[..MARK]);
        Self { all, mark }
    }
}

/// What a device gets for its request.
#[derive(Debug)]
pub struct Made {
    /// The secret for polling.
    pub secret: String,
    /// The number to show.
    pub number: String,
    /// Until when the person may decide.
    pub until: Time,
}

impl Requests {
    /// Adds a request.
    pub(super) fn add(&mut self, asks: &Asks<'_>, now: Time) -> Made {
        let secret = format!("{}{}", self.mark, hex(&clock::random()));
        let until = now.plus_ms(LIFE_MS);
        let request = Request {
            id: hex(&clock::random()[..6]),
            hash: hash(&secret),
            name: device_name::clean_name(asks.name),
            address: asks.address,
            through: asks.through,
            number: self.number(),
            may: asks.may,
            since: now,
            until: asks.until.map_or(until, |open| open.min(until)),
            verdict: None,
        };
        let made = Made {
            secret,
            number: request.number.clone(),
            until: request.until,
        };
        self.all.push(request);
        made
    }

    /// A number of two digits that no other request has.
    fn number(&self) -> String {
        let first = usize::from(clock::random()[0]) % 90;
        let mut numbers = (0..90).map(|step| (10 + (first + step) % 90).to_string());
        let taken = |number: &String| self.all.iter().any(|one| one.number == *number);
        numbers.find(|number| !taken(number)).unwrap_or_default()
    }

    /// Records a decision. Returns false if no such request waits.
    pub(super) fn decide(
        &mut self,
        id: &str,
        allow: bool,
        may: Option<Permission>,
        now: Time,
    ) -> bool {
        let mut waiting = self.all.iter_mut().filter(|one| one.waits(now));
        let Some(request) = waiting.find(|one| one.id == id) else {
            return false;
        };
        request.may = may.unwrap_or(request.may);
        request.verdict = Some(match allow {
            true => Decision::Allowed,
            false => Decision::Refused,
        });
        true
    }

    /// The status of the request with this secret, for a device that connects this way.
    pub(super) fn stands(&mut self, secret: &str, through: Through, now: Time) -> RequestStatus {
        let shown = hash(secret);
        let known =
            |one: &Request| same(&shown, &one.hash) && one.through == through && one.until > now;
        let Some(at) = self.all.iter().position(known) else {
            let is_ours = secret.starts_with(&self.mark);
            let is_one =
                secret.len() > 4 * MARK && secret.bytes().all(|byte| byte.is_ascii_hexdigit());
            return match is_one && !is_ours {
                true => RequestStatus::Anew,
                false => RequestStatus::Over,
            };
        };
        match self.all[at].verdict {
            None => RequestStatus::Waiting,
            Some(Decision::Refused) => RequestStatus::Refused,
            Some(Decision::Allowed) => {
                let request = self.all.remove(at);
                RequestStatus::Allowed {
                    name: request.name,
                    may: request.may,
                    through,
                }
            }
        }
    }

    /// Removes expired requests. Returns whether there were any.
    pub(super) fn sweep(&mut self, now: Time) -> bool {
        let before = self.all.len();
        self.all.retain(|one| one.until > now);
        self.all.len() < before
    }

    /// Removes all requests.
    pub(super) fn clear(&mut self) {
        self.all.clear();
    }

    /// When the next request expires.
    pub(super) fn next_end(&self) -> Option<Time> {
        self.all.iter().map(|one| one.until).min()
    }

    /// The requests that wait for a decision.
    pub(super) fn shown(&self, now: Time) -> Vec<devices::Request> {
        let waiting = self.all.iter().filter(|one| one.waits(now));
        waiting.map(Request::shown).collect()
    }
}

impl Request {
    fn waits(&self, now: Time) -> bool {
        self.verdict.is_none() && self.until > now
    }

    fn shown(&self) -> devices::Request {
        devices::Request {
            id: self.id.clone(),
            name: self.name.clone(),
            address: self.address.to_string(),
            number: self.number.clone(),
            may: self.may,
            since: self.since,
            until: self.until,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::net::Ipv4Addr;

    use super::*;

    const NOW: Time = Time(1_000_000);

    fn asks(name: &str) -> Asks<'_> {
        Asks {
            name,
            address: Ipv4Addr::new(192, 168, 1, 23).into(),
            through: Through::Lan,
            may: Permission::Answer,
            until: None,
        }
    }

    #[test]
    fn yes_is_told_once_and_to_its_device_alone() {
        let mut requests = Requests::default();
        let made = requests.add(&asks("iPhone\u{202E}, Safari"), NOW);
        let other = requests.add(&asks(""), NOW);
        let shown = requests.shown(NOW);
        assert_eq!(shown[0].number, made.number);
        assert_eq!(shown[1].name, device_name::NAMELESS);
        assert!(!shown[0].name.contains('\u{202E}'), "{}", shown[0].name);
        assert!(requests.decide(&shown[0].id, true, Some(Permission::See), NOW));
        assert!(
            !requests.decide(&shown[0].id, true, None, NOW),
            "it is said"
        );
        let tunnel = requests.stands(&made.secret, Through::Tunnel, NOW);
        assert_eq!(tunnel, RequestStatus::Over, "it came another way");
        let told = requests.stands(&made.secret, Through::Lan, NOW);
        assert!(
            matches!(
                told,
                RequestStatus::Allowed {
                    may: Permission::See,
                    ..
                }
            ),
            "{told:?}"
        );
        assert_eq!(
            requests.stands(&made.secret, Through::Lan, NOW),
            RequestStatus::Over
        );
        let waits = requests.stands(&other.secret, Through::Lan, NOW);
        assert_eq!(waits, RequestStatus::Waiting);
        assert!(requests.decide(&shown[1].id, false, None, NOW));
        let refused = requests.stands(&other.secret, Through::Lan, NOW);
        assert_eq!(refused, RequestStatus::Refused);
        assert_eq!(requests.stands("", Through::Lan, NOW), RequestStatus::Over);
        let next = Requests::default().stands(&other.secret, Through::Lan, NOW);
        assert_eq!(next, RequestStatus::Anew, "another hub knows nothing of it");
    }

    #[test]
    fn a_request_ends_with_its_time() {
        let mut requests = Requests::default();
        let made = requests.add(&asks("iPad"), NOW);
        let id = requests.shown(NOW)[0].id.clone();
        let over = NOW.plus_ms(LIFE_MS);
        assert_eq!(requests.next_end(), Some(over));
        assert!(!requests.decide(&id, true, None, over));
        assert!(requests.shown(over).is_empty());
        assert_eq!(
            requests.stands(&made.secret, Through::Lan, over),
            RequestStatus::Over
        );
        assert!(requests.sweep(over) && !requests.sweep(over));
    }

    #[test]
    fn numbers_have_two_digits_and_differ() {
        let mut requests = Requests::default();
        let numbers = (0..90).map(|_| requests.add(&asks("x"), NOW).number);
        let numbers: HashSet<String> = numbers.collect();
        assert_eq!(numbers.len(), 90);
        assert!(numbers.iter().all(|number| number.len() == 2));
    }
}
