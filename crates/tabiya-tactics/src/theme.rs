use core::str::FromStr;

/// What a puzzle is about. A puzzle has several.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Theme {
    /// Mate with the next move.
    MateIn1,
    /// Mate in two moves.
    MateIn2,
    /// Mate in three moves.
    MateIn3,
    /// Mate in four moves or more.
    LongMate,
    /// Mate along the rank on which the king began, behind its own men.
    BackRankMate,
    /// Mate by a knight to a king whose neighbours are its own men.
    SmotheredMate,
    /// One piece attacks two or more.
    Fork,
    /// A piece cannot move, as what stands behind it would be lost.
    Pin,
    /// A piece moves away, and what stood behind it is taken.
    Skewer,
    /// A piece steps aside, and the one behind it attacks.
    DiscoveredAttack,
    /// Two pieces give check at once.
    DoubleCheck,
    /// A piece that nobody defends is taken.
    HangingPiece,
    /// Something is given for more.
    Sacrifice,
    /// A pawn becomes a piece.
    Promotion,
    /// A pawn becomes something else than a queen.
    Underpromotion,
    /// The key move neither takes nor gives check, and attacks nothing bigger.
    QuietMove,
    /// Before a piece is taken back, something stronger is played.
    Zwischenzug,
    /// A defender is taken, or made to go.
    Deflection,
    /// A piece has no good square left.
    TrappedPiece,
    /// The game is saved, not won.
    Defence,
    /// The first moves of a game.
    Opening,
    /// Many pieces.
    Middlegame,
    /// Few pieces.
    Endgame,
    /// Kings and pawns.
    PawnEndgame,
    /// Knights and pawns.
    KnightEndgame,
    /// Bishops and pawns.
    BishopEndgame,
    /// Rooks and pawns.
    RookEndgame,
    /// Queens and pawns.
    QueenEndgame,
}

impl Theme {
    /// All of them, in the order in which people see them.
    pub const ALL: [Theme; 28] = [
        Theme::MateIn1,
        Theme::MateIn2,
        Theme::MateIn3,
        Theme::LongMate,
        Theme::BackRankMate,
        Theme::SmotheredMate,
        Theme::Fork,
        Theme::Pin,
        Theme::Skewer,
        Theme::DiscoveredAttack,
        Theme::DoubleCheck,
        Theme::HangingPiece,
        Theme::Sacrifice,
        Theme::Promotion,
        Theme::Underpromotion,
        Theme::QuietMove,
        Theme::Zwischenzug,
        Theme::Deflection,
        Theme::TrappedPiece,
        Theme::Defence,
        Theme::Opening,
        Theme::Middlegame,
        Theme::Endgame,
        Theme::PawnEndgame,
        Theme::KnightEndgame,
        Theme::BishopEndgame,
        Theme::RookEndgame,
        Theme::QueenEndgame,
    ];

    /// Its name in addresses and JSON.
    ///
    /// ```
    /// use tabiya_tactics::Theme;
    ///
    /// assert_eq!(Theme::BackRankMate.name(), "back-rank-mate");
    /// assert_eq!("back-rank-mate".parse(), Ok(Theme::BackRankMate));
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Theme::MateIn1 => "mate-in-1",
            Theme::MateIn2 => "mate-in-2",
            Theme::MateIn3 => "mate-in-3",
            Theme::LongMate => "long-mate",
            Theme::BackRankMate => "back-rank-mate",
            Theme::SmotheredMate => "smothered-mate",
            Theme::Fork => "fork",
            Theme::Pin => "pin",
            Theme::Skewer => "skewer",
            Theme::DiscoveredAttack => "discovered-attack",
            Theme::DoubleCheck => "double-check",
            Theme::HangingPiece => "hanging-piece",
            Theme::Sacrifice => "sacrifice",
            Theme::Promotion => "promotion",
            Theme::Underpromotion => "underpromotion",
            Theme::QuietMove => "quiet-move",
            Theme::Zwischenzug => "zwischenzug",
            Theme::Deflection => "deflection",
            Theme::TrappedPiece => "trapped-piece",
            Theme::Defence => "defence",
            Theme::Opening => "opening",
            Theme::Middlegame => "middlegame",
            Theme::Endgame => "endgame",
            Theme::PawnEndgame => "pawn-endgame",
            Theme::KnightEndgame => "knight-endgame",
            Theme::BishopEndgame => "bishop-endgame",
            Theme::RookEndgame => "rook-endgame",
            Theme::QueenEndgame => "queen-endgame",
        }
    }

    /// What people call it.
    pub const fn label(self) -> &'static str {
        match self {
            Theme::MateIn1 => "Mate in 1",
            Theme::MateIn2 => "Mate in 2",
            Theme::MateIn3 => "Mate in 3",
            Theme::LongMate => "Mate in 4 or more",
            Theme::BackRankMate => "Back-rank mate",
            Theme::SmotheredMate => "Smothered mate",
            Theme::Fork => "Fork",
            Theme::Pin => "Pin",
            Theme::Skewer => "Skewer",
            Theme::DiscoveredAttack => "Discovered attack",
            Theme::DoubleCheck => "Double check",
            Theme::HangingPiece => "Hanging piece",
            Theme::Sacrifice => "Sacrifice",
            Theme::Promotion => "Promotion",
            Theme::Underpromotion => "Underpromotion",
            Theme::QuietMove => "Quiet move",
            Theme::Zwischenzug => "Zwischenzug",
            Theme::Deflection => "Removing the defender",
            Theme::TrappedPiece => "Trapped piece",
            Theme::Defence => "Defence",
            Theme::Opening => "Opening",
            Theme::Middlegame => "Middlegame",
            Theme::Endgame => "Endgame",
            Theme::PawnEndgame => "Pawn endgame",
            Theme::KnightEndgame => "Knight endgame",
            Theme::BishopEndgame => "Bishop endgame",
            Theme::RookEndgame => "Rook endgame",
            Theme::QueenEndgame => "Queen endgame",
        }
    }

    const fn bit(self) -> u32 {
        1 << self as u8
    }
}

/// What was read is not a theme.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no such theme")]
pub struct UnknownTheme;

impl FromStr for Theme {
    type Err = UnknownTheme;

    fn from_str(text: &str) -> Result<Theme, UnknownTheme> {
        Theme::ALL.into_iter().find(|theme| theme.name() == text).ok_or(UnknownTheme)
    }
}

/// Several themes.
///
/// ```
/// use tabiya_tactics::{Theme, Themes};
///
/// let themes: Themes = [Theme::Fork, Theme::Endgame].into_iter().collect();
/// assert!(themes.contains(Theme::Fork) && !themes.contains(Theme::Pin));
/// assert_eq!(themes.iter().count(), 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Themes(u32);

impl Themes {
    /// Whether a theme is among them.
    pub const fn contains(self, theme: Theme) -> bool {
        self.0 & theme.bit() != 0
    }

    /// All of them, in order.
    pub fn iter(self) -> impl Iterator<Item = Theme> {
        Theme::ALL.into_iter().filter(move |&theme| self.contains(theme))
    }
}

impl FromIterator<Theme> for Themes {
    fn from_iter<I: IntoIterator<Item = Theme>>(themes: I) -> Themes {
        Themes(themes.into_iter().fold(0, |bits, theme| bits | theme.bit()))
    }
}
