//! The computers at the table.

use std::sync::Arc;
use std::time::Duration;

use tabiya_base::Stop;

use super::Session;
use crate::pace::Situation;
use crate::rules::Task;
use crate::thinking::{Purpose, Thought};

/// Somebody thinks. Dropped, nobody wants to hear of it any more.
pub(super) struct Running {
    ticket: u64,
    purpose: Purpose,
    /// The position that is thought about, by the number of half-moves.
    ply: usize,
    stop: Stop,
    /// Before this time its answer is held.
    due: Duration,
    /// As long as it is there, the answer is wanted.
    _wanted: Arc<()>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

impl Running {
    /// Has it end soon, with what it has found so far.
    pub(super) fn hurry(&mut self) {
        self.stop.stop();
        self.due = Duration::ZERO;
    }

    /// Whether another position may be looked at instead.
    pub(super) fn gives_way_to(&self, ply: usize) -> bool {
        self.purpose == Purpose::Evaluation && self.ply != ply
    }
}

/// What a computer thought about its move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thoughts {
    /// What it expects, from White's side, as people write it.
    pub score: Option<String>,
    /// How many positions it looked at.
    pub nodes: u64,
    /// What it keeps in memory for its next move, in words.
    pub memory: Option<String>,
}

/// What came of a thought.
pub(super) struct Answer {
    ticket: u64,
    purpose: Purpose,
    ply: usize,
    thought: Result<Thought, String>,
}

impl Session {
    /// Has the player whose turn it is think, if it is a computer.
    pub(super) fn wake(&mut self) {
        let goes_on = self.must_go_on().is_ok();
        if goes_on && !self.is_person(self.game.turn()) && self.mover.is_none() {
            self.mover = Some(self.ask(Purpose::Move, self.game.moves().len()));
        }
    }

    pub(super) fn advise(&mut self, purpose: Purpose, ply: usize) {
        self.adviser = None;
        self.adviser = Some(self.ask(purpose, ply));
    }

    fn ask(&mut self, purpose: Purpose, ply: usize) -> Running {
        self.tickets += 1;
        let ticket = self.tickets;
        let now = self.now();
        let mut game = self.game.boxed();
        for _ in ply..game.moves().len() {
            game.undo();
        }
        let task = Task {
            purpose,
            player: self.player(game.turn()),
            seed: self.setup.seed,
            clocks: self.clocks.as_ref().map(|clocks| (clocks.both(now), clocks.control)),
        };
        let work = game.think(&task);
        let due = match purpose {
            Purpose::Move => now + self.pause(now),
            Purpose::Hint | Purpose::Evaluation => now,
        };
        let stop = Stop::default();
        let (outbox, on_change) = (self.outbox.clone(), self.deps.on_change.clone());
        let wanted = Arc::new(());
        let (theirs, is_wanted) = (stop.clone(), Arc::downgrade(&wanted));
        self.deps.executor.run(Box::new(move || {
            if is_wanted.strong_count() == 0 {
                return; // It waited for its turn too long.
            }
            let thought = work(&theirs);
            // Nobody listens any more if the session is gone.
            if outbox.send(Answer { ticket, purpose, ply, thought }).is_ok()
                && let Some(on_change) = on_change.as_ref().map(Arc::as_ref)
            {
                on_change();
            }
        }));
        Running { ticket, purpose, ply, stop, due, _wanted: wanted }
    }

    /// How long the answer of the player whose turn it is is held.
    fn pause(&self, now: Duration) -> Duration {
        let side = self.game.turn();
        let Some(pace) = self.player(side).options.pace else { return Duration::ZERO };
        let clock = self.clocks.as_ref();
        let situation = Situation {
            ply: self.game.moves().len(),
            choices: self.game.legal_moves().len(),
            pieces: self.game.pieces().len(),
            clock: clock.map(|clocks| (clocks.left(side, now), clocks.control.increment)),
            seed: self.setup.seed,
        };
        situation.pause(pace)
    }

    /// Stops all thinking and does not want to hear of it.
    pub(super) fn cancel(&mut self) {
        (self.mover, self.adviser, self.held) = (None, None, None);
    }

    /// Takes what computers have to say; after a move nothing more, so that each can be shown.
    pub(super) fn hear(&mut self) {
        let now = self.now();
        while let Some(answer) = self.held.take().or_else(|| self.inbox.try_recv().ok()) {
            let is_early = |running: &Running| running.ticket == answer.ticket && now < running.due;
            if answer.purpose == Purpose::Move && self.mover.as_ref().is_some_and(is_early) {
                self.held = Some(answer);
                // Advice need not wait for it.
                match self.inbox.try_recv() {
                    Ok(other) => self.take_in(other),
                    Err(_) => return,
                };
                continue;
            }
            if self.take_in(answer) == Some(Purpose::Move) {
                return;
            }
        }
    }

    /// Takes one answer in, unless nobody wants it any more.
    fn take_in(&mut self, Answer { ticket, purpose, ply, thought }: Answer) -> Option<Purpose> {
        let running = match purpose {
            Purpose::Move => &mut self.mover,
            Purpose::Hint | Purpose::Evaluation => &mut self.adviser,
        };
        if running.as_ref().is_none_or(|running| running.ticket != ticket) {
            return None; // That position is gone.
        }
        *running = None;
        match purpose {
            Purpose::Move => self.hear_move(thought),
            Purpose::Hint => self.hear_hint(thought),
            Purpose::Evaluation => {
                let found = thought.ok().and_then(|thought| thought.evaluation);
                self.evaluations.extend(found.map(|found| (ply, found)));
            }
        }
        self.changed();
        Some(purpose)
    }

    fn hear_move(&mut self, thought: Result<Thought, String>) {
        let side = self.game.turn();
        let said = match thought {
            Ok(thought) => {
                if let Some(name) = thought.name {
                    self.names[side as usize] = Some(name);
                }
                self.thoughts = Some(Thoughts {
                    score: thought.evaluation.map(|evaluation| evaluation.text),
                    nodes: thought.nodes,
                    memory: thought.memory,
                });
                match thought.uci {
                    Some(uci) => self.play(|game| game.play(&uci)).map_err(|refusal| refusal.0),
                    None => Err(format!("{} found no move.", self.name(side))),
                }
            }
            Err(sentence) => Err(sentence),
        };
        if let Err(sentence) = said {
            self.trouble = Some(sentence);
        }
    }

    fn hear_hint(&mut self, thought: Result<Thought, String>) {
        let Ok(Thought { uci: Some(uci), evaluation, .. }) = thought else { return };
        let mut next = self.game.boxed();
        if next.play(&uci).is_ok()
            && let Some(played) = next.moves().last()
        {
            self.hint = Some((played.from, played.to));
        }
        let ply = self.game.moves().len();
        if let Some(evaluation) = evaluation {
            self.evaluations.entry(ply).or_insert(evaluation);
        }
    }
}
