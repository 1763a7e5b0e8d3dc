//! The cookies by which browsers are let in: signed, so that nothing has to be remembered.

use std::time::{SystemTime, UNIX_EPOCH};

use axum::http::{HeaderMap, HeaderValue, header};
use cookie::time::Duration;
use cookie::{Cookie, SameSite};

use crate::{AppState, Key};

/// So long a password that was given counts, in seconds.
const LASTS: u64 = 30 * 24 * 3600;

const PASSWORD: &str = "tabiya_password";

fn game_name(game: u64) -> String {
    format!("tabiya_game_{game}")
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

impl Key {
    /// What brings the first who shows it to the free seat of a game, and others to watch.
    pub(crate) fn invitation(&self, game: u64) -> String {
        self.seal("invitation", &[&game.to_be_bytes()])
    }

    pub(crate) fn is_invitation(&self, game: u64, text: &str) -> bool {
        self.is_sealed("invitation", &[&game.to_be_bytes()], text)
    }

    /// Whether a password is the right one; the time it takes tells nothing about how much of it is right.
    fn is_password(&self, right: &str, said: &str) -> bool {
        let sealed = self.seal("password said", &[right.as_bytes()]);
        self.is_sealed("password said", &[said.as_bytes()], &sealed)
    }
}

/// All values of a cookie.
fn cookies<'a>(headers: &'a HeaderMap, name: &'a str) -> impl Iterator<Item = String> + 'a {
    let texts = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let cookies = texts.flat_map(Cookie::split_parse).filter_map(Result::ok);
    cookies.filter(move |cookie| cookie.name() == name).map(|cookie| cookie.value().to_owned())
}

fn cookie(headers: &HeaderMap, name: &str, value: String) -> Option<HeaderValue> {
    let origin = headers.get(header::ORIGIN).and_then(|value| value.to_str().ok());
    let cookie = Cookie::build((name, value))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Strict)
        .max_age(Duration::seconds(LASTS.cast_signed()))
        .secure(origin.is_some_and(|origin| origin.starts_with("https://")));
    HeaderValue::from_str(&cookie.to_string()).ok()
}

impl AppState {
    /// The cookie for somebody who gives the password, if it is right.
    pub(crate) fn password_cookie(&self, headers: &HeaderMap, said: &str) -> Option<HeaderValue> {
        let password = self
            .0
            .access
            .password()
            .filter(|password| self.0.key.is_password(password, said.trim()))?;
        let until = now() + LASTS;
        let sealed = self.0.key.seal("password", &[password.as_bytes(), &until.to_be_bytes()]);
        cookie(headers, PASSWORD, format!("{until}.{sealed}"))
    }

    /// Whether the password is not asked for, or has been given.
    pub(crate) fn knows_password(&self, headers: &HeaderMap) -> bool {
        let Some(password) = self.0.access.password() else { return true };
        cookies(headers, PASSWORD).any(|value| {
            let Some((until, sealed)) = value.split_once('.') else { return false };
            let Ok(until) = until.parse::<u64>() else { return false };
            let parts: [&[u8]; 2] = [password.as_bytes(), &until.to_be_bytes()];
            until > now() && self.0.key.is_sealed("password", &parts, sealed)
        })
    }

    /// The cookie for somebody who may see one game.
    pub(crate) fn game_cookie(&self, headers: &HeaderMap, game: u64) -> Option<HeaderValue> {
        let sealed = self.0.key.seal("game", &[&game.to_be_bytes()]);
        cookie(headers, &game_name(game), sealed)
    }

    /// Whether somebody was invited to a game, and may see it without having given the password.
    pub(crate) fn is_invited(&self, headers: &HeaderMap, game: u64) -> bool {
        cookies(headers, &game_name(game))
            .any(|sealed| self.0.key.is_sealed("game", &[&game.to_be_bytes()], &sealed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seals_are_for_one_purpose_and_one_thing() {
        let (ours, theirs) = (Key::new([1; 32]), Key::new([2; 32]));
        let invitation = ours.invitation(7);
        assert_eq!(invitation.len(), 32);
        assert!(ours.is_invitation(7, &invitation));
        assert!(!ours.is_invitation(8, &invitation) && !theirs.is_invitation(7, &invitation));
        assert!(!ours.is_sealed("game", &[&7u64.to_be_bytes()], &invitation));
        for forged in ["", "0", &invitation[1..], &format!("{invitation}00"), &"é".repeat(16)] {
            assert!(!ours.is_invitation(7, forged), "{forged}");
        }
        // Parts do not run into one another.
        assert_ne!(ours.seal("x", &[b"ab", b"c"]), ours.seal("x", &[b"a", b"bc"]));
    }

    #[test]
    fn passwords_are_compared_whole() {
        let key = Key::new([1; 32]);
        assert!(key.is_password("open sesame", "open sesame"));
        for wrong in ["", "open", "open sesame ", "Open sesame"] {
            assert!(!key.is_password("open sesame", wrong), "{wrong}");
        }
    }

    #[test]
    fn cookies_are_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=1; tabiya_password=x.y;b=2"));
        headers.append(header::COOKIE, HeaderValue::from_static("tabiya_password=z"));
        assert_eq!(cookies(&headers, PASSWORD).collect::<Vec<_>>(), ["x.y", "z"]);
        assert_eq!(cookies(&headers, "c").count(), 0);
    }
}
