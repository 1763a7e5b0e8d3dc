//! What can be done to a study.

use tabiya_chess::{IllegalMove, Move, Role};
use tabiya_pgn::{Comment, Game, Nag, NodeId};
use tabiya_view::{Coord, PieceRole, Refusal};

use crate::Study;
use tabiya_chess_view::{role, square};

/// The longest comment on a move, in characters.
const LONGEST_COMMENT: usize = 4000;
/// The longest line that is added at once.
const LONGEST_LINE: usize = 200;
/// What a move is worth, and what a position is worth: one of each is enough.
const JUDGEMENTS: [&[u8]; 2] = [&[1, 2, 3, 4, 5, 6], &[10, 11, 12, 13, 14, 15, 16, 17, 18, 19]];

impl Study {
    /// Plays a move after a node, in any notation, and goes there. One that is there already is only gone to.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let mut study = Study::new();
    /// assert_eq!(study.play(0, "e2e4")?, 1);
    /// assert_eq!(study.play(0, "d4")?, 2);
    /// assert_eq!(study.play(0, "e4")?, 1);
    /// assert_eq!(study.sequence(), 2);
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn play(&mut self, node: usize, text: &str) -> Result<usize, Refusal> {
        let position = self.game.tree().position(self.id(node)?);
        let m = position.parse_move(text).map_err(Refusal::new)?;
        self.add(node, &[m])
    }

    /// Plays a move that was made on the board. Without a choice of what a pawn becomes, it is a queen.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let mut study = Study::from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1")?;
    /// let (from, to) = ("a7".parse().unwrap(), "a8".parse().unwrap());
    /// let node = study.go(0, from, to, None)?;
    /// assert_eq!(study.outline().nodes[node].san, "a8=Q+");
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn go(
        &mut self,
        node: usize,
        from: Coord,
        to: Coord,
        promotion: Option<PieceRole>,
    ) -> Result<usize, Refusal> {
        let position = self.game.tree().position(self.id(node)?);
        let (Some(start), Some(end)) = (square(from), square(to)) else {
            return Err(Refusal(format!("There is no way from {from} to {to} on this board.")));
        };
        let wanted = position.move_between(start, end, promotion.map(role));
        let m = match (wanted, promotion) {
            (Err(IllegalMove::PromotionMissing { .. }), None) => {
                position.move_between(start, end, Some(Role::Queen))
            }
            (wanted, _) => wanted,
        };
        self.add(node, &[m.map_err(Refusal::new)?])
    }

    /// Plays moves one after the other, by their UCI names, and goes to the last. If one is not legal, none is played.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let mut study = Study::new();
    /// assert_eq!(study.add_line(0, &["e2e4", "e7e5", "g1f3"])?, 3);
    /// assert!(study.add_line(0, &["e2e4", "e2e4"]).is_err());
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn add_line(&mut self, node: usize, moves: &[impl AsRef<str>]) -> Result<usize, Refusal> {
        if moves.len() > LONGEST_LINE {
            return Err(Refusal(format!("A line has {LONGEST_LINE} moves at most.")));
        }
        let mut position = self.game.tree().position(self.id(node)?);
        let mut line = Vec::with_capacity(moves.len());
        for uci in moves {
            let m = position.parse_uci(uci.as_ref()).map_err(Refusal::new)?;
            position.play_unchecked(m);
            line.push(m);
        }
        self.add(node, &line)
    }

    fn add(&mut self, node: usize, moves: &[Move]) -> Result<usize, Refusal> {
        let after = self.id(node)?;
        let tree = self.game.tree();
        let follow = |at: Option<NodeId>, m: &Move| {
            tree.children(at?).find(|&child| tree.played(child) == Some(*m))
        };
        if let Some(known) = moves.iter().fold(Some(after), follow) {
            let here = self.order.iter().position(|&id| id == known).unwrap_or(0);
            self.here = here;
            return Ok(here);
        }
        self.edit(|game| game.tree_mut().add_line(after, moves).map_err(Refusal::new))
    }

    /// Says something about a node, instead of what was said there; nothing if the text is empty. What programs
    /// have noted (clocks, evaluations) stays.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let mut study = Study::from_pgn("1. e4 {[%clk 0:05:00] hm} *")?;
    /// study.comment(1, "the best move {by test}")?;
    /// assert!(study.pgn().contains("{the best move (by test) [%clk 0:05:00]}"));
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn comment(&mut self, node: usize, words: &str) -> Result<usize, Refusal> {
        self.id(node)?;
        if words.chars().count() > LONGEST_COMMENT {
            return Err(Refusal(format!("A comment has {LONGEST_COMMENT} letters at most.")));
        }
        // What people say is not for programs.
        let mut plain = String::with_capacity(words.len());
        for letter in words.chars() {
            if letter != '%' || !plain.ends_with('[') {
                plain.push(letter);
            }
        }
        self.note(node, Some(&plain), |_| true, "")
    }

    /// Writes the comment on a node anew: words (or those that are there), the commands that stay, and more of them.
    pub(crate) fn note(
        &mut self,
        node: usize,
        words: Option<&str>,
        stays: impl Fn(&str) -> bool,
        more: &str,
    ) -> Result<usize, Refusal> {
        let id = self.id(node)?;
        let old = self.game.tree().comments(id);
        let said: Vec<String> = old.iter().map(Comment::words).collect();
        let said = said.join(" ");
        let noted = old.iter().flat_map(Comment::commands).filter(|(name, _)| stays(name));
        let noted: Vec<String> =
            noted.map(|(name, value)| format!("[%{name} {value}]").replace(" ]", "]")).collect();
        let text = format!("{} {} {more}", words.unwrap_or(&said), noted.join(" "));
        let comment = Comment::new(&text);
        if old == [comment.clone()] || (comment.is_empty() && old.is_empty()) {
            return Ok(node);
        }
        self.edit(|game| {
            let nags = game.tree().nags(id).to_vec();
            let comments = if comment.is_empty() { Vec::new() } else { vec![comment] };
            notes(game, id, &nags, comments);
            Ok(id)
        })
    }

    /// Judges a move or a position with a sign like `!` (1) or `±` (16), or takes the sign back if it is there. Of
    /// signs that exclude each other the last one counts.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let mut study = Study::from_pgn("1. e4 *")?;
    /// study.judge(1, 1)?;
    /// study.judge(1, 3)?;
    /// study.judge(1, 16)?;
    /// assert!(study.pgn().contains("1. e4 $3 $16 *"));
    /// study.judge(1, 3)?;
    /// assert!(study.pgn().contains("1. e4 $16 *"));
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn judge(&mut self, node: usize, nag: u8) -> Result<usize, Refusal> {
        let id = self.id(node)?;
        if node == 0 {
            return Err(Refusal("There is no move to judge yet.".to_owned()));
        }
        if nag == 0 {
            return Err(Refusal("There is no sign 0: they are numbered from 1 to 255.".to_owned()));
        }
        let kin = JUDGEMENTS.into_iter().find(|kin| kin.contains(&nag)).unwrap_or_default();
        self.edit(|game| {
            let mut nags = game.tree().nags(id).to_vec();
            let had = nags.contains(&Nag(nag));
            nags.retain(|&Nag(known)| known != nag && !kin.contains(&known));
            if !had {
                nags.push(Nag(nag));
                nags.sort();
            }
            let comments = game.tree().comments(id).to_vec();
            notes(game, id, &nags, comments);
            Ok(id)
        })
    }

    /// Makes the variation with this move the line that is followed, from where it branches off.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let mut study = Study::from_pgn("1. e4 (1. d4 d5) e5 *")?;
    /// assert_eq!(study.promote(4)?, 2);
    /// assert!(study.pgn().contains("1. d4 (1. e4 e5) 1... d5 *"));
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn promote(&mut self, node: usize) -> Result<usize, Refusal> {
        self.raise(node, |game, id| game.tree_mut().promote(id))
    }

    /// Makes the line to this move the main line.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let mut study = Study::from_pgn("1. e4 (1. d4 d5 (1... Nf6)) e5 *")?;
    /// study.promote_to_main(5)?;
    /// assert!(study.pgn().contains("1. d4 (1. e4 e5) 1... Nf6 (1... d5) *"));
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn promote_to_main(&mut self, node: usize) -> Result<usize, Refusal> {
        self.raise(node, |game, id| game.tree_mut().promote_to_main(id))
    }

    fn raise(
        &mut self,
        node: usize,
        raise: impl FnOnce(&mut Game, NodeId),
    ) -> Result<usize, Refusal> {
        let id = self.id(node)?;
        let tree = self.game.tree();
        let is_first = |&id: &NodeId| tree.parent(id).and_then(|one| tree.next(one)) == Some(id);
        if tree.line_to(id).iter().all(is_first) {
            return Err(Refusal("That is the main line already.".to_owned()));
        }
        self.edit(|game| {
            raise(game, id);
            Ok(id)
        })
    }

    /// Deletes a move and all that follows it, and gives the node before. Of the start, all moves are deleted.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let mut study = Study::from_pgn("1. e4 (1. d4 d5) e5 *")?;
    /// assert_eq!(study.delete(1)?, 0);
    /// assert!(study.pgn().contains("1. d4 d5 *"));
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn delete(&mut self, node: usize) -> Result<usize, Refusal> {
        let id = self.id(node)?;
        if self.game.tree().is_empty() {
            return Err(Refusal("There is nothing to delete.".to_owned()));
        }
        let before = self.game.tree().parent(id).unwrap_or(id);
        let here = self.edit(|game| {
            game.tree_mut().delete(id);
            Ok(before)
        })?;
        self.tidy();
        Ok(here)
    }
}

/// Says these things about a node, and no other; what was said before a variation stays.
fn notes(game: &mut Game, id: NodeId, nags: &[Nag], comments: Vec<Comment>) {
    let before = game.tree().comments_before(id).to_vec();
    let tree = game.tree_mut();
    tree.clear_notes(id);
    for comment in before {
        tree.add_comment_before(id, comment);
    }
    for &nag in nags {
        tree.add_nag(id, nag);
    }
    for comment in comments {
        tree.add_comment(id, comment);
    }
}
