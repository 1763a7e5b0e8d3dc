use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};
use tabiya_db::Database;
use tabiya_players::Player;
use tabiya_tui::ThemeName;

/// What you want every time: without a word all settings are shown, with a name that one, with a value it is set.
///
/// Options of the command line go before.
#[derive(clap::Args)]
#[command(after_help = settings_help())]
pub(crate) struct Args {
    /// The setting.
    name: Option<Name>,

    /// What it is to be.
    value: Option<String>,

    /// Forget a setting.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["name", "value"])]
    unset: Option<Name>,
}

fn settings_help() -> String {
    format!(
        "Settings:
  theme     the look of the board on the screen: {}
  level     how well Tabiya plays if nobody else is named, 400 to 2400
  engine    who analyses on the screen: tabiya, or uci:stockfish
  database  the folder of a database of games, which tells there what was played
  sounds    whether the terminal's bell rings when the computer has moved: on or off

Examples:
  tabiya config
  tabiya config theme slate
  tabiya config engine uci:stockfish
  tabiya config --unset theme",
        ThemeName::names()
    )
}

#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, clap::ValueEnum, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
enum Name {
    Theme,
    Level,
    Engine,
    Database,
    Sounds,
}

impl Name {
    const ALL: [Name; 5] = [Name::Theme, Name::Level, Name::Engine, Name::Database, Name::Sounds];

    const fn name(self) -> &'static str {
        match self {
            Name::Theme => "theme",
            Name::Level => "level",
            Name::Engine => "engine",
            Name::Database => "database",
            Name::Sounds => "sounds",
        }
    }

    const fn usual(self) -> &'static str {
        match self {
            Name::Theme => "walnut",
            Name::Level => "1200",
            Name::Engine => "tabiya",
            Name::Database => "",
            Name::Sounds => "off",
        }
    }

    /// Whether it may be that; if not, why.
    fn check(self, value: &str) -> anyhow::Result<()> {
        match self {
            Name::Theme => {
                value.parse::<ThemeName>()?;
            }
            Name::Level => {
                let elo = value.parse::<u32>().is_ok_and(|elo| (400..=2400).contains(&elo));
                anyhow::ensure!(elo, "{value:?} is no level: choose 400 to 2400");
            }
            Name::Engine => {
                let player = value.parse::<Player>()?;
                anyhow::ensure!(!player.is_person(), "an engine is no person");
            }
            Name::Database => {
                Database::open(Path::new(value))?;
            }
            Name::Sounds => {
                anyhow::ensure!(matches!(value, "on" | "off"), "sounds are on or off");
            }
        }
        Ok(())
    }
}

/// The settings that somebody has made.
#[derive(Default)]
pub(crate) struct Config(BTreeMap<Name, String>);

impl Config {
    /// Those of the file; none if there is no file.
    pub(crate) fn read() -> anyhow::Result<Config> {
        match file() {
            Some(file) => Config::of(&file),
            None => Ok(Config::default()),
        }
    }

    fn of(file: &Path) -> anyhow::Result<Config> {
        let place = || file.display().to_string();
        let text = match std::fs::read_to_string(file) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Config::default()),
            text => text.with_context(place)?,
        };
        let settings: BTreeMap<Name, toml::Value> = toml::from_str(&text)
            .map_err(|error| anyhow::anyhow!("{}", told(&error, &text)))
            .with_context(place)?;
        let mut config = Config::default();
        for (name, value) in settings {
            let value = match value {
                toml::Value::String(text) => text,
                toml::Value::Boolean(on) => if on { "on" } else { "off" }.to_owned(),
                other => other.to_string(),
            };
            name.check(&value).with_context(place)?;
            config.0.insert(name, value);
        }
        Ok(config)
    }

    fn get(&self, name: Name) -> &str {
        self.0.get(&name).map_or(name.usual(), String::as_str)
    }

    /// The look of the board on the screen.
    pub(crate) fn theme(&self) -> ThemeName {
        self.get(Name::Theme).parse().unwrap_or(ThemeName::Walnut)
    }

    /// How well Tabiya plays if nobody else is named.
    pub(crate) fn level(&self) -> &str {
        self.get(Name::Level)
    }

    /// Who analyses.
    pub(crate) fn engine(&self) -> Player {
        let usual = Player::tabiya(tabiya_players::Strength::Full);
        self.get(Name::Engine).parse().unwrap_or(usual)
    }

    /// Which database tells what was played.
    pub(crate) fn database(&self) -> Option<&Path> {
        self.0.get(&Name::Database).map(Path::new)
    }

    /// Whether the bell rings.
    pub(crate) fn sounds(&self) -> bool {
        self.get(Name::Sounds) == "on"
    }
}

/// The file: that of `TABIYA_CONFIG`, else the one that the system has for a program's settings.
fn file() -> Option<PathBuf> {
    if let Some(set) = std::env::var_os("TABIYA_CONFIG").filter(|set| !set.is_empty()) {
        return Some(set.into());
    }
    let system = etcetera::base_strategy::choose_native_strategy().ok()?;
    Some(system.config_dir().join("tabiya").join("config.toml"))
}

/// The first line of what is wrong, with its place.
fn told(error: &toml::de::Error, text: &str) -> String {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    format!("line {line}: {}", error.message().lines().next().unwrap_or_default())
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let file = file().context("there is no home to keep settings in: set TABIYA_CONFIG")?;
    let mut config = Config::of(&file)?;
    let mut out = crate::print::out();
    match (args.name, &args.value, args.unset) {
        (Some(name), Some(value), _) => {
            name.check(value)?;
            config.0.insert(name, value.clone());
            write(&file, &config)
        }
        (Some(name), None, _) => Ok(writeln!(out, "{}", config.get(name))?),
        (None, _, Some(name)) => {
            config.0.remove(&name);
            write(&file, &config)
        }
        (None, ..) => {
            writeln!(out, "# {}", file.display())?;
            for name in Name::ALL {
                let unset = if config.0.contains_key(&name) { "" } else { "   (not set)" };
                writeln!(out, "{:<9} {}{unset}", name.name(), config.get(name))?;
            }
            Ok(())
        }
    }
}

fn write(file: &Path, config: &Config) -> anyhow::Result<()> {
    let place = || file.display().to_string();
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).with_context(place)?;
    }
    let line = |(name, value): (&Name, &String)| match value.parse::<u32>() {
        Ok(number) => format!("{} = {number}\n", name.name()),
        Err(_) => format!("{} = {}\n", name.name(), toml::Value::from(value.as_str())),
    };
    let text: String = config.0.iter().map(line).collect();
    if text.is_empty() && !file.exists() {
        bail!("{}: there are no settings", place());
    }
    tabiya_base::write_atomically(file, |out| out.write_all(text.as_bytes())).with_context(place)
}
