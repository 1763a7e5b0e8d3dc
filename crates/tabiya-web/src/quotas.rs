//! How many games each client has under way.

use std::collections::HashMap;

use parking_lot::{MappedMutexGuard, Mutex, MutexGuard};

use crate::client::Client;
use crate::error::ApiError;

/// The games that each client has begun.
#[derive(Default)]
pub(crate) struct GamesBegun(Mutex<HashMap<Client, Vec<u64>>>);

impl GamesBegun {
    /// The games of a client who may begin another; those that do not go on are forgotten.
    pub(crate) fn take(
        &self,
        client: Client,
        most: usize,
        goes_on: impl Fn(u64) -> bool,
    ) -> Result<MappedMutexGuard<'_, Vec<u64>>, ApiError> {
        let mut own = MutexGuard::map(self.0.lock(), |begun| begun.entry(client).or_default());
        own.retain(|&id| goes_on(id));
        match own.len() < most {
            true => Ok(own),
            false => Err(ApiError::too_many(
                "You have many games under way: finish some before you begin another.",
            )),
        }
    }
}
