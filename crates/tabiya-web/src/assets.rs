use std::collections::HashMap;
use std::io::{Read as _, Write as _};

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use parking_lot::Mutex;
use rust_embed::RustEmbed;
use sha2::{Digest as _, Sha256};

use crate::audience::{Route, get};

/// What is in the folder is what runs.
#[derive(RustEmbed)]
#[folder = "web/"]
struct Web;

/// The program for browsers, packed; empty where none was named when this was built.
const PROGRAM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tabiya.wasm.gz"));

/// Whether pages can have the engine think in the browser.
pub(crate) const fn has_program() -> bool {
    !PROGRAM.is_empty()
}

/// The parts of pages: scripts, styles and pictures.
pub(crate) fn parts() -> impl Iterator<Item = Route> {
    let parts = Web::iter().filter(|name| !name.ends_with(".html"));
    let program = has_program().then(|| get("/tabiya.wasm", program));
    parts.map(|name| get(format!("/{name}"), serve)).chain(program)
}

/// The program for browsers.
async fn program(headers: HeaderMap) -> Response {
    let packed = takes_gzip(&headers);
    let hash = Sha256::digest(PROGRAM);
    send("application/wasm".to_owned(), &hash, &headers, packed, || match packed {
        true => Body::from(PROGRAM),
        false => Body::from(unpacked(PROGRAM)),
    })
}

fn unpacked(packed: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    match GzDecoder::new(packed).read_to_end(&mut plain) {
        Ok(_) => plain,
        Err(never) => unreachable!("it was packed when this was built: {never}"),
    }
}

/// A page or one of its parts. The address of a page needs no `.html`.
pub(crate) async fn serve(uri: Uri, headers: HeaderMap) -> Response {
    let name = match uri.path().trim_start_matches('/') {
        "" => "index.html".to_owned(),
        page if !page.contains('.') => format!("{page}.html"),
        file => file.to_owned(),
    };
    let Some(file) = Web::get(&name) else {
        return missing();
    };
    let media = media_type(&name);
    let packed = takes_gzip(&headers) && is_text(&media);
    send(media, &file.metadata.sha256_hash(), &headers, packed, || match packed {
        true => Body::from(gzip(&name, &file.data)),
        false => Body::from(file.data.into_owned()),
    })
}

/// A file, unless whoever asks has it.
fn send(
    media: String,
    hash: &[u8],
    headers: &HeaderMap,
    packed: bool,
    body: impl FnOnce() -> Body,
) -> Response {
    // A tag is of what is sent, and packed is not the same as plain.
    let tag = format!("\"{}{}\"", hex::encode(&hash[..12]), if packed { "-gz" } else { "" });
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response();
    }
    let common = [
        (header::CONTENT_TYPE, media),
        (header::ETAG, tag),
        // Asked for again each time, sent again only when it has changed.
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::VARY, "accept-encoding".to_owned()),
    ];
    match packed {
        true => (common, [(header::CONTENT_ENCODING, "gzip")], body()).into_response(),
        false => (common, body()).into_response(),
    }
}

/// Whether a browser takes what is packed. (`gzip;q=0`, which nobody sends, says that it does not.)
fn takes_gzip(headers: &HeaderMap) -> bool {
    let encodings = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    encodings
        .is_some_and(|encodings| encodings.split(',').any(|one| matches!(one.trim(), "gzip" | "*")))
}

fn is_text(media: &str) -> bool {
    media.starts_with("text/") || media.ends_with("json") || media.ends_with("+xml")
}

/// A file, packed: once, when it is first wanted.
fn gzip(name: &str, data: &[u8]) -> Bytes {
    static PACKED: Mutex<Option<HashMap<String, Bytes>>> = Mutex::new(None);
    if let Some(bytes) = PACKED.lock().as_ref().and_then(|packed| packed.get(name)) {
        return bytes.clone();
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let bytes = match encoder.write_all(data).and_then(|()| encoder.finish()) {
        Ok(bytes) => Bytes::from(bytes),
        Err(never) => unreachable!("memory takes all that is written: {never}"),
    };
    PACKED.lock().get_or_insert_default().insert(name.to_owned(), bytes.clone());
    bytes
}

/// Whether a browser is about to show the answer to somebody; a script takes anything.
pub(crate) fn wants_page(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("text/html"))
}

/// The page that asks for the password, whatever was wanted.
pub(crate) fn password_page() -> Response {
    page(StatusCode::UNAUTHORIZED, text("password.html"))
}

/// The page for an address where there is none.
pub(crate) fn missing() -> Response {
    let status = StatusCode::NOT_FOUND;
    error_page(status, "There is no such page", "The address may be old, or mistyped.")
}

/// The page for what was not done, with the sentence that says why.
pub(crate) fn refusal(status: StatusCode, sentence: &str) -> Response {
    let title = match status {
        StatusCode::NOT_FOUND => "It is not here",
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => "One moment, please",
        status if status.is_server_error() => "Something went wrong",
        _ => "That cannot be done",
    };
    error_page(status, title, sentence)
}

/// A page of the room that says what is wrong.
fn error_page(status: StatusCode, title: &str, sentence: &str) -> Response {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
    let page = text("error.html").replace("{title}", &escaped(title));
    self::page(status, page.replace("{sentence}", &escaped(sentence)))
}

fn text(name: &str) -> String {
    let data = Web::get(name).map(|file| file.data.into_owned()).unwrap_or_default();
    String::from_utf8(data).unwrap_or_default()
}

/// A page instead of the one that was wanted.
fn page(status: StatusCode, page: String) -> Response {
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    (status, headers, page).into_response()
}

fn media_type(name: &str) -> String {
    if name.ends_with(".webmanifest") {
        return "application/manifest+json".to_owned();
    }
    let guess = mime_guess::from_path(name).first_or_octet_stream();
    match guess.type_() == mime_guess::mime::TEXT {
        true => format!("{guess}; charset=utf-8"),
        false => guess.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    /// The names of the pages at the side of a page, without telling which is open.
    fn rail(name: &str) -> Option<String> {
        let page = String::from_utf8(Web::get(name)?.data.into_owned()).ok()?;
        let (_, rest) = page.split_once("<nav class=\"rail\"")?;
        let (rail, _) = rest.split_once("</nav>")?;
        Some(rail.replace(" aria-current=\"page\"", ""))
    }

    #[test]
    fn all_pages_have_the_same_rail() {
        let pages = [
            "index.html",
            "study.html",
            "puzzles.html",
            "explorer.html",
            "games.html",
            "bishops.html",
            "error.html",
        ];
        for name in pages {
            assert_eq!(rail(name).as_deref(), rail("index.html").as_deref(), "{name}");
        }
        assert!(rail("index.html").is_some_and(|rail| rail.contains("/study")));
    }

    #[test]
    fn what_is_packed_is_the_file_and_much_smaller() {
        let (mut plain, mut packed) = (0, 0);
        for name in Web::iter().filter(|name| is_text(&media_type(name))) {
            let data = Web::get(&name).map(|file| file.data.into_owned()).unwrap_or_default();
            for _ in 0..2 {
                let bytes = gzip(&name, &data);
                let mut again = Vec::new();
                flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut again).unwrap();
                assert!(again == data, "{name}");
                plain += data.len();
                packed += bytes.len();
            }
        }
        assert!(packed * 2 < plain, "{packed} of {plain}");
    }

    #[test]
    fn every_icon_that_a_page_uses_is_drawn() {
        let sprite = text("icons.svg");
        for name in Web::iter().filter(|name| name.ends_with(".html")) {
            let page = text(&name);
            for used in page.split("/icons.svg#").skip(1).filter_map(|rest| rest.split('"').next())
            {
                assert!(sprite.contains(&format!("id=\"{used}\"")), "{name}: {used}");
            }
        }
    }
}
