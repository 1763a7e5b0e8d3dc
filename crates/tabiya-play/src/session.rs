mod asking;
mod remote;
mod thinkers;

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use tabiya_engine::Timer;

use self::remote::Offer;
pub use self::thinkers::Thoughts;
use self::thinkers::{Answer, Running};
use crate::bishops::Bishops;
use crate::chess::Chess;
use crate::clock::Clocks;
use crate::lag::Lag;
use crate::rules::{Header, Rules};
use crate::{
    Change, Coord, Entry, EvaluationView, Executor, GameController, GameEnd, GameSetup,
    GameSetupError, GameView, Journal, Minutes, Past, PastPosition, PieceRole, Player, Refusal,
    Request, Seat, Side, Start,
};

/// What a session needs from the program around it.
///
/// ```
/// use tabiya_play::{Executor, GameController, GameSetup, Past, Session, SessionDeps, Start};
///
/// // For tests: the computer has answered as soon as it is asked.
/// let deps = SessionDeps { executor: Executor::here(), ..SessionDeps::default() };
/// let mut setup = GameSetup::new(Start::standard());
/// setup.players[1] = "random".parse()?;
/// let mut game = Session::restore(setup, &Past::default(), deps)?;
/// game.submit("e4")?;
/// assert!(game.poll() && game.view().moves.len() == 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SessionDeps {
    /// Tells the time; a test may pass one of its own.
    pub timer: Timer,
    /// Runs the thinking of computers.
    pub executor: Executor,
    /// Called from another thread when a computer has answered: time to [`GameController::poll`], until it says
    /// that nothing has changed.
    pub on_change: Option<Arc<dyn Fn() + Send + Sync>>,
    /// Where the game is written down.
    pub journal: Option<Box<dyn Journal>>,
    /// What had been taken back when the game was left, and can be played again, the next move first.
    pub undone: Vec<String>,
    /// Who may be started to play; everybody if it is `None`. A game with anybody else can be watched, but nobody goes on
    /// with it.
    pub may_start: Option<MayStart>,
}

impl Default for SessionDeps {
    fn default() -> SessionDeps {
        SessionDeps {
            timer: Timer::start(),
            executor: Executor::threads(),
            on_change: None,
            journal: None,
            undone: Vec::new(),
            may_start: None,
        }
    }
}

/// Says whether a player may be started.
pub type MayStart = Arc<dyn Fn(&Player) -> bool + Send + Sync>;

/// A game in progress, of chess or of bishops and kings: two players, clocks, take-backs, draws.
///
/// ```
/// use tabiya_play::{Session, GameSetup, Start, GameController};
///
/// let mut session = Session::new(GameSetup::new(Start::standard()))?;
/// for text in ["e4", "e7e5", "d1 -> h5", "Nc6", "Bc4", "Nf6"] {
///     session.submit(text)?;
/// }
/// assert_eq!(session.submit("Qxf7")?, "Checkmate: White wins");
/// assert_eq!(session.view().end.unwrap().result, "1-0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Session {
    setup: GameSetup,
    game: Box<dyn Rules>,
    clocks: Option<Clocks>,
    /// The clocks before the first move and after each, those of undone moves included.
    past_clocks: Vec<[Duration; 2]>,
    end: Option<GameEnd>,
    /// Who has offered a draw.
    offer: Option<Side>,
    /// Who has asked to take a move back.
    back: Option<Side>,
    /// After how many moves an offer of each kind was declined, by who had made it.
    declined: [[Option<usize>; 2]; 2],
    /// How far away those who play are.
    lags: [Lag; 2],
    hint: Option<(Coord, Coord)>,
    /// What the computer thought of the positions so far, by the number of half-moves.
    evaluations: BTreeMap<usize, EvaluationView>,
    sequence: u64,
    /// What computers call themselves, once they have said it.
    names: [Option<String>; 2],
    /// What the computer thought that moved last.
    thoughts: Option<Thoughts>,
    /// Why a computer cannot go on.
    trouble: Option<String>,
    /// Why the game can only be watched here.
    watched: Option<String>,
    /// The player who thinks about its move, and the adviser.
    mover: Option<Running>,
    adviser: Option<Running>,
    /// The move of a computer that is not due yet.
    held: Option<Answer>,
    tickets: u64,
    inbox: Receiver<Answer>,
    outbox: Sender<Answer>,
    deps: SessionDeps,
}

impl Session {
    /// A new game, with the wall clock, a thread for each thought, and no journal.
    ///
    /// ```
    /// use tabiya_play::{Session, GameSetup, Side, Start, GameController};
    ///
    /// let session = Session::new(GameSetup::new(Start::bishops("3\nKa1\nKc3")?))?;
    /// assert_eq!(session.view().turn, Side::White);
    /// # Ok::<(), tabiya_play::GameSetupError>(())
    /// ```
    pub fn new(setup: GameSetup) -> Result<Session, GameSetupError> {
        Session::restore(setup, &Past::default(), SessionDeps::default())
    }

    /// A game as it stood, to go on with; nothing of the past is written to the journal again.
    ///
    /// ```
    /// use tabiya_play::{Entry, SessionDeps, Past, Session, GameSetup, Start, GameController};
    ///
    /// let entries = vec![Entry { uci: "e2e4".to_owned(), clocks: None }];
    /// let past = Past { entries, end: None };
    /// let session = Session::restore(GameSetup::new(Start::standard()), &past, SessionDeps::default())?;
    /// assert_eq!(session.view().moves[0].san, "e4");
    /// # Ok::<(), tabiya_play::GameSetupError>(())
    /// ```
    pub fn restore(
        setup: GameSetup,
        past: &Past,
        deps: SessionDeps,
    ) -> Result<Session, GameSetupError> {
        setup.check()?;
        let mut game: Box<dyn Rules> = match &setup.start {
            Start::Chess(position) => Box::new(Chess::new(*position).with_draws(setup.draws)),
            Start::Bishops(position) => Box::new(Bishops::new(**position)),
        };
        for (index, entry) in past.entries.iter().enumerate() {
            game.play(&entry.uci).map_err(|refusal| GameSetupError::Move {
                ply: index + 1,
                uci: entry.uci.chars().take(20).collect(),
                reason: refusal.0,
            })?;
        }
        // What can no longer be played is not worth a refusal.
        let again = deps.undone.iter().take_while(|code| game.play(code).is_ok()).count();
        for _ in 0..again {
            game.undo();
        }
        let clocks = setup.control.map(|Minutes(control)| Clocks::new(control));
        let mut past_clocks = Vec::new();
        if let Some(Minutes(control)) = setup.control {
            past_clocks.push([control.time; 2]);
            for entry in &past.entries {
                let before = past_clocks.last().copied().unwrap_or([control.time; 2]);
                past_clocks.push(entry.clocks.unwrap_or(before));
            }
            // What is played again takes no time.
            let before = past_clocks.last().copied().unwrap_or([control.time; 2]);
            past_clocks.extend(std::iter::repeat_n(before, again));
        }
        let end = past.end.clone().or_else(|| game.outcome());
        let starts =
            |player: &&Player| deps.may_start.as_ref().is_none_or(|may_start| may_start(player));
        let stranger = setup.players.iter().find(|player| !starts(player));
        let watched = stranger.map(|player| {
            let name = player.title();
            format!("{name} is a program that is not started here: the game can be watched, not gone on with.")
        });
        let (outbox, inbox) = mpsc::channel();
        let mut session = Session {
            setup,
            game,
            clocks,
            past_clocks,
            end,
            offer: None,
            back: None,
            declined: [[None; 2]; 2],
            lags: [Lag::new(), Lag::new()],
            hint: None,
            evaluations: BTreeMap::new(),
            sequence: 0,
            names: [None, None],
            thoughts: None,
            trouble: None,
            watched,
            mover: None,
            held: None,
            adviser: None,
            tickets: 0,
            inbox,
            outbox,
            deps,
        };
        session.set_clocks();
        session.wake();
        Ok(session)
    }

    /// What was agreed on before the game.
    ///
    /// ```
    /// # use tabiya_play::{Session, GameSetup, Start};
    /// let session = Session::new(GameSetup::new(Start::standard()))?;
    /// assert_eq!(session.setup().start, Start::standard());
    /// # Ok::<(), tabiya_play::GameSetupError>(())
    /// ```
    pub const fn setup(&self) -> &GameSetup {
        &self.setup
    }

    /// The position now, as text: a FEN, or a plain board configuration.
    ///
    /// ```
    /// # use tabiya_play::{Session, GameSetup, Start, GameController};
    /// let mut session = Session::new(GameSetup::new(Start::bishops("3\nKa1\nKc3")?))?;
    /// session.submit("a1a2")?;
    /// assert_eq!(session.position_text(), "3\nKa2\nKc3\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn position_text(&self) -> String {
        self.game.position_text()
    }

    /// What the computer thought of the positions so far: the number of half-moves, and its evaluation.
    ///
    /// ```
    /// use tabiya_play::{Executor, GameController, GameSetup, Request, Session, SessionDeps, Start};
    ///
    /// let deps = SessionDeps { executor: Executor::here(), ..SessionDeps::default() };
    /// let setup = GameSetup::new(Start::standard());
    /// let mut session = Session::restore(setup, &tabiya_play::Past::default(), deps)?;
    /// session.submit("f3")?;
    /// session.submit("e5")?;
    /// session.submit("g4")?;
    /// session.request(&Request::EvaluateAfter(3))?;
    /// session.poll();
    /// let told: Vec<_> = session.evaluations().map(|(ply, found)| (ply, found.text.clone())).collect();
    /// assert_eq!(told, [(3, "-#1".to_owned())]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn evaluations(&self) -> impl Iterator<Item = (usize, &EvaluationView)> {
        self.evaluations.iter().map(|(&ply, found)| (ply, found))
    }

    /// All legal moves of the side to move, as people write them.
    ///
    /// ```
    /// # use tabiya_play::{Session, GameSetup, Start};
    /// let session = Session::new(GameSetup::new(Start::bishops("3\nKa1\nKc3")?))?;
    /// assert_eq!(session.legal_moves(), ["a1b1", "a1a2"]);
    /// # Ok::<(), tabiya_play::GameSetupError>(())
    /// ```
    pub fn legal_moves(&self) -> Vec<String> {
        self.game.legal_moves()
    }

    /// The legal move from one square to another, as it would be written; a pawn becomes a queen.
    ///
    /// ```
    /// # use tabiya_play::{Session, GameSetup, Start};
    /// let session = Session::new(GameSetup::new(Start::standard()))?;
    /// let [from, to] = ["g1", "f3"].map(|square| square.parse().unwrap());
    /// assert_eq!(session.move_between(from, to).unwrap().san, "Nf3");
    /// assert_eq!(session.move_between(to, from), None);
    /// # Ok::<(), tabiya_play::GameSetupError>(())
    /// ```
    pub fn move_between(&self, from: Coord, to: Coord) -> Option<crate::PlayedMove> {
        let mut game = self.game.boxed();
        game.play_squares(from, to, None).ok()?;
        game.moves().last().cloned()
    }

    /// The pawn move that a text names without saying what the pawn becomes, so that it can be asked.
    ///
    /// ```
    /// # use tabiya_play::{Session, GameSetup, Start};
    /// let session = Session::new(GameSetup::new(Start::fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")?))?;
    /// assert_eq!(session.promotion_of("a8").unwrap().0.to_string(), "a7");
    /// assert_eq!(session.promotion_of("a8=Q"), None);
    /// # Ok::<(), tabiya_play::GameSetupError>(())
    /// ```
    pub fn promotion_of(&self, text: &str) -> Option<(Coord, Coord)> {
        self.game.promotion_of(text)
    }

    /// The pieces of both sides that attack a square, for those who listen to a board.
    ///
    /// ```
    /// # use tabiya_play::{Session, GameSetup, Start};
    /// let session = Session::new(GameSetup::new(Start::standard()))?;
    /// assert_eq!(session.attackers("f3".parse().unwrap()).len(), 3);
    /// # Ok::<(), tabiya_play::GameSetupError>(())
    /// ```
    pub fn attackers(&self, at: Coord) -> Vec<crate::PieceView> {
        self.game.attackers(at)
    }

    /// The game so far, as a journal would have it.
    ///
    /// ```
    /// # use tabiya_play::{Session, GameSetup, Start, GameController};
    /// let mut session = Session::new(GameSetup::new(Start::standard()))?;
    /// session.submit("e4")?;
    /// assert_eq!(session.past().entries[0].uci, "e2e4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn past(&self) -> Past {
        Past { entries: self.entries(&*self.game, 0), end: self.end.clone() }
    }

    /// What the computer thought that moved last, for those who watch.
    ///
    /// ```
    /// # use tabiya_play::{Executor, GameController, GameSetup, Session, SessionDeps, Past, Start};
    /// let players = ["tree:2".parse()?, "tree:2".parse()?];
    /// let setup = GameSetup { players, ..GameSetup::new(Start::standard()) };
    /// let deps = SessionDeps { executor: Executor::here(), ..SessionDeps::default() };
    /// let mut session = Session::restore(setup, &Past::default(), deps)?;
    /// session.poll();
    /// assert_eq!(session.thoughts().unwrap().nodes, 420);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn thoughts(&self) -> Option<&Thoughts> {
        self.thoughts.as_ref()
    }

    /// The number of the view, without making one.
    ///
    /// ```
    /// # use tabiya_play::{Session, GameSetup, Start, GameController};
    /// let session = Session::new(GameSetup::new(Start::standard()))?;
    /// assert_eq!(session.sequence(), session.view().sequence);
    /// # Ok::<(), tabiya_play::GameSetupError>(())
    /// ```
    pub const fn sequence(&self) -> u64 {
        self.sequence
    }

    fn now(&self) -> Duration {
        self.deps.timer.elapsed()
    }

    fn player(&self, side: Side) -> &Player {
        &self.setup.players[side as usize]
    }

    fn is_person(&self, side: Side) -> bool {
        self.player(side).is_person()
    }

    /// The only person at the table, if there is exactly one.
    fn only_person(&self) -> Option<Side> {
        match Side::BOTH.map(|side| self.is_person(side)) {
            [true, false] => Some(Side::White),
            [false, true] => Some(Side::Black),
            _ => None,
        }
    }

    fn name(&self, side: Side) -> String {
        match (self.player(side), &self.names[side as usize]) {
            (_, Some(name)) => name.clone(),
            (player, _) if *player == Player::HUMAN && self.only_person().is_none() => {
                side.name().to_owned()
            }
            (player, None) => player.title(),
        }
    }

    /// The moves of a game from a ply on, with the clocks after each.
    fn entries(&self, game: &dyn Rules, from: usize) -> Vec<Entry> {
        let moves = game.moves().iter().enumerate().skip(from);
        moves
            .map(|(ply, played)| Entry {
                uci: played.uci.clone(),
                clocks: self.past_clocks.get(ply + 1).copied(),
            })
            .collect()
    }

    /// Lets the game be another, once that is kept. Everything that depends on the position is new.
    fn adopt(&mut self, game: Box<dyn Rules>, end: Option<GameEnd>) -> Result<(), Refusal> {
        let same =
            |(ours, theirs): &(&crate::PlayedMove, &crate::PlayedMove)| ours.uci == theirs.uci;
        let stays = self.game.moves().iter().zip(game.moves()).take_while(same).count();
        if let Some(mut journal) = self.deps.journal.take() {
            let change = Change { stays, added: self.entries(&*game, stays), end: end.clone() };
            let kept = journal.keep(&change);
            if kept.is_ok() && !(self.game.undone().is_empty() && game.undone().is_empty()) {
                // The game is whole without it.
                let undone = game.undone().iter().map(|played| played.uci.clone());
                let _ = journal.keep_undone(undone.collect());
            }
            self.deps.journal = Some(journal);
            kept.map_err(Refusal)?;
        }
        self.game = game;
        self.end = end;
        self.trouble = None;
        self.hint = None;
        self.evaluations.retain(|&ply, _| ply <= stays);
        self.cancel();
        self.set_clocks();
        self.changed();
        self.wake();
        Ok(())
    }

    fn changed(&mut self) {
        self.sequence += 1;
    }

    /// Sets the clocks to where the game stands, and lets the right one run.
    fn set_clocks(&mut self) {
        let now = self.now();
        // Between people at two tables the first move of each is free.
        let free = self.setup.remote && self.game.moves().len() < 2;
        let stands = self.end.is_some() || free || self.watched.is_some();
        let turn = (!stands).then(|| self.game.turn());
        if let Some(clocks) = &mut self.clocks
            && let Some(&left) = self.past_clocks.get(self.game.moves().len())
        {
            clocks.start(left, turn, now);
        }
    }

    /// Plays a move of whoever has the turn.
    fn play(
        &mut self,
        make: impl FnOnce(&mut dyn Rules) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mover = self.game.turn();
        let mut next = self.game.boxed();
        make(&mut *next)?;
        let ply = self.game.moves().len();
        let before = self.past_clocks.clone();
        let now = self.now();
        let spared = self.spared(now);
        if let Some(clocks) = &self.clocks {
            // Moves that can still be played again keep their times.
            let later = next.undone().len();
            let after = self.past_clocks.split_off(ply + 1);
            self.past_clocks.push(clocks.after_move(now.saturating_sub(spared)));
            self.past_clocks.extend(after.into_iter().skip(1).take(later));
        }
        let end = next.outcome();
        if let Err(refusal) = self.adopt(next, end) {
            self.past_clocks = before;
            return Err(refusal);
        }
        self.lags[mover as usize].spend(spared);
        // Whoever moves does not take up the other's offer.
        self.offer = self.offer.filter(|&offered| offered == mover && self.end.is_none());
        self.back = None;
        Ok(())
    }

    /// A move that a person makes.
    fn play_person(
        &mut self,
        make: impl FnOnce(&mut dyn Rules) -> Result<(), Refusal>,
    ) -> Result<String, Refusal> {
        self.poll();
        self.must_go_on()?;
        let turn = self.game.turn();
        if !self.is_person(turn) {
            return Err(Refusal(format!("It is not your turn: {} is to move.", self.name(turn))));
        }
        self.play(make)?;
        Ok(match &self.end {
            Some(end) => end.text.clone(),
            None if self.game.check().is_some() => "Check".to_owned(),
            None => String::new(),
        })
    }

    /// Ends the game by the clock.
    fn flag(&mut self) -> bool {
        // A move that is on its way counts as if it had come.
        let now = self.now().saturating_sub(self.spared(self.now()));
        let fallen = self.clocks.as_ref().and_then(|clocks| clocks.fallen(now));
        let Some(loser) = fallen.filter(|_| self.end.is_none()) else { return false };
        let late = format!("{}'s time is up", loser.name());
        let end = match self.game.can_win(loser.other()) {
            true => GameEnd::won(loser.other(), &late),
            false => GameEnd::drawn(&format!(
                "{late}: a draw, as {} could not win",
                loser.other().name()
            )),
        };
        self.finish(end).is_ok()
    }

    /// Ends the game by something else than a move.
    fn finish(&mut self, end: GameEnd) -> Result<(), Refusal> {
        let now = self.now();
        let left = self.clocks.as_ref().map(|clocks| clocks.both(now));
        self.adopt(self.game.boxed(), Some(end))?;
        if let (Some(clocks), Some(left)) = (&mut self.clocks, left) {
            clocks.start(left, None, now);
        }
        self.offer = None;
        self.back = None;
        Ok(())
    }

    fn seat(&self, side: Side) -> Seat {
        let now = self.now();
        Seat {
            name: self.name(side),
            person: self.is_person(side),
            clock: self.clocks.as_ref().map(|clocks| clocks.left(side, now)),
            ticking: self.clocks.as_ref().is_some_and(|clocks| clocks.is_running(side)),
            thinking: self.mover.is_some() && self.game.turn() == side,
            captured: self.game.captured(side),
        }
    }

    /// The time that each move took.
    fn spent(&self) -> Vec<Duration> {
        let Some(Minutes(control)) = self.setup.control else { return Vec::new() };
        let played = self.past_clocks.windows(2).zip(self.game.moves()).enumerate();
        played
            .map(|(ply, (clocks, played))| match played.side as usize {
                // The first move of each is free there.
                _ if self.setup.remote && ply < 2 => Duration::ZERO,
                side => (clocks[0][side] + control.increment).saturating_sub(clocks[1][side]),
            })
            .collect()
    }

    fn status(&self) -> String {
        let turn = self.game.turn();
        if let Some(end) = &self.end {
            return end.text.clone();
        }
        if let Some(trouble) = self.watched.as_ref().or(self.trouble.as_ref()) {
            return trouble.clone();
        }
        let check = if self.game.check().is_some() { "Check: " } else { "" };
        match (self.is_person(turn), self.only_person()) {
            (false, _) => format!("{check}{} is thinking", self.name(turn)),
            (true, Some(_)) if check.is_empty() => "Your move".to_owned(),
            (true, Some(_)) => "Check: your move".to_owned(),
            (true, None) => format!("{check}{} to move", turn.name()),
        }
    }
}

impl GameController for Session {
    fn view(&self) -> GameView {
        let turn = self.game.turn();
        let persons_turn = self.must_go_on().is_ok() && self.is_person(turn);
        let moves = self.game.moves();
        let claim = self.game.claim().filter(|_| persons_turn);
        GameView {
            sequence: self.sequence,
            kind: self.game.kind(),
            columns: self.game.columns(),
            rows: self.game.columns(),
            pieces: self.game.pieces(),
            destinations: if persons_turn { self.game.destinations() } else { Vec::new() },
            last: moves.last().map(|played| (played.from, played.to)),
            check: self.game.check(),
            turn,
            seats: Side::BOTH.map(|side| self.seat(side)),
            moves: moves.to_vec(),
            spent: self.spent(),
            redoable: self.game.undone().len(),
            hint: self.hint,
            threats: match self.end.is_some() || self.setup.remote {
                true => Vec::new(),
                false => self.game.threats(),
            },
            draw: crate::Draw {
                offered: self.offer,
                claim: claim.map(|(name, _)| name.to_owned()),
                declined: self.declined_now(Offer::Draw),
            },
            take_back: self.back,
            take_back_declined: self.declined_now(Offer::TakeBack),
            evaluation: self.evaluations.get(&moves.len()).cloned(),
            end: self.end.clone(),
            status: self.status(),
        }
    }

    fn submit(&mut self, text: &str) -> Result<String, Refusal> {
        self.play_person(|game| game.play_text(text))
    }

    fn go(
        &mut self,
        from: Coord,
        to: Coord,
        promotion: Option<PieceRole>,
    ) -> Result<String, Refusal> {
        self.play_person(|game| game.play_squares(from, to, promotion))
    }

    fn request(&mut self, request: &Request) -> Result<String, Refusal> {
        let asks = match (self.only_person(), request, self.offer) {
            (Some(person), ..) => person,
            // At one board, whoever has not offered the draw accepts it.
            (None, Request::AcceptDraw, Some(offered)) => offered.other(),
            (None, ..) => self.game.turn(),
        };
        self.request_by(asks, request)
    }

    fn poll(&mut self) -> bool {
        let before = self.sequence;
        self.flag();
        self.hear();
        self.sequence != before
    }

    fn record(&self) -> String {
        let names = Side::BOTH.map(|side| match *self.player(side) == Player::HUMAN {
            true => "Human".to_owned(),
            false => self.name(side),
        });
        let played = self.game.moves().len();
        self.game.record(&Header {
            setup: &self.setup,
            names,
            end: self.end.as_ref(),
            clocks: self.past_clocks.get(1..=played).unwrap_or_default(),
        })
    }

    fn positions(&self) -> Vec<PastPosition> {
        let mut then = self.game.boxed();
        let mut past = Vec::with_capacity(then.moves().len() + 1);
        loop {
            past.push(PastPosition {
                pieces: then.pieces(),
                check: then.check(),
                captured: Side::BOTH.map(|side| then.captured(side)),
            });
            if !then.undo() {
                break;
            }
        }
        past.reverse();
        past
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.cancel();
    }
}
