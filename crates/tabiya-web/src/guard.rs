//! What every request has to pass and every answer carries.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::client::Client;
use crate::error::{ApiError, Sentence};
use crate::{Access, AppState, assets};

/// Nothing but our own files, nothing inline, in nobody's frame. The engine may run in the browser.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self'; connect-src 'self'; manifest-src 'self'; media-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

const HEADERS: [(&str, &str); 6] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
];

/// Refuses what another site may have sent, and who asks too much.
pub(crate) async fn check(
    State(state): State<AppState>,
    client: Client,
    request: Request,
    next: Next,
) -> Response {
    let for_eyes = request.method().is_safe() && assets::wants_page(request.headers());
    let objection = objection(&state.0.access, request.method(), request.uri(), request.headers());
    let admitted = objection.and_then(|()| state.0.rates.admit(client, request.uri().path()));
    let mut response = match admitted {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    if for_eyes && let Some(Sentence(sentence)) = response.extensions_mut().remove() {
        let (json, _) = response.into_parts();
        response = assets::refusal(json.status, &sentence);
        let wait = json.headers.get(header::RETRY_AFTER).cloned();
        response.headers_mut().extend(wait.map(|wait| (header::RETRY_AFTER, wait)));
    }
    for (name, value) in HEADERS {
        let name = HeaderName::from_static(name);
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

fn objection(
    access: &Access,
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
) -> Result<(), ApiError> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let Some(host) = text(header::HOST) else {
        return Err(ApiError::forbidden("The request does not say which server it is for."));
    };
    // Who stands between us and a client may go by one, and we by the other.
    let is_clear = uri.authority().is_none_or(|authority| authority.as_str() == host);
    if headers.get_all(header::HOST).iter().count() > 1 || !is_clear {
        let sentence = "The request says twice which server it is for.";
        return Err(ApiError::new(StatusCode::BAD_REQUEST, sentence));
    }
    if !access.answers_to(host) {
        let sentence = "This server answers to its address or to localhost, not to that name.";
        return Err(ApiError::forbidden(sentence));
    }
    if method.is_safe() {
        return Ok(());
    }
    let foreign = match text(header::ORIGIN) {
        Some(origin) => origin.strip_prefix("http://") != Some(host) && !is_named(access, origin),
        // A program that is not a browser names no origin.
        None => {
            headers.contains_key(header::ORIGIN)
                || matches!(
                    text(HeaderName::from_static("sec-fetch-site")),
                    Some("cross-site" | "same-site")
                )
        }
    };
    match foreign {
        true => Err(ApiError::forbidden("Requests from other sites are refused.")),
        false => Ok(()),
    }
}

/// Whether an origin is one of the names we were told: a proxy may speak to us under another.
fn is_named(access: &Access, origin: &str) -> bool {
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    host.is_some_and(|host| access.is_named(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(list: &[(&'static str, &'static str)]) -> HeaderMap {
        list.iter()
            .map(|&(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect()
    }

    fn refused(method: &Method, list: &[(&'static str, &'static str)]) -> bool {
        status(&Uri::from_static("/"), method, &headers(list)).is_some()
    }

    fn status(uri: &Uri, method: &Method, headers: &HeaderMap) -> Option<u16> {
        let objection = objection(&Access::default(), method, uri, headers);
        objection.err().map(|error| error.status().as_u16())
    }

    #[test]
    fn other_sites_may_not_post() {
        let ours = [("host", "localhost:8064"), ("origin", "http://localhost:8064")];
        assert!(!refused(&Method::POST, &ours));
        assert!(!refused(&Method::POST, &ours[..1]));
        for origin in [
            "http://evil.example",
            "null",
            "https://localhost:8064",
            "http://localhost:1",
            "http://127.0.0.1:8064",
            "https://chess.example.org",
        ] {
            let theirs = [("host", "localhost:8064"), ("origin", origin)];
            assert!(refused(&Method::POST, &theirs), "{origin}");
            assert!(refused(&Method::DELETE, &theirs), "{origin}");
        }
        assert!(refused(&Method::POST, &[ours[0], ("sec-fetch-site", "cross-site")]));
        assert!(refused(&Method::GET, &[("host", "evil.example")]));
        assert!(refused(&Method::GET, &[]));
    }

    #[test]
    fn a_request_is_for_one_server() {
        let mut twice = headers(&[("host", "localhost:8064")]);
        twice.append("host", HeaderValue::from_static("localhost:8064"));
        assert_eq!(status(&Uri::from_static("/"), &Method::GET, &twice), Some(400));
        let once = headers(&[("host", "localhost:8064")]);
        let whole = Uri::from_static("http://localhost:8064/games");
        assert_eq!(status(&whole, &Method::GET, &once), None);
        let other = Uri::from_static("http://localhost:1/games");
        assert_eq!(status(&other, &Method::GET, &once), Some(400));
    }

    #[test]
    fn names_of_a_tunnel_are_ours_if_told() {
        let access = Access::default().named("chess.example.org").unwrap();
        let asks = |host, origin| {
            let list = headers(&[("host", host), ("origin", origin)]);
            objection(&access, &Method::POST, &Uri::from_static("/"), &list).is_ok()
        };
        assert!(asks("chess.example.org", "https://chess.example.org"));
        assert!(asks("chess.example.org", "http://chess.example.org"));
        assert!(asks("localhost:8064", "https://chess.example.org"), "the proxy changes the host");
        assert!(!asks("chess.example.org", "https://evil.example"));
        assert!(!asks("chess.example.org", "ftp://chess.example.org"));
        assert!(!asks("other.example.org", "https://other.example.org"));
    }
}
