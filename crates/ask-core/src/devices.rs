//! Devices that may answer, which are browsers of other machines, and how the person pairs them.
//! These are values, as the hub knows them; the shell listens, makes secrets and keeps the time.

use crate::time::Time;

/// What a device may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// See asks and answer them.
    Answer,
    /// See asks without answering them.
    See,
}

impl Permission {
    /// Its name in messages and on command lines.
    pub fn word(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::See => "see",
        }
    }

    /// The permission with this name.
    pub fn find(word: &str) -> Option<Self> {
        let mut all = [Self::Answer, Self::See].into_iter();
        all.find(|may| may.word() == word)
    }
}

/// What the person wants to do about pairing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PairingCommand {
    /// See the state of pairing.
    Look,
    /// Let devices of other machines connect, with a new invitation; also if they may already.
    On(On),
    /// Let devices connect no longer.
    Off,
    /// Accept or reject a device that asks to be paired.
    Decide {
        /// The id of the request.
        request: String,
        /// Whether the device is accepted.
        allow: bool,
        /// What it may do; `None` for what its invitation says.
        may: Option<Permission>,
    },
    /// Revoke a device, or sign out a browser of this machine.
    Revoke {
        /// Its id, or its name if only one has it.
        device: String,
    },
    /// Sign out all browsers of this machine, and revoke all devices.
    RevokeAll,
}

/// Where devices connect, and for how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct On {
    /// One address of this machine; `None` for the one that leads out.
    pub address: Option<String>,
    /// How long they may connect; `None` until it is turned off.
    pub for_ms: Option<u64>,
    /// What the device with the invitation may do.
    pub may: Permission,
    /// The files of the certificate and of its key, in place of those in the settings.
    pub tls: Option<(String, String)>,
}

/// The state of pairing.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Pairing {
    /// Whether devices may connect.
    pub on: bool,
    /// Until when they may; `None` until it is turned off.
    pub until: Option<Time>,
    /// The URL where they connect.
    pub url: Option<String>,
    /// Whether their connections are encrypted.
    pub encrypted: bool,
    /// What the person should know: the port is another one than usual, the certificate can't be
    /// used.
    pub remark: Option<String>,
    /// The addresses of this machine, the one that leads out first.
    pub addresses: Vec<Address>,
    /// What lets one device ask to be paired.
    pub invitation: Option<Invitation>,
    /// Devices that ask to be paired.
    pub requests: Vec<Request>,
    /// Devices that are paired.
    pub devices: Vec<Device>,
    /// Browsers of this machine that are signed in.
    pub browsers: Vec<Device>,
    /// Why browsers of this machine were signed out when the hub started, if they were.
    pub signed_out: Option<String>,
}

/// An address of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The address as text.
    pub address: String,
    /// The name of its network in the system.
    pub name: String,
}

/// What lets one device ask to be paired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// The URL in its QR code.
    pub url: String,
    /// A code to type instead; `None` after too many wrong ones were tried.
    pub code: Option<String>,
    /// When the invitation ends.
    pub until: Time,
}

/// A device that asks to be paired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The id of the request.
    pub id: String,
    /// The device's name for itself.
    pub name: String,
    /// The address that it connects from.
    pub address: String,
    /// The number that both sides show.
    pub number: String,
    /// What it may do, by its invitation.
    pub may: Permission,
    /// When it asked to be paired.
    pub since: Time,
    /// Until when the person can accept it.
    pub until: Time,
}

/// A device that is paired, or a browser of this machine that is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// The id of the device.
    pub id: String,
    /// The device's name for itself.
    pub name: String,
    /// What it may do.
    pub may: Permission,
    /// When it was paired or signed in.
    pub since: Time,
    /// When it was last seen.
    pub last_seen: Time,
    /// Until when it may connect.
    pub until: Time,
    /// Whether its page is connected now.
    pub here: bool,
    /// Whether it was paired over another kind of connection than devices use now, so that it must
    /// be paired again.
    pub stranded: bool,
}
