use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use rust_embed::RustEmbed;

use crate::audience::{Route, get};

/// What is in the folder is what runs.
#[derive(RustEmbed)]
#[folder = "web/"]
struct Web;

/// The parts of pages: scripts, styles and pictures.
pub(crate) fn parts() -> impl Iterator<Item = Route> {
    let parts = Web::iter().filter(|name| !name.ends_with(".html"));
    parts.map(|name| get(format!("/{name}"), serve))
}

/// A page or one of its parts. The address of a page needs no `.html`.
pub(crate) async fn serve(uri: Uri, headers: HeaderMap) -> Response {
    let name = match uri.path().trim_start_matches('/') {
        "" => "index.html".to_owned(),
        page if !page.contains('.') => format!("{page}.html"),
        file => file.to_owned(),
    };
    let Some(file) = Web::get(&name) else {
        return (StatusCode::NOT_FOUND, "There is no such page.\n").into_response();
    };
    let hash = file.metadata.sha256_hash();
    let tag = format!("\"{}\"", hex::encode(&hash[..12]));
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response();
    }
    let body = Body::from(file.data.into_owned());
    let headers = [
        (header::CONTENT_TYPE, media_type(&name)),
        (header::ETAG, tag),
        // Asked for again each time, sent again only when it has changed.
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    (headers, body).into_response()
}

/// The page that asks for the password, whatever was wanted.
pub(crate) fn password_page() -> Response {
    let page = Web::get("password.html").map(|file| file.data.into_owned()).unwrap_or_default();
    let headers =
        [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    (StatusCode::UNAUTHORIZED, headers, page).into_response()
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
