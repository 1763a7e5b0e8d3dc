use core::fmt::Write as _;

use tabiya_chess::{Color, Position, Role, Square};

/// Who is spoken to: nobody, or the player of a side.
///
/// ```
/// use tabiya_chess::{Color, Role, Square};
/// use tabiya_coach::{Man, Voice};
///
/// let queen = Man { color: Color::Black, role: Role::Queen, square: Square::C7 };
/// assert_eq!(queen.words(Voice::Nobody), "Black's queen on c7");
/// assert_eq!(queen.words(Voice::To(Color::Black)), "your queen on c7");
/// assert_eq!(queen.words(Voice::To(Color::White)), "the queen on c7");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Voice {
    /// The sides are named.
    Nobody,
    /// This side is "you".
    To(Color),
}

/// A piece on its square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Man {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub role: Role,
    /// Where it stands.
    pub square: Square,
}

impl Man {
    pub(crate) fn at(position: &Position, square: Square) -> Option<Man> {
        let piece = position.piece_at(square)?;
        Some(Man { color: piece.color, role: piece.role, square })
    }

    /// What it is called.
    pub fn words(&self, voice: Voice) -> String {
        let whose = match voice {
            Voice::To(you) if you == self.color => "your".to_owned(),
            Voice::To(_) => "the".to_owned(),
            Voice::Nobody => format!("{}'s", self.color.name()),
        };
        format!("{whose} {} on {}", self.role.name(), self.square)
    }
}

/// Something that is seen on the board, or proved by trying every answer. Moves are written with their numbers, the last of
/// them being what the fact is about; docs/learn.md tells what each means to the letter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// The last of the moves is mate.
    Mate {
        /// The moves.
        moves: String,
    },
    /// The last of the moves forces mate.
    ForcesMate {
        /// The moves.
        moves: String,
        /// In so many, the last of the moves counted.
        within: u32,
    },
    /// The last of the moves is stalemate.
    Stalemate {
        /// The moves.
        moves: String,
    },
    /// Mate would follow if the other side passed.
    ThreatensMate {
        /// The moves.
        moves: String,
        /// The move that mates.
        mate: String,
    },
    /// The piece that has moved attacks several.
    Attacks {
        /// The moves.
        moves: String,
        /// What it attacks.
        men: Vec<Man>,
    },
    /// The piece that has moved attacks one that nobody defends.
    AttacksUndefended {
        /// The moves.
        moves: String,
        /// What it attacks.
        man: Man,
    },
    /// A piece has moved out of the way of another one.
    Opens {
        /// The moves.
        moves: String,
        /// The piece behind.
        slider: Man,
        /// What it attacks now.
        target: Man,
    },
    /// The piece that has moved pins one.
    Pins {
        /// The moves.
        moves: String,
        /// What is pinned.
        man: Man,
        /// What stands behind it: the king, or what is worth more.
        behind: Man,
    },
    /// The piece that has moved attacks one behind which another one stands.
    Skewers {
        /// The moves.
        moves: String,
        /// What is attacked.
        man: Man,
        /// What stands behind it, and is worth less.
        behind: Man,
    },
    /// The last of the moves takes what nobody defends.
    TakesUndefended {
        /// The moves.
        moves: String,
        /// What is taken.
        man: Man,
    },
    /// After a move a piece is attacked by one that is worth less.
    AttackedBy {
        /// The moves.
        moves: String,
        /// What is attacked.
        man: Man,
        /// By what.
        by: Man,
    },
    /// After a move a piece is attacked more often than it is defended.
    Outnumbered {
        /// The moves.
        moves: String,
        /// What is attacked.
        man: Man,
        /// How often.
        attackers: usize,
        /// How often it is defended.
        defenders: usize,
    },
    /// A piece has moved and no longer defends what it did.
    NoLongerDefends {
        /// The move.
        moves: String,
        /// What has moved.
        mover: Man,
        /// What it defended.
        man: Man,
    },
    /// A piece has moved and no longer guards a square.
    NoLongerGuards {
        /// The move.
        moves: String,
        /// What has moved.
        mover: Man,
        /// The square.
        square: Square,
    },
    /// A piece cannot take back, for it shields its king.
    CannotTake {
        /// The moves.
        moves: String,
        /// The piece.
        man: Man,
        /// Where it cannot take.
        square: Square,
        /// What pins it.
        by: Man,
    },
    /// Wherever a piece goes, it is lost.
    NoSafeMove {
        /// The moves.
        moves: String,
        /// The piece.
        man: Man,
    },
    /// Whatever the side answers, it loses so much.
    Costs {
        /// The moves.
        moves: String,
        /// Who loses it.
        side: Color,
        /// In pawns: 1, 2 (the exchange), 3 (a piece), 5 (a rook) or 9 (a queen).
        least: i32,
    },
    /// After the moves, a side has lost more than the other.
    Lost {
        /// The moves.
        moves: String,
        /// Who.
        side: Color,
        /// What it has lost.
        lost: Vec<Role>,
        /// For what.
        for_: Vec<Role>,
    },
    /// A pawn has become a piece.
    Promotes {
        /// The moves.
        moves: String,
        /// The piece.
        role: Role,
    },
    /// A side may no longer castle.
    NoCastling {
        /// The moves.
        moves: String,
        /// Who.
        side: Color,
    },
    /// A piece goes where another one does not attack it.
    Escapes {
        /// The move.
        moves: String,
        /// Where it stood.
        man: Man,
        /// What attacked it.
        by: Man,
    },
    /// The piece that has moved defends another one.
    Defends {
        /// The move.
        moves: String,
        /// What it defends.
        man: Man,
    },
    /// The piece that has moved guards a square.
    Guards {
        /// The move.
        moves: String,
        /// The square.
        square: Square,
    },
    /// What would be mate after the bad move is no longer mate, or cannot be played.
    StopsMate {
        /// The move.
        moves: String,
        /// The mate.
        mate: String,
    },
    /// No pawn of the other side stands before a pawn, on its file or beside it.
    PassedPawn {
        /// The moves.
        moves: String,
        /// The pawn.
        man: Man,
    },
}

impl Fact {
    /// The moves after which it is so.
    pub fn moves(&self) -> &str {
        match self {
            Fact::Mate { moves, .. }
            | Fact::ForcesMate { moves, .. }
            | Fact::Stalemate { moves, .. }
            | Fact::ThreatensMate { moves, .. }
            | Fact::Attacks { moves, .. }
            | Fact::AttacksUndefended { moves, .. }
            | Fact::Opens { moves, .. }
            | Fact::Pins { moves, .. }
            | Fact::Skewers { moves, .. }
            | Fact::TakesUndefended { moves, .. }
            | Fact::AttackedBy { moves, .. }
            | Fact::Outnumbered { moves, .. }
            | Fact::NoLongerDefends { moves, .. }
            | Fact::NoLongerGuards { moves, .. }
            | Fact::CannotTake { moves, .. }
            | Fact::NoSafeMove { moves, .. }
            | Fact::Costs { moves, .. }
            | Fact::Lost { moves, .. }
            | Fact::Promotes { moves, .. }
            | Fact::NoCastling { moves, .. }
            | Fact::Escapes { moves, .. }
            | Fact::Defends { moves, .. }
            | Fact::Guards { moves, .. }
            | Fact::StopsMate { moves, .. }
            | Fact::PassedPawn { moves, .. } => moves,
        }
    }

    /// The sentence for it.
    pub fn text(&self, voice: Voice) -> String {
        let man = |man: &Man| man.words(voice);
        match self {
            Fact::Mate { moves } => format!("{moves} is mate."),
            Fact::ForcesMate { moves, within } => format!("{moves} forces mate in {within}."),
            Fact::Stalemate { moves } => format!("{moves} is stalemate."),
            Fact::ThreatensMate { moves, mate } => format!("{moves} threatens mate with {mate}."),
            Fact::Attacks { moves, men } => {
                let men: Vec<String> = men.iter().map(man).collect();
                let at_once = if men.len() == 2 { "both " } else { "" };
                format!("{moves} attacks {at_once}{}.", join(&men))
            }
            Fact::AttacksUndefended { moves, man: target } => {
                format!("{moves} attacks {}, which nobody defends.", man(target))
            }
            Fact::Opens { moves, slider, target } => {
                format!("{moves} opens the line from {} to {}.", man(slider), man(target))
            }
            Fact::Pins { moves, man: pinned, behind } => {
                format!("{moves} pins {} to {}.", man(pinned), man(behind))
            }
            Fact::Skewers { moves, man: front, behind } => {
                format!("{moves} attacks {}, with {} behind it.", man(front), man(behind))
            }
            Fact::TakesUndefended { moves, man: target } => {
                format!("{moves} takes {}, which nobody defends.", man(target))
            }
            Fact::AttackedBy { moves, man: target, by } => {
                format!("After {moves}, {} is attacked by {}.", man(target), man(by))
            }
            Fact::Outnumbered { moves, man: target, attackers, defenders } => format!(
                "After {moves}, {} is attacked {} and defended {}.",
                man(target),
                times(*attackers),
                times(*defenders)
            ),
            Fact::NoLongerDefends { moves, mover, man: target } => {
                format!("After {moves}, {} no longer defends {}.", man(mover), man(target))
            }
            Fact::NoLongerGuards { moves, mover, square } => {
                format!("After {moves}, {} no longer guards {square}.", man(mover))
            }
            Fact::CannotTake { moves, man: pinned, square, by } => format!(
                "After {moves}, {} cannot take on {square}, pinned by {}.",
                man(pinned),
                man(by)
            ),
            Fact::NoSafeMove { moves, man: trapped } => {
                format!("After {moves}, {} has no safe move.", man(trapped))
            }
            Fact::Costs { moves, side, least } => {
                let (subject, s) = subject(*side, voice);
                let (who, _) = subject_again(*side, voice);
                let what = match least {
                    9.. => "a queen",
                    5..=8 => "a rook",
                    3..=4 => "a piece",
                    2 => "the exchange",
                    _ => "a pawn",
                };
                let answers = if s { "answers" } else { "answer" };
                let loses = if s { "loses" } else { "lose" };
                format!(
                    "After {moves}, whatever {subject} {answers}, {who} {loses} at least {what}."
                )
            }
            Fact::Lost { moves, side, lost, for_ } => {
                let (subject, s) = subject(*side, voice);
                let has = if s { "has" } else { "have" };
                let mut text = format!("After {moves}, {subject} {has} lost {}", roles(lost));
                if !for_.is_empty() {
                    let _ = write!(text, " for {}", roles(for_));
                }
                text + "."
            }
            Fact::Promotes { moves, role } => format!("{moves} makes a new {}.", role.name()),
            Fact::NoCastling { moves, side } => {
                format!("After {moves}, {} can no longer castle.", subject(*side, voice).0)
            }
            Fact::Escapes { moves, man: gone, by } => {
                format!("{moves} takes {} out of the attack of {}.", man(gone), man(by))
            }
            Fact::Defends { moves, man: target } => format!("{moves} defends {}.", man(target)),
            Fact::Guards { moves, square } => format!("{moves} guards {square}."),
            Fact::StopsMate { moves, mate } => format!("{moves} stops {mate}."),
            Fact::PassedPawn { moves, man: pawn } => {
                format!("After {moves}, {} is a passed pawn.", man(pawn))
            }
        }
    }
}

/// The side as the subject of a sentence, and whether its verb ends with an s.
fn subject(side: Color, voice: Voice) -> (&'static str, bool) {
    match voice {
        Voice::To(you) if you == side => ("you", false),
        _ => (side.name(), true),
    }
}

fn subject_again(side: Color, voice: Voice) -> (&'static str, bool) {
    match voice {
        Voice::To(you) if you == side => ("you", false),
        _ => ("it", true),
    }
}

fn times(count: usize) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        more => format!("{more} times"),
    }
}

/// "a, b and c".
fn join(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// "a rook and two pawns".
fn roles(roles: &[Role]) -> String {
    let kinds = roles.chunk_by(|a, b| a == b).filter_map(|kind| {
        let name = kind.first()?.name();
        Some(match kind.len() {
            1 => format!("a {name}"),
            2 => format!("two {name}s"),
            3 => format!("three {name}s"),
            more => format!("{more} {name}s"),
        })
    });
    join(&kinds.collect::<Vec<_>>())
}
