//! Arrows and circles on a move, as other programs write them in its comment: `[%cal Ge2e4]`, `[%csl Rd5]`.

use tabiya_pgn::Comment;
use tabiya_view::Refusal;

use crate::Study;

/// So many arrows and circles a move has at most.
const MOST: usize = 64;

/// Whether a text is a colour (green, red, blue or yellow) and one square or two.
fn is_drawing(text: &str) -> bool {
    let square = |bytes: &[u8]| matches!(bytes, [b'a'..=b'h', b'1'..=b'8']);
    match text.as_bytes() {
        [b'G' | b'R' | b'B' | b'Y', at @ ..] => match at.len() {
            2 => square(at),
            4 => square(&at[..2]) && square(&at[2..]) && at[..2] != at[2..],
            _ => false,
        },
        _ => false,
    }
}

const fn is_drawn(name: &str) -> bool {
    matches!(name.as_bytes(), b"cal" | b"csl")
}

/// What is drawn, as far as it can be: what nobody understands stays in the record and is not shown.
pub(crate) fn drawings(comments: &[Comment]) -> Vec<String> {
    let commands = comments.iter().flat_map(Comment::commands);
    let values = commands.filter(|(name, _)| is_drawn(name)).map(|(_, value)| value);
    let each = values.flat_map(|value| value.split(',')).map(str::trim);
    each.filter(|text| is_drawing(text)).map(str::to_owned).collect()
}

impl Study {
    /// Draws arrows (`Ge2e4`) and circles (`Rd5`) on a node, instead of those that were there. The letter is the
    /// colour: green, red, blue, yellow.
    ///
    /// ```
    /// # use tabiya_study::Study;
    /// let mut study = Study::from_pgn("1. e4 {best [%csl Ge4] [%clk 0:05:00]} *")?;
    /// assert_eq!(study.outline().nodes[1].drawings, ["Ge4"]);
    /// study.draw(1, &["Rd5", "Gg1f3"])?;
    /// assert!(study.pgn().contains("{best [%clk 0:05:00] [%csl Rd5] [%cal Gg1f3]}"));
    /// assert!(study.draw(1, &["Xe4"]).is_err());
    /// # Ok::<(), tabiya_view::Refusal>(())
    /// ```
    pub fn draw(&mut self, node: usize, drawings: &[impl AsRef<str>]) -> Result<usize, Refusal> {
        if drawings.len() > MOST {
            return Err(Refusal(format!("A move has {MOST} arrows and circles at most.")));
        }
        let drawings: Vec<&str> = drawings.iter().map(AsRef::as_ref).collect();
        if let Some(odd) = drawings.iter().find(|text| !is_drawing(text)) {
            let sentence = "is no drawing: they are a colour and squares, like Ge2e4 or Rd5";
            return Err(Refusal(format!("{odd:?} {sentence}.")));
        }
        let command = |name: &str, letters: usize| {
            let own: Vec<&str> =
                drawings.iter().copied().filter(|one| one.len() == letters).collect();
            match own.is_empty() {
                true => String::new(),
                false => format!("[%{name} {}]", own.join(",")),
            }
        };
        let drawn = format!("{} {}", command("csl", 3), command("cal", 5));
        self.note(node, None, |name| !is_drawn(name), &drawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_squares_and_colours_are_drawings() {
        for good in ["Ga1", "Rh8", "Ba1h8", "Ye2e4"] {
            assert!(is_drawing(good), "{good}");
        }
        for bad in ["", "G", "e4", "ge4", "Ge9", "Gi1", "Ge2e", "Ge2e2", "Ge2e4e6", "Gé4", "Xe4"] {
            assert!(!is_drawing(bad), "{bad}");
        }
    }

    #[test]
    fn drawings_and_words_do_not_disturb_each_other() {
        let mut study = Study::from_pgn("1. e4 {[%eval 0.3]} *").unwrap();
        study.draw(1, &["Ge2e4", "Gd4"]).unwrap();
        study.comment(1, "the centre").unwrap();
        assert_eq!(study.outline().nodes[1].drawings, ["Gd4", "Ge2e4"]);
        assert_eq!(study.outline().nodes[1].comment, "the centre");
        let sequence = study.sequence();
        study.draw(1, &["Gd4", "Ge2e4"]).unwrap();
        assert_eq!(study.sequence(), sequence, "the same again is no edit");
        study.draw(1, &[] as &[&str]).unwrap();
        assert!(study.pgn().contains("{the centre [%eval 0.3]}"), "{}", study.pgn());
        study.undo().unwrap();
        assert_eq!(study.outline().nodes[1].drawings.len(), 2);
    }

    #[test]
    fn what_nobody_understands_stays_in_the_record() {
        let study = Study::from_pgn("1. e4 {[%cal Ge2e4,Zz9,] [%csl]} *").unwrap();
        assert_eq!(study.outline().nodes[1].drawings, ["Ge2e4"]);
        assert!(study.pgn().contains("Zz9"));
    }
}
