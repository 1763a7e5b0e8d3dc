//! The backend on this machine itself: a question on each line, an answer on each line. The tests of the npm package compare
//! with it what the program in WebAssembly says.

use std::io::{self, BufRead as _, Write as _};

use tabiya_wasm::Backend;

fn main() -> io::Result<()> {
    // The lines of the engine are long.
    let thread = std::thread::Builder::new().stack_size(16 << 20);
    let answers = thread.spawn(|| -> io::Result<()> {
        let mut backend = Backend::default();
        for question in io::stdin().lock().lines() {
            let answer = backend.answer(&question?, &mut |_| {});
            writeln!(io::stdout(), "{answer}")?;
        }
        Ok(())
    })?;
    answers.join().unwrap_or_else(|_| Err(io::Error::other("a question made the backend panic")))
}
