//! What the screen knows and what it makes of what people do. No terminal is needed here: intents come in,
//! actions go out, and whoever runs the screen tells the table and the host.

use ratatui::layout::Rect;
use tabiya_view::{Coord, Destination, GameView, PastPosition, PieceRole, Refusal, Request, Side};

use crate::board::Hand;
use crate::command::{KeyCommand, begins_a_move};
use crate::host::{AnalysisView, KeptGame, NewGameQuestion};
use crate::input::Intent;
use crate::layout::{Frame, Wants, arrange};
use crate::overlay::Overlay;
use crate::theme::{Depth, Theme, ThemeName};
use crate::typed;
use crate::typing::{Edit, Typing};

/// What is to be done at the table or at the host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Nothing.
    None,
    /// Play what was typed.
    Submit(String),
    /// Play a move made on the board.
    Go {
        /// From where.
        from: Coord,
        /// To where.
        to: Coord,
        /// What a pawn becomes.
        promotion: Option<PieceRole>,
    },
    /// Ask something of the table.
    Ask(Request),
    /// Ask the host what is to be decided before a new game.
    Questions,
    /// Start a new game with these answers.
    Begin(Vec<usize>),
    /// Ask the host which games are kept.
    Games,
    /// Take up a kept game again.
    Open(String),
    /// Ask the host for a good name for a file.
    FileName,
    /// Write the game to a file.
    Save(String),
    /// Start from a file.
    Load(String),
    /// Ask the table for all positions of the game, to show the one after so many half-moves.
    Positions(usize),
    /// Begin a new game from an earlier position of this one.
    PlayOn {
        /// After how many half-moves.
        ply: usize,
        /// The move to begin with, as it was typed, if any.
        text: String,
    },
    /// Draw everything anew.
    Redraw,
    /// Stop for a while.
    Suspend,
    /// Leave.
    Quit,
    /// Leave at once.
    Interrupt,
}

/// No move is longer, however it is written.
const LONGEST_MOVE: usize = 40;
/// So many half-moves at a time.
const PAGE: isize = 10;
const EARLIER: &str = "An earlier position: Enter plays on from here, Esc goes back to the game.";

/// The screen: a view of the game, and what a person is about to do.
pub struct App {
    /// The game as it stands.
    pub(crate) live: GameView,
    /// What is shown: that, or an earlier position.
    pub(crate) view: GameView,
    /// The positions of the game, as far as they are known, and which of them is shown.
    pub(crate) past: Vec<PastPosition>,
    pub(crate) at: Option<usize>,
    pub(crate) window: Rect,
    pub(crate) frame: Frame,
    pub(crate) theme: Theme,
    pub(crate) overlay: Option<Overlay>,
    /// What is being typed.
    pub(crate) input: Typing,
    /// An answer to the last thing that was asked, and whether it is a refusal.
    pub(crate) message: Option<(String, bool)>,
    /// Where the keyboard is; nowhere until it is used.
    pub(crate) cursor: Option<Coord>,
    pub(crate) picked: Option<Coord>,
    /// Where the mouse went down on a piece, and whether that piece was already picked.
    pub(crate) drag: Option<(Coord, bool)>,
    /// Whether the board is turned round.
    flipped: bool,
    /// Whether to point out what could be taken.
    pub(crate) threats: bool,
    /// Whether there is an evaluation bar.
    pub(crate) bar: bool,
    /// Whether an engine is to look at what is shown, and what it has found.
    pub(crate) analysing: bool,
    pub(crate) analysis: Option<AnalysisView>,
    zoom: i16,
    pub(crate) scroll: (u8, u8),
    /// Counts up while somebody thinks.
    pub(crate) spin: usize,
}

impl App {
    /// A screen of that size for a game.
    pub fn new(
        view: GameView,
        size: (u16, u16),
        theme: ThemeName,
        depth: Depth,
        ascii: bool,
    ) -> App {
        let window = Rect::new(0, 0, size.0, size.1);
        let theme = Theme::new(theme, depth, ascii);
        let wants = Wants {
            bottom: home(&view),
            bar: false,
            halves: theme.halves(),
            zoom: 0,
            scroll: (0, 0),
        };
        let frame = arrange(window, &view, wants);
        let mut app = App {
            live: view.clone(),
            view,
            past: Vec::new(),
            at: None,
            window,
            frame,
            theme,
            overlay: None,
            input: Typing::default(),
            message: None,
            cursor: None,
            picked: None,
            drag: None,
            flipped: false,
            threats: false,
            bar: false,
            analysing: false,
            analysis: None,
            zoom: 0,
            scroll: (0, 0),
            spin: 0,
        };
        app.begin();
        app
    }

    /// Shows another game.
    pub fn sit(&mut self, view: GameView) {
        (self.live, self.view) = (view.clone(), view);
        (self.past, self.at) = (Vec::new(), None);
        (self.flipped, self.threats, self.bar) = (false, false, false);
        (self.overlay, self.picked, self.drag, self.cursor) = (None, None, None, None);
        self.zoom = 0;
        self.input.clear();
        self.begin();
    }

    /// Begins with the side of the person in sight.
    fn begin(&mut self) {
        self.scroll = (0, self.view.rows);
        self.rearrange();
        if let Some((_, to)) = self.view.last {
            self.reveal(to);
        }
    }

    /// Shows what has changed at the table. True if there is anything new.
    pub fn show(&mut self, view: GameView) -> bool {
        if view == self.live {
            return false;
        }
        let moved = view.moves.len() != self.live.moves.len() || view.last != self.live.last;
        let turned = home(&view) != home(&self.live);
        self.take_in(view);
        if moved && !self.is_back() {
            // What was said about the former position is old news.
            (self.picked, self.drag, self.message) = (None, None, None);
            if matches!(self.overlay, Some(Overlay::Promotion { .. } | Overlay::Confirm { .. })) {
                self.overlay = None;
            }
            if let Some((from, to)) = self.view.last {
                self.reveal(from);
                self.reveal(to);
            }
        }
        if turned {
            self.turn();
        }
        true
    }

    /// Whose side of the board is below.
    pub(crate) fn bottom(&self) -> Side {
        let home = home(&self.view);
        if self.flipped { home.other() } else { home }
    }

    /// The board has been turned round: what was in sight stays in sight.
    fn turn(&mut self) {
        let grid = self.frame.grid;
        self.scroll = (grid.columns - grid.wide - grid.left, grid.rows - grid.high - grid.top);
        self.rearrange();
    }

    /// Whether the table is to be asked what it thinks of the position.
    pub(crate) fn wants_evaluation(&self) -> bool {
        self.bar && !self.is_back() && self.view.evaluation.is_none() && self.view.end.is_none()
    }

    /// Shows the answer of the table or the host.
    pub fn told(&mut self, answer: Result<String, Refusal>) {
        match answer {
            Ok(text) => {
                self.input.clear();
                self.message = (!text.is_empty()).then_some((text, false));
            }
            Err(Refusal(text)) => {
                self.input.refuse();
                self.message = Some((text, true));
            }
        }
    }

    /// Puts the questions of a new game.
    pub fn ask_new(&mut self, questions: Vec<NewGameQuestion>) {
        let at = questions.len();
        self.overlay = Some(Overlay::New { questions, at });
    }

    /// Offers kept games.
    pub fn offer(&mut self, games: Vec<KeptGame>) {
        self.overlay = Some(Overlay::Open { games, at: 0 });
    }

    /// Asks where to save.
    pub fn ask_file(&mut self, name: String) {
        self.overlay = Some(Overlay::File { save: true, text: Typing::proposal(&name) });
    }

    /// Which position an engine is to look at: the number of the view, and after how many half-moves.
    pub(crate) fn wants_analysis(&self) -> Option<(u64, usize)> {
        self.analysing.then(|| (self.live.sequence, self.ply()))
    }

    /// Shows what an engine has found. True if that is new.
    pub fn found(&mut self, analysis: Option<AnalysisView>) -> bool {
        let is_new = self.analysis != analysis;
        self.analysis = analysis;
        is_new
    }

    /// Whether something moves by itself: clocks, or a sign that somebody thinks.
    pub fn is_live(&self) -> bool {
        self.view.seats.iter().any(|seat| seat.ticking || seat.thinking)
    }

    /// Time has passed.
    pub fn tick(&mut self) {
        self.spin = self.spin.wrapping_add(1);
    }

    /// What is in the hand of the person: the picked piece, or the one that is being typed.
    pub(crate) fn hand(&self) -> Hand {
        let cursor = self.cursor;
        if let Some(from) = self.picked {
            let targets = self.targets(from).iter().map(|to| (to.square, to.takes)).collect();
            return Hand { cursor, picked: Some(from), targets };
        }
        let (picked, targets) = match self.input.is_fresh() {
            true => Default::default(),
            false => typed::preview(&self.view, &self.input.text()),
        };
        Hand { cursor, picked, targets }
    }

    pub(crate) fn targets(&self, from: Coord) -> &[Destination] {
        self.view
            .destinations
            .iter()
            .find(|reach| reach.from == from)
            .map_or(&[], |reach| &reach.to)
    }

    /// Whether a person is to move now.
    pub(crate) fn persons_turn(&self) -> bool {
        self.view.end.is_none() && self.view.seats[self.view.turn as usize].person
    }

    pub(crate) fn rearrange(&mut self) {
        let wants = Wants {
            bottom: self.bottom(),
            bar: self.bar,
            halves: self.theme.halves(),
            zoom: self.zoom,
            scroll: self.scroll,
        };
        self.frame = arrange(self.window, &self.view, wants);
        self.scroll = (self.frame.grid.left, self.frame.grid.top);
    }

    /// Scrolls no further than needed to have a square in sight.
    pub(crate) fn reveal(&mut self, place: Coord) {
        let grid = self.frame.grid;
        let (x, y) = grid.spot(place);
        let near = |first: u8, shown: u8, at: u8| first.min(at).max((at + 1).saturating_sub(shown));
        self.scroll = (near(grid.left, grid.wide, x), near(grid.top, grid.high, y));
        self.rearrange();
    }

    /// What to do about what a person did.
    pub fn handle(&mut self, intent: Intent) -> Action {
        if let Intent::Resize(width, height) = intent {
            self.window = Rect::new(0, 0, width, height);
            self.rearrange();
            if let Some(place) = self.cursor {
                self.reveal(place);
            }
            return Action::None;
        }
        match intent {
            Intent::Suspend => return Action::Suspend,
            Intent::Redraw => return Action::Redraw,
            Intent::Interrupt => return Action::Interrupt,
            _ => {}
        }
        if self.overlay.is_some() {
            return self.handle_over(intent);
        }
        match intent {
            Intent::Type(letter) => return self.typed(letter),
            Intent::Paste(text) => {
                let line = text.lines().next().unwrap_or_default().trim();
                line.chars().for_each(|letter| self.input.insert(letter, LONGEST_MOVE));
            }
            Intent::KeyCommand(command) => return self.command(command),
            Intent::Alt(letter) => match (Edit::by_word(letter), KeyCommand::of(letter)) {
                (Some(edit), _) if !self.input.is_empty() => self.input.edit(edit),
                (_, Some(command)) => return self.command(command),
                _ => {}
            },
            Intent::Move(right, 0) if !self.input.is_empty() => {
                self.input.edit(if right < 0 { Edit::Left } else { Edit::Right });
            }
            Intent::Move(right, 0) if self.cursor.is_none() && self.picked.is_none() => {
                return self.step(isize::from(right));
            }
            Intent::Move(right, down) => self.move_cursor(right, down),
            Intent::Accept => return self.accept(),
            Intent::Cancel => self.cancel(),
            Intent::Edit(Edit::Start) if self.input.is_empty() => return self.look_at(0),
            Intent::Edit(Edit::End) if self.input.is_empty() => self.come_back(),
            Intent::Edit(edit) => {
                self.message = None;
                self.input.edit(edit);
            }
            Intent::Page(by) => return self.step(isize::from(by) * PAGE),
            Intent::Press(x, y) => return self.press(x, y),
            Intent::Drag(x, y) => self.drag(x, y),
            Intent::Release(x, y) => return self.release(x, y),
            Intent::Wheel(x, y, by) => return self.wheel(x, y, by),
            Intent::Resize(..) | Intent::Suspend | Intent::Redraw | Intent::Interrupt => {}
        }
        Action::None
    }

    fn typed(&mut self, letter: char) -> Action {
        if self.input.is_empty() {
            match letter {
                ' ' | ':' => {
                    self.overlay = Some(Overlay::Menu { at: 0 });
                    return Action::None;
                }
                '+' | '-' => {
                    self.zoom(if letter == '+' { 1 } else { -1 });
                    return Action::None;
                }
                _ => {}
            }
            if let Some(command) =
                KeyCommand::of(letter).filter(|_| !begins_a_move(&self.view, letter))
            {
                return self.command(command);
            }
        }
        self.message = None;
        self.input.insert(letter, LONGEST_MOVE);
        Action::None
    }

    fn zoom(&mut self, by: i16) {
        let step = self.frame.grid.step;
        self.zoom += by;
        self.rearrange();
        if self.frame.grid.step == step {
            self.zoom -= by;
            self.rearrange();
        }
        if let Some(place) = self.cursor.or(self.view.last.map(|(_, to)| to)) {
            self.reveal(place);
        }
    }

    pub(crate) fn command(&mut self, command: KeyCommand) -> Action {
        self.message = None;
        // What is asked of the game is asked of it as it stands.
        use KeyCommand::{Draw, Hint, MoveNow, Redo, Resign, TakeBack, TakeBackOne};
        if matches!(command, TakeBack | TakeBackOne | Redo | Hint | MoveNow | Draw | Resign) {
            self.come_back();
        }
        match command {
            KeyCommand::TakeBack => Action::Ask(Request::TakeBack),
            KeyCommand::TakeBackOne => Action::Ask(Request::TakeBackOne),
            KeyCommand::Redo => Action::Ask(Request::Redo),
            KeyCommand::Hint => Action::Ask(Request::Hint),
            KeyCommand::Flip => {
                self.flipped = !self.flipped;
                self.turn();
                Action::None
            }
            KeyCommand::Threats => {
                self.threats = !self.threats;
                Action::None
            }
            KeyCommand::Evaluation => {
                self.bar = !self.bar;
                self.rearrange();
                Action::None
            }
            KeyCommand::Analysis => {
                self.analysing = !self.analysing;
                self.analysis = None;
                Action::None
            }
            KeyCommand::MoveNow => Action::Ask(Request::MoveNow),
            KeyCommand::Draw => Action::Ask(self.draw_request()),
            KeyCommand::Resign if self.view.end.is_some() => {
                self.told(Err(Refusal("The game is over.".into())));
                Action::None
            }
            KeyCommand::Resign => {
                self.overlay = Some(Overlay::Confirm {
                    question: "Resign this game?".into(),
                    action: Action::Ask(Request::Resign),
                    // On "no".
                    at: 1,
                });
                Action::None
            }
            KeyCommand::New => Action::Questions,
            KeyCommand::Save => Action::FileName,
            KeyCommand::Load => Action::Games,
            KeyCommand::Theme => {
                self.theme = self.theme.next();
                self.rearrange();
                self.message = Some((format!("Theme: {}", self.theme.name), false));
                Action::None
            }
            KeyCommand::Help => {
                self.overlay = Some(Overlay::Help { at: 0 });
                Action::None
            }
            KeyCommand::Quit => Action::Quit,
        }
    }

    /// Accepts what the other side has offered, claims what is due, or else offers.
    fn draw_request(&self) -> Request {
        let to_a_person = self
            .view
            .draw
            .offered
            .is_some_and(|side| self.view.seats[side.other() as usize].person);
        match () {
            () if to_a_person => Request::AcceptDraw,
            () if self.view.draw.claim.is_some() => Request::ClaimDraw,
            () => Request::OfferDraw,
        }
    }

    fn move_cursor(&mut self, right: i8, down: i8) {
        let grid = self.frame.grid;
        let Some(cursor) = self.cursor else {
            let home =
                self.picked.or_else(|| self.view.destinations.first().map(|reach| reach.from));
            let middle = Coord { column: self.view.columns / 2, row: self.view.rows / 2 };
            let place = home.unwrap_or(middle);
            self.cursor = Some(place);
            return self.reveal(place);
        };
        let (x, y) = grid.spot(cursor);
        let x = x.saturating_add_signed(right).min(grid.columns - 1);
        let y = y.saturating_add_signed(down).min(grid.rows - 1);
        // `place` counts from what is shown.
        let whole = crate::layout::Grid { left: 0, top: 0, ..grid };
        let place = whole.place(x, y);
        self.cursor = Some(place);
        self.reveal(place);
    }

    fn cancel(&mut self) {
        if !self.input.is_empty() {
            self.input.clear();
        } else if self.picked.is_some() {
            self.picked = None;
        } else if self.is_back() {
            self.come_back();
        } else {
            self.cursor = None;
        }
        self.message = None;
        self.drag = None;
    }

    fn accept(&mut self) -> Action {
        let text = self.input.text().trim().to_owned();
        if self.is_back() {
            self.input.clear();
            return self.ask_to_play_on(text);
        }
        if self.input.is_empty() {
            return match self.cursor {
                Some(place) => self.touch(place),
                None => Action::None,
            };
        }
        if let Ok(place) = text.parse::<Coord>() {
            let aimed = self.picked.is_some_and(|from| self.aims(from, place));
            if aimed || !self.targets(place).is_empty() {
                self.input.clear();
                return self.touch(place);
            }
        }
        if let Some((from, to)) = typed::squares(&text)
            && self.targets(from).iter().any(|target| target.square == to)
        {
            return self.go(from, to);
        }
        if let Some((from, to)) = typed::promotion(&self.view, &text) {
            return self.go(from, to);
        }
        Action::Submit(text)
    }

    pub(crate) fn aims(&self, from: Coord, to: Coord) -> bool {
        self.targets(from).iter().any(|target| target.square == to)
    }

    /// A square was clicked, or Enter pressed on it: a piece is picked, or the picked piece goes there.
    pub(crate) fn touch(&mut self, place: Coord) -> Action {
        self.message = None;
        if self.is_back() {
            self.message = Some((EARLIER.into(), false));
            return Action::None;
        }
        let Some(from) = self.picked else {
            self.pick(place);
            return Action::None;
        };
        if from == place {
            self.picked = None;
        } else if self.aims(from, place) {
            return self.go(from, place);
        } else if self.owns(place) {
            self.pick(place);
        } else {
            // The table knows why not.
            return self.go(from, place);
        }
        Action::None
    }

    /// Whether a person may pick up what stands there.
    pub(crate) fn owns(&self, place: Coord) -> bool {
        self.persons_turn()
            && self
                .view
                .pieces
                .iter()
                .any(|piece| piece.square == place && piece.side == self.view.turn)
    }

    pub(crate) fn pick(&mut self, place: Coord) {
        self.picked = None;
        if self.owns(place) {
            self.picked = Some(place);
            if self.targets(place).is_empty() {
                self.message = Some(("This piece has no legal move.".into(), true));
            }
        } else if self.view.end.is_none() && !self.persons_turn() {
            self.message = Some(("It is not your turn yet.".into(), true));
        }
    }

    pub(crate) fn go(&mut self, from: Coord, to: Coord) -> Action {
        self.picked = None;
        let target = self.targets(from).iter().find(|target| target.square == to);
        match target.map(|target| target.promotions.clone()).filter(|choices| !choices.is_empty()) {
            Some(choices) => {
                self.overlay = Some(Overlay::Promotion { from, to, choices, at: 0 });
                Action::None
            }
            None => Action::Go { from, to, promotion: None },
        }
    }
}

/// The side that is below unless the board is turned round: that of the only person, or White's.
fn home(view: &GameView) -> Side {
    view.only_person().unwrap_or(Side::White)
}
