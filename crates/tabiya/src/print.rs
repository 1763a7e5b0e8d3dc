//! What people read. `println!`, `eprint!` and `eprintln!` are for whom nobody listens any more: those of the standard
//! library panic then, which is no way to treat somebody who runs `tabiya … 2>&1 | head -1`. Where the locale is ASCII
//! (`LC_ALL=C`), so is everything that is said; records, tables and JSON stay as they are.

use std::fmt::Arguments;
use std::io::{self, StdoutLock, Write};

use crate::terminal::is_ascii;

macro_rules! println {
    () => { $crate::print::line(format_args!("")) };
    ($($text:tt)*) => { $crate::print::line(format_args!($($text)*)) };
}

macro_rules! eprint {
    ($($text:tt)*) => { $crate::print::aside(format_args!($($text)*)) };
}

macro_rules! eprintln {
    () => { $crate::print::aside(format_args!("\n")) };
    ($($text:tt)*) => { $crate::print::aside(format_args!("{}\n", format_args!($($text)*))) };
}

/// A line of standard output. When its reader is gone, there is nothing left to do.
pub(crate) fn line(text: Arguments<'_>) {
    if out().write_fmt(format_args!("{text}\n")).is_err() {
        std::process::exit(0);
    }
}

/// What goes to standard error, if somebody reads it.
pub(crate) fn aside(text: Arguments<'_>) {
    let _ = Spoken::to(io::stderr()).write_fmt(text);
}

/// Standard output for what people read.
pub(crate) fn out() -> Spoken<StdoutLock<'static>> {
    Spoken::to(io::stdout().lock())
}

/// What is drawn and not printed, in the letters that people can see.
pub(crate) fn spoken(text: String) -> String {
    if is_ascii() { ascii(&text) } else { text }
}

/// Text on its way to people, in the letters that they can see.
pub(crate) struct Spoken<W> {
    out: W,
    is_ascii: bool,
    /// The beginning of a letter whose end is still to come.
    open: Vec<u8>,
}

impl<W: Write> Spoken<W> {
    pub(crate) fn to(out: W) -> Spoken<W> {
        Spoken { out, is_ascii: is_ascii(), open: Vec::new() }
    }
}

impl<W: Write> Write for Spoken<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_ascii || (bytes.is_ascii() && self.open.is_empty()) {
            return self.out.write(bytes);
        }
        self.open.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.open) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.open.len(),
        };
        let text = String::from_utf8_lossy(&self.open[..whole]);
        self.out.write_all(ascii(&text).as_bytes())?;
        self.open.drain(..whole);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A text in ASCII: what looks like it, or a question mark.
pub(crate) fn ascii(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\0'..='\x7f' => plain.push(letter),
            '‐'..='―' | '−' | '─' | '━' => plain.push('-'),
            '‘' | '’' | 'ʼ' | '‚' => plain.push('\''),
            '“' | '”' | '„' | '«' | '»' => plain.push('"'),
            '…' => plain.push_str("..."),
            '±' => plain.push_str("+/-"),
            '×' => plain.push('x'),
            '·' | '•' => plain.push('.'),
            '½' => plain.push_str("1/2"),
            '→' => plain.push_str("->"),
            '←' => plain.push_str("<-"),
            '↑' => plain.push('^'),
            '↓' => plain.push('v'),
            '≤' => plain.push_str("<="),
            '≥' => plain.push_str(">="),
            '│' | '┃' => plain.push('|'),
            '\u{a0}' | '\u{2007}' | '\u{2009}' | '\u{202f}' => plain.push(' '),
            // What stands above, below or through a letter.
            '\u{300}'..='\u{36f}' => {}
            // Winning chances, from the lowest bar to the highest.
            '▁'..='█' => {
                plain.push(['_', '.', ',', '-', '=', '+', '*', '#'][letter as usize - '▁' as usize])
            }
            '♔' | '♚' => plain.push('K'),
            '♕' | '♛' => plain.push('Q'),
            '♖' | '♜' => plain.push('R'),
            '♗' | '♝' => plain.push('B'),
            '♘' | '♞' => plain.push('N'),
            '♙' | '♟' => plain.push('P'),
            letter => {
                let folded = tabiya_base::fold(letter.encode_utf8(&mut [0; 4]));
                match folded.is_ascii() && !folded.is_empty() {
                    true if letter.is_uppercase() => plain.push_str(&folded.to_ascii_uppercase()),
                    true => plain.push_str(&folded),
                    false => plain.push('?'),
                }
            }
        }
    }
    plain
}

/// `1 game`, `1,234 games`.
pub(crate) fn count(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", grouped(number))
}

/// A number in groups of three digits: 206,604.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_has_something_in_ascii() {
        for (text, plain) in [
            ("Réti – Øst, ½ ± 3 × 4 …", "Reti - Ost, 1/2 +/- 3 x 4 ..."),
            ("ÉÈß“Алехин”", "EEss\"??????\""),
            ("▁▄█ ♘f3", "_-# Nf3"),
            ("e4\n", "e4\n"),
        ] {
            assert_eq!(ascii(text), plain);
        }
    }

    #[test]
    fn a_letter_may_come_in_two_pieces() {
        let mut spoken = Spoken { out: Vec::new(), is_ascii: true, open: Vec::new() };
        let text = "a–é\u{301}z".as_bytes();
        for piece in text.chunks(2) {
            spoken.write_all(piece).unwrap();
        }
        assert_eq!(spoken.out, b"a-ez");
        let mut plain = Spoken { is_ascii: false, ..spoken };
        plain.out.clear();
        plain.write_all("é".as_bytes()).unwrap();
        assert_eq!(plain.out, "é".as_bytes());
    }
}
