//! Openings: books made of studies, drilled move by move; where games left them, and what is missing in them. All of it
//! is the owner's.

use std::collections::{BTreeMap, HashMap};

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use serde::Deserialize;
use serde_json::{Value, json};
use tabiya_base::unix_milliseconds as now;
use tabiya_coach::{Grade, Memory};
use tabiya_db::{Database, Filter};
use tabiya_drill::{Color, Habit, Prompt, Repertoire, ShownMove, compose, holes};
use tabiya_play::{GameKind, Player};
use tabiya_store::{
    Card, CardAnswer, CardFilter, CardId, CardKind, GameFilter, GameId, NewCard, StudyId,
};

use super::{Answer, aside};
use crate::AppState;
use crate::error::ApiError;
use tabiya_api::endings::shown;
use tabiya_api::puzzles::scene;

/// So many new positions are begun in a day, unless somebody wants more.
const NEW_A_DAY: u32 = 20;
/// So many cards are read at a time.
const PIECE: u32 = 2000;
/// So many of the last games are looked at.
const GAMES: u32 = 30;
/// The longest move, name of an answer, name of a player, and line.
const LONGEST_MOVE: usize = 16;
const LONGEST_NAME: usize = 64;
const LONGEST_TEXT: usize = 200;
const MOST_MOVES: usize = 40;

fn color(text: &str) -> Result<Color, ApiError> {
    text.parse().map_err(|_| ApiError::invalid("The colours are white and black."))
}

fn name(color: Color) -> String {
    color.name().to_lowercase()
}

/// A book: the study it is read from, and whose moves are to be known.
struct Book {
    study: u64,
    color: Color,
    title: String,
    repertoire: Repertoire,
}

/// The tag of a book's cards.
fn tag(study: u64, color: Color) -> String {
    format!("study-{study}-{}", name(color))
}

fn untag(tag: &str) -> Option<(u64, Color)> {
    let (study, color) = tag.strip_prefix("study-")?.split_once('-')?;
    Some((study.parse().ok()?, color.parse().ok()?))
}

impl Book {
    /// Reads all chapters of a study. May wait for a disk.
    fn read(state: &AppState, study: u64, color: Color) -> Result<Book, ApiError> {
        let number = i64::try_from(study).map(StudyId).map_err(|_| ApiError::no_study())?;
        let book = state.0.store.load_book(number)?;
        let chapters = book.chapters.iter().map(|chapter| {
            let id = chapter.id.0.cast_unsigned();
            state.0.studies.read(&state.0.store, id, |study| Ok(study.pgn()))
        });
        let records: Vec<String> = chapters.collect::<Result<_, _>>()?;
        let repertoire = Repertoire::read(records.iter().map(String::as_str), color);
        let first = book.chapters.first().map(|chapter| chapter.title.clone());
        let title = if book.title.is_empty() { first.unwrap_or_default() } else { book.title };
        Ok(Book { study, color, title, repertoire: repertoire.map_err(ApiError::internal)? })
    }

    fn tag(&self) -> String {
        tag(self.study, self.color)
    }

    fn key(&self, prompt: &Prompt) -> String {
        format!("{} {}", name(self.color), prompt.key)
    }
}

/// All cards of openings. May wait for a disk.
fn cards(state: &AppState) -> Result<Vec<Card>, ApiError> {
    let mut all: Vec<Card> = Vec::new();
    loop {
        let after = all.last().map(|card| card.id);
        let piece = state.0.store.list_cards(CardKind::Opening, after, PIECE)?;
        let is_last = piece.len() < PIECE as usize;
        all.extend(piece);
        if is_last {
            return Ok(all);
        }
    }
}

/// The books whose cards there are, and one more if it is wanted. One whose study is gone is left out. May wait for a
/// disk.
fn books(
    state: &AppState,
    all: &[Card],
    more: Option<(u64, Color)>,
) -> Result<Vec<Book>, ApiError> {
    let live = all.iter().filter(|card| !card.aside);
    let tags = live.flat_map(|card| &card.content.tags).filter_map(|tag| untag(tag));
    let mut known: Vec<(u64, Color)> = tags.chain(more).collect();
    known.sort_unstable_by_key(|&(study, color)| (study, color as u8));
    known.dedup();
    let read =
        known.into_iter().filter_map(|(study, color)| match Book::read(state, study, color) {
            Err(error) if error.status() == StatusCode::NOT_FOUND => None,
            read => Some(read),
        });
    read.collect()
}

/// Makes the cards what the books say: what is new comes, what is no longer there is put aside, with all its answers. May
/// wait for a disk.
fn sync(state: &AppState, all: &[Card], books: &[Book]) -> Result<(), ApiError> {
    let mut wanted = BTreeMap::<String, (usize, NewCard)>::new();
    for book in books {
        for prompt in book.repertoire.prompts() {
            let key = book.key(prompt);
            let place = wanted.len();
            let (_, card) = wanted.entry(key.clone()).or_insert_with(|| {
                let payload = json!({ "fen": prompt.fen(), "line": prompt.line_text() });
                let payload = payload.to_string();
                let kind = CardKind::Opening;
                (place, NewCard { kind, key, tags: Vec::new(), payload })
            });
            card.tags.push(book.tag());
        }
    }
    let known: HashMap<&str, &Card> =
        all.iter().map(|card| (card.content.key.as_str(), card)).collect();
    let gone: Vec<CardId> = all
        .iter()
        .filter(|card| !card.aside && !wanted.contains_key(&card.content.key))
        .map(|card| card.id)
        .collect();
    let back: Vec<CardId> = all
        .iter()
        .filter(|card| card.aside && wanted.contains_key(&card.content.key))
        .map(|card| card.id)
        .collect();
    let is_news =
        |card: &NewCard| known.get(card.key.as_str()).is_none_or(|old| old.content != *card);
    // In the order of the lines, as new ones are asked in the order in which they came.
    let mut news: Vec<(usize, NewCard)> =
        wanted.into_values().filter(|(_, card)| is_news(card)).collect();
    news.sort_by_key(|&(place, _)| place);
    let store = &state.0.store;
    if !news.is_empty() {
        store.add_cards(news.into_iter().map(|(_, card)| card).collect())?;
    }
    if !gone.is_empty() {
        store.set_cards_aside(&gone, true)?;
    }
    if !back.is_empty() {
        store.set_cards_aside(&back, false)?;
    }
    Ok(())
}

/// The books and the cards, made to fit each other. May wait for a disk.
fn library(state: &AppState) -> Result<(Vec<Book>, Vec<Card>), ApiError> {
    let all = cards(state)?;
    let books = books(state, &all, None)?;
    sync(state, &all, &books)?;
    Ok((books, cards(state)?))
}

fn standing(memory: Option<&Memory>, now: i64) -> &'static str {
    match memory {
        None => "new",
        Some(memory) if memory.due <= now => "due",
        Some(memory) if memory.step.is_none() => "done",
        Some(_) => "begun",
    }
}

/// All books, with how much of each is known.
pub(super) async fn overview(State(state): State<AppState>) -> Answer {
    aside(move || {
        let (books, cards) = library(&state)?;
        let now = now();
        let told = books.iter().map(|book| {
            let tag = book.tag();
            let own = cards.iter().filter(|card| !card.aside && card.content.tags.contains(&tag));
            let mut counts = BTreeMap::<&str, usize>::new();
            own.for_each(|card| {
                *counts.entry(standing(card.memory.as_ref(), now)).or_default() += 1;
            });
            let count = |name: &str| counts.get(name).copied().unwrap_or(0);
            json!({
                "study": book.study,
                "color": name(book.color),
                "title": book.title,
                "cards": counts.values().sum::<usize>(),
                "new": count("new"),
                "due": count("due"),
                "known": count("done"),
            })
        });
        let answer = json!({
            "books": told.collect::<Vec<_>>(),
            "databases": state.0.explorer.names(),
        });
        Ok(Json(answer).into_response())
    })
    .await
}

/// A study that becomes a book.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BookJson {
    study: u64,
    color: String,
}

/// Makes a book of a study.
pub(super) async fn create(
    State(state): State<AppState>,
    body: Result<Json<BookJson>, JsonRejection>,
) -> Answer {
    let Json(BookJson { study, color: side }) = body?;
    let color = color(&side)?;
    aside(move || {
        let book = Book::read(&state, study, color)?;
        if book.repertoire.prompts().is_empty() {
            let side = color.name();
            return Err(ApiError::invalid(format!("There is no move of {side} in that study.")));
        }
        let all = cards(&state)?;
        let books = books(&state, &all, Some((study, color)))?;
        sync(&state, &all, &books)?;
        let count = book.repertoire.prompts().len();
        let told =
            json!({ "study": study, "color": name(color), "title": book.title, "cards": count });
        Ok((StatusCode::CREATED, Json(told)).into_response())
    })
    .await
}

/// Takes a book away: its study stays, and what was learned comes back with it.
pub(super) async fn remove(
    State(state): State<AppState>,
    path: Result<Path<(u64, String)>, PathRejection>,
) -> Answer {
    let Path((study, side)) = path?;
    let color = color(&side)?;
    aside(move || {
        let all = cards(&state)?;
        let mut left = books(&state, &all, None)?;
        left.retain(|book| (book.study, book.color) != (study, color));
        sync(&state, &all, &left)?;
        Ok(StatusCode::NO_CONTENT.into_response())
    })
    .await
}

/// Which book is drilled.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NextQuery {
    study: Option<u64>,
    color: Option<String>,
    /// Whether cards are wanted that are not due.
    #[serde(default)]
    any: bool,
    /// The card that was just asked.
    after: Option<i64>,
    /// One card and no other.
    card: Option<i64>,
}

/// A position in which a move is to be known.
fn asked(books: &[Book], card: &Card) -> Option<Value> {
    let (book, prompt) = located(books, card)?;
    let scenes: Vec<Value> = prompt.scenes().iter().map(scene).collect();
    Some(json!({
        "card": card.id.0,
        "study": book.study,
        "title": book.title,
        "color": name(book.color),
        "line": prompt.line_text(),
        "fen": prompt.fen(),
        "scenes": scenes,
        "answers": prompt.answers().len(),
        "standing": standing(card.memory.as_ref(), now()),
    }))
}

/// Where a card is in the books.
fn located<'a>(books: &'a [Book], card: &Card) -> Option<(&'a Book, &'a Prompt)> {
    let (side, key) = card.content.key.split_once(' ')?;
    let color: Color = side.parse().ok()?;
    let mut of_color = books.iter().filter(|book| book.color == color);
    of_color.find_map(|book| Some((book, book.repertoire.find(key)?)))
}

/// What is asked next, and how much is left.
pub(super) async fn next(
    State(state): State<AppState>,
    query: Result<Query<NextQuery>, QueryRejection>,
) -> Answer {
    let Query(NextQuery { study, color: side, any, after, card }) = query?;
    let color = side.as_deref().map(color).transpose()?;
    aside(move || {
        let (books, cards) = library(&state)?;
        let wanted = study.zip(color).map(|(study, color)| tag(study, color));
        let filter = CardFilter {
            kind: Some(CardKind::Opening),
            tag: wanted.clone(),
            limit: 3,
            new_a_day: NEW_A_DAY,
            ..CardFilter::default()
        };
        let queue = state.0.store.due_cards(&filter)?;
        let is_other = |card: &&Card| Some(card.id.0) != after;
        let mut found = match card {
            Some(id) => cards.iter().find(|card| card.id.0 == id && !card.aside).cloned(),
            None => queue.cards.iter().find(is_other).or(queue.cards.first()).cloned(),
        };
        if found.is_none() && any {
            let own = cards.iter().filter(|card| !card.aside).filter(is_other);
            let own = own
                .filter(|card| wanted.as_ref().is_none_or(|tag| card.content.tags.contains(tag)));
            found = own.min_by_key(|card| card.memory.map_or(0, |memory| memory.due)).cloned();
        }
        let answer = json!({
            "asked": found.and_then(|card| asked(&books, &card)),
            "due": queue.due,
            "new": queue.new,
            "next": queue.next,
        });
        Ok(Json(answer).into_response())
    })
    .await
}

/// A move that is tried.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TryJson {
    card: i64,
    /// In any notation; none to be told.
    #[serde(rename = "move")]
    played: Option<String>,
    /// By what the answer is known; none if this try is not to be kept, as another was before it.
    name: Option<String>,
    /// How well it was known, if whoever learns says so.
    grade: Option<String>,
}

/// Judges a move, keeps the answer, and plays the other side on where something is to be asked.
pub(super) async fn tries(
    State(state): State<AppState>,
    body: Result<Json<TryJson>, JsonRejection>,
) -> Answer {
    let Json(TryJson { card, played, name, grade }) = body?;
    let is_long = |text: &Option<String>, most| text.as_ref().is_some_and(|text| text.len() > most);
    if is_long(&played, LONGEST_MOVE) || is_long(&name, LONGEST_NAME) {
        return Err(ApiError::invalid("That is more than an answer takes."));
    }
    let chosen: Option<Grade> =
        grade.map(|grade| grade.parse()).transpose().map_err(ApiError::invalid)?;
    aside(move || {
        let (books, cards) = library(&state)?;
        let gone = || ApiError::not_found("That position is no longer in your book.");
        let card = cards.iter().find(|one| one.id.0 == card && !one.aside).ok_or_else(gone)?;
        let (book, prompt) = located(&books, card).ok_or_else(gone)?;
        let answers = answers(&books, card);
        let tried = played.map(|text| prompt.judge(&text).map_err(ApiError::conflict));
        let tried = tried.transpose()?;
        let right = tried
            .as_ref()
            .is_some_and(|tried| answers.iter().any(|answer| answer.uci == tried.played.uci));
        let grade = chosen.unwrap_or(if right { Grade::Good } else { Grade::Again });
        let mut kept = card.memory;
        if let Some(name) = name {
            let how = tried.as_ref().map_or_else(String::new, |tried| tried.played.san.clone());
            let answer = CardAnswer { name, grade, at: now(), how };
            kept = state.0.store.answer_card(card.id, answer)?.memory;
        }
        let replies = match (&tried, right) {
            (Some(tried), true) => book.repertoire.replies(prompt, &tried.played.uci),
            _ => Vec::new(),
        };
        // Played on is where something is to be asked; else another line is begun.
        let is_wanted = |key: &str| {
            let key = format!("{} {key}", self::name(book.color));
            let card = cards.iter().find(|card| card.content.key == key && !card.aside)?;
            let wanted = card.memory.is_none_or(|memory| memory.due <= now());
            wanted.then_some(card)
        };
        let reply = replies.iter().find_map(|reply| {
            let card = is_wanted(reply.next.as_deref()?)?;
            Some(json!({
                "move": shown(&reply.played),
                "scene": scene(&reply.scene),
                "asked": asked(&books, card),
            }))
        });
        let answer = json!({
            "right": right,
            "move": tried.as_ref().map(|tried| shown(&tried.played)),
            "scene": tried.as_ref().map(|tried| scene(&tried.scene)),
            "book": answers.iter().map(shown).collect::<Vec<_>>(),
            "grade": grade.name(),
            "due": kept.map(|memory| memory.due),
            "reply": reply,
        });
        Ok(Json(answer).into_response())
    })
    .await
}

/// The moves that are right in the position of a card, by all books of its colour.
fn answers(books: &[Book], card: &Card) -> Vec<ShownMove> {
    let Some((side, key)) = card.content.key.split_once(' ') else { return Vec::new() };
    let of_color = books.iter().filter(|book| name(book.color) == side);
    let mut all: Vec<ShownMove> = Vec::new();
    for answer in of_color.filter_map(|book| book.repertoire.find(key)).flat_map(Prompt::answers) {
        if !all.contains(&answer) {
            all.push(answer);
        }
    }
    all
}

/// A book, and the games with which it is compared.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HolesQuery {
    study: u64,
    color: String,
    database: String,
}

/// What was played in a position.
fn habits(
    database: &Database,
    filter: &Filter,
) -> impl FnMut(&str) -> Result<Vec<Habit>, ApiError> {
    move |fen| {
        let answer = database.answer_fen(fen, filter).map_err(ApiError::internal)?;
        let habit = |m: tabiya_db::ExplorerMove| Some(Habit { uci: m.uci?, games: m.games });
        Ok(answer.moves.into_iter().filter_map(habit).collect())
    }
}

/// What is missing in a book.
pub(super) async fn missing(
    State(state): State<AppState>,
    query: Result<Query<HolesQuery>, QueryRejection>,
) -> Answer {
    let Query(HolesQuery { study, color: side, database }) = query?;
    let color = color(&side)?;
    aside(move || {
        let book = Book::read(&state, study, color)?;
        let (database, _) = state.0.explorer.database(&database)?;
        let found = holes(&book.repertoire, habits(&database, &Filter::default()))?;
        let told = found.iter().map(|hole| {
            json!({
                "line": hole.line,
                "fen": hole.fen,
                "move": shown(&hole.played),
                "share": hole.share,
                "reach": hole.reach,
                "games": hole.games,
                "sentence": hole.sentence,
            })
        });
        Ok(Json(json!({ "holes": told.collect::<Vec<_>>() })).into_response())
    })
    .await
}

/// What a book is made of.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ComposeQuery {
    database: String,
    color: String,
    /// The moves with which it begins.
    #[serde(default)]
    moves: String,
    /// Whose games are looked at; all if nobody is named.
    #[serde(default)]
    player: String,
}

/// A book from what is played, as PGN.
pub(super) async fn composed(
    State(state): State<AppState>,
    query: Result<Query<ComposeQuery>, QueryRejection>,
) -> Answer {
    let Query(ComposeQuery { database, color: side, moves, player }) = query?;
    let color = color(&side)?;
    if moves.len() > LONGEST_TEXT || player.len() > LONGEST_TEXT {
        return Err(ApiError::invalid("That is too long."));
    }
    // Numbers of moves may stand among them.
    let words = moves.split_whitespace().filter_map(|word| {
        let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '…');
        (!word.is_empty()).then(|| word.to_owned())
    });
    let words: Vec<String> = words.take(MOST_MOVES).collect();
    aside(move || {
        let (database, _) = state.0.explorer.database(&database)?;
        let player: Vec<String> =
            Some(player).filter(|player| !player.is_empty()).into_iter().collect();
        let by_player = !player.is_empty();
        let filter = Filter { player, color: by_player.then_some(color), ..Filter::default() };
        let made = compose(color, &words, habits(&database, &filter))?;
        let none = || ApiError::not_found("Fewer than five games were played there.");
        let game = made.map_err(ApiError::invalid)?.ok_or_else(none)?;
        Ok(Json(json!({ "pgn": game.to_string(), "moves": game.tree().len() })).into_response())
    })
    .await
}

/// The color of the one person in a game against a computer.
fn own_color(players: &[String; 2]) -> Option<Color> {
    let is_person = |name: &String| name.parse::<Player>().is_ok_and(|player| player.is_person());
    match players.each_ref().map(is_person) {
        [true, false] => Some(Color::White),
        [false, true] => Some(Color::Black),
        _ => None,
    }
}

/// The last games against a computer, and where each left the book.
pub(super) async fn games(State(state): State<AppState>) -> Answer {
    aside(move || {
        let (books, _) = library(&state)?;
        let filter =
            GameFilter { kind: Some(GameKind::Chess), limit: Some(GAMES), ..GameFilter::default() };
        let page = state.0.store.page(&filter)?;
        let mut told = Vec::new();
        for game in page.games {
            let Some(color) = own_color(&game.players).filter(|_| game.plies > 1) else { continue };
            let Some(left) = left(&state, &books, game.id, color)? else { continue };
            told.push(json!({
                "game": game.id.0,
                "color": name(color),
                "players": game.players,
                "result": game.result,
                "when": game.when,
                "title": left.0.title,
                "study": left.0.study,
                "plies": left.1.plies,
                "sentence": left.1.sentence,
            }));
        }
        Ok(Json(json!({ "games": told })).into_response())
    })
    .await
}

/// Where a game left the books of a colour: that which it left last. May wait for a disk.
fn left<'a>(
    state: &AppState,
    books: &'a [Book],
    game: GameId,
    color: Color,
) -> Result<Option<(&'a Book, tabiya_drill::Departure)>, ApiError> {
    let record = state.0.store.export(game)?;
    let mut last: Option<(&Book, tabiya_drill::Departure)> = None;
    for book in books.iter().filter(|book| book.color == color) {
        let Ok(Some(found)) = book.repertoire.departure(&record) else { continue };
        if last.as_ref().is_none_or(|(_, known)| known.plies < found.plies) {
            last = Some((book, found));
        }
    }
    Ok(last)
}

/// From which games it is told how others fared.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameQuery {
    database: Option<String>,
}

/// Where one game left the book, what that says there, and how others fared.
pub(super) async fn game(
    State(state): State<AppState>,
    path: Result<Path<i64>, PathRejection>,
    query: Result<Query<GameQuery>, QueryRejection>,
) -> Answer {
    let Path(id) = path?;
    let Query(GameQuery { database }) = query?;
    aside(move || {
        let (books, _) = library(&state)?;
        let id = GameId(id);
        let players = state.0.store.load(id)?.summary.players;
        let sides = match own_color(&players) {
            Some(color) => vec![color],
            None => vec![Color::White, Color::Black],
        };
        let mut found = Vec::new();
        for color in sides {
            let Some((book, left)) = left(&state, &books, id, color)? else { continue };
            let others = match &database {
                None => Value::Null,
                Some(database) => {
                    let (database, _) = state.0.explorer.database(database)?;
                    let filter = Filter::default();
                    let answer = database.answer_fen(&left.fen, &filter);
                    let answer = answer.map_err(ApiError::internal)?;
                    let moves = answer.moves.iter().take(5).map(|m| {
                        json!({ "san": m.san, "games": m.games, "white": m.white, "draws": m.draws, "black": m.black })
                    });
                    json!({ "games": answer.games, "moves": moves.collect::<Vec<_>>() })
                }
            };
            found.push(json!({
                "study": book.study,
                "title": book.title,
                "color": name(color),
                "plies": left.plies,
                "leaver": format!("{:?}", left.leaver).to_lowercase(),
                "sentence": left.sentence,
                "fen": left.fen,
                "played": left.shown.as_ref().map(shown),
                "book": left.book.iter().map(shown).collect::<Vec<_>>(),
                "scene": scene(&left.scene),
                "others": others,
            }));
        }
        Ok(Json(json!({ "left": found })).into_response())
    })
    .await
}
