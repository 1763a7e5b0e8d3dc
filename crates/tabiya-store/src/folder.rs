use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use crate::StoreError;

/// Where games are kept: the folder given, else that of the variable `TABIYA_DATA`, else the one that
/// the system has for a program's data.
///
/// ```
/// use std::path::Path;
///
/// let folder = tabiya_store::folder(Some(Path::new("/srv/games")))?;
/// assert_eq!(folder, Path::new("/srv/games"));
/// # Ok::<(), tabiya_store::StoreError>(())
/// ```
pub fn folder(given: Option<&Path>) -> Result<PathBuf, StoreError> {
    if let Some(given) = given {
        return Ok(given.to_owned());
    }
    if let Some(set) = std::env::var_os("TABIYA_DATA").filter(|set| !set.is_empty()) {
        return Ok(set.into());
    }
    let system = etcetera::base_strategy::choose_native_strategy();
    Ok(system.map_err(|_| StoreError::NoHome)?.data_dir().join("tabiya"))
}
