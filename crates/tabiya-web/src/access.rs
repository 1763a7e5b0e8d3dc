use std::net::{IpAddr, SocketAddr, UdpSocket};

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use thiserror::Error;

/// Who may reach the server, by which names, through which proxy, and with which password.
///
/// A password is for guests: everybody who knows it may play and watch. It has nothing to do with who owns the server:
/// that is shown by [`AppState::owner_path`](crate::AppState::owner_path) where others can reach it.
///
/// ```
/// use tabiya_web::Access;
///
/// let access = Access::at("0.0.0.0:8064".parse().unwrap())
///     .named("chess.example.org")?
///     .with_password("open sesame")?;
/// assert!(access.is_open() && access.has_password());
/// assert!(!Access::default().is_open());
/// # Ok::<(), tabiya_web::AccessError>(())
/// ```
#[derive(Clone, Default)]
pub struct Access {
    /// Where the server listens; its own machine only, if nothing is said.
    address: Option<SocketAddr>,
    /// Names besides addresses and `localhost`, in small letters.
    hosts: Vec<String>,
    password: Option<String>,
    proxy: Option<Proxy>,
}

/// A proxy that is believed when it says for whom it asks.
#[derive(Clone)]
struct Proxy {
    /// The header in which it says so.
    header: HeaderName,
    /// Where it is, if not on this machine.
    addresses: Vec<IpAddr>,
}

/// Why access cannot be set up like that.
///
/// ```
/// use tabiya_web::Access;
///
/// let refused = Access::default().named("https://chess.example.org").err().unwrap();
/// assert_eq!(refused.to_string(), "\"https://chess.example.org\" is no host name: write it like chess.example.org");
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AccessError {
    /// Not a name.
    #[error("{0:?} is no host name: write it like chess.example.org")]
    Host(String),
    /// Not the name of a header.
    #[error("{0:?} is no header: write it like X-Forwarded-For")]
    Header(String),
    /// Too easily guessed, or too long.
    #[error("a password has 4 to 200 characters")]
    Password,
}

impl Access {
    /// Access to a server that listens at an address.
    ///
    /// ```
    /// # use tabiya_web::Access;
    /// assert!(!Access::at("127.0.0.1:8064".parse().unwrap()).is_open());
    /// ```
    pub const fn at(address: SocketAddr) -> Access {
        Access { address: Some(address), hosts: Vec::new(), password: None, proxy: None }
    }

    /// Answers to one more name: that of a tunnel or proxy that leads here.
    ///
    /// ```
    /// # use tabiya_web::Access;
    /// assert!(Access::default().named("chess.example.org").is_ok());
    /// assert!(Access::default().named("").is_err());
    /// ```
    pub fn named(mut self, host: &str) -> Result<Access, AccessError> {
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
        if host.is_empty() || host.len() > 253 || !host.bytes().all(letter) {
            return Err(AccessError::Host(host.chars().take(60).collect()));
        }
        self.hosts.push(host.to_ascii_lowercase());
        Ok(self)
    }

    /// Asks everybody for a password before anything is shown.
    ///
    /// ```
    /// # use tabiya_web::Access;
    /// assert!(Access::default().with_password("abc").is_err());
    /// ```
    pub fn with_password(mut self, password: &str) -> Result<Access, AccessError> {
        let password = password.trim();
        if !(4..=200).contains(&password.chars().count()) {
            return Err(AccessError::Password);
        }
        self.password = Some(password.to_owned());
        Ok(self)
    }

    /// Believes a header of a proxy on this machine, or at one of the addresses, about who asks.
    ///
    /// ```
    /// # use tabiya_web::Access;
    /// assert!(Access::default().behind_proxy("X-Forwarded-For", &[]).is_ok());
    /// assert!(Access::default().behind_proxy("not a header", &[]).is_err());
    /// ```
    pub fn behind_proxy(
        mut self,
        header: &str,
        addresses: &[IpAddr],
    ) -> Result<Access, AccessError> {
        let name =
            header.parse().map_err(|_| AccessError::Header(header.chars().take(60).collect()))?;
        self.proxy = Some(Proxy { header: name, addresses: addresses.to_vec() });
        Ok(self)
    }

    /// Whether others can reach the server in a way that it knows of: then its owner has to show who they are.
    ///
    /// ```
    /// # use tabiya_web::Access;
    /// assert!(Access::default().named("chess.example.org").unwrap().is_reachable());
    /// assert!(!Access::at("127.0.0.1:8064".parse().unwrap()).is_reachable());
    /// ```
    pub fn is_reachable(&self) -> bool {
        self.is_open() || !self.hosts.is_empty() || self.proxy.is_some()
    }

    /// Whether other machines can reach the server.
    ///
    /// ```
    /// # use tabiya_web::Access;
    /// assert!(Access::at("192.168.1.7:8064".parse().unwrap()).is_open());
    /// ```
    pub fn is_open(&self) -> bool {
        self.address.is_some_and(|address| !address.ip().is_loopback())
    }

    /// Whether a password is asked for.
    ///
    /// ```
    /// # use tabiya_web::Access;
    /// assert!(!Access::default().has_password());
    /// ```
    pub const fn has_password(&self) -> bool {
        self.password.is_some()
    }

    pub(crate) fn password(&self) -> Option<&str> {
        self.password.as_deref()
    }

    /// Whether an address is that of the proxy that we trust.
    pub(crate) fn is_proxy(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.proxy.as_ref().is_some_and(|proxy| {
            address.is_loopback() || proxy.addresses.iter().any(|one| one.to_canonical() == address)
        })
    }

    /// Who asks: the one at the other end of the connection, or the one for whom a proxy that we trust asks. That is
    /// the last whom it names and who is not a proxy of ours, as anybody may have written what stands before.
    pub(crate) fn asker(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let Some(proxy) = self.proxy.as_ref().filter(|_| self.is_proxy(peer)) else { return peer };
        let values: Vec<&HeaderValue> = headers.get_all(&proxy.header).iter().collect();
        let texts = values.iter().rev().map(|value| value.to_str().unwrap_or_default());
        let mut last = peer;
        for text in texts.flat_map(|text| text.rsplit(',')) {
            // What makes no sense, or is hidden, is as far as we can see.
            let Some(address) = forwarded(text) else { return last };
            if !self.is_proxy(address) {
                return address;
            }
            last = address;
        }
        last
    }

    /// Whether the host of a request is one of our names. Only a name can be made to point here by others;
    /// addresses and `localhost` cannot.
    pub(crate) fn answers_to(&self, host: &str) -> bool {
        let name = without_port(host);
        name.eq_ignore_ascii_case("localhost") || address(name).is_some() || self.is_named(host)
    }

    /// Whether it is one of the names that lead here from elsewhere.
    pub(crate) fn is_named(&self, host: &str) -> bool {
        let name = without_port(host).to_ascii_lowercase();
        self.hosts.contains(&name)
    }

    /// Where a friend finds the server, if the browser of the one who invites says that it is at `origin`; and a
    /// sentence if that does not help the friend yet.
    pub(crate) fn reach(&self, origin: &str) -> (String, Option<String>) {
        let host = origin.split_once("://").map_or(origin, |(_, host)| host);
        if !is_local(host) {
            return (origin.to_owned(), None);
        }
        if let Some(name) = self.hosts.first() {
            return (format!("https://{name}"), None);
        }
        let port = self.address.map_or(8064, |address| address.port());
        if !self.is_open() {
            let advice = format!(
                "Only this machine can reach the server now. Start it with `tabiya serve --addr 0.0.0.0:{port}` to let others in."
            );
            return (origin.to_owned(), Some(advice));
        }
        let listens = self.address.map(|address| address.ip()).filter(|ip| !ip.is_unspecified());
        match listens.or_else(in_the_network) {
            Some(ip) => (format!("http://{}", SocketAddr::new(ip, port)), None),
            None => {
                let advice = "Your friend needs the address of this machine in place of localhost.";
                (origin.to_owned(), Some(advice.to_owned()))
            }
        }
    }
}

/// The name in front of the port.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

fn address(name: &str) -> Option<IpAddr> {
    name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name).parse().ok()
}

/// The address in one part of a header that tells for whom a proxy asks: plain, or as `for=` of `Forwarded`.
fn forwarded(part: &str) -> Option<IpAddr> {
    let of_pair = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        name.trim().eq_ignore_ascii_case("for").then(|| value.trim().to_owned())
    };
    let text = match part.contains('=') {
        true => part.split(';').find_map(of_pair)?,
        false => part.trim().to_owned(),
    };
    let text = text.trim_matches('"');
    let ip = text.parse().ok().or_else(|| address(text));
    ip.or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

/// Whether a host means the machine that says it.
pub(crate) fn is_local(host: &str) -> bool {
    let name = without_port(host);
    name.eq_ignore_ascii_case("localhost") || address(name).is_some_and(|ip| ip.is_loopback())
}

/// The address of this machine among its neighbours: the one it would speak from. Nothing is sent.
fn in_the_network() -> Option<IpAddr> {
    let socket = UdpSocket::bind(("0.0.0.0", 0)).ok()?;
    // An address that is reserved for examples.
    socket.connect(("192.0.2.1", 9)).ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_unspecified() && !ip.is_loopback()).then_some(ip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_ours_and_names_only_if_told() {
        let access = Access::default();
        for host in [
            "localhost",
            "localhost:8064",
            "127.0.0.1:8064",
            "[::1]:8064",
            "192.168.1.7",
            "LOCALHOST:1",
        ] {
            assert!(access.answers_to(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "localhost.evil.example:8064",
            "127.0.0.1.evil.example",
            "localhost:x",
            "evil.example:8064",
        ] {
            assert!(!access.answers_to(host), "{host}");
        }
        let named = Access::default().named("Chess.Example.org").unwrap();
        assert!(named.answers_to("chess.example.org") && named.answers_to("CHESS.example.org:443"));
        assert!(!named.answers_to("example.org") && !named.answers_to("chess.example.org.evil"));
    }

    #[test]
    fn a_proxy_is_believed_if_it_is_trusted_and_only_about_its_last_word() {
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        let headers = |name: &'static str, values: &[&'static str]| {
            let pairs = values
                .iter()
                .map(|value| (HeaderName::from_static(name), HeaderValue::from_static(value)));
            pairs.collect::<HeaderMap>()
        };
        let listed = headers("x-forwarded-for", &["10.9.9.9, 203.0.113.7", "10.0.0.2, 127.0.0.1"]);
        assert_eq!(Access::default().asker(ip("127.0.0.1"), &listed), ip("127.0.0.1"));
        let near = Access::default().behind_proxy("X-Forwarded-For", &[]).unwrap();
        assert_eq!(near.asker(ip("127.0.0.1"), &listed), ip("10.0.0.2"));
        assert_eq!(near.asker(ip("192.0.2.1"), &listed), ip("192.0.2.1"), "no proxy of ours");
        let far = Access::default().behind_proxy("X-Forwarded-For", &[ip("10.0.0.2")]).unwrap();
        assert_eq!(far.asker(ip("10.0.0.2"), &listed), ip("203.0.113.7"));
        // What is hidden or makes no sense stops the search.
        for text in ["", "unknown", "10.9.9.9, _hidden", "10.9.9.9, 1.2.3", "10.9.9.9,"] {
            let mut hidden = HeaderMap::new();
            hidden.insert("x-forwarded-for", HeaderValue::from_str(text).unwrap());
            assert_eq!(near.asker(ip("127.0.0.1"), &hidden), ip("127.0.0.1"), "{text}");
        }
        let standard = Access::default().behind_proxy("Forwarded", &[]).unwrap();
        for (text, expected) in [
            ("for=192.0.2.60;proto=http;by=203.0.113.43", "192.0.2.60"),
            ("for=10.9.9.9, For=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"),
            ("for=\"192.0.2.60:80\"", "192.0.2.60"),
            ("proto=https", "::1"),
        ] {
            let mut one = HeaderMap::new();
            one.insert("forwarded", HeaderValue::from_static(text));
            assert_eq!(standard.asker(ip("::1"), &one), ip(expected), "{text}");
        }
    }

    #[test]
    fn friends_are_sent_where_they_can_come() {
        let closed = Access::at("127.0.0.1:9000".parse().unwrap());
        let (link, advice) = closed.reach("http://localhost:9000");
        assert_eq!(link, "http://localhost:9000");
        assert!(advice.unwrap().contains("--addr 0.0.0.0:9000"));
        let at = Access::at("192.168.1.7:8064".parse().unwrap());
        assert_eq!(at.reach("http://localhost:8064"), ("http://192.168.1.7:8064".to_owned(), None));
        assert_eq!(at.reach("http://10.0.0.2:8064").0, "http://10.0.0.2:8064");
        let tunnel = closed.named("chess.example.org").unwrap();
        assert_eq!(tunnel.reach("http://127.0.0.1:9000").0, "https://chess.example.org");
        assert_eq!(tunnel.reach("https://chess.example.org").0, "https://chess.example.org");
    }
}
