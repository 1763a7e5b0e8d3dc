//! What every request has to pass and every answer carries.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::AppState;
use crate::routes::Client;
use crate::trouble::Trouble;

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
    let mut response = match objection(request.method(), request.headers()) {
        Some(sentence) => Trouble::new(StatusCode::FORBIDDEN, sentence).into_response(),
        None if !state.0.rates.admit(client) => {
            let sentence = "That is too much at once: wait a moment.";
            Trouble::new(StatusCode::TOO_MANY_REQUESTS, sentence).into_response()
        }
        None => next.run(request).await,
    };
    for (name, value) in HEADERS {
        let name = HeaderName::from_static(name);
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

fn objection(method: &Method, headers: &HeaderMap) -> Option<&'static str> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let Some(host) = text(header::HOST) else {
        return Some("The request does not say which house it is for.");
    };
    if !is_ours(host) {
        return Some("This house answers to its address or to localhost, not to that name.");
    }
    if method.is_safe() {
        return None;
    }
    let foreign = match text(header::ORIGIN) {
        Some(origin) => origin.strip_prefix("http://") != Some(host),
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

/// Only a name can be made to point here by others; addresses and `localhost` cannot.
fn is_ours(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost") || address.parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_ours_and_names_are_not() {
        for host in [
            "localhost",
            "localhost:8064",
            "127.0.0.1:8064",
            "[::1]:8064",
            "192.168.1.7",
            "LOCALHOST:1",
        ] {
            assert!(is_ours(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "localhost.evil.example:8064",
            "127.0.0.1.evil.example",
            "localhost:x",
            "evil.example:8064",
        ] {
            assert!(!is_ours(host), "{host}");
        }
    }

    fn headers(list: &[(&'static str, &'static str)]) -> HeaderMap {
        list.iter()
            .map(|&(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn other_sites_may_not_post() {
        let ours = [("host", "localhost:8064"), ("origin", "http://localhost:8064")];
        assert_eq!(objection(&Method::POST, &headers(&ours)), None);
        assert_eq!(objection(&Method::POST, &headers(&ours[..1])), None);
        for origin in [
            "http://evil.example",
            "null",
            "https://localhost:8064",
            "http://localhost:1",
            "http://127.0.0.1:8064",
        ] {
            let theirs = [("host", "localhost:8064"), ("origin", origin)];
            assert!(objection(&Method::POST, &headers(&theirs)).is_some(), "{origin}");
            assert!(objection(&Method::DELETE, &headers(&theirs)).is_some(), "{origin}");
        }
        let navigated = [("host", "localhost:8064"), ("sec-fetch-site", "cross-site")];
        assert!(objection(&Method::POST, &headers(&navigated)).is_some());
        assert!(objection(&Method::GET, &headers(&[("host", "evil.example")])).is_some());
        assert!(objection(&Method::GET, &headers(&[])).is_some());
    }
}
