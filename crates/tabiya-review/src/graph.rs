use std::fmt::Write as _;

use tabiya_chess::Color;

use crate::{Judgement, Review, Reviewed};

/// How the picture of a game looks.
///
/// ```
/// use tabiya_review::{Graph, GraphTheme};
///
/// let dark = Graph { theme: GraphTheme::Dark, ..Graph::default() };
/// assert_eq!((dark.width, dark.height), (960, 300));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// In pixels, as far as a drawing has any.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// Light or dark.
    pub theme: GraphTheme,
    /// Who had White and who had Black.
    pub players: [String; 2],
}

/// Light or dark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GraphTheme {
    /// As whoever looks at it prefers.
    #[default]
    Auto,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

impl Default for Graph {
    fn default() -> Graph {
        let players = [Color::White, Color::Black].map(|color| color.name().to_owned());
        Graph { width: 960, height: 300, theme: GraphTheme::Auto, players }
    }
}

const LIGHT: &str = "--page:#faf8f4;--ink:#2b2723;--muted:#6f675e;--white:#fffdf8;--black:#5b534a;\
--line:#2b2723;--grid:#a69c90;--inaccuracy:#b98900;--mistake:#d2691e;--blunder:#b3261e;";
const DARK: &str = "--page:#1d1b19;--ink:#ece6dc;--muted:#a69c90;--white:#d9d0c3;--black:#2f2b27;\
--line:#f4eee4;--grid:#7a7168;--inaccuracy:#f0c04a;--mistake:#ff9a52;--blunder:#ff6b5e;";

/// Room above the picture for names, and below it for the numbers of moves.
const HEAD: f64 = 40.0;
const FOOT: f64 = 24.0;
const SIDE: f64 = 14.0;

impl Review {
    /// A picture of the game as SVG: White's winning chances from the start to the end, with marks where moves
    /// were judged.
    ///
    /// ```
    /// # use tabiya_base::Stop;
    /// # use tabiya_review::{Graph, ReviewSettings, review};
    /// # let settings = ReviewSettings { nodes: 1_000, ..ReviewSettings::default() };
    /// let review = review(&"1. f3 e5 2. g4 Qh4# 0-1".parse()?, &settings, &mut |_, _| {}, &Stop::default())?;
    /// let svg = review.graph(&Graph::default());
    /// assert!(svg.starts_with("<svg ") && svg.contains("2. g4"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn graph(&self, graph: &Graph) -> String {
        let frame = Frame::new(graph, self.moves.len());
        let mut svg = String::new();
        // Writing to a string cannot fail.
        let _ = self.draw(graph, &frame, &mut svg);
        svg
    }

    fn draw(&self, graph: &Graph, frame: &Frame, svg: &mut String) -> std::fmt::Result {
        let Graph { width, height, .. } = graph;
        let [white, black] = graph.players.each_ref().map(|name| escape(name));
        writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" aria-label=\"Winning chances: {white} – {black}\">"
        )?;
        writeln!(svg, "<style>{}</style>", style(graph.theme))?;
        writeln!(svg, "<rect class=\"page\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>")?;
        self.draw_head(frame, [&white, &black], svg)?;
        let Frame { left, top, wide, high, .. } = *frame;
        writeln!(
            svg,
            "<rect class=\"black\" x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\"/>"
        )?;
        let points: Vec<(f64, f64)> = self
            .evaluations()
            .enumerate()
            .map(|(ply, evaluation)| (frame.x(ply), frame.y(evaluation.worth.chances())))
            .collect();
        let mut path = String::new();
        for (x, y) in &points {
            write!(path, "{}{x:.1} {y:.1}", if path.is_empty() { "M" } else { " L" })?;
        }
        let (bottom, end) = (top + high, frame.x(self.moves.len()));
        writeln!(
            svg,
            "<path class=\"white\" d=\"{path} L{end:.1} {bottom} L{left} {bottom} Z\"/>"
        )?;
        let middle = frame.y(50.0);
        writeln!(svg, "<path class=\"grid\" d=\"M{left} {middle} H{}\"/>", left + wide)?;
        self.draw_phases(frame, svg)?;
        writeln!(svg, "<path class=\"line\" d=\"{path}\"/>")?;
        for (index, reviewed) in self.moves.iter().enumerate() {
            if let Some(judgement) = reviewed.judgement {
                let at = (frame.x(index + 1), frame.y(reviewed.evaluation.worth.chances()));
                draw_mark(reviewed, judgement, at, svg)?;
            }
        }
        self.draw_numbers(frame, svg)?;
        svg.write_str("</svg>\n")
    }

    fn draw_head(&self, frame: &Frame, names: [&String; 2], svg: &mut String) -> std::fmt::Result {
        let accuracy = |color| match self.performance(color).accuracy {
            Some(accuracy) => format!(" <tspan class=\"number\">{accuracy:.1} %</tspan>"),
            None => String::new(),
        };
        let right = frame.left + frame.wide;
        let [white, black] = names;
        writeln!(
            svg,
            "<text x=\"{}\" y=\"25\">○ {white}{}</text>",
            frame.left,
            accuracy(Color::White)
        )?;
        writeln!(
            svg,
            "<text class=\"end\" x=\"{right}\" y=\"25\">● {black}{}</text>",
            accuracy(Color::Black)
        )?;
        if let Some(opening) = &self.opening {
            let name = escape(opening.name);
            let middle = frame.left + frame.wide / 2.0;
            writeln!(
                svg,
                "<text class=\"small middle\" x=\"{middle}\" y=\"25\">{} {name}</text>",
                opening.eco
            )?;
        }
        Ok(())
    }

    fn draw_phases(&self, frame: &Frame, svg: &mut String) -> std::fmt::Result {
        let phases = [(self.phases.middlegame, "Middlegame"), (self.phases.endgame, "Endgame")];
        for (ply, name) in phases {
            // A line at the very start parts nothing.
            let Some(ply) = ply.filter(|&ply| ply > 0) else { continue };
            let (x, bottom) = (frame.x(ply), frame.top + frame.high);
            writeln!(svg, "<path class=\"grid\" d=\"M{x:.1} {} V{bottom}\"/>", frame.top)?;
            writeln!(
                svg,
                "<text class=\"phase\" x=\"{:.1}\" y=\"{}\">{name}</text>",
                x + 5.0,
                frame.top + 14.0
            )?;
        }
        Ok(())
    }

    /// The numbers of moves, about one in eighty pixels.
    fn draw_numbers(&self, frame: &Frame, svg: &mut String) -> std::fmt::Result {
        let moves = self.moves.len().div_ceil(2);
        let most = (frame.wide / 80.0).max(1.0) as usize;
        let step = [1, 2, 5, 10, 20, 50, 100, 200, 500]
            .into_iter()
            .find(|step| moves / step <= most)
            .unwrap_or(1000);
        let y = frame.top + frame.high + 16.0;
        for (index, reviewed) in self.moves.iter().enumerate() {
            if usize::from(reviewed.number).is_multiple_of(step) && reviewed.color == Color::White {
                let x = frame.x(index + 1);
                let number = reviewed.number;
                writeln!(
                    svg,
                    "<text class=\"small middle\" x=\"{x:.1}\" y=\"{y}\">{number}</text>"
                )?;
            }
        }
        Ok(())
    }
}

/// Where things are.
struct Frame {
    left: f64,
    top: f64,
    wide: f64,
    high: f64,
    plies: f64,
}

impl Frame {
    fn new(graph: &Graph, plies: usize) -> Frame {
        let wide = (f64::from(graph.width) - 2.0 * SIDE).max(10.0);
        let high = (f64::from(graph.height) - HEAD - FOOT).max(10.0);
        Frame { left: SIDE, top: HEAD, wide, high, plies: plies.max(1) as f64 }
    }

    fn x(&self, ply: usize) -> f64 {
        self.left + self.wide * ply as f64 / self.plies
    }

    fn y(&self, chances: f64) -> f64 {
        self.top + self.high * (100.0 - chances) / 100.0
    }
}

/// Marks differ by shape as well as by colour: a circle, a triangle, a diamond.
fn draw_mark(
    reviewed: &Reviewed,
    judgement: Judgement,
    (x, y): (f64, f64),
    svg: &mut String,
) -> std::fmt::Result {
    let name = judgement.name();
    let dots = if reviewed.color == Color::White { "." } else { "…" };
    let (number, san) = (reviewed.number, &reviewed.san);
    let sentence = reviewed.sentence().unwrap_or_default();
    let title = format!("{number}{dots} {san}{} {sentence}", judgement.symbol());
    let shape = match judgement {
        Judgement::Inaccuracy => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\""),
        Judgement::Mistake => {
            let (left, right, above, below) = (x - 5.2, x + 5.2, y - 5.4, y + 3.8);
            format!("<path d=\"M{x:.1} {above:.1} L{right:.1} {below:.1} H{left:.1} Z\"")
        }
        Judgement::Blunder => {
            let (left, right, above, below) = (x - 5.8, x + 5.8, y - 5.8, y + 5.8);
            format!(
                "<path d=\"M{x:.1} {above:.1} L{right:.1} {y:.1} L{x:.1} {below:.1} L{left:.1} {y:.1} Z\""
            )
        }
    };
    let tag = if judgement == Judgement::Inaccuracy { "circle" } else { "path" };
    writeln!(svg, "{shape} class=\"mark {name}\"><title>{}</title></{tag}>", escape(&title))
}

fn style(theme: GraphTheme) -> String {
    let colours = match theme {
        GraphTheme::Light => format!("svg{{{LIGHT}}}"),
        GraphTheme::Dark => format!("svg{{{DARK}}}"),
        GraphTheme::Auto => {
            format!("svg{{{LIGHT}}}@media (prefers-color-scheme:dark){{svg{{{DARK}}}}}")
        }
    };
    let rules = "text{font:600 15px system-ui,sans-serif;fill:var(--ink)}\
.number{font-weight:400;font-variant-numeric:tabular-nums}\
.small,.phase{font-size:12px;font-weight:400;fill:var(--muted)}\
.phase{fill:#fffdf8;paint-order:stroke;stroke:#2b2723;stroke-opacity:.55;stroke-width:3px}\
.middle{text-anchor:middle}.end{text-anchor:end}\
.page{fill:var(--page)}.white{fill:var(--white)}.black{fill:var(--black)}\
.line{fill:none;stroke:var(--line);stroke-width:1.5;stroke-linejoin:round}\
.grid{fill:none;stroke:var(--grid);stroke-width:1;stroke-dasharray:3 4}\
.mark{stroke:var(--page);stroke-width:1.5}\
.inaccuracy{fill:var(--inaccuracy)}.mistake{fill:var(--mistake)}.blunder{fill:var(--blunder)}";
    format!("{colours}{rules}")
}

/// Text that cannot be taken for anything else; what XML cannot hold is left out.
fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars().take(200) {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_out() {
        assert_eq!(escape("<script>&\"\u{0}\u{7}"), "&lt;script&gt;&amp;&quot;");
    }

    #[test]
    fn themes() {
        assert!(style(GraphTheme::Auto).contains("prefers-color-scheme:dark"));
        assert!(!style(GraphTheme::Dark).contains("prefers-color-scheme"));
        assert!(
            style(GraphTheme::Light).contains(LIGHT) && !style(GraphTheme::Light).contains(DARK)
        );
    }
}
