//! A game a line at a time. The same input gives the same output.

mod words;

use std::io::{IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::bail;
use tabiya_chess::EmptySquareError;
use tabiya_play::{
    Coord, GameController, GameKind, GameView, PieceRole, Refusal, Request, SessionDeps,
};

use self::words::{HELP, Notation, clocks, grid, history};
use super::events::{Event, Events, Sender};
use super::room::Room;
use crate::print::Spoken;

/// How often clocks and computers are looked at.
const TICK: Duration = Duration::from_millis(50);

/// A dialogue about a game.
pub(crate) struct Plain<'a> {
    room: Room,
    sender: &'a Sender,
    events: Events,
    out: Spoken<std::io::Stdout>,
    /// Somebody sits at a keyboard: prompts help, and lines are welcome while a computer thinks.
    at_keyboard: bool,
    delay: Duration,
    most_moves: Option<usize>,
    /// How moves are written, if somebody has said so.
    notation: Option<Notation>,
    /// Whether to tell what computers looked at.
    stats: bool,
    /// How many moves have been told, and whether the end has.
    told: usize,
    over: bool,
    /// A line has been asked for and not come yet; whether it is clear to whoever types it that it is.
    waiting: bool,
    prompted: bool,
    /// What was typed must be a piece that the pawn becomes.
    promotion: Option<(Coord, Coord)>,
    /// A hint or an evaluation was asked for.
    asked: Option<Request>,
}

impl<'a> Plain<'a> {
    pub(crate) fn new(
        room: Room,
        sender: &'a Sender,
        events: Events,
        delay: Duration,
        most_moves: Option<usize>,
    ) -> Plain<'a> {
        sender.catch_signals();
        let told = room.session().past().entries.len();
        Plain {
            room,
            sender,
            events,
            out: Spoken::to(std::io::stdout()),
            at_keyboard: std::io::stdin().is_terminal(),
            delay,
            most_moves,
            notation: None,
            stats: false,
            told,
            over: false,
            waiting: false,
            prompted: false,
            promotion: None,
            asked: None,
        }
    }

    /// Tells after each move what computers looked at and keep in memory.
    pub(crate) fn with_stats(self, stats: bool) -> Plain<'a> {
        Plain { stats, ..self }
    }

    /// Talks until somebody leaves. `deps` is for games that are loaded on the way.
    pub(crate) fn run(mut self, deps: impl Fn() -> SessionDeps) -> anyhow::Result<()> {
        let view = self.view();
        if view.end.is_some() || view.seats[view.turn as usize].person {
            self.draw(&view)?;
        }
        let result = self.talk(&deps);
        self.room.leave()?;
        result
    }

    fn talk(&mut self, deps: &dyn Fn() -> SessionDeps) -> anyhow::Result<()> {
        loop {
            self.tell_news()?;
            let view = self.view();
            if !self.room.has_person() && (view.end.is_some() || self.has_seen_enough(&view)) {
                return Ok(());
            }
            self.fail_in_trouble(&view)?;
            self.want_line(&view)?;
            // What a computer says may be held until it is due.
            let lively = view.seats.iter().any(|seat| seat.ticking || seat.thinking);
            let ticks = lively.then_some(TICK);
            match self.events.next(ticks) {
                Some(Event::Line(line)) => {
                    (self.waiting, self.prompted) = (false, false);
                    if self.hear(line.trim(), deps)?.is_break() {
                        return Ok(());
                    }
                }
                Some(Event::End) if view.end.is_some() => return Ok(()),
                Some(Event::End | Event::Interrupt) => return self.interrupted(),
                Some(Event::Changed) | None => {}
            }
        }
    }

    fn view(&self) -> GameView {
        self.room.session().view()
    }

    fn say(&mut self, text: &str) -> std::io::Result<()> {
        writeln!(self.out, "{text}")
    }

    fn draw(&mut self, view: &GameView) -> std::io::Result<()> {
        writeln!(self.out, "{}", grid(view))
    }

    /// Asks for a line when it is somebody's turn to type one.
    fn want_line(&mut self, view: &GameView) -> std::io::Result<()> {
        let may_type = view.end.is_some() || view.seats[view.turn as usize].person;
        let wanted =
            self.room.has_person() && self.asked.is_none() && (may_type || self.at_keyboard);
        if !wanted {
            return Ok(());
        }
        if self.at_keyboard && may_type && !self.prompted {
            let check = if view.check.is_some() && view.end.is_none() { " (check)" } else { "" };
            let prompt = match (&view.end, self.promotion) {
                (Some(_), _) => "> ".to_owned(),
                (None, Some(_)) => format!("{PROMOTION} "),
                (None, None) => format!("{}{check}: ", view.turn.name()),
            };
            write!(self.out, "{prompt}")?;
            self.prompted = true;
        }
        self.out.flush()?;
        if !self.waiting {
            self.waiting = true;
            self.sender.want_line();
        }
        Ok(())
    }

    fn interrupted(&mut self) -> anyhow::Result<()> {
        let newline = if self.at_keyboard { "\n" } else { "" };
        self.say(&format!("{newline}{}", crate::interrupt::INTERRUPTED))?;
        self.out.flush()?;
        self.tell_number();
        Ok(())
    }

    /// Says how to come back; only to a person, since numbers differ from run to run.
    fn tell_number(&self) {
        let view = self.view();
        if let Some(id) = self.room.id()
            && self.at_keyboard
            && view.end.is_none()
            && !view.moves.is_empty()
        {
            eprintln!("The game is kept. Go on with: tabiya play --resume {id}");
        }
    }

    fn has_seen_enough(&self, view: &GameView) -> bool {
        self.most_moves.is_some_and(|most| view.moves.len() >= most)
    }

    /// A computer that cannot go on ends a dialogue in which nobody could help it.
    fn fail_in_trouble(&mut self, view: &GameView) -> anyhow::Result<()> {
        let seat = &view.seats[view.turn as usize];
        if view.end.is_none() && !seat.person && !seat.thinking {
            self.out.flush()?;
            bail!("{}", view.status.trim_end_matches('.'));
        }
        Ok(())
    }

    /// Tells what has happened, moves one by one and then the end, and lets computers and clocks go on.
    fn tell_news(&mut self) -> std::io::Result<()> {
        loop {
            let view = self.view();
            while self.told < view.moves.len() {
                self.told += 1;
                self.tell_move(&view)?;
            }
            match &view.end {
                Some(end) if !self.over => self.tell_end(&view, &end.text)?,
                _ => {}
            }
            self.over = view.end.is_some();
            self.tell_answer(&view)?;
            let enough = !self.room.has_person() && self.has_seen_enough(&view);
            if enough || !self.room.controller().poll() {
                return Ok(());
            }
        }
    }

    fn tell_move(&mut self, view: &GameView) -> std::io::Result<()> {
        let newest = self.told == view.moves.len();
        if let Some(played) = view.moves.get(self.told - 1) {
            let text = self.notation.unwrap_or(Notation::Arrows).write(played);
            self.say(&format!("{} moves: {text}", played.side.name().to_lowercase()))?;
        }
        self.draw(view)?;
        if newest {
            self.tell_thoughts()?;
        }
        if newest && view.check.is_some() && view.end.is_none() {
            self.say(&format!("{} is in check.", view.turn.name()))?;
        }
        self.out.flush()?;
        if !self.room.has_person() && view.end.is_none() && !self.delay.is_zero() {
            self.wait();
        }
        Ok(())
    }

    /// What the computer expects that has moved, if nobody plays against it, and what it took to find that out.
    fn tell_thoughts(&mut self) -> std::io::Result<()> {
        let Some(thoughts) = self.room.session().thoughts().cloned() else { return Ok(()) };
        if let Some(score) = thoughts.score.filter(|_| !self.room.has_person()) {
            self.say(&format!("score: {score}"))?;
        }
        if self.stats {
            let memory =
                thoughts.memory.map_or(String::new(), |memory| format!("; keeps {memory}"));
            self.say(&format!("looked at {} positions{memory}", thoughts.nodes))?;
        }
        Ok(())
    }

    /// Waits for the delay; an interruption ends it and is not lost.
    fn wait(&mut self) {
        let start = Instant::now();
        while let Some(left) = self.delay.checked_sub(start.elapsed()) {
            match self.events.next(Some(left)) {
                Some(Event::Interrupt) => {
                    self.sender.interrupt();
                    return;
                }
                Some(_) => {}
                None => return,
            }
        }
    }

    fn tell_end(&mut self, view: &GameView, text: &str) -> std::io::Result<()> {
        let no_moves = text.starts_with("Checkmate") || text == "Draw by stalemate";
        match no_moves {
            true => {
                let turn = view.turn.name().to_lowercase();
                self.say(&format!("{text}."))?;
                self.say(&format!("No legal moves left for {turn}. Game over!"))
            }
            false => self.say(&format!("{text}. Game over!")),
        }?;
        self.out.flush()
    }

    /// The hint or evaluation that was asked for, once it is there.
    fn tell_answer(&mut self, view: &GameView) -> std::io::Result<()> {
        match &self.asked {
            Some(Request::Hint) => {
                if let Some((from, to)) = view.hint {
                    self.asked = None;
                    let text = match self.notation {
                        Some(notation) => self.spell(notation, from, to),
                        None => None,
                    };
                    let text = text.unwrap_or_else(|| format!("{from} -> {to}"));
                    self.say(&format!("Hint: {text}"))?;
                }
            }
            Some(Request::Evaluate) => {
                if let Some(evaluation) = &view.evaluation {
                    self.asked = None;
                    self.say(&format!("Evaluation: {} for White", evaluation.text))?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn hear(
        &mut self,
        line: &str,
        deps: &dyn Fn() -> SessionDeps,
    ) -> anyhow::Result<ControlFlow<()>> {
        if let Some((from, to)) = self.promotion.take().filter(|_| !matches!(line, "quit" | "exit"))
        {
            self.promote(from, to, line)?;
            return Ok(ControlFlow::Continue(()));
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word, rest.trim()) {
            ("", _) => {}
            ("quit" | "exit", "") => {
                self.tell_number();
                return Ok(ControlFlow::Break(()));
            }
            ("help" | "?", "") => self.say(HELP)?,
            ("board", "") => {
                let view = self.view();
                self.draw(&view)?;
            }
            ("fen" | "position", "") => {
                let text = self.room.session().position_text();
                self.say(text.trim_end())?;
            }
            ("moves", "") => self.tell_moves()?,
            ("clock", "") => {
                let text = clocks(&self.view());
                self.say(&text)?;
            }
            ("history", "") => {
                let text = history(&self.view(), self.notation.unwrap_or(Notation::San));
                self.say(&text)?;
            }
            ("notation", which) => self.set_notation(which)?,
            ("export", "") => {
                let record = self.room.controller().record();
                self.say(record.trim_end())?;
            }
            ("save" | "export", file) => self.save(file)?,
            ("load", file) => self.load(file, deps)?,
            ("undo", "") => self.take_back(&Request::TakeBack)?,
            ("undo", "one" | "1") => self.take_back(&Request::TakeBackOne)?,
            ("redo", "") => self.take_back(&Request::Redo)?,
            ("hint", "") => self.ask(Request::Hint)?,
            ("eval", "") => self.ask(Request::Evaluate)?,
            ("threats", "") => self.tell_threats()?,
            ("draw", "") => self.draw_wanted()?,
            ("accept", "") => self.request(&Request::AcceptDraw)?,
            ("resign", "") => self.request(&Request::Resign)?,
            ("now", "") => self.request(&Request::MoveNow)?,
            _ => self.submit(line)?,
        }
        Ok(ControlFlow::Continue(()))
    }

    fn submit(&mut self, line: &str) -> std::io::Result<()> {
        let view = self.view();
        if let Ok(place) = line.to_ascii_lowercase().parse::<Coord>()
            && view.pieces.iter().any(|piece| piece.square == place && piece.side == view.turn)
        {
            return self.list(&view, place);
        }
        if view.end.is_none()
            && let Some(pawn) = self.room.session().promotion_of(line)
        {
            self.promotion = Some(pawn);
            if !self.at_keyboard {
                self.say(PROMOTION)?;
            }
            return Ok(());
        }
        // The move itself is told with the news.
        match self.room.controller().submit(line) {
            Ok(_) => Ok(()),
            Err(refusal) => {
                if is_from_nowhere(&view, line) {
                    self.say(&EmptySquareError.to_string())?;
                }
                self.refuse(&refusal)
            }
        }
    }

    /// A legal move by its squares, as moves are to be written.
    fn spell(&self, notation: Notation, from: Coord, to: Coord) -> Option<String> {
        let played = self.room.session().move_between(from, to);
        played.map(|played| notation.write(&played))
    }

    fn refuse(&mut self, refusal: &Refusal) -> std::io::Result<()> {
        self.say(&refusal.0)
    }

    fn list(&mut self, view: &GameView, place: Coord) -> std::io::Result<()> {
        let own = |at: Coord| {
            view.pieces.iter().any(|piece| piece.square == at && piece.side == view.turn)
        };
        let reach = view.destinations.iter().find(|reach| reach.from == place);
        let targets: Vec<String> = reach
            .into_iter()
            .flat_map(|reach| &reach.to)
            // Castling onto the rook is the same as castling.
            .filter(|target| view.kind == GameKind::Bishops || !own(target.square))
            .map(|target| target.square.to_string())
            .collect();
        match targets.as_slice() {
            [] => self.say(&format!("The piece on {place} has no legal move.")),
            _ => self.say(&format!("{place} may go to {}", targets.join(" "))),
        }
    }

    fn promote(&mut self, from: Coord, to: Coord, answer: &str) -> std::io::Result<()> {
        let role = match answer.to_ascii_lowercase().as_str() {
            "q" | "queen" => PieceRole::Queen,
            "r" | "rook" => PieceRole::Rook,
            "b" | "bishop" => PieceRole::Bishop,
            "n" | "knight" => PieceRole::Knight,
            "cancel" | "undo" => return self.say("The pawn stays."),
            _ => {
                // The question stands.
                self.promotion = Some((from, to));
                self.say("A pawn becomes a queen, a rook, a bishop or a knight.")?;
                return if self.at_keyboard { Ok(()) } else { self.say(PROMOTION) };
            }
        };
        match self.room.controller().go(from, to, Some(role)) {
            Ok(_) => Ok(()),
            Err(refusal) => self.refuse(&refusal),
        }
    }

    fn tell_moves(&mut self) -> std::io::Result<()> {
        let moves = match self.notation {
            None | Some(Notation::San) => self.room.session().legal_moves().join(" "),
            Some(notation) => {
                let view = self.view();
                let pairs = view
                    .destinations
                    .iter()
                    .flat_map(|reach| reach.to.iter().map(|target| (reach.from, target.square)));
                let moves: Vec<String> =
                    pairs.filter_map(|(from, to)| self.spell(notation, from, to)).collect();
                moves.join(if notation == Notation::Arrows { "\n" } else { " " })
            }
        };
        self.say(&moves)
    }

    fn set_notation(&mut self, which: &str) -> std::io::Result<()> {
        match Notation::named(which, self.notation.unwrap_or(Notation::San)) {
            Some(notation) => {
                self.notation = Some(notation);
                self.say(&format!("Moves are written like {}.", notation.example()))
            }
            None => self.say("Notations are san, uci and arrows."),
        }
    }

    fn save(&mut self, file: &str) -> std::io::Result<()> {
        match (file, self.room.id()) {
            ("", Some(id)) => self.say(&format!("The game is kept, as number {id}.")),
            ("", None) => self.say("Say where: save FILE."),
            (file, _) => match self.room.save(Path::new(file)) {
                Ok(()) => self.say(&format!("Saved to {file}.")),
                Err(error) => {
                    self.say(&format!("It could not be saved: {}.", crate::sentence(&error)))
                }
            },
        }
    }

    fn load(&mut self, file: &str, deps: &dyn Fn() -> SessionDeps) -> anyhow::Result<()> {
        if file.is_empty() {
            return Ok(self.say("Say which: load FILE.")?);
        }
        let room = match self.room.load(Path::new(file), deps()) {
            Ok(room) => room,
            Err(error) => {
                let why = crate::sentence(&error);
                return Ok(self.say(&format!("It could not be loaded: {why}."))?);
            }
        };
        std::mem::replace(&mut self.room, room).leave()?;
        Ok(self.begin_again()?)
    }

    fn take_back(&mut self, request: &Request) -> std::io::Result<()> {
        match self.room.controller().request(request) {
            Ok(said) => {
                if !said.is_empty() {
                    self.say(&said)?;
                }
                self.begin_again()
            }
            Err(refusal) => self.refuse(&refusal),
        }
    }

    /// Draws a board that did not come about by a move.
    fn begin_again(&mut self) -> std::io::Result<()> {
        let view = self.view();
        (self.told, self.over) = (view.moves.len(), false);
        self.draw(&view)
    }

    fn ask(&mut self, request: Request) -> std::io::Result<()> {
        if request == Request::Evaluate && self.view().end.is_some() {
            return self.say("The game is over.");
        }
        match self.room.controller().request(&request) {
            Ok(_) => {
                self.asked = Some(request);
                Ok(())
            }
            Err(refusal) => self.refuse(&refusal),
        }
    }

    fn tell_threats(&mut self) -> std::io::Result<()> {
        let places: Vec<String> = self.view().threats.iter().map(Coord::to_string).collect();
        match places.as_slice() {
            [] => self.say("Nothing can be taken with profit."),
            _ => self.say(&format!("Could be taken with profit: {}", places.join(" "))),
        }
    }

    /// Claims a draw if there is one to claim, accepts one that was offered, or offers one.
    fn draw_wanted(&mut self) -> std::io::Result<()> {
        let view = self.view();
        let request = match view.draw.offered {
            _ if view.draw.claim.is_some() => Request::ClaimDraw,
            Some(offered) if offered != view.turn => Request::AcceptDraw,
            _ => Request::OfferDraw,
        };
        self.request(&request)
    }

    /// An end is told with the news.
    fn request(&mut self, request: &Request) -> std::io::Result<()> {
        match self.room.controller().request(request) {
            Ok(said) => match self.view().end {
                Some(end) if end.text == said => Ok(()),
                _ if said.is_empty() => Ok(()),
                _ => self.say(&said),
            },
            Err(refusal) => self.refuse(&refusal),
        }
    }
}

/// Whether the square from which a move was to go is on the board, and empty.
fn is_from_nowhere(view: &GameView, line: &str) -> bool {
    let digits = line.chars().skip(1).take_while(char::is_ascii_digit).count();
    let from = line.get(..1 + digits).and_then(|name| name.parse::<Coord>().ok());
    let names_target =
        line.get(1 + digits..).is_some_and(|rest| rest.contains(|c: char| c.is_ascii_digit()));
    from.is_some_and(|from| {
        let on_board = from.column < view.columns && from.row < view.rows;
        on_board && names_target && view.pieces.iter().all(|piece| piece.square != from)
    })
}

const PROMOTION: &str = "Promote to queen, rook, bishop or knight?";
