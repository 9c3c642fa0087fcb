//! The only place that reads the clock, the time zone and the source of randomness. Builds with the `testing`
//! feature take the time from `ASK_USER_NOW`, which is a time or `@` and a file that contains one,
//! and seed the randomness from `ASK_USER_SEED`.

use std::path::Path;
use std::sync::OnceLock;

use ask_core::Time;
use ask_core::stats::{LocalHour, date_of};
use jiff::tz::TimeZone;

use crate::process;

/// The current wall-clock time.
pub fn now() -> Time {
    #[cfg(feature = "testing")]
    if let Some(fixed) = fixed::now() {
        return fixed;
    }
    wall()
}

/// The current time, and the milliseconds since the machine started, sleep included. Nobody can set
/// the second clock, and it never goes back. In builds for tests both come from one reading, so
/// that a deadline that has passed by one clock has passed by the other.
pub fn now_and_boot_ms() -> (Time, u64) {
    let now = now();
    #[cfg(feature = "testing")]
    let boot_ms = fixed::boot_ms(now);
    #[cfg(not(feature = "testing"))]
    let boot_ms = machine_ms();
    (now, boot_ms)
}

/// How far the steady clock is ahead of the time since the machine started, in milliseconds.
static STEADY_AHEAD_MS: OnceLock<i64> = OnceLock::new();

/// What the wall clock would show if nobody had set it since this machine's first hub, at this reading
/// of [`now_and_boot_ms`]. Whoever ran at the same time is known by it, also if the wall clock jumps.
pub fn steady_at(now: Time, boot_ms: u64) -> Time {
    let ahead = STEADY_AHEAD_MS.get_or_init(|| now.0.saturating_sub_unsigned(boot_ms));
    Time(ahead.saturating_add_unsigned(boot_ms))
}

/// The time on the steady clock.
pub fn steady() -> Time {
    let (now, boot_ms) = now_and_boot_ms();
    steady_at(now, boot_ms)
}

/// Continues the steady clock of an earlier process, of which `note` is what this function returned
/// there. Returns the note for the next one. The clock begins anew when the machine has started anew,
/// because no process is older than that.
pub fn continue_steady(note: Option<&str>) -> String {
    let earlier = note.and_then(of_this_boot);
    let ahead = STEADY_AHEAD_MS.get_or_init(|| {
        let (now, boot_ms) = now_and_boot_ms();
        earlier.unwrap_or_else(|| now.0.saturating_sub_unsigned(boot_ms))
    });
    for_this_boot(*ahead)
}

/// A number that another process of this boot has written by [`for_this_boot`].
pub fn of_this_boot(note: &str) -> Option<i64> {
    let (boot, number) = note.split_once(' ')?;
    let this = process::boot_number();
    let is_this = this != 0 && boot == this.to_string();
    is_this.then_some(number)?.parse().ok()
}

/// A number as a note that counts until the machine starts anew.
pub fn for_this_boot(number: i64) -> String {
    format!("{} {number}", process::boot_number())
}

#[cfg(not(feature = "testing"))]
fn machine_ms() -> u64 {
    // On Apple's systems the monotonic clock advances during sleep.
    #[cfg(target_vendor = "apple")]
    let clock = rustix::time::ClockId::Monotonic;
    #[cfg(not(target_vendor = "apple"))]
    let clock = rustix::time::ClockId::Boottime;
    let time = rustix::time::clock_gettime(clock);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let ms = u64::try_from(time.tv_nsec / 1_000_000).unwrap_or(0);
    seconds.saturating_mul(1_000).saturating_add(ms)
}

/// Whether a test controls the clock.
pub(crate) fn is_fixed() -> bool {
    #[cfg(feature = "testing")]
    return fixed::now().is_some();
    #[cfg(not(feature = "testing"))]
    return false;
}

/// When today began in the machine's time zone.
pub fn midnight() -> Time {
    let here = Calendar::here();
    here.begin(here.hour(now()).day())
}

/// The person's time zone: the one of the variable `TZ`, or the system's if it isn't set or means
/// nothing.
pub fn zone() -> TimeZone {
    named_zone()
        .or_else(|| TimeZone::try_system().ok())
        .or_else(|| zone_file("", Path::new("/etc/localtime")))
        .unwrap_or(TimeZone::UTC)
}

/// The value of the variable `TZ`, if it means no time zone.
pub(crate) fn unknown_zone() -> Option<String> {
    let value = std::env::var_os("TZ")?;
    let is_unknown = named_zone().is_none() && TimeZone::try_system().is_err();
    is_unknown.then(|| value.to_string_lossy().into_owned())
}

/// The zone whose name is in the variable `TZ`. jiff would find it, too, but reads the names of all
/// zones first.
fn named_zone() -> Option<TimeZone> {
    static NAMED: OnceLock<Option<TimeZone>> = OnceLock::new();
    let find = || {
        let name = std::env::var("TZ").ok()?;
        // NixOS sets this variable.
        let own = std::env::var_os("TZDIR").unwrap_or_default();
        let folders = ["/usr/share/zoneinfo", "/etc/zoneinfo"].map(Path::new);
        let folders = [Path::new(&own)].into_iter().chain(folders);
        find_zone(&name, folders.filter(|folder| folder.is_absolute()))
    };
    NAMED.get_or_init(find).clone()
}

fn find_zone<'a>(name: &str, mut folders: impl Iterator<Item = &'a Path>) -> Option<TimeZone> {
    let name = name.strip_prefix(':').unwrap_or(name);
    // A container may have no files of zones.
    if matches!(name, "UTC" | "Etc/UTC" | "GMT" | "Etc/GMT") {
        return Some(TimeZone::UTC);
    }
    folders.find_map(|folder| zone_file(name, &folder.join(name)))
}

fn zone_file(name: &str, file: &Path) -> Option<TimeZone> {
    TimeZone::tzif(name, &std::fs::read(file).ok()?).ok()
}

/// The calendar of a time zone.
#[derive(Clone, Debug)]
pub struct Calendar(TimeZone);

impl Calendar {
    /// The calendar of the system's current time zone.
    pub fn here() -> Self {
        Self(zone())
    }

    /// The local hour that contains a time.
    pub fn hour(&self, at: Time) -> LocalHour {
        let stamp = jiff::Timestamp::from_millisecond(at.0).unwrap_or_default();
        let seconds = stamp.as_second() + i64::from(self.0.to_offset(stamp).seconds());
        LocalHour(seconds.div_euclid(3_600))
    }

    /// When a day begins. `day` counts from 1970-01-01. A day before the calendar's first gives the
    /// smallest time, one after its last the largest.
    pub fn begin(&self, day: i64) -> Time {
        let begin = date_of(day).and_then(|date| date.to_zoned(self.0.clone()).ok());
        let nearest = if day < 0 { i64::MIN } else { i64::MAX };
        Time(begin.map_or(nearest, |begin| begin.timestamp().as_millisecond()))
    }
}

/// 16 random bytes for ids and tokens.
pub fn random() -> [u8; 16] {
    #[cfg(feature = "testing")]
    if let Some(bytes) = fixed::random() {
        return bytes;
    }
    let mut bytes = [0; 16];
    if getrandom::fill(&mut bytes).is_err() {
        // Without the system's randomness, ids must still differ from each other.
        bytes[..8].copy_from_slice(&wall().0.to_le_bytes());
        bytes[8..12].copy_from_slice(&std::process::id().to_le_bytes());
    }
    bytes
}

/// A random number of 48 bits, which JSON readers of every language keep exact.
pub fn attempt() -> u64 {
    let bytes = random();
    let mut number = [0; 8];
    number[..6].copy_from_slice(&bytes[..6]);
    u64::from_le_bytes(number)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place that reads the clock"
)]
fn wall() -> Time {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Time(since.map_or(0, |since| {
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }))
}

/// Sets the clock of this process, in builds for tests.
#[cfg(feature = "testing")]
pub fn set(now: Time) {
    fixed::set(now);
}

#[cfg(feature = "testing")]
mod fixed {
    use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

    use ask_core::Time;

    static NOW: AtomicI64 = AtomicI64::new(0);
    static DRAWN: AtomicU64 = AtomicU64::new(0);
    static BOOT: AtomicU64 = AtomicU64::new(0);

    pub(super) fn set(now: Time) {
        NOW.store(now.0, Ordering::Relaxed);
    }

    pub(super) fn now() -> Option<Time> {
        match NOW.load(Ordering::Relaxed) {
            0 => named(&std::env::var("ASK_USER_NOW").ok()?),
            now => Some(Time(now)),
        }
    }

    /// The boot clock of tests: the wall clock, except that it never goes back.
    pub(super) fn boot_ms(now: Time) -> u64 {
        let now = now.0.unsigned_abs();
        BOOT.fetch_max(now, Ordering::Relaxed).max(now)
    }

    /// Reads the value of `ASK_USER_NOW`. Writing to a file that it names moves the clock of every
    /// process that reads the file.
    fn named(text: &str) -> Option<Time> {
        match text.strip_prefix('@') {
            Some(path) => Time::parse(std::fs::read_to_string(path).ok()?.trim()),
            None => Time::parse(text),
        }
    }

    /// Bytes that depend only on the seed and on how often this process has drawn.
    pub(super) fn random() -> Option<[u8; 16]> {
        let seed: u64 = std::env::var("ASK_USER_SEED").ok()?.parse().ok()?;
        let mut state = seed ^ (DRAWN.fetch_add(1, Ordering::Relaxed) << 32);
        let mut bytes = [0; 16];
        for byte in &mut bytes {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            *byte = (state >> 33) as u8;
        }
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of a zone that is so many seconds east, as tzfile(5) describes it.
    fn zone_bytes(seconds: i32, rule: &str) -> Vec<u8> {
        let counts: [u32; 6] = [0, 0, 0, 0, 1, 2];
        let mut block = [b"TZif2".as_slice(), &[0; 15]].concat();
        block.extend(counts.map(u32::to_be_bytes).concat());
        block.extend(seconds.to_be_bytes());
        block.extend(*b"\0\0Z\0");
        [&block, &block, format!("\n{rule}\n").as_bytes()].concat()
    }

    #[test]
    fn a_zone_is_found_by_its_name() {
        let folder = std::env::temp_dir().join(format!("zones-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("Asia")).expect("a folder");
        let file = folder.join("Asia/Tokyo");
        std::fs::write(&file, zone_bytes(32_400, "JST-9")).expect("a file");
        std::fs::write(folder.join("README"), "no zone").expect("a file");
        let found = |name: &str| {
            let folders = [Path::new("/nowhere"), &folder];
            let zone = find_zone(name, folders.into_iter())?;
            Some(zone.to_offset(jiff::Timestamp::UNIX_EPOCH).seconds())
        };
        for name in ["Asia/Tokyo", ":Asia/Tokyo", &file.display().to_string()] {
            assert_eq!(found(name), Some(32_400), "{name}");
        }
        for name in ["", ":", "Asia", "README", "Asia/Kyoto", "JST-9"] {
            assert_eq!(found(name), None, "{name}");
        }
        std::fs::remove_dir_all(&folder).expect("the folder exists");
    }

    #[test]
    fn hours_and_days_follow_the_time_zone() {
        let at = |text: &str| Time::parse(text).expect("a time");
        // The clocks go back an hour on October 25, 2026, at three in the night.
        let berlin = Calendar(TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").expect("a zone"));
        let hour = |text: &str| berlin.hour(at(text));
        assert_eq!(hour("2026-10-24T22:00:00Z").of_the_day(), 0);
        assert_eq!(hour("2026-10-25T00:30:00Z").of_the_day(), 2);
        assert_eq!(hour("2026-10-25T01:30:00Z").of_the_day(), 2);
        assert_eq!(hour("2026-10-25T22:59:59Z").of_the_day(), 23);
        let day = hour("2026-10-25T12:00:00Z").day();
        assert_eq!(berlin.begin(day), at("2026-10-24T22:00:00Z"));
        assert_eq!(berlin.begin(day + 1), at("2026-10-25T23:00:00Z"));
        let india = Calendar(TimeZone::posix("IST-5:30").expect("a zone"));
        assert_eq!(india.hour(at("2026-10-24T18:29:00Z")).of_the_day(), 23);
        assert_eq!(india.hour(at("2026-10-24T18:30:00Z")).of_the_day(), 0);
        assert_eq!(india.begin(i64::MAX), Time(i64::MAX));
        assert_eq!(india.begin(i64::MIN), Time(i64::MIN));
    }
}
