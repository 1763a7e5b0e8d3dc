use crate::{GameEnd, Side};

impl GameEnd {
    /// A game that a side has won.
    ///
    /// ```
    /// use tabiya_view::{GameEnd, Side};
    ///
    /// let end = GameEnd::won(Side::White, "Black resigns");
    /// assert_eq!((end.text.as_str(), end.result), ("Black resigns: White wins", "1-0"));
    /// ```
    pub fn won(winner: Side, how: &str) -> GameEnd {
        let (name, result) = match winner {
            Side::White => ("White", "1-0"),
            Side::Black => ("Black", "0-1"),
        };
        GameEnd { winner: Some(winner), text: format!("{how}: {name} wins"), result }
    }

    /// A game that nobody has won.
    ///
    /// ```
    /// use tabiya_view::GameEnd;
    ///
    /// assert_eq!(GameEnd::drawn("Draw by agreement").result, "1/2-1/2");
    /// ```
    pub fn drawn(text: &str) -> GameEnd {
        GameEnd { winner: None, text: text.to_owned(), result: "1/2-1/2" }
    }

    /// A game that was broken off: nobody has won, and it is no draw.
    ///
    /// ```
    /// use tabiya_view::GameEnd;
    ///
    /// assert_eq!(GameEnd::aborted("The game was aborted").result, "*");
    /// ```
    pub fn aborted(text: &str) -> GameEnd {
        GameEnd { winner: None, text: text.to_owned(), result: "*" }
    }

    /// The end of a game from its result and sentence; nothing if it goes on: then there is no sentence.
    ///
    /// ```
    /// use tabiya_view::{GameEnd, Side};
    ///
    /// let end = GameEnd::read("0-1", "Checkmate: Black wins").unwrap();
    /// assert_eq!(end.winner, Some(Side::Black));
    /// assert_eq!(GameEnd::read("*", ""), None);
    /// ```
    pub fn read(result: &str, text: &str) -> Option<GameEnd> {
        let (winner, result) = match result {
            "1-0" => (Some(Side::White), "1-0"),
            "0-1" => (Some(Side::Black), "0-1"),
            "1/2-1/2" => (None, "1/2-1/2"),
            "*" if !text.is_empty() => (None, "*"),
            _ => return None,
        };
        Some(GameEnd { winner, text: text.to_owned(), result })
    }
}

impl Side {
    /// Both sides, White first.
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// The other side.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// `White` or `Black`.
    pub const fn name(self) -> &'static str {
        match self {
            Side::White => "White",
            Side::Black => "Black",
        }
    }
}
