use std::future::Future;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpSocket};
use tower::ServiceExt as _;

use crate::connections::{Connection, Connections};
use crate::stall::Unstalled;
use crate::{AppState, app};

/// What is waited for when no connection can be opened.
const PAUSE: Duration = Duration::from_millis(50);
/// How long an answer may take once the server closes.
const FAREWELL: Duration = Duration::from_secs(5);
/// How many may knock at the same moment, when everybody comes back at once.
const WAITING: u32 = 4096;
/// The longest head of a request, in bytes; browsers send one or two thousand.
const LONGEST_HEAD: usize = 16 << 10;

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
        let connections = Connections::new(limits);
        let graceful = GracefulShutdown::new();
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(limits.patience)
            .max_buf_size(LONGEST_HEAD);
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
            let Some(opened) =
                connections.open(peer.ip().into(), state.0.access.is_proxy(peer.ip()))
            else {
                continue;
            };
            // Moves are small, and are to go at once.
            let _ = stream.set_nodelay(true);
            let app = app.clone();
            let connection = Arc::clone(&opened.0);
            let service = service_fn(move |mut request: Request<Incoming>| {
                let connection = Arc::clone(&connection);
                request.extensions_mut().insert(ConnectInfo(peer));
                request.extensions_mut().insert(Arc::clone(&connection));
                let answer = app.clone().oneshot(request.map(Body::new));
                async move {
                    let answer = answer.await;
                    connection.release();
                    answer.map(|answer| answer.map(|body| Sent { body, connection }))
                }
            });
            let stream = TokioIo::new(Unstalled::new(stream, limits.stall));
            let line = graceful.watch(http.serve_connection(stream, service));
            tokio::spawn(async move {
                // Whoever hangs up in the middle is not missed.
                tokio::select! {
                    _ = line => {}
                    () = opened.0.dismissed() => {}
                }
            });
        }
        drop(self.listener);
        state.close();
        // Whoever is being answered is answered; nobody can keep the server from closing.
        let _ = tokio::time::timeout(FAREWELL, graceful.shutdown()).await;
        Ok(())
    }
}

/// The body of an answer. When it is gone, the connection waits for the next request.
struct Sent {
    body: Body,
    connection: Arc<Connection>,
}

impl HttpBody for Sent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Sent {
    fn drop(&mut self) {
        self.connection.wait();
    }
}
