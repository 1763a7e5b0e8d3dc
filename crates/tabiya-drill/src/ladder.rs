//! The positions of the ladder. That each is what it says is held to the tables (`tests/ladder.rs`).

use tabiya_chess::{Color, Position};
use tabiya_tables::Material;

/// What is to be done in an ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// To be won.
    Win,
    /// To be held.
    Draw,
}

impl Task {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Task::Win => "win",
            Task::Draw => "draw",
        }
    }
}

/// One position of the ladder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// By what it is known, in addresses and among cards: `queen-1`.
    pub id: &'static str,
    /// The position, with the solver to move.
    pub fen: &'static str,
    /// What the solver has to do.
    pub task: Task,
}

impl Ending {
    /// The position.
    ///
    /// ```
    /// let ending = tabiya_drill::find("lucena-1").unwrap();
    /// assert_eq!(ending.position().turn(), ending.solver());
    /// ```
    pub fn position(&self) -> Position {
        // The tests read them all.
        Position::from_fen(self.fen).unwrap_or_else(|_| Position::initial())
    }

    /// The step to which it belongs.
    pub fn rung(&self) -> Option<&'static Rung> {
        LADDER.iter().find(|rung| rung.endings.iter().any(|ending| ending.id == self.id))
    }

    /// What its card says, as JSON.
    ///
    /// ```
    /// let card = tabiya_drill::find("lucena-1").unwrap().card();
    /// assert_eq!(card, r#"{"fen":"6K1/4k1P1/8/8/8/8/7r/5R2 w - - 0 1","task":"win","title":"Lucena's bridge"}"#);
    /// ```
    pub fn card(&self) -> String {
        let title = self.rung().map_or("", |rung| rung.title);
        format!(r#"{{"fen":"{}","task":"{}","title":"{title}"}}"#, self.fen, self.task.name())
    }

    /// What is to be done, in a sentence.
    pub fn sentence(&self) -> String {
        format!("{} to move and {}", self.solver().name(), self.task.name())
    }

    /// The pieces, by which tables are known.
    pub fn material(&self) -> Option<Material> {
        Material::of(self.position().board()).map(|(material, _)| material)
    }

    /// How many men there are.
    pub fn men(&self) -> u32 {
        self.position().board().occupied().len()
    }

    /// Who solves it.
    pub fn solver(&self) -> Color {
        self.position().turn()
    }
}

/// A step of the ladder: one thing to learn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rung {
    /// Its name in addresses.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// How it is done, in a sentence or two.
    pub idea: &'static str,
    /// The positions, the easier first.
    pub endings: &'static [Ending],
}

/// All steps, the easier first.
///
/// ```
/// let ladder = tabiya_drill::ladder();
/// assert_eq!(ladder.first().unwrap().title, "Two rooks");
/// assert_eq!(ladder.last().unwrap().title, "Bishop and knight");
/// ```
pub fn ladder() -> &'static [Rung] {
    &LADDER
}

/// The position of a name, if there is one.
pub fn find(id: &str) -> Option<&'static Ending> {
    LADDER.iter().flat_map(|rung| rung.endings).find(|ending| ending.id == id)
}

const fn win(id: &'static str, fen: &'static str) -> Ending {
    Ending { id, fen, task: Task::Win }
}

const fn draw(id: &'static str, fen: &'static str) -> Ending {
    Ending { id, fen, task: Task::Draw }
}

/// The ladder.
static LADDER: [Rung; 20] = [
    Rung {
        name: "two-rooks",
        title: "Two rooks",
        idea: "One rook keeps the king behind a line, the other takes the next line. When the king comes near, a rook goes to the far side.",
        endings: &[
            win("two-rooks-1", "2R5/8/8/6k1/3K4/4R3/8/8 w - - 0 1"),
            win("two-rooks-2", "8/8/2R5/4k3/8/7R/8/3K4 w - - 0 1"),
            win("two-rooks-3", "8/8/8/R7/4k3/8/R7/K7 w - - 0 1"),
            win("two-rooks-4", "8/8/8/3k4/8/8/8/KR4R1 w - - 0 1"),
        ],
    },
    Rung {
        name: "queen",
        title: "King and queen",
        idea: "The queen makes the room of the king smaller, a knight's move away from it, until it stands at the edge. Then your king comes. Leave it a move: stalemate is a draw.",
        endings: &[
            win("queen-1", "3Q4/8/2k5/8/8/3K4/8/8 w - - 0 1"),
            win("queen-2", "8/k7/8/8/8/8/3K4/7Q w - - 0 1"),
            win("queen-3", "1Q6/8/6k1/8/8/8/8/3K4 w - - 0 1"),
            win("queen-4", "8/8/3k4/8/8/8/8/2QK4 w - - 0 1"),
            win("queen-5", "8/Q7/5k2/8/8/8/8/1K6 w - - 0 1"),
            win("queen-6", "8/8/8/4k3/8/8/8/KQ6 w - - 0 1"),
        ],
    },
    Rung {
        name: "rook",
        title: "King and rook",
        idea: "The rook cuts the king off, your king comes to stand face to face with it, and a check drives it back a line. When it is your move and the kings do not yet face each other, wait with the rook.",
        endings: &[
            win("rook-1", "8/8/8/8/6R1/1k6/8/3K4 w - - 0 1"),
            win("rook-2", "8/3k4/8/3K4/8/8/8/7R w - - 0 1"),
            win("rook-3", "8/8/8/5R2/k7/8/8/1K6 w - - 0 1"),
            win("rook-4", "8/8/8/8/1k6/8/5R2/2K5 w - - 0 1"),
            win("rook-5", "8/8/2k5/8/7R/8/8/2K5 w - - 0 1"),
            win("rook-6", "8/8/8/8/3k4/8/2R5/1K6 w - - 0 1"),
        ],
    },
    Rung {
        name: "bishops",
        title: "Two bishops",
        idea: "Side by side the bishops make a wall that no king passes. Wall and king push it to the edge, and along the edge into a corner.",
        endings: &[
            win("bishops-1", "8/8/8/8/5B2/8/8/k2K3B w - - 0 1"),
            win("bishops-2", "8/8/8/6BB/3K4/8/8/6k1 w - - 0 1"),
            win("bishops-3", "8/1k6/8/B4B2/8/8/8/1K6 w - - 0 1"),
            win("bishops-4", "8/2k5/8/8/8/5B2/8/3KB3 w - - 0 1"),
            win("bishops-5", "5B2/8/8/8/4k3/8/8/K4B2 w - - 0 1"),
        ],
    },
    Rung {
        name: "square",
        title: "The square of the pawn",
        idea: "A pawn runs alone if the king cannot step into the square between it and the last rank. A pawn that has not moved yet has a square smaller by one.",
        endings: &[
            win("square-1", "8/5k2/8/8/P7/8/8/7K w - - 0 1"),
            win("square-2", "8/8/8/8/6k1/8/P7/7K w - - 0 1"),
            draw("square-3", "8/8/8/P3k3/8/8/8/7K b - - 0 1"),
            draw("square-4", "8/8/1P6/4k3/8/6K1/8/8 b - - 0 1"),
            win("square-5", "8/8/8/8/8/8/2P1k3/6K1 w - - 0 1"),
            win("square-6", "8/8/8/7K/2P5/5k2/8/8 w - - 0 1"),
            draw("square-7", "8/8/8/1P6/5k2/8/8/1K6 b - - 0 1"),
        ],
    },
    Rung {
        name: "opposition",
        title: "The opposition",
        idea: "Kings that face each other with one square between: whoever has to move gives way. The winner takes the opposition in front of the pawn, the defender takes it to hold.",
        endings: &[
            win("opposition-1", "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"),
            draw("opposition-2", "8/8/8/4k3/4P3/4K3/8/8 b - - 0 1"),
            draw("opposition-3", "4k3/8/3KP3/8/8/8/8/8 b - - 0 1"),
            win("opposition-4", "8/4k3/8/8/4K3/4P3/8/8 w - - 0 1"),
            draw("opposition-5", "8/4k3/8/8/4K3/3P4/8/8 b - - 0 1"),
            draw("opposition-6", "2k5/8/1K6/3P4/8/8/8/8 b - - 0 1"),
            win("opposition-7", "8/k7/8/1K6/1P6/8/8/8 w - - 0 1"),
            draw("opposition-8", "8/7k/8/8/6K1/1P6/8/8 b - - 0 1"),
            draw("opposition-9", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"),
        ],
    },
    Rung {
        name: "key-squares",
        title: "Key squares",
        idea: "A pawn on the second, third or fourth rank has three key squares, two ranks ahead of it. A king that comes to one of them wins, whoever is to move.",
        endings: &[
            win("key-squares-1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
            win("key-squares-2", "2k5/8/8/8/8/8/2P5/2K5 w - - 0 1"),
            win("key-squares-3", "8/8/8/4k3/8/8/1P6/K7 w - - 0 1"),
            win("key-squares-4", "8/8/8/1k6/8/8/2PK4/8 w - - 0 1"),
            win("key-squares-5", "k7/8/8/8/8/3P4/1K6/8 w - - 0 1"),
            win("key-squares-6", "8/8/K7/8/8/1k6/3P4/8 w - - 0 1"),
            draw("key-squares-7", "8/4k3/8/8/8/8/2PK4/8 b - - 0 1"),
            draw("key-squares-8", "8/8/8/8/8/1k6/3P4/5K2 b - - 0 1"),
            draw("key-squares-9", "8/3K4/8/8/8/3P4/6k1/8 b - - 0 1"),
        ],
    },
    Rung {
        name: "rooks-pawn",
        title: "The rook's pawn",
        idea: "The pawn at the edge wins only if the king is kept out of its corner. Even a bishop does not help, if it does not control the corner.",
        endings: &[
            draw("rooks-pawn-1", "2k5/8/1K6/P7/8/8/8/8 b - - 0 1"),
            win("rooks-pawn-2", "8/3k4/1K6/P7/8/8/8/8 w - - 0 1"),
            win("rooks-pawn-3", "8/8/8/8/8/P2k4/K7/8 w - - 0 1"),
            draw("rooks-pawn-4", "8/5k2/8/5K1P/4B3/8/8/8 b - - 0 1"),
            draw("rooks-pawn-5", "8/3k4/P4B1K/8/8/8/8/8 b - - 0 1"),
            draw("rooks-pawn-6", "8/8/2k5/P7/6K1/8/6B1/8 b - - 0 1"),
            draw("rooks-pawn-7", "8/6B1/8/8/P4k2/8/K7/8 b - - 0 1"),
            win("rooks-pawn-8", "8/8/8/8/6k1/P1B5/8/5K2 w - - 0 1"),
        ],
    },
    Rung {
        name: "two-pawns",
        title: "Two pawns",
        idea: "Two pawns look after themselves: when the king takes the one behind, the other runs. Doubled pawns give a move to wait with.",
        endings: &[
            win("two-pawns-1", "8/8/2k5/P1P5/8/8/8/7K w - - 0 1"),
            draw("two-pawns-2", "8/8/3P4/1k6/3P4/8/8/3K4 b - - 0 1"),
            win("two-pawns-3", "8/8/8/2k5/2P5/8/K1P5/8 w - - 0 1"),
            draw("two-pawns-4", "2k5/8/3P4/8/1P6/7K/8/8 b - - 0 1"),
            win("two-pawns-5", "8/8/8/3Pk3/8/5P2/3K4/8 w - - 0 1"),
            win("two-pawns-6", "3k4/3P4/8/8/8/1K3P2/8/8 w - - 0 1"),
            draw("two-pawns-7", "4K3/8/2P1k3/8/P7/8/8/8 b - - 0 1"),
        ],
    },
    Rung {
        name: "pawn-pawn",
        title: "Pawn against pawn",
        idea: "Count the race: who makes a queen first, and with check? A king that goes two ways at once, after its own pawn and after the other, is worth a move.",
        endings: &[
            win("pawn-pawn-1", "8/p7/8/8/8/8/7P/K6k w - - 0 1"),
            win("pawn-pawn-2", "8/3p4/8/7k/8/1P6/2K5/8 w - - 0 1"),
            draw("pawn-pawn-3", "8/8/8/8/3P3p/2K5/8/6k1 w - - 0 1"),
            win("pawn-pawn-4", "8/1k6/8/8/P1K3p1/8/8/8 b - - 0 1"),
            draw("pawn-pawn-5", "8/7k/2p5/7K/8/8/3P4/8 b - - 0 1"),
            draw("pawn-pawn-6", "8/8/8/2p5/8/2P5/5K2/1k6 w - - 0 1"),
            win("pawn-pawn-7", "8/8/8/1kp5/8/1P2K3/8/8 b - - 0 1"),
            win("pawn-pawn-8", "8/8/p4k2/8/K1P5/8/8/8 w - - 0 1"),
            draw("pawn-pawn-9", "7K/8/k1P5/7p/8/8/8/8 w - - 0 1"),
        ],
    },
    Rung {
        name: "queen-pawn",
        title: "Queen against a pawn on the seventh rank",
        idea: "Drive the king in front of its pawn with checks, and each time bring your king a step nearer. Pawns of rook and bishop hold, by stalemate, unless your king is near.",
        endings: &[
            win("queen-pawn-1", "8/8/8/8/1K6/8/3pk3/7Q w - - 0 1"),
            win("queen-pawn-2", "1K6/Q7/8/8/8/1k6/2p5/8 w - - 0 1"),
            draw("queen-pawn-3", "Q7/8/8/8/8/8/p1k5/7K b - - 0 1"),
            draw("queen-pawn-4", "8/8/8/8/8/1Q6/2p5/1k5K b - - 0 1"),
            win("queen-pawn-5", "8/8/8/3K4/8/8/pk6/7Q w - - 0 1"),
            win("queen-pawn-6", "3Q4/8/8/8/8/8/1pk5/7K w - - 0 1"),
            draw("queen-pawn-7", "8/8/8/8/8/3k4/2p5/Q6K b - - 0 1"),
            win("queen-pawn-8", "5K2/8/Q7/8/8/8/3p4/4k3 w - - 0 1"),
            win("queen-pawn-9", "7K/8/8/8/8/8/3pk3/Q7 w - - 0 1"),
        ],
    },
    Rung {
        name: "rook-pawn",
        title: "Rook against a pawn",
        idea: "The rook wins if its king comes in time, or if it cuts the other off behind the pawn. The defender keeps the king away with the shoulder of his own.",
        endings: &[
            win("rook-pawn-1", "8/8/1K6/5k2/2R5/8/3p4/8 w - - 0 1"),
            win("rook-pawn-2", "8/8/8/2R5/8/p7/8/k1K5 w - - 0 1"),
            draw("rook-pawn-3", "4R3/1K6/8/1p6/8/k7/8/8 b - - 0 1"),
            draw("rook-pawn-4", "8/2R5/K7/8/2p5/8/3k4/8 b - - 0 1"),
            win("rook-pawn-5", "8/R7/5K2/8/3p4/1k6/8/8 w - - 0 1"),
            draw("rook-pawn-6", "7K/3p4/4k3/8/8/8/3R4/8 b - - 0 1"),
            win("rook-pawn-7", "8/4K3/8/8/3p4/k7/4R3/8 w - - 0 1"),
            draw("rook-pawn-8", "6K1/2k5/8/1p6/8/8/4R3/8 b - - 0 1"),
            win("rook-pawn-9", "1K6/8/8/p1k5/8/8/5R2/8 w - - 0 1"),
            draw("rook-pawn-10", "4K3/2kR4/8/8/1p6/8/8/8 b - - 0 1"),
        ],
    },
    Rung {
        name: "philidor",
        title: "Philidor's defence",
        idea: "The rook guards the rank in front of the pawn, so that the king cannot come there, until the pawn does. Then it goes to the far side and gives checks from behind, where the king has no shelter.",
        endings: &[
            draw("philidor-1", "4k3/R7/7r/3KP3/8/8/8/8 b - - 0 1"),
            draw("philidor-2", "4k3/R7/4P2r/3K4/8/8/8/8 b - - 0 1"),
            draw("philidor-3", "4k3/R7/8/3KP3/8/8/8/7r b - - 0 1"),
            draw("philidor-4", "3k4/R7/8/2KP4/8/8/8/6r1 b - - 0 1"),
            draw("philidor-5", "5k2/R7/8/4KP2/8/8/8/1r6 b - - 0 1"),
            draw("philidor-6", "6k1/R7/6P1/6K1/8/8/8/1r6 b - - 0 1"),
        ],
    },
    Rung {
        name: "lucena",
        title: "Lucena's bridge",
        idea: "The rook goes to the fourth rank, the king steps out, and when the checks come the rook is the bridge behind which the king hides.",
        endings: &[
            win("lucena-1", "6K1/4k1P1/8/8/8/8/7r/5R2 w - - 0 1"),
            win("lucena-2", "1K6/1P1k4/8/8/8/8/r7/2R5 w - - 0 1"),
            win("lucena-3", "3K4/3P1k2/8/8/8/8/2r5/4R3 w - - 0 1"),
            win("lucena-4", "2K5/2P1k3/8/8/8/8/1r6/3R4 w - - 0 1"),
            win("lucena-5", "5K2/3k1P2/8/8/8/8/6r1/4R3 w - - 0 1"),
        ],
    },
    Rung {
        name: "vancura",
        title: "Rooks and a rook's pawn",
        idea: "With the rook in front of its pawn, the defender attacks the pawn from the side and gives checks when the king comes (Vancura). On the seventh rank his king must not be caught on the way.",
        endings: &[
            draw("vancura-1", "R7/6k1/P4r2/1K6/8/8/8/8 b - - 0 1"),
            draw("vancura-2", "R7/P5k1/8/8/8/8/r7/6K1 b - - 0 1"),
            win("vancura-3", "R7/P3k3/8/8/8/8/r7/6K1 w - - 0 1"),
            draw("vancura-4", "R7/P4k2/8/8/8/8/r7/6K1 b - - 0 1"),
            draw("vancura-5", "R7/6k1/P7/1K6/8/8/8/5r2 b - - 0 1"),
            win("vancura-6", "K7/P3k3/8/8/8/8/2R5/1r6 w - - 0 1"),
        ],
    },
    Rung {
        name: "knight-pawn",
        title: "Knight against a pawn",
        idea: "A knight stops a pawn from a square that it reaches with a fork or a check. Against the pawn at the edge it is slowest.",
        endings: &[
            draw("knight-pawn-1", "7k/2K5/8/8/8/7N/3p4/8 w - - 0 1"),
            draw("knight-pawn-2", "8/8/7K/N7/4k3/8/2p5/8 w - - 0 1"),
            draw("knight-pawn-3", "8/6K1/8/k7/3N4/8/1p6/8 w - - 0 1"),
            draw("knight-pawn-4", "8/8/8/1N6/8/6K1/2p5/k7 w - - 0 1"),
        ],
    },
    Rung {
        name: "rook-bishop",
        title: "Holding against a rook with a bishop",
        idea: "Go to the corner that the bishop does not control: there stalemate helps. In the open keep the bishop away from the king, with checks at hand.",
        endings: &[
            draw("rook-bishop-1", "5k2/8/5K2/8/8/8/4b3/R7 b - - 0 1"),
            draw("rook-bishop-2", "6k1/8/6K1/8/8/8/b7/3R4 b - - 0 1"),
            draw("rook-bishop-3", "8/8/8/R4k2/8/3K4/8/b7 b - - 0 1"),
            draw("rook-bishop-4", "8/8/8/3k4/8/2R5/3K4/3b4 b - - 0 1"),
            draw("rook-bishop-5", "8/8/8/8/6R1/8/k1K2b2/8 b - - 0 1"),
        ],
    },
    Rung {
        name: "rook-knight",
        title: "Holding against a rook with a knight",
        idea: "Keep the knight beside the king, and both away from the corners. A knight that is far off is lost.",
        endings: &[
            draw("rook-knight-1", "R5k1/4n3/8/8/8/8/8/2K5 b - - 0 1"),
            draw("rook-knight-2", "4k3/8/4K3/8/4n3/8/8/R7 b - - 0 1"),
            draw("rook-knight-3", "8/8/k7/4R3/8/8/3Kn3/8 b - - 0 1"),
            draw("rook-knight-4", "8/4n3/8/8/3K4/2R5/8/3k4 b - - 0 1"),
            draw("rook-knight-5", "8/8/8/n7/8/2R5/3K4/1k6 b - - 0 1"),
        ],
    },
    Rung {
        name: "queen-rook",
        title: "Queen against rook",
        idea: "Drive king and rook to the edge, and get Philidor's position with the other side to move: the rook must leave its king, and is lost to a fork.",
        endings: &[
            win("queen-rook-1", "1k6/4r3/8/8/8/5Q2/8/3K4 w - - 0 1"),
            win("queen-rook-2", "1k6/1r6/2K5/Q7/8/8/8/8 w - - 0 1"),
            win("queen-rook-3", "8/8/7k/8/3Q4/8/4r3/K7 w - - 0 1"),
            win("queen-rook-4", "8/6k1/2Q5/8/3r4/8/3K4/8 w - - 0 1"),
            win("queen-rook-5", "8/5k2/1Q6/8/8/3K3r/8/8 w - - 0 1"),
            win("queen-rook-6", "8/8/6r1/4k3/8/7Q/2K5/8 w - - 0 1"),
            win("queen-rook-7", "8/8/8/2k5/4Q3/8/8/1K1r4 w - - 0 1"),
        ],
    },
    Rung {
        name: "bishop-knight",
        title: "Bishop and knight",
        idea: "Mate is only in a corner of the bishop's colour. From the wrong corner the king is driven along the edge: the knight goes like a W, the bishop closes the door.",
        endings: &[
            win("bishop-knight-1", "1B6/7N/8/8/8/3K4/8/k7 w - - 0 1"),
            win("bishop-knight-2", "8/N7/8/8/8/3K4/8/1k4B1 w - - 0 1"),
            win("bishop-knight-3", "5k2/8/5K2/5N2/4B3/8/8/8 w - - 0 1"),
            win("bishop-knight-4", "7k/8/5K2/5B2/5N2/8/8/8 w - - 0 1"),
            win("bishop-knight-5", "1B6/6k1/2N5/8/8/8/8/1K6 w - - 0 1"),
            win("bishop-knight-6", "8/8/8/2B5/8/1N6/8/K3k3 w - - 0 1"),
            win("bishop-knight-7", "8/8/8/8/3N4/3kB3/8/K7 w - - 0 1"),
        ],
    },
];
