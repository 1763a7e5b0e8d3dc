//! Reviews in game records: put in, taken out, read back.

use tabiya_chess::{Color, Game as Played, Move, Position};
use tabiya_pgn::{Comment, Eval, Game, GameTree, Nag, NodeId, Score};

use crate::analysis::{Thought, by_rules};
use crate::review::is_sentence;
use crate::{Assessment, Evaluation, Judgement, Review, Reviewed};

impl Review {
    /// Puts the review into the record it was made of: `[%eval]` behind every move, a glyph, a sentence and the
    /// better line for those that are judged, and the tags `ECO` and `Opening` if they are missing. What an
    /// earlier review has put there goes; comments, glyphs and variations of people stay.
    ///
    /// ```
    /// # use tabiya_base::Stop;
    /// # use tabiya_review::{ReviewSettings, review};
    /// let mut game: tabiya_pgn::Game = "1. f3 {hm} e5 2. g4 Qh4# 0-1".parse()?;
    /// let settings = ReviewSettings { nodes: 2_000, ..ReviewSettings::default() };
    /// let review = review(&game, &settings, &mut |_, _| {}, &Stop::default())?;
    /// review.annotate(&mut game);
    /// let once = game.to_string();
    /// assert!(once.contains("{hm}") && once.contains("[%eval "));
    /// review.annotate(&mut game);
    /// assert_eq!(game.to_string(), once);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn annotate(&self, game: &mut Game) {
        clear(game);
        if let Some(opening) = &self.opening {
            for (name, value) in [("ECO", opening.eco), ("Opening", opening.name)] {
                if game.tag(name).is_none() {
                    // These names are good.
                    let _ = game.set_tag(name, value);
                }
            }
        }
        let tree = game.tree_mut();
        let root = tree.root();
        let head = Comment::new(&format!("[%review {}]", self.nodes));
        put_first(tree, root, with_nodes(with_eval(head, self.start), self.start, self.nodes));
        let line: Vec<NodeId> = tree.main_line().collect();
        let mut before = self.start;
        for (&id, reviewed) in line.iter().zip(&self.moves) {
            note(tree, id, reviewed, before, self.nodes);
            before = reviewed.evaluation;
        }
    }

    /// Reads the review that was put into a record; none if there is none, or only a part of one.
    ///
    /// ```
    /// # use tabiya_base::Stop;
    /// # use tabiya_review::{Review, ReviewSettings, review};
    /// let mut game: tabiya_pgn::Game = "1. f3 e5 2. g4 Qh4# 0-1".parse()?;
    /// assert_eq!(Review::read(&game), None);
    /// let settings = ReviewSettings { nodes: 2_000, ..ReviewSettings::default() };
    /// let review = review(&game, &settings, &mut |_, _| {}, &Stop::default())?;
    /// review.annotate(&mut game);
    /// assert_eq!(Review::read(&game), Some(review));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(game: &Game) -> Option<Review> {
        let (nodes, thoughts) = kept_thoughts(game)?;
        Some(Review::new(game, nodes, &thoughts))
    }
}

/// What the review in a record thought of every position, and with how many nodes it was made.
pub(crate) fn kept_thoughts(game: &Game) -> Option<(u64, Vec<Thought>)> {
    let tree = game.tree();
    let command = |id, name| tree.comments(id).iter().find_map(|comment| comment.command(name));
    let nodes = command(tree.root(), "review")?.parse().ok()?;
    let mut played = Played::from_position(*tree.start());
    let mut thoughts = Vec::new();
    let mut at = tree.root();
    loop {
        let next = tree.next(at).filter(|&next| tree.played(next).is_some());
        let evaluation = match by_rules(&played, next.is_none(), game.result()) {
            Some(outcome) => Evaluation { worth: Assessment::Over(outcome), depth: 0, nodes: 0 },
            None => {
                let eval = tree.comments(at).iter().find_map(Comment::eval)?;
                let depth = eval.depth.unwrap_or(0);
                let nodes = match command(at, "nodes") {
                    Some(more) => more.parse().ok()?,
                    None => nodes,
                };
                Evaluation { worth: Assessment::read(eval.score)?, depth, nodes }
            }
        };
        let over = matches!(evaluation.worth, Assessment::Over(_));
        let best = match next {
            Some(next) if !over => match command(next, "best") {
                Some(text) => Some(played.position().parse_san(text).ok()?),
                None => tree.played(next),
            },
            _ => None,
        };
        let start =
            best.and_then(|best| tree.children(at).find(|&child| tree.played(child) == Some(best)));
        let line = match (best, start) {
            (Some(_), Some(start)) => std::iter::successors(Some(start), |&id| tree.next(id))
                .map_while(|id| tree.played(id))
                .collect(),
            (best, _) => best.into_iter().collect(),
        };
        // Behind a judged move the whole line is written, also where the game went another way.
        let told: Vec<Move> = command(at, "refutation")
            .map(|text| read_line(played.position(), text))
            .unwrap_or_default();
        let fits = !told.is_empty() && (next.is_none() || told.first() == best.as_ref());
        let line = if fits { told } else { line };
        thoughts.push(Thought { evaluation, line });
        let Some((next, m)) = next.and_then(|next| Some((next, tree.played(next)?))) else {
            break;
        };
        played.play_unchecked(m);
        at = next;
    }
    Some((nodes, thoughts))
}

/// The moves of a line in algebraic notation, as far as they can be played.
fn read_line(start: &Position, text: &str) -> Vec<Move> {
    let mut position = *start;
    let mut line = Vec::new();
    for word in text.split_whitespace() {
        let Ok(m) = position.parse_san(word) else { break };
        position.play_unchecked(m);
        line.push(m);
    }
    line
}

/// Takes out of a record what a review has put there, and evaluations of other programs with it.
///
/// ```
/// let mut game: tabiya_pgn::Game = "1. e4 {[%eval 0.30,12] [%best d4] [%clk 0:01:00]} e5 {good} *".parse()?;
/// tabiya_review::clear(&mut game);
/// assert!(game.to_string().contains("1. e4 {[%clk 0:01:00]} 1... e5 {good} *"));
/// # Ok::<(), tabiya_pgn::ReadError>(())
/// ```
pub fn clear(game: &mut Game) {
    let tree = game.tree_mut();
    let line: Vec<NodeId> = std::iter::once(tree.root()).chain(tree.main_line()).collect();
    for id in line {
        remove_better(tree, id);
        let said: Vec<Comment> = tree.comments(id).to_vec();
        let stays: Vec<Comment> =
            said.iter().map(without_review).filter(|comment| !comment.is_empty()).collect();
        if said == stays {
            continue;
        }
        let ours = Judgement::ALL.into_iter().find(|judgement| {
            let starts = |comment: &Comment| {
                let words = comment.words();
                comment.command("best").is_some()
                    && is_sentence(&words)
                    && words.to_lowercase().starts_with(judgement.name())
            };
            said.iter().any(starts)
        });
        let theirs = said.iter().any(|comment| comment.command("glyph").is_some());
        let ours = ours.map(Judgement::nag).filter(|_| !theirs);
        let nags: Vec<Nag> = tree.nags(id).to_vec();
        tree.clear_notes(id);
        for nag in nags.into_iter().filter(|&nag| ours != Some(nag)) {
            tree.add_nag(id, nag);
        }
        for comment in stays {
            tree.add_comment(id, comment);
        }
    }
}

/// A comment without our commands and our sentence.
fn without_review(comment: &Comment) -> Comment {
    let mut text = String::new();
    let mut rest = comment.text();
    while let Some((before, command, after)) = split_command(rest) {
        text.push_str(before);
        let name = command.split(' ').next().unwrap_or_default();
        if !matches!(name, "eval" | "nodes" | "best" | "refutation" | "glyph" | "review") {
            text.push_str(&format!("[%{command}]"));
        }
        rest = after;
    }
    text.push_str(rest);
    let clean = Comment::new(&text);
    // Sentences like ours that people write have no best move beside them.
    if comment.command("best").is_some() && is_sentence(clean.text()) {
        Comment::default()
    } else {
        clean
    }
}

fn split_command(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("[%")?;
    let (command, after) = rest.split_once(']')?;
    Some((before, command, after))
}

/// Deletes the better line that a review has put beside a move: one that begins with the best move, with an
/// evaluation there and not a word more.
fn remove_better(tree: &mut GameTree, id: NodeId) {
    let best = tree.comments(id).iter().find_map(|comment| comment.command("best"));
    let (Some(best), Some(parent)) = (best, tree.parent(id)) else { return };
    let best = best.to_owned();
    let ours = tree.children(parent).find(|&child| {
        child != id && tree.san(child) == best && {
            let rest: Vec<NodeId> = tree.below(child).collect();
            let bare = |&id: &NodeId| {
                tree.comments(id).is_empty()
                    && tree.nags(id).is_empty()
                    && tree.children(id).count() <= 1
            };
            let is_eval =
                |comment: &Comment| comment.eval().is_some() && without_review(comment).is_empty();
            matches!(tree.comments(child), [comment] if is_eval(comment))
                && tree.nags(child).is_empty()
                && tree.comments_before(child).is_empty()
                && tree.children(child).count() <= 1
                && rest.iter().all(bare)
        }
    });
    if let Some(ours) = ours {
        tree.delete(ours);
    }
}

fn with_eval(comment: Comment, evaluation: Evaluation) -> Comment {
    match evaluation.worth.written() {
        Some(score) => comment.with_eval(Eval { score, depth: Some(evaluation.depth) }),
        None => comment,
    }
}

/// Says how many nodes a position has had, if those are not as many as the others.
fn with_nodes(comment: Comment, evaluation: Evaluation, usual: u64) -> Comment {
    match evaluation.nodes {
        nodes if nodes == 0 || nodes == usual => comment,
        nodes => Comment::new(&format!("{comment} [%nodes {nodes}]")),
    }
}

/// Adds a comment before all others of a move.
fn put_first(tree: &mut GameTree, id: NodeId, comment: Comment) {
    let others: Vec<Comment> = tree.comments(id).to_vec();
    let nags: Vec<Nag> = tree.nags(id).to_vec();
    tree.clear_notes(id);
    for nag in nags {
        tree.add_nag(id, nag);
    }
    for comment in std::iter::once(comment).chain(others) {
        tree.add_comment(id, comment);
    }
}

/// Says what there is to say about a move.
fn note(tree: &mut GameTree, id: NodeId, reviewed: &Reviewed, before: Evaluation, nodes: u64) {
    let comment = with_eval(Comment::default(), reviewed.evaluation);
    let mut comment = with_nodes(comment, reviewed.evaluation, nodes);
    if let Some(best) = reviewed.better_san.first() {
        comment = Comment::new(&format!("{comment} [%best {best}]"));
    }
    if !reviewed.refutation_san.is_empty() {
        let line = reviewed.refutation_san.join(" ");
        comment = Comment::new(&format!("{comment} [%refutation {line}]"));
    }
    if let Some(sentence) = reviewed.sentence() {
        comment = Comment::new(&format!("{comment} {sentence}"));
    }
    let Some(judgement) = reviewed.judgement else {
        return put_first(tree, id, comment);
    };
    // The glyph of a person stays alone, and is not to be taken for ours later.
    match tree.nags(id).iter().any(|nag| (1..=6).contains(&nag.0)) {
        true => comment = Comment::new(&format!("{comment} [%glyph theirs]")),
        false => tree.add_nag(id, judgement.nag()),
    }
    put_first(tree, id, comment);
    let (Some(parent), Some(&best)) = (tree.parent(id), reviewed.better.first()) else { return };
    if tree.children(parent).any(|child| tree.played(child) == Some(best)) {
        return; // somebody has shown it already
    }
    // The engine's lines are legal; one that were not would not be shown.
    if let Ok(first) = tree.add(parent, best) {
        let score = match before.worth.written() {
            // Whoever mates has made one of the moves; `#0` is the mate itself.
            Some(Score::Mate(moves)) if (moves > 0) == (reviewed.color == Color::White) => {
                Score::Mate(moves - moves.signum())
            }
            Some(score) => score,
            None => return,
        };
        tree.add_comment(
            first,
            Comment::default().with_eval(Eval { score, depth: Some(before.depth) }),
        );
        let _ = tree.add_line(first, reviewed.better.get(1..).unwrap_or_default());
    }
}
