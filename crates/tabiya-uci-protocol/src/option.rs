use std::fmt;

use crate::words::{Words, integer, shorten};

/// An option that an engine offers.
///
/// ```
/// use tabiya_uci_protocol::{Message, OptionKind, OptionSpec};
///
/// let hash = OptionSpec {
///     name: "Hash".into(),
///     kind: OptionKind::Spin { default: 16, min: 1, max: 1024 },
/// };
/// let line = "option name Hash type spin default 16 min 1 max 1024";
/// assert_eq!(Message::parse(line), Message::Option(hash.clone()));
/// assert_eq!(Message::Option(hash).to_string(), line);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// Its name, which may have spaces.
    pub name: String,
    /// What can be set.
    pub kind: OptionKind,
}

/// What can be set with an option.
///
/// ```
/// use tabiya_uci_protocol::{Message, OptionKind};
///
/// let line = "option name Style type combo default Normal var Solid var Normal var Risky";
/// let Message::Option(style) = Message::parse(line) else { panic!() };
/// let OptionKind::Combo { default, vars } = style.kind else { panic!() };
/// assert_eq!((default.as_str(), vars.len()), ("Normal", 3));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// On or off.
    Check {
        /// What it is at first.
        default: bool,
    },
    /// A number.
    Spin {
        /// What it is at first.
        default: i64,
        /// The least.
        min: i64,
        /// The most.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// What it is at first.
        default: String,
        /// What it can be.
        vars: Vec<String>,
    },
    /// Something to press.
    Button,
    /// A text, which may be empty.
    String {
        /// What it is at first.
        default: String,
    },
}

/// A value that an option can have. See [`OptionSpec::read`].
///
/// ```
/// use tabiya_uci_protocol::{OptionKind, OptionSpec, OptionValue};
///
/// let ponder = OptionSpec { name: "Ponder".into(), kind: OptionKind::Check { default: false } };
/// assert_eq!(ponder.read(Some("true")), Ok(OptionValue::Check(true)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionValue {
    /// On or off.
    Check(bool),
    /// A number within its limits.
    Spin(i64),
    /// One of the words, written as the option writes it.
    Combo(String),
    /// The button was pressed.
    Button,
    /// A text.
    String(String),
}

impl OptionSpec {
    /// Whether this is the option with a name, in any case of letters.
    ///
    /// ```
    /// # use tabiya_uci_protocol::{OptionKind, OptionSpec};
    /// let clear = OptionSpec { name: "Clear Hash".into(), kind: OptionKind::Button };
    /// assert!(clear.is_named("clear hash"));
    /// ```
    pub fn is_named(&self, name: &str) -> bool {
        self.name.to_lowercase() == name.to_lowercase()
    }

    /// Reads a value for this option, or says why it cannot have it.
    ///
    /// ```
    /// # use tabiya_uci_protocol::{OptionKind, OptionSpec, OptionValue};
    /// let threads = OptionSpec {
    ///     name: "Threads".into(),
    ///     kind: OptionKind::Spin { default: 1, min: 1, max: 64 },
    /// };
    /// assert_eq!(threads.read(Some("8")), Ok(OptionValue::Spin(8)));
    /// assert_eq!(
    ///     threads.read(Some("65")).unwrap_err().to_string(),
    ///     "the option Threads is a number from 1 to 64, not \"65\""
    /// );
    /// ```
    pub fn read(&self, value: Option<&str>) -> Result<OptionValue, OptionError> {
        let text = value.unwrap_or_default();
        let read = match &self.kind {
            OptionKind::Check { .. } if text.eq_ignore_ascii_case("true") => {
                Some(OptionValue::Check(true))
            }
            OptionKind::Check { .. } if text.eq_ignore_ascii_case("false") => {
                Some(OptionValue::Check(false))
            }
            OptionKind::Check { .. } => None,
            OptionKind::Spin { min, max, .. } => {
                integer(text).filter(|number| (min..=max).contains(&number)).map(OptionValue::Spin)
            }
            OptionKind::Combo { vars, .. } => vars
                .iter()
                .find(|var| var.to_lowercase() == text.to_lowercase())
                .map(|var| OptionValue::Combo(var.clone())),
            OptionKind::Button => Some(OptionValue::Button),
            OptionKind::String { .. } => Some(OptionValue::String(text.to_owned())),
        };
        read.ok_or_else(|| OptionError::BadValue { option: self.clone(), found: shorten(text) })
    }

    /// Reads the words after `option`; none if they do not describe one.
    pub(crate) fn parse(mut words: Words<'_>) -> Option<OptionSpec> {
        words.find(|&word| word == "name")?;
        let name = words.until(&["type"]).join(" ");
        words.next()?;
        let kind = match words.next()? {
            "check" => OptionKind::Check { default: value_of("default", words) == Some("true") },
            "spin" => {
                let number = |name| integer(value_of(name, words.clone())?);
                OptionKind::Spin {
                    default: number("default")?,
                    min: number("min")?,
                    max: number("max")?,
                }
            }
            "combo" => combo(words),
            "button" => OptionKind::Button,
            "string" => {
                words.find(|&word| word == "default");
                let default = Some(words.rest()).filter(|&text| text != "<empty>");
                OptionKind::String { default: default.unwrap_or_default().to_owned() }
            }
            _ => return None,
        };
        (!name.is_empty()).then_some(OptionSpec { name, kind })
    }
}

/// The word after a word.
fn value_of<'a>(name: &str, mut words: Words<'a>) -> Option<&'a str> {
    words.find(|&word| word == name)?;
    words.next()
}

fn combo(mut words: Words<'_>) -> OptionKind {
    let mut default = String::new();
    let mut vars = Vec::new();
    while let Some(word) = words.next() {
        match word {
            "default" => default = words.until(&["default", "var"]).join(" "),
            "var" => vars.push(words.until(&["default", "var"]).join(" ")),
            _ => {}
        }
    }
    OptionKind::Combo { default, vars }
}

impl fmt::Display for OptionSpec {
    /// All but the word `option`: `name Hash type spin default 16 min 1 max 1024`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, vars } => {
                write!(f, "combo default {default}")?;
                vars.iter().try_for_each(|var| write!(f, " var {var}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::String { default } if default.is_empty() => {
                f.write_str("string default <empty>")
            }
            OptionKind::String { default } => write!(f, "string default {default}"),
        }
    }
}

/// Why an option cannot be set.
///
/// ```
/// use tabiya_uci_protocol::OptionError;
///
/// let error = OptionError::Unknown("Hsah".into());
/// assert_eq!(error.to_string(), "there is no option \"Hsah\"");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionError {
    /// No option has that name (cut short if long).
    Unknown(String),
    /// The option cannot have that value.
    BadValue {
        /// The option.
        option: OptionSpec,
        /// The value (cut short if long).
        found: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown(name) => write!(f, "there is no option {name:?}"),
            OptionError::BadValue { option, found } => {
                write!(f, "the option {} is ", option.name)?;
                match &option.kind {
                    OptionKind::Check { .. } => f.write_str("true or false")?,
                    OptionKind::Spin { min, max, .. } => write!(f, "a number from {min} to {max}")?,
                    OptionKind::Combo { vars, .. } => write!(f, "one of {}", vars.join(", "))?,
                    OptionKind::Button => f.write_str("a button")?,
                    OptionKind::String { .. } => f.write_str("a text")?,
                }
                write!(f, ", not {found:?}")
            }
        }
    }
}

impl std::error::Error for OptionError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Message;

    fn option(line: &str) -> OptionSpec {
        match Message::parse(line) {
            Message::Option(option) => option,
            other => panic!("{line} gives {other:?}"),
        }
    }

    #[test]
    fn options_of_every_kind_are_written_as_they_are_read() {
        for line in [
            "option name Ponder type check default false",
            "option name Hash type spin default 16 min 1 max 33554432",
            "option name Contempt type spin default 0 min -100 max 100",
            "option name Playing Style type combo default Very Solid var Very Solid var Normal",
            "option name Clear Hash type button",
            "option name SyzygyPath type string default <empty>",
            "option name Debug Log File type string default C:\\My Files\\a  log.txt",
        ] {
            assert_eq!(Message::Option(option(line)).to_string(), line);
        }
    }

    #[test]
    fn fields_in_any_order_and_empty_texts() {
        let spin = option("option name N type spin max 5 min -5 default 2");
        assert_eq!(spin.kind, OptionKind::Spin { default: 2, min: -5, max: 5 });
        let empty = OptionKind::String { default: String::new() };
        assert_eq!(option("option name Path type string default ").kind, empty);
        assert_eq!(option("option name Path type string").kind, empty);
    }

    #[test]
    fn what_describes_no_option_is_left_as_text() {
        for line in [
            "option",
            "option name Hash",
            "option name type spin default 1 min 1 max 1",
            "option name Hash type",
            "option name Hash type slider default 3",
            "option name Hash type spin default lots min 1 max 2",
            "option name Hash type spin default 1",
        ] {
            assert_eq!(Message::parse(line), Message::Other(line.to_owned()));
        }
    }

    #[test]
    fn values_are_checked() {
        let check = option("option name Ponder type check default false");
        assert_eq!(check.read(Some("FALSE")), Ok(OptionValue::Check(false)));
        assert_eq!(
            check.read(Some("yes")).unwrap_err().to_string(),
            "the option Ponder is true or false, not \"yes\""
        );
        assert!(check.read(None).is_err());

        let spin = option("option name Hash type spin default 16 min 1 max 64");
        assert_eq!(spin.read(Some("64")), Ok(OptionValue::Spin(64)));
        for wrong in ["0", "65", "-1", "99999999999999999999999", "", "many", "1.5"] {
            assert!(spin.read(Some(wrong)).is_err(), "{wrong}");
        }

        let combo = option("option name Style type combo default Solid var Solid var Very Risky");
        assert_eq!(combo.read(Some("very risky")), Ok(OptionValue::Combo("Very Risky".into())));
        assert_eq!(
            combo.read(Some("Mad")).unwrap_err().to_string(),
            "the option Style is one of Solid, Very Risky, not \"Mad\""
        );

        let text = option("option name Path type string default <empty>");
        assert_eq!(text.read(Some("a b")), Ok(OptionValue::String("a b".into())));
        assert_eq!(text.read(None), Ok(OptionValue::String(String::new())));
        let button = option("option name Clear type button");
        assert_eq!(button.read(None), Ok(OptionValue::Button));
    }
}
