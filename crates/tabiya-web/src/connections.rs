//! The connections that are open, and who gives way when there are too many.
//!
//! A connection waits while its client has not said all of a request, and works from then on until the answer is
//! gone. Only those that wait give way: the oldest of the network that has the most of what is scarce. So whoever
//! keeps thousands of them open closes their own, and nobody else is locked out.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::ServerLimits;
use crate::client::Network;
use crate::limits::Bucket;

/// All connections of a server.
pub(crate) struct Connections {
    most: usize,
    most_per_network: usize,
    most_waiting: usize,
    most_bytes: usize,
    turnover: f64,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    networks: HashMap<Network, Share>,
    open: usize,
    waiting: usize,
    /// Bytes of requests that are in memory.
    bytes: usize,
    /// Grows by one whenever a connection begins to wait.
    clock: u64,
}

/// What one network has.
struct Share {
    open: usize,
    bytes: usize,
    /// By the moment since which they wait.
    waiting: BTreeMap<u64, Arc<Connection>>,
    /// How many may still give way to others of the network.
    turnover: Bucket,
}

impl Share {
    fn new(turnover: f64) -> Share {
        Share { open: 0, bytes: 0, waiting: BTreeMap::new(), turnover: Bucket::new(turnover) }
    }
}

/// One connection. What it counts for changes under the lock of the table.
pub(crate) struct Connection {
    all: Arc<Connections>,
    network: Network,
    /// Since when it waits; 0 while it works.
    since: AtomicU64,
    bytes: AtomicUsize,
    is_closed: AtomicBool,
    dismissed: Notify,
}

impl Connections {
    pub(crate) fn new(limits: &ServerLimits) -> Arc<Connections> {
        Arc::new(Connections {
            most: limits.connections,
            most_per_network: limits.connections_per_address,
            most_waiting: limits.connections_waiting,
            most_bytes: limits.buffered,
            turnover: limits.turnover_per_address,
            table: Mutex::default(),
        })
    }

    /// A place for one more connection, which waits. Through a proxy that we trust many people come from one address.
    pub(crate) fn open(
        self: &Arc<Connections>,
        network: Network,
        is_proxy: bool,
    ) -> Option<Opened> {
        let mut table = self.table.lock();
        let full = |share: &&mut Share| share.open >= self.most_per_network && !is_proxy;
        if let Some(share) = table.networks.get_mut(&network).filter(full) {
            // A flood from one address is hung up on at once: others wait behind it to be heard.
            let may_give_way = share.turnover.take(1.0, self.turnover, self.turnover).is_ok();
            if !may_give_way || !table.dismiss_of(network) {
                return None;
            }
        }
        if table.open >= self.most && !table.dismiss(|share| share.waiting.len()) {
            return None;
        }
        let connection = Arc::new(Connection {
            all: Arc::clone(self),
            network,
            since: AtomicU64::new(0),
            bytes: AtomicUsize::new(0),
            is_closed: AtomicBool::new(false),
            dismissed: Notify::new(),
        });
        table.open += 1;
        let share = table.networks.entry(network).or_insert_with(|| Share::new(self.turnover));
        share.open += 1;
        table.wait(&connection, self.most_waiting);
        Some(Opened(connection))
    }
}

impl Table {
    fn wait(&mut self, connection: &Arc<Connection>, most: usize) {
        if connection.since.load(Relaxed) != 0 || connection.is_closed.load(Relaxed) {
            return;
        }
        if self.waiting >= most {
            self.dismiss(|share| share.waiting.len());
        }
        self.clock += 1;
        connection.since.store(self.clock, Relaxed);
        if let Some(share) = self.networks.get_mut(&connection.network) {
            share.waiting.insert(self.clock, Arc::clone(connection));
            self.waiting += 1;
        }
    }

    fn work(&mut self, connection: &Connection) {
        let since = connection.since.swap(0, Relaxed);
        let share = self.networks.get_mut(&connection.network);
        if share.is_some_and(|share| share.waiting.remove(&since).is_some()) {
            self.waiting -= 1;
        }
    }

    fn release(&mut self, connection: &Connection) {
        let bytes = connection.bytes.swap(0, Relaxed);
        self.bytes -= bytes;
        if let Some(share) = self.networks.get_mut(&connection.network) {
            share.bytes -= bytes;
        }
    }

    fn close(&mut self, connection: &Connection) {
        if connection.is_closed.swap(true, Relaxed) {
            return;
        }
        self.work(connection);
        self.release(connection);
        self.open -= 1;
        if let Some(share) = self.networks.get_mut(&connection.network) {
            share.open -= 1;
            if share.open == 0 {
                self.networks.remove(&connection.network);
            }
        }
    }

    /// Has the oldest one give way that waits, of the network that has the most.
    fn dismiss(&mut self, most: impl Fn(&Share) -> usize) -> bool {
        let shares = self.networks.iter().filter_map(|(network, share)| {
            let (oldest, _) = share.waiting.first_key_value()?;
            Some(((most(share), Reverse(*oldest)), *network))
        });
        let network = shares.max_by_key(|(order, _)| *order).map(|(_, network)| network);
        network.is_some_and(|network| self.dismiss_of(network))
    }

    /// Has the oldest connection of a network give way that waits.
    fn dismiss_of(&mut self, network: Network) -> bool {
        let share = self.networks.get(&network);
        let oldest = share.and_then(|share| share.waiting.first_key_value());
        let Some((_, oldest)) = oldest else { return false };
        let oldest = Arc::clone(oldest);
        self.close(&oldest);
        oldest.dismissed.notify_one();
        true
    }
}

impl Connection {
    /// The whole request is here.
    pub(crate) fn work(&self) {
        self.all.table.lock().work(self);
    }

    /// The answer is gone.
    pub(crate) fn wait(self: &Arc<Connection>) {
        self.all.table.lock().wait(self, self.all.most_waiting);
    }

    /// Room in memory for more bytes of a request; whoever has the most in memory gives way.
    pub(crate) fn hold(&self, bytes: usize) -> bool {
        let mut table = self.all.table.lock();
        while table.bytes + bytes > self.all.most_bytes {
            if !table.dismiss(|share| share.bytes) {
                return false;
            }
        }
        if self.is_closed.load(Relaxed) {
            return false;
        }
        table.bytes += bytes;
        self.bytes.fetch_add(bytes, Relaxed);
        if let Some(share) = table.networks.get_mut(&self.network) {
            share.bytes += bytes;
        }
        true
    }

    /// The request is no longer in memory.
    pub(crate) fn release(&self) {
        self.all.table.lock().release(self);
    }

    /// Waits until it has to give way.
    pub(crate) async fn dismissed(&self) {
        self.dismissed.notified().await;
    }
}

/// A connection until it is closed.
pub(crate) struct Opened(pub(crate) Arc<Connection>);

impl Drop for Opened {
    fn drop(&mut self) {
        self.0.all.table.lock().close(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn network(last: u8) -> Network {
        IpAddr::from([192, 0, 2, last]).into()
    }

    fn connections() -> Arc<Connections> {
        Connections::new(&ServerLimits {
            connections: 6,
            connections_per_address: 4,
            connections_waiting: 5,
            buffered: 1000,
            ..ServerLimits::default()
        })
    }

    fn is_open(opened: &Opened) -> bool {
        !opened.0.is_closed.load(Relaxed)
    }

    #[test]
    fn an_address_with_too_many_closes_its_own_oldest() {
        let all = connections();
        let other = all.open(network(2), false).unwrap();
        let own: Vec<_> = (0..4).map(|_| all.open(network(1), false).unwrap()).collect();
        own[0].0.work();
        let next = all.open(network(1), false).unwrap();
        assert_eq!(own.iter().map(is_open).collect::<Vec<_>>(), [true, false, true, true]);
        assert!(is_open(&other) && is_open(&next));
        // Nothing that works is closed.
        for one in own.iter().chain([&next]) {
            one.0.work();
        }
        assert!(all.open(network(1), false).is_none() && all.open(network(1), true).is_some());
    }

    #[test]
    fn a_flood_from_one_address_is_hung_up_on_at_once() {
        let limits = ServerLimits {
            connections_per_address: 2,
            turnover_per_address: 3.0,
            ..ServerLimits::default()
        };
        let all = Connections::new(&limits);
        let flood: Vec<_> = (0..100).filter_map(|_| all.open(network(1), false)).collect();
        assert!((5..10).contains(&flood.len()), "{} got in", flood.len());
        assert_eq!(flood.iter().filter(|one| is_open(one)).count(), 2);
        assert!(all.open(network(2), false).is_some() && all.open(network(1), true).is_some());
    }

    #[test]
    fn when_many_wait_the_network_with_the_most_gives_way() {
        let all = connections();
        let person = all.open(network(9), false).unwrap();
        let crowd: Vec<_> = (0..3).map(|_| all.open(network(1), false).unwrap()).collect();
        let others: Vec<_> = (2..5).map(|last| all.open(network(last), false).unwrap()).collect();
        assert_eq!(crowd.iter().map(is_open).collect::<Vec<_>>(), [false, false, true]);
        assert!(is_open(&person) && others.iter().all(is_open));
        // Among equals, the one that has waited longest; those that begin again have not.
        person.0.work();
        person.0.wait();
        let _next = all.open(network(5), false).unwrap();
        assert!(is_open(&person) && !is_open(&crowd[2]));
    }

    #[test]
    fn a_full_server_with_nobody_who_waits_is_full() {
        let all = connections();
        let opened: Vec<_> = (0..6).map(|last| all.open(network(last), false).unwrap()).collect();
        opened.iter().for_each(|one| one.0.work());
        assert_eq!(all.table.lock().open, 5, "the oldest had to give way");
        let last = all.open(network(7), false).unwrap();
        last.0.work();
        assert!(all.open(network(8), false).is_none());
        drop((opened, last));
        let table = all.table.lock();
        assert_eq!((table.open, table.waiting, table.bytes), (0, 0, 0));
        assert!(table.networks.is_empty());
    }

    #[test]
    fn bytes_are_bounded_and_whoever_holds_the_most_gives_way() {
        let all = connections();
        let greedy: Vec<_> = (0..3).map(|_| all.open(network(1), false).unwrap()).collect();
        assert!(greedy.iter().all(|one| one.0.hold(300)));
        let person = all.open(network(2), false).unwrap();
        assert!(person.0.hold(200));
        assert!(!is_open(&greedy[0]) && is_open(&greedy[1]) && is_open(&person));
        person.0.work();
        assert!(!greedy[1].0.hold(900), "it had to give way itself");
        assert_eq!(all.table.lock().bytes, 200);
        person.0.release();
        assert_eq!(all.table.lock().bytes, 0);
    }
}
