use core::fmt;
use core::ops::Not;
use core::str::FromStr;

/// One of the two players.
///
/// ```
/// use tabiya_chess::Color;
///
/// assert_eq!(!Color::White, Color::Black);
/// assert_eq!("white".parse(), Ok(Color::White));
/// assert_eq!(Color::Black.to_string(), "black");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// The player who moves first.
    White,
    /// The player who answers.
    Black,
}

impl Color {
    /// Both colours, White first.
    ///
    /// ```
    /// # use tabiya_chess::Color;
    /// assert_eq!(Color::ALL, [Color::White, Color::Black]);
    /// ```
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// The opponent. `!color` says the same.
    ///
    /// ```
    /// # use tabiya_chess::Color;
    /// assert_eq!(Color::White.other(), Color::Black);
    /// assert_eq!(Color::White.other().other(), Color::White);
    /// ```
    #[inline]
    pub const fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// `'w'` or `'b'`, as in the second field of a FEN.
    ///
    /// ```
    /// # use tabiya_chess::Color;
    /// assert_eq!(Color::Black.letter(), 'b');
    /// ```
    pub const fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }

    /// `"White"` or `"Black"`, to begin a sentence with.
    ///
    /// ```
    /// # use tabiya_chess::Color;
    /// assert_eq!(format!("{} to move", Color::White.name()), "White to move");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Color::White => "White",
            Color::Black => "Black",
        }
    }
}

impl Not for Color {
    type Output = Color;
    #[inline]
    fn not(self) -> Color {
        self.other()
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Color::White => "white",
            Color::Black => "black",
        })
    }
}

/// The text is not the name of a colour.
///
/// ```
/// # use tabiya_chess::Color;
/// let error = "green".parse::<Color>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "Incorrect color specified (got green, only 'white' and 'black' permitted)."
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseColorError(String);

impl fmt::Display for ParseColorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Incorrect color specified (got {}, only 'white' and 'black' permitted).", self.0)
    }
}

impl core::error::Error for ParseColorError {}

impl FromStr for Color {
    type Err = ParseColorError;

    fn from_str(text: &str) -> Result<Color, ParseColorError> {
        match text {
            "white" => Ok(Color::White),
            "black" => Ok(Color::Black),
            other => Err(ParseColorError(other.to_owned())),
        }
    }
}
