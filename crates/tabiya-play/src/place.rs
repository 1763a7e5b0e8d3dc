use std::fmt;

/// A square of a board of any size up to 26×26: column and row from White's left corner, from zero.
///
/// ```
/// use tabiya_play::Place;
///
/// let e4 = Place { column: 4, row: 3 };
/// assert_eq!(e4.to_string(), "e4");
/// assert_eq!("e4".parse(), Ok(e4));
/// assert_eq!("z26".parse(), Ok(Place { column: 25, row: 25 }));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The column: 0 is a.
    pub column: u8,
    /// The row: 0 is the first.
    pub row: u8,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column), u32::from(self.row) + 1)
    }
}

/// No square is called that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParsePlaceError;

impl fmt::Display for ParsePlaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a square is a letter and a number, like e4")
    }
}

impl std::error::Error for ParsePlaceError {}

impl std::str::FromStr for Place {
    type Err = ParsePlaceError;

    fn from_str(text: &str) -> Result<Place, ParsePlaceError> {
        let (Some(letter @ b'a'..=b'z'), Some(number)) = (text.bytes().next(), text.get(1..))
        else {
            return Err(ParsePlaceError);
        };
        if number.starts_with(['0', '+']) {
            return Err(ParsePlaceError);
        }
        match number.parse::<u8>() {
            Ok(row @ 1..=26) => Ok(Place { column: letter - b'a', row: row - 1 }),
            _ => Err(ParsePlaceError),
        }
    }
}
