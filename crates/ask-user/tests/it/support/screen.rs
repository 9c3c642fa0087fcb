//! A real terminal: tmux on a socket of its own, in control mode. Each output of the program is an
//! event, so that a test looks again only when something has changed, and never sleeps.

#![expect(
    clippy::disallowed_methods,
    reason = "waits have a time limit, and the program tells keys from a paste by their pace"
)]

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::lines::LIMIT;
use super::sandbox::{BINARY, Sandbox};

/// Longer than the time within which the program takes keys for a paste.
const PACE: Duration = Duration::from_millis(25);

/// Writes down its process id, executes the program, and reports how it ended. It then waits, so
/// that further keys do no harm.
const KEEPER: &str = r#"file=$1; shift
sh -c 'echo $$ >"$0"; exec "$@"' "$file" "$@"
code=$?; rm "$file"
printf '[ended %s]\n' $code
exec cat >/dev/null"#;

/// A terminal with a program in it.
pub(crate) struct Screen {
    /// The client in control mode, whose output reports changes.
    control: Child,
    changes: Receiver<()>,
    /// The program's whole output.
    written: Arc<Mutex<Vec<u8>>>,
    /// The last message of tmux about itself, such as why it ended.
    remark: Arc<Mutex<String>>,
    socket: PathBuf,
    process: PathBuf,
}

impl Screen {
    /// `ask-user` with these arguments in a terminal of 100 columns and 30 rows.
    pub(crate) fn open(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let program = [&[BINARY], arguments].concat();
        Self::start(sandbox, &[], &program)
    }

    /// Any program, with more variables in its environment.
    pub(crate) fn start(sandbox: &Sandbox, environment: &[(&str, &str)], program: &[&str]) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let socket = sandbox.home().join(format!("tmux-{number}"));
        let process = sandbox.home().join(format!("process-{number}"));
        let mut tmux = sandbox.command("tmux");
        for name in ["NO_COLOR", "ACCESSIBLE", "TMUX", "TMUX_PANE"] {
            tmux.env_remove(name);
        }
        tmux.env("LC_ALL", "C.UTF-8").env("TERM", "xterm-256color");
        tmux.envs(environment.iter().copied());
        tmux.arg("-uCS").arg(&socket).args(["-f", "/dev/null"]);
        let opening = "set -sg escape-time 0 ; set -g default-terminal tmux-256color ; \
                       new-session -d -x 100 -y 30 sh -c";
        tmux.args(opening.split_whitespace());
        tmux.args([KEEPER, "keeper"]).arg(&process).args(program);
        // Not earlier: a server without a window rejects these options.
        let attaching = "; set -g window-size manual ; set -s exit-unattached on ; \
                         attach-session -f ignore-size";
        tmux.args(attaching.split_whitespace());
        tmux.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut control = tmux.spawn().expect("tmux starts: install it");
        let output = control.stdout.take().expect("its output is piped");
        let written = Arc::new(Mutex::new(Vec::new()));
        let remark = Arc::default();
        let (sender, changes) = channel();
        let (output_copy, remark_copy) = (Arc::clone(&written), Arc::clone(&remark));
        thread::spawn(move || {
            read_reports(BufReader::new(output), &output_copy, &remark_copy, &sender)
        });
        let screen = Self {
            control,
            changes,
            written,
            remark,
            socket,
            process,
        };
        screen.wait_for_change("the terminal opens", Instant::now() + LIMIT);
        screen
    }

    /// Presses keys by tmux's names for them.
    pub(crate) fn press(&self, keys: &[&str]) {
        for keys in keys.chunk_by(|last, next| *last != "Escape" && *next != "Enter") {
            if keys.first() == Some(&"Enter") {
                self.pause();
            }
            self.tmux(&[&["send-keys"], keys].concat());
            if keys.last() == Some(&"Escape") {
                // Sent together, Escape and the next key would be Alt with a letter.
                self.pause();
            }
        }
    }

    /// Presses keys faster than a person could, including Enter.
    pub(crate) fn press_at_once(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// Waits as long as a finger takes from one key to the next: the program takes faster keys for
    /// a paste.
    fn pause(&self) {
        let until = Instant::now() + PACE;
        while let Some(left) = until.checked_duration_since(Instant::now()) {
            // The next wait captures any change in between.
            self.changes.recv_timeout(left).ok();
        }
    }

    /// Types text, letter by letter.
    pub(crate) fn type_text(&self, text: &str) {
        self.tmux(&["send-keys", "-l", "--", text]);
    }

    /// Clicks on the first place that shows a text (mouse report SGR 1006: button, column, row).
    pub(crate) fn click(&self, text: &str) {
        self.wait_for(text);
        let screen = self.screen();
        let found = screen.lines().zip(1..).find_map(|(line, row)| {
            let before = line.split_once(text)?.0;
            Some((before.chars().count() + 1, row))
        });
        let (column, row): (usize, usize) = found.expect("the text is on the screen");
        let report = format!("\u{1b}[<0;{column};{row}M");
        let bytes: Vec<String> = report.bytes().map(|byte| format!("{byte:02x}")).collect();
        let mut keys = vec!["send-keys", "-H"];
        keys.extend(bytes.iter().map(String::as_str));
        self.tmux(&keys);
    }

    /// Pastes text as a terminal does: bracketed if the program has asked for that.
    pub(crate) fn paste(&self, text: &str) {
        let file = self.process.with_extension("paste");
        std::fs::write(&file, text).expect("a writable home");
        self.tmux(&["load-buffer", &file.to_string_lossy()]);
        self.tmux(&["paste-buffer", "-p"]);
    }

    /// Pastes text as a terminal without bracketed paste does: like typed keys.
    pub(crate) fn paste_unmarked(&self, text: &str) {
        let file = self.process.with_extension("paste");
        std::fs::write(&file, text).expect("a writable home");
        self.tmux(&["load-buffer", &file.to_string_lossy()]);
        self.tmux(&["paste-buffer"]);
    }

    /// Changes the terminal's size.
    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        let (columns, rows) = (columns.to_string(), rows.to_string());
        self.tmux(&["resize-window", "-x", &columns, "-y", &rows]);
    }

    /// Sends a signal to the program.
    pub(crate) fn signal(&self, signal: Signal) {
        let number = self.program_pid().and_then(Pid::from_raw);
        kill_process(number.expect("the program runs"), signal).expect("the process exists");
    }

    /// The program's process id while it runs; its keeper writes it down and removes it.
    fn program_pid(&self) -> Option<i32> {
        let number = std::fs::read_to_string(&self.process).ok()?;
        number.trim().parse().ok()
    }

    /// Waits until a text is on the screen.
    pub(crate) fn wait_for(&self, text: &str) {
        self.poll(&format!("\"{text}\" is shown"), |capture| {
            capture.text.contains(text)
        });
    }

    /// Waits until one of these texts is on the screen.
    pub(crate) fn wait_for_any(&self, texts: &[&str]) {
        self.poll(&format!("one of {texts:?} is shown"), |capture| {
            texts.iter().any(|text| capture.text.contains(text))
        });
    }

    /// Waits until a text is no longer on the screen.
    pub(crate) fn wait_until_gone(&self, text: &str) {
        self.poll(&format!("\"{text}\" is gone"), |capture| {
            !capture.text.contains(text)
        });
    }

    /// Waits until the row of the cursor contains a text.
    pub(crate) fn wait_until_selected(&self, text: &str) {
        self.poll(&format!("\"{text}\" is marked"), |capture| {
            let mut rows = capture.text.lines().filter(|row| row.contains('›'));
            rows.any(|row| row.contains(text))
        });
    }

    /// Waits until a text is on the screen and not dim.
    pub(crate) fn wait_until_bright(&self, text: &str) {
        self.poll(&format!("\"{text}\" is bright"), |capture| {
            capture.is_bright(text)
        });
    }

    /// Waits until the rows take keys: they are dim while the guard ignores answers.
    pub(crate) fn wait_until_ready(&self) {
        self.wait_until_bright("›");
    }

    /// Waits for the program's end; returns its exit code.
    pub(crate) fn wait_for_exit(&self) -> i32 {
        self.wait_for("[ended ");
        let screen = self.screen();
        let code = screen
            .split("[ended ")
            .nth(1)
            .and_then(|rest| rest.split(']').next());
        let code = code.and_then(|code| code.parse().ok());
        code.unwrap_or_else(|| panic!("it ends with a code:\n{screen}"))
    }

    /// The text on the screen.
    pub(crate) fn screen(&self) -> String {
        self.capture().text
    }

    /// The program's whole output, control characters included.
    pub(crate) fn written(&self) -> String {
        let written = self.written.lock().expect("no holder of the lock panics");
        String::from_utf8_lossy(&written).into_owned()
    }

    /// Waits until the program has written a text, visible or not.
    pub(crate) fn wait_for_output(&self, text: &str) {
        self.poll(&format!("{text:?} is written"), |_| {
            self.written().contains(text)
        });
    }

    /// Waits until the terminal's title begins with a text.
    pub(crate) fn wait_for_title(&self, text: &str) {
        self.poll(&format!("the title begins with {text:?}"), |_| {
            self.tmux_variable("pane_title").starts_with(text)
        });
    }

    /// A variable of tmux about the terminal, such as `alternate_on`.
    pub(crate) fn tmux_variable(&self, name: &str) -> String {
        let output = self.tmux(&["display-message", "-p", &format!("#{{{name}}}")]);
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Waits until the terminal's cursor is in this column, counted from zero.
    pub(crate) fn wait_for_cursor(&self, column: usize) {
        let (wanted, name) = (column.to_string(), "cursor_x");
        self.poll(&format!("the caret is in column {column}"), |_| {
            self.tmux_variable(name) == wanted
        });
    }

    /// The column at which a text begins in a row of the screen, as the terminal counts columns.
    pub(crate) fn column(&self, row: usize, text: &str) -> usize {
        self.poll(&format!("{text:?} is in row {row}"), |capture| {
            let line = capture.text.lines().nth(row);
            line.is_some_and(|line| line.contains(text))
        });
        let (row, position) = (row.to_string(), "#{copy_cursor_y} #{copy_cursor_x}");
        let mut steps = vec!["copy-mode", ";", "send-keys", "-X", "top-line", ";"];
        if row != "0" {
            steps.extend(["send-keys", "-X", "-N", &row, "cursor-down", ";"]);
        }
        steps.extend(["send-keys", "-X", "start-of-line", ";"]);
        steps.extend(["send-keys", "-X", "search-forward-text", text, ";"]);
        steps.extend([
            "display-message",
            "-p",
            position,
            ";",
            "send-keys",
            "-X",
            "cancel",
        ]);
        let output = self.tmux(&steps);
        let found = String::from_utf8_lossy(&output.stdout).into_owned();
        let place = found.trim().split_once(' ');
        let column = place.and_then(|(at, column)| (at == row).then(|| column.parse().ok())?);
        column.unwrap_or_else(|| panic!("{text:?} is in row {row}, not at {found}"))
    }

    /// The settings of the terminal line, such as `echo` or `-echo`.
    pub(crate) fn settings(&self) -> Vec<String> {
        let line = self.tmux_variable("pane_tty");
        let output = Command::new("stty").args(["-a", "-F", &line]).output();
        let output = output.expect("stty runs");
        let text = String::from_utf8_lossy(&output.stdout);
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn poll(&self, what: &str, is_wanted: impl Fn(&Capture) -> bool) {
        let limit = Instant::now() + LIMIT;
        loop {
            // Changes up to now are part of this capture.
            while self.changes.try_recv().is_ok() {}
            if is_wanted(&self.capture()) {
                return;
            }
            self.wait_for_change(what, limit);
        }
    }

    fn wait_for_change(&self, what: &str, limit: Instant) {
        let left = limit.saturating_duration_since(Instant::now());
        let changed = self.changes.recv_timeout(left);
        assert!(
            changed.is_ok(),
            "waiting until {what} ({changed:?}), and this is shown:\n{}",
            self.screen()
        );
    }

    fn capture(&self) -> Capture {
        let output = self.tmux(&["capture-pane", "-p", "-e"]);
        Capture::parse(&String::from_utf8_lossy(&output.stdout))
    }

    fn tmux(&self, arguments: &[&str]) -> Output {
        let mut tmux = Command::new("tmux");
        tmux.env("LC_ALL", "C.UTF-8").arg("-uS").arg(&self.socket);
        let output = tmux.args(arguments).output().expect("tmux runs");
        assert!(
            output.status.success(),
            "tmux {arguments:?}: {output:?}; its last remark was {:?}",
            self.remark.lock().expect("no holder of the lock panics")
        );
        output
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Killed at once: a program with time to end cleanly would start a hub in a home that is
        // gone.
        if let Some(number) = self.program_pid().and_then(Pid::from_raw) {
            let _ = kill_process(number, Signal::KILL);
        }
        let mut tmux = Command::new("tmux");
        // A failed test may never have started it, so errors are dropped.
        let _ = tmux.arg("-S").arg(&self.socket).arg("kill-server").output();
        let _ = self.control.kill();
        let _ = self.control.wait();
    }
}

/// The characters of a screen, and whether each is dim.
struct Capture {
    text: String,
    dim: Vec<bool>,
}

impl Capture {
    /// Parses a screen with its style sequences.
    fn parse(styled: &str) -> Self {
        let (mut text, mut dims, mut dim) = (String::new(), Vec::new(), false);
        let mut rest = styled;
        while let Some(first) = rest.chars().next() {
            if let Some(style) = rest.strip_prefix("\u{1b}[") {
                let end = style.find(|letter: char| letter.is_ascii_alphabetic());
                let (numbers, after) = style.split_at(end.unwrap_or(style.len()));
                dim = dims_after(numbers, dim);
                rest = after.get(1..).unwrap_or_default();
                continue;
            }
            text.push(first);
            dims.extend(std::iter::repeat_n(dim, first.len_utf8()));
            rest = &rest[first.len_utf8()..];
        }
        Self { text, dim: dims }
    }

    fn is_bright(&self, text: &str) -> bool {
        let mut places = self.text.match_indices(text);
        places.any(|(at, _)| !self.dim[at])
    }
}

/// Whether text is dim after these parameters of a style (ECMA-48, SGR).
fn dims_after(numbers: &str, before: bool) -> bool {
    let mut dim = before;
    let mut numbers = numbers.split([';', ':']);
    while let Some(number) = numbers.next() {
        match number {
            "" | "0" | "22" => dim = false,
            "2" => dim = true,
            // A colour by its number in the palette takes two further parameters.
            "38" | "48" => drop(numbers.nth(1)),
            _ => {}
        }
    }
    dim
}

/// Reads what tmux reports about the terminal, until it ends.
fn read_reports(
    output: impl BufRead,
    written: &Mutex<Vec<u8>>,
    remark: &Mutex<String>,
    changes: &Sender<()>,
) {
    for line in output.split(b'\n').map_while(Result::ok) {
        let said = line.strip_prefix(b"%output ");
        if let Some(at) = said.and_then(|said| said.iter().position(|&byte| byte == b' ')) {
            let bytes = unescape(&said.unwrap_or_default()[at + 1..]);
            written
                .lock()
                .expect("no holder of the lock panics")
                .extend(bytes);
        } else {
            *remark.lock().expect("no holder of the lock panics") =
                String::from_utf8_lossy(&line).into_owned();
        }
        if changes.send(()).is_err() {
            return;
        }
    }
}

/// Decodes the output of tmux, which writes invisible bytes as `\033`.
fn unescape(said: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(said.len());
    let mut rest = said;
    while let [first, after @ ..] = rest {
        let octal = after.get(..3).filter(|_| *first == b'\\');
        let octal = octal.and_then(|digits| std::str::from_utf8(digits).ok());
        match octal.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[3..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    bytes
}
