//! The size of what has to be installed.

use std::path::Path;

use crate::Plan;
use crate::harness;
use crate::table::{Figure, Row};

pub(crate) fn rows(_: &Plan) -> Vec<Row> {
    let figure = |path: &Path| {
        let bytes = std::fs::metadata(path).map_or(0, |about| about.len());
        Figure::mb(bytes / 1024)
    };
    let ours = figure(Path::new(harness::OURS));
    let row = Row::new("size", "the binary", ours);
    vec![row.with_floor(figure(&harness::floor())).goal("≤ 16 MB")]
}
