//! How pairing stands, and what the person wants of it, as messages; the page is told the same.

use serde_json::json;

use crate::native::{Fields, Malformed};
use ask_core::Json;
use ask_core::devices::{
    Address, Device, Invitation, On, Pairing, PairingCommand, Permission, Request,
};

type Read<T> = Result<T, Malformed>;

/// Writes how pairing stands.
pub fn write_pairing(pairing: &Pairing) -> Json {
    let mut out = json!({"on": pairing.on, "encrypted": pairing.encrypted});
    if let Some(until) = pairing.until {
        out["until"] = until.to_string().into();
    }
    if let Some(url) = &pairing.url {
        out["url"] = url.as_str().into();
    }
    if let Some(remark) = &pairing.remark {
        out["remark"] = remark.as_str().into();
    }
    let addresses = pairing.addresses.iter();
    let addresses = addresses.map(|one| json!({"address": one.address, "name": one.name}));
    out["addresses"] = addresses.collect();
    if let Some(invitation) = &pairing.invitation {
        out["invitation"] = json!({"url": invitation.url, "until": invitation.until.to_string()});
        if let Some(code) = &invitation.code {
            out["invitation"]["code"] = code.as_str().into();
        }
    }
    out["requests"] = pairing.requests.iter().map(write_one_request).collect();
    out["devices"] = pairing.devices.iter().map(write_device).collect();
    out
}

fn write_one_request(request: &Request) -> Json {
    json!({
        "id": request.id, "name": request.name, "address": request.address,
        "number": request.number, "scope": request.may.word(),
        "since": request.since.to_string(), "until": request.until.to_string(),
    })
}

fn write_device(device: &Device) -> Json {
    json!({
        "id": device.id, "name": device.name, "scope": device.may.word(),
        "since": device.since.to_string(), "lastSeen": device.last_seen.to_string(),
        "until": device.until.to_string(), "here": device.here, "stranded": device.stranded,
    })
}

/// Reads what [`write_pairing`] wrote.
pub(super) fn read_pairing(value: &Json) -> Read<Pairing> {
    let from = Fields::of(value, "pairing")?;
    Ok(Pairing {
        on: from.flag("on"),
        until: from.optional_time("until")?,
        url: from.optional_text("url"),
        encrypted: from.flag("encrypted"),
        remark: from.optional_text("remark"),
        addresses: each(&from, "addresses", |one| {
            Ok(Address {
                address: one.text("address")?,
                name: one.text("name")?,
            })
        })?,
        invitation: match from.get("invitation") {
            None => None,
            Some(value) => {
                let from = Fields::of(value, "invitation")?;
                Some(Invitation {
                    url: from.text("url")?,
                    code: from.optional_text("code"),
                    until: from.time("until")?,
                })
            }
        },
        requests: each(&from, "requests", |one| {
            Ok(Request {
                id: one.text("id")?,
                name: one.text("name")?,
                address: one.text("address")?,
                number: one.text("number")?,
                may: read_may(one)?,
                since: one.time("since")?,
                until: one.time("until")?,
            })
        })?,
        devices: each(&from, "devices", |one| {
            Ok(Device {
                id: one.text("id")?,
                name: one.text("name")?,
                may: read_may(one)?,
                since: one.time("since")?,
                last_seen: one.time("lastSeen")?,
                until: one.time("until")?,
                here: one.flag("here"),
                stranded: one.flag("stranded"),
            })
        })?,
    })
}

fn each<T>(from: &Fields<'_>, key: &str, read: impl Fn(&Fields<'_>) -> Read<T>) -> Read<Vec<T>> {
    let all = from.get(key).and_then(Json::as_array);
    let all = all.into_iter().flatten();
    all.map(|one| read(&Fields::of(one, key)?)).collect()
}

fn read_may(from: &Fields<'_>) -> Read<Permission> {
    let word = from.text("scope")?;
    let unknown = || Malformed(format!("scope: must be answer or see, not \"{word}\""));
    Permission::find(&word).ok_or_else(unknown)
}

/// What a device may that a message says nothing about: as its invitation has it, or `otherwise`.
pub(crate) fn read_some_may(from: &Fields<'_>) -> Read<Option<Permission>> {
    match from.get("scope") {
        None => Ok(None),
        Some(_) => read_may(from).map(Some),
    }
}

/// Writes what the person wants.
pub(super) fn write_wish(wish: &PairingCommand) -> Json {
    match wish {
        PairingCommand::Look => json!({"wish": "look"}),
        PairingCommand::On(on) => {
            let (cert, key) = on.tls.clone().unzip();
            json!({
                "wish": "on", "address": on.address, "forMs": on.for_ms, "scope": on.may.word(),
                "tlsCert": cert, "tlsKey": key,
            })
        }
        PairingCommand::Off => json!({"wish": "off"}),
        PairingCommand::Decide {
            request,
            allow,
            may,
        } => {
            json!({"wish": "decide", "request": request, "allow": allow, "scope": may.map(Permission::word)})
        }
        PairingCommand::Revoke { device } => json!({"wish": "revoke", "device": device}),
    }
}

/// Reads what [`write_wish`] wrote.
pub(super) fn read_wish(from: &Fields<'_>) -> Read<PairingCommand> {
    let word = from.text("wish")?;
    Ok(match word.as_str() {
        "look" => PairingCommand::Look,
        "on" => PairingCommand::On(On {
            address: from.optional_text("address"),
            for_ms: from.number("forMs"),
            may: read_may(from)?,
            tls: from
                .optional_text("tlsCert")
                .zip(from.optional_text("tlsKey")),
        }),
        "off" => PairingCommand::Off,
        "decide" => PairingCommand::Decide {
            request: from.text("request")?,
            allow: from.flag("allow"),
            may: read_some_may(from)?,
        },
        "revoke" => PairingCommand::Revoke {
            device: from.text("device")?,
        },
        other => return Err(Malformed(format!("wish: this hub knows no \"{other}\""))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ask_core::time::Time;

    #[test]
    fn what_is_written_is_read() {
        let at = |seconds: i64| Time(1_800_000_000_000 + seconds * 1_000);
        let pairing = Pairing {
            on: true,
            until: Some(at(0)),
            url: Some("http://192.168.1.7:4127".to_owned()),
            encrypted: false,
            remark: Some("another port".to_owned()),
            addresses: vec![Address {
                address: "192.168.1.7".to_owned(),
                name: "wlan0".to_owned(),
            }],
            invitation: Some(Invitation {
                url: "http://192.168.1.7:4127/pair#ab".to_owned(),
                code: Some("482913".to_owned()),
                until: at(180),
            }),
            requests: vec![Request {
                id: "r1".to_owned(),
                name: "iPhone, Safari".to_owned(),
                address: "192.168.1.23".to_owned(),
                number: "27".to_owned(),
                may: Permission::See,
                since: at(1),
                until: at(181),
            }],
            devices: vec![Device {
                id: "d1".to_owned(),
                name: "iPad".to_owned(),
                may: Permission::Answer,
                since: at(2),
                last_seen: at(3),
                until: at(4),
                here: true,
                stranded: true,
            }],
        };
        assert_eq!(read_pairing(&write_pairing(&pairing)), Ok(pairing));
        let none = Pairing::default();
        assert_eq!(read_pairing(&write_pairing(&none)), Ok(none));
    }

    #[test]
    fn wishes_are_read_as_they_were_written() {
        let on = |address: Option<&str>, for_ms, may| {
            let address = address.map(str::to_owned);
            PairingCommand::On(On {
                address,
                for_ms,
                may,
                tls: for_ms.map(|_| ("/cert.pem".to_owned(), "/key.pem".to_owned())),
            })
        };
        for wish in [
            PairingCommand::Look,
            on(None, None, Permission::Answer),
            on(Some("10.0.0.2"), Some(3_600_000), Permission::See),
            PairingCommand::Off,
            PairingCommand::Decide {
                request: "r1".to_owned(),
                allow: true,
                may: Some(Permission::See),
            },
            PairingCommand::Decide {
                request: "r1".to_owned(),
                allow: false,
                may: None,
            },
            PairingCommand::Revoke {
                device: "iPad".to_owned(),
            },
        ] {
            let written = write_wish(&wish);
            let read = read_wish(&Fields::of(&written, "request").unwrap());
            assert_eq!(read, Ok(wish));
        }
    }
}
