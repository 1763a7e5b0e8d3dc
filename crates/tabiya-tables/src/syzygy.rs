//! A reader of Syzygy's tables, of up to seven men, and a writer of them from tables of our own.
//!
//! Files are looked at only where a position asks for them. Whatever is in them, nothing but an answer or an error comes of it.

mod numbering;
mod pack;
mod pairs;
mod table;
mod write;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tabiya_chess::{Move, MoveKind, Position, Role};

use self::table::{Found, Kind, SyzygyTable};
pub use self::write::write_syzygy;
use crate::contents::Contents;
use crate::value::{CLOCK, Fate};
use crate::{Material, TableError};

/// A file that is opened when it is needed.
struct Lazy {
    path: PathBuf,
    opened: OnceLock<Result<SyzygyTable, &'static str>>,
}

/// What a file is about by its name: `KQvKR.rtbw`.
fn named(path: &Path) -> Option<(Material, Kind)> {
    let ending = path.extension()?;
    let material: Material = path.file_stem()?.to_str()?.parse().ok()?;
    let kind = [Kind::Results, Kind::Zeroing].into_iter().find(|kind| ending == kind.ending())?;
    (3..=numbering::MOST).contains(&material.men()).then_some((material, kind))
}

fn unnamed(path: &Path) -> TableError {
    TableError::damaged(path)("it is not named as Syzygy's tables are")
}

/// One file of Syzygy's, and what it says by itself. Where a capture is best it may say anything: [`crate::Tables`] plays captures,
/// this does not.
pub struct SyzygyFile {
    path: PathBuf,
    material: Material,
    kind: Kind,
    table: SyzygyTable,
}

impl SyzygyFile {
    /// Opens a file that is named as Syzygy's are.
    ///
    /// ```
    /// use tabiya_tables::SyzygyFile;
    ///
    /// let error = SyzygyFile::open("notes.txt".as_ref()).err().unwrap();
    /// assert_eq!(error.to_string(), "notes.txt: this file is damaged: it is not named as Syzygy's tables are");
    /// ```
    pub fn open(path: &Path) -> Result<SyzygyFile, TableError> {
        let (material, kind) = named(path).ok_or_else(|| unnamed(path))?;
        let table = SyzygyTable::new(Contents::of_file(path)?, material, kind);
        let table = table.map_err(TableError::damaged(path))?;
        Ok(SyzygyFile { path: path.to_owned(), material, kind, table })
    }

    /// Whether the men of a position are those of the file, and if so whether White's are those of the second side.
    fn swapped(&self, position: &Position, kind: Kind) -> Result<bool, TableError> {
        let (material, swapped) = Material::of(position.board()).ok_or(TableError::Inconsistent)?;
        if material != self.material || kind != self.kind {
            return Err(TableError::Missing(material));
        }
        Ok(swapped)
    }

    /// The result that a file of results has.
    pub fn fate(&self, position: &Position) -> Result<Fate, TableError> {
        let swapped = self.swapped(position, Kind::Results)?;
        self.table.fate(position, swapped).map_err(TableError::damaged(&*self.path))
    }

    /// Plies before the one that zeroes, in a position with a result; none where the file is about the other side to move.
    pub fn zeroing(&self, position: &Position, fate: Fate) -> Result<Option<i32>, TableError> {
        let swapped = self.swapped(position, Kind::Zeroing)?;
        match self.table.zeroing(position, swapped, fate) {
            Ok(Found::Value(plies)) => Ok(Some(plies - 1)),
            Ok(Found::OtherSide) => Ok(None),
            Err(what) => Err(TableError::damaged(&*self.path)(what)),
        }
    }
}

/// The Syzygy tables of some folders.
#[derive(Default)]
pub(crate) struct Syzygy {
    results: HashMap<Material, Lazy>,
    zeroing: HashMap<Material, Lazy>,
    most_men: usize,
}

impl Syzygy {
    /// Notes a file if it is one of Syzygy's by name; says whether it is.
    pub(crate) fn add(&mut self, path: &Path) -> bool {
        let Some((material, kind)) = named(path) else { return false };
        let lazy = Lazy { path: path.to_owned(), opened: OnceLock::new() };
        self.most_men = self.most_men.max(material.men());
        self.of(kind).entry(material).or_insert(lazy);
        true
    }

    fn of(&mut self, kind: Kind) -> &mut HashMap<Material, Lazy> {
        match kind {
            Kind::Results => &mut self.results,
            Kind::Zeroing => &mut self.zeroing,
        }
    }

    /// Adds the bytes of a file, named `KQvK.rtbw` or the like.
    pub(crate) fn add_bytes(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), TableError> {
        let path = Path::new(name);
        self.add(path);
        let (material, kind) = named(path).ok_or_else(|| unnamed(path))?;
        let lazy = self.of(kind).get(&material).ok_or_else(|| unnamed(path))?;
        let table = SyzygyTable::new(Contents::Held(bytes), material, kind);
        let table = table.map_err(TableError::damaged(path))?;
        let _ = lazy.opened.set(Ok(table));
        Ok(())
    }

    pub(crate) fn most_men(&self) -> usize {
        self.most_men
    }

    /// The endings of which there are results, and whether there are distances as well.
    pub(crate) fn all(&self) -> Vec<(Material, bool)> {
        let mut all: Vec<(Material, bool)> =
            self.results.keys().map(|&m| (m, self.zeroing.contains_key(&m))).collect();
        all.sort_by_key(|(material, _)| (material.men(), material.to_string()));
        all
    }

    fn table(&self, material: Material, kind: Kind) -> Result<(&SyzygyTable, &Path), TableError> {
        let tables = match kind {
            Kind::Results => &self.results,
            Kind::Zeroing => &self.zeroing,
        };
        let lazy = tables.get(&material).ok_or(TableError::Missing(material))?;
        let opened = lazy.opened.get_or_init(|| {
            let contents = Contents::of_file(&lazy.path).map_err(|_| "it cannot be read")?;
            SyzygyTable::new(contents, material, kind)
        });
        match opened {
            Ok(table) => Ok((table, &lazy.path)),
            Err(what) => Err(TableError::damaged(&*lazy.path)(what)),
        }
    }

    /// How the game ends, if captures and pawn moves are counted from now on.
    pub(crate) fn fate(&self, position: &Position) -> Result<Fate, TableError> {
        Ok(self.search(position, false)?.0)
    }

    /// The table's word on the result. Captures are played: tables may say anything where one of them is best.
    ///
    /// `pawns`: pawn moves are played as well. Gives the result, and whether a move that was played has it.
    fn search(&self, position: &Position, pawns: bool) -> Result<(Fate, bool), TableError> {
        let moves = position.legal_moves();
        let mut best: Option<Fate> = None;
        let mut played = 0;
        for &m in &moves {
            if !(is_capture(position, m) || pawns && is_pawn_move(position, m)) {
                continue;
            }
            played += 1;
            let fate = -self.search(&after(position, m), false)?.0;
            best = best.max(Some(fate));
            if fate == Fate::Win {
                return Ok((fate, true));
            }
        }
        let no_others = played > 0 && played == moves.len();
        let value = match best {
            Some(best) if no_others => best,
            _ => self.result(position)?,
        };
        Ok(match best {
            Some(best) if best >= value => (best, best > Fate::Draw || no_others),
            _ => (value, false),
        })
    }

    fn result(&self, position: &Position) -> Result<Fate, TableError> {
        let (material, swapped) = Material::of(position.board()).ok_or(TableError::Inconsistent)?;
        if material.men() < 3 {
            return Ok(Fate::Draw);
        }
        let (table, path) = self.table(material, Kind::Results)?;
        table.fate(position, swapped).map_err(TableError::damaged(path))
    }

    /// Plies to a capture, a pawn move or mate, the winner keeping the result; it may be one more, as some tables count moves.
    /// Negative for a loss, beyond 100 where the fifty-move rule makes it a draw, 0 for a draw.
    pub(crate) fn zeroing(&self, position: &Position) -> Result<i32, TableError> {
        self.zeroing_within(position, true)
    }

    /// `may_look`: the position may be one with the side to move that its table leaves out.
    fn zeroing_within(&self, position: &Position, may_look: bool) -> Result<i32, TableError> {
        let (fate, by_move) = self.search(position, true)?;
        if fate == Fate::Draw {
            return Ok(0);
        }
        if by_move {
            return Ok(before_zeroing(fate));
        }
        let (material, swapped) = Material::of(position.board()).ok_or(TableError::Inconsistent)?;
        let (table, path) = self.table(material, Kind::Zeroing)?;
        let sign = fate.number().signum();
        match table.zeroing(position, swapped, fate).map_err(TableError::damaged(path))? {
            Found::Value(plies) if fate.is_draw_by_rule() => Ok(sign * (plies + i32::from(CLOCK))),
            Found::Value(plies) => Ok(sign * plies),
            Found::OtherSide if !may_look => {
                Err(TableError::damaged(path)("its sides are mixed up"))
            }
            Found::OtherSide => self.zeroing_by_moves(position, sign),
        }
    }

    fn zeroing_by_moves(&self, position: &Position, sign: i32) -> Result<i32, TableError> {
        let mut best: Option<i32> = None;
        for &m in &position.legal_moves() {
            let next = after(position, m);
            let is_zeroing = is_capture(position, m) || is_pawn_move(position, m);
            let plies = if is_zeroing {
                -before_zeroing(self.search(&next, false)?.0)
            } else if next.is_checkmate() {
                1
            } else {
                let plies = -self.zeroing_within(&next, false)?;
                plies + plies.signum()
            };
            if plies.signum() == sign {
                best = Some(best.map_or(plies, |best| best.min(plies)));
            }
        }
        // No move: mated.
        Ok(best.unwrap_or(-1))
    }
}

/// Plies before a capture or a pawn move that has a result.
fn before_zeroing(fate: Fate) -> i32 {
    match fate {
        Fate::Win => 1,
        Fate::CursedWin => 101,
        Fate::Draw => 0,
        Fate::BlessedLoss => -101,
        Fate::Loss => -1,
    }
}

fn after(position: &Position, m: Move) -> Position {
    let mut next = *position;
    next.play_unchecked(m);
    next
}

fn is_capture(position: &Position, m: Move) -> bool {
    m.kind() == MoveKind::EnPassant || position.piece_at(m.to()).is_some()
}

fn is_pawn_move(position: &Position, m: Move) -> bool {
    position.piece_at(m.from()).is_some_and(|piece| piece.role == Role::Pawn)
}
