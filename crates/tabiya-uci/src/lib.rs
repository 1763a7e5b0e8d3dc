//! The Tabiya engine as chess programs meet it: [`run`] serves it over UCI. Networks are found by name, and drawn, in
//! [`network`].

mod engine;
pub mod network;

pub use engine::{DEEPEST_BENCH, bench, run};
