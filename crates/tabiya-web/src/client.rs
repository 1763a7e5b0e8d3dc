//! Who asks, as far as a server can tell.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Version};

use crate::AppState;
use crate::access::is_local;

/// The machines that count as one: an address, or the 64 bits of an IPv6 address that one household is given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Network(IpAddr);

impl From<IpAddr> for Network {
    fn from(address: IpAddr) -> Network {
        Network(match address.to_canonical() {
            IpAddr::V6(address) => {
                let prefix = address.to_bits() >> 64 << 64;
                IpAddr::V6(Ipv6Addr::from_bits(prefix))
            }
            address => address,
        })
    }
}

/// Somebody who asks: from which network, and whether it is the owner of the server. What strangers use up, through a
/// tunnel on this machine, say, is not what the owner has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Client {
    pub(crate) network: Network,
    pub(crate) is_owner: bool,
}

impl Client {
    pub(crate) fn of(parts: &Parts, state: &AppState) -> Client {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        // Without a network between, as in tests, it is our own machine that asks.
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |info| info.0.ip());
        let access = &state.0.access;
        let is_owner = match access.is_reachable() {
            true => state.shows_owner_cookie(&parts.headers),
            false => sits_here(peer, parts.version, &parts.headers),
        };
        Client { network: access.asker(peer, &parts.headers).into(), is_owner }
    }
}

impl FromRequestParts<AppState> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Client, Infallible> {
        Ok(Client::of(parts, state))
    }
}

/// Whether somebody sits at the machine of the server. A tunnel or proxy on this machine is not somebody who sits
/// here: what comes through it has another name, says for whom it speaks, or speaks as no browser has for decades.
fn sits_here(peer: IpAddr, version: Version, headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let origin = text("origin").map(|origin| origin.strip_prefix("http://").unwrap_or_default());
    let is_passed_on = headers.keys().any(|name| {
        let name = name.as_str();
        name.starts_with("x-forwarded") || PASSED_ON.contains(&name)
    });
    peer.to_canonical().is_loopback()
        && version > Version::HTTP_10
        && text("host").is_some_and(is_local)
        && origin.is_none_or(is_local)
        && !is_passed_on
}

/// Headers that proxies and tunnels add, and browsers do not.
const PASSED_ON: [&str; 12] = [
    "forwarded",
    "via",
    "x-real-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-original-host",
    "x-original-for",
    "true-client-ip",
    "cf-connecting-ip",
    "cf-ray",
    "fly-client-ip",
    "fastly-client-ip",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_passed_on_does_not_sit_here() {
        use axum::http::{HeaderName, HeaderValue};
        let sits = |peer: &str, version, more: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            headers.insert("host", HeaderValue::from_static("localhost:8064"));
            for (name, value) in more {
                headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
            }
            sits_here(peer.parse().unwrap(), version, &headers)
        };
        assert!(sits("127.0.0.1", Version::HTTP_11, &[]));
        assert!(sits("::1", Version::HTTP_11, &[("origin", "http://localhost:8064")]));
        assert!(sits("::ffff:127.0.0.1", Version::HTTP_11, &[]));
        assert!(!sits("192.0.2.1", Version::HTTP_11, &[]));
        assert!(!sits("127.0.0.1", Version::HTTP_10, &[]), "nginx, unless it is told otherwise");
        for header in [
            ("x-forwarded-for", "192.0.2.1"),
            ("x-forwarded-proto", "https"),
            ("x-forwarded-server", "proxy"),
            ("forwarded", "for=192.0.2.1"),
            ("via", "1.1 proxy"),
            ("x-real-ip", "192.0.2.1"),
            ("cf-connecting-ip", "192.0.2.1"),
            ("host", "chess.example.org"),
            ("host", "192.168.1.7:8064"),
            ("origin", "https://localhost:8064"),
            ("origin", "null"),
        ] {
            assert!(!sits("127.0.0.1", Version::HTTP_11, &[header]), "{header:?}");
        }
    }

    #[test]
    fn a_household_is_one_network() {
        let network = |text: &str| Network::from(text.parse::<IpAddr>().unwrap());
        assert_eq!(network("2001:db8:1:2:3::4"), network("2001:db8:1:2:ffff::1"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
    }
}
