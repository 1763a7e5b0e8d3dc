use std::fmt;

/// A judgement on a move or a position by its number ("numeric annotation glyph"): `$1` is a good
/// move.
///
/// ```
/// use tabiya_pgn::Nag;
///
/// assert_eq!(Nag::from_symbol("!?"), Some(Nag::INTERESTING));
/// assert_eq!(Nag::INTERESTING.to_string(), "$5");
/// assert_eq!(Nag::INTERESTING.symbol(), Some("!?"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Nag(pub u8);

/// The symbols that stand for numbers in the files of many programs; of several symbols for one
/// number the first is the one to show.
const SYMBOLS: [(&str, u8); 25] = [
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("□", 7),
    ("=", 10),
    ("∞", 13),
    ("⩲", 14),
    ("+=", 14),
    ("+/=", 14),
    ("⩱", 15),
    ("=+", 15),
    ("=/+", 15),
    ("±", 16),
    ("+/-", 16),
    ("∓", 17),
    ("-/+", 17),
    ("+-", 18),
    ("+--", 18),
    ("-+", 19),
    ("--+", 19),
    ("N", 146),
    ("D", 220),
];

impl Nag {
    /// `!`
    ///
    /// ```
    /// # use tabiya_pgn::Nag;
    /// assert_eq!(Nag::GOOD.symbol(), Some("!"));
    /// ```
    pub const GOOD: Nag = Nag(1);

    /// `?`
    ///
    /// ```
    /// # use tabiya_pgn::Nag;
    /// assert_eq!(Nag::MISTAKE.symbol(), Some("?"));
    /// ```
    pub const MISTAKE: Nag = Nag(2);

    /// `!!`
    ///
    /// ```
    /// # use tabiya_pgn::Nag;
    /// assert_eq!(Nag::BRILLIANT.symbol(), Some("!!"));
    /// ```
    pub const BRILLIANT: Nag = Nag(3);

    /// `??`
    ///
    /// ```
    /// # use tabiya_pgn::Nag;
    /// assert_eq!(Nag::BLUNDER.symbol(), Some("??"));
    /// ```
    pub const BLUNDER: Nag = Nag(4);

    /// `!?`
    ///
    /// ```
    /// # use tabiya_pgn::Nag;
    /// assert_eq!(Nag::INTERESTING.symbol(), Some("!?"));
    /// ```
    pub const INTERESTING: Nag = Nag(5);

    /// `?!`
    ///
    /// ```
    /// # use tabiya_pgn::Nag;
    /// assert_eq!(Nag::DUBIOUS.symbol(), Some("?!"));
    /// ```
    pub const DUBIOUS: Nag = Nag(6);

    /// The judgement that a symbol stands for: `!` to `?!`, `+-`, `=`, `±` and the like.
    ///
    /// ```
    /// # use tabiya_pgn::Nag;
    /// assert_eq!(Nag::from_symbol("+-"), Some(Nag(18)));
    /// assert_eq!(Nag::from_symbol("e4"), None);
    /// ```
    pub fn from_symbol(symbol: &str) -> Option<Nag> {
        SYMBOLS.iter().find(|(known, _)| *known == symbol).map(|&(_, number)| Nag(number))
    }

    /// The symbol for the judgement, if there is a usual one.
    ///
    /// ```
    /// # use tabiya_pgn::Nag;
    /// assert_eq!(Nag(17).symbol(), Some("∓"));
    /// assert_eq!(Nag(99).symbol(), None);
    /// ```
    pub fn symbol(self) -> Option<&'static str> {
        SYMBOLS.iter().find(|(_, number)| *number == self.0).map(|&(symbol, _)| symbol)
    }
}

impl fmt::Display for Nag {
    /// As the standard asks: `$` and the number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}", self.0)
    }
}
