use std::future::Future;
use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpSocket};

use crate::{AppState, app};

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
    // So that a house that was ended can be opened again at once.
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
    ///
    /// ```
    /// # use tabiya_store::Store;
    /// # use tabiya_web::{AppState, Key, Limits, Pool};
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
    /// # let folder = tempfile::tempdir()?;
    /// # let store = Store::open(folder.path()).unwrap();
    /// # let state = AppState::new(store, Key::random()?, Pool::new(1), Limits::default());
    /// let listening = tabiya_web::bind("127.0.0.1:0".parse().unwrap()).await?;
    /// listening.serve(state, async {}).await
    /// # })?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub async fn serve(
        self,
        state: AppState,
        until: impl Future<Output = ()> + Send + 'static,
    ) -> std::io::Result<()> {
        let service = app(state.clone()).into_make_service_with_connect_info::<SocketAddr>();
        let ended = async move {
            until.await;
            state.close();
        };
        axum::serve(self.listener, service).with_graceful_shutdown(ended).await
    }
}
