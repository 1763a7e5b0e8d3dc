//! Which games are wanted.

use std::ops::RangeInclusive;

use memchr::memmem::Finder;
use tabiya_base::fold_into;
use tabiya_chess::{Move, MoveKind, Position, Role};
use tabiya_db::{Day, Men, Pattern, is_eco};
use tabiya_pgn::{GameResult, Interest, Played, RawTag};

use super::names::sound;

/// A game is wanted if it has all that is asked for; of an option that is given several times, one is
/// enough. Names are compared without regard to capital letters and accents. With ! before it, a text must not
/// be there: --player '!Tal'.
#[derive(clap::Args, Clone, Debug, Default)]
#[command(next_help_heading = "Which games")]
pub(super) struct Select {
    /// Part of the name of a player.
    #[arg(long, value_name = "NAME")]
    player: Vec<Text>,

    /// Part of the name of White.
    #[arg(long, value_name = "NAME")]
    white: Vec<Text>,

    /// Part of the name of Black.
    #[arg(long, value_name = "NAME")]
    black: Vec<Text>,

    /// A player whose name sounds like this: Petrosjan finds Petrosian.
    #[arg(long, value_name = "NAME")]
    sounds_like: Vec<String>,

    /// Part of the event.
    #[arg(long, value_name = "TEXT")]
    event: Vec<Text>,

    /// Part of the site.
    #[arg(long, value_name = "TEXT")]
    site: Vec<Text>,

    /// A tag that has this text in its value.
    #[arg(long, value_name = "NAME=TEXT", value_parser = tag)]
    tag: Vec<(String, Text)>,

    /// The result: 1-0, 0-1, 1/2-1/2 or *.
    #[arg(long, value_parser = result, allow_hyphen_values = true)]
    result: Vec<GameResult>,

    /// The beginning of the ECO code, or codes from one to another: B, B9, B97, B90-B99.
    #[arg(long, value_name = "CODE")]
    eco: Vec<String>,

    /// Years: 1972, 1970-1979, 2000-.
    #[arg(long, value_name = "RANGE", value_parser = range)]
    years: Option<RangeInclusive<u64>>,

    /// Played on this day or later: 1972, 1972.07, 1972.07.11.
    #[arg(long, value_name = "DATE")]
    since: Option<Day>,

    /// Played on this day or earlier.
    #[arg(long, value_name = "DATE")]
    until: Option<Day>,

    /// The ratings of both players: 2600-, 2000-2400.
    #[arg(long, value_name = "RANGE", value_parser = range)]
    elo: Option<RangeInclusive<u64>>,

    /// The rating of one player at least.
    #[arg(long, value_name = "RANGE", value_parser = range)]
    one_elo: Option<RangeInclusive<u64>>,

    /// The length in plies, that is moves of either side: 40-, 1-20.
    #[arg(long, value_name = "RANGE", value_parser = range)]
    plies: Option<RangeInclusive<u64>>,

    /// How the game ends, or what it comes to.
    #[arg(long, value_name = "END")]
    ends: Vec<End>,

    /// A position that the game goes through (clocks and move numbers do not count), as one argument.
    #[arg(long, value_name = "FEN")]
    fen: Vec<String>,

    /// A position with squares that do not matter: a letter is that man, a digit so many empty
    /// squares, ? anything, ! any man, A any White man, a any Black one, * the rest of the rank.
    #[arg(long, value_name = "PATTERN")]
    pattern: Vec<Pattern>,

    /// What men are left on either side: KRPvKR, KQ?P+vKRP*.
    #[arg(long, value_name = "MEN")]
    material: Vec<Men>,

    /// The material stays so for as many plies.
    #[arg(long, value_name = "PLIES", default_value_t = 1, requires = "material")]
    lasting: u32,

    /// The game begins with these moves: "e4 c5 Nf3".
    #[arg(long, value_name = "MOVES")]
    line: Vec<String>,

    /// Look for positions, patterns and material in variations too.
    #[arg(long)]
    in_variations: bool,

    /// Games that begin with another position than the usual one, or (=no) that do not.
    #[arg(long, value_name = "YES|NO", num_args = 0..=1, require_equals = true, default_missing_value = "yes")]
    setup: Option<YesNo>,

    /// Games in which a pawn becomes something else than a queen.
    #[arg(long)]
    underpromotion: bool,

    /// The games that have not all that is asked for.
    #[arg(long)]
    not: bool,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum YesNo {
    Yes,
    No,
}

/// How a game ends, or what it comes to.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// Checkmate on the board.
    Checkmate,
    /// Stalemate on the board.
    Stalemate,
    /// A position comes for the third time.
    Repetition,
    /// Fifty moves of either side without capture or pawn move.
    Fifty,
    /// Neither side has enough to win.
    Material,
}

/// Part of a text that must be there, or must not.
#[derive(Clone, Debug)]
struct Text {
    part: Finder<'static>,
    is_not: bool,
}

impl std::str::FromStr for Text {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Text, Self::Err> {
        let (part, is_not) = match text.strip_prefix('!') {
            Some(part) => (part, true),
            None => (text, false),
        };
        let mut folded = String::new();
        fold_into(part, &mut folded);
        Ok(Text { part: Finder::new(&folded).into_owned(), is_not })
    }
}

pub(crate) fn range(text: &str) -> Result<RangeInclusive<u64>, String> {
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("{text:?} is not a number"));
    let (first, last) = match text.split_once('-') {
        Some((first, "")) => (number(first)?, u64::MAX),
        Some(("", last)) => (0, number(last)?),
        Some((first, last)) => (number(first)?, number(last)?),
        None => (number(text)?, number(text)?),
    };
    if first > last {
        return Err(format!("{first} comes after {last}"));
    }
    Ok(first..=last)
}

pub(crate) fn result(text: &str) -> Result<GameResult, String> {
    GameResult::from_text(text).ok_or_else(|| "write 1-0, 0-1, 1/2-1/2 or *".to_owned())
}

fn tag(text: &str) -> Result<(String, Text), String> {
    match text.split_once('=') {
        Some((name, part)) => part
            .parse()
            .map(|part| (name.to_owned(), part))
            .map_err(|never: std::convert::Infallible| match never {}),
        None => Err("write it like Event=Candidates".to_owned()),
    }
}

/// What is asked for, ready to be compared.
pub(super) struct Criteria {
    select: Select,
    /// Where games usually begin.
    initial: Position,
    keys: Vec<u64>,
    lines: Vec<Vec<Move>>,
    sounds: Vec<String>,
    /// Whether anything is asked of tags.
    asks_tags: bool,
    /// Whether anything is asked of moves.
    asks_moves: bool,
    asks_nothing: bool,
    asks_date: bool,
    asks_elo: bool,
}

impl Criteria {
    /// Whether all games are wanted.
    pub(super) fn asks_nothing(&self) -> bool {
        self.asks_nothing
    }

    pub(super) fn new(select: &Select) -> anyhow::Result<Criteria> {
        let mut keys = Vec::new();
        for fen in &select.fen {
            keys.push(Position::from_fen_prefix(fen)?.repetition_key());
        }
        let mut lines = Vec::new();
        for line in &select.line {
            let mut here = Position::initial();
            let mut moves = Vec::new();
            let words = line
                .split([' ', '.'])
                .filter(|word| !word.is_empty() && !word.bytes().all(|byte| byte.is_ascii_digit()));
            for word in words {
                let m = here
                    .parse_san(word)
                    .map_err(|error| anyhow::anyhow!("--line: {word}: {error}"))?;
                here = here.play(m)?;
                moves.push(m);
            }
            lines.push(moves);
        }
        let s = select;
        let asks_tags = !(s.player.is_empty()
            && s.white.is_empty()
            && s.black.is_empty()
            && s.sounds_like.is_empty()
            && s.event.is_empty()
            && s.site.is_empty()
            && s.tag.is_empty()
            && s.result.is_empty()
            && s.eco.is_empty()
            && s.years.is_none()
            && s.since.is_none()
            && s.until.is_none()
            && s.elo.is_none()
            && s.one_elo.is_none());
        let asks_moves = !(s.plies.is_none()
            && s.ends.is_empty()
            && s.fen.is_empty()
            && s.pattern.is_empty()
            && s.material.is_empty()
            && s.line.is_empty()
            && !s.underpromotion);
        let asks_date = s.years.is_some() || s.since.is_some() || s.until.is_some();
        let asks_elo = s.elo.is_some() || s.one_elo.is_some();
        let asks_nothing = !asks_tags && !asks_moves && s.setup.is_none() && !s.not;
        let sounds = select.sounds_like.iter().map(|name| sound(name)).collect();
        Ok(Criteria {
            select: select.clone(),
            initial: Position::initial(),
            keys,
            lines,
            sounds,
            asks_tags,
            asks_moves,
            asks_nothing,
            asks_date,
            asks_elo,
        })
    }
}

/// Compares one game after the other.
pub(super) struct Filter<'a> {
    criteria: &'a Criteria,
    // About the game that is read:
    facts: Facts,
    depth: u32,
    /// The value of a tag, folded.
    folded: String,
}

#[derive(Default)]
struct Facts {
    /// For each kind of text that may be asked for: whether one of those asked for was found.
    players: Found,
    white: Found,
    black: Found,
    event: Found,
    site: Found,
    tags: Vec<Found>,
    sounds: bool,
    eco: bool,
    day: Day,
    elos: [Option<u64>; 2],
    tagged: Option<GameResult>,
    result: GameResult,
    tags_granted: bool,
    setup: bool,
    plies: u64,
    reached: bool,
    patterned: bool,
    materially: bool,
    /// For how many plies the material has been as asked.
    lasted: u32,
    /// Of which lines all moves so far were played.
    lines: Vec<usize>,
    lines_done: bool,
    underpromoted: bool,
    keys: Vec<u64>,
    repeated: bool,
    fifty: bool,
    last: Option<End>,
}

/// Whether a part that must be there is there, and one that must not is not.
#[derive(Clone, Copy, Default)]
struct Found {
    wanted: bool,
    unwanted: bool,
}

impl Found {
    fn look(&mut self, texts: &[Text], value: &str) {
        for text in texts {
            let has = text.part.find(value.as_bytes()).is_some();
            self.wanted |= has && !text.is_not;
            self.unwanted |= has && text.is_not;
        }
    }

    fn grants(self, texts: &[Text]) -> bool {
        !self.unwanted && (self.wanted || texts.iter().all(|text| text.is_not))
    }
}

impl<'a> Filter<'a> {
    pub(super) fn new(criteria: &'a Criteria) -> Filter<'a> {
        Filter { criteria, facts: Facts::default(), depth: 0, folded: String::new() }
    }

    pub(super) fn begin_game(&mut self) {
        let mut keys = std::mem::take(&mut self.facts.keys);
        let mut tags = std::mem::take(&mut self.facts.tags);
        let mut lines = std::mem::take(&mut self.facts.lines);
        keys.clear();
        tags.clear();
        lines.clear();
        tags.resize(self.criteria.select.tag.len(), Found::default());
        self.facts = Facts { keys, tags, lines, ..Facts::default() };
        self.depth = 0;
    }

    pub(super) fn tag(&mut self, tag: RawTag<'_>) {
        if !self.criteria.asks_tags {
            return;
        }
        let Select { player, white, black, event, site, eco, .. } = &self.criteria.select;
        let Filter { facts, folded, .. } = self;
        match tag.name {
            b"White" | b"Black" => {
                let own = if tag.name == b"White" { white } else { black };
                if !player.is_empty() || !own.is_empty() {
                    let value = folded_value(tag, folded);
                    facts.players.look(player, value);
                    match tag.name {
                        b"White" => facts.white.look(white, value),
                        _ => facts.black.look(black, value),
                    }
                }
                if !self.criteria.sounds.is_empty() {
                    let sound = sound(&tag.value());
                    facts.sounds |= self.criteria.sounds.contains(&sound);
                }
            }
            b"Event" if !event.is_empty() => facts.event.look(event, folded_value(tag, folded)),
            b"Site" if !site.is_empty() => facts.site.look(site, folded_value(tag, folded)),
            b"ECO" if !eco.is_empty() => {
                facts.eco = is_eco(&tag.value().to_uppercase(), eco);
            }
            b"Date" if self.criteria.asks_date => facts.day = Day::of_tag(&tag.value()),
            b"WhiteElo" if self.criteria.asks_elo => {
                facts.elos[0] = tag.value().trim().parse().ok()
            }
            b"BlackElo" if self.criteria.asks_elo => {
                facts.elos[1] = tag.value().trim().parse().ok()
            }
            b"Result" => facts.tagged = GameResult::from_text(&tag.value()),
            _ => {}
        }
        for ((name, text), found) in self.criteria.select.tag.iter().zip(&mut facts.tags) {
            if name.as_bytes() == tag.name {
                found.look(std::slice::from_ref(text), folded_value(tag, folded));
            }
        }
    }

    /// Whether the moves have to be read. (They need not if the tags say no already.)
    pub(super) fn begin_moves(&mut self, start: &Position) -> Interest {
        let is_usual = *start == self.criteria.initial;
        self.facts.setup = !is_usual;
        let s = &self.criteria.select;
        let setup = s.setup.is_none_or(|setup| (setup == YesNo::Yes) != is_usual);
        self.facts.tags_granted = setup && (!self.criteria.asks_tags || self.tags_grant());
        if !self.facts.tags_granted && !s.not {
            return Interest::Skip;
        }
        if self.criteria.asks_moves {
            let lines = &self.criteria.lines;
            self.facts.lines.extend(0..if is_usual { lines.len() } else { 0 });
            self.facts.lines_done = lines.iter().any(Vec::is_empty);
            self.look_at(start, true);
        }
        Interest::Read
    }

    fn tags_grant(&self) -> bool {
        let (s, f) = (&self.criteria.select, &self.facts);
        let year = u64::from(f.day.0 / 10_000);
        let elo = |range: &RangeInclusive<u64>, elo: Option<u64>| {
            elo.is_some_and(|elo| range.contains(&elo))
        };
        // A result that is told by the tag need not be looked for behind the moves.
        let tagged = f.tagged.filter(|&result| result != GameResult::Unknown);
        f.players.grants(&s.player)
            && f.white.grants(&s.white)
            && f.black.grants(&s.black)
            && f.event.grants(&s.event)
            && f.site.grants(&s.site)
            && s.tag
                .iter()
                .zip(&f.tags)
                .all(|((_, text), found)| found.grants(std::slice::from_ref(text)))
            && (s.sounds_like.is_empty() || f.sounds)
            && (s.eco.is_empty() || f.eco)
            && s.years.as_ref().is_none_or(|years| year > 0 && years.contains(&year))
            && s.since.is_none_or(|since| f.day > Day(0) && f.day.latest() >= since)
            && s.until.is_none_or(|until| f.day > Day(0) && f.day <= until.latest())
            && s.elo.as_ref().is_none_or(|range| f.elos.iter().all(|&one| elo(range, one)))
            && s.one_elo.as_ref().is_none_or(|range| f.elos.iter().any(|&one| elo(range, one)))
            && (s.result.is_empty() || tagged.is_none_or(|tagged| s.result.contains(&tagged)))
    }

    /// A position of the game; `changed` if men were taken or have changed.
    fn look_at(&mut self, position: &Position, changed: bool) {
        let Criteria { select, keys, .. } = self.criteria;
        let facts = &mut self.facts;
        if !keys.is_empty() && !facts.reached {
            facts.reached = keys.contains(&position.repetition_key());
        }
        if !select.pattern.is_empty() && !facts.patterned {
            facts.patterned = select.pattern.iter().any(|one| one.matches(position.board()));
        }
        if !select.material.is_empty() && !facts.materially {
            let holds = match changed {
                true => select.material.iter().any(|one| one.matches(position.board())),
                false => facts.lasted > 0,
            };
            facts.lasted = if holds { facts.lasted + 1 } else { 0 };
            facts.materially = facts.lasted >= select.lasting.max(1);
        }
    }

    pub(super) fn played(&mut self, played: &Played<'_>) {
        if !self.criteria.asks_moves {
            return;
        }
        let select = &self.criteria.select;
        if self.depth > 0 {
            if select.in_variations {
                self.facts.lasted = 0;
                self.look_at(played.after, true);
            }
            return;
        }
        let changed = played.played.is_none_or(|m| {
            m.promotes_to().is_some()
                || m.kind() == MoveKind::EnPassant
                || played.after.board().occupied().len() != played.before.board().occupied().len()
        });
        self.look_at(played.after, changed);
        let facts = &mut self.facts;
        if !facts.lines.is_empty() && !facts.lines_done {
            let (at, lines) = (facts.plies as usize, &self.criteria.lines);
            facts.lines.retain(|&line| lines[line].get(at).copied() == played.played);
            facts.lines_done = facts.lines.iter().any(|&line| lines[line].len() == at + 1);
        }
        let promoted = played.played.and_then(Move::promotes_to);
        facts.underpromoted |= promoted.is_some_and(|role| role != Role::Queen);
        facts.plies += 1;
        if !select.ends.is_empty() {
            facts.fifty |= played.after.halfmove_clock() >= 100;
            if select.ends.contains(&End::Repetition) && !facts.repeated {
                if played.after.halfmove_clock() == 0 {
                    facts.keys.clear();
                } else if facts.keys.is_empty() {
                    facts.keys.push(played.before.repetition_key());
                }
                let key = played.after.repetition_key();
                facts.keys.push(key);
                facts.repeated = facts.keys.iter().filter(|&&known| known == key).count() >= 3;
            }
            let after = played.after;
            let may_end = after.is_check()
                || select.ends.iter().any(|end| matches!(end, End::Stalemate | End::Material));
            facts.last = match may_end {
                true if after.is_check() => after.is_checkmate().then_some(End::Checkmate),
                true if after.is_stalemate() => Some(End::Stalemate),
                true if after.is_insufficient_material() => Some(End::Material),
                _ => None,
            };
        }
    }

    pub(super) fn begin_variation(&mut self) -> Interest {
        self.depth += 1;
        Interest::Read
    }

    pub(super) fn end_variation(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    pub(super) fn end_game(&mut self, result: Option<GameResult>) {
        let known = result.filter(|&result| result != GameResult::Unknown);
        self.facts.result = known.or(self.facts.tagged).unwrap_or_default();
    }

    /// Whether the game that has just ended is wanted.
    pub(super) fn wants(&self) -> bool {
        let (s, f) = (&self.criteria.select, &self.facts);
        let all = f.tags_granted
            && (s.result.is_empty() || s.result.contains(&f.result))
            && s.plies.as_ref().is_none_or(|plies| plies.contains(&f.plies))
            && (s.fen.is_empty() || f.reached)
            && (s.pattern.is_empty() || f.patterned)
            && (s.material.is_empty() || f.materially)
            && (s.line.is_empty() || f.lines_done)
            && (!s.underpromotion || f.underpromoted)
            && (s.ends.is_empty()
                || s.ends.iter().any(|end| match end {
                    End::Repetition => f.repeated,
                    End::Fifty => f.fifty,
                    end => f.last == Some(*end),
                }));
        all != s.not
    }
}

/// The value of a tag as it is compared, in the place of an older one.
fn folded_value<'t>(tag: RawTag<'_>, folded: &'t mut String) -> &'t str {
    fold_into(&tag.value(), folded);
    folded
}
