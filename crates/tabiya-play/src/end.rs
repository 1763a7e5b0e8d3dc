use crate::{End, Side};

impl End {
    /// A game that a side has won.
    ///
    /// ```
    /// use tabiya_play::{End, Side};
    ///
    /// let end = End::won(Side::White, "Black resigns");
    /// assert_eq!((end.text.as_str(), end.result), ("Black resigns: White wins", "1-0"));
    /// ```
    pub fn won(winner: Side, how: &str) -> End {
        let (name, result) = match winner {
            Side::White => ("White", "1-0"),
            Side::Black => ("Black", "0-1"),
        };
        End { winner: Some(winner), text: format!("{how}: {name} wins"), result }
    }

    /// A game that nobody has won.
    ///
    /// ```
    /// use tabiya_play::End;
    ///
    /// assert_eq!(End::drawn("Draw by agreement").result, "1/2-1/2");
    /// ```
    pub fn drawn(text: &str) -> End {
        End { winner: None, text: text.to_owned(), result: "1/2-1/2" }
    }

    /// A game that was broken off: nobody has won, and it is no draw.
    ///
    /// ```
    /// use tabiya_play::End;
    ///
    /// assert_eq!(End::aborted("The game was aborted").result, "*");
    /// ```
    pub fn aborted(text: &str) -> End {
        End { winner: None, text: text.to_owned(), result: "*" }
    }

    /// The end of a game from its result and sentence; nothing if it goes on: then there is no sentence.
    ///
    /// ```
    /// use tabiya_play::{End, Side};
    ///
    /// let end = End::read("0-1", "Checkmate: Black wins").unwrap();
    /// assert_eq!(end.winner, Some(Side::Black));
    /// assert_eq!(End::read("*", ""), None);
    /// ```
    pub fn read(result: &str, text: &str) -> Option<End> {
        let (winner, result) = match result {
            "1-0" => (Some(Side::White), "1-0"),
            "0-1" => (Some(Side::Black), "0-1"),
            "1/2-1/2" => (None, "1/2-1/2"),
            "*" if !text.is_empty() => (None, "*"),
            _ => return None,
        };
        Some(End { winner, text: text.to_owned(), result })
    }
}

impl Side {
    /// Both sides, White first.
    ///
    /// ```
    /// # use tabiya_play::Side;
    /// assert_eq!(Side::BOTH[0], Side::White);
    /// ```
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// The other side.
    ///
    /// ```
    /// # use tabiya_play::Side;
    /// assert_eq!(Side::White.other(), Side::Black);
    /// ```
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// `White` or `Black`.
    ///
    /// ```
    /// # use tabiya_play::Side;
    /// assert_eq!(Side::Black.name(), "Black");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Side::White => "White",
            Side::Black => "Black",
        }
    }
}
