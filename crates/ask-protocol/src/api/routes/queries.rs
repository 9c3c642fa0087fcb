//! What routes take in their queries, word by word.

/// Which asks are meant, whether they wait or are over.
pub(super) const FILTER: &[(&str, &str)] = &[
    ("q", "words that must occur"),
    ("agent", "a client's name, or what an agent calls itself"),
    ("project", "a project's name or directory"),
    ("branch", "a git branch"),
    ("since", "asked since then, in RFC 3339"),
    ("until", "asked before then, in RFC 3339"),
];

/// And which of those that are over.
pub(super) const ENDED: &[(&str, &str)] = &[
    (
        "outcome",
        "of what is over: how it ended; late for answers that came late, untold for what its agent has not been told yet",
    ),
    ("surface", "of what is over: where it was closed"),
    (
        "recommended",
        "of what is over: whether what the agent recommended was taken",
    ),
];

/// Which asks are listed.
pub(super) const LISTED: &[(&str, &str)] = &[
    (
        "state",
        "`waiting` for what waits alone, `closed` for what is over; else what a person can act on",
    ),
    (
        "first",
        "of what waits, only so many, the most urgent first; not with state=closed",
    ),
    ("before", "of what is over: the `before` of the page before"),
    (
        "limit",
        "of what is over: at most so many, 50 if left out, and never more than 200",
    ),
];

/// What is removed of a history.
pub(super) const FORGOTTEN: &[(&str, &str)] = &[
    ("count", "true to remove nothing, and only say how many"),
    ("all", "true if everything that is over is meant"),
];

/// How a history is written out.
pub(super) const EXPORTED: &[(&str, &str)] = &[("format", "json, csv or md; json if left out")];

/// Who asks.
pub(super) const ASKERS: &[(&str, &str)] = &[
    ("client", "what the asking program calls itself"),
    ("agent", "what the agent calls itself"),
    ("session", "its session"),
    (
        "instance",
        "the window of a desktop app that it works for (docs/protocol.md)",
    ),
    ("project", "a short name for the project"),
    ("directory", "the directory it works in"),
];

/// Which files are meant.
pub(super) const MENTIONED: &[(&str, &str)] = &[(
    "q",
    "letters that occur in a path in this order; all files if left out",
)];
