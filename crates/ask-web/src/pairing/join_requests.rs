//! Devices that used an invitation and wait for the person's yes. Each is asked about with a number
//! of two digits that it shows, too: so yes is said to the device in the person's hand.

use std::net::IpAddr;

use ask_config::clock;
use ask_core::Time;
use ask_core::devices::{self, Permission};
use ask_core::secret::{hash, hex, same};

use super::device_name;
use crate::sessions::Through;

/// How long the person may take.
const LIFE_MS: u64 = 3 * 60 * 1_000;

/// How many bytes tell the secrets of one hub from those of another.
const MARK: usize = 6;

/// A device that wants to be let in.
struct Request {
    id: String,
    /// Of the secret that the device asks after it with.
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

/// What the person said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decision {
    Allowed,
    Refused,
}

/// How a request stands for its device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestStatus {
    /// The person has said nothing yet.
    Waiting,
    /// The person said no.
    Refused,
    /// There is none, or none any more.
    Over,
    /// It was asked of the hub before this one, which kept it in memory alone.
    Anew,
    /// The person said yes: this is told once.
    Allowed {
        /// What the device is called.
        name: String,
        /// What it may.
        may: Permission,
        /// Where it comes in.
        through: Through,
    },
}

/// What is known of a device that asks.
pub struct Asks<'a> {
    /// What it calls itself.
    pub name: &'a str,
    /// Where it comes from.
    pub address: IpAddr,
    /// Where it comes in.
    pub through: Through,
    /// What its invitation was made for.
    pub may: Permission,
    /// Until when devices may come.
    pub until: Option<Time>,
}

/// All of them.
pub struct Requests {
    all: Vec<Request>,
    /// What secrets of this hub begin with.
    mark: String,
}

impl Default for Requests {
    fn default() -> Self {
        let all = Vec::new();
        let mark = hex(&clock::random()[..MARK]);
        Self { all, mark }
    }
}

/// What a device is told of its request.
#[derive(Debug)]
pub struct Made {
    /// What it asks after it with.
    pub secret: String,
    /// What it shows.
    pub number: String,
    /// Until when the person may say yes.
    pub until: Time,
}

impl Requests {
    /// Takes one in.
    pub fn add(&mut self, asks: &Asks<'_>, now: Time) -> Made {
        let secret = format!("{}{}", self.mark, hex(&clock::random()));
        let until = now.plus_ms(LIFE_MS);
        let request = Request {
            id: hex(&clock::random()[..6]),
            hash: hash(&secret),
            name: device_name::of(asks.name),
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

    /// Two digits that no other request has.
    fn number(&self) -> String {
        let first = usize::from(clock::random()[0]) % 90;
        let mut numbers = (0..90).map(|step| (10 + (first + step) % 90).to_string());
        let taken = |number: &String| self.all.iter().any(|one| one.number == *number);
        numbers.find(|number| !taken(number)).unwrap_or_default()
    }

    /// Says yes or no. Whether there was something to say it to.
    pub fn decide(&mut self, id: &str, allow: bool, may: Option<Permission>, now: Time) -> bool {
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

    /// How the request with this secret stands, for a device on that way.
    pub fn stands(&mut self, secret: &str, through: Through, now: Time) -> RequestStatus {
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

    /// Forgets those whose time is over; whether there were some.
    pub fn sweep(&mut self, now: Time) -> bool {
        let before = self.all.len();
        self.all.retain(|one| one.until > now);
        self.all.len() < before
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.all.clear();
    }

    /// When the next one's time is over.
    pub fn next_end(&self) -> Option<Time> {
        self.all.iter().map(|one| one.until).min()
    }

    /// Those that the person has to say something to.
    pub fn shown(&self, now: Time) -> Vec<devices::Request> {
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
