//! Colours: what the terminal can show, and what the board looks like with that.

use std::fmt;
use std::str::FromStr;

use ratatui::style::{Color, Modifier, Style};
use tabiya_base::excerpt;
use tabiya_view::Side;

/// How many colours a terminal has.
///
/// ```
/// use tabiya_tui::Depth;
///
/// let env = |name: &str| match name {
///     "TERM" => Some("xterm-256color".to_owned()),
///     _ => None,
/// };
/// assert_eq!(Depth::detect(env), Depth::Indexed);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Depth {
    /// No colours at all: everything is told by roles.
    None,
    /// The sixteen colours of every console.
    Sixteen,
    /// The 256 colours of xterm.
    Indexed,
    /// All colours.
    True,
}

impl Depth {
    /// What the environment says about the terminal. Nothing is asked of the terminal itself, as the
    /// answer might never come.
    pub fn detect(env: impl Fn(&str) -> Option<String>) -> Depth {
        let said = |name| env(name).filter(|value: &String| !value.is_empty());
        if said("NO_COLOR").is_some() {
            return Depth::None;
        }
        let term = said("TERM").unwrap_or_default();
        let color = said("COLORTERM").unwrap_or_default();
        let starts = |names: &[&str]| names.iter().any(|name| term.starts_with(name));
        if starts(&["dumb", "vt1", "vt2", "vt3", "vt5"]) || term.ends_with("-mono") {
            Depth::None
        } else if ["truecolor", "24bit"].contains(&color.as_str())
            || term.ends_with("-direct")
            || starts(&["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm"])
            || said("WT_SESSION").is_some()
        {
            Depth::True
        } else if term.contains("256color") {
            Depth::Indexed
        } else if term.is_empty() && !cfg!(windows) {
            Depth::None
        } else {
            Depth::Sixteen
        }
    }

    /// The nearest colour that can be shown.
    fn show(self, color: Color) -> Color {
        match (self, color) {
            (Depth::Indexed, Color::Rgb(r, g, b)) => Color::Indexed(nearest(r, g, b)),
            _ => color,
        }
    }
}

/// The nearest of xterm's 6×6×6 cube and 24 greys.
fn nearest(r: u8, g: u8, b: u8) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let level = |value: u8| {
        (0..6u8).min_by_key(|&i| LEVELS[usize::from(i)].abs_diff(value)).unwrap_or_default()
    };
    let distance = |x: u8, y: u8, z: u8| {
        let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        square(x, r) + square(y, g) + square(z, b)
    };
    let (i, j, k) = (level(r), level(g), level(b));
    let cube = distance(LEVELS[usize::from(i)], LEVELS[usize::from(j)], LEVELS[usize::from(k)]);
    let mean = ((u32::from(r) + u32::from(g) + u32::from(b)) / 3) as u8;
    let step = (mean.saturating_sub(3) / 10).min(23);
    let grey = 8 + 10 * step;
    if distance(grey, grey, grey) < cube { 232 + step } else { 16 + 36 * i + 6 * j + k }
}

/// The look of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThemeName {
    /// Warm wood.
    Walnut,
    /// Cool stone.
    Slate,
    /// A diagram in a book: the strongest contrast.
    Paper,
    /// The sixteen colours of every console.
    Console,
    /// No colours.
    Plain,
}

impl ThemeName {
    /// All of them.
    pub const ALL: [ThemeName; 5] = [
        ThemeName::Walnut,
        ThemeName::Slate,
        ThemeName::Paper,
        ThemeName::Console,
        ThemeName::Plain,
    ];

    /// What people call all of them, in a row.
    ///
    /// ```
    /// assert!(tabiya_tui::ThemeName::names().starts_with("walnut, "));
    /// ```
    pub fn names() -> String {
        ThemeName::ALL.map(ThemeName::name).join(", ")
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            ThemeName::Walnut => "walnut",
            ThemeName::Slate => "slate",
            ThemeName::Paper => "paper",
            ThemeName::Console => "console",
            ThemeName::Plain => "plain",
        }
    }

    /// Whether a terminal with so many colours can show it.
    fn fits(self, depth: Depth) -> bool {
        match self {
            ThemeName::Plain => true,
            ThemeName::Console => depth >= Depth::Sixteen,
            _ => depth >= Depth::Indexed,
        }
    }
}

impl fmt::Display for ThemeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no theme of that name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no theme is called {0}: there are {all}", all = ThemeName::names())]
pub struct ParseThemeError(String);

impl FromStr for ThemeName {
    type Err = ParseThemeError;

    fn from_str(text: &str) -> Result<ThemeName, ParseThemeError> {
        ThemeName::ALL
            .into_iter()
            .find(|theme| theme.name() == text)
            .ok_or_else(|| ParseThemeError(excerpt(text)))
    }
}

/// A pair of tints for light and dark squares.
type Tint = [Color; 2];

/// The colours of a board and of what is around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    /// Squares: light, dark.
    pub(crate) squares: Tint,
    pub(crate) last: Tint,
    pub(crate) picked: Tint,
    pub(crate) hint: Tint,
    pub(crate) threat: Tint,
    pub(crate) check: Color,
    /// The pieces: White's, Black's.
    pub(crate) pieces: [Color; 2],
    /// What is inside their outlines, where they are large enough to have one,
    pub(crate) bodies: Tint,
    /// and the outlines.
    pub(crate) edges: Tint,
    /// Marks on squares: destinations, rings, flags.
    pub(crate) mark: Color,
    pub(crate) cursor: Color,
    /// The evaluation bar: White's part, Black's part.
    pub(crate) bar: Tint,
    /// What is worth a look outside the board, and what is wrong.
    pub(crate) accent: Color,
    pub(crate) alarm: Color,
}

/// How to draw everything: the palette, brought down to what the terminal can show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theme {
    pub(crate) name: ThemeName,
    pub(crate) depth: Depth,
    pub(crate) palette: Palette,
    /// Only ASCII: letters instead of figurines, and no blocks.
    pub(crate) ascii: bool,
}

impl Theme {
    /// The theme of that name, or the nearest that the terminal can show.
    pub(crate) fn new(name: ThemeName, depth: Depth, ascii: bool) -> Theme {
        let name = match depth {
            _ if name.fits(depth) => name,
            Depth::None => ThemeName::Plain,
            _ => ThemeName::Console,
        };
        let palette = match name {
            ThemeName::Walnut => WALNUT,
            ThemeName::Slate => SLATE,
            ThemeName::Paper => PAPER,
            ThemeName::Console => CONSOLE,
            ThemeName::Plain => PLAIN,
        };
        Theme { name, depth, palette: palette.shown(depth), ascii }
    }

    /// The next theme that the terminal can show.
    pub(crate) fn next(self) -> Theme {
        let at = ThemeName::ALL.iter().position(|&name| name == self.name).unwrap_or_default();
        let next = (1..=ThemeName::ALL.len())
            .map(|i| ThemeName::ALL[(at + i) % ThemeName::ALL.len()])
            .find(|name| name.fits(self.depth))
            .unwrap_or(self.name);
        Theme::new(next, self.depth, self.ascii)
    }

    /// Whether squares have colours of their own.
    pub(crate) fn colored(self) -> bool {
        self.name != ThemeName::Plain
    }

    /// Whether squares may end in the middle of a line, and pieces be made of half blocks.
    pub(crate) fn halves(self) -> bool {
        self.colored() && !self.ascii
    }

    /// Whether White's pieces are drawn as outlines, because colour does not tell them apart.
    pub(crate) fn outlines(self) -> bool {
        matches!(self.name, ThemeName::Paper | ThemeName::Plain)
    }

    pub(crate) fn piece(self, side: Side) -> Style {
        let style = Style::new().fg(self.palette.pieces[side as usize]);
        match (self.name, side) {
            // A diagram's outlines are fine lines; letters without colour need all the help there is.
            (ThemeName::Paper, _) => style,
            (ThemeName::Plain, Side::Black) => style,
            _ => style.add_modifier(Modifier::BOLD),
        }
    }

    pub(crate) fn mark(self) -> Style {
        Style::new().fg(self.palette.mark).add_modifier(Modifier::BOLD)
    }

    pub(crate) fn cursor(self) -> Style {
        Style::new().fg(self.palette.cursor).add_modifier(Modifier::BOLD)
    }

    pub(crate) fn muted(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    pub(crate) fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    pub(crate) fn accent(self) -> Style {
        Style::new().fg(self.palette.accent).add_modifier(Modifier::BOLD)
    }

    pub(crate) fn alarm(self) -> Style {
        Style::new().fg(self.palette.alarm).add_modifier(Modifier::BOLD)
    }

    /// What the keyboard would choose in a list.
    pub(crate) fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }
}

impl Palette {
    fn shown(self, depth: Depth) -> Palette {
        let one = |color| depth.show(color);
        let two = |tint: Tint| tint.map(one);
        Palette {
            squares: two(self.squares),
            last: two(self.last),
            picked: two(self.picked),
            hint: two(self.hint),
            threat: two(self.threat),
            check: one(self.check),
            pieces: two(self.pieces),
            bodies: two(self.bodies),
            edges: two(self.edges),
            mark: one(self.mark),
            cursor: one(self.cursor),
            bar: two(self.bar),
            accent: one(self.accent),
            alarm: one(self.alarm),
        }
    }
}

const fn rgb(code: u32) -> Color {
    Color::Rgb((code >> 16) as u8, (code >> 8) as u8, code as u8)
}

const WALNUT: Palette = Palette {
    squares: [rgb(0xc9a57c), rgb(0x8d6142)],
    last: [rgb(0xd2b352), rgb(0xa6852f)],
    picked: [rgb(0xa3b36a), rgb(0x748a3f)],
    hint: [rgb(0x86b3cf), rgb(0x4f86a8)],
    threat: [rgb(0xe0955a), rgb(0xc06f35)],
    check: rgb(0xc8402c),
    pieces: [rgb(0xfffaf0), rgb(0x1b120d)],
    bodies: [rgb(0xfffaf0), rgb(0x45342a)],
    edges: [rgb(0x3a261a), rgb(0x1b120d)],
    mark: rgb(0x2a190f),
    cursor: rgb(0xffffff),
    bar: [rgb(0xf2ede4), rgb(0x55504b)],
    accent: rgb(0xb8803f),
    alarm: rgb(0xd0452f),
};

const SLATE: Palette = Palette {
    squares: [rgb(0xa3b3c0), rgb(0x5d7284)],
    last: [rgb(0x9cc0ae), rgb(0x5c937e)],
    picked: [rgb(0xc3b878), rgb(0x94883f)],
    hint: [rgb(0xb5a3e0), rgb(0x8470b8)],
    threat: [rgb(0xdc9a70), rgb(0xb86f45)],
    check: rgb(0xc23f4a),
    pieces: [rgb(0xffffff), rgb(0x10161b)],
    bodies: [rgb(0xffffff), rgb(0x36434e)],
    edges: [rgb(0x222d36), rgb(0x10161b)],
    mark: rgb(0x141c22),
    cursor: rgb(0xffffff),
    bar: [rgb(0xf2ede4), rgb(0x55504b)],
    accent: rgb(0x5f8fb0),
    alarm: rgb(0xd04a52),
};

const PAPER: Palette = Palette {
    squares: [rgb(0xffffff), rgb(0xc8c8c8)],
    last: [rgb(0xfff0a0), rgb(0xe4cf70)],
    picked: [rgb(0xc8f0c8), rgb(0x98d098)],
    hint: [rgb(0xc0dcff), rgb(0x98c0f0)],
    threat: [rgb(0xffd8b0), rgb(0xf0b880)],
    check: rgb(0xff8a80),
    pieces: [rgb(0x000000), rgb(0x000000)],
    bodies: [rgb(0xffffff), rgb(0x000000)],
    edges: [rgb(0x000000), rgb(0x000000)],
    mark: rgb(0x000000),
    cursor: rgb(0x0030c0),
    bar: [rgb(0xf2ede4), rgb(0x55504b)],
    accent: rgb(0x3070d0),
    alarm: rgb(0xd03020),
};

/// Cyan and green are the two of the sixteen on which both white and black can be read, whatever
/// a terminal makes of them.
const CONSOLE: Palette = Palette {
    squares: [Color::Cyan, Color::Green],
    last: [Color::Yellow, Color::Yellow],
    picked: [Color::Magenta, Color::Magenta],
    hint: [Color::Blue, Color::Blue],
    threat: [Color::Yellow, Color::Yellow],
    check: Color::Red,
    pieces: [Color::White, Color::Black],
    bodies: [Color::White, Color::Black],
    edges: [Color::Black, Color::Black],
    mark: Color::Black,
    cursor: Color::White,
    bar: [Color::White, Color::DarkGray],
    accent: Color::Cyan,
    alarm: Color::Red,
};

const PLAIN: Palette = Palette {
    squares: [Color::Reset; 2],
    last: [Color::Reset; 2],
    picked: [Color::Reset; 2],
    hint: [Color::Reset; 2],
    threat: [Color::Reset; 2],
    check: Color::Reset,
    pieces: [Color::Reset; 2],
    bodies: [Color::Reset; 2],
    edges: [Color::Reset; 2],
    mark: Color::Reset,
    cursor: Color::Reset,
    bar: [Color::Reset; 2],
    accent: Color::Reset,
    alarm: Color::Reset,
};

/// Whether the locale is UTF-8 and the terminal has more than a console's few glyphs, by what the environment says.
pub fn speaks_unicode(env: impl Fn(&str) -> Option<String>) -> bool {
    if cfg!(windows) {
        return true;
    }
    let said = |name| env(name).filter(|value: &String| !value.is_empty());
    let locale = said("LC_ALL").or_else(|| said("LC_CTYPE")).or_else(|| said("LANG"));
    let locale = locale.unwrap_or_default().to_ascii_lowercase();
    let console = said("TERM").is_some_and(|term| term == "linux" || term == "dumb");
    (locale.contains("utf-8") || locale.contains("utf8")) && !console
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(pairs: &[(&str, &str)]) -> impl Fn(&str) -> Option<String> {
        let pairs: Vec<(String, String)> =
            pairs.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect();
        move |name| pairs.iter().find(|(k, _)| k == name).map(|(_, v)| v.clone())
    }

    #[test]
    fn the_environment_tells_how_many_colours_there_are() {
        let cases: [(&[(&str, &str)], Depth); 9] = [
            (&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")], Depth::True),
            (&[("TERM", "tmux-256color")], Depth::Indexed),
            (&[("TERM", "xterm")], Depth::Sixteen),
            (&[("TERM", "linux")], Depth::Sixteen),
            (&[("TERM", "vt100")], Depth::None),
            (&[("TERM", "dumb")], Depth::None),
            (&[("TERM", "xterm-256color"), ("NO_COLOR", "1")], Depth::None),
            (&[("TERM", "xterm-256color"), ("NO_COLOR", "")], Depth::Indexed),
            (&[("TERM", "xterm-kitty")], Depth::True),
        ];
        for (pairs, depth) in cases {
            assert_eq!(Depth::detect(env(pairs)), depth, "{pairs:?}");
        }
    }

    #[test]
    fn letters_are_for_locales_without_unicode() {
        assert!(speaks_unicode(env(&[("LANG", "en_GB.UTF-8")])));
        assert!(speaks_unicode(env(&[("LANG", "C"), ("LC_ALL", "C.utf8")])));
        assert!(!speaks_unicode(env(&[("LANG", "de_DE.ISO-8859-1")])));
        assert!(!speaks_unicode(env(&[])));
        assert!(!speaks_unicode(env(&[("LANG", "en_GB.UTF-8"), ("TERM", "linux")])));
    }

    #[test]
    fn themes_come_round_and_never_ask_for_too_much() {
        for depth in [Depth::None, Depth::Sixteen, Depth::Indexed, Depth::True] {
            let first = Theme::new(ThemeName::Walnut, depth, false);
            let mut theme = first;
            for _ in 0..ThemeName::ALL.len() {
                assert!(theme.name.fits(depth));
                let rgb = matches!(theme.palette.squares[0], Color::Rgb(..));
                assert!(!rgb || depth == Depth::True);
                theme = theme.next();
                if theme.name == first.name {
                    break;
                }
            }
            assert_eq!(theme.name, first.name);
        }
    }

    #[test]
    fn the_nearest_of_256_colours() {
        assert_eq!(nearest(255, 255, 255), 231);
        assert_eq!(nearest(0, 0, 0), 16);
        assert_eq!(nearest(128, 128, 128), 244);
        assert_eq!(nearest(215, 95, 0), 166);
    }

    /// The relative luminance and contrast of the web's accessibility guidelines.
    fn contrast(a: Color, b: Color) -> f64 {
        let luminance = |color| {
            let Color::Rgb(r, g, b) = color else { unreachable!() };
            let part = |value: u8| {
                let value = f64::from(value) / 255.0;
                if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b)
        };
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        if a > b { a / b } else { b / a }
    }

    #[test]
    fn pieces_can_be_read_on_every_square() {
        for (palette, least) in [(WALNUT, 1.9), (SLATE, 1.9), (PAPER, 7.0)] {
            let Palette { squares, last, picked, hint, threat, check, .. } = palette;
            for ground in [squares, last, picked, hint, threat, [check; 2]].concat() {
                for piece in palette.pieces {
                    let found = contrast(piece, ground);
                    assert!(found >= least, "{piece:?} on {ground:?}: {found:.2}");
                }
            }
            assert!(contrast(squares[0], squares[1]) > 1.5);
        }
    }
}
