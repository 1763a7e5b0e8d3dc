use hmac::{Hmac, Mac as _};
use sha2::Sha256;
use tabiya_play::Side;

/// What makes the tokens of seats unguessable: 32 random bytes that the server keeps to itself.
///
/// A token is worked out from the key, the game and the side, so that nothing has to be remembered and a
/// page can go on after a restart.
///
/// ```
/// use tabiya_play::Side;
/// use tabiya_web::Key;
///
/// let key = Key::random().unwrap();
/// let token = key.token(7, Side::White);
/// assert_eq!(key.side(7, &token), Some(Side::White));
/// assert_eq!(key.side(8, &token), None);
/// ```
#[derive(Clone)]
pub struct Key([u8; 32]);

impl Key {
    /// A key that was kept.
    pub const fn new(bytes: [u8; 32]) -> Key {
        Key(bytes)
    }

    /// A new key.
    ///
    /// ```
    /// # use tabiya_web::Key;
    /// assert_ne!(Key::random().unwrap().bytes(), Key::random().unwrap().bytes());
    /// ```
    pub fn random() -> Result<Key, std::io::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        Ok(Key(bytes))
    }

    /// The key, to be kept.
    ///
    /// ```
    /// # use tabiya_web::Key;
    /// assert_eq!(Key::new([7; 32]).bytes(), &[7; 32]);
    /// ```
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// What only the owner of a seat knows.
    ///
    /// ```
    /// # use tabiya_web::Key;
    /// # use tabiya_play::Side;
    /// assert_eq!(Key::new([7; 32]).token(1, Side::Black).len(), 64);
    /// ```
    pub fn token(&self, game: u64, side: Side) -> String {
        hex::encode(self.sign(game, side).finalize().into_bytes())
    }

    /// Whose seat in a game the token is for.
    ///
    /// ```
    /// # use tabiya_web::Key;
    /// assert_eq!(Key::new([7; 32]).side(1, "forged"), None);
    /// ```
    pub fn side(&self, game: u64, token: &str) -> Option<Side> {
        let bytes = decode(token, 32)?;
        // Compared in constant time, so that it cannot be guessed bit by bit.
        Side::BOTH.into_iter().find(|&side| self.sign(game, side).verify_slice(&bytes).is_ok())
    }

    /// What only whoever has made a study knows.
    ///
    /// ```
    /// # use tabiya_web::Key;
    /// # use tabiya_play::Side;
    /// let key = Key::new([7; 32]);
    /// assert_ne!(key.study_token(1), key.token(1, Side::White));
    /// ```
    pub fn study_token(&self, study: u64) -> String {
        self.seal("study", &[&study.to_be_bytes()])
    }

    /// Whether the token is that of a study.
    ///
    /// ```
    /// # use tabiya_web::Key;
    /// let key = Key::new([7; 32]);
    /// assert!(key.is_study_token(3, &key.study_token(3)));
    /// assert!(!key.is_study_token(4, &key.study_token(3)));
    /// ```
    pub fn is_study_token(&self, study: u64, token: &str) -> bool {
        self.is_sealed("study", &[&study.to_be_bytes()], token)
    }

    fn sign(&self, game: u64, side: Side) -> Hmac<Sha256> {
        let mut mac = self.mac();
        mac.update(b"tabiya seat");
        mac.update(&game.to_be_bytes());
        mac.update(side.name().as_bytes());
        mac
    }

    fn mac(&self) -> Hmac<Sha256> {
        // A key of any length will do, this one fits a block.
        let mut block = [0; 64];
        block[..32].copy_from_slice(&self.0);
        <Hmac<Sha256> as hmac::Mac>::new(&block.into())
    }

    /// A mark that only this server can make, for a purpose: 128 bits in hexadecimal.
    pub(crate) fn seal(&self, purpose: &str, parts: &[&[u8]]) -> String {
        hex::encode(&self.sealing(purpose, parts).finalize().into_bytes()[..SEAL])
    }

    /// Whether a text is that mark, compared in constant time.
    pub(crate) fn is_sealed(&self, purpose: &str, parts: &[&[u8]], text: &str) -> bool {
        let bytes = decode(text, SEAL);
        bytes
            .is_some_and(|bytes| self.sealing(purpose, parts).verify_truncated_left(&bytes).is_ok())
    }

    fn sealing(&self, purpose: &str, parts: &[&[u8]]) -> Hmac<Sha256> {
        let mut mac = self.mac();
        mac.update(b"tabiya seal ");
        // Each part with its length, so that none runs into the next.
        for part in [purpose.as_bytes()].iter().chain(parts) {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac
    }
}

/// How many bytes a seal has.
const SEAL: usize = 16;

fn decode(token: &str, length: usize) -> Option<Vec<u8>> {
    hex::decode(token).ok().filter(|bytes| bytes.len() == length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_opens_one_seat_of_one_game() {
        let (ours, theirs) = (Key::new([1; 32]), Key::new([2; 32]));
        let white = ours.token(42, Side::White);
        assert_eq!(ours.side(42, &white), Some(Side::White));
        assert_eq!(ours.side(42, &ours.token(42, Side::Black)), Some(Side::Black));
        assert_eq!(ours.side(43, &white), None);
        assert_eq!(theirs.side(42, &white), None);
        let mut forged = white.clone();
        forged.replace_range(0..1, if white.starts_with('0') { "1" } else { "0" });
        for token in [forged.as_str(), "", "zz", &white[1..], &format!("{white}0"), &"é".repeat(32)]
        {
            assert_eq!(ours.side(42, token), None, "{token}");
        }
    }
}
