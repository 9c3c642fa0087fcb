//! Dialogs by server request, up to MCP revision 2025-11-25: the dialog is open while the call
//! waits, and is withdrawn when the call ends for any reason.

mod late_answer;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use ask_config::clock;
use ask_core::record::{InClient, Saved};
use ask_core::{Draft, Gaps, Record};
use ask_dialects::elicit::{self, Edition};
use ask_hub::client::Client;
use ask_protocol::ipc::Verdict;
use rmcp::RoleServer;
use rmcp::model::{ClientResult, CustomRequest, ElicitResult, GetExtensions, RequestId};
use rmcp::service::{OriginatingRequestId, Peer, PeerRequestOptions, RequestHandle};
use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;
use tracing::{Instrument as _, debug};

use super::response::{ElicitReply, interpret};
use super::{Dialogs, SURFACE};
use crate::offline::OfflineMode;

/// An open dialog. Dropping this value withdraws it.
pub(crate) struct OpenDialog {
    open_guard: oneshot::Sender<Infallible>,
}

/// Everything that a dialog needs.
pub(crate) struct DialogContext {
    pub peer: Peer<RoleServer>,
    /// The call that the dialog belongs to.
    pub call: RequestId,
    pub hub: Client,
    pub dialogs: Dialogs,
    pub record: Record,
    pub edition: Edition,
    /// The offline mode, in which there is no other surface.
    pub offline: Option<Arc<OfflineMode>>,
    /// Whether the client cancelled the call.
    pub is_cancelled: Box<dyn Fn() -> bool + Send + Sync>,
}

type EndSignal = oneshot::Receiver<Infallible>;

/// A dialog without a response for this time is visible to a person.
const SEEN_AFTER: Duration = Duration::from_secs(1);

impl OpenDialog {
    /// Whether the dialog is still open.
    pub(crate) fn is_open(&self) -> bool {
        !self.open_guard.is_closed()
    }
}

pub(crate) fn open(dialog: DialogContext) -> OpenDialog {
    let (open_guard, end) = oneshot::channel();
    tokio::spawn(dialog.run(end).in_current_span());
    OpenDialog { open_guard }
}

impl DialogContext {
    async fn run(mut self, mut end: EndSignal) {
        self.show_forms(&mut end).await;
        // Other surfaces only show this fact.
        let _ = self.hub.in_client(&self.record.id, None).await;
        // The call still waits, but its question is no longer visible anywhere.
        let call_waits = matches!(end.try_recv(), Err(TryRecvError::Empty));
        if let Some(offline) = self
            .offline
            .take()
            .filter(|offline| call_waits && offline.is_active())
        {
            let found = self.hub.try_get(self.record.id.as_str()).await;
            if matches!(found, Ok(Some(record)) if record.is_open())
                && offline
                    .offer_in_file(&self.hub, &self.record)
                    .await
                    .is_err()
            {
                // The ask is withdrawn as far as possible; its caller gets the write error.
                let _ = offline.give_up(&self.hub, &self.record).await;
            }
        }
        // Dropping the receiver marks the dialog as closed.
        drop(end);
    }

    async fn show_forms(&mut self, end: &mut EndSignal) {
        let mut notice = None;
        for gaps in [Gaps::Refuse, Gaps::Send] {
            let Some((reply, after_ms)) = self.send_form(notice.as_deref(), end).await else {
                return;
            };
            match interpret(&self.record.ask, self.edition, &reply, after_ms, gaps) {
                // A client that cancels the call closes its dialog with a decline, which is not the
                // person's.
                ElicitReply::Verdict(Verdict::Decline { .. }) if (self.is_cancelled)() => return,
                ElicitReply::Verdict(verdict) => {
                    let draft = answer_draft(&verdict);
                    let settled = self.hub.settle(&self.record.id, verdict, SURFACE).await;
                    let Err(error) = settled else { return };
                    debug!("could not store the dialog's answer: {error:#}");
                    self.fill_in(draft);
                    notice = Some(format!(
                        "What you sent could not be stored: {error:#}. Send it again."
                    ));
                }
                ElicitReply::Incomplete {
                    draft,
                    notice: next_notice,
                } => {
                    self.save_draft(draft).await;
                    notice = Some(next_notice);
                }
                ElicitReply::Dismissed => return debug!("the dialog was dismissed"),
                ElicitReply::NoPerson(why) => return self.dialogs.mark_absent(why),
            }
        }
    }

    /// Sends the form and returns the response with the milliseconds it took. `None` if the call
    /// ended first or the client has no dialog.
    async fn send_form(
        &mut self,
        notice: Option<&str>,
        end: &mut EndSignal,
    ) -> Option<(ElicitResult, u64)> {
        let draft = self.record.draft.as_ref().map(|saved| &saved.draft);
        let form = elicit::request(&self.record.ask, draft, self.edition, notice);
        let mut request = CustomRequest::new("elicitation/create", Some(form));
        let call = OriginatingRequestId(self.call.clone());
        request.extensions_mut().insert(call);
        let asked_at = clock::now();
        let options = PeerRequestOptions::no_options();
        let sent = self.peer.send_request_with_option(request.into(), options);
        let mut handle = match sent.await {
            Ok(handle) => handle,
            Err(error) => {
                self.dialogs.mark_absent(&error.to_string());
                return None;
            }
        };
        let reply = tokio::select! {
            biased;
            reply = self.reply(&mut handle) => reply,
            _ = end => {
                self.withdraw(handle).await;
                return None;
            }
        };
        match reply {
            Ok(ClientResult::ElicitResult(reply)) => Some((reply, clock::now().since_ms(asked_at))),
            Ok(_) => {
                self.dialogs
                    .mark_absent("the reply is not that of a dialog");
                None
            }
            Err(error) => {
                self.dialogs.mark_absent(&error);
                None
            }
        }
    }

    async fn reply(&self, handle: &mut RequestHandle<RoleServer>) -> Result<ClientResult, String> {
        let reply = match tokio::time::timeout(SEEN_AFTER, &mut handle.rx).await {
            Ok(reply) => reply,
            Err(_) => {
                // Other surfaces only show these facts.
                let _ = self.hub.shown(&self.record.id, SURFACE).await;
                let dialog = Some(InClient::Dialog);
                let _ = self.hub.in_client(&self.record.id, dialog).await;
                (&mut handle.rx).await
            }
        };
        match reply {
            Ok(Ok(reply)) => Ok(reply),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("the client is gone".to_owned()),
        }
    }

    /// Saves the filled-in fields, for the next form and for every other surface.
    async fn save_draft(&mut self, draft: Option<Draft>) {
        let Some(draft) = draft else { return };
        if let Err(error) = self.hub.save_draft(&self.record.id, &draft, SURFACE).await {
            debug!("could not save the dialog's draft: {error:#}");
        }
        self.fill_in(Some(draft));
    }

    fn fill_in(&mut self, draft: Option<Draft>) {
        let saved = |draft| Saved {
            draft,
            at: clock::now(),
            surface: SURFACE.to_owned(),
            revision: 0,
        };
        self.record.draft = draft.map(saved).or(self.record.draft.take());
    }
}

fn answer_draft(verdict: &Verdict) -> Option<Draft> {
    match verdict {
        Verdict::Answer { draft, .. } => Some(draft.clone()),
        Verdict::Decline { .. } | Verdict::Clarify { .. } | Verdict::Withdraw => None,
    }
}
