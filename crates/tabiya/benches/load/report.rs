use std::time::Duration;

use crate::Outcome;
use crate::server::Server;

/// What is printed at the end, as Markdown.
#[derive(Default)]
pub(crate) struct Report {
    lines: Vec<String>,
    memory: Vec<String>,
    sieges: Vec<String>,
    /// What was slower or larger than it may be.
    missed: Vec<String>,
}

impl Report {
    /// So large a share of the times must be within a bound.
    pub(crate) fn demand(&mut self, what: &str, times: &[Duration], share: f64, most: Duration) {
        let time = within(times, share);
        if time > most {
            self.missed.push(format!("{what}: {time:?} instead of at most {most:?}"));
        }
    }

    /// The server must never have had more memory.
    pub(crate) fn demand_memory(&mut self, what: &str, server: &Server, most: u64) {
        if let Some((_, peak)) = server.memory().filter(|&(_, peak)| peak > most) {
            self.missed.push(format!("{what}: {peak} MiB instead of at most {most} MiB"));
        }
    }

    /// Nothing, or all that was missed in one line.
    pub(crate) fn verdict(&self) -> Outcome<()> {
        if self.missed.is_empty() { Ok(()) } else { Err(self.missed.join("; ").into()) }
    }

    pub(crate) fn line(&mut self, what: &str, count: usize, times: &[Duration]) {
        let line = format!("| {what} | {count} | {} |", figures(times));
        eprintln!("{line}");
        self.lines.push(line);
    }

    /// A person's moves among those who are slow, and what they cost the server.
    pub(crate) fn siege(&mut self, what: &str, times: &[Duration], server: &Server) {
        let memory = server.memory().map_or_else(String::new, |(_, most)| format!("{most} MiB"));
        let line = format!("| {what} | {} | {memory} |", figures(times));
        eprintln!("{line}");
        self.sieges.push(line);
    }

    pub(crate) fn moves(
        &mut self,
        games: usize,
        seconds: usize,
        took: Duration,
        times: &[(Duration, Duration)],
    ) {
        eprintln!("{games} games, {seconds} moves each, in {:.1} s", took.as_secs_f64());
        let (confirmed, seen): (Vec<_>, Vec<_>) = times.iter().copied().unzip();
        let what = format!("{games} games at a move a second: move confirmed and on the disk");
        self.line(&what, confirmed.len(), &confirmed);
        self.line("… seen by the other player", seen.len(), &seen);
    }

    pub(crate) fn storm(&mut self, times: &[Duration]) {
        let what = format!("{} pages come back at once: the missed move is there", times.len());
        self.line(&what, times.len(), times);
    }

    pub(crate) fn spectators(&mut self, crowd: usize, confirmed: &[Duration], seen: &[Duration]) {
        let what = format!("one game before {crowd} spectators: move confirmed");
        self.line(&what, confirmed.len(), confirmed);
        self.line("… seen by each spectator", seen.len(), seen);
    }

    pub(crate) fn memory(&mut self, when: &str, server: &Server) {
        if let Some((now, most)) = server.memory() {
            eprintln!("memory, {when}: {now} MiB");
            self.memory.push(format!("| {when} | {now} MiB | {most} MiB |"));
        }
    }

    pub(crate) fn lost(&mut self, moves: usize) {
        let line =
            format!("Confirmed moves that were not there after kill -9 and a new start: {moves}");
        self.lines.push(format!("\n{line}"));
    }

    pub(crate) fn print(&self) {
        for (head, rows) in [
            ("what | how many | half within | 99 % within | all within", &self.lines),
            ("memory of the server | now | at most", &self.memory),
            (
                "among | half within | 99 % within | all within | memory of the server at most",
                &self.sieges,
            ),
        ] {
            if !rows.is_empty() {
                let columns = head.matches('|').count();
                println!("| {head} |\n|---{}|", "|---:".repeat(columns));
                println!("{}\n", rows.join("\n"));
            }
        }
    }
}

/// Within which time half were, 99 of 100, and all.
fn figures(times: &[Duration]) -> String {
    let figures = [0.5, 0.99, 1.0]
        .map(|share| format!("{:.1} ms", within(times, share).as_secs_f64() * 1000.0));
    figures.join(" | ")
}

fn within(times: &[Duration], share: f64) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort();
    let at = (sorted.len() as f64 * share) as usize;
    sorted.get(at.min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
}
