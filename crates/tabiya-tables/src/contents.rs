//! The bytes of a file: mapped into memory where that is possible.

use std::path::Path;

use crate::TableError;

/// The bytes of a file.
pub(crate) enum Contents {
    #[cfg(not(target_family = "wasm"))]
    Mapped(memmap2::Mmap),
    Held(Vec<u8>),
    BuiltIn(&'static [u8]),
}

impl Contents {
    /// Maps a file. What is no file is not opened: a pipe would keep us waiting.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn of_file(path: &Path) -> Result<Contents, TableError> {
        let file = std::fs::File::open(path).map_err(TableError::file(path))?;
        let about = file.metadata().map_err(TableError::file(path))?;
        if !about.is_file() {
            return Err(TableError::damaged(path)("it is a folder, a pipe or a device"));
        }
        if about.len() == 0 {
            return Ok(Contents::Held(Vec::new()));
        }
        // SAFETY: the map is only read. Whoever changes the file meanwhile changes what is read, which is checked wherever it
        // is used; whoever makes it shorter ends the program with a signal, as with every mapped file. Tables are written
        // beside and then renamed, so that none of ours is ever changed in place.
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(TableError::file(path))?;
        Ok(Contents::Mapped(map))
    }

    /// Reads a file.
    #[cfg(target_family = "wasm")]
    pub(crate) fn of_file(path: &Path) -> Result<Contents, TableError> {
        std::fs::read(path).map(Contents::Held).map_err(TableError::file(path))
    }
}

impl std::ops::Deref for Contents {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            #[cfg(not(target_family = "wasm"))]
            Contents::Mapped(map) => map,
            Contents::Held(bytes) => bytes,
            Contents::BuiltIn(bytes) => bytes,
        }
    }
}
