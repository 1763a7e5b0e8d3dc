use std::borrow::Cow;
use std::collections::VecDeque;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};
use serde::Serialize;
use tabiya_play::{Refusal, Side};
use tabiya_players::is_invisible;
use tokio::sync::watch;

use crate::json;

/// What players may say to each other.
pub(crate) const PHRASES: [&str; 10] = [
    "Hello!",
    "Good luck!",
    "Have fun!",
    "Well played!",
    "Nice move!",
    "Oops!",
    "Sorry!",
    "One moment.",
    "Thank you!",
    "Another game?",
];

/// So many characters are said at once in one's own words.
pub(crate) const LONGEST_WORDS: usize = 140;

/// So long after the last page was closed a player counts as away.
const GONE: Duration = Duration::from_secs(4);
/// So long after a question that was not answered.
const SILENT: Duration = Duration::from_secs(10);
/// How often the number of those who watch is told.
const PAUSE: Duration = Duration::from_secs(1);
/// So much of what was said is remembered.
const REMEMBERED: usize = 20;
/// So much is said in a row, and then one in so long a time.
const TALKATIVE: f64 = 4.0;
const BREATH: Duration = Duration::from_secs(3);

/// Those around a game: who is there, who watches, what was said. Nothing of it is kept.
pub(crate) struct Presence {
    state: Mutex<State>,
    told: watch::Sender<Arc<String>>,
}

struct State {
    watching: usize,
    players: [PlayerPresence; 2],
    said: VecDeque<Said>,
    count: u64,
    told: Instant,
}

struct PlayerPresence {
    pages: usize,
    /// When the last page was closed.
    left: Instant,
    /// Whether this player has ever answered a question; programs may not.
    answers: bool,
    /// Since when a question waits for an answer.
    asked: Option<Instant>,
    /// What may still be said now, and when that was counted.
    breath: f64,
    counted: Instant,
}

#[derive(Serialize, Clone)]
struct Said {
    number: u64,
    side: &'static str,
    text: Cow<'static, str>,
    /// Whether a player has written it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    own: bool,
}

/// What a player has written: short, and all of it can be seen.
pub(crate) struct OwnWords(String);

impl FromStr for OwnWords {
    type Err = String;

    fn from_str(text: &str) -> Result<OwnWords, String> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let length = text.chars().count();
        match (1..=LONGEST_WORDS).contains(&length) && !text.chars().any(is_invisible) {
            true => Ok(OwnWords(text)),
            false => {
                Err(format!("What you say has 1 to {LONGEST_WORDS} characters that can be seen."))
            }
        }
    }
}

#[derive(Serialize)]
struct PresenceJson<'a> {
    watching: usize,
    away: Vec<&'static str>,
    said: &'a VecDeque<Said>,
}

impl PlayerPresence {
    fn new(now: Instant) -> PlayerPresence {
        PlayerPresence {
            pages: 0,
            left: now,
            answers: false,
            asked: None,
            breath: TALKATIVE,
            counted: now,
        }
    }

    fn is_away(&self, now: Instant) -> bool {
        let for_longer = |since: Instant, limit| now.saturating_duration_since(since) > limit;
        match self.pages {
            0 => for_longer(self.left, GONE),
            _ => self.answers && self.asked.is_some_and(|since| for_longer(since, SILENT)),
        }
    }
}

impl State {
    fn json(&self, now: Instant) -> String {
        let away = Side::BOTH.into_iter().filter(|&side| self.players[side as usize].is_away(now));
        let presence = PresenceJson {
            watching: self.watching,
            away: away.map(json::side).collect(),
            said: &self.said,
        };
        serde_json::to_string(&presence).unwrap_or_default()
    }
}

impl Presence {
    pub(crate) fn new() -> Presence {
        let now = Instant::now();
        let players = [PlayerPresence::new(now), PlayerPresence::new(now)];
        let state = State { watching: 0, players, said: VecDeque::new(), count: 0, told: now };
        let told = watch::Sender::new(Arc::new(state.json(now)));
        Presence { state: Mutex::new(state), told }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// What is to be told from now on; the last is there at once.
    pub(crate) fn watch(&self) -> watch::Receiver<Arc<String>> {
        self.told.subscribe()
    }

    /// A page is opened, by a player or by somebody who watches.
    pub(crate) fn come(&self, player: Option<Side>) {
        let mut state = self.state();
        match player {
            Some(side) => {
                let presence = &mut state.players[side as usize];
                presence.pages += 1;
                presence.asked = None;
            }
            None => state.watching += 1,
        }
    }

    /// And closed.
    pub(crate) fn go(&self, player: Option<Side>) {
        let mut state = self.state();
        match player {
            Some(side) => {
                let presence = &mut state.players[side as usize];
                presence.pages = presence.pages.saturating_sub(1);
                presence.left = Instant::now();
            }
            None => state.watching = state.watching.saturating_sub(1),
        }
    }

    /// A question goes to a player's page.
    pub(crate) fn ask(&self, side: Side) {
        self.state().players[side as usize].asked.get_or_insert_with(Instant::now);
    }

    /// The page has answered.
    pub(crate) fn hear(&self, side: Side) {
        let presence = &mut self.state().players[side as usize];
        presence.answers = true;
        presence.asked = None;
    }

    /// A player says one of the phrases.
    pub(crate) fn say(&self, side: Side, phrase: &'static str) -> Result<(), Refusal> {
        self.tell(side, phrase.into(), false)
    }

    /// A player says something in their own words.
    pub(crate) fn say_freely(&self, side: Side, words: OwnWords) -> Result<(), Refusal> {
        self.tell(side, words.0.into(), true)
    }

    fn tell(&self, side: Side, text: Cow<'static, str>, own: bool) -> Result<(), Refusal> {
        let mut state = self.state();
        let now = Instant::now();
        let presence = &mut state.players[side as usize];
        let passed = now.saturating_duration_since(presence.counted);
        let rested = presence.breath + passed.as_secs_f64() / BREATH.as_secs_f64();
        presence.breath = rested.min(TALKATIVE);
        presence.counted = now;
        if presence.breath < 1.0 {
            return Err(Refusal("That is much talk: wait a moment.".to_owned()));
        }
        presence.breath -= 1.0;
        state.count += 1;
        let said = Said { number: state.count, side: json::side(side), text, own };
        if state.said.len() == REMEMBERED {
            state.said.pop_front();
        }
        state.said.push_back(said);
        let told = state.json(now);
        self.told.send_replace(Arc::new(told));
        Ok(())
    }

    /// Tells who has come and gone, now and then.
    pub(crate) fn look(&self) {
        let now = Instant::now();
        let mut state = self.state();
        if now.saturating_duration_since(state.told) < PAUSE {
            return;
        }
        state.told = now;
        let json = state.json(now);
        self.told.send_if_modified(|told| {
            let news = **told != json;
            if news {
                *told = Arc::new(json);
            }
            news
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_away_when_their_pages_are_gone_or_silent() {
        let now = Instant::now();
        let later = |seconds| now + Duration::from_secs(seconds);
        let mut presence = PlayerPresence::new(now);
        assert!(!presence.is_away(later(3)) && presence.is_away(later(5)));
        presence.pages = 1;
        presence.asked = Some(now);
        assert!(!presence.is_away(later(60)), "a program that never answers");
        presence.answers = true;
        assert!(!presence.is_away(later(9)) && presence.is_away(later(11)));
    }

    #[test]
    fn who_talks_much_has_to_wait_and_the_other_does_not() {
        let presence = Presence::new();
        let said = [0; 6].map(|_| presence.say(Side::White, PHRASES[0]).is_ok());
        assert_eq!(said, [true, true, true, true, false, false]);
        assert!(presence.say(Side::Black, PHRASES[1]).is_ok());
        let told = presence.watch().borrow().clone();
        assert_eq!(told.matches("Hello!").count(), 4);
        assert!(
            told.contains("{\"number\":5,\"side\":\"black\",\"text\":\"Good luck!\"}"),
            "{told}"
        );
    }

    #[test]
    fn ones_own_words_are_seen_as_they_are_and_not_too_long() {
        let presence = Presence::new();
        let say = |side, text: &str| presence.say_freely(side, text.parse().unwrap());
        say(Side::Black, "  <b>Hi</b> \n Ada ").unwrap();
        let told = presence.watch().borrow().clone();
        assert!(told.contains("\"text\":\"<b>Hi</b> Ada\",\"own\":true}"), "{told}");
        let long = "é".repeat(LONGEST_WORDS);
        assert!(say(Side::White, &long).is_ok());
        for wrong in ["", " \n", &format!("{long}!"), "abc\u{202e}def", "a\u{0}b"] {
            assert!(wrong.parse::<OwnWords>().is_err(), "{wrong:?}");
        }
        // Phrases and words are one breath.
        let said = [0; 5].map(|_| say(Side::White, "so").is_ok());
        assert_eq!(said, [true, true, true, false, false]);
        assert!(presence.say(Side::White, PHRASES[0]).is_err());
    }

    #[test]
    fn those_who_watch_are_counted_now_and_then() {
        let presence = Presence::new();
        let mut news = presence.watch();
        news.mark_unchanged();
        for _ in 0..3 {
            presence.come(None);
        }
        presence.go(None);
        presence.look();
        assert!(!news.has_changed().unwrap(), "not at once");
        presence.state().told -= Duration::from_secs(2);
        presence.look();
        assert!(news.borrow_and_update().contains("\"watching\":2"));
        presence.state().told -= Duration::from_secs(2);
        presence.look();
        assert!(!news.has_changed().unwrap(), "nothing is told twice");
    }
}
