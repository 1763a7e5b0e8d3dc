//! Reads sentences back and checks every fact in them, with the slow and plain rules of `tabiya-chess`'s tests. Nothing is
//! shared with the crate but its sentences.

use tabiya_chess::{Color, Piece, Role, Square};

use crate::reference::{PlainMove, Reference};

/// What sentences are about: the position, and the bad move.
pub(crate) struct Checker {
    before: Reference,
    after: Reference,
    /// Where the last moves that were mentioned have led.
    last: Option<Path>,
}

/// Some moves from one of both.
#[derive(Clone)]
struct Path {
    /// Before the last of the moves, and after it.
    earlier: Reference,
    now: Reference,
    last: PlainMove,
    /// Who has castled on the way.
    castled: Vec<Color>,
}

type Checked<T> = Result<T, String>;

fn wrong<T>(text: &str) -> Checked<T> {
    Err(format!("false or not understood: {text}"))
}

fn ensure(holds: bool, text: &str) -> Checked<()> {
    if holds { Ok(()) } else { wrong(text) }
}

fn opponent(color: Color) -> Color {
    if color == Color::White { Color::Black } else { Color::White }
}

fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

impl Checker {
    pub(crate) fn new(fen: &str, played: &str) -> Checker {
        let before = Reference::read(fen);
        let m = before.legal_moves().into_iter().find(|&m| uci(&before, m) == played);
        let after = before.play(m.unwrap_or_else(|| panic!("{fen}: {played}")));
        Checker { before, after, last: None }
    }

    /// Checks a reason; gives the number of its sentences.
    pub(crate) fn check(&mut self, text: &str) -> Checked<usize> {
        self.last = None;
        let text = text.strip_suffix('.').ok_or("no full stop")?;
        let sentences: Vec<&str> = text.split(". ").collect();
        for sentence in &sentences {
            self.sentence(sentence)?;
        }
        Ok(sentences.len())
    }

    fn sentence(&mut self, text: &str) -> Checked<()> {
        let start = text.strip_prefix("After ").unwrap_or(text);
        let claim = match start.starts_with(|letter: char| letter.is_ascii_digit()) {
            true => {
                let (path, claim) = self.path(start)?;
                self.last = Some(path);
                claim
            }
            false => text,
        };
        let path = self.last.clone().ok_or_else(|| format!("about what? {text}"))?;
        self.claim(&path, claim.trim_start_matches([',', ' ']))
            .map_err(|e| format!("{e} in: {text}"))
    }

    /// Plays the moves with which a text begins; gives what follows.
    fn path<'a>(&self, text: &'a str) -> Checked<(Path, &'a str)> {
        let (number, first) = numbered(text.split(' ').next().unwrap_or_default());
        let starts = |position: &&Reference| {
            Some((position.fullmove_number, position.turn))
                == number.zip(Some(first)).map(|(number, first)| {
                    (number, if first.starts_with("..") { Color::Black } else { Color::White })
                })
        };
        let start = [&self.before, &self.after].into_iter().find(starts);
        let mut now = start.ok_or_else(|| format!("no such move number: {text}"))?.clone();
        let (mut rest, mut path) = (text, None);
        let mut castled = Vec::new();
        loop {
            let (word, next) = rest.split_once(' ').unwrap_or((rest, ""));
            let (number, san) = numbered(word);
            let san = san.trim_start_matches('.');
            let Some(m) = san_move(&now, san.trim_end_matches(',')) else { break };
            if number.is_some_and(|number| number != now.fullmove_number) {
                return wrong(text);
            }
            if m.3.is_some() {
                castled.push(now.turn);
            }
            let later = now.play(m);
            path =
                Some(Path { earlier: now, now: later.clone(), last: m, castled: castled.clone() });
            now = later;
            rest = next;
            if word.ends_with(',') {
                break;
            }
        }
        path.map(|path| (path, rest)).ok_or_else(|| format!("no moves: {text}"))
    }

    fn claim(&self, path: &Path, text: &str) -> Checked<()> {
        let Path { earlier, now, last, castled } = path;
        let (side, other) = (earlier.turn, now.turn);
        let moved = if last.3.is_none() { Some(last.1) } else { None };
        let attacks = |position: &Reference, from: Square, target: Square| {
            let color = position.piece_at(from).map(|piece| piece.color);
            color.is_some_and(|color| position.attackers(target, color).contains(&from))
        };
        let by_moved = |target: Square| moved.is_some_and(|from| attacks(now, from, target));
        if text == "is mate" {
            return ensure(is_mate(now), text);
        }
        if text == "is stalemate" {
            return ensure(now.legal_moves().is_empty() && !now.in_check(other), text);
        }
        if let Some(moves) = text.strip_prefix("forces mate in ") {
            let moves: u32 = moves.parse().map_err(|_| "number")?;
            return ensure(is_lost(now, moves - 1) && !is_lost(now, moves.saturating_sub(2)), text);
        }
        if let Some(san) = text.strip_prefix("threatens mate with ") {
            ensure(!now.in_check(other), text)?;
            let mut passed = now.clone();
            passed.turn = side;
            passed.ep_square = None;
            let m = san_move(&passed, san).ok_or("no such move")?;
            return ensure(is_mate(&passed.play(m)), text);
        }
        if let Some(what) = text.strip_prefix("attacks ") {
            if let Some(what) = what.strip_suffix(", which nobody defends") {
                let (square, piece) = man(now, what)?;
                let lone = now.attackers(square, piece.color).is_empty();
                return ensure(piece.color == other && by_moved(square) && lone, text);
            }
            if let Some((front, behind)) =
                what.strip_suffix(" behind it").and_then(|what| what.split_once(", with "))
            {
                let (front, behind) = (man(now, front)?, man(now, behind)?);
                let through = is_behind(now, moved.ok_or("castling")?, front.0, behind.0);
                return ensure(front.1.color == other && behind.1.color == other && through, text);
            }
            let what = what.strip_prefix("both ").unwrap_or(what);
            for one in what.replace(" and ", ", ").split(", ") {
                let (square, piece) = man(now, one)?;
                ensure(piece.color == other && by_moved(square), text)?;
            }
            return Ok(());
        }
        if let Some((slider, target)) =
            text.strip_prefix("opens the line from ").and_then(|text| text.split_once(" to "))
        {
            let (slider, target) = (man(now, slider)?, man(now, target)?);
            let sides = slider.1.color == side && target.1.color == other;
            let opened = attacks(now, slider.0, target.0) && !attacks(earlier, slider.0, target.0);
            let between = squares_between(slider.0, target.0).contains(&last.0);
            return ensure(sides && opened && between && Some(slider.0) != moved, text);
        }
        if let Some((pinned, behind)) =
            text.strip_prefix("pins ").and_then(|text| text.split_once(" to "))
        {
            let (pinned, behind) = (man(now, pinned)?, man(now, behind)?);
            let sides = pinned.1.color == other && behind.1.color == other;
            let more = behind.1.role == Role::King || value(behind.1.role) > value(pinned.1.role);
            let through = is_behind(now, moved.ok_or("castling")?, pinned.0, behind.0);
            return ensure(sides && more && through, text);
        }
        if let Some(what) = text.strip_prefix("takes ") {
            if let Some(what) = what.strip_suffix(", which nobody defends") {
                let (square, piece) = man(earlier, what)?;
                let gone = now.piece_at(square) != Some(piece);
                let lone = earlier.attackers(square, piece.color).is_empty();
                let safe = !now.legal_moves().iter().any(|m| m.1 == last.1 && m.3.is_none());
                return ensure(piece.color == other && gone && lone && safe, text);
            }
            let (gone, by) = what.split_once(" out of the attack of ").ok_or("takes what?")?;
            let (gone, by) = (man(earlier, gone)?, man(earlier, by)?);
            let was =
                gone.0 == last.0 && by.1.color != gone.1.color && attacks(earlier, by.0, gone.0);
            let is = now.piece_at(by.0) == Some(by.1) && attacks(now, by.0, last.1);
            return ensure(was && !is, text);
        }
        if let Some(what) = text.strip_prefix("defends ") {
            let (square, piece) = man(now, what)?;
            let same = earlier.piece_at(square) == Some(piece) && piece.color == side;
            return ensure(same && by_moved(square) && !attacks(earlier, last.0, square), text);
        }
        if let Some(square) = text.strip_prefix("guards ") {
            let square = square_named(square)?;
            return ensure(by_moved(square) && !attacks(earlier, last.0, square), text);
        }
        if let Some(mate) = text.strip_prefix("stops ") {
            let (mate, rest) = self.path(mate)?;
            let still = now.legal_moves().contains(&mate.last) && is_mate(&now.play(mate.last));
            return ensure(rest.is_empty() && is_mate(&mate.now) && !still, text);
        }
        if let Some(role) = text.strip_prefix("makes a new ") {
            return ensure(last.2 == Some(role_named(role)?), text);
        }
        let lower = text.replacen("Whatever", "whatever", 1);
        if let Some(rest) = lower.strip_prefix("whatever ") {
            let (who, what) = rest.split_once(" answers, it loses at least ").ok_or("what?")?;
            let least = match what {
                "a queen" => 9,
                "a rook" => 5,
                "a piece" => 3,
                "the exchange" => 2,
                "a pawn" => 1,
                _ => return wrong(text),
            };
            let before = balance(&self.before, side);
            return ensure(color(who)? == other && loses(now, before + least), text);
        }
        if let Some((who, what)) = text.split_once(" has lost ") {
            let who = color(who)?;
            let (lost, for_) = what.split_once(" for ").unwrap_or((what, ""));
            let gone = |color: Color, role: Role| {
                let count = |position: &Reference| {
                    let piece = Some(Piece { color, role });
                    Square::ALL.into_iter().filter(|&s| position.piece_at(s) == piece).count()
                        as i32
                };
                count(&self.before) - count(now)
            };
            for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                let net = gone(who, role) - gone(opponent(who), role);
                ensure(counted(lost, role)? == net.max(0), text)?;
                ensure(counted(for_, role)? == (-net).max(0), text)?;
            }
            let all = |text| -> Checked<i32> {
                let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
                roles.iter().try_fold(0, |sum, &role| Ok(sum + value(role) * counted(text, role)?))
            };
            return ensure(all(lost)? > all(for_)?, text);
        }
        if let Some(who) = text.strip_suffix(" can no longer castle") {
            let who = color(who)?;
            let may = |position: &Reference| {
                let own = |&rook: &Square| {
                    position.piece_at(rook) == Some(Piece { color: who, role: Role::Rook })
                };
                position.castling.iter().any(own)
            };
            return ensure(may(&self.before) && !may(now) && !castled.contains(&who), text);
        }
        if let Some(pawn) = text.strip_suffix(" is a passed pawn") {
            let (square, piece) = man(now, pawn)?;
            return ensure(piece.role == Role::Pawn && is_passed(now, square, piece.color), text);
        }
        if let Some(trapped) = text.strip_suffix(" has no safe move") {
            let (square, piece) = man(now, trapped)?;
            let moves: Vec<PlainMove> =
                now.legal_moves().into_iter().filter(|m| m.0 == square).collect();
            let lost = |&m: &PlainMove| {
                let gained = now.piece_at(m.1).map_or(0, |taken| value(taken.role));
                gained < value(piece.role) && hangs(&now.play(m), m.1)
            };
            let all = !moves.is_empty() && moves.iter().all(lost);
            return ensure(piece.color == other && hangs(now, square) && all, text);
        }
        if let Some((pinned, rest)) = text.split_once(" cannot take on ") {
            let (square, by) = rest.split_once(", pinned by ").ok_or("by what?")?;
            let (pinned, by) = (man(now, pinned)?, man(now, by)?);
            let square = square_named(square)?;
            let would = attacks(now, pinned.0, square);
            let may = now.legal_moves().iter().any(|m| (m.0, m.1) == (pinned.0, square));
            let shields = is_behind(now, by.0, pinned.0, now.king(pinned.1.color));
            let sides = pinned.1.color == other && by.1.color == side;
            return ensure(sides && would && !may && shields, text);
        }
        if let Some((mover, what)) = text.split_once(" no longer defends ") {
            let (mover, target) = (man(now, mover)?, man(now, what)?);
            let same =
                earlier.piece_at(target.0) == Some(target.1) && target.1.color == mover.1.color;
            let did = attacks(earlier, last.0, target.0);
            return ensure(
                moved == Some(mover.0) && same && did && !attacks(now, mover.0, target.0),
                text,
            );
        }
        if let Some((mover, square)) = text.split_once(" no longer guards ") {
            let (mover, square) = (man(now, mover)?, square_named(square)?);
            let did = attacks(earlier, last.0, square);
            return ensure(moved == Some(mover.0) && did && !attacks(now, mover.0, square), text);
        }
        if let Some((target, by)) = text.split_once(" is attacked by ") {
            let (target, by) = (man(now, target)?, man(now, by)?);
            let cheaper = by.1.role != Role::King && value(by.1.role) < value(target.1.role);
            let sides = target.1.color != by.1.color;
            return ensure(sides && cheaper && attacks(now, by.0, target.0), text);
        }
        if let Some((target, counts)) = text.split_once(" is attacked ") {
            let (attacked, defended) = counts.split_once(" and defended ").ok_or("how often?")?;
            let (square, piece) = man(now, target)?;
            let attackers = now.attackers(square, opponent(piece.color)).len();
            let defenders = now.attackers(square, piece.color).len();
            let counts = attackers == times(attacked)? && defenders == times(defended)?;
            return ensure(counts && attackers > defenders, text);
        }
        wrong(text)
    }
}

/// "14.Nd4" and "14...Nd4" with their numbers, "Nd4" without.
fn numbered(word: &str) -> (Option<u16>, &str) {
    match word.split_once('.') {
        Some((number, san)) => (number.parse().ok(), san),
        None => (None, word),
    }
}

fn letter(role: Role) -> &'static str {
    match role {
        Role::Pawn => "",
        Role::Knight => "N",
        Role::Bishop => "B",
        Role::Rook => "R",
        Role::Queen => "Q",
        Role::King => "K",
    }
}

/// The one legal move that is written so.
fn san_move(position: &Reference, san: &str) -> Option<PlainMove> {
    let bare = san.trim_end_matches(['+', '#']);
    let fits = |&(from, to, becomes, rook): &PlainMove| {
        if let Some(rook) = rook {
            let long = (rook as u8) % 8 < (from as u8) % 8;
            return bare == if long { "O-O-O" } else { "O-O" };
        }
        let Some(piece) = position.piece_at(from) else { return false };
        let promoted = becomes.map_or(String::new(), |role| format!("={}", letter(role)));
        let Some(rest) = bare.strip_suffix(&format!("{to}{promoted}")) else { return false };
        let Some(rest) = rest.strip_prefix(letter(piece.role)) else { return false };
        let (rest, takes) = rest.strip_suffix('x').map_or((rest, false), |rest| (rest, true));
        let captures = position.piece_at(to).is_some()
            || piece.role == Role::Pawn && (from as u8) % 8 != (to as u8) % 8;
        let name = from.to_string();
        takes == captures && (rest.is_empty() || name.starts_with(rest) || name.ends_with(rest))
    };
    let mut found = position.legal_moves().into_iter().filter(fits);
    let only = found.next();
    if found.next().is_some() { None } else { only }
}

fn uci(position: &Reference, (from, to, becomes, rook): PlainMove) -> String {
    let _ = position;
    let becomes = becomes.map_or(String::new(), |role| letter(role).to_lowercase());
    let _ = rook;
    format!("{from}{to}{becomes}")
}

fn color(text: &str) -> Checked<Color> {
    match text {
        "White" => Ok(Color::White),
        "Black" => Ok(Color::Black),
        _ => wrong(text),
    }
}

fn role_named(text: &str) -> Checked<Role> {
    match text.strip_suffix('s').unwrap_or(text) {
        "pawn" => Ok(Role::Pawn),
        "knight" => Ok(Role::Knight),
        "bishop" => Ok(Role::Bishop),
        "rook" => Ok(Role::Rook),
        "queen" => Ok(Role::Queen),
        "king" => Ok(Role::King),
        _ => wrong(text),
    }
}

fn square_named(text: &str) -> Checked<Square> {
    let found = Square::ALL.into_iter().find(|square| square.to_string() == text);
    found.ok_or_else(|| format!("no square: {text}"))
}

/// "White's queen on c7", which has to stand there.
fn man(position: &Reference, text: &str) -> Checked<(Square, Piece)> {
    let (owner, rest) = text.split_once("'s ").ok_or_else(|| format!("no piece: {text}"))?;
    let (role, square) = rest.split_once(" on ").ok_or_else(|| format!("no piece: {text}"))?;
    let piece = Piece { color: color(owner)?, role: role_named(role)? };
    let square = square_named(square)?;
    ensure(position.piece_at(square) == Some(piece), text)?;
    Ok((square, piece))
}

fn times(text: &str) -> Checked<usize> {
    match text {
        "once" => Ok(1),
        "twice" => Ok(2),
        _ => text.strip_suffix(" times").and_then(|n| n.parse().ok()).ok_or("how often?".into()),
    }
}

/// How many of a role are in "a rook and two pawns".
fn counted(text: &str, role: Role) -> Checked<i32> {
    let mut count = 0;
    for part in text.replace(" and ", ", ").split(", ").filter(|part| !part.is_empty()) {
        let (number, name) = part.split_once(' ').ok_or("how many?")?;
        if role_named(name)? == role {
            count += match number {
                "a" => 1,
                "two" => 2,
                "three" => 3,
                more => more.parse().map_err(|_| format!("how many? {part}"))?,
            };
        }
    }
    Ok(count)
}

fn coordinates(square: Square) -> (i8, i8) {
    (square as i8 % 8, square as i8 / 8)
}

/// The squares between two on a line; none if they are on none.
fn squares_between(a: Square, b: Square) -> Vec<Square> {
    let ((af, ar), (bf, br)) = (coordinates(a), coordinates(b));
    let (df, dr) = (bf - af, br - ar);
    if df != 0 && dr != 0 && df.abs() != dr.abs() {
        return Vec::new();
    }
    let count = df.abs().max(dr.abs());
    let at = |i: i8| Square::ALL[(8 * (ar + i * dr.signum()) + af + i * df.signum()) as usize];
    (1..count).map(at).collect()
}

/// Whether a sliding piece looks through one to another behind it.
fn is_behind(position: &Reference, slider: Square, front: Square, behind: Square) -> bool {
    let between = squares_between(slider, behind);
    let straight = coordinates(slider).0 == coordinates(behind).0
        || coordinates(slider).1 == coordinates(behind).1;
    let slides = match position.piece_at(slider).map(|piece| piece.role) {
        Some(Role::Queen) => true,
        Some(Role::Rook) => straight,
        Some(Role::Bishop) => !straight,
        _ => false,
    };
    let free = |&square: &Square| square == front || position.piece_at(square).is_none();
    slides && between.contains(&front) && between.iter().all(free)
}

fn is_mate(position: &Reference) -> bool {
    position.in_check(position.turn) && position.legal_moves().is_empty()
}

/// Whether the side to move is mated by so many more moves of the other one at the latest.
fn is_lost(position: &Reference, moves: u32) -> bool {
    let replies = position.legal_moves();
    if replies.is_empty() {
        return position.in_check(position.turn);
    }
    moves > 0
        && replies.iter().all(|&reply| {
            let after = position.play(reply);
            let mut mates = after.legal_moves();
            mates.sort_by_key(|&m| !after.play(m).in_check(position.turn));
            mates.iter().any(|&m| is_lost(&after.play(m), moves - 1))
        })
}

fn balance(position: &Reference, color: Color) -> i32 {
    let pieces = Square::ALL.into_iter().filter_map(|square| position.piece_at(square));
    pieces.map(|p| if p.color == color { value(p.role) } else { -value(p.role) }).sum()
}

/// Whether the side to move can have more than `most` in the end, if both only take, promote and answer checks.
fn gets_more(position: &Reference, most: i32) -> bool {
    let checked = position.in_check(position.turn);
    if !checked && balance(position, position.turn) > most {
        return true;
    }
    let mut moves = position.legal_moves();
    moves.sort_by_key(|m| -position.piece_at(m.1).map_or(0, |taken| value(taken.role)));
    moves.into_iter().any(|m| {
        let passant = position.ep_square == Some(m.1)
            && position.piece_at(m.0).is_some_and(|piece| piece.role == Role::Pawn);
        let takes = position.piece_at(m.1).is_some() && m.3.is_none() || passant;
        (checked || takes || m.2.is_some()) && !holds(&position.play(m), -most)
    })
}

/// Whether the side to move can have at least `least` in the end.
fn holds(position: &Reference, least: i32) -> bool {
    gets_more(position, least - 1)
}

/// Whether the other side has so much more after every answer and one move of its own.
fn loses(position: &Reference, more: i32) -> bool {
    let replies = position.legal_moves();
    !replies.is_empty()
        && replies.into_iter().all(|reply| {
            let after = position.play(reply);
            let mut moves = after.legal_moves();
            // What takes most is tried first, which is quicker and changes nothing.
            moves.sort_by_key(|m| -after.piece_at(m.1).map_or(0, |taken| value(taken.role)));
            moves.into_iter().any(|m| !gets_more(&after.play(m), -more))
        })
}

fn hangs(position: &Reference, square: Square) -> bool {
    let Some(piece) = position.piece_at(square) else { return false };
    let lone = position.attackers(square, piece.color).is_empty();
    position.attackers(square, opponent(piece.color)).into_iter().any(|from| {
        let by = position.piece_at(from).map_or(Role::King, |piece| piece.role);
        lone || by != Role::King && value(by) < value(piece.role)
    })
}

fn is_passed(position: &Reference, square: Square, color: Color) -> bool {
    let (file, rank) = coordinates(square);
    let enemy = Some(Piece { color: opponent(color), role: Role::Pawn });
    !Square::ALL.into_iter().any(|other| {
        let (f, r) = coordinates(other);
        let ahead = if color == Color::White { r > rank } else { r < rank };
        ahead && (f - file).abs() <= 1 && position.piece_at(other) == enemy
    })
}
