//! The cookies by which browsers are let in: signed, so that nothing has to be remembered.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use cookie::time::Duration;
use cookie::{Cookie, SameSite};
use tabiya_base::unix_time;

use crate::error::ApiError;
use crate::{AppState, Key};

/// So long a password or secret that was given counts, in seconds.
const LASTS: u64 = 30 * 24 * 3600;

/// Shows that its bearer knows the password that guests are asked for.
const PASSWORD: &str = "tabiya_password";
/// Shows that its bearer owns the server.
const OWNER: &str = "tabiya_owner";

/// By what a guest who solves puzzles is known again.
const SOLVER: &str = "tabiya_solver";

fn game_name(game: u64) -> String {
    format!("tabiya_game_{game}")
}

impl Key {
    /// What brings the first who shows it to the free seat of a game, and others to watch.
    pub(crate) fn invitation(&self, game: u64) -> String {
        self.seal("invitation", &[&game.to_be_bytes()])
    }

    pub(crate) fn is_invitation(&self, game: u64, text: &str) -> bool {
        self.is_sealed("invitation", &[&game.to_be_bytes()], text)
    }

    /// What only the owner of the server knows, besides those who can read its key.
    pub(crate) fn owner_secret(&self) -> String {
        self.seal("owner", &[])
    }

    pub(crate) fn is_owner_secret(&self, text: &str) -> bool {
        self.is_sealed("owner", &[], text)
    }

    /// The cookie for somebody who has shown the secret.
    pub(crate) fn owner_cookie(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        cookie(headers, OWNER, self.until("owner cookie", &[]))
    }

    /// A mark that counts for a while.
    fn until(&self, purpose: &str, part: &[u8]) -> String {
        let until = unix_time().as_secs() + LASTS;
        let sealed = self.seal(purpose, &[part, &until.to_be_bytes()]);
        format!("{until}.{sealed}")
    }

    /// Whether a mark is ours and still counts.
    fn counts(&self, purpose: &str, part: &[u8], mark: &str) -> bool {
        let Some((until, sealed)) = mark.split_once('.') else { return false };
        let Ok(until) = until.parse::<u64>() else { return false };
        until > unix_time().as_secs()
            && self.is_sealed(purpose, &[part, &until.to_be_bytes()], sealed)
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
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let origin = text(header::ORIGIN).is_some_and(|origin| origin.starts_with("https://"));
    // Whoever says so without reason only harms themselves.
    let proto = text(HeaderName::from_static("x-forwarded-proto")) == Some("https");
    let cookie = Cookie::build((name, value))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Strict)
        .max_age(Duration::seconds(LASTS.cast_signed()))
        .secure(origin || proto);
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
        cookie(headers, PASSWORD, self.0.key.until("password", password.as_bytes()))
    }

    /// Whether somebody may see what members see: the password is not asked for or was given, or it is the owner.
    pub(crate) fn is_member(&self, headers: &HeaderMap) -> bool {
        let Some(password) = self.0.access.password() else { return true };
        let counts = |mark: String| self.0.key.counts("password", password.as_bytes(), &mark);
        cookies(headers, PASSWORD).any(counts) || self.shows_owner_cookie(headers)
    }

    /// Whether somebody has shown the secret of the owner.
    pub(crate) fn shows_owner_cookie(&self, headers: &HeaderMap) -> bool {
        cookies(headers, OWNER).any(|mark| self.0.key.counts("owner cookie", &[], &mark))
    }

    /// The guest who solves puzzles in this browser: a name that was drawn here, and sealed.
    pub(crate) fn solver_of(&self, headers: &HeaderMap) -> Option<String> {
        cookies(headers, SOLVER).find_map(|mark| {
            let (name, sealed) = mark.split_once('.')?;
            self.0.key.is_sealed("solver", &[name.as_bytes()], sealed).then(|| name.to_owned())
        })
    }

    /// A name for a guest who solves puzzles for the first time.
    pub(crate) fn new_solver(&self) -> Result<String, ApiError> {
        let mut bytes = [0; 12];
        getrandom::fill(&mut bytes).map_err(ApiError::internal)?;
        Ok(format!("guest-{}", hex::encode(bytes)))
    }

    /// The cookie for a guest who solves puzzles.
    pub(crate) fn solver_cookie(&self, headers: &HeaderMap, name: &str) -> Option<HeaderValue> {
        let sealed = self.0.key.seal("solver", &[name.as_bytes()]);
        cookie(headers, SOLVER, format!("{name}.{sealed}"))
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
    fn secrets_and_cookies_of_the_owner_are_two_things() {
        let (ours, theirs) = (Key::new([1; 32]), Key::new([2; 32]));
        let secret = ours.owner_secret();
        assert!(ours.is_owner_secret(&secret) && !theirs.is_owner_secret(&secret));
        assert!(!ours.is_owner_secret("") && !ours.is_owner_secret(&secret[1..]));
        let mark = ours.until("owner cookie", &[]);
        assert!(
            ours.counts("owner cookie", &[], &mark) && !theirs.counts("owner cookie", &[], &mark)
        );
        assert!(!ours.counts("password", &[], &mark) && !mark.contains(&secret));
        let old = ours.seal("owner cookie", &[&[], &1u64.to_be_bytes()]);
        assert!(!ours.counts("owner cookie", &[], &format!("1.{old}")));
        let cookie = |name, value| {
            let mut headers = HeaderMap::new();
            headers.insert(name, HeaderValue::from_static(value));
            ours.owner_cookie(&headers).unwrap().to_str().unwrap().to_owned()
        };
        for (header, value) in [("origin", "https://x.example"), ("x-forwarded-proto", "https")] {
            assert!(cookie(header, value).contains("; Secure"));
        }
        let plain = cookie("x-forwarded-proto", "http");
        assert!(plain.contains("HttpOnly") && plain.contains("SameSite=Strict"), "{plain}");
        assert!(!plain.contains("Secure"));
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
