use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::thread::{self, Builder, Scope};
use std::time::Duration;

use tabiya_base::Stop;
use tabiya_chess::Game;

use crate::job::{DEEPEST_COUNT, Job, PATIENCE, count_by_move};
use crate::output::{EndOnDrop, Ending, Lines};
use crate::words::shorten;
use crate::{
    BestMove, Command, Go, Identity, InputLine, LineReader, Message, OptionError, OptionValue,
    Output, PositionCommand, UciEngine,
};

/// Serves an engine to a GUI until `quit` or the end of the input.
///
/// - What is not understood is answered with an `info string`, and ignored.
/// - After a `position` that cannot be, `go` is answered with `bestmove 0000` until a good one comes.
/// - Each `go` has exactly one `bestmove`; after `go infinite` and `go ponder` it comes no sooner than
///   `stop`, or `ponderhit`.
/// - `isready` is answered at once, even during a search. A search is stopped, and its best move told,
///   before anything that would disturb it: `go`, `position`, `setoption`, `ucinewgame`, `bench`, `quit`.
/// - `go perft` and `bench` are ended at once by `stop`, and three seconds after anything else that would
///   disturb them: what is soon done is answered even if `quit` stands on the next line. A `bench` that is
///   told to go deeper than benches do is not soon done, and is ended at once by anything.
/// - Every line comes out whole and at once.
///
/// An error means that the input could not be read or the output not be written.
///
/// ```
/// # use tabiya_chess::Game;
/// # use tabiya_uci_protocol::{BenchWork, BestMove, Identity, OptionSpec, OptionValue, Output, UciEngine};
/// # use tabiya_thinker::Limits;
/// use tabiya_uci_protocol::serve;
/// # struct Engine;
/// # impl UciEngine for Engine {
/// #   fn go(&mut self, _: &Game, _: Limits, _: bool, output: Output) {
/// #       output.best_move(BestMove::new("e2e4"));
/// #   }
/// #   fn identity(&self) -> Identity { Identity { name: "Engine".into(), author: "-".into() } }
/// #   fn options(&self) -> Vec<OptionSpec> { Vec::new() }
/// #   fn set_option(&mut self, _: &str, _: OptionValue) -> Result<(), String> { Ok(()) }
/// #   fn new_game(&mut self) {}
/// #   fn stop(&mut self) {}
/// #   fn ponder_hit(&mut self) {}
/// #   fn wait(&mut self) {}
/// #   fn eval(&self, _: &Game) -> String { String::new() }
/// #   fn bench(&self, _: Option<u32>) -> BenchWork { Box::new(|_| None) }
/// # }
///
/// let mut said = Vec::new();
/// let input = "position startpos moves e2e5\ngo depth 1\nposition startpos\ngo depth 1\nquit\n";
/// serve(input.as_bytes(), &mut said, Engine)?;
/// assert_eq!(
///     String::from_utf8(said).unwrap(),
///     "info string position: move 1, \"e2e5\": A pawn does not move like that.\n\
///      info string there is no position to think about\n\
///      bestmove 0000\n\
///      bestmove e2e4\n"
/// );
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn serve(
    input: impl BufRead,
    output: impl Write + Send,
    engine: impl UciEngine,
) -> io::Result<()> {
    let (lines, writer) = Lines::new();
    thread::scope(|scope| {
        let writing = Builder::new()
            .name("uci-output".into())
            .spawn_scoped(scope, || writer.write(output))?;
        let end = EndOnDrop(&lines);
        let mut server = Server {
            engine,
            lines: lines.clone(),
            scope,
            game: Some(Game::new()),
            is_chess960: false,
            is_debugging: false,
            work: Work::Nothing,
        };
        let read = server.run(LineReader::new(input), || writing.is_finished());
        drop(end);
        let written =
            writing.join().unwrap_or_else(|_| Err(io::Error::other("the output panicked")));
        read.and(written)
    })
}

/// A `bench` to this depth, which is where engines end it if nobody says more, is soon done.
const QUICK_BENCH: u32 = 13;

struct Server<'scope, 'env, P> {
    engine: P,
    lines: Lines,
    scope: &'scope Scope<'scope, 'env>,
    /// The game to think about; none if the last `position` made no sense.
    game: Option<Game>,
    is_chess960: bool,
    is_debugging: bool,
    work: Work<'scope>,
}

/// What goes on in the background.
enum Work<'scope> {
    Nothing,
    Search { ending: Ending, is_infinite: bool, is_pondering: bool },
    Job(Job<'scope>),
}

impl<'scope, P: UciEngine> Server<'scope, '_, P> {
    fn run(
        &mut self,
        mut input: LineReader<impl BufRead>,
        is_gui_gone: impl Fn() -> bool,
    ) -> io::Result<()> {
        let mut result = Ok(());
        while !is_gui_gone() {
            let flow = match input.next_line() {
                Ok(Some(line)) => self.obey(line),
                Ok(None) => ControlFlow::Break(()),
                Err(error) => {
                    result = Err(error);
                    ControlFlow::Break(())
                }
            };
            if flow.is_break() {
                break;
            }
        }
        self.settle();
        result
    }

    fn obey(&mut self, line: InputLine) -> ControlFlow<()> {
        let command = match line {
            InputLine::Text(text) => {
                let (command, complaints) = Command::parse(&text);
                complaints.iter().for_each(|complaint| self.lines.inform(complaint));
                command
            }
            InputLine::TooLong { beginning } => {
                self.lines.inform(format_args!("{beginning:?} begins a line that is too long"));
                // A game that we do not know is not the game before.
                if matches!(Command::parse(&beginning).0, Command::Position(_)) {
                    self.settle();
                    self.game = None;
                }
                return ControlFlow::Continue(());
            }
        };
        match command {
            Command::Uci => self.introduce(),
            Command::Debug(on) => self.is_debugging = on,
            Command::IsReady => self.lines.say(&Message::ReadyOk),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => {
                self.settle();
                self.engine.new_game();
            }
            Command::Position(position) => self.set_position(&position),
            Command::Go(go) => self.go(go),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => return ControlFlow::Break(()),
            Command::Perft(depth) => self.count(depth),
            Command::Display => self.show(P::display),
            Command::Eval => self.show(P::eval),
            Command::Bench(depth) => {
                self.settle();
                let bench = self.engine.bench(depth);
                let is_soon_done = depth.is_none_or(|depth| depth <= QUICK_BENCH);
                let patience = if is_soon_done { PATIENCE } else { Duration::ZERO };
                self.start("bench", patience, bench);
            }
            // There is nothing to register.
            Command::Register(_) | Command::Unknown(_) | Command::Empty => {}
        }
        ControlFlow::Continue(())
    }

    fn introduce(&self) {
        let Identity { name, author } = self.engine.identity();
        self.lines.say(&Message::IdName(name));
        self.lines.say(&Message::IdAuthor(author));
        for option in self.engine.options() {
            self.lines.say(&Message::Option(option));
        }
        self.lines.say(&Message::UciOk);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        self.settle();
        let options = self.engine.options();
        let Some(option) = options.iter().find(|option| option.is_named(name)) else {
            return self.lines.inform(OptionError::Unknown(shorten(name)));
        };
        let value = match option.read(value) {
            Ok(value) => value,
            Err(error) => return self.lines.inform(error),
        };
        let is_chess960 = value == OptionValue::Check(true);
        match self.engine.set_option(&option.name, value) {
            Ok(()) if option.is_named("UCI_Chess960") => self.is_chess960 = is_chess960,
            Ok(()) => {}
            Err(reason) => self.lines.inform(reason),
        }
    }

    fn set_position(&mut self, position: &PositionCommand) {
        self.settle();
        match position.resolve() {
            Ok(game) => {
                if self.is_debugging {
                    self.lines.inform(format_args!("the position is {}", game.position()));
                }
                self.game = Some(game);
            }
            Err(error) => {
                self.lines.inform(error);
                self.game = None;
            }
        }
    }

    fn go(&mut self, go: Go) {
        self.settle();
        let (output, ending) = Output::new(&self.lines, go.infinite || go.ponder);
        self.work = Work::Search { ending, is_infinite: go.infinite, is_pondering: go.ponder };
        let Some(game) = &self.game else {
            self.lines.inform(NO_POSITION);
            return output.best_move(BestMove::default());
        };
        let (limits, illegal) = go.limits(game);
        if let Some((text, reason)) = illegal {
            self.lines.inform(format_args!("go: searchmoves {text:?} is left out: {reason}"));
        }
        self.engine.go(game, limits, self.is_chess960, output);
    }

    fn count(&mut self, depth: u32) {
        self.settle();
        let Some(game) = &self.game else { return self.lines.inform(NO_POSITION) };
        if depth > DEEPEST_COUNT {
            return self.lines.inform(format_args!("perft goes no deeper than {DEEPEST_COUNT}"));
        }
        let (position, lines, chess960) = (*game.position(), self.lines.clone(), self.is_chess960);
        self.start("perft", PATIENCE, move |stop| {
            count_by_move(&position, depth, chess960, &lines, stop)
        });
    }

    fn start(
        &mut self,
        name: &'static str,
        patience: Duration,
        work: impl FnOnce(&Stop) -> Option<String> + Send + 'scope,
    ) {
        match Job::start(self.scope, name, patience, self.lines.clone(), work) {
            Ok(job) => self.work = Work::Job(job),
            Err(error) => self.lines.inform(format_args!("{name} cannot start: {error}")),
        }
    }

    fn show(&self, text: impl Fn(&P, &Game) -> String) {
        match &self.game {
            Some(game) => self.lines.text(&text(&self.engine, game)),
            None => self.lines.inform(NO_POSITION),
        }
    }

    fn stop(&mut self) {
        match &self.work {
            Work::Nothing => {}
            Work::Search { ending, .. } => {
                if !ending.is_over() {
                    self.engine.stop();
                    ending.release();
                }
            }
            Work::Job(job) => job.stop(),
        }
    }

    fn ponder_hit(&mut self) {
        if let Work::Search { ending, is_infinite, is_pondering } = &mut self.work
            && std::mem::take(is_pondering)
        {
            self.engine.ponder_hit();
            if !*is_infinite {
                ending.release();
            }
        }
    }

    /// Ends what goes on, so that there is nothing to disturb.
    fn settle(&mut self) {
        if let Work::Search { .. } = self.work {
            self.stop();
        }
        match std::mem::replace(&mut self.work, Work::Nothing) {
            Work::Nothing => {}
            Work::Search { ending, .. } => {
                self.engine.wait();
                // Somebody may still hold the output, but it is too late to say anything.
                ending.answer(BestMove::default());
            }
            Work::Job(job) => job.settle(),
        }
    }
}

const NO_POSITION: &str = "there is no position to think about";
