//! One call over HTTP through all its streams, as long as its client wants the reply and can
//! resume.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use rustix::process::Signal;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::endpoint::Endpoint;
use super::stream::Stream;
use super::stream_faults::{Break, StreamFaults};
use crate::log::Route;
use crate::model::{Campaign, pause};
use crate::process;
use crate::replies::Replies;

/// A killed hub is replaced within this time.
const NEW_HUB_LIMIT: Duration = Duration::from_secs(3);

/// Tells a call that its client leaves, by resetting or closing the stream.
#[derive(Default)]
pub(super) struct ClientExit {
    resets: Cell<bool>,
    notify: Notify,
}

impl ClientExit {
    /// Ends the stream.
    pub(super) fn leave(&self, resets: bool) {
        self.resets.set(resets);
        self.notify.notify_one();
    }
}

/// A call and its client.
pub(super) struct Call {
    pub campaign: Rc<Campaign>,
    pub replies: Rc<Replies>,
    pub endpoint: Endpoint,
    pub id: i64,
    pub tag: Option<u64>,
    pub faults: StreamFaults,
    pub exit: Rc<ClientExit>,
    /// Set when the session can't be used any more.
    pub is_over: Rc<Cell<bool>>,
}

/// How a stream ended.
enum End {
    /// With the reply.
    Replied,
    /// By its client, which doesn't want the reply any more.
    Left,
    /// By its client, as a fault that it may resume from.
    Broken(Break),
    /// By its hub, without the reply.
    Lost,
}

impl Call {
    /// Follows the call from its request to its end.
    pub(super) async fn follow(mut self, request: String) {
        let mut request = request;
        let mut last = None;
        while let Some(mut stream) = self.send(&request).await {
            let away = match self.read(&mut stream, &mut last).await {
                End::Replied | End::Left => return self.replies.forget(self.id),
                End::Broken(fault) => {
                    self.count(match fault.resets {
                        true => "streams reset",
                        false => "streams closed",
                    });
                    fault.returns
                }
                End::Lost => {
                    self.count("streams lost with their hub");
                    Some(Duration::ZERO)
                }
            };
            drop(stream);
            let wanted = self.replies.is_waited_for(self.id);
            let resumes = wanted && self.endpoint.session.is_some() && last.is_some();
            let Some(away) = away.filter(|_| resumes) else {
                return self.replies.forget(self.id);
            };
            pause(away).await;
            self.campaign.log.borrow_mut().count("streams resumed");
            request = self.endpoint.resume(last.as_deref().unwrap_or_default());
        }
        self.is_over.set(true);
        self.replies.forget(self.id);
    }

    /// Sends a request if a hub can be reached. A session waits for the next hub.
    async fn send(&self, request: &str) -> Option<Stream> {
        let until = Instant::now() + NEW_HUB_LIMIT;
        loop {
            match Stream::send(self.endpoint.port, request).await {
                Ok(stream) => return Some(stream),
                Err(_) if self.endpoint.session.is_some() && Instant::now() < until => {
                    pause(Duration::from_millis(20)).await;
                }
                Err(_) => return None,
            }
        }
    }

    async fn read(&mut self, stream: &mut Stream, last: &mut Option<String>) -> End {
        let breaks = self.faults.breaks.pop();
        let (campaign, tag, slow) = (Rc::clone(&self.campaign), self.tag, self.faults.slow);
        let breaking = async {
            match breaks {
                Some(breaks) => breaks.moment(&campaign, tag).await,
                None => std::future::pending().await,
            }
        };
        let mut breaking = std::pin::pin!(breaking);
        let mut replied = false;
        let mut heard = false;
        let arrived = Cell::new(Instant::now());
        loop {
            while let Some(message) = stream.message() {
                let reply_to = match stream.resumes {
                    true => self.replies.record_resumed(&message.data, arrived.get()),
                    false => self.replies.record(&message.data, arrived.get()),
                };
                replied |= reply_to == Some(self.id);
                heard = true;
                *last = message.id.or(last.take());
            }
            if replied && self.faults.closes_at_reply && !stream.ended() {
                self.count("streams closed at their reply");
                return End::Replied;
            }
            if stream.ended() {
                return self.ended(stream, replied, heard);
            }
            let more = async {
                if let Some(slow) = slow {
                    stream.readable().await;
                    arrived.set(Instant::now());
                    pause(slow).await;
                } else {
                    stream.readable().await;
                    arrived.set(Instant::now());
                }
                stream.more().await
            };
            tokio::select! {
                more = more => match more {
                    Ok(true) => {}
                    _ => return self.ended(stream, replied, heard),
                },
                () = self.exit.notify.notified() => {
                    self.break_off(stream, self.exit.resets.get()).await;
                    return End::Left;
                }
                () = &mut breaking => {
                    let fault = breaks.expect("only a break ends this wait");
                    self.break_off(stream, fault.resets).await;
                    return if replied { End::Replied } else { End::Broken(fault) };
                }
            }
        }
    }

    fn ended(&self, stream: &Stream, replied: bool, heard: bool) -> End {
        match stream.status() {
            _ if replied => return End::Replied,
            // A new hub knows the session but not the call.
            Some(200) if stream.resumes && !heard => return End::Left,
            Some(200) => {}
            // A session that was deleted, or not yet stored when its hub was killed, is unknown to
            // the next hub. A session that is closed during a call returns 500.
            Some(404 | 500) | None => self.is_over.set(true),
            Some(status) => {
                let said = format!("call {} was refused with {status}", self.id);
                self.campaign.log.borrow_mut().stuck.push(said);
                self.is_over.set(true);
            }
        }
        if self.endpoint.session.is_none() {
            self.is_over.set(true);
        }
        match self.is_over.get() {
            true => End::Left,
            false => End::Lost,
        }
    }

    /// Ends a stream from this side. The replies that it had received are recorded as unread.
    async fn break_off(&self, stream: &mut Stream, resets: bool) {
        self.replies.is_over(self.id);
        if resets {
            // The hub is frozen for a moment, so that it can't send anything that isn't seen.
            let hub = self.campaign.hub.get();
            if let Some(hub) = hub
                && process::send(hub, Signal::STOP)
            {
                while !process::is_stopped(hub) {
                    std::hint::spin_loop();
                }
            }
            stream.reset();
            let mut log = self.campaign.log.borrow_mut();
            log.reset(self.replies.number, self.tag);
            drop(log);
            if let Some(hub) = hub {
                process::send(hub, Signal::CONT);
            }
        } else {
            stream.close().await;
        }
        while let Some(message) = stream.message() {
            self.replies
                .record_unread(&message.data, self.id, Route::Closed);
        }
    }

    fn count(&self, kind: &'static str) {
        self.campaign.log.borrow_mut().fault(kind);
    }
}
