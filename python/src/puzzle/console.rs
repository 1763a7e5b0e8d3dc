use pyo3::exceptions::{PyBrokenPipeError, PyEOFError};
use pyo3::prelude::*;
use tabiya_puzzle::{Console, Disk, Level, Player, converse};

/// The dialogue on Python's own `input` and `print`, whatever they are at the time.
pub(crate) struct PythonConsole<'py> {
    builtins: Bound<'py, PyModule>,
}

impl<'py> PythonConsole<'py> {
    pub(crate) fn new(py: Python<'py>) -> PyResult<PythonConsole<'py>> {
        Ok(PythonConsole { builtins: py.import("builtins")? })
    }

    pub(crate) fn run(mut self) -> PyResult<()> {
        let py = self.builtins.py();
        let mut computer = Player::new(Level::FULL, 0);
        match converse(&mut self, &mut Disk, &mut computer, None) {
            // Nobody listens any more.
            Err(error) if error.is_instance_of::<PyBrokenPipeError>(py) => Ok(()),
            result => result,
        }
    }
}

impl Console for PythonConsole<'_> {
    type Error = PyErr;

    fn ask(&mut self, prompt: &str) -> PyResult<Option<String>> {
        match self.builtins.call_method1("input", (prompt,)) {
            Ok(line) => line.extract().map(Some),
            Err(error) if error.is_instance_of::<PyEOFError>(self.builtins.py()) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn say(&mut self, text: &str) -> PyResult<()> {
        self.builtins.call_method1("print", (text,)).map(drop)
    }
}
