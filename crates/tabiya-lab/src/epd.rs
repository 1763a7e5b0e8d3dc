//! Positions with remarks, one a line: four fields of a FEN, then operations like `bm Nf3; id "x";`.

use tabiya_chess::{FenError, Position};

/// Reads the position of a line: four fields, and the two counters of a FEN if they follow. Gives what
/// comes after it as well.
///
/// ```
/// let line = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"back rank\";";
/// let (position, rest) = tabiya_lab::read_epd(line)?;
/// assert_eq!(position.legal_moves().len(), 20);
/// assert_eq!(rest, "bm Rd8#; id \"back rank\";");
/// # Ok::<(), tabiya_chess::FenError>(())
/// ```
pub fn read_epd(line: &str) -> Result<(Position, &str), FenError> {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (fields, rest) = split_fields(line, 4);
    let (counters, after) = split_fields(rest, 2);
    if counters.len() == 2 && counters.iter().all(|counter| is_number(counter)) {
        let all = [fields, counters].concat().join(" ");
        return Ok((Position::from_fen(&all)?, after));
    }
    if fields.len() < 4 {
        // Too few: the full reader knows which is missing.
        return Ok((Position::from_fen(line)?, ""));
    }
    Ok((Position::from_fen_prefix(&fields.join(" "))?, rest))
}

/// The first words of a text, and the rest.
fn split_fields(text: &str, count: usize) -> (Vec<&str>, &str) {
    let mut fields = Vec::new();
    let mut rest = text.trim_start();
    while fields.len() < count && !rest.is_empty() {
        let (field, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        fields.push(field);
        rest = after.trim_start();
    }
    (fields, rest)
}

/// The four fields of a position.
pub(crate) fn fields(position: &Position) -> String {
    let fen = position.fen();
    split_fields(&fen, 4).0.join(" ")
}

/// The operations after the position: a name and what it is given, without the quotation marks around
/// a text.
pub(crate) fn operations(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut quoted = false;
    text.split(move |letter| {
        quoted ^= letter == '"';
        letter == ';' && !quoted
    })
    .map(str::trim)
    .filter(|operation| !operation.is_empty())
    .map(|operation| {
        let (name, given) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        (name, given.trim().trim_matches('"'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_split_outside_of_quotation_marks() {
        let line = "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4 e3; id \"a; b\";c0 ;; dm 5";
        let (position, rest) = read_epd(line).unwrap();
        assert_eq!(fields(&position), "4k3/8/8/8/8/8/4P3/4K3 w - -");
        let read: Vec<_> = operations(rest).collect();
        assert_eq!(read, [("bm", "e4 e3"), ("id", "a; b"), ("c0", ""), ("dm", "5")]);
    }

    #[test]
    fn counters_may_come_before_operations() {
        let (position, rest) = read_epd("4k3/8/8/8/8/8/4P3/4K3 b - - 7 31 dm 5;").unwrap();
        assert_eq!((position.halfmove_clock(), position.fullmove_number()), (7, 31));
        assert_eq!(rest, "dm 5;");
    }
}
