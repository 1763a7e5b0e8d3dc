//! The computers at the table.

use std::sync::Arc;

use tabiya_base::Stop;

use super::Session;
use crate::rules::Task;
use crate::thinking::{Purpose, Thought};

/// Somebody thinks. Dropped, nobody wants to hear of it any more.
pub(super) struct Running {
    ticket: u64,
    stop: Stop,
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
    pub(super) fn hurry(&self) {
        self.stop.stop();
    }
}

/// What came of a thought.
pub(super) struct Answer {
    ticket: u64,
    purpose: Purpose,
    thought: Result<Thought, String>,
}

impl Session {
    /// Has the player whose turn it is think, if it is a computer.
    pub(super) fn wake(&mut self) {
        if self.end.is_none() && !self.is_person(self.game.turn()) && self.mover.is_none() {
            self.mover = Some(self.ask(Purpose::Move));
        }
    }

    pub(super) fn advise(&mut self, purpose: Purpose) {
        self.adviser = None;
        self.adviser = Some(self.ask(purpose));
    }

    fn ask(&mut self, purpose: Purpose) -> Running {
        self.tickets += 1;
        let ticket = self.tickets;
        let now = self.now();
        let task = Task {
            purpose,
            player: self.player(self.game.turn()),
            seed: self.setup.seed,
            clocks: self.clocks.as_ref().map(|clocks| (clocks.both(now), clocks.control)),
        };
        let work = self.game.think(&task);
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
            if outbox.send(Answer { ticket, purpose, thought }).is_ok()
                && let Some(on_change) = on_change.as_ref().map(Arc::as_ref)
            {
                on_change();
            }
        }));
        Running { ticket, stop, _wanted: wanted }
    }

    /// Stops all thinking and does not want to hear of it.
    pub(super) fn cancel(&mut self) {
        (self.mover, self.adviser) = (None, None);
    }

    /// Takes what computers have to say; after a move nothing more, so that each can be shown.
    pub(super) fn hear(&mut self) {
        while let Ok(Answer { ticket, purpose, thought }) = self.inbox.try_recv() {
            let running = match purpose {
                Purpose::Move => &mut self.mover,
                Purpose::Hint | Purpose::Evaluation => &mut self.adviser,
            };
            if running.as_ref().is_none_or(|running| running.ticket != ticket) {
                continue; // That position is gone.
            }
            *running = None;
            match purpose {
                Purpose::Move => self.hear_move(thought),
                Purpose::Hint => self.hear_hint(thought),
                Purpose::Evaluation => {
                    self.evaluation = thought.ok().and_then(|thought| thought.evaluation)
                }
            }
            self.changed();
            if purpose == Purpose::Move {
                return;
            }
        }
    }

    fn hear_move(&mut self, thought: Result<Thought, String>) {
        let side = self.game.turn();
        let said = match thought {
            Ok(thought) => {
                if let Some(name) = thought.name {
                    self.names[side as usize] = Some(name);
                }
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
        self.evaluation = self.evaluation.take().or(evaluation);
    }
}
