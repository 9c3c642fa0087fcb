//! Fetches the images of a reply from the hub, as far as the client accepts them. Every reply names
//! its files with their paths, so an image that is left out can still be read.

use ask_clients::Client;
use ask_clients::labels::Images;
use ask_hub::client::Client as Hub;
use ask_protocol::reply::Shown;

/// The most bytes of images, in base64, that an unknown client gets in one result. Clients with a
/// limit refuse larger single images.
const MAX_TOTAL_BYTES: u64 = 5 * 1024 * 1024;

/// Fetches the images that the client accepts.
pub(crate) async fn fetch(hub: &Hub, client: Option<&Client>, files: &mut [Shown]) {
    let mut remaining = match client.and_then(|client| client.images) {
        Some(Images::Named) => return,
        Some(Images::Sent) | None => client.and_then(|client| client.images_bytes),
    }
    .unwrap_or(MAX_TOTAL_BYTES);
    for shown in files.iter_mut().filter(|shown| shown.file.media.is_image()) {
        let encoded_bytes = shown.file.bytes.div_ceil(3).saturating_mul(4);
        if encoded_bytes > remaining {
            continue;
        }
        // After an error the reply just names the file.
        shown.bytes = hub.get_file(shown.file.digest).await.ok();
        if shown.bytes.is_some() {
            remaining -= encoded_bytes;
        }
    }
}
