//! The floor server's surface: one line for an ask, one for an answer.

use std::io::Write;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::time::Duration;

use super::Surface;
use crate::harness::CHOICES;
use crate::input::Input;

pub(super) struct FloorSurface {
    listener: UnixListener,
    connected: Option<(UnixStream, Input)>,
}

impl FloorSurface {
    /// Waits for a floor server that is started in this folder.
    pub(super) fn at(folder: &Path) -> Self {
        let listener = UnixListener::bind(folder.join("surface.sock"));
        Self {
            listener: listener.expect("a socket can be made in a fresh folder"),
            connected: None,
        }
    }

    fn connected(&mut self) -> &mut (UnixStream, Input) {
        let listener = &self.listener;
        self.connected.get_or_insert_with(|| {
            let (stream, _) = listener.accept().expect("the floor connects");
            let input = stream.try_clone().expect("the socket is cloned");
            (stream, Input::new(input))
        })
    }
}

impl Surface for FloorSurface {
    fn shown(&mut self) -> Vec<u64> {
        let line = self.connected().1.line();
        vec![line.parse().expect("the floor shows numbers")]
    }

    fn answer(&mut self, ask: u64, pick: usize) {
        let line = format!("{ask} {}\n", CHOICES[pick]);
        let sent = self.connected().0.write_all(line.as_bytes());
        sent.expect("the floor server reads the answer");
    }

    fn rest(&mut self) {}

    fn listen(&mut self, time: Duration) {
        let quiet = self.connected().1.is_quiet(time);
        assert!(quiet, "nothing is shown while nothing is asked");
    }
}
