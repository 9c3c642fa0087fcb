//! Desktop notifications through a common daemon (dunst), on a session bus of its own that the test
//! monitors.

use crate::notify::{NOON, pipe};
use crate::support::hub::Hub;
use crate::support::sandbox::{BINARY, Running, Sandbox, run_to_end};

/// A desktop session with a virtual screen.
struct Desktop {
    sandbox: Sandbox,
    address: String,
    display: String,
    /// The messages on the bus.
    messages: Running,
    _running: Vec<Running>,
}

impl Desktop {
    fn new(settings: &str) -> Self {
        let sandbox = Sandbox::with_clock(NOON);
        sandbox.write_settings(settings);
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
        let mut messages = sandbox.command("dbus-monitor");
        messages.args(["--address", &address]);
        let mut messages = sandbox.start("dbus-monitor", messages);
        messages.out.find("it listens", |line| {
            line.contains("NameAcquired").then_some(())
        });
        let mut dunst = sandbox.command("dunst");
        dunst
            .env("DISPLAY", &display)
            .env("DBUS_SESSION_BUS_ADDRESS", &address);
        let dunst = sandbox.start("dunst", dunst);
        messages.out.find("dunst is there", |line| {
            line.contains("\"org.freedesktop.Notifications\"")
                .then_some(())
        });
        let desktop = Self {
            sandbox,
            address,
            display,
            messages,
            _running: vec![bus, screen, dunst],
        };
        desktop.run(BINARY, &["list"]);
        desktop
    }

    /// Runs a program within the session and returns its output.
    fn run(&self, program: &str, arguments: &[&str]) -> String {
        let mut command = self.sandbox.command(program);
        command
            .env("DISPLAY", &self.display)
            .env("DBUS_SESSION_BUS_ADDRESS", &self.address)
            .args(arguments);
        let output = run_to_end(command);
        assert!(
            output.status.success(),
            "{program} {arguments:?}: {output:?}"
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn advance_clock(&self, now: &str) {
        self.sandbox.set_clock(now);
        Hub::connect(&self.sandbox).set_clock(now);
    }

    /// Waits until dunst has returned the notification's number, and returns it.
    fn wait_until_shown(&mut self) -> String {
        self.messages.out.find("it is shown", |line| {
            line.starts_with("method return").then_some(())
        });
        self.messages.out.find("its number", |line| {
            line.trim().strip_prefix("uint32 ").map(str::to_owned)
        })
    }

    /// Waits until this method is called or signal sent, and then for these texts.
    fn wait_for_message(&mut self, member: &str, words: &[&str]) {
        let member = format!("member={member}");
        self.messages
            .out
            .find(&member, |line| line.contains(&member).then_some(()));
        for word in words {
            self.messages
                .out
                .find(word, |line| line.contains(word).then_some(()));
        }
    }
}

#[test]
fn all_asks_share_one_notification_until_they_are_answered() {
    let mut desktop = Desktop::new("");
    let first = desktop
        .sandbox
        .ask(&["Shall <b>I</b>?", "--title", "Pets & <b>more</b>"]);
    let second = desktop.sandbox.ask(&["Shall we?"]);
    desktop.advance_clock("2026-02-04T12:00:03Z");
    let words = [
        "\"ask-user\"",
        "\"2 questions wait for you\"",
        "\"sound-name\"",
    ];
    desktop.wait_for_message("Notify", &words);
    desktop.sandbox.run_ok(&["answer", &first, "--set", "yes"]);
    desktop.sandbox.run_ok(&["answer", &second, "--set", "yes"]);
    desktop.wait_for_message("CloseNotification", &[]);
    desktop.wait_for_message("NotificationClosed", &["uint32 3"]);
    let messages = desktop.messages.out.lines_so_far();
    assert_eq!(messages.matches("member=Notify\n").count(), 1, "{messages}");
    assert_eq!(desktop.run("dunstctl", &["count", "displayed"]).trim(), "0");
}

#[test]
fn agents_text_is_escaped_and_a_click_on_the_desktop_opens_the_ask() {
    let sandbox = Sandbox::new();
    let (path, mut clicks) = pipe(&sandbox, "clicks");
    let opener = format!(
        "opener = [\"sh\", \"-c\", \"echo clicked > {}\"]",
        path.display()
    );
    let mut desktop = Desktop::new(&format!("[notify]\nsound = false\n{opener}\n"));
    let id = desktop
        .sandbox
        .ask(&["Really?", "--title", "Pets & <b>more</b>"]);
    desktop.advance_clock("2026-02-04T12:00:03Z");
    let words = [
        "\"Pets &amp; &lt;b&gt;more&lt;/b&gt;\"",
        "\"default\"",
        "\"Open\"",
        "\"suppress-sound\"",
    ];
    desktop.wait_for_message("Notify", &words);
    let number = desktop.wait_until_shown();
    // A signal of another program doesn't count: the click below still opens the ask.
    let interface = "org.freedesktop.Notifications";
    let path = "/org/freedesktop/Notifications";
    let closed = format!("{interface}.NotificationClosed");
    let number = format!("uint32:{number}");
    let forged = ["--type=signal", path, &closed, &number, "uint32:3"];
    desktop.run("dbus-send", &forged);
    desktop.run("dunstctl", &["action"]);
    assert_eq!(clicks.next().as_deref(), Some("clicked"));
    desktop.sandbox.run_ok(&["answer", &id, "--set", "yes"]);
}

#[test]
fn a_bus_of_another_account_gets_no_notification() {
    let mut desktop = Desktop::new("");
    let shown = desktop.run(BINARY, &["notify", "--test"]);
    assert!(shown.contains("it is shown"), "{shown}");
    desktop.wait_for_message("Notify", &[]);
    let mut command = desktop.sandbox.command(BINARY);
    command
        .env("DBUS_SESSION_BUS_ADDRESS", &desktop.address)
        // No account has this number, so the bus counts as another account's.
        .env("ASK_USER_TEST_ACCOUNT", "4294967295")
        .args(["notify", "--test"]);
    let output = run_to_end(command);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("isn't served by this account"), "{said}");
    // One notification is shown: that of the first test.
    assert_eq!(desktop.run("dunstctl", &["count", "displayed"]).trim(), "1");
}

#[test]
fn the_next_hub_withdraws_the_notification_of_the_last() {
    let mut desktop = Desktop::new("");
    let id = desktop.sandbox.ask(&["Shall I?"]);
    desktop.advance_clock("2026-02-04T12:00:03Z");
    desktop.wait_for_message("Notify", &["\"Shall I?\""]);
    desktop.wait_until_shown();
    // By then the hub has received and stored it.
    desktop.run(BINARY, &["list"]);
    desktop.run(BINARY, &["list"]);
    Hub::connect(&desktop.sandbox).signal(rustix::process::Signal::TERM);
    desktop.run(BINARY, &["list"]);
    desktop.advance_clock("2026-02-04T12:00:33Z");
    desktop.run(BINARY, &["answer", &id, "--set", "yes"]);
    desktop.wait_for_message("CloseNotification", &[]);
    let messages = desktop.messages.out.lines_so_far();
    assert_eq!(messages.matches("member=Notify\n").count(), 1, "{messages}");
}
