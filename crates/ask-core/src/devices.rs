//! Devices that may answer: browsers of other machines that the person let in, and how one comes
//! in. What the hub knows of it, as a value; the shell listens, makes secrets and keeps time.

use crate::time::Time;

/// What a device may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// See, and answer.
    Answer,
    /// See.
    See,
}

impl Permission {
    /// What it is called in messages and on command lines.
    pub fn word(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::See => "see",
        }
    }

    /// The one of this name.
    pub fn find(word: &str) -> Option<Self> {
        let mut all = [Self::Answer, Self::See].into_iter();
        all.find(|may| may.word() == word)
    }
}

/// What the person wants of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PairingCommand {
    /// To see how it stands.
    Look,
    /// To let devices of other machines come, with a new invitation; also while they may already.
    On(On),
    /// To let none come any more.
    Off,
    /// To say yes or no to a device that wants to be let in.
    Decide {
        /// Which request.
        request: String,
        /// Whether it may come.
        allow: bool,
        /// What it may then; `None` for what its invitation was made for.
        may: Option<Permission>,
    },
    /// To let a device in no more, or to sign a browser of this machine out.
    Revoke {
        /// Its id, or its name where only one has it.
        device: String,
    },
    /// To sign all browsers of this machine out, and let no device in that was.
    RevokeAll,
}

/// Where devices come, and for how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct On {
    /// One address of this machine; the one that leads out if none is said.
    pub address: Option<String>,
    /// For so long; `None` until it is turned off.
    pub for_ms: Option<u64>,
    /// What the device that comes by the invitation may.
    pub may: Permission,
    /// The files of the certificate and of its key, in place of those that are set.
    pub tls: Option<(String, String)>,
}

/// How it stands.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Pairing {
    /// Whether devices may come.
    pub on: bool,
    /// Until when; `None` until it is turned off.
    pub until: Option<Time>,
    /// Where they come.
    pub url: Option<String>,
    /// Whether nobody on the way can read along.
    pub encrypted: bool,
    /// What should be known of it: the port is another one than usual, the certificate can't be used.
    pub remark: Option<String>,
    /// The addresses of this machine, the one that leads out first.
    pub addresses: Vec<Address>,
    /// What lets one device ask to be let in.
    pub invitation: Option<Invitation>,
    /// Devices that want to be let in.
    pub requests: Vec<Request>,
    /// Devices that were.
    pub devices: Vec<Device>,
    /// Browsers of this machine that are signed in.
    pub browsers: Vec<Device>,
    /// Why browsers of this machine were signed out when the hub began, if they were.
    pub signed_out: Option<String>,
}

/// An address of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// As it is written.
    pub address: String,
    /// What the system calls the way there.
    pub name: String,
}

/// What lets one device ask to be let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// What its QR code says.
    pub url: String,
    /// The same for typing; `None` once too many wrong ones were tried.
    pub code: Option<String>,
    /// Until when.
    pub until: Time,
}

/// A device that wants to be let in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Names it here.
    pub id: String,
    /// What the device calls itself.
    pub name: String,
    /// Where it comes from.
    pub address: String,
    /// What both sides show.
    pub number: String,
    /// What its invitation was made for.
    pub may: Permission,
    /// Since when.
    pub since: Time,
    /// Until when the person may say yes.
    pub until: Time,
}

/// A device that was let in, or a browser of this machine that is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Names it here.
    pub id: String,
    /// What it called itself.
    pub name: String,
    /// What it may.
    pub may: Permission,
    /// Since when.
    pub since: Time,
    /// When it was last heard of.
    pub last_seen: Time,
    /// Until when.
    pub until: Time,
    /// Whether its page listens now.
    pub here: bool,
    /// Whether it was let in on another way than devices come by now, so that it has to be let in anew.
    pub stranded: bool,
}
