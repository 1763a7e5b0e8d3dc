//! All tables that are at hand, and what they say of a position.

use std::fmt;
use std::path::{Path, PathBuf};

use tabiya_chess::{Color, Move, MoveKind, Position, Setup, Square};

use crate::contents::Contents;
use crate::file::{Counts, ENDING, Part, TableFile};
use crate::hashing::NumberMap;
use crate::layout::{MOST_MEN, Squares};
use crate::syzygy::Syzygy;
use crate::value::{CLOCK, Fate, Metric, Value};
use crate::{Material, TableError};

/// The tables of three men, as `tabiya tables make 3` makes them.
const THREE_MEN: [(&str, &[u8]); 5] = [
    ("KPvK", include_bytes!("../three-men/KPvK.tabiya-table")),
    ("KNvK", include_bytes!("../three-men/KNvK.tabiya-table")),
    ("KBvK", include_bytes!("../three-men/KBvK.tabiya-table")),
    ("KRvK", include_bytes!("../three-men/KRvK.tabiya-table")),
    ("KQvK", include_bytes!("../three-men/KQvK.tabiya-table")),
];

/// What tables know of a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry {
    /// How the game ends, if the moves without capture and pawn move are counted from now on.
    pub fate: Fate,
    /// Plies to mate, if it comes to that and the tables tell (Syzygy's do not).
    pub mate: Option<u16>,
    /// Plies to a capture, a pawn move or mate, when the winner hurries there and gives nothing away; more than 100 of them if the
    /// fifty-move rule makes it a draw.
    pub zeroing: Option<u16>,
}

impl TableEntry {
    fn new([mate, zeroing]: [Value; 2]) -> TableEntry {
        let plies = |value: Value| match value {
            Value::Draw => None,
            Value::Win(plies) | Value::Loss(plies) => Some(plies.into()),
        };
        TableEntry { fate: Fate::of(zeroing), mate: plies(mate), zeroing: plies(zeroing) }
    }

    /// How the game ends if so many plies without capture and pawn move have been played.
    ///
    /// ```
    /// use tabiya_tables::{Fate, TableEntry};
    ///
    /// let entry = TableEntry { fate: Fate::Win, mate: Some(31), zeroing: Some(31) };
    /// assert_eq!(entry.fate_at(60), Fate::Win);
    /// assert_eq!(entry.fate_at(70), Fate::CursedWin);
    /// ```
    pub fn fate_at(&self, clock: u16) -> Fate {
        // A mate that comes in time needs no capture before it.
        let needed = match (self.mate, self.zeroing) {
            (Some(mate), Some(zeroing)) => mate.min(zeroing),
            (mate, zeroing) => zeroing.or(mate).unwrap_or(0),
        };
        // Some of Syzygy's tables count moves, so that there may be a ply more.
        let perhaps = u16::from(self.mate.is_none() && clock > 0);
        let is_late = needed.saturating_add(clock).saturating_add(perhaps) > CLOCK.into();
        match self.fate {
            Fate::Win if is_late => Fate::CursedWin,
            Fate::Loss if is_late => Fate::BlessedLoss,
            fate => fate,
        }
    }

    /// Moves to mate, negative for who is mated, as scores tell it.
    pub fn mate_in(&self) -> Option<i32> {
        let plies = i32::from(self.mate?);
        Some(if self.fate.number() > 0 { (plies + 1) / 2 } else { -(plies / 2) })
    }
}

impl fmt::Display for TableEntry {
    /// "mates in 17", "draws", "loses in 23".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cursed = match self.fate {
            Fate::CursedWin | Fate::BlessedLoss => ", but not within fifty moves",
            _ => "",
        };
        match (self.mate_in(), self.fate.number()) {
            (_, 0) | (None, _) => write!(f, "{}", self.fate),
            (Some(0), _) => f.write_str("is mated"),
            (Some(moves), 1..) => write!(f, "mates in {moves}{cursed}"),
            (Some(moves), _) => write!(f, "loses in {}{cursed}", -moves),
        }
    }
}

/// Tables in folders.
///
/// ```
/// use tabiya_tables::Tables;
///
/// let none = Tables::open(["a folder that is not there"]);
/// assert_eq!(none.most_men(), 0);
/// let error = none.probe(&tabiya_chess::Position::initial()).unwrap_err();
/// assert_eq!(error.to_string(), "castling is possible here, and tables leave it out");
/// ```
#[derive(Default)]
pub struct Tables {
    own: NumberMap<Material, TableFile>,
    syzygy: Syzygy,
    most_men: usize,
    problems: Vec<TableError>,
}

/// A table in a [`Tables`].
pub struct TableInfo<'a> {
    file: &'a TableFile,
}

impl Tables {
    /// Opens every table there is in folders. Folders that are not there are empty, and what cannot be opened is left out: see
    /// [`Tables::problems`].
    pub fn open<P: AsRef<Path>>(folders: impl IntoIterator<Item = P>) -> Tables {
        let mut tables = Tables::default();
        for folder in folders {
            tables.add_folder(folder.as_ref());
        }
        tables
    }

    fn add_folder(&mut self, folder: &Path) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        let mut paths: Vec<PathBuf> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        for path in paths {
            if let Err(error) = self.add_file(&path) {
                self.problems.push(error);
            }
        }
    }

    /// Adds a file, and says whether it is a table by its name. Syzygy's are opened only when a position asks for them.
    ///
    /// ```
    /// use tabiya_tables::Tables;
    ///
    /// let mut tables = Tables::default();
    /// assert!(!tables.add_file("notes.txt".as_ref())?);
    /// assert!(tables.add_file("KQvKR.rtbw".as_ref())?);
    /// assert_eq!(tables.most_men(), 4);
    /// # Ok::<(), tabiya_tables::TableError>(())
    /// ```
    pub fn add_file(&mut self, path: &Path) -> Result<bool, TableError> {
        if path.extension().is_none_or(|ending| ending != ENDING) {
            let is_one = self.syzygy.add(path);
            self.most_men = self.most_men.max(self.syzygy.most_men());
            return Ok(is_one);
        }
        self.add(TableFile::open(path)?);
        Ok(true)
    }

    fn add(&mut self, file: TableFile) {
        let material = file.layout.material;
        self.most_men = self.most_men.max(material.men());
        self.own.entry(material).or_insert(file);
    }

    /// Adds a table that was read elsewhere: there is no need for files. `name` is a file's, as Syzygy's do not say of themselves
    /// what they are about.
    pub fn add_bytes(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), TableError> {
        if Path::new(name).extension().is_none_or(|ending| ending != ENDING) {
            self.syzygy.add_bytes(name, bytes)?;
            self.most_men = self.most_men.max(self.syzygy.most_men());
            return Ok(());
        }
        let file = TableFile::new(Contents::Held(bytes), Path::new(name))?;
        self.add(file);
        Ok(())
    }

    /// Adds the tables of three men, which are part of the program; where there is one already, that stays.
    ///
    /// ```
    /// use tabiya_tables::Tables;
    ///
    /// let tables = Tables::default().with_three_men();
    /// let entry = tables.probe(&"8/8/8/8/8/2k5/8/K6Q w - - 0 1".parse().unwrap())?;
    /// assert_eq!(entry.to_string(), "mates in 6");
    /// # Ok::<(), tabiya_tables::TableError>(())
    /// ```
    #[must_use]
    pub fn with_three_men(mut self) -> Tables {
        for (name, bytes) in THREE_MEN {
            match TableFile::new(Contents::BuiltIn(bytes), Path::new(name)) {
                Ok(file) => self.add(file),
                Err(error) => self.problems.push(error),
            }
        }
        self
    }

    /// Files that could not be opened, and why.
    pub fn problems(&self) -> &[TableError] {
        &self.problems
    }

    /// The most men that any table has; 0 without tables.
    pub fn most_men(&self) -> usize {
        self.most_men
    }

    /// The tables of Tabiya's own, the smaller first.
    pub fn own(&self) -> Vec<TableInfo<'_>> {
        let mut all: Vec<TableInfo<'_>> =
            self.own.values().map(|file| TableInfo { file }).collect();
        all.sort_by_key(|table| (table.material().men(), table.material().to_string()));
        all
    }

    /// Syzygy's tables: the endings, and whether there are distances beside the results.
    pub fn syzygy(&self) -> Vec<(Material, bool)> {
        self.syzygy.all()
    }

    /// What is known of a position. Tables of Tabiya's own are asked first.
    pub fn probe(&self, position: &Position) -> Result<TableEntry, TableError> {
        self.check(position)?;
        match self.values(position) {
            Err(TableError::Missing(_)) => self.probe_syzygy(position),
            values => Ok(TableEntry::new(values?)),
        }
    }

    /// What Syzygy's tables know of a position, whether or not there are others.
    pub fn probe_syzygy(&self, position: &Position) -> Result<TableEntry, TableError> {
        self.check(position)?;
        let fate = self.syzygy.fate(position)?;
        let zeroing = match self.syzygy.zeroing(position) {
            Err(TableError::Missing(_)) => None,
            plies => Some(plies?.unsigned_abs() as u16).filter(|_| fate != Fate::Draw),
        };
        Ok(TableEntry { fate, mate: None, zeroing })
    }

    /// How the game ends, if captures and pawn moves are counted from now on: quicker than [`Tables::probe`].
    pub fn fate(&self, position: &Position) -> Result<Fate, TableError> {
        self.check(position)?;
        let own = match self.find(position) {
            Ok(Some(_)) if position.legal_ep_square().is_some() => {
                self.values(position).map(|[_, zeroing]| Fate::of(zeroing))
            }
            Ok(Some((file, squares, turn))) => file.fate(&squares, turn),
            Ok(None) => Ok(Fate::Draw),
            Err(error) => Err(error),
        };
        match own {
            Err(TableError::Missing(_)) => self.syzygy.fate(position),
            own => own,
        }
    }

    /// How the game ends, as [`Tables::fate`], and plies to mate where tables tell: what a search wants to know. Quicker than
    /// [`Tables::probe`], as of most positions one part of a table says both.
    pub fn fate_and_mate(&self, position: &Position) -> Result<(Fate, Option<u16>), TableError> {
        self.check(position)?;
        let own = match self.find(position) {
            Ok(Some(_)) if position.legal_ep_square().is_some() => {
                self.values(position).map(|values| {
                    let entry = TableEntry::new(values);
                    (entry.fate, entry.mate)
                })
            }
            Ok(Some((file, squares, turn))) => file.fate_and_mate(&squares, turn),
            Ok(None) => Ok((Fate::Draw, None)),
            Err(error) => Err(error),
        };
        match own {
            Err(TableError::Missing(_)) => Ok((self.syzygy.fate(position)?, None)),
            own => own,
        }
    }

    fn check(&self, position: &Position) -> Result<(), TableError> {
        if !position.castling_rights().rooks().is_empty() {
            return Err(TableError::Castling);
        }
        let men = position.board().occupied().len() as usize;
        if men > self.most_men.max(2) {
            return Err(TableError::TooManyMen { men, most: self.most_men });
        }
        Ok(())
    }

    /// The table of a position and where to look there; none for two bare kings.
    fn find(
        &self,
        position: &Position,
    ) -> Result<Option<(&TableFile, Squares, Color)>, TableError> {
        let board = position.board();
        let (material, swapped) = Material::of(board).ok_or(TableError::Inconsistent)?;
        if material.men() < 3 {
            return Ok(None);
        }
        let file = self.own.get(&material).ok_or(TableError::Missing(material))?;
        let mut squares = [Square::A1; MOST_MEN];
        let mut left = board.occupied();
        for (place, &piece) in squares.iter_mut().zip(&file.layout.pieces) {
            let there = if swapped { piece.role.of(!piece.color) } else { piece };
            let square = (board.pieces(there) & left).first().ok_or(TableError::Inconsistent)?;
            left.remove(square);
            *place = if swapped { Square::ALL[square as usize ^ 56] } else { square };
        }
        let turn = if swapped { !position.turn() } else { position.turn() };
        Ok(Some((file, squares, turn)))
    }

    /// Both distances, with en passant.
    fn values(&self, position: &Position) -> Result<[Value; 2], TableError> {
        let without = match self.find(position)? {
            None => [Value::Draw; 2],
            Some((file, squares, turn)) => file.values(&squares, turn)?,
        };
        if position.legal_ep_square().is_none() {
            return Ok(without);
        }
        let moves = position.legal_moves();
        let is_en_passant = |m: &&Move| m.kind() == MoveKind::EnPassant;
        let mut best = (!moves.iter().all(|m| is_en_passant(&m))).then_some(without);
        for m in moves.iter().filter(is_en_passant) {
            let mut next = *position;
            next.play_unchecked(*m);
            let [mate, zeroing] = self.values(&next)?;
            let [mate, zeroing] =
                [mate.before(Metric::Mate, true), zeroing.before(Metric::Zeroing, true)];
            best = Some(match best {
                None => [mate, zeroing],
                Some(best) => [best[0].better(mate), best[1].better(zeroing)],
            });
        }
        Ok(best.unwrap_or(without))
    }

    /// Every legal move and what is known of the position after it, for who makes the move; the best first.
    ///
    /// What counts is the result with the fifty-move rule and the clock as it stands, then the way to it: the shortest mate
    /// if it comes in time, else the shortest way to a capture or a pawn move. Losing, the longest.
    pub fn moves(&self, position: &Position) -> Result<Vec<(Move, TableEntry)>, TableError> {
        let mut moves = Vec::new();
        for &m in &position.legal_moves() {
            let mut next = *position;
            next.play_unchecked(m);
            let entry = self.probe(&next)?;
            let clock = next.halfmove_clock();
            let entry = TableEntry { fate: -entry.fate_at(clock), ..entry };
            let zeroing = i32::from(entry.zeroing.unwrap_or(0));
            let mate =
                entry.mate.map(i32::from).filter(|mate| mate + i32::from(clock) <= CLOCK.into());
            let (in_time, plies) = match mate {
                Some(mate) => (true, mate),
                None => (entry.mate.is_none() || entry.fate == Fate::Draw, zeroing),
            };
            // A win that is mate in time before one that only hopes for a capture.
            let wins = entry.fate.number() > 0;
            let rank = (-entry.fate.number(), wins && !in_time, if wins { plies } else { -plies });
            let before = |plies: u16| plies + 1;
            let zeroing = match clock {
                0 if entry.fate != Fate::Draw => {
                    Some(if zeroing <= CLOCK.into() { 1 } else { 101 })
                }
                _ => entry.zeroing.map(before),
            };
            moves.push((rank, m, TableEntry { mate: entry.mate.map(before), zeroing, ..entry }));
        }
        moves.sort_by_key(|(rank, m, _)| (*rank, m.bits()));
        Ok(moves.into_iter().map(|(_, m, entry)| (m, entry)).collect())
    }
}

impl TableInfo<'_> {
    /// The ending.
    pub fn material(&self) -> Material {
        self.file.layout.material
    }

    /// How large the file is.
    pub fn bytes(&self) -> usize {
        self.file.bytes()
    }

    /// How large the parts are: how games end, plies to mate, plies to a capture or a pawn move.
    pub fn bytes_of_parts(&self) -> [usize; 3] {
        Part::ALL.map(|part| self.file.bytes_of(part))
    }

    /// A position that takes the most moves to mate.
    pub fn longest(&self, turn: Color) -> Option<Position> {
        let counts = self.file.counts.get(turn as usize).filter(|counts| counts.longest > 0)?;
        let [slice, number] = counts.place;
        let place = slice.checked_mul(self.file.layout.slice_size as u64)?.checked_add(number)?;
        self.position(usize::try_from(place).ok()?, turn)
    }

    /// How many places for positions there are, with each side to move.
    pub fn places(&self) -> usize {
        self.file.layout.size()
    }

    /// The position at a place, if there is one: not where two pieces would share a square, say.
    pub fn position(&self, place: usize, turn: Color) -> Option<Position> {
        let layout = &self.file.layout;
        if place >= layout.size() {
            return None;
        }
        let number = place % layout.slice_size;
        let squares = layout.squares(place / layout.slice_size, number);
        if !layout.is_used(&squares, number) {
            return None;
        }
        let mut setup = Setup { turn, ..Setup::empty() };
        for (&square, &piece) in squares.iter().zip(&layout.pieces) {
            setup.board.put(square, piece);
        }
        setup.validate().ok()
    }

    /// What is counted for each side to move, White's first; White's alone if both have the same men.
    pub fn counts(&self) -> &[Counts] {
        &self.file.counts
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [own, syzygy] = [self.own.len(), self.syzygy.all().len()];
        write!(f, "Tables({own} tables, {syzygy} of Syzygy's, up to {} men)", self.most_men)
    }
}
