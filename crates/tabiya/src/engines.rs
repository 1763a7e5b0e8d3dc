//! Other engines for studies, from a settings file.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use tabiya_players::Engines;

/// The engines of the file that was named, or of `engines.toml` in the folder of games if there is one. Our own asks the tables of
/// endings there are.
pub(crate) fn read(named: Option<&Path>, folder: &Path) -> anyhow::Result<Engines> {
    let path: PathBuf = named.map_or_else(|| folder.join("engines.toml"), Path::to_path_buf);
    let tables = crate::tables::beside(folder);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(Engines::default().with_tables(tables));
        }
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    let beside = path.parent().unwrap_or(Path::new(""));
    let engines = Engines::read(&text, beside).with_context(|| path.display().to_string())?;
    Ok(engines.with_tables(tables))
}
