//! Every call by which the store writes, syncs, opens, truncates, renames or maps fails once, and from every one on
//! all fail, as on a full disk. Whatever happens, what was confirmed is there, the file is sound, and whoever plays is
//! told in a sentence.
//!
//! The program runs itself once more for each fault, with `calls.cpp` loaded before the C library.

#[cfg(target_os = "linux")]
mod injection;
#[cfg(target_os = "linux")]
mod linux;

fn main() {
    #[cfg(target_os = "linux")]
    linux::main();
}
