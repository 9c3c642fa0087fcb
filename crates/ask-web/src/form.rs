//! The page without scripts: what waits as a list of links, and each ask as a form that any
//! browser can send. It signs in by the key itself, since a fragment reaches nobody without one.
//
// A form of another site could be sent here by a simple click. The cookie doesn't come along from
// there; beside that, `Sec-Fetch-Site` and `Origin` are looked at, and every form carries a token
// that only the owner of the cookie can know.

mod card;
mod filled;
mod html;
mod markdown;
mod page;
mod reader;
mod signing;
pub mod trouble;

use ask_config::clock;
use ask_core::{Gaps, Record};
use ask_hub::http::keys::hash;
use ask_hub::http::problem::{Kind, Problem};
use ask_hub::http::same;
use ask_hub::ops;
use ask_hub::surface::recall;
use ask_protocol::api::routes::{Devices, Scope};
use ask_protocol::ipc::{Request, Response as Said, Verdict};
use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::Response;

use self::filled::Fields;
use self::reader::Reader;
use super::door::{self, Who};
use super::way::Way;
use super::{Web, call};

/// What is sent by a form.
const KIND: &str = "application/x-www-form-urlencoded";

/// The most that a form may send: answers of a person, with a few bytes for each.
const MOST: usize = 1024 * 1024;

/// Where a form is.
pub enum Place<'path> {
    /// The list of what waits.
    List,
    /// One ask.
    Ask(&'path str),
}

/// Which form a request is about, if it is about one.
pub fn place(parts: &Parts) -> Option<Place<'_>> {
    let path = parts.uri.path();
    let asks = |query: &str| query.split('&').any(|pair| pair == "form=1");
    let is_form = match parts.method {
        Method::GET | Method::HEAD => parts.uri.query().is_some_and(asks),
        Method::POST => is_sent(&parts.headers),
        _ => false,
    };
    if !is_form {
        return None;
    }
    if path == "/" {
        return Some(Place::List);
    }
    let id = path.strip_prefix("/a/")?;
    let is_one = !id.is_empty() && !id.contains('/');
    is_one.then_some(Place::Ask(id))
}

fn is_sent(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(KIND.as_bytes()))
}

/// Shows a form, or does what one says.
pub async fn serve(
    web: &Web,
    place: Place<'_>,
    way: Way,
    parts: &Parts,
    body: Body,
) -> Result<Response, Problem> {
    let reader = Reader::on(web, way);
    let fields = match parts.method {
        Method::POST => Some(Fields::read(
            &call::read(body, MOST, "send less text").await?,
        )),
        _ => None,
    };
    door::is_let_in(web, way)?;
    door::is_same_site(parts)?;
    let who = match door::who(web, way, parts, Scope::Answer) {
        Ok(who @ (Who::Page(_) | Who::Device(_))) => who,
        Ok(Who::Nobody | Who::Agent | Who::Program) | Err(_) => {
            return signing::sign_in(web, reader, way, parts, place, fields.as_ref()).await;
        }
    };
    let reader = reader.who_is(&who);
    if let Who::Device(device) = &who
        && fields.is_some()
    {
        door::device_may(device, Devices::Answer)?;
    }
    let Place::Ask(id) = place else {
        let listing = recall::actable(web.shared.hub().await?).await?;
        return Ok(page::list(reader, listing.records));
    };
    let record = read(web, id).await?;
    let mut form = card::Form::of(reader, &record, token(&who, &record));
    let Some(fields) = fields else {
        // Whoever only looks has sent nothing, and typed nothing here.
        return Ok(match record.is_answerable() {
            true => page::ask(&form),
            false => page::closed(reader, &record),
        });
    };
    form.fill(&fields);
    if !same(fields.one("token"), &form.token) {
        form.says = Some(reader.words.say("form-again"));
        return Ok(page::with_status(StatusCode::FORBIDDEN, page::ask(&form)));
    }
    take(web, form, &record, &fields, who.device()).await
}

async fn read(web: &Web, id: &str) -> Result<Record, Problem> {
    match web.say(Request::Get { id: id.to_owned() }).await? {
        Said::Record(record) => Ok(std::sync::Arc::unwrap_or_clone(record)),
        other => Err(Problem::odd(&other)),
    }
}

/// Does what a form says.
async fn take(
    web: &Web,
    mut form: card::Form<'_>,
    record: &Record,
    fields: &Fields,
    device: Option<String>,
) -> Result<Response, Problem> {
    let verdict = match verdict(&mut form, fields) {
        Ok(verdict) => verdict,
        Err(says) => {
            form.says = Some(says);
            let again = page::ask(&form);
            return Ok(page::with_status(StatusCode::UNPROCESSABLE_ENTITY, again));
        }
    };
    let request = Request::Settle {
        id: record.id.clone(),
        verdict,
        surface: "web".to_owned(),
        device,
        attempt: fields.attempt().unwrap_or_else(clock::attempt),
    };
    match ops::close(web.shared.hub().await?, request).await {
        Ok(closed) => Ok(page::done(form.reader, &closed)),
        Err(problem) if problem.kind() == Kind::Closed => match problem.into_record() {
            Some(closed) => Ok(page::too_late(&form, &closed)),
            None => Ok(page::ask(&form)),
        },
        Err(problem) => Err(problem),
    }
}

/// What is to be done; else what is said of why nothing is, with the questions marked that it is about.
fn verdict(form: &mut card::Form<'_>, fields: &Fields) -> Result<Verdict, String> {
    let words = form.reader.words;
    match fields.one("do") {
        "decline" => Ok(Verdict::Decline {
            reason: fields.words("reason"),
        }),
        "clarify" => match fields.words("clarify") {
            Some(words) => Ok(Verdict::Clarify { words }),
            None => Err(words.say("form-say-what")),
        },
        word => {
            let gaps = if word == "gaps" {
                Gaps::Send
            } else {
                Gaps::Refuse
            };
            match form.check(gaps) {
                true => Ok(Verdict::Answer {
                    draft: form.draft.clone(),
                    gaps,
                }),
                false => Err(words.say("form-gaps")),
            }
        }
    }
}

/// What only the page of this session can have been told about this ask.
fn token(who: &Who, record: &Record) -> String {
    hash(&format!("form {} {}", who.name(), record.id))
}
