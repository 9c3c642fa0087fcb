//! A surface that people would sit at: it hears of asks and answers them, at the
//! floor's socket or at the hub's.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::time::Duration;

use ask_core::draft::{Answer, Draft, Gaps};
use ask_core::{AskId, Record};
use ask_protocol::ipc::{self, Request, Response, Verdict};

/// How long anything may take before the run is given up.
pub const LIMIT: Duration = Duration::from_secs(120);

/// Where asks are shown and answered. An ask is known by the number in its question.
pub trait Surface: Send {
    /// Waits until something is shown that wasn't, and says what.
    fn shown(&mut self) -> Vec<u64>;
    /// Sends an answer: the pick, counted from zero.
    fn answer(&mut self, ask: u64, pick: usize);
    /// Waits until what was sent has come to rest.
    fn rest(&mut self);
    /// Listens for so long to nothing happening.
    fn listen(&mut self, time: Duration);
}

/// The floor's: a line an ask, a line an answer.
pub struct FloorSurface {
    listener: UnixListener,
    stream: Option<BufReader<UnixStream>>,
}

impl FloorSurface {
    /// Waits for a floor server that is started on this folder.
    pub fn at(folder: &Path) -> Self {
        let listener = UnixListener::bind(folder.join("surface.sock"))
            .expect("a socket can be made in a fresh folder");
        Self {
            listener,
            stream: None,
        }
    }

    fn stream(&mut self) -> &mut BufReader<UnixStream> {
        let listener = &self.listener;
        self.stream.get_or_insert_with(|| {
            let (stream, _) = listener.accept().expect("the floor connects");
            limit(&stream, LIMIT);
            BufReader::new(stream)
        })
    }
}

impl Surface for FloorSurface {
    fn shown(&mut self) -> Vec<u64> {
        let mut line = String::new();
        self.stream()
            .read_line(&mut line)
            .expect("the floor shows an ask");
        vec![line.trim().parse().expect("the floor shows numbers")]
    }

    fn answer(&mut self, ask: u64, pick: usize) {
        let line = format!("{ask} {}\n", super::rig::CHOICES[pick]);
        self.stream()
            .get_mut()
            .write_all(line.as_bytes())
            .expect("the floor takes an answer");
    }

    fn rest(&mut self) {}

    fn listen(&mut self, time: Duration) {
        let stream = self.stream();
        limit(stream.get_ref(), time);
        assert!(nothing(stream), "nothing is shown while nothing is asked");
        limit(stream.get_ref(), LIMIT);
    }
}

/// The hub's: bells, looks and settlements.
pub struct HubSurface {
    stream: BufReader<UnixStream>,
    line: Vec<u8>,
    next: u64,
    cursor: u64,
    asks: HashMap<u64, AskId>,
    unsettled: usize,
    undelivered: HashSet<u64>,
}

impl HubSurface {
    /// Connects to the hub of a home, and hears of every ask from now on.
    pub fn at(home: &Path) -> Self {
        let mut surface = Self::connect(home);
        surface.send(&Request::Watch { only_looks: false });
        surface.send(&Request::Waiting { first: None });
        surface.until(|response| matches!(response, Response::Records { .. }));
        surface
    }

    /// Connects to the hub of a home, and hears of nothing.
    pub fn connect(home: &Path) -> Self {
        let address =
            std::fs::read_to_string(home.join("hub.json")).expect("the hub says where it is");
        let address = ipc::read_address(&address).expect("the hub says it in its own form");
        let stream = UnixStream::connect(&address.socket).expect("the hub listens");
        limit(&stream, LIMIT);
        let mut surface = Self {
            stream: BufReader::new(stream),
            line: Vec::new(),
            next: 1,
            cursor: 0,
            asks: HashMap::new(),
            unsettled: 0,
            undelivered: HashSet::new(),
        };
        surface.send(&Request::Hello {
            version: env!("CARGO_PKG_VERSION").to_owned(),
        });
        surface
    }

    /// Files asks away as old ones: opened, answered and delivered.
    pub fn file_away(&mut self, records: &[Record]) {
        for record in records {
            self.send(&Request::Open {
                record: Box::new(record.clone()),
                wait: false,
                take_up: false.into(),
            });
        }
        records
            .iter()
            .for_each(|_| self.until(|response| matches!(response, Response::Opened { .. })));
        for record in records {
            let ask = super::rig::number_in(&record.ask.questions[0].text)
                .expect("its question has its number");
            self.asks.insert(ask, record.id.clone());
            self.answer(ask, 0);
        }
        records
            .iter()
            .for_each(|_| self.until(|response| matches!(response, Response::Settled { .. })));
        for record in records {
            self.send(&Request::Delivered {
                id: record.id.clone(),
                attempt: None,
            });
        }
        records
            .iter()
            .for_each(|_| self.until(|response| matches!(response, Response::Done { .. })));
    }

    /// Looks something up in what is over, however long that takes.
    pub fn look_up(&mut self, request: Request) {
        limit(self.stream.get_ref(), LIMIT * 10);
        let asked = self.begin(&request);
        while self.hear_reply() != asked {}
    }

    /// Begins with something that takes long.
    pub fn begin(&mut self, request: &Request) -> u64 {
        let number = self.next;
        self.send(request);
        number
    }

    /// Whether that has come to its end.
    pub fn has_ended(&mut self, number: u64) -> bool {
        limit(self.stream.get_ref(), Duration::from_millis(1));
        let ended = !nothing(&mut self.stream) && {
            limit(self.stream.get_ref(), LIMIT);
            self.hear_reply() == number
        };
        limit(self.stream.get_ref(), LIMIT);
        ended
    }

    /// To what the next reply is.
    fn hear_reply(&mut self) -> u64 {
        self.line.clear();
        let read = self.stream.read_until(b'\n', &mut self.line);
        read.expect("the hub says something");
        let (to, response) = ipc::read_response(&self.line).expect("the hub speaks its own form");
        if let Response::Fault { text, .. } = &response {
            panic!("the hub refused: {text}");
        }
        to
    }

    fn send(&mut self, request: &Request) {
        let line = ipc::write_request(self.next, request);
        self.next += 1;
        self.stream
            .get_mut()
            .write_all(&line)
            .expect("the hub takes a request");
    }

    fn until(&mut self, kind: impl Fn(&Response) -> bool) {
        loop {
            let (response, _) = self.hear();
            if kind(&response) {
                return;
            }
        }
    }

    /// Reads one response, answers a bell with a look, and says what is new.
    fn hear(&mut self) -> (Response, Vec<u64>) {
        self.line.clear();
        self.stream
            .read_until(b'\n', &mut self.line)
            .expect("the hub says something");
        let (_, response) = ipc::read_response(&self.line).expect("the hub speaks its own form");
        let mut fresh = Vec::new();
        match &response {
            Response::Bell => self.send(&Request::Changes { after: self.cursor }),
            Response::Records {
                records, cursor, ..
            } => {
                // Changes come a page at a time: the last look is the one that moves nothing.
                if *cursor != self.cursor {
                    self.cursor = *cursor;
                    self.send(&Request::Changes { after: *cursor });
                }
                fresh = records
                    .iter()
                    .filter_map(|record| self.note(record))
                    .collect();
            }
            Response::Settled { won, .. } => {
                assert!(*won, "nobody else answers");
                self.unsettled -= 1;
            }
            Response::Fault { text, .. } => panic!("the hub refused: {text}"),
            Response::Welcome { .. }
            | Response::Opened { .. }
            | Response::Record(_)
            | Response::Told { .. }
            | Response::Forgotten { .. }
            | Response::Figures(_)
            | Response::Done { .. }
            | Response::Filed { .. }
            | Response::File { .. }
            | Response::Status(_)
            | Response::PageKey { .. }
            | Response::Pairing(_) => {}
        }
        (response, fresh)
    }

    fn note(&mut self, record: &Record) -> Option<u64> {
        let ask = super::rig::number_in(&record.ask.questions[0].text)?;
        if record.is_delivered() {
            self.undelivered.remove(&ask);
        }
        let fresh = record.is_waiting() && self.asks.insert(ask, record.id.clone()).is_none();
        fresh.then_some(ask)
    }
}

impl Surface for HubSurface {
    fn shown(&mut self) -> Vec<u64> {
        loop {
            let (_, fresh) = self.hear();
            if !fresh.is_empty() {
                return fresh;
            }
        }
    }

    fn answer(&mut self, ask: u64, pick: usize) {
        let draft = Draft {
            answers: vec![Answer::picking([pick])],
            note: None,
        };
        let verdict = Verdict::Answer {
            draft,
            gaps: Gaps::Refuse,
        };
        let id = self.asks[&ask].clone();
        self.unsettled += 1;
        self.undelivered.insert(ask);
        self.send(&Request::Settle {
            id,
            verdict,
            surface: "bench".to_owned(),
            device: None,
            attempt: ask,
        });
    }

    fn rest(&mut self) {
        while self.unsettled > 0 || !self.undelivered.is_empty() {
            self.hear();
        }
    }

    fn listen(&mut self, time: Duration) {
        limit(self.stream.get_ref(), time);
        // What is still under way at the beginning is heard; the wait goes on after it.
        while !nothing(&mut self.stream) {
            self.hear();
        }
        limit(self.stream.get_ref(), LIMIT);
    }
}

fn limit(stream: &UnixStream, time: Duration) {
    stream
        .set_read_timeout(Some(time))
        .expect("a socket takes a limit");
}

/// Whether nothing comes before the limit.
fn nothing(stream: &mut BufReader<UnixStream>) -> bool {
    match stream.fill_buf() {
        Ok(bytes) => {
            assert!(!bytes.is_empty(), "the other side ended");
            false
        }
        Err(error) => {
            assert!(
                matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
                "{error}"
            );
            true
        }
    }
}
