//! Devices that used an invitation and wait for the person's decision. Each request has a number of
//! two digits. The device and the question show it, so that the person admits the device in their
//! hand.

use std::net::IpAddr;

use ask_config::clock;
use ask_core::Time;
use ask_core::devices::{self, Permission};
use ask_core::secret::{hash, hex, same};

use super::device_name;
use crate::sessions::Transport;

/// How long the person has to decide.
const LIFETIME_MS: u64 = 3 * 60 * 1_000;

/// How many bytes of a secret identify the hub that made it.
const PREFIX_BYTES: usize = 6;

struct JoinRequest {
    id: String,
    /// The hash of the secret with which the device polls.
    hash: String,
    name: String,
    address: IpAddr,
    transport: Transport,
    number: String,
    may: Permission,
    since: Time,
    until: Time,
    decision: Option<Decision>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decision {
    Allowed,
    Refused,
}

/// The status of a request, for its device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RequestStatus {
    /// The person hasn't decided.
    Waiting,
    /// The person refused the device.
    Refused,
    /// The request doesn't exist, has expired or was used up.
    Over,
    /// The request was made to a previous hub, which kept it only in memory. The device has to start
    /// again.
    Anew,
    /// The person admitted the device. This is returned once.
    Allowed {
        /// The name that people see.
        name: String,
        /// What the device may do.
        may: Permission,
        /// How the device connects.
        transport: Transport,
    },
}

/// What is known about a requesting device.
pub(super) struct NewRequest<'a> {
    /// The name that it gives itself.
    pub name: &'a str,
    pub address: IpAddr,
    pub transport: Transport,
    /// The permission of its invitation.
    pub may: Permission,
    /// When pairing ends; `None` if it doesn't end by itself.
    pub until: Option<Time>,
}

/// The requests of all devices.
pub(super) struct JoinRequests {
    all: Vec<JoinRequest>,
    /// The beginning of this hub's secrets.
    prefix: String,
}

impl Default for JoinRequests {
    fn default() -> Self {
        let all = Vec::new();
        let prefix = hex(&clock::random()[..PREFIX_BYTES]);
        Self { all, prefix }
    }
}

/// What a device receives for its request.
#[derive(Debug)]
pub(crate) struct AddedRequest {
    /// The secret for polling.
    pub secret: String,
    /// The number to show.
    pub number: String,
    /// Until when the person may decide.
    pub until: Time,
}

impl JoinRequests {
    /// Adds a request, which waits for the person.
    pub(super) fn add(&mut self, new: &NewRequest<'_>, now: Time) -> AddedRequest {
        let secret = format!("{}{}", self.prefix, hex(&clock::random()));
        let until = now.plus_ms(LIFETIME_MS);
        let request = JoinRequest {
            id: hex(&clock::random()[..6]),
            hash: hash(&secret),
            name: device_name::clean_name(new.name),
            address: new.address,
            transport: new.transport,
            number: self.unused_number(),
            may: new.may,
            since: now,
            until: new.until.map_or(until, |open| open.min(until)),
            decision: None,
        };
        let added = AddedRequest {
            secret,
            number: request.number.clone(),
            until: request.until,
        };
        self.all.push(request);
        added
    }

    /// A number of two digits that no other request has.
    fn unused_number(&self) -> String {
        let first = usize::from(clock::random()[0]) % 90;
        let mut numbers = (0..90).map(|step| (10 + (first + step) % 90).to_string());
        let is_taken = |number: &String| self.all.iter().any(|one| one.number == *number);
        numbers.find(|number| !is_taken(number)).unwrap_or_default()
    }

    /// Records a decision. Returns false if no such request waits.
    pub(super) fn decide(
        &mut self,
        id: &str,
        allow: bool,
        may: Option<Permission>,
        now: Time,
    ) -> bool {
        let mut waiting = self.all.iter_mut().filter(|one| one.is_waiting(now));
        let Some(request) = waiting.find(|one| one.id == id) else {
            return false;
        };
        request.may = may.unwrap_or(request.may);
        request.decision = Some(if allow {
            Decision::Allowed
        } else {
            Decision::Refused
        });
        true
    }

    /// The status of the request with this secret, for a device that uses this transport.
    pub(super) fn status(
        &mut self,
        secret: &str,
        transport: Transport,
        now: Time,
    ) -> RequestStatus {
        let presented = hash(secret);
        let matches = |one: &JoinRequest| {
            same(&presented, &one.hash) && one.transport == transport && one.until > now
        };
        let Some(at) = self.all.iter().position(matches) else {
            let is_secret = secret.len() > 4 * PREFIX_BYTES
                && secret.bytes().all(|byte| byte.is_ascii_hexdigit());
            return if is_secret && !secret.starts_with(&self.prefix) {
                RequestStatus::Anew
            } else {
                RequestStatus::Over
            };
        };
        match self.all[at].decision {
            None => RequestStatus::Waiting,
            Some(Decision::Refused) => RequestStatus::Refused,
            Some(Decision::Allowed) => {
                let request = self.all.remove(at);
                RequestStatus::Allowed {
                    name: request.name,
                    may: request.may,
                    transport,
                }
            }
        }
    }

    /// Removes expired requests. Returns whether there were any.
    pub(super) fn remove_expired(&mut self, now: Time) -> bool {
        let before = self.all.len();
        self.all.retain(|one| one.until > now);
        self.all.len() < before
    }

    pub(super) fn clear(&mut self) {
        self.all.clear();
    }

    /// When the next request expires.
    pub(super) fn next_expiry(&self) -> Option<Time> {
        self.all.iter().map(|one| one.until).min()
    }

    /// The requests that wait for a decision.
    pub(super) fn describe_waiting(&self, now: Time) -> Vec<devices::Request> {
        let waiting = self.all.iter().filter(|one| one.is_waiting(now));
        waiting.map(JoinRequest::describe).collect()
    }
}

impl JoinRequest {
    fn is_waiting(&self, now: Time) -> bool {
        self.decision.is_none() && self.until > now
    }

    fn describe(&self) -> devices::Request {
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

    fn new(name: &str) -> NewRequest<'_> {
        NewRequest {
            name,
            address: Ipv4Addr::new(192, 168, 1, 23).into(),
            transport: Transport::Lan,
            may: Permission::Answer,
            until: None,
        }
    }

    #[test]
    fn an_admission_is_returned_once_and_only_to_its_device() {
        let mut requests = JoinRequests::default();
        let added = requests.add(&new("iPhone\u{202E}, Safari"), NOW);
        let other = requests.add(&new(""), NOW);
        let waiting = requests.describe_waiting(NOW);
        assert_eq!(waiting[0].number, added.number);
        assert_eq!(waiting[1].name, device_name::DEFAULT_NAME);
        assert!(!waiting[0].name.contains('\u{202E}'), "{}", waiting[0].name);
        assert!(requests.decide(&waiting[0].id, true, Some(Permission::See), NOW));
        assert!(
            !requests.decide(&waiting[0].id, true, None, NOW),
            "it is decided"
        );
        let tunnel = requests.status(&added.secret, Transport::Tunnel, NOW);
        assert_eq!(tunnel, RequestStatus::Over, "over another transport");
        let status = requests.status(&added.secret, Transport::Lan, NOW);
        assert!(
            matches!(
                status,
                RequestStatus::Allowed {
                    may: Permission::See,
                    ..
                }
            ),
            "{status:?}"
        );
        assert_eq!(
            requests.status(&added.secret, Transport::Lan, NOW),
            RequestStatus::Over
        );
        let undecided = requests.status(&other.secret, Transport::Lan, NOW);
        assert_eq!(undecided, RequestStatus::Waiting);
        assert!(requests.decide(&waiting[1].id, false, None, NOW));
        let refused = requests.status(&other.secret, Transport::Lan, NOW);
        assert_eq!(refused, RequestStatus::Refused);
        assert_eq!(
            requests.status("", Transport::Lan, NOW),
            RequestStatus::Over
        );
        let next = JoinRequests::default().status(&other.secret, Transport::Lan, NOW);
        assert_eq!(
            next,
            RequestStatus::Anew,
            "another hub doesn't have the request"
        );
    }

    #[test]
    fn a_request_expires() {
        let mut requests = JoinRequests::default();
        let added = requests.add(&new("iPad"), NOW);
        let id = requests.describe_waiting(NOW)[0].id.clone();
        let end = NOW.plus_ms(LIFETIME_MS);
        assert_eq!(requests.next_expiry(), Some(end));
        assert!(!requests.decide(&id, true, None, end));
        assert!(requests.describe_waiting(end).is_empty());
        assert_eq!(
            requests.status(&added.secret, Transport::Lan, end),
            RequestStatus::Over
        );
        assert!(requests.remove_expired(end) && !requests.remove_expired(end));
    }

    #[test]
    fn numbers_have_two_digits_and_differ() {
        let mut requests = JoinRequests::default();
        let numbers = (0..90).map(|_| requests.add(&new("x"), NOW).number);
        let numbers: HashSet<String> = numbers.collect();
        assert_eq!(numbers.len(), 90);
        assert!(numbers.iter().all(|number| number.len() == 2));
    }
}
