use qrcodegen::{QrCode, QrCodeEcc};
use serde::Serialize;

/// What is needed to invite somebody.
#[derive(Serialize)]
pub(crate) struct Invitation {
    /// The address to send.
    pub(crate) link: String,
    /// Why it may not work yet.
    pub(crate) advice: Option<String>,
    /// The address as a picture for a phone.
    pub(crate) qr: Option<Qr>,
}

/// A picture of squares.
#[derive(Serialize)]
pub(crate) struct Qr {
    /// How many squares wide and high, the quiet border included.
    size: i32,
    /// The dark squares, as the path of an SVG.
    path: String,
}

/// So many light squares surround the code.
const BORDER: i32 = 3;

impl Qr {
    pub(crate) fn of(text: &str) -> Option<Qr> {
        let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
        let mut path = String::new();
        for y in 0..code.size() {
            let mut x = 0;
            while x < code.size() {
                let run = (x..code.size()).take_while(|&x| code.get_module(x, y)).count() as i32;
                if run > 0 {
                    path += &format!("M{} {}h{run}v1h-{run}z", x + BORDER, y + BORDER);
                }
                x += run.max(1);
            }
        }
        Some(Qr { size: code.size() + 2 * BORDER, path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_becomes_a_picture() {
        let qr = Qr::of("http://192.168.1.7:8064/?game=7#join=0123456789abcdef0123456789abcdef")
            .unwrap();
        // The finder pattern in the corner begins with seven dark squares.
        assert!(qr.path.starts_with("M3 3h7v1h-7z"), "{}", qr.path);
        assert!(qr.size > 30 && qr.size < 60);
        assert!(Qr::of(&"x".repeat(5000)).is_none());
    }
}
