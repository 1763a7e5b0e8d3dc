//! Reading numbers and quoting strangers.

/// A number without sign, spaces or leading zeros, as the game writes them.
pub(crate) fn number(text: &str) -> Option<u8> {
    let good = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    if good { text.parse().ok() } else { None }
}

/// A text in backquotes for use in an error: one line of sensible length, whatever it is.
pub(crate) fn excerpt(text: &str) -> String {
    format!("`{}`", tabiya_base::excerpt(text))
}
