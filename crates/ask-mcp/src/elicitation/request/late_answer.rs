//! Withdraws a dialog whose call has ended. While the ask is open, an answer still counts: it may
//! have been sent at that moment, or the client may leave its dialog open.

use std::time::Duration;

use ask_core::Gaps;
use ask_protocol::ipc::{self, Verdict};
use rmcp::RoleServer;
use rmcp::model::{
    CancelledNotificationParam, ClientResult, CustomNotification, ElicitationAction,
};
use rmcp::service::RequestHandle;
use tracing::debug;

use super::super::SURFACE;
use super::super::response::{ElicitReply, interpret};
use super::DialogContext;

/// How long after the withdrawal an answer is accepted.
const LATE_LIMIT: Duration = Duration::from_secs(10 * 60);

impl DialogContext {
    pub(super) async fn withdraw(&mut self, mut handle: RequestHandle<RoleServer>) {
        let ask = self.hub.try_get(self.record.id.as_str()).await;
        if !ask.is_ok_and(|found| found.is_some_and(|record| record.is_open())) {
            // A client that is gone needs no withdrawal.
            let _ = handle
                .cancel(Some("the question is closed".to_owned()))
                .await;
            return;
        }
        // rmcp would stop listening for the response to a request that it cancels itself, so the
        // notification is sent by hand.
        let reason = Some("the call has ended".to_owned());
        let param = CancelledNotificationParam::new(Some(handle.id.clone()), reason);
        let param = ipc::line(&param).and_then(|line| ipc::unline(&line));
        let withdrawal = CustomNotification::new("notifications/cancelled", param.ok());
        // A client that is gone needs no withdrawal.
        let _ = self.peer.send_notification(withdrawal.into()).await;
        let reply = tokio::time::timeout(LATE_LIMIT, &mut handle.rx).await;
        let Ok(Ok(Ok(ClientResult::ElicitResult(reply)))) = reply else {
            return;
        };
        if reply.action != ElicitationAction::Accept {
            return;
        }
        debug!("an answer arrived from a withdrawn dialog");
        match interpret(&self.record.ask, self.edition, &reply, 0, Gaps::Refuse) {
            ElicitReply::Verdict(verdict @ Verdict::Answer { .. }) => {
                // Without a hub the answer is lost, because the call has ended.
                let _ = self.hub.settle(&self.record.id, verdict, SURFACE).await;
            }
            ElicitReply::Incomplete { draft, .. } => self.save_draft(draft).await,
            ElicitReply::Verdict(_) | ElicitReply::Dismissed | ElicitReply::NoPerson(_) => {}
        }
    }
}
