//! The report of a run: what was written for each client, what is left to do, and how long its
//! calls can wait.

use std::io::Write;

use ask_clients::registration::RegistrationEnv;
use ask_clients::registration::apply::{Done, FileResult};
use ask_clients::registration::plan::Plan;
use ask_clients::{Client, page};
use ask_config::exit::Exit;
use ask_core::Json;
use ask_core::sanitize::SafeText;
use ask_protocol::json_text;

/// The result for one client.
pub(crate) struct Row<'a> {
    /// The client that was registered or unregistered.
    pub client: &'a Client,
    /// Whether an installation was found.
    pub found: bool,
    /// The results for its files and folders.
    pub done: Vec<Done>,
    /// Whether changes to further files were held back because one file was refused.
    pub withheld: bool,
}

/// The report of one run.
pub(crate) struct RegistrationReport<'a> {
    here: &'a RegistrationEnv,
    json: bool,
    dry: bool,
    rows: Vec<Json>,
    refused: bool,
}

impl<'a> RegistrationReport<'a> {
    /// An empty report.
    pub(crate) fn new(here: &'a RegistrationEnv, json: bool, dry: bool) -> Self {
        Self {
            here,
            json,
            dry,
            rows: Vec::new(),
            refused: false,
        }
    }

    /// Prints what a takeover will change, before anything is written.
    pub(crate) fn print_takeover(&self, client: &Client, plan: &Plan) -> anyhow::Result<()> {
        let kept = plan.kept_settings();
        let message = match &client.takeover.does {
            None => "it offers no way to take its own question tool over".to_owned(),
            Some(_) if !plan.has_takeover() => {
                "its own question tool is taken over in your own settings, not in a project's: leave --project out for that".to_owned()
            }
            Some(does) if kept.is_empty() => format!("taking over: {does}"),
            Some(_) => {
                let set = kept.iter().map(|(path, name, value)| {
                    format!("{name} is {value} in {}", self.here.shown(path))
                });
                let set: Vec<String> = set.collect();
                format!(
                    "its own question tool is not taken over, as you have set that otherwise: {}",
                    SafeText::line(&set.join(", "))
                )
            }
        };
        writeln!(std::io::stdout(), "{}: {message}", client.title())?;
        Ok(())
    }

    /// Prints the result of a registration.
    pub(crate) fn print_registered(&mut self, row: &Row) -> anyhow::Result<()> {
        let words = match self.dry {
            true => ["would be registered in", "already registered in"],
            false => ["registered in", "already registered in"],
        };
        let changed = self.print_changes(row, words)?;
        if row.withheld && !self.json {
            let title = row.client.title();
            writeln!(
                std::io::stderr(),
                "  Nothing else of {title} was changed either: its settings belong together."
            )?;
        }
        if self.json
            || row
                .done
                .iter()
                .all(|done| matches!(done.fate, FileResult::Refused(..)))
        {
            return Ok(());
        }
        let mut out = std::io::stdout();
        if !row.found {
            writeln!(
                out,
                "  no install of it was found; its settings wait for one"
            )?;
        } else if changed
            && !self.dry
            && let Some(then) = &row.client.register.then
        {
            writeln!(out, "  next: {then}")?;
        }
        let limit = page::registered_limit(row.client);
        if let Some(limit) = limit.filter(|_| changed) {
            writeln!(out, "  {limit}")?;
        }
        Ok(())
    }

    /// Prints the result of an unregistration.
    pub(crate) fn print_unregistered(&mut self, row: &Row) -> anyhow::Result<()> {
        let words = match self.dry {
            true => ["would be taken out of", "was not registered in"],
            false => ["taken out of", "was not registered in"],
        };
        self.print_changes(row, words)?;
        Ok(())
    }

    /// Prints the JSON, if wanted, and returns the exit code.
    pub(crate) fn end(self) -> anyhow::Result<Exit> {
        if self.json {
            let list: Json = self.rows.into_iter().collect();
            let all: Json = [("clients".to_owned(), list)].into_iter().collect();
            writeln!(std::io::stdout(), "{}", json_text(&all))?;
        }
        Ok(if self.refused {
            Exit::Failure
        } else {
            Exit::Done
        })
    }

    /// Prints the changes of one client. Returns whether there were any.
    fn print_changes(&mut self, row: &Row, words: [&str; 2]) -> anyhow::Result<bool> {
        let title = row.client.title();
        let changes = |done: &&Done| done.is_change();
        let unchanged =
            |done: &&Done| matches!(done.fate, FileResult::Already | FileResult::Nothing);
        if self.json {
            let rows: Vec<Json> = row
                .done
                .iter()
                .map(|done| self.json_row(row, done))
                .collect();
            self.rows.extend(rows);
        }
        let mut out = std::io::stdout();
        let changed: Vec<&Done> = row.done.iter().filter(changes).collect();
        if !self.json {
            if !changed.is_empty() {
                writeln!(out, "{title}: {} {}", words[0], self.paths(&changed))?;
            } else if row.done.iter().any(|done| unchanged(&done)) {
                let unchanged: Vec<&Done> = row.done.iter().filter(unchanged).collect();
                writeln!(out, "{title}: {} {}", words[1], self.paths(&unchanged))?;
            }
            for done in &changed {
                if self.dry {
                    write!(out, "{}", done.diff)?;
                }
                if let Some(backup) = &done.backup {
                    let backup = SafeText::line(&self.here.shown(backup));
                    writeln!(out, "  as it was: {backup}")?;
                }
                if let Some(note) = &done.note {
                    writeln!(out, "  {}", SafeText::line(note))?;
                }
            }
        }
        for done in &row.done {
            if let FileResult::Refused(problem, paste) = &done.fate {
                self.refused = true;
                if self.json {
                    continue;
                }
                let path = SafeText::line(&self.here.shown(&done.path));
                let place = problem.place.map_or_else(String::new, |(line, column)| {
                    format!(", line {line}, column {column}")
                });
                let what = SafeText::line(&problem.what);
                let mut text =
                    format!("ask-user: {title}: {path}{place}: {what}\n  It was left as it is. ");
                text.push_str(match paste {
                    None => "Mend it there, then run this again.\n",
                    Some(_) => "Mend it, or add this by hand:\n",
                });
                for line in paste.iter().flat_map(|paste| paste.lines()) {
                    text.push_str(&format!("    {}\n", SafeText::line(line)));
                }
                std::io::stderr().write_all(text.as_bytes())?;
            }
        }
        Ok(!changed.is_empty())
    }

    fn paths(&self, done: &[&Done]) -> String {
        let shown_path = |done: &&Done| {
            let path = SafeText::line(&self.here.shown(&done.path));
            match (&done.fate, self.dry) {
                (FileResult::Created, false) => format!("{path} (new)"),
                (FileResult::Created, true) => format!("{path} (would be new)"),
                (FileResult::Gone, false) => format!("{path} (gone)"),
                (FileResult::Gone, true) => format!("{path} (would go)"),
                _ => path.to_string(),
            }
        };
        let paths: Vec<String> = done.iter().map(shown_path).collect();
        paths.join(", ")
    }

    fn json_row(&self, row: &Row, done: &Done) -> Json {
        let text = |text: &str| Json::from(text);
        let state = match (&done.fate, self.dry) {
            (FileResult::Already, _) => "already",
            (FileResult::Created | FileResult::Changed, true) => "would-register",
            (FileResult::Created | FileResult::Changed, false) => "registered",
            (FileResult::Cleared | FileResult::Gone, true) => "would-remove",
            (FileResult::Cleared | FileResult::Gone, false) => "removed",
            (FileResult::Nothing, _) => "not-registered",
            (FileResult::Refused(..), _) => "refused",
        };
        let mut fields = vec![
            ("key", text(&row.client.key)),
            ("name", text(row.client.title())),
            ("found", Json::from(row.found)),
            ("file", text(&done.path.display().to_string())),
            ("state", text(state)),
        ];
        if let Some(backup) = &done.backup {
            fields.push(("backup", text(&backup.display().to_string())));
        }
        if let Some(note) = &done.note {
            fields.push(("note", text(note)));
        }
        if let FileResult::Refused(problem, _) = &done.fate {
            fields.push(("problem", text(&problem.what)));
            if let Some((line, column)) = problem.place {
                fields.push(("line", Json::from(line)));
                fields.push(("column", Json::from(column)));
            }
        }
        if self.dry && done.is_change() {
            fields.push(("diff", text(&done.diff)));
        }
        let fields = fields.into_iter();
        fields
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}
