use std::net::{IpAddr, SocketAddr, UdpSocket};

use thiserror::Error;

/// Who may reach the server, by which names, and with which password.
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
        Access { address: Some(address), hosts: Vec::new(), password: None }
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
