//! Fills a store with a history. Some asks are asked and answered normally; their rows are then
//! copied with other ids, numbers and times. This is the only file that reads the store: it copies
//! every column of the table `ask`, and relies on `id`, on the columns that hold the ask's text,
//! and on times in columns that end in `_at`.

use std::time::Duration;

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::harness::{Home, number_after};
use super::setup::Setup;
use super::surface::Interface;

/// The number of asks that are copied.
const SEEDS: usize = 32;
/// The span of the history. Half of it is older than ninety days, the default age of removal.
pub(crate) const SPAN: Duration = Duration::from_secs(180 * 86_400);
pub(crate) const THINGS: [&str; 16] = [
    "table",
    "endpoint",
    "queue",
    "cache",
    "migration",
    "branch",
    "release",
    "test",
    "schema",
    "token",
    "worker",
    "index",
    "certificate",
    "layout",
    "license",
    "budget",
];
pub(crate) const VERBS: [&str; 8] = [
    "rename", "drop", "split", "move", "keep", "replace", "deploy", "review",
];
/// All numbers have the same length, so that none is a prefix of another.
const FIRST: u64 = 10_000_000;

/// The number of a copy, which is in its question.
pub(crate) fn number(copy: usize) -> u64 {
    FIRST + copy as u64
}

/// Fills the store of a home with `asks` copies that aren't indexed yet. The hub has ended.
pub(crate) fn fill(home: &Home, asks: usize) {
    let seeds = seed(home);
    copy(home, &seeds, asks).expect("the store takes copies of what it holds");
}

/// Asks and answers the asks that are copied.
fn seed(home: &Home) -> Vec<u64> {
    let mut surface = Interface::Rpc.open(home);
    let mut agent = Interface::Rpc.agent(home);
    let numbers: Vec<u64> = (1..=SEEDS as u64).collect();
    for &number in &numbers {
        agent.send(&call(number as usize));
        surface.shown();
        surface.answer(number, number as usize % 2);
        agent.reply();
        surface.rest();
    }
    drop((agent, surface));
    home.stop();
    numbers
}

/// A realistic call: choices with descriptions, and some sentences.
fn call(number: usize) -> String {
    let (verb, thing) = (VERBS[number % 8], THINGS[number % 16]);
    let other = THINGS[(number * 7 + 3) % 16];
    let about = format!("The {thing} and the {other} depend on each other. ").repeat(6);
    let [one, two] = super::harness::CHOICES;
    format!(
        concat!(
            r#"{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":{{"name":"ask_user","#,
            r#""arguments":{{"title":"The {thing}","context":"{about}","questions":[{{"#,
            r#""question":"Question {number}: shall I {verb} the {thing} before the {other}, in which database?","#,
            r#""options":[{{"label":"{one}","description":"The {other} stays as it is until then."}},"#,
            r#"{{"label":"{two}","description":"Only its copy."}}]}}]}}}}}}"#
        ),
        number = number,
        verb = verb,
        thing = thing,
        other = other,
        about = about,
        one = one,
        two = two,
    )
}

fn copy(home: &Home, seeds: &[u64], asks: usize) -> rusqlite::Result<()> {
    let mut db = Connection::open(home.folder().join("ask-user.db"))?;
    db.execute_batch("PRAGMA synchronous = OFF; PRAGMA cache_size = -262144")?;
    let (columns, rows) = {
        let mut select = db.prepare("SELECT * FROM ask ORDER BY asked_at DESC LIMIT ?1")?;
        let columns: Vec<String> = select.column_names().map(ToString::to_string).collect();
        let rows = select.query_map([seeds.len()], |row| {
            (0..columns.len())
                .map(|at| row.get(at))
                .collect::<Result<Vec<Value>, _>>()
        })?;
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        (columns, rows)
    };
    let at = |name: &str| columns.iter().position(|column| column == name);
    let (id, asked) = (
        at("id").expect("an ask has an id"),
        at("asked_at").expect("an ask has a time"),
    );
    let transaction = db.transaction()?;
    {
        let names = columns.join(", ");
        let places = vec!["?"; columns.len()].join(", ");
        let sql = format!("INSERT INTO ask ({names}) VALUES ({places})");
        let mut insert = transaction.prepare(&sql)?;
        for copy in 0..asks {
            let seed = &rows[copy % rows.len()];
            let (Value::Text(seed_id), Value::Integer(seed_time)) = (&seed[id], &seed[asked])
            else {
                panic!("an id is a text, and a time a number");
            };
            let age = SPAN.as_millis() as i64 / asks as i64 * (asks - copy) as i64;
            let changes = Changes {
                ids: (seed_id.clone(), new_id(copy)),
                questions: number_of(seed).map(|seed| {
                    (
                        format!("Question {seed}:"),
                        format!("Question {}:", number(copy)),
                    )
                }),
                times: (moment(*seed_time), moment(*seed_time - age)),
                age,
            };
            let values = columns
                .iter()
                .zip(seed)
                .map(|(column, value)| match column.as_str() {
                    "row" | "rowid" => Value::Null,
                    "indexed" => Value::Integer(0),
                    column => changes.apply(column, value),
                });
            insert.execute(params_from_iter(values))?;
        }
    }
    transaction.commit()
}

/// The differences between a copy and its original.
struct Changes {
    ids: (String, String),
    questions: Option<(String, String)>,
    times: (String, String),
    age: i64,
}

impl Changes {
    fn apply(&self, column: &str, value: &Value) -> Value {
        match value {
            Value::Integer(time) if column.ends_with("_at") => Value::Integer(time - self.age),
            Value::Text(text) => {
                let mut text = text.replace(&self.ids.0, &self.ids.1);
                for (from, to) in self.questions.iter().chain([&self.times]) {
                    text = text.replace(from, to);
                }
                Value::Text(text)
            }
            other => other.clone(),
        }
    }
}

fn number_of(row: &[Value]) -> Option<u64> {
    row.iter().find_map(|value| match value {
        Value::Text(text) => number_after(text, "Question "),
        _ => None,
    })
}

/// Ids without an order, like those of asks.
fn new_id(copy: usize) -> String {
    let mut mixed = (copy as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut id = "a_copy".to_owned();
    for _ in 0..12 {
        id.push(char::from(
            b"0123456789abcdefghjkmnpqrstvwxyz"[(mixed % 32) as usize],
        ));
        mixed /= 32;
    }
    id
}

fn moment(ms: i64) -> String {
    jiff::Timestamp::from_millisecond(ms).map_or_else(|_| String::new(), |time| time.to_string())
}

/// A setup whose store holds this many old asks.
pub(crate) fn filled(asks: usize) -> Setup {
    let home = Home::new();
    fill(&home, asks);
    Setup::in_home(home, Interface::Rpc)
}
