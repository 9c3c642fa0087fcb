//! Durations as people write them: a number and a unit.

/// Parses a number with a unit into milliseconds: `500ms`, `90s`, `15m`, `2h`, `1d`, `1w`.
pub fn parse_duration_ms(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit())?);
    let unit_ms = match unit.trim_start() {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        "w" => 604_800_000,
        _ => return None,
    };
    let number: u64 = number.parse().ok()?;
    number.checked_mul(unit_ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit() {
        let found = ["90s", "15m", "2h", "1d", "2w", " 5 m", "250ms"].map(parse_duration_ms);
        let wanted = [
            90_000,
            900_000,
            7_200_000,
            86_400_000,
            1_209_600_000,
            300_000,
            250,
        ];
        assert_eq!(found, wanted.map(Some));
        for wrong in ["", "m", "15", "15x", "-1m", "1é", "99999999999999999d"] {
            assert_eq!(parse_duration_ms(wrong), None, "{wrong}");
        }
    }
}
