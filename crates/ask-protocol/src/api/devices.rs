//! What the HTTP API says and reads about devices.

use serde_json::json;

use crate::ipc;
use crate::native::{Fields, Malformed};
use ask_core::Json;
use ask_core::devices::{On, Pairing, Permission};
use ask_core::time::Time;

type Read<T> = Result<T, Malformed>;

/// How whoever listens reaches the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Whether from the hub's own machine.
    pub is_here: bool,
    /// Whether nobody on the way can read along.
    pub is_encrypted: bool,
    /// What they may.
    pub may: Permission,
}

/// How pairing stands, with the QR code of the invitation: its size, and the path of one drawing.
pub fn write_pairing(pairing: &Pairing, qr: Option<(usize, String)>) -> Json {
    let mut out = ipc::write_pairing(pairing);
    if let (Some(invitation), Some((size, path))) = (out.get_mut("invitation"), qr) {
        invitation["svg"] = json!({"size": size, "path": path});
    }
    out
}

/// Who a page is: a device by its name and what it may, or a browser of this machine.
pub fn write_session(device: Option<(&str, Permission)>, encrypted: bool, local: bool) -> Json {
    let mut out = json!({"encrypted": encrypted, "local": local});
    if let Some((name, may)) = device {
        out["device"] = json!({"name": name, "scope": may.word()});
    }
    out
}

/// That a device's request was taken in.
pub fn write_paired(request: &str, number: &str, until: Time) -> Json {
    json!({"request": request, "number": number, "until": until.to_string()})
}

/// How a device's request stands.
pub fn write_standing(state: &str, may: Option<Permission>) -> Json {
    let mut out = json!({"state": state});
    if let Some(may) = may {
        out["scope"] = may.word().into();
    }
    out
}

/// What a device shows and how it calls itself.
pub struct Asked {
    /// The secret of its link.
    pub secret: Option<String>,
    /// Or the code that was typed.
    pub code: Option<String>,
    /// Its name.
    pub name: String,
}

/// Reads what a device shows.
pub fn read_pair(body: &Json) -> Read<Asked> {
    let from = Fields::of(body, "body")?;
    Ok(Asked {
        secret: from.text_if_any("secret")?,
        code: from.text_if_any("code")?,
        name: from.text_if_any("name")?.unwrap_or_default(),
    })
}

/// Reads where devices come and for how long.
pub fn read_on(body: &Json) -> Read<On> {
    let from = Fields::of(body, "body")?;
    let for_ms = match from.get("forMs") {
        None => None,
        Some(value) => match value.as_u64() {
            Some(ms) if ms > 0 => Some(ms),
            Some(_) | None => {
                let said = "body.forMs: must be a number of milliseconds, or null";
                return Err(Malformed(said.to_owned()));
            }
        },
    };
    Ok(On {
        address: from.text_if_any("address")?,
        for_ms,
        may: ipc::read_some_may(&from)?.unwrap_or(Permission::Answer),
        // A page names no files of this machine.
        tls: None,
    })
}

/// Reads yes or no to a device, and what it may.
pub fn read_decision(body: &Json) -> Read<(bool, Option<Permission>)> {
    let allow = crate::api::read_flag(body, "allow")?;
    let from = Fields::of(body, "body")?;
    Ok((allow, ipc::read_some_may(&from)?))
}
