//! The images of a reply: fetched from the hub as far as the client takes them.
//! What it doesn't take is named with its path, which every reply does anyway.

use ask_clients::Client;
use ask_clients::labels::Images;
use ask_hub::client::Client as Hub;
use ask_protocol::reply::Shown;

/// What a client of which nothing else is known takes in one result, as base64. Those that count
/// refuse single images of more.
const MOST: u64 = 5 * 1024 * 1024;

/// Fetches what can be shown.
pub async fn fetch(hub: &Hub, client: Option<&Client>, files: &mut [Shown]) {
    let mut left = match client.and_then(|client| client.images) {
        Some(Images::Named) => return,
        Some(Images::Sent) | None => client.and_then(|client| client.images_bytes),
    }
    .unwrap_or(MOST);
    for shown in files.iter_mut().filter(|shown| shown.file.media.is_image()) {
        let travels = shown.file.bytes.div_ceil(3).saturating_mul(4);
        if travels > left {
            continue;
        }
        // Where it can't be had the reply names it, and is not held up by it any further.
        shown.bytes = hub.get_file(shown.file.digest).await.ok();
        if shown.bytes.is_some() {
            left -= travels;
        }
    }
}
