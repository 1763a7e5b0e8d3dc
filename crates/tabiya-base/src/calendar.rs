use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The time since the beginning of 1970, by the clock of Greenwich; none if the system's clock stands before that.
///
/// ```
/// assert!(tabiya_base::unix_time().as_secs() > 1_700_000_000);
/// ```
pub fn unix_time() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// The same in milliseconds.
///
/// ```
/// assert!(tabiya_base::unix_milliseconds() > 1_700_000_000_000);
/// ```
pub fn unix_milliseconds() -> i64 {
    i64::try_from(unix_time().as_millis()).unwrap_or(i64::MAX)
}

/// Year, month and day of the date so many days after 1 January 1970.
///
/// ```
/// assert_eq!(tabiya_base::date(19_782), (2024, 2, 29));
/// ```
pub fn date(days: u64) -> (u64, u64, u64) {
    // Years from 1 March, so that the leap day comes last (see Howard Hinnant, "chrono-compatible
    // low-level date algorithms").
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (days, expected) in [
            (0, (1970, 1, 1)),
            (58, (1970, 2, 28)),
            (59, (1970, 3, 1)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (19_782, (2024, 2, 29)),
            (19_783, (2024, 3, 1)),
            (20_453, (2025, 12, 31)),
            (47_540, (2100, 2, 28)),
            (47_541, (2100, 3, 1)),
        ] {
            assert_eq!(date(days), expected, "{days}");
        }
    }
}
