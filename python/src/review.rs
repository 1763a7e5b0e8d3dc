//! Whole games looked back at.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use tabiya_base::Stop;
use tabiya_pgn::Game;
use tabiya_review::{Graph, Opening, Review, ReviewSettings, review};

fn read(pgn: &str) -> PyResult<Game> {
    pgn.parse().map_err(|error: tabiya_pgn::ReadError| PyValueError::new_err(error.to_string()))
}

/// Reviews a game that is given as PGN: the review as JSON, the game with the review in it, and a picture.
#[pyfunction]
pub(crate) fn review_game(
    py: Python<'_>,
    pgn: &str,
    nodes: u64,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, String, String)> {
    let mut game = read(pgn)?;
    if !(ReviewSettings::LEAST_NODES..=ReviewSettings::DEEPEST).contains(&nodes) {
        return Err(PyValueError::new_err(format!(
            "a review looks at {} to {} positions for each move, not {nodes}",
            ReviewSettings::LEAST_NODES,
            ReviewSettings::DEEPEST
        )));
    }
    let stop = Stop::default();
    let reviewed = py.detach(|| {
        std::thread::scope(|scope| {
            let (say, said) = channel();
            let (thread_stop, game) = (stop.clone(), &game);
            let work = scope.spawn(move || {
                let settings = ReviewSettings { nodes, ..ReviewSettings::default() };
                review(
                    game,
                    &settings,
                    &mut |done, of| {
                        // Nobody may listen any more.
                        let _ = say.send((done, of));
                    },
                    &thread_stop,
                )
            });
            let mut failed = None;
            loop {
                let heard = said.recv_timeout(Duration::from_millis(50));
                let asked = Python::attach(|py| {
                    if let (Ok(step), Some(progress)) = (&heard, &progress) {
                        progress.call1(py, *step)?;
                    }
                    py.check_signals()
                });
                if let Err(error) = asked {
                    stop.stop();
                    failed = Some(error);
                    break;
                }
                if let Err(RecvTimeoutError::Disconnected) = heard {
                    break;
                }
            }
            let reviewed = work.join();
            if let Some(error) = failed {
                return Err(error);
            }
            reviewed
                .map_err(|_| PyRuntimeError::new_err("the engine has failed while it searched"))?
                .map_err(|_| PyKeyboardInterrupt::new_err("the review was stopped"))
        })
    })?;
    reviewed.annotate(&mut game);
    Ok((reviewed.json().to_string(), game.to_string(), picture(&reviewed, &game)))
}

/// The review that is in a game already; None if there is none.
#[pyfunction]
pub(crate) fn read_review(pgn: &str) -> PyResult<Option<(String, String, String)>> {
    let game = read(pgn)?;
    Ok(Review::read(&game)
        .map(|found| (found.json().to_string(), game.to_string(), picture(&found, &game))))
}

fn picture(review: &Review, game: &Game) -> String {
    let name = |tag, missing: &str| {
        let name = game.tag(tag).filter(|name| !name.is_empty() && *name != "?");
        name.unwrap_or(missing).to_owned()
    };
    let players = [name("White", "White"), name("Black", "Black")];
    review.graph(&Graph { players, ..Graph::default() })
}

/// The ECO code and the name of the opening that moves in UCI's notation make, and how many moves it has.
#[pyfunction]
pub(crate) fn opening(
    fen: Option<&str>,
    moves: Vec<String>,
) -> Option<(&'static str, &'static str, usize)> {
    let found = Opening::of_codes(fen, moves.iter().map(String::as_str))?;
    Some((found.eco, found.name, found.plies))
}
