//! Checks the settings against their table and the default settings file, and reads files with
//! mistakes.

use super::*;

fn problems(text: &str) -> String {
    let problems = Config::parse(text).problems;
    let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
    said.join("\n")
}

#[test]
fn the_default_settings_file_holds_all_defaults() {
    let shipped = include_str!("../config.default.toml");
    for setting in SETTINGS {
        let line = format!("# {} = {}\n", setting.key, setting.default());
        assert!(shipped.contains(&line), "{}", setting.path());
    }
    let sets = |line: &&str| line.contains(" = ") || line.starts_with('[');
    let (settings, _) = shipped.split_once("[clients.").expect("clients come last");
    let written: Vec<&str> = settings
        .lines()
        .filter(sets)
        .map(|line| line.trim_start_matches("# "))
        .collect();
    for text in [shipped, &written.join("\n")] {
        let read = Config::parse(text);
        assert_eq!(read.config, Config::default());
        assert!(read.problems.is_empty(), "{:?}", read.problems);
    }
}

#[test]
fn every_setting_can_be_set_and_a_wrong_value_leaves_the_default() {
    for (line, setting) in [
        ("hub.idle_minutes = 0", "idle: None"),
        ("asks.take_up_hours = 2", "take_up: 7200s"),
        ("asks.patience_seconds = 90", "patience: Some(90s)"),
        ("dialogs.use = 'never'", "dialogs: Never"),
        ("history.keep_days = 7", "keep_days: 7"),
        (
            "history.skip_projects = ['/a/b']",
            "skip_projects: [\"/a/b\"]",
        ),
        ("tasks.use = true", "tasks: true"),
        ("http.enabled = false", "enabled: false"),
        ("http.port = 0", "port: 0"),
        ("http.tls_cert = '/a/c.pem'", "tls_cert: Some(\"/a/c.pem"),
        ("http.tls_key = '/a/k.pem'", "tls_key: Some(\"/a/k.pem"),
        ("notify.desktop = 'never'", "desktop: Never"),
        ("notify.sound = false", "sound: false"),
        ("notify.terminal = 'bell'", "terminal: Bell"),
        ("notify.escalate_after_seconds = 5", "seconds: 5"),
        ("notify.quiet_hours = '22:00-07:30'", "quiet: Some("),
        ("notify.privacy = 'private'", "privacy: Private"),
        ("notify.command = ['a', 'b']", "command: [\"a\", \"b\"]"),
        ("notify.opener = ['a']", "opener: [\"a\"]"),
        ("notify.webhook = 'http://127.0.0.1:1/x'", "webhook: Some("),
        ("notify.webhook_secret = 'x'", "webhook_secret: Some("),
        ("notify.ntfy = 'https://ntfy.sh/x'", "ntfy: Some("),
        ("notify.ntfy_token = 'x'", "ntfy_token: Some("),
    ] {
        let read = Config::parse(line);
        assert!(read.problems.is_empty(), "{line}: {:?}", read.problems);
        let config = format!("{:?}", read.config);
        assert!(config.contains(setting), "{line}: {config}");
        assert_ne!(read.config, Config::default());
    }
    for setting in SETTINGS {
        for wrong in ["-1", "[]", "'loud'", "9000000000000000000"] {
            let path = setting.path();
            let read = Config::parse(&format!("{path} = {wrong}"));
            // Some settings take any text, or any list of words.
            let any = ["[]", "'loud'"].contains(&wrong);
            if any && read.problems.is_empty() {
                continue;
            }
            let said = read.problems[0].to_string();
            let wanted = format!("{path}: must be {}, not ", setting.takes());
            assert!(said.starts_with(&wanted), "{said}");
            let mut safe = Config::default();
            safe.http.enabled = setting.section != "http";
            safe.keep_days = 0;
            assert_eq!(read.config, safe, "{path} = {wrong}");
        }
    }
}

#[test]
fn words_of_earlier_versions_are_still_read() {
    for (old, new) in [("park", Leaving::Leave), ("seed4", Leaving::Cancel)] {
        let read = Config::parse(&format!("terminal.esc = '{old}'"));
        assert!(read.problems.is_empty(), "{:?}", read.problems);
        assert_eq!(read.config.terminal.leaving, new);
    }
}

#[test]
fn every_problem_names_its_path_and_other_settings_apply() {
    let said = problems("colour = 'red'\nhub = 3\n[asks]\nidle = 3\npatience_seconds = true\n");
    for words in [
        "colour: is not a setting\n  the settings there are: hub.idle_minutes, ",
        "hub: is not a setting",
        "asks.idle: is not a setting",
        "asks.patience_seconds: must be a whole number of seconds, 0 or more, not true\n  until that is mended, it is 0",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let read = Config::parse("[hub]\nidle = 3\n[tasks]\nuse = true");
    assert!(read.config.tasks && read.config.http.enabled);
    for meant in [
        "[http]\nenabled = no",
        "[http]\nenable = false",
        "http = false",
    ] {
        let read = Config::parse(meant);
        assert!(!read.config.http.enabled, "{meant}");
        let said = read.problems[0].to_string();
        assert!(
            said.contains("http") && said.contains("until that is mended"),
            "{said}"
        );
    }
}

#[test]
fn any_mistake_turns_off_automatic_removal() {
    let meant = "history.keep_days = 7\nhistory.skip_projects = ['/a']\n";
    let well = Config::parse(meant);
    assert!(!well.keeps_all && well.config.keep_days == 7);
    for mistake in [
        "foo = 1",
        "terminal.mouse = 'tru'",
        "terminal.mouse = tru",
        "history.keepdays = 0",
        "notify.webhook = 'nowhere'",
        "clients.zed.colour = 'red'",
        "keys.card.decline = 'Hyper+Q'",
    ] {
        let read = Config::parse(&format!("{meant}{mistake}"));
        assert_eq!(read.problems.len(), 1, "{mistake}: {:?}", read.problems);
        assert!(read.keeps_all, "{mistake}");
        assert_eq!(read.config.keep_days, 0, "{mistake}");
        assert!(read.config.skip_projects.is_empty(), "{mistake}");
    }
    let said = problems("history.keep_days = 'forever'");
    assert!(
        said.contains("until that is mended, nothing is removed by itself"),
        "{said}"
    );
    let mut port = Config::parse(meant);
    port.override_port(Some(OsStr::new("none")));
    assert!(
        !port.problems.is_empty() && !port.keeps_all,
        "the file has no mistake"
    );
}

#[test]
fn mistakes_in_tables_of_clients_are_reported() {
    let said = problems(
        "clients.codex = 3\n[clients.zed]\nlimit_ms = -1\nprogress = 'yes'\ncolour = 'red'\n\
         [clients.claude]\nlimit_ms = 5\n[clients.mine]\nnames = ['mine']\ndialogs = ['form']\n",
    );
    for words in [
        "clients.codex: must be a table",
        "clients.zed.limit_ms: must be a whole number, 0 to 2147483647",
        "clients.zed.progress: must be \"extends\" or \"ignored\" or \"no-token\"",
        "clients.zed.colour: is not a setting\n  what can be set of a client: name, names, limit_ms, ",
        "clients.claude: is not a client that we know",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(!said.contains("mine"), "{said}");
}

#[test]
fn invalid_addresses_hours_and_commands_are_reported() {
    for line in [
        "notify.webhook = 'example.org/hook'",
        "notify.webhook = 'file:///etc/passwd'",
        "notify.webhook = 'http://a b'",
        "notify.ntfy = 'https://ntfy.sh'",
        "notify.ntfy = 'https://ntfy.sh/'",
        "notify.ntfy = 'my-topic'",
        "notify.quiet_hours = '22-7'",
        "notify.command = 'notify-send'",
        "notify.command = [1]",
    ] {
        assert_eq!(Config::parse(line).problems.len(), 1, "{line}");
    }
}

#[test]
fn settings_that_another_account_may_change_or_that_have_no_end_are_not_read() {
    use std::os::unix::fs::PermissionsExt as _;

    let outer = std::env::temp_dir().join(format!("settings-{}", std::process::id()));
    let folder = outer.join("ask-user");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("config.toml");
    std::fs::write(&file, "[notify]\ncommand = [\"touch\", \"here\"]\n").unwrap();
    let command_with = |folder_mode, file_mode| {
        let may = std::fs::Permissions::from_mode;
        std::fs::set_permissions(&folder, may(folder_mode)).unwrap();
        std::fs::set_permissions(&file, may(file_mode)).unwrap();
        let read = Config::read(&file);
        let said: Vec<String> = read.problems.iter().map(ToString::to_string).collect();
        (read.config.notify.command.len(), said.join("\n"))
    };
    assert_eq!(command_with(0o775, 0o664), (2, String::new()));
    for (folder_mode, file_mode) in [(0o755, 0o666), (0o777, 0o644)] {
        let (words, said) = command_with(folder_mode, file_mode);
        assert_eq!(words, 0, "{said}");
        assert!(said.contains("may be changed by other accounts"), "{said}");
    }
    let outer_mode = |mode| std::fs::set_permissions(&outer, std::fs::Permissions::from_mode(mode));
    outer_mode(0o777).unwrap();
    let (words, said) = command_with(0o755, 0o644);
    assert_eq!(words, 0, "whoever may replace its folder may replace it");
    let place = format!("{} may be changed by other accounts", outer.display());
    assert!(said.contains(&place), "{said}");
    outer_mode(0o755).unwrap();
    let sparse = File::create(&file).unwrap();
    sparse.set_len(5_000_000_000).unwrap();
    let (_, said) = command_with(0o755, 0o644);
    assert!(said.contains("more than 1048576 bytes"), "{said}");
    std::fs::remove_dir_all(&outer).unwrap();
}

#[test]
fn names_in_the_settings_bring_no_terminal_escapes() {
    let read = Config::parse("\"a\\u001b]0;title\\u0007\" = 1\n[\"b\\u202e\"]\n");
    let said: Vec<String> = read.problems.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    let hidden = |letter: char| letter.is_control() && letter != '\n' || letter == '\u{202e}';
    assert!(!said.concat().contains(hidden), "{said:?}");
}

#[test]
fn a_syntax_error_names_its_place_and_not_the_line() {
    let read = Config::parse("[notify]\nsound = true\nwebhook_secret = 'hush\n");
    let [problem] = read.problems.as_slice() else {
        panic!("{:?}", read.problems);
    };
    assert!(problem.what.starts_with("line 3, column "), "{problem:?}");
    assert!(!problem.what.contains("hush"), "{problem:?}");
    assert!(!read.config.http.enabled, "nothing is sure");
}
