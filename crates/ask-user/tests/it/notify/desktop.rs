//! Desktop notifications through a common daemon (dunst), on a session bus of its own that the test
//! monitors.

use crate::notify::{NOON, pipe};
use crate::support::hub::Hub;
use crate::support::sandbox::{BINARY, Running, Sandbox, ended};

/// A desktop session with a virtual screen.
struct Desktop {
    sandbox: Sandbox,
    address: String,
    display: String,
    /// The messages on the bus.
    said: Running,
    _running: Vec<Running>,
}

impl Desktop {
    fn new(settings: &str) -> Self {
        let sandbox = Sandbox::at(NOON);
        sandbox.settings(settings);
        let mut bus = sandbox.command("dbus-daemon");
        bus.args(["--session", "--nofork", "--nopidfile", "--print-address=1"]);
        let mut bus = sandbox.start("dbus-daemon", bus);
        let address = bus.out.next().expect("the bus prints its address");
        let mut screen = sandbox.command("Xvfb");
        screen.args(["-displayfd", "1", "-nolisten", "tcp"]);
        let mut screen = sandbox.start("Xvfb", screen);
        let display = format!(
            ":{}",
            screen.out.next().expect("the server prints its display")
        );
        let mut said = sandbox.command("dbus-monitor");
        said.args(["--address", &address]);
        let mut said = sandbox.start("dbus-monitor", said);
        said.out.find("it listens", |line| {
            line.contains("NameAcquired").then_some(())
        });
        let mut dunst = sandbox.command("dunst");
        dunst
            .env("DISPLAY", &display)
            .env("DBUS_SESSION_BUS_ADDRESS", &address);
        let dunst = sandbox.start("dunst", dunst);
        said.out.find("dunst is there", |line| {
            line.contains("\"org.freedesktop.Notifications\"")
                .then_some(())
        });
        let desktop = Self {
            sandbox,
            address,
            display,
            said,
            _running: vec![bus, screen, dunst],
        };
        desktop.runs(BINARY, &["list"]);
        desktop
    }

    /// Runs a program within the session and returns its output.
    fn runs(&self, program: &str, arguments: &[&str]) -> String {
        let mut command = self.sandbox.command(program);
        command
            .env("DISPLAY", &self.display)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.address)
            .args(arguments);
        let output = ended(command);
        assert!(
            output.status.success(),
            "{program} {arguments:?}: {output:?}"
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn later(&self, now: &str) {
        self.sandbox.set_clock(now);
        Hub::of(&self.sandbox).clock(now);
    }

    /// Waits until dunst has returned the notification's number.
    fn shown(&mut self) {
        self.said.out.find("it is shown", |line| {
            line.starts_with("method return").then_some(())
        });
    }

    /// Waits until this method is called or signal sent, and then for these texts.
    fn hears(&mut self, member: &str, words: &[&str]) {
        let member = format!("member={member}");
        self.said
            .out
            .find(&member, |line| line.contains(&member).then_some(()));
        for word in words {
            self.said
                .out
                .find(word, |line| line.contains(word).then_some(()));
        }
    }
}

#[test]
fn asks_are_one_notification_that_goes_when_all_are_answered_anywhere() {
    let mut desktop = Desktop::new("");
    let first = desktop
        .sandbox
        .asks(&["Shall <b>I</b>?", "--title", "Pets & <b>more</b>"]);
    let second = desktop.sandbox.asks(&["Shall we?"]);
    desktop.later("2026-02-04T12:00:03Z");
    let words = [
        "\"ask-user\"",
        "\"2 questions wait for you\"",
        "\"sound-name\"",
    ];
    desktop.hears("Notify", &words);
    desktop.sandbox.done(&["answer", &first, "--set", "yes"]);
    desktop.sandbox.done(&["answer", &second, "--set", "yes"]);
    desktop.hears("CloseNotification", &[]);
    desktop.hears("NotificationClosed", &["uint32 3"]);
    let said = desktop.said.out.said();
    assert_eq!(said.matches("member=Notify\n").count(), 1, "{said}");
    assert_eq!(
        desktop.runs("dunstctl", &["count", "displayed"]).trim(),
        "0"
    );
}

#[test]
fn agents_words_are_no_markup_and_a_click_opens() {
    let sandbox = Sandbox::new();
    let (path, mut clicks) = pipe(&sandbox, "clicks");
    let opener = format!(
        "opener = [\"sh\", \"-c\", \"echo clicked > {}\"]",
        path.display()
    );
    let mut desktop = Desktop::new(&format!("[notify]\nsound = false\n{opener}\n"));
    let id = desktop
        .sandbox
        .asks(&["Really?", "--title", "Pets & <b>more</b>"]);
    desktop.later("2026-02-04T12:00:03Z");
    let words = [
        "\"Pets &amp; &lt;b&gt;more&lt;/b&gt;\"",
        "\"default\"",
        "\"Open\"",
        "\"suppress-sound\"",
    ];
    desktop.hears("Notify", &words);
    desktop.shown();
    desktop.runs("dunstctl", &["action"]);
    assert_eq!(clicks.next().as_deref(), Some("clicked"));
    desktop.sandbox.done(&["answer", &id, "--set", "yes"]);
}

#[test]
fn the_next_hub_shows_nothing_again_and_takes_back_what_the_one_before_it_has_shown() {
    let mut desktop = Desktop::new("");
    let id = desktop.sandbox.asks(&["Shall I?"]);
    desktop.later("2026-02-04T12:00:03Z");
    desktop.hears("Notify", &["\"Shall I?\""]);
    desktop.shown();
    // By then the hub has received and stored it.
    desktop.runs(BINARY, &["list"]);
    desktop.runs(BINARY, &["list"]);
    Hub::of(&desktop.sandbox).signal(rustix::process::Signal::TERM);
    desktop.runs(BINARY, &["list"]);
    desktop.later("2026-02-04T12:00:33Z");
    desktop.runs(BINARY, &["answer", &id, "--set", "yes"]);
    desktop.hears("CloseNotification", &[]);
    let said = desktop.said.out.said();
    assert_eq!(said.matches("member=Notify\n").count(), 1, "{said}");
}
