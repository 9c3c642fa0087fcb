//! One call over HTTP through all its streams, as long as its client wants the reply and can
//! resume.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use rustix::process::Signal;
use tokio::sync::Notify;
use tokio::time::Instant;

use super::endpoint::Door;
use super::stream::Stream;
use super::stream_faults::{Break, Fate};
use crate::log::How;
use crate::model::{World, pause};
use crate::process;
use crate::replies::Hearing;

/// A killed hub is replaced within this time.
const ANOTHER_HUB: Duration = Duration::from_secs(3);

/// Tells a call that its client leaves, by resetting or closing the stream.
#[derive(Default)]
pub(super) struct Leaving {
    resets: Cell<bool>,
    word: Notify,
}

impl Leaving {
    /// Ends the stream.
    pub(super) fn now(&self, resets: bool) {
        self.resets.set(resets);
        self.word.notify_one();
    }
}

/// A call and its client.
pub(super) struct Call {
    pub world: Rc<World>,
    pub hearing: Rc<Hearing>,
    pub door: Door,
    pub id: i64,
    pub tag: Option<u64>,
    pub fate: Fate,
    pub leaving: Rc<Leaving>,
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
                End::Replied | End::Left => return self.hearing.forget(self.id),
                End::Broken(how) => {
                    self.count(match how.resets {
                        true => "streams reset",
                        false => "streams closed",
                    });
                    how.returns
                }
                End::Lost => {
                    self.count("streams lost with their hub");
                    Some(Duration::ZERO)
                }
            };
            drop(stream);
            let wanted = self.hearing.is_waited_for(self.id);
            let resumes = wanted && self.door.session.is_some() && last.is_some();
            let Some(away) = away.filter(|_| resumes) else {
                return self.hearing.forget(self.id);
            };
            pause(away).await;
            self.world.ledger.borrow_mut().count("streams resumed");
            request = self.door.resume(last.as_deref().unwrap_or_default());
        }
        self.is_over.set(true);
        self.hearing.forget(self.id);
    }

    /// Sends a request if a hub can be reached. A session waits for the next hub.
    async fn send(&self, request: &str) -> Option<Stream> {
        let until = Instant::now() + ANOTHER_HUB;
        loop {
            match Stream::send(self.door.port, request).await {
                Ok(stream) => return Some(stream),
                Err(_) if self.door.session.is_some() && Instant::now() < until => {
                    pause(Duration::from_millis(20)).await;
                }
                Err(_) => return None,
            }
        }
    }

    async fn read(&mut self, stream: &mut Stream, last: &mut Option<String>) -> End {
        let breaks = self.fate.breaks.pop();
        let (world, tag, slow) = (Rc::clone(&self.world), self.tag, self.fate.slow);
        let breaking = async {
            match breaks {
                Some(breaks) => breaks.moment(&world, tag).await,
                None => std::future::pending().await,
            }
        };
        let mut breaking = std::pin::pin!(breaking);
        let mut replied = false;
        let mut heard = false;
        let came = Cell::new(Instant::now());
        loop {
            while let Some(message) = stream.message() {
                let reply_to = match stream.resumes {
                    true => self.hearing.note_resumed(&message.data, came.get()),
                    false => self.hearing.note(&message.data, came.get()),
                };
                replied |= reply_to == Some(self.id);
                heard = true;
                *last = message.id.or(last.take());
            }
            if replied && self.fate.is_hasty && !stream.ended() {
                self.count("streams closed at their reply");
                return End::Replied;
            }
            if stream.ended() {
                return self.ended(stream, replied, heard);
            }
            let more = async {
                if let Some(slow) = slow {
                    stream.readable().await;
                    came.set(Instant::now());
                    pause(slow).await;
                } else {
                    stream.readable().await;
                    came.set(Instant::now());
                }
                stream.more().await
            };
            tokio::select! {
                more = more => match more {
                    Ok(true) => {}
                    _ => return self.ended(stream, replied, heard),
                },
                () = self.leaving.word.notified() => {
                    self.break_off(stream, self.leaving.resets.get()).await;
                    return End::Left;
                }
                () = &mut breaking => {
                    let how = breaks.expect("only a break ends this wait");
                    self.break_off(stream, how.resets).await;
                    return if replied { End::Replied } else { End::Broken(how) };
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
                self.world.ledger.borrow_mut().stuck.push(said);
                self.is_over.set(true);
            }
        }
        if self.door.session.is_none() {
            self.is_over.set(true);
        }
        match self.is_over.get() {
            true => End::Left,
            false => End::Lost,
        }
    }

    /// Ends a stream from this side. The replies that it had received are recorded as unread.
    async fn break_off(&self, stream: &mut Stream, resets: bool) {
        self.hearing.is_over(self.id);
        if resets {
            // The hub is frozen for a moment, so that it can't send anything that isn't seen.
            let hub = self.world.hub.get();
            if let Some(hub) = hub
                && process::send(hub, Signal::STOP)
            {
                while !process::stands_still(hub) {
                    std::hint::spin_loop();
                }
            }
            stream.reset();
            let mut ledger = self.world.ledger.borrow_mut();
            ledger.reset(self.hearing.number, self.tag);
            drop(ledger);
            if let Some(hub) = hub {
                process::send(hub, Signal::CONT);
            }
        } else {
            stream.close().await;
        }
        while let Some(message) = stream.message() {
            self.hearing.overhear(&message.data, self.id, How::Closed);
        }
    }

    fn count(&self, kind: &'static str) {
        self.world.ledger.borrow_mut().fault(kind);
    }
}
