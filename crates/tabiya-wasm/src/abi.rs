//! What JavaScript calls. A text lies in one buffer, which both sides know: it is prepared for a question, and has the
//! answer afterwards.

use std::cell::RefCell;
use std::time::Duration;

use crate::Backend;

#[link(wasm_import_module = "tabiya")]
unsafe extern "C" {
    /// Milliseconds since any moment.
    safe fn now() -> f64;
    /// Something that was found on the way: a text of JSON.
    safe fn hear(text: *const u8, length: usize);
}

thread_local! {
    static BACKEND: RefCell<Backend> = RefCell::default();
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

fn time() -> Duration {
    Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default()
}

/// Makes room for a question of so many bytes, and says where.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn tabiya_prepare(length: usize) -> *mut u8 {
    TEXT.with_borrow_mut(|text| {
        text.clear();
        text.resize(length, 0);
        text.as_mut_ptr()
    })
}

/// Answers the question that lies in the buffer: so many bytes are the answer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn tabiya_answer() -> usize {
    tabiya_base::set_clock(time);
    let question = TEXT.take();
    let question = String::from_utf8_lossy(&question);
    let answer = BACKEND.with_borrow_mut(|backend| {
        backend.answer(&question, &mut |said| hear(said.as_ptr(), said.len()))
    });
    TEXT.with_borrow_mut(|text| {
        *text = answer.into_bytes();
        text.len()
    })
}

/// Where the answer lies.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn tabiya_text() -> *const u8 {
    TEXT.with_borrow(|text| text.as_ptr())
}
