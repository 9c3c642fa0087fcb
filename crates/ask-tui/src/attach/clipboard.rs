//! Reads the clipboard with the programs that each system has for it: `wl-paste` on Wayland,
//! `xclip` on X11, `pngpaste` or `osascript` on macOS, PowerShell on Windows. A library would link
//! the display protocols of all of them.

use std::io::{ErrorKind, Read};
use std::process::Stdio;
use std::time::Duration;

use ask_core::Media;
use ask_core::attachment::MOST_BYTES;
use ask_files::programs;
use ask_files::umask;
use ask_protocol::ipc::unbase64;
use rustix::process::{Pid, Signal, kill_process};
use tokio::sync::oneshot;

use super::AttachError;

/// What the clipboard holds.
pub(super) enum Content {
    Image {
        /// The name of the attachment.
        name: String,
        /// The encoded image, in the format that the clipboard offered.
        bytes: Vec<u8>,
    },
    /// A file, as a path or a `file://` URL.
    File(String),
}

/// A program that reads the clipboard, and its arguments.
struct ClipboardProgram {
    program: &'static str,
    /// Arguments that list the media types of the content; `None` if the program can't list them.
    list_args: Option<&'static [&'static str]>,
    /// Arguments that write the content to standard output; `TYPE_PLACEHOLDER` is replaced by the
    /// media type.
    read_args: &'static [&'static str],
    /// The encoding of what the program writes.
    encoding: OutputEncoding,
}

/// How a clipboard program encodes its output.
#[derive(Clone, Copy)]
enum OutputEncoding {
    /// The bytes of the content, not encoded.
    Bytes,
    /// AppleScript's literal for binary data: `«data PNGf89504E47…»`, hexadecimal digits behind a
    /// four-letter type.
    AppleScript,
    /// Base64, as in RFC 4648, section 4.
    Base64,
}

/// Stands for the media type in the arguments of a program.
const TYPE_PLACEHOLDER: &str = "KIND";

const WAYLAND: ClipboardProgram = ClipboardProgram {
    program: "wl-paste",
    list_args: Some(&["--list-types"]),
    read_args: &["--no-newline", "--type", TYPE_PLACEHOLDER],
    encoding: OutputEncoding::Bytes,
};

const X11: ClipboardProgram = ClipboardProgram {
    program: "xclip",
    list_args: Some(&["-selection", "clipboard", "-t", "TARGETS", "-o"]),
    read_args: &["-selection", "clipboard", "-t", TYPE_PLACEHOLDER, "-o"],
    encoding: OutputEncoding::Bytes,
};

const MACOS: [ClipboardProgram; 2] = [
    ClipboardProgram {
        program: "pngpaste",
        list_args: None,
        read_args: &["-"],
        encoding: OutputEncoding::Bytes,
    },
    ClipboardProgram {
        program: "osascript",
        list_args: None,
        read_args: &["-e", "get the clipboard as «class PNGf»"],
        encoding: OutputEncoding::AppleScript,
    },
];

/// Also serves Linux under WSL, where Windows programs can be started.
const WINDOWS: ClipboardProgram = ClipboardProgram {
    program: "powershell.exe",
    list_args: None,
    read_args: &[
        "-NoProfile",
        "-STA",
        "-Command",
        "Add-Type -AssemblyName System.Windows.Forms, System.Drawing; \
         $image = [Windows.Forms.Clipboard]::GetImage(); if ($image) { \
         $stream = New-Object IO.MemoryStream; \
         $image.Save($stream, [Drawing.Imaging.ImageFormat]::Png); \
         [Convert]::ToBase64String($stream.ToArray()) }",
    ],
    encoding: OutputEncoding::Base64,
};

/// Media types of images that can be attached, the preferred one first.
const IMAGES: [&str; 4] = ["image/png", "image/webp", "image/jpeg", "image/gif"];

/// The media type of copied files (RFC 2483).
const FILES: &str = "text/uri-list";

/// How long a clipboard program may take before it is killed.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Reads the clipboard with the first program that yields an image or a file.
///
/// # Errors
///
/// [`AttachError::NoClipboardProgram`] if no program could be started,
/// [`AttachError::NothingToAttach`] if none of them found anything.
pub(super) async fn read() -> Result<Content, AttachError> {
    let mut found_program = false;
    for program in available_programs() {
        match program.read().await {
            Ok(Some(copied)) => return Ok(copied),
            Ok(None) => found_program = true,
            // The program isn't installed.
            Err(_) => {}
        }
    }
    Err(if found_program {
        AttachError::NothingToAttach
    } else {
        AttachError::NoClipboardProgram
    })
}

fn available_programs() -> Vec<ClipboardProgram> {
    if cfg!(target_os = "macos") {
        return MACOS.into();
    }
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let mut programs = Vec::new();
    if is_set("WAYLAND_DISPLAY") {
        programs.push(WAYLAND);
    }
    if is_set("DISPLAY") {
        programs.push(X11);
    }
    if cfg!(windows) || is_set("WSL_DISTRO_NAME") {
        programs.push(WINDOWS);
    }
    programs
}

impl ClipboardProgram {
    async fn read(&self) -> std::io::Result<Option<Content>> {
        let Some(list_args) = self.list_args else {
            return self.image(IMAGES[0]).await;
        };
        let media_types = run(self.program, list_args).await?;
        let media_types = String::from_utf8_lossy(&media_types);
        let has = |media_type: &str| media_types.lines().any(|line| line.trim() == media_type);
        if let Some(media_type) = IMAGES.into_iter().find(|media_type| has(media_type)) {
            return self.image(media_type).await;
        }
        if has(FILES) {
            let list = self.read_type(FILES).await?;
            let list = String::from_utf8_lossy(&list);
            let mut files = list.lines().filter(|line| !line.starts_with('#'));
            let first = files.find(|line| line.starts_with("file://"));
            return Ok(first.map(|file| Content::File(file.to_owned())));
        }
        Ok(None)
    }

    async fn image(&self, media_type: &str) -> std::io::Result<Option<Content>> {
        let bytes = self.encoding.decode(self.read_type(media_type).await?);
        let media = Media::sniff(&bytes);
        Ok(media.is_image().then(|| Content::Image {
            name: format!("clipboard.{}", media.ending()),
            bytes,
        }))
    }

    async fn read_type(&self, media_type: &str) -> std::io::Result<Vec<u8>> {
        let fill_in = |word: &&'static str| {
            if *word == TYPE_PLACEHOLDER {
                media_type
            } else {
                *word
            }
            .to_owned()
        };
        let words: Vec<String> = self.read_args.iter().map(fill_in).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        run(self.program, &words).await
    }
}

impl OutputEncoding {
    fn decode(self, written: Vec<u8>) -> Vec<u8> {
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

/// Runs a program and returns its output; empty if it fails or takes longer than [`TIMEOUT`].
async fn run(program: &str, words: &[&str]) -> std::io::Result<Vec<u8>> {
    let mut command = programs::command(program);
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
    match tokio::time::timeout(TIMEOUT, written).await {
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
    fn each_encoding_is_decoded() {
        let image = b"\x89PNG";
        assert_eq!(OutputEncoding::Bytes.decode(image.to_vec()), image);
        assert_eq!(
            OutputEncoding::Base64.decode(b"iVBORw==\r\n".to_vec()),
            image
        );
        let script = "«data PNGf89504E47»\n".as_bytes().to_vec();
        assert_eq!(OutputEncoding::AppleScript.decode(script), image);
        assert_eq!(
            OutputEncoding::AppleScript.decode(b"nonsense".to_vec()),
            b""
        );
    }
}
