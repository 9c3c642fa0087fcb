//! A running server that writes itself into a client's settings, with its port and token. The app
//! that started it finds the entry there, and the client starts another such server from it.

use std::path::Path;

use ask_core::Json;
use ask_files::Root;

use super::apply::steady;
use super::change::{Change, check};
use super::entry::{HOME_VARIABLE, table_at};
use super::file_io;
use super::installed_binary::RegistrationEnv;
use super::text::{self, Format, Problem};

/// The key of the servers in such a file.
const SERVERS: &str = "mcpServers";

/// A server and its entry.
#[derive(Debug)]
pub struct Running {
    /// The name of the entry.
    pub name: String,
    /// The arguments of the program.
    pub args: Vec<String>,
    /// The environment variables of the program.
    pub env: Vec<(String, String)>,
}

impl Running {
    /// Writes the entry into a file that may be in `root`. The entry may contain the token, so group
    /// and others lose their permissions. All other content stays, also within the entry.
    ///
    /// # Errors
    /// The reason, with the place in the file.
    pub fn enter(&self, here: &RegistrationEnv, root: &Root, path: &Path) -> Result<(), String> {
        let entered = steady(root, path, || self.write(here, root, path));
        match entered {
            Ok(()) => Ok(()),
            Err(Problem { what, place: None }) => Err(format!("{}: {what}", path.display())),
            Err(Problem {
                what,
                place: Some((line, column)),
            }) => Err(format!("{}:{line}:{column}: {what}", path.display())),
        }
    }

    fn write(&self, here: &RegistrationEnv, root: &Root, path: &Path) -> Result<(), Problem> {
        let failed = |error: std::io::Error| Problem::plain(error.to_string());
        let before = file_io::read(root, path).map_err(failed)?;
        let text = before.as_deref().unwrap_or_default();
        let tree = text::read(Format::Json, text)?;
        let changes = self.missing(here, &tree)?;
        let after = text::edit(Format::Json, text, &changes)?;
        let at = [SERVERS.to_owned(), self.name.clone()];
        if let Some(before) = &before
            && table_at(&tree, &at).is_none()
            && !file_io::has_backup(root, path)
        {
            file_io::back_up(root, path, before).map_err(failed)?;
        }
        file_io::replace_privately(root, path, before.as_deref(), &after).map_err(failed)
    }

    /// The changes by which the file gets the entry.
    fn missing(&self, here: &RegistrationEnv, tree: &Json) -> Result<Vec<Change>, Problem> {
        if !tree.is_object() {
            return Err(Problem::plain("its content is no object with fields"));
        }
        let at = [SERVERS.to_owned(), self.name.clone()];
        check(tree, &at, false)?;
        let home = here.variable(HOME_VARIABLE).map(|home| {
            let home = here.project.join(home).display().to_string();
            (HOME_VARIABLE.to_owned(), home)
        });
        let args = self.args.iter().map(|word| Json::from(word.as_str()));
        let mut fields = vec![
            (
                vec!["command".to_owned()],
                Json::from(here.program.display().to_string()),
            ),
            (vec!["args".to_owned()], args.collect()),
        ];
        for (name, value) in self.env.iter().cloned().chain(home) {
            check(tree, &[&at[..], &["env".to_owned()]].concat(), false)?;
            fields.push((vec!["env".to_owned(), name], Json::from(value)));
        }
        let field = |(inner, value): (Vec<String>, Json)| {
            let at = at.iter().cloned().chain(inner).collect::<Vec<String>>();
            (table_at(tree, &at) != Some(&value)).then_some(Change::Set(at, value))
        };
        Ok(fields.into_iter().filter_map(field).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn running(name: &str) -> Running {
        Running {
            name: name.to_owned(),
            args: ["mcp", "--port", "5"].map(str::to_owned).to_vec(),
            env: vec![("ASK_USER_INSTANCE".to_owned(), "w1".to_owned())],
        }
    }

    fn after(before: &str) -> Result<String, Problem> {
        let tree = text::read(Format::Json, before)?;
        let changes = running("app").missing(&RegistrationEnv::empty(), &tree)?;
        text::edit(Format::Json, before, &changes)
    }

    #[test]
    fn servers_that_start_together_are_all_entered() {
        let name = format!("ask-user-together-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let path = folder.join("new/settings.json");
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        for before in [None, Some("{\"mcpServers\":{\"keep\":{}}}\n")] {
            if let Some(before) = before {
                std::fs::write(&path, before).expect("the folder exists");
            }
            std::thread::scope(|scope| {
                for name in names {
                    let path = &path;
                    scope.spawn(move || {
                        let here = RegistrationEnv::empty();
                        running(name).enter(&here, &Root::Anywhere, path).unwrap();
                    });
                }
            });
            let after = std::fs::read_to_string(&path).expect("the file was written");
            let tree = text::read(Format::Json, &after).expect("it is JSON");
            let found = tree[SERVERS].as_object().expect("an object");
            let count = names.len() + usize::from(before.is_some());
            assert_eq!(found.len(), count, "{after}");
        }
        std::fs::remove_dir_all(&folder).expect("the temporary folder is writable");
    }

    #[test]
    fn an_entry_is_renewed_and_everything_else_stays() {
        let first = after("{\n  // mine\n  \"mcpServers\": {\"other\": {\"command\": \"x\"}}\n}\n");
        let first = first.unwrap();
        assert!(
            first.contains("// mine") && first.contains(r#""other""#),
            "{first}"
        );
        assert!(first.contains(r#""/opt/bin/ask-user""#), "{first}");
        assert_eq!(
            after(&first).unwrap(),
            first,
            "a second time changes nothing"
        );
        let old =
            r#"{"mcpServers":{"app":{"command":"node","args":["index.js"],"disabled":true}}}"#;
        let new = after(old).unwrap();
        assert!(
            !new.contains("node") && new.contains(r#""disabled":true"#),
            "{new}"
        );
        for wrong in ["[]", r#"{"mcpServers":[]}"#, r#"{"mcpServers":{"app":1}}"#] {
            assert!(after(wrong).is_err(), "{wrong}");
        }
    }
}
