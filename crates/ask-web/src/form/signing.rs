//! Signing in without scripts: by the link, or its key, pasted into a field.

use ask_config::clock;
use ask_hub::http::problem::Problem;
use axum::http::request::Parts;
use axum::response::Response;

use super::filled::Fields;
use super::reader::Reader;
use super::{Place, card, page, read, token};
use crate::door::Who;
use crate::way::Way;
use crate::{Web, cookie};

/// Asks for a key, or takes one. What was filled in before stays through it.
pub async fn sign_in(
    web: &Web,
    reader: Reader,
    way: Way,
    parts: &Parts,
    place: Place<'_>,
    fields: Option<&Fields>,
) -> Result<Response, Problem> {
    if !way.takes_keys() {
        return Ok(page::not_let_in(reader));
    }
    let link = fields.map(|fields| fields.one("link")).unwrap_or_default();
    if link.is_empty() {
        return Ok(page::sign_in(reader, fields, false));
    }
    let key = link.rsplit_once("#k=").map_or(link, |(_, key)| key);
    let Some(session) = cookie::session_for(web, key.trim(), way, &parts.headers) else {
        return Ok(page::sign_in(reader, fields, true));
    };
    let cookie = cookie::session_cookie(web, &session, way);
    let known = web
        .office
        .sessions
        .find(&session, way.through(), clock::now());
    let (Place::Ask(id), Some(fields), Some(known)) = (place, fields, known) else {
        return Ok(page::go_to(&here(parts), cookie));
    };
    if !fields.is_filled_in() {
        return Ok(page::go_to(&here(parts), cookie));
    }
    let record = read(web, id).await?;
    let mut form = card::Form::of(reader, &record, token(&Who::of(known), &record));
    form.fill(fields);
    form.says = Some(reader.words.say("form-signed-in"));
    Ok(page::with_cookie(page::ask(&form), cookie))
}

/// The address of the form that was sent.
fn here(parts: &Parts) -> String {
    format!("{}?form=1", parts.uri.path())
}
