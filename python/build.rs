//! Tells the compiler for which Python is built: whether it has a global lock.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
