use crate::recent::Recent;
use crate::{Level, Move, PlayError, Player, Position, Side, View};

/// Who plays a side.
///
/// ```
/// use tabiya_puzzle::{Level, Seat};
///
/// assert_ne!(Seat::Human, Seat::Computer(Level::FULL));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seat {
    /// Somebody who submits moves.
    Human,
    /// The computer.
    Computer(Level),
}

/// A game in progress: whoever shows it asks for a [`View`] and passes on what people do.
///
/// ```
/// use tabiya_puzzle::{Level, Position, Seat, Session, Side};
///
/// let position = Position::new("5\nKa1, Bb1, Bc1\nKe5, Bd5, Bc5".parse()?, Side::White)?;
/// let mut session = Session::new(position, [Seat::Human, Seat::Computer(Level::RANDOM)], 1);
/// session.submit("a1b2")?;
/// assert!(session.play_computer().is_some());
/// assert_eq!(session.position().turn(), Side::White);
/// assert_eq!(session.take_back(), 2);
/// assert_eq!(session.position(), &position);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Session {
    position: Position,
    played: Vec<Played>,
    seats: [Seat; 2],
    players: [Option<Player>; 2],
    seed: u64,
}

#[derive(Clone, Copy, Debug)]
struct Played {
    m: Move,
    captured: bool,
}

impl Session {
    /// A game from a position, with who plays White and who plays Black. What is random in the
    /// computer's play depends on the seed.
    ///
    /// ```
    /// # use tabiya_puzzle::{Position, Seat, Session, Side};
    /// let position = Position::new("3\nKa1\nKc3".parse()?, Side::White)?;
    /// let session = Session::new(position, [Seat::Human; 2], 0);
    /// assert_eq!(session.moves().count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(position: Position, seats: [Seat; 2], seed: u64) -> Session {
        Session { position, played: Vec::new(), seats, players: [None, None], seed }
    }

    /// Where the game stands.
    ///
    /// ```
    /// # use tabiya_puzzle::{Position, Seat, Session, Side};
    /// let position = Position::new("3\nKa1\nKc3".parse()?, Side::White)?;
    /// assert_eq!(Session::new(position, [Seat::Human; 2], 0).position(), &position);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Who plays a side.
    ///
    /// ```
    /// # use tabiya_puzzle::{Position, Seat, Session, Side};
    /// # let position = Position::new("3\nKa1\nKc3".parse()?, Side::White)?;
    /// let session = Session::new(position, [Seat::Human; 2], 0);
    /// assert_eq!(session.seat(Side::Black), Seat::Human);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn seat(&self, side: Side) -> Seat {
        self.seats[side as usize]
    }

    /// Lets somebody else play a side from now on.
    ///
    /// ```
    /// # use tabiya_puzzle::{Level, Position, Seat, Session, Side};
    /// # let position = Position::new("3\nKa1\nKc3".parse()?, Side::White)?;
    /// let mut session = Session::new(position, [Seat::Human; 2], 0);
    /// session.set_seat(Side::White, Seat::Computer(Level::FULL));
    /// assert!(session.play_computer().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_seat(&mut self, side: Side, seat: Seat) {
        self.seats[side as usize] = seat;
        self.players[side as usize] = None;
    }

    /// The moves of the game.
    ///
    /// ```
    /// # use tabiya_puzzle::{Position, Seat, Session, Side};
    /// # let position = Position::new("3\nKa1\nKc3".parse()?, Side::White)?;
    /// let mut session = Session::new(position, [Seat::Human; 2], 0);
    /// session.submit("a1a2")?;
    /// assert_eq!(session.moves().next().unwrap().to_string(), "a1a2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator {
        self.played.iter().map(|played| played.m)
    }

    /// Plays a move that somebody typed, or says why not.
    ///
    /// ```
    /// # use tabiya_puzzle::{Position, Seat, Session, Side};
    /// # let position = Position::new("3\nKa1\nKc3".parse()?, Side::White)?;
    /// let mut session = Session::new(position, [Seat::Human; 2], 0);
    /// let refused = session.submit("a1b2").unwrap_err();
    /// assert_eq!(
    ///     refused.to_string(),
    ///     "The king on a1 must not go to b2: White's king would be in check."
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn submit(&mut self, text: &str) -> Result<Move, PlayError> {
        let m = self.position.parse_move(text.trim())?;
        self.make(m);
        Ok(m)
    }

    /// Lets the computer move, if it is its turn. It may think for most of a second.
    ///
    /// ```
    /// # use tabiya_puzzle::{Level, Position, Seat, Session, Side};
    /// # let position = Position::new("3\nKa1\nKc3".parse()?, Side::White)?;
    /// let mut session = Session::new(position, [Seat::Human, Seat::Computer(Level::FULL)], 0);
    /// assert_eq!(session.play_computer(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play_computer(&mut self) -> Option<Move> {
        let side = self.position.turn();
        let Seat::Computer(level) = self.seat(side) else { return None };
        let recent = self.recent();
        let new = || Player::new(level, self.seed ^ side as u64);
        let player = self.players[side as usize].get_or_insert_with(new);
        let m = player.choose(&self.position, recent.keys())?;
        self.make(m);
        Some(m)
    }

    /// What the computer would play at its best, without playing it.
    ///
    /// ```
    /// # use tabiya_puzzle::{Position, Seat, Session, Side};
    /// let position = Position::new("3\nKa1\nKc1, Ba3, Bb3".parse()?, Side::Black)?;
    /// let session = Session::new(position, [Seat::Human; 2], 0);
    /// assert_eq!(session.hint().unwrap().to_string(), "a3b2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hint(&self) -> Option<Move> {
        Player::new(Level::FULL, self.seed).choose(&self.position, self.recent().keys())
    }

    /// Takes the last move back; against the computer also the one before, so that it is a person's turn
    /// again. Says how many were taken back.
    ///
    /// ```
    /// # use tabiya_puzzle::{Position, Seat, Session, Side};
    /// # let position = Position::new("3\nKa1\nKc3".parse()?, Side::White)?;
    /// let mut session = Session::new(position, [Seat::Human; 2], 0);
    /// assert_eq!(session.take_back(), 0);
    /// session.submit("a1a2")?;
    /// assert_eq!(session.take_back(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take_back(&mut self) -> usize {
        let against_computer = self.seats.contains(&Seat::Human);
        let mut count = 0;
        while let Some(Played { m, captured }) = self.played.pop() {
            self.position.take_back(m, captured);
            count += 1;
            if !against_computer || self.seat(self.position.turn()) == Seat::Human {
                break;
            }
        }
        count
    }

    /// Everything there is to show.
    ///
    /// ```
    /// # use tabiya_puzzle::{Position, Seat, Session, Side};
    /// # let position = Position::new("3\nKa1\nKc3".parse()?, Side::White)?;
    /// let mut session = Session::new(position, [Seat::Human; 2], 0);
    /// let m = session.submit("a1a2")?;
    /// assert_eq!(session.view().last_move, Some(m));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn view(&self) -> View {
        View::new(&self.position, self.moves().next_back())
    }

    fn make(&mut self, m: Move) {
        let captured = self.position.play(m);
        self.played.push(Played { m, captured });
    }

    fn recent(&self) -> Recent {
        let mut recent = Recent::new();
        let mut position = self.position;
        for &Played { m, captured } in self.played.iter().rev().take_while(|past| !past.captured) {
            position.take_back(m, captured);
            if !recent.push(position.key()) {
                break;
            }
        }
        recent
    }
}
