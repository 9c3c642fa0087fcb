//! The least that a server has to do to lose nothing: blocking calls, a journal that is synced once
//! for each ask and each answer, a surface on a Unix socket. The benchmarks measure ask-user beside
//! it, so that their ratios hold on any machine. It parses no JSON, serves one surface and never
//! removes anything.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread;

const HELLO: &str = r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"floor","version":"0"}}"#;
const TOOLS: &str = r#"{"tools":[{"name":"ask_user","description":"Ask the person.","inputSchema":{"type":"object"}}]}"#;

fn main() -> io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let mut desk = None;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let Some(id) = number(&line) else { continue };
        if line.contains(r#""tools/call""#) {
            if desk.is_none() {
                desk = Some(open(Path::new(&folder))?);
            }
            if let Some((journal, surface)) = &mut desk {
                keep(journal, &line)?;
                surface.write_all(format!("{id}\n").as_bytes())?;
            }
        } else if line.contains(r#""initialize""#) {
            say(id, HELLO)?;
        } else if line.contains(r#""tools/list""#) {
            say(id, TOOLS)?;
        }
    }
    Ok(())
}

/// Opens the journal, and the surface that answers from now on.
fn open(folder: &Path) -> io::Result<(File, UnixStream)> {
    let surface = UnixStream::connect(folder.join("surface.sock"))?;
    let journal = File::options()
        .create(true)
        .append(true)
        .open(folder.join("journal"))?;
    let (answers, mut keeping) = (surface.try_clone()?, journal.try_clone()?);
    thread::spawn(move || -> io::Result<()> {
        for line in BufReader::new(answers).lines() {
            let line = line?;
            keep(&mut keeping, &line)?;
            if let Some((id, answer)) = line.split_once(' ') {
                let text = format!(r#"{{"content":[{{"type":"text","text":"{answer}"}}]}}"#);
                say(id.parse().unwrap_or_default(), &text)?;
            }
        }
        Ok(())
    });
    Ok((journal, surface))
}

fn keep(journal: &mut File, line: &str) -> io::Result<()> {
    journal.write_all(format!("{line}\n").as_bytes())?;
    journal.sync_data()
}

fn say(id: u64, result: &str) -> io::Result<()> {
    let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}\n");
    let mut out = io::stdout().lock();
    out.write_all(line.as_bytes())?;
    out.flush()
}

/// The number of a request.
fn number(line: &str) -> Option<u64> {
    let (_, from) = line.split_once(r#""id":"#)?;
    let end = from.find(|letter: char| !letter.is_ascii_digit())?;
    from[..end].parse().ok()
}
