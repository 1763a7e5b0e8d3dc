//! What can be asked for with a key: one list for the menu, the footer, the help and the keyboard.

use tabiya_view::{GameKind, GameView};

/// Something to ask for besides a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyCommand {
    /// Take back until it is a person's turn again.
    TakeBack,
    /// Take back one half-move.
    TakeBackOne,
    /// Play again what was taken back.
    Redo,
    /// Point out a good move.
    Hint,
    /// Turn the board round.
    Flip,
    /// Point out what could be taken.
    Threats,
    /// Show the evaluation bar.
    Evaluation,
    /// Show what an engine finds in the position on the screen, as it finds it.
    Analysis,
    /// Have the computer move at once.
    MoveNow,
    /// Offer, accept or claim a draw.
    Draw,
    /// Resign.
    Resign,
    /// Start another game.
    New,
    /// Write the game to a file.
    Save,
    /// Open a kept game, or a file.
    Load,
    /// Change the look.
    Theme,
    /// Say what all the keys do.
    Help,
    /// Leave; the game is kept.
    Quit,
}

use KeyCommand::*;

impl KeyCommand {
    /// All of them, in the order of the menu.
    pub const ALL: [KeyCommand; 17] = [
        TakeBack,
        TakeBackOne,
        Redo,
        Hint,
        MoveNow,
        Draw,
        Resign,
        New,
        Save,
        Load,
        Flip,
        Threats,
        Evaluation,
        Analysis,
        Theme,
        Help,
        Quit,
    ];

    /// Its key.
    pub fn letter(self) -> char {
        match self {
            TakeBack => 'u',
            TakeBackOne => 'U',
            Redo => 'r',
            Hint => 'h',
            Flip => 'f',
            Threats => 't',
            Evaluation => 'e',
            Analysis => 'a',
            MoveNow => 'm',
            Draw => 'd',
            Resign => 'R',
            New => 'n',
            Save => 's',
            Load => 'l',
            Theme => 'T',
            Help => '?',
            Quit => 'q',
        }
    }

    /// What it does, for the menu.
    pub fn text(self) -> &'static str {
        match self {
            TakeBack => "take back",
            TakeBackOne => "take back one half-move",
            Redo => "play it again",
            Hint => "hint",
            Flip => "turn the board",
            Threats => "show threats",
            Evaluation => "evaluation bar",
            Analysis => "analysis: an engine's lines",
            MoveNow => "computer, move now",
            Draw => "draw: offer, accept, claim",
            Resign => "resign",
            New => "new game",
            Save => "save to a file",
            Load => "open a game",
            Theme => "change the look",
            Help => "help",
            Quit => "quit (the game is kept)",
        }
    }

    /// The same in a word or two, for the footer.
    pub fn short(self) -> &'static str {
        match self {
            TakeBack => "take back",
            TakeBackOne => "one back",
            Redo => "redo",
            Hint => "hint",
            Flip => "flip",
            Threats => "threats",
            Evaluation => "evaluation",
            Analysis => "analysis",
            MoveNow => "move now",
            Draw => "draw",
            Resign => "resign",
            New => "new game",
            Save => "save",
            Load => "open",
            Theme => "theme",
            Help => "help",
            Quit => "quit",
        }
    }

    /// The command of a key.
    pub fn of(letter: char) -> Option<KeyCommand> {
        KeyCommand::ALL.into_iter().find(|command| command.letter() == letter)
    }

    /// Whether the key alone is enough: no move of this game begins with it.
    ///
    /// In chess `u` takes back, but `h` may be the h-pawn, and `R` the rook: there the menu comes first.
    pub fn direct(self, view: &GameView) -> bool {
        !begins_a_move(view, self.letter())
    }
}

/// Whether a move may begin with this character.
pub(crate) fn begins_a_move(view: &GameView, letter: char) -> bool {
    let columns = 'a'..char::from(b'a' + view.columns.min(26));
    let pieces = match view.kind {
        GameKind::Chess => "KQRBNPO0",
        GameKind::Bishops => "KB",
    };
    columns.contains(&letter) || pieces.contains(letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bishops, chess};

    #[test]
    fn every_command_has_a_key_of_its_own() {
        for command in KeyCommand::ALL {
            assert_eq!(KeyCommand::of(command.letter()), Some(command));
        }
    }

    #[test]
    fn keys_that_may_begin_a_move_need_the_menu() {
        let needs = |view: &GameView| -> String {
            KeyCommand::ALL.iter().filter(|c| !c.direct(view)).map(|c| c.letter()).collect()
        };
        assert_eq!(needs(&chess()), "hdRfea");
        assert_eq!(needs(&bishops(3)), "a");
        assert_eq!(needs(&bishops(8)), "hdfea");
        assert_eq!(needs(&bishops(26)), "urhmdnslfteaq");
    }
}
