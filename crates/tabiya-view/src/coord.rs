use std::fmt;

/// A square of a board of any size up to 26×26: column and row from White's left corner, from zero.
///
/// ```
/// use tabiya_view::Coord;
///
/// let e4 = Coord { column: 4, row: 3 };
/// assert_eq!(e4.to_string(), "e4");
/// assert_eq!("e4".parse(), Ok(e4));
/// assert_eq!("z26".parse(), Ok(Coord { column: 25, row: 25 }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Coord {
    /// The column: 0 is a.
    pub column: u8,
    /// The row: 0 is the first.
    pub row: u8,
}

impl fmt::Display for Coord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column), u32::from(self.row) + 1)
    }
}

/// No square is called that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseCoordError;

impl fmt::Display for ParseCoordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a square is a letter and a number, like e4")
    }
}

impl std::error::Error for ParseCoordError {}

impl std::str::FromStr for Coord {
    type Err = ParseCoordError;

    fn from_str(text: &str) -> Result<Coord, ParseCoordError> {
        let (Some(letter @ b'a'..=b'z'), Some(number)) = (text.bytes().next(), text.get(1..))
        else {
            return Err(ParseCoordError);
        };
        if number.starts_with(['0', '+']) {
            return Err(ParseCoordError);
        }
        match number.parse::<u8>() {
            Ok(row @ 1..=26) => Ok(Coord { column: letter - b'a', row: row - 1 }),
            _ => Err(ParseCoordError),
        }
    }
}
