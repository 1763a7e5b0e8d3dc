//! What every request has to pass and every answer carries.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::error::ApiError;
use crate::extract::Client;
use crate::{Access, AppState};

/// Nothing but our own files, nothing inline, in nobody's frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; manifest-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'; \
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
    Client(client): Client,
    request: Request,
    next: Next,
) -> Response {
    let headers = request.headers();
    let mut response = match objection(&state.0.access, request.method(), headers) {
        Some(sentence) => ApiError::forbidden(sentence).into_response(),
        None if !state.0.rates.admit(client) => {
            let sentence = "That is too much at once: wait a moment.";
            ApiError::too_many(sentence).into_response()
        }
        None => next.run(request).await,
    };
    for (name, value) in HEADERS {
        let name = HeaderName::from_static(name);
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

fn objection(access: &Access, method: &Method, headers: &HeaderMap) -> Option<&'static str> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let Some(host) = text(header::HOST) else {
        return Some("The request does not say which server it is for.");
    };
    if !access.answers_to(host) {
        return Some("This server answers to its address or to localhost, not to that name.");
    }
    if method.is_safe() {
        return None;
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
    foreign.then_some("Requests from other sites are refused.")
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
        objection(&Access::default(), method, &headers(list)).is_some()
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
    fn names_of_a_tunnel_are_ours_if_told() {
        let access = Access::default().named("chess.example.org").unwrap();
        let asks = |host, origin| {
            let list = headers(&[("host", host), ("origin", origin)]);
            objection(&access, &Method::POST, &list).is_none()
        };
        assert!(asks("chess.example.org", "https://chess.example.org"));
        assert!(asks("chess.example.org", "http://chess.example.org"));
        assert!(asks("localhost:8064", "https://chess.example.org"), "the proxy changes the host");
        assert!(!asks("chess.example.org", "https://evil.example"));
        assert!(!asks("chess.example.org", "ftp://chess.example.org"));
        assert!(!asks("other.example.org", "https://other.example.org"));
    }
}
