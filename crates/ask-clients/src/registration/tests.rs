//! Properties of registrations for any text of settings: other values, comments and lines stay, a
//! second registration changes nothing, and unregistering restores the text.

use std::path::Path;
use std::sync::LazyLock;

use ask_core::Json;
use ask_files::Root;
use ask_protocol::text_json;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::sample::Index;

use super::apply::{After, cleared, entered};
use super::change::{missing, ours};
use super::config_dir::Folder;
use super::plan::File;
use super::text::{Format, edit, read};
use super::{diff, file_io, testing};

/// Every file of every client.
static FILES: LazyLock<Vec<File>> = LazyLock::new(testing::files);

/// The files of this format.
fn files(format: Format) -> Vec<&'static File> {
    let files = FILES.iter();
    files.filter(|file| file.format == format).collect()
}

fn registered(file: &File, text: &str) -> String {
    entered(file, text).unwrap_or_else(|problem| panic!("{problem:?}:\n{text}"))
}

/// Registers and unregisters, with a backup and without.
fn there_and_back(file: &File, text: &str) -> Result<(), proptest::test_runner::TestCaseError> {
    let there = registered(file, text);
    // An object on a single line is split into several.
    let single = text.trim().lines().count() == 1 && text.contains('{');
    for line in text.lines().map(own).filter(|_| !single) {
        prop_assert!(
            there.lines().map(own).any(|kept| kept.contains(&line)),
            "{line:?} is kept:\n{text}\n---\n{there}"
        );
    }
    prop_assert_eq!(
        &registered(file, &there),
        &there,
        "a second time changes nothing"
    );
    let back = cleared(file, &there, Some(text)).expect("a registered text can be edited");
    prop_assert_eq!(
        back,
        Some(After::Text(text.to_owned())),
        "to the letter:\n{}",
        there
    );
    // Without a backup, the values and every comment are restored.
    let tree = read(file.format, &there).expect("a registered text can be read");
    let original = read(file.format, text).expect("the original can be read");
    let changes = ours(&tree, Some(&original), &file.pieces);
    let back = edit(file.format, &there, &changes).expect("a registered text can be edited");
    prop_assert_eq!(read(file.format, &back), Ok(original));
    for comment in text
        .lines()
        .filter_map(|line| line.find("note ").map(|at| &line[at..]))
    {
        prop_assert!(
            back.contains(comment),
            "{comment:?} is kept:\n{there}\n---\n{back}"
        );
    }
    Ok(())
}

/// A line without what an edit may add or remove: commas and brackets.
fn own(line: &str) -> String {
    let line = line.replace([',', '\u{feff}'], "");
    let line = line.trim().trim_start_matches('{');
    line.trim_end_matches(['{', '}', '[', ']', ' ']).to_owned()
}

#[derive(Clone, Debug)]
struct Style {
    indent: &'static str,
    ending: &'static str,
    comments: bool,
    trailing: bool,
    last_ending: bool,
    bom: bool,
}

fn style() -> impl Strategy<Value = Style> {
    let indent = prop_oneof![Just("  "), Just("    "), Just("\t")];
    let flags = (
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
    );
    (indent, flags).prop_map(
        |(indent, (crlf, comments, trailing, last_ending, bom))| Style {
            indent,
            ending: if crlf { "\r\n" } else { "\n" },
            comments,
            trailing,
            last_ending,
            bom,
        },
    )
}

impl Style {
    fn text(&self, lines: &[String]) -> String {
        let mut text = lines.join(self.ending);
        if self.last_ending && !lines.is_empty() {
            text.push_str(self.ending);
        }
        if self.bom {
            text.insert(0, '\u{feff}');
        }
        text
    }
}

/// The other servers and settings of a person: whether each exists, and a word for it.
fn others() -> impl Strategy<Value = Vec<(bool, String)>> {
    vec((any::<bool>(), "[a-z]{1,6}[ é]?[a-z0-9]{0,3}"), 0..4)
}

fn json_lines(at: &[String], others: &[(bool, String)], style: &Style, one: bool) -> Vec<String> {
    let comma = |last: bool| if last && !style.trailing { "" } else { "," };
    let note = |number: usize| match style.comments {
        true => format!(" // note {number}"),
        false => String::new(),
    };
    let inside: Vec<&(bool, String)> = others.iter().filter(|(inside, _)| *inside).collect();
    let outside: Vec<&(bool, String)> = others.iter().filter(|(inside, _)| !*inside).collect();
    if one {
        let fields: Vec<String> = outside
            .iter()
            .enumerate()
            .map(|(number, (_, word))| format!("\"s{number}\": {:?}", word))
            .collect();
        return vec![format!("{{{}}}", fields.join(", "))];
    }
    let indent = style.indent;
    let mut lines = vec!["{".to_owned()];
    for (number, (_, word)) in outside.iter().enumerate() {
        if style.comments {
            lines.push(format!("{indent}/* note above {number} */"));
        }
        let last = inside.is_empty() && number + 1 == outside.len();
        let end = format!("{}{}", comma(last), note(number));
        lines.push(format!(
            "{indent}\"s{number}\": [\"{word}\", {{\"x\": 1.50}}]{end}"
        ));
    }
    if !inside.is_empty() {
        lines.push(format!("{indent}\"{}\": {{", at[0]));
        for (number, (_, word)) in inside.iter().enumerate() {
            let end = format!("{}{}", comma(number + 1 == inside.len()), note(number + 10));
            lines.push(format!(
                "{indent}{indent}\"o{number}\": {{\"command\": \"{word}\"}}{end}"
            ));
        }
        lines.push(format!("{indent}}}{}", comma(true)));
    }
    lines.push("}".to_owned());
    lines
}

fn toml_lines(file: &File, others: &[(bool, String)], style: &Style) -> Vec<String> {
    let list = registered(file, "").contains("[[");
    let mut lines = Vec::new();
    for (number, (_, word)) in others.iter().filter(|(inside, _)| !*inside).enumerate() {
        if style.comments {
            lines.push(format!("# note {number}"));
        }
        lines.push(format!("s{number}   = '{word}'  # note beside {number}"));
    }
    for (number, (_, word)) in others.iter().filter(|(inside, _)| *inside).enumerate() {
        lines.push(String::new());
        if style.comments {
            lines.push(format!("# note for {number}"));
        }
        lines.push(match list {
            true => format!("[[mcp_servers]]\nname = 'o{number}'").replace('\n', style.ending),
            false => format!("[mcp_servers.o{number}]"),
        });
        lines.push(format!("{}command = \"{word}\" # note", style.indent));
        lines.push("args = [ 'a', # note inside".to_owned());
        lines.push("  'b' ]".to_owned());
    }
    if style.comments {
        lines.push("# note at the end".to_owned());
    }
    lines
}

fn yaml_lines(others: &[(bool, String)], style: &Style, behind: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, (_, word)) in others.iter().filter(|(inside, _)| !*inside).enumerate() {
        if style.comments {
            lines.push(format!("# note {number}"));
        }
        lines.push(format!("s{number}: \"{word}\" # note beside {number}"));
        lines.push(format!("list{number}:"));
        lines.push("- a".to_owned());
        lines.push(format!("block{number}: |"));
        lines.push("  extensions:".to_owned());
        lines.push("    ask: no".to_owned());
    }
    let inside: Vec<&(bool, String)> = others.iter().filter(|(inside, _)| *inside).collect();
    if !inside.is_empty() {
        let indent = if style.indent == "\t" {
            " "
        } else {
            style.indent
        };
        lines.push("extensions:".to_owned());
        for (number, (_, word)) in inside.iter().enumerate() {
            if style.comments {
                lines.push(format!("{indent}# note for {number}"));
            }
            lines.push(format!("{indent}o{number}:"));
            lines.push(format!("{indent}{indent}cmd: '{word}'"));
            lines.push(format!("{indent}{indent}args:"));
            lines.push(format!("{indent}{indent}- x # note"));
            lines.push(String::new());
        }
        if behind {
            lines.push("# note behind".to_owned());
            lines.push("last: true".to_owned());
        }
    }
    lines
}

proptest! {
    #[test]
    fn json_is_kept(which in any::<Index>(), others in others(), style in style(), one in any::<bool>()) {
        let files = files(Format::Json);
        let file = which.get(&files);
        let tree = read(Format::Json, &registered(file, "")).expect("a new file is valid JSON");
        // The key of our entry, unless it is a single value, which leaves no room for others.
        let fields = tree.as_object().expect("the file is an object").iter();
        let at = fields.filter(|(_, value)| value.is_object()).map(|(key, _)| key.clone()).next();
        let at = vec![at.unwrap_or_else(|| "others".to_owned())];
        let text = style.text(&json_lines(&at, &others, &style, one));
        there_and_back(file, &text)?;
    }

    #[test]
    fn toml_is_kept(which in any::<Index>(), others in others(), style in style()) {
        let files = files(Format::Toml);
        let file = which.get(&files);
        there_and_back(file, &style.text(&toml_lines(file, &others, &style)))?;
    }

    #[test]
    fn yaml_is_kept(others in others(), style in style(), behind in any::<bool>()) {
        for file in files(Format::Yaml) {
            there_and_back(file, &style.text(&yaml_lines(&others, &style, behind)))?;
        }
    }

    #[test]
    fn lines_that_stay_are_found(before in vec("[abc]", 0..12), after in vec("[abc]", 0..12)) {
        let (old, new): (Vec<&str>, Vec<&str>) = (
            before.iter().map(String::as_str).collect(),
            after.iter().map(String::as_str).collect(),
        );
        let kept = diff::kept(&old, &new);
        prop_assert!(kept.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
        prop_assert!(kept.iter().all(|(at, now)| old[*at] == new[*now]));
        // Each line that doesn't stay is shown once, with its sign.
        let text = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        let shown = diff::unified("x", Some(&text(&old)), Some(&text(&new)));
        let count = |sign: char| shown.lines().skip(2).filter(|line| line.starts_with(sign)).count();
        prop_assert_eq!(count('-'), old.len() - kept.len());
        prop_assert_eq!(count('+'), new.len() - kept.len());
    }

    #[test]
    fn no_text_breaks_the_editors(text in "[\\PC\n\t{}\\[\\]:,\"'#=|>&*!%-]{0,60}") {
        for format in [Format::Json, Format::Toml, Format::Yaml] {
            for file in files(format) {
                let Ok(tree) = read(format, &text) else { continue };
                let Ok(changes) = missing(&tree, &file.pieces) else { continue };
                if let Ok(there) = edit(format, &text, &changes) {
                    let tree = read(format, &there).expect("an edited text can be read");
                    prop_assert_eq!(missing(&tree, &file.pieces), Ok(Vec::new()));
                }
            }
        }
    }
}

#[test]
fn unregistering_deletes_a_new_file() {
    for format in [Format::Json, Format::Toml, Format::Yaml] {
        for file in files(format) {
            let there = registered(file, "");
            assert_eq!(
                cleared(file, &there, None),
                Ok(Some(After::Nothing)),
                "{there}"
            );
        }
    }
}

#[test]
fn an_edit_that_could_not_be_undone_is_refused() {
    for file in files(Format::Yaml) {
        assert_eq!(entered(file, "a: 1\r\nb: 2\r\n").map(|_| ()), Ok(()));
        let refused = entered(file, "a: 1\rb: 2\n").expect_err("its lines end in two ways");
        assert!(refused.what.contains("safely"), "{refused:?}");
    }
}

#[test]
fn a_second_byte_order_mark_is_not_lost() {
    for file in files(Format::Toml) {
        let refused = entered(file, "\u{feff}\u{feff}a = 1\n")
            .expect_err("the second byte order mark would be lost");
        assert!(refused.what.contains("safely"), "{refused:?}");
    }
}

#[test]
fn keys_of_yaml_that_are_no_words_are_refused() {
    for inner in ["  ? 'o': 1\n", "  ? a\n  : b\n", "  [a]: b\n"] {
        for file in files(Format::Yaml) {
            let text = format!("extensions:\n{inner}");
            assert!(entered(file, &text).is_err(), "{text}");
        }
    }
}

#[test]
fn servers_of_yaml_that_an_alias_repeats_are_refused() {
    for (servers, alias) in [
        ("&x\n  dev: {name: d}", "*x"),
        ("&x {}", "{<<: *x}"),
        ("&x", "*x"),
    ] {
        for file in files(Format::Yaml) {
            let text = format!("extensions: {servers}\nprofile: {alias}\n");
            let refused = entered(file, &text).expect_err("the profile would change");
            assert!(refused.what.contains("an alias elsewhere"), "{refused:?}");
            // An anchor alone does no harm, nor does the alias of another value.
            let text = format!("extensions: {servers}\nother: &y {{}}\nprofile: *y\n");
            assert_eq!(entered(file, &text).map(drop), Ok(()));
        }
    }
}

#[test]
fn a_comment_before_the_last_brace_of_json_stays() {
    for file in files(Format::Json) {
        let text = "{\n  \"a\": \"b\"/* note */} // x\n";
        let there = registered(file, text);
        let back = cleared(file, &there, Some(text)).expect("a registered text can be edited");
        assert_eq!(back, Some(After::Text(text.to_owned())), "{there}");
    }
}

#[test]
fn a_lone_carriage_return_in_json_is_refused() {
    for file in files(Format::Json) {
        assert!(entered(file, "{} // a\r // b\n").is_err());
        assert!(entered(file, "{\r\n} // a\r\n").is_ok());
    }
}

#[test]
fn a_comment_beside_the_servers_of_yaml_stays() {
    for line in [
        "extensions:    # note",
        "extensions: {} # note",
        "extensions: null\t# note",
        "extensions: ~",
    ] {
        for file in files(Format::Yaml) {
            let text = format!("{line}\nother: 1\n");
            let there = registered(file, &text);
            assert_eq!(there.contains("# note"), line.contains("# note"), "{there}");
            let back = cleared(file, &there, Some(&text)).expect("a registered text can be edited");
            assert_eq!(back, Some(After::Text(text)), "{there}");
            let back = cleared(file, &there, None).expect("it can be edited without a backup, too");
            let Some(After::Text(back)) = back else {
                panic!("{back:?}");
            };
            assert_eq!(back.contains("# note"), line.contains("# note"), "{back}");
            assert_eq!(
                read(file.format, &back).expect("it can be read")["other"],
                1
            );
        }
    }
}

#[test]
fn an_entry_written_for_another_client_keeps_its_arguments() {
    for file in files(Format::Yaml) {
        let text = "extensions:\n  mine: {command: ask-user, args: [mcp, --dialect, auq]}\n";
        let there = registered(file, text);
        let tree = read(file.format, &there).expect("a registered text can be read");
        let args = text_json(r#"["mcp", "--dialect", "auq"]"#).expect("the literal is JSON");
        assert_eq!(tree["extensions"]["mine"]["args"], args, "{there}");
        assert_eq!(registered(file, &there), there);
    }
    let text = r#"{"mcp":{"mine":{"command":"/old/ask-user","args":["mcp","--dialect","auq"]}}}"#;
    // opencode has the whole command line in a list.
    let mut listed = files(Format::Json);
    listed.retain(|file| registered(file, "{}").contains("\"command\": ["));
    assert!(!listed.is_empty());
    for file in listed {
        let there = registered(file, text);
        let tree = read(file.format, &there).expect("a registered text can be read");
        let command = &tree["mcp"]["mine"]["command"];
        let given = command.as_array().map(|words| &words[1..]);
        let args = [
            Json::from("mcp"),
            Json::from("--dialect"),
            Json::from("auq"),
        ];
        assert_eq!(given, Some(&args[..]), "{there}");
        assert_eq!(registered(file, &there), there, "not twice");
    }
}

#[test]
fn an_entry_of_ours_is_recognized_under_any_name() {
    let files = files(Format::Json);
    let file = files
        .iter()
        .find(|file| file.path.ends_with(".cursor/mcp.json"));
    let file = file.expect("the table has a row for Cursor");
    for (before, expected) in [
        (
            r#"{"mcpServers":{"mine":{"command":"/old/ask-user","args":["mcp","--dialect","auq"],"env":{"A":"1"}}}}"#,
            r#"{"mcpServers":{"mine":{"command":"/opt/bin/ask-user","args":["mcp","--dialect","auq"],"env":{"A":"1"}}}}"#,
        ),
        (
            r#"{"mcpServers":{"q":{"command":"npx","args":["-y","ask-user","mcp"]}}}"#,
            r#"{"mcpServers":{"q":{"command":"/opt/bin/ask-user","args":["mcp"]}}}"#,
        ),
        (
            r#"{"mcpServers":{"ask":{"command":"somebody"}}}"#,
            r#"{"mcpServers":{"ask":{"command":"somebody"},"ask-user":{"command":"/opt/bin/ask-user","args":["mcp"]}}}"#,
        ),
    ] {
        let after = read(Format::Json, &registered(file, before));
        let expected: Json = text_json(expected).expect("the literal is JSON");
        assert_eq!(after, Ok(expected));
    }
}

#[test]
fn a_file_that_changed_meanwhile_is_not_replaced() {
    let name = format!("ask-user-disk-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    let path = folder.join("settings.json");
    std::fs::write(&path, "theirs").expect("the temporary folder is writable");
    for before in [None, Some("as it was read")] {
        let refused =
            file_io::replace(&Root::Anywhere, &path, before, "ours").expect_err("it is another");
        assert!(
            refused.to_string().contains("changed meanwhile"),
            "{refused}"
        );
    }
    assert!(file_io::remove(&Root::Anywhere, &path, "as it was read", &folder).is_err());
    let left: Vec<_> = std::fs::read_dir(&folder)
        .expect("the temporary folder is readable")
        .collect();
    assert_eq!(left.len(), 1, "nothing is left beside it: {left:?}");
    assert_eq!(
        file_io::read(&Root::Anywhere, &path)
            .expect("the temporary folder is readable")
            .as_deref(),
        Some("theirs")
    );
    std::fs::remove_dir_all(&folder).expect("the temporary folder is writable");
}

#[test]
fn a_backup_replaces_no_other_text() {
    let name = format!("ask-user-backups-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
    let path = folder.join("settings.json");
    std::fs::write(&path, "").expect("the temporary folder is writable");
    for text in ["first", "first", "second", "third"] {
        file_io::back_up(&Root::Anywhere, &path, text).expect("the folder is writable");
    }
    let read = |suffix: &str| {
        std::fs::read_to_string(folder.join(format!("settings.json.ask-user-backup{suffix}")))
            .unwrap_or_default()
    };
    assert_eq!(
        ["", ".1", ".2", ".3"].map(read),
        ["third", "first", "second", ""]
    );
    std::fs::remove_dir_all(&folder).expect("the temporary folder is writable");
}

#[test]
fn a_projects_folder_that_becomes_a_link_is_not_written_through() {
    let name = format!("ask-user-swap-{}", std::process::id());
    let above = std::env::temp_dir().join(name);
    let (project, outside) = (above.join("project"), above.join("outside"));
    for folder in [&project.join(".pi"), &outside] {
        std::fs::create_dir_all(folder).expect("the temporary folder is writable");
        std::fs::write(folder.join("settings.json"), "theirs")
            .expect("the temporary folder is writable");
    }
    let root = Root::open(&project).expect("the folder exists");
    let path = project.join(".pi/settings.json");
    let before = file_io::read(&root, &path).expect("the file is readable");
    assert_eq!(before.as_deref(), Some("theirs"));
    let extension = project.join(".pi/extensions/ask-user");
    let mut folder = Folder::of_extension("pi", extension, Path::new("/opt/bin/ask-user"))
        .expect("pi has an extension");
    folder.root = root.clone();
    assert!(folder.problem().is_none(), "it can be written");

    // Everything was checked. Now somebody else puts a link there.
    std::fs::rename(project.join(".pi"), above.join("moved"))
        .expect("the temporary folder is writable");
    std::os::unix::fs::symlink("../outside", project.join(".pi"))
        .expect("the temporary folder is writable");
    let refused = [
        file_io::replace(&root, &path, before.as_deref(), "ours"),
        file_io::back_up(&root, &path, "theirs").map(drop),
        file_io::remove(&root, &path, "theirs", &project),
        folder.write(),
    ];
    for refused in refused {
        let refused = refused.expect_err("it would lead out of the project");
        assert!(
            refused.to_string().contains("out of the project"),
            "{refused}"
        );
    }
    let left: Vec<_> = std::fs::read_dir(&outside)
        .expect("the temporary folder is readable")
        .collect();
    assert_eq!(left.len(), 1, "nothing was created outside: {left:?}");
    let left = std::fs::read_to_string(outside.join("settings.json"));
    assert_eq!(left.expect("the file is readable"), "theirs");
    std::fs::remove_dir_all(&above).expect("the temporary folder is writable");
}
