use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::Semaphore;
use tower::ServiceExt as _;

use crate::{AppState, app};

/// What is waited for when no line can be opened.
const PAUSE: Duration = Duration::from_millis(50);
/// How long an answer may take once the server closes.
const FAREWELL: Duration = Duration::from_secs(5);
/// How many may knock at the same moment, when everybody comes back at once.
const WAITING: u32 = 4096;

/// An address that is ours, before anybody is answered there.
pub struct Listening {
    listener: TcpListener,
    address: SocketAddr,
}

/// Takes an address; port 0 stands for any that is free.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_io().build()?.block_on(async {
/// let listening = tabiya_web::bind("127.0.0.1:0".parse().unwrap()).await?;
/// assert!(listening.url().starts_with("http://127.0.0.1:"));
/// # Ok::<(), std::io::Error>(())
/// # })?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub async fn bind(address: SocketAddr) -> std::io::Result<Listening> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // So that a server that was ended can be opened again at once.
    socket.set_reuseaddr(cfg!(unix))?;
    socket.bind(address)?;
    let listener = socket.listen(WAITING)?;
    let address = listener.local_addr()?;
    Ok(Listening { listener, address })
}

impl Listening {
    /// Where a browser finds the pages.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_io().build()?.block_on(async {
    /// let everywhere = tabiya_web::bind("0.0.0.0:0".parse().unwrap()).await?;
    /// assert!(everywhere.url().starts_with("http://localhost:"));
    /// # Ok::<(), std::io::Error>(())
    /// # })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn url(&self) -> String {
        match self.address.ip().is_unspecified() {
            true => format!("http://localhost:{}", self.address.port()),
            false => format!("http://{}", self.address),
        }
    }

    /// The address itself.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_io().build()?.block_on(async {
    /// assert_ne!(tabiya_web::bind("127.0.0.1:0".parse().unwrap()).await?.address().port(), 0);
    /// # Ok::<(), std::io::Error>(())
    /// # })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Whether other machines can reach it.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_io().build()?.block_on(async {
    /// assert!(!tabiya_web::bind("127.0.0.1:0".parse().unwrap()).await?.is_open());
    /// # Ok::<(), std::io::Error>(())
    /// # })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub const fn is_open(&self) -> bool {
        !self.address.ip().is_loopback()
    }

    /// Answers until the future is done, then ends the streams and what is being answered.
    pub async fn serve(
        self,
        state: AppState,
        until: impl Future<Output = ()> + Send + 'static,
    ) -> std::io::Result<()> {
        let app = app(state.clone());
        let limits = &state.0.limits;
        let places = Arc::new(Semaphore::new(limits.lines));
        let graceful = GracefulShutdown::new();
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(limits.patience);
        let mut until = pin!(until);
        loop {
            let accepted = tokio::select! {
                accepted = self.listener.accept() => accepted,
                () = &mut until => break,
            };
            let Ok((stream, peer)) = accepted else {
                // Too many files are open, say: that passes.
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
            // Moves are small, and are to go at once.
            let _ = stream.set_nodelay(true);
            let app = app.clone();
            let service = service_fn(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(ConnectInfo(peer));
                app.clone().oneshot(request.map(Body::new))
            });
            let line = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
            tokio::spawn(async move {
                let _place = place;
                // Whoever hangs up in the middle is not missed.
                let _ = line.await;
            });
        }
        drop(self.listener);
        state.close();
        // Whoever is being answered is answered; nobody can keep the server from closing.
        let _ = tokio::time::timeout(FAREWELL, graceful.shutdown()).await;
        Ok(())
    }
}
