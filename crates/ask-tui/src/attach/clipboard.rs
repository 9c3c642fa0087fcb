//! Reads the clipboard with the programs that each system has for it: `wl-paste` on Wayland,
//! `xclip` on X11, `pngpaste` or `osascript` on macOS, PowerShell on Windows. A library would link
//! the display protocols of all of them.

use std::io::{ErrorKind, Read};
use std::process::{Command, Stdio};
use std::time::Duration;

use ask_core::Media;
use ask_core::attachment::MOST_BYTES;
use ask_files::umask;
use ask_protocol::ipc::unbase64;
use rustix::process::{Pid, Signal, kill_process};
use tokio::sync::oneshot;

use super::AttachError;

/// The clipboard's content.
pub(super) enum Copied {
    /// An image.
    Image {
        /// The name of the attachment.
        name: String,
        /// The encoded image, in the format that the clipboard offered.
        bytes: Vec<u8>,
    },
    /// A file, as a path or a `file://` URL.
    File(String),
}

/// A program that reads the clipboard.
struct ClipboardTransport {
    program: &'static str,
    /// Arguments that list the media types of the content; `None` if the program can't list them.
    lists: Option<&'static [&'static str]>,
    /// Arguments that write the content to standard output; `KIND` is replaced by the media type.
    gives: &'static [&'static str],
    /// The encoding of what the program writes.
    writes: Writes,
}

#[derive(Clone, Copy)]
enum Writes {
    /// The bytes themselves.
    Bytes,
    /// AppleScript's literal for binary data: `«data PNGf89504E47…»`, hexadecimal digits behind a
    /// four-letter type.
    AppleScript,
    /// Base64 (RFC 4648).
    Base64,
}

const KIND: &str = "KIND";

const WAYLAND: ClipboardTransport = ClipboardTransport {
    program: "wl-paste",
    lists: Some(&["--list-types"]),
    gives: &["--no-newline", "--type", KIND],
    writes: Writes::Bytes,
};

const X11: ClipboardTransport = ClipboardTransport {
    program: "xclip",
    lists: Some(&["-selection", "clipboard", "-t", "TARGETS", "-o"]),
    gives: &["-selection", "clipboard", "-t", KIND, "-o"],
    writes: Writes::Bytes,
};

const MACOS: [ClipboardTransport; 2] = [
    ClipboardTransport {
        program: "pngpaste",
        lists: None,
        gives: &["-"],
        writes: Writes::Bytes,
    },
    ClipboardTransport {
        program: "osascript",
        lists: None,
        gives: &["-e", "get the clipboard as «class PNGf»"],
        writes: Writes::AppleScript,
    },
];

/// Also serves Linux under WSL, where Windows programs can be started.
const WINDOWS: ClipboardTransport = ClipboardTransport {
    program: "powershell.exe",
    lists: None,
    gives: &[
        "-NoProfile",
        "-STA",
        "-Command",
        "Add-Type -AssemblyName System.Windows.Forms, System.Drawing; \
         $image = [Windows.Forms.Clipboard]::GetImage(); if ($image) { \
         $stream = New-Object IO.MemoryStream; \
         $image.Save($stream, [Drawing.Imaging.ImageFormat]::Png); \
         [Convert]::ToBase64String($stream.ToArray()) }",
    ],
    writes: Writes::Base64,
};

/// Media types of images that can be attached, the preferred one first.
const IMAGES: [&str; 4] = ["image/png", "image/webp", "image/jpeg", "image/gif"];

/// The media type of copied files (RFC 2483).
const FILES: &str = "text/uri-list";

/// How long a clipboard program may take before it is killed.
const PATIENCE: Duration = Duration::from_secs(5);

/// Reads the clipboard with the first program that yields an image or a file.
///
/// # Errors
///
/// [`AttachError::NoProgram`] if no program could be started, [`AttachError::NothingCopied`] if
/// none of them found anything.
pub(super) async fn read() -> Result<Copied, AttachError> {
    let mut is_there = false;
    for way in ways() {
        match way.read().await {
            Ok(Some(copied)) => return Ok(copied),
            Ok(None) => is_there = true,
            // The program isn't installed.
            Err(_) => {}
        }
    }
    Err(if is_there {
        AttachError::NothingCopied
    } else {
        AttachError::NoProgram
    })
}

fn ways() -> Vec<ClipboardTransport> {
    if cfg!(target_os = "macos") {
        return MACOS.into();
    }
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let mut ways = Vec::new();
    if is_set("WAYLAND_DISPLAY") {
        ways.push(WAYLAND);
    }
    if is_set("DISPLAY") {
        ways.push(X11);
    }
    if cfg!(windows) || is_set("WSL_DISTRO_NAME") {
        ways.push(WINDOWS);
    }
    ways
}

impl ClipboardTransport {
    async fn read(&self) -> std::io::Result<Option<Copied>> {
        let Some(lists) = self.lists else {
            return self.image(IMAGES[0]).await;
        };
        let kinds = run(self.program, lists).await?;
        let kinds = String::from_utf8_lossy(&kinds);
        let has = |kind: &str| kinds.lines().any(|line| line.trim() == kind);
        if let Some(kind) = IMAGES.into_iter().find(|kind| has(kind)) {
            return self.image(kind).await;
        }
        if has(FILES) {
            let list = self.give(FILES).await?;
            let list = String::from_utf8_lossy(&list);
            let mut files = list.lines().filter(|line| !line.starts_with('#'));
            let first = files.find(|line| line.starts_with("file://"));
            return Ok(first.map(|file| Copied::File(file.to_owned())));
        }
        Ok(None)
    }

    async fn image(&self, kind: &str) -> std::io::Result<Option<Copied>> {
        let bytes = self.writes.bytes(self.give(kind).await?);
        let media = Media::sniff(&bytes);
        Ok(media.is_image().then(|| Copied::Image {
            name: format!("clipboard.{}", media.ending()),
            bytes,
        }))
    }

    async fn give(&self, kind: &str) -> std::io::Result<Vec<u8>> {
        let given = |word: &&'static str| if *word == KIND { kind } else { *word }.to_owned();
        let words: Vec<String> = self.gives.iter().map(given).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        run(self.program, &words).await
    }
}

impl Writes {
    fn bytes(self, written: Vec<u8>) -> Vec<u8> {
        let text = || String::from_utf8_lossy(&written).trim().to_owned();
        match self {
            Self::Bytes => written,
            Self::Base64 => unbase64(&text()).unwrap_or_default(),
            Self::AppleScript => {
                let text = text();
                let digits = text.trim_start_matches("«data PNGf").trim_end_matches('»');
                let pairs = digits.as_bytes().chunks_exact(2);
                let byte = |pair: &[u8]| {
                    let digit = |at: usize| char::from(pair[at]).to_digit(16);
                    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
                };
                pairs.map(byte).collect::<Option<_>>().unwrap_or_default()
            }
        }
    }
}

/// Runs a program and returns its output; empty if it fails or takes longer than [`PATIENCE`].
async fn run(program: &str, words: &[&str]) -> std::io::Result<Vec<u8>> {
    let mut command = Command::new(program);
    command
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = umask::ordinary(|| command.spawn())?;
    let process = Pid::from_child(&child);
    let (done, written) = oneshot::channel();
    std::thread::Builder::new()
        .name("clipboard".into())
        .spawn(move || {
            let mut bytes = Vec::new();
            // Room for an image of the greatest size in hexadecimal digits, and for the text around
            // them. `check_size` refuses an image that is too large.
            let most = 2 * MOST_BYTES as u64 + 4_096;
            if let Some(out) = child.stdout.take() {
                // An output that breaks off shows in the exit status, or as an image that can't be
                // read.
                let _ = out.take(most).read_to_end(&mut bytes);
            }
            let ended = child.wait();
            // A failed send means that the caller has given up waiting.
            let _ =
                done.send(ended.map(|status| if status.success() { bytes } else { Vec::new() }));
        })?;
    match tokio::time::timeout(PATIENCE, written).await {
        Ok(Ok(written)) => written,
        Ok(Err(_)) => Err(ErrorKind::BrokenPipe.into()),
        Err(_) => {
            // A failed kill means that the program has ended in the meantime.
            let _ = kill_process(process, Signal::KILL);
            Ok(Vec::new())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_write_is_read() {
        let picture = b"\x89PNG";
        assert_eq!(Writes::Bytes.bytes(picture.to_vec()), picture);
        assert_eq!(Writes::Base64.bytes(b"iVBORw==\r\n".to_vec()), picture);
        let script = "«data PNGf89504E47»\n".as_bytes().to_vec();
        assert_eq!(Writes::AppleScript.bytes(script), picture);
        assert_eq!(Writes::AppleScript.bytes(b"nonsense".to_vec()), b"");
    }
}
