//! Durations in the person's language, as short as people write them: an age in a list, how long
//! something took.
//! long something took.

use super::Words;

impl Words {
    /// A duration in the largest unit of which it has at least one: `40s`, `4m`, `3h`, `2d`.
    pub fn brief(self, ms: u64) -> String {
        let seconds = ms / 1_000;
        let count = |count: u64| [("count", count.to_string().into())];
        match seconds {
            0..60 => self.format("shared-seconds", &count(seconds)),
            60..3_600 => self.format("shared-minutes", &count(seconds / 60)),
            3_600..86_400 => self.format("shared-hours", &count(seconds / 3_600)),
            _ => self.format("shared-days", &count(seconds / 86_400)),
        }
    }

    /// A duration in two units, the second one with two digits: `41s`, `7m 10s`, `1h 12m`, `3d
    /// 04h`.
    pub fn length(self, ms: u64) -> String {
        let seconds = ms / 1_000;
        let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400);
        let two = |whole: u64, rest: u64| {
            [
                ("whole", whole.to_string().into()),
                ("rest", format!("{rest:02}").into()),
            ]
        };
        match seconds {
            0..60 => self.brief(ms),
            60..3_600 => self.format("shared-minutes-seconds", &two(minutes, seconds % 60)),
            3_600..86_400 => self.format("shared-hours-minutes", &two(hours, minutes % 60)),
            _ => self.format("shared-days-hours", &two(days, hours % 24)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::i18n::{Language, Words};

    const SECOND: u64 = 1_000;
    const HOUR: u64 = 3_600 * SECOND;

    #[test]
    fn durations_are_written_as_each_language_does() {
        let said = |language| {
            let words = Words::for_language(language);
            let ages = [41 * SECOND, 120 * SECOND, 3 * HOUR, 50 * HOUR].map(|ms| words.brief(ms));
            let took = [430 * SECOND, HOUR + 300 * SECOND, 76 * HOUR].map(|ms| words.length(ms));
            [ages.join(", "), took.join(", ")].join(" / ")
        };
        let all = [
            (
                Language::English,
                "41s, 2m, 3h, 2d / 7m 10s, 1h 05m, 3d 04h",
            ),
            (
                Language::Spanish,
                "41 s, 2 min, 3 h, 2 d / 7 min 10 s, 1 h 05 min, 3 d 04 h",
            ),
            (
                Language::German,
                "41 s, 2 Min., 3 Std., 2 Tg. / 7 min 10 s, 1 h 05 min, 3 d 04 h",
            ),
            (
                Language::French,
                "41 s, 2 min, 3 h, 2 j / 7 min 10 s, 1 h 05 min, 3 j 04 h",
            ),
            (
                Language::Japanese,
                "41秒, 2分, 3時間, 2日 / 7分10秒, 1時間05分, 3日04時間",
            ),
            (
                Language::SimplifiedChinese,
                "41秒, 2分, 3小时, 2天 / 7分10秒, 1小时05分, 3天04小时",
            ),
            (
                Language::Korean,
                "41초, 2분, 3시간, 2일 / 7분 10초, 1시간 05분, 3일 04시간",
            ),
        ];
        for (language, expected) in all {
            assert_eq!(said(language), expected);
        }
    }
}
