//! Takes in the program for browsers, `tabiya.wasm`, if `TABIYA_WASM` names it. Building needs nothing but cargo: without
//! the variable the server has no such program, and its pages do not offer to think on the device of whoever looks.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use flate2::{Compression, write::GzEncoder};

fn main() {
    println!("cargo::rerun-if-env-changed=TABIYA_WASM");
    let named = env::var_os("TABIYA_WASM").filter(|name| !name.is_empty()).map(PathBuf::from);
    let packed = match &named {
        Some(file) => {
            println!("cargo::rerun-if-changed={}", file.display());
            match pack(file) {
                Ok(packed) => packed,
                Err(error) => {
                    println!("cargo::error=TABIYA_WASM names {}: {error}", file.display());
                    return;
                }
            }
        }
        None => Vec::new(),
    };
    let folder = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    if let Err(error) = fs::write(folder.join("tabiya.wasm.gz"), packed) {
        println!(
            "cargo::error=tabiya.wasm.gz cannot be written into {}: {error}",
            folder.display()
        );
    }
}

/// The program as it is sent; the same bytes for the same program.
fn pack(file: &Path) -> io::Result<Vec<u8>> {
    let program = fs::read(file)?;
    if !program.starts_with(b"\0asm") {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "that is no program in WebAssembly",
        ));
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&program)?;
    encoder.finish()
}
