//! The terminal itself: taken over, given back whatever happens, and the loop in between.

use std::io::{self, BufWriter, Stdout, Write, stdout};
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, DisableBracketedPaste, EnableBracketedPaste};
use ratatui::crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
    enable_raw_mode, size,
};
use ratatui::crossterm::{cursor, execute};
use ratatui::layout::Rect;
use tabiya_view::{GameController, Request};

use crate::app::{Action, App};
use crate::draw;
use crate::host::Host;
use crate::input::{Intent, intent};
use crate::signals::Signals;
use crate::theme::{Depth, ThemeName, speaks_unicode};

/// How the screen looks and listens.
///
/// ```
/// use tabiya_tui::{Options, ThemeName};
///
/// let options = Options { theme: ThemeName::Slate, ..Options::from_env() };
/// assert!(options.mouse);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The look of the board.
    pub theme: ThemeName,
    /// How many colours the terminal has.
    pub depth: Depth,
    /// Letters instead of figurines, and nothing else that is not ASCII.
    pub ascii: bool,
    /// Whether to listen to the mouse. (A terminal that listens no longer marks text with it.)
    pub mouse: bool,
    /// Whether the terminal's bell rings when somebody else has moved, and at the end.
    pub bell: bool,
    /// What lies over the board at first.
    pub first: FirstSight,
}

/// What is to be seen first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FirstSight {
    /// The game as it stands.
    #[default]
    Game,
    /// Its first position, to walk through it.
    Start,
    /// The list of kept games.
    List,
}

/// How somebody has left.
pub struct Farewell {
    /// The table that was played at last.
    pub table: Box<dyn GameController>,
    /// Whether it was by Control-C or a signal.
    pub interrupted: bool,
}

impl Options {
    /// What the environment asks for: `TERM`, `COLORTERM`, `NO_COLOR`, and the locale.
    pub fn from_env() -> Options {
        let env = |name: &str| std::env::var(name).ok();
        Options {
            theme: ThemeName::Walnut,
            depth: Depth::detect(env),
            ascii: !speaks_unicode(env),
            mouse: true,
            bell: false,
            first: FirstSight::Game,
        }
    }
}

/// The terminal cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the terminal cannot be used: {0}")]
pub struct ScreenError(#[from] io::Error);

/// How often to look at the table while something happens there.
const LIVELY: Duration = Duration::from_millis(50);
/// And while nothing does.
const IDLE: Duration = Duration::from_secs(1);
/// How often what moves by itself is drawn anew.
const BEAT: Duration = Duration::from_millis(125);
/// For how long a hint may be on its way.
const PATIENCE: Duration = Duration::from_secs(20);

/// Shows the game until the person leaves.
///
/// The terminal is given back as it was: on leaving, on Control-C, on a signal, on a panic.
pub fn run(
    table: Box<dyn GameController>,
    options: &Options,
    host: &mut dyn Host,
) -> Result<Farewell, ScreenError> {
    let signals = Signals::listen(give_back)?;
    let screen = Screen::open(options.mouse)?;
    let terminal =
        Terminal::new(CrosstermBackend::new(BufWriter::with_capacity(1 << 16, stdout())))?;
    let Options { theme, depth, ascii, bell, first, .. } = *options;
    let app = App::new(table.view(), size()?, theme, depth, ascii);
    let awake = Instant::now();
    let mut running = Running {
        table,
        host,
        app,
        screen,
        terminal,
        awake,
        bell,
        interrupted: false,
        analysed: None,
    };
    match first {
        FirstSight::Game => {}
        FirstSight::Start => running.look_at(0),
        FirstSight::List => running.act(Action::Games)?,
    }
    running.play(&signals)?;
    Ok(Farewell { table: running.table, interrupted: running.interrupted })
}

struct Running<'a> {
    table: Box<dyn GameController>,
    host: &'a mut dyn Host,
    app: App,
    screen: Screen,
    terminal: Terminal<CrosstermBackend<BufWriter<Stdout>>>,
    /// Until when something asked for may still come.
    awake: Instant,
    bell: bool,
    interrupted: bool,
    /// Which position the engine looks at.
    analysed: Option<(u64, usize)>,
}

impl Running<'_> {
    fn play(&mut self, signals: &Signals) -> io::Result<()> {
        let mut beat = Instant::now();
        let mut stale = true;
        loop {
            if signals.told_to_leave() {
                self.interrupted = true;
                return Ok(());
            }
            if signals.came_back() {
                self.redraw_all()?;
            }
            if std::mem::take(&mut stale) {
                let (width, height) = size()?;
                if Rect::new(0, 0, width, height) != self.app.window {
                    self.app.handle(Intent::Resize(width, height));
                }
                let app = &self.app;
                self.terminal.draw(|frame| draw::draw(app, frame))?;
            }
            let asked = self.app.bar || self.app.analysing;
            let lively = self.app.is_live() || asked || Instant::now() < self.awake;
            if event::poll(if lively { LIVELY } else { IDLE })? {
                // All that has come is dealt with before anything is drawn: a slow line must not lag.
                while event::poll(Duration::ZERO)? {
                    let event = event::read()?;
                    let Some(intent) = intent(&event) else { continue };
                    let action = self.app.handle(intent);
                    if matches!(action, Action::Quit | Action::Interrupt) {
                        self.interrupted = action == Action::Interrupt;
                        return Ok(());
                    }
                    self.act(action)?;
                }
                stale = true;
            }
            // Should it be refused, the bar stays empty.
            let asked =
                self.app.wants_evaluation() && self.table.request(&Request::Evaluate).is_ok();
            let changed = self.table.poll();
            let due = self.app.is_live() && beat.elapsed() >= BEAT;
            if changed || due || stale || asked {
                beat = Instant::now();
                if due {
                    self.app.tick();
                }
                let before = (self.app.live.moves.len(), self.app.live.end.is_some());
                stale |= self.app.show(self.table.view()) || due;
                self.ring(before)?;
            }
            stale |= self.analyse();
        }
    }

    /// Rings when somebody else has moved, or the game has ended.
    fn ring(&mut self, (moves, over): (usize, bool)) -> io::Result<()> {
        let live = &self.app.live;
        let theirs = |side: tabiya_view::Side| !live.seats[side as usize].person;
        let moved = live.moves.len() > moves && live.moves.last().is_some_and(|m| theirs(m.side));
        if self.bell && (moved || (live.end.is_some() && !over)) {
            let out = self.terminal.backend_mut();
            out.write_all(b"\x07")?;
            out.flush()?;
        }
        Ok(())
    }

    /// Has the engine look at what is on the screen, and shows what it has found. True if there is anything new.
    fn analyse(&mut self) -> bool {
        let wanted = self.app.wants_analysis();
        if wanted != self.analysed {
            self.analysed = wanted;
            self.app.found(None);
            if let Err(refusal) = self.host.analyse(wanted.map(|(_, ply)| ply)) {
                self.app.analysing = false;
                self.analysed = None;
                self.app.told(Err(refusal));
            }
            return true;
        }
        wanted.is_some() && self.app.found(self.host.found())
    }

    /// Shows an earlier position of the game.
    fn look_at(&mut self, ply: usize) {
        let past = self.table.positions();
        self.app.remember(past, ply);
    }

    fn act(&mut self, action: Action) -> io::Result<()> {
        let answer = match action {
            Action::None | Action::Quit | Action::Interrupt => return Ok(()),
            Action::Redraw => return self.redraw_all(),
            Action::Positions(ply) => {
                self.look_at(ply);
                return Ok(());
            }
            Action::PlayOn { ply, text } => {
                let table = self.host.play_on(ply);
                match self.sit(table) {
                    Ok(_) if !text.is_empty() => self.table.submit(&text),
                    answer => answer,
                }
            }
            Action::Submit(text) => self.table.submit(&text),
            Action::Go { from, to, promotion } => self.table.go(from, to, promotion),
            Action::Ask(request) => self.ask(&request),
            Action::Questions => {
                let questions = self.host.questions();
                self.app.ask_new(questions);
                return Ok(());
            }
            Action::Games => match self.host.kept() {
                Ok(games) => {
                    self.app.offer(games);
                    return Ok(());
                }
                Err(refusal) => Err(refusal),
            },
            Action::FileName => {
                let name = self.host.file_name(self.table.as_ref());
                self.app.ask_file(name);
                return Ok(());
            }
            Action::Save(file) => self.host.save(&file, self.table.as_ref()),
            Action::Begin(answers) => {
                let table = self.host.begin(&answers);
                self.sit(table)
            }
            Action::Open(id) => {
                let table = self.host.open(&id);
                let answer = self.sit(table);
                // What is over is there to be walked through.
                if answer.is_ok() && self.app.live.end.is_some() {
                    self.look_at(0);
                    return Ok(());
                }
                answer
            }
            Action::Load(file) => {
                let table = self.host.load(&file);
                self.sit(table)
            }
            Action::Suspend => return self.suspend(),
        };
        self.app.show(self.table.view());
        self.app.told(answer);
        Ok(())
    }

    fn ask(&mut self, request: &Request) -> Result<String, tabiya_view::Refusal> {
        let answer = self.table.request(request)?;
        if matches!(request, Request::Hint | Request::OfferDraw) {
            self.awake = Instant::now() + PATIENCE;
        }
        Ok(answer)
    }

    /// Moves over to another table.
    fn sit(
        &mut self,
        table: Result<Box<dyn GameController>, tabiya_view::Refusal>,
    ) -> Result<String, tabiya_view::Refusal> {
        self.table = table?;
        self.analysed = None;
        self.app.sit(self.table.view());
        Ok(String::new())
    }

    /// Gives the terminal back to the shell until it says `fg`.
    fn suspend(&mut self) -> io::Result<()> {
        #[cfg(unix)]
        {
            self.screen.close();
            signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
            self.redraw_all()?;
        }
        Ok(())
    }

    fn redraw_all(&mut self) -> io::Result<()> {
        self.screen.close();
        self.screen = Screen::open(self.screen.mouse)?;
        let (width, height) = size()?;
        self.app.handle(Intent::Resize(width, height));
        // Unlike `clear`, this asks the terminal nothing.
        self.terminal.resize(Rect::new(0, 0, width, height))
    }
}

/// The terminal in our hands; dropping it gives it back.
struct Screen {
    mouse: bool,
    open: bool,
}

impl Screen {
    fn open(mouse: bool) -> io::Result<Screen> {
        give_back_on_panic();
        enable_raw_mode()?;
        let screen = Screen { mouse, open: true };
        // Whoever was on the other screen already may have left something there.
        let clear = Clear(ClearType::All);
        execute!(stdout(), EnterAlternateScreen, clear, EnableBracketedPaste, cursor::Hide)?;
        if mouse {
            listen_to_mouse(true)?;
        }
        Ok(screen)
    }

    fn close(&mut self) {
        if std::mem::take(&mut self.open) {
            give_back();
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.close();
    }
}

/// Leaves the terminal as it was found. Nothing can be done about errors here.
fn give_back() {
    let _ = listen_to_mouse(false);
    let _ = execute!(stdout(), DisableBracketedPaste, LeaveAlternateScreen, cursor::Show);
    let _ = disable_raw_mode();
}

/// Clicks and drags only: a report for every movement of the mouse would be too much for a slow line.
#[cfg(not(windows))]
fn listen_to_mouse(on: bool) -> io::Result<()> {
    let codes: &[u8] = match on {
        true => b"\x1b[?1000h\x1b[?1002h\x1b[?1006h",
        false => b"\x1b[?1006l\x1b[?1002l\x1b[?1000l",
    };
    let mut out = stdout();
    out.write_all(codes)?;
    out.flush()
}

#[cfg(windows)]
fn listen_to_mouse(on: bool) -> io::Result<()> {
    match on {
        true => execute!(stdout(), event::EnableMouseCapture),
        false => execute!(stdout(), event::DisableMouseCapture),
    }
}

/// A panic is told on the terminal as it was before.
fn give_back_on_panic() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    let owner = std::thread::current().id();
    ONCE.call_once(|| {
        let former = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            // A thread that thinks may fail alone, unless that ends the program.
            if cfg!(panic = "abort") || std::thread::current().id() == owner {
                give_back();
            }
            former(info);
        }));
    });
}
