//! Whether a database is as it should be.

use crate::database::{Database, Part};
use crate::error::DbError;
use crate::explore::Moves;
use crate::filter::Filter;
use crate::importer::compare_index;
use crate::layer::Layer;
use crate::manifest::Lock;
use crate::run::{part, steps};
use crate::segment::Columns;

impl Database {
    /// Looks at everything: checksums, whether every game can be played, and whether the indexes are those of the games.
    /// With `rebuild` they are made anew and compared byte by byte, while nobody may add games; indexes over several
    /// databases are compared with those of each, position by position. Tells of each thing that is wrong.
    pub fn check(
        &self,
        rebuild: bool,
        mut progress: impl FnMut(u64),
    ) -> Result<Vec<DbError>, DbError> {
        let mut wrong = Vec::new();
        let mut note = |result: Result<(), DbError>| wrong.extend(result.err());
        let names = self.parts.iter().flat_map(|Part { folder, manifest }| {
            manifest.runs.iter().map(move |entry| (folder, &entry.name))
        });
        for ((folder, name), run) in names.zip(&self.runs) {
            note(run.positions.check());
            for kind in ["heads", "players", "events", "seen"] {
                note(crate::heads::check(&part(folder, name, kind)));
            }
        }
        for ((path, segment), &before) in
            self.files().into_iter().zip(&self.segments).zip(&self.firsts)
        {
            for group in 0..segment.groups() {
                let records = match segment.read(group, Columns::ALL) {
                    Ok(records) => records,
                    Err(error) => {
                        note(Err(error));
                        continue;
                    }
                };
                let mut game = before + u64::from(segment.range(group).start);
                for record in records {
                    game += 1;
                    let legal = record.steps().into_iter().flatten().all(|(position, step)| {
                        !matches!(step, crate::NextMove::Move(m) if !position.is_legal(m))
                    });
                    let plies = steps(&record).map(|steps| steps.len() - 1);
                    if !legal || plies != Some(record.plies.into()) {
                        note(Err(DbError::damaged(&path, format!("game {game} cannot be played"))));
                        continue;
                    }
                    let head = self.head(game)?;
                    let elo = |elo: Option<u16>| elo.unwrap_or(0);
                    if (head.white, head.black) != (record.white.clone(), record.black.clone())
                        || head.result != record.result.notation()
                        || head.date != record.day.to_string()
                        || head.plies != record.plies
                        || elo(head.white_elo) != record.white_elo
                        || elo(head.black_elo) != record.black_elo
                    {
                        let what = format!("the index knows game {game} otherwise");
                        note(Err(DbError::damaged(&path, what)));
                    }
                }
                progress(game);
            }
        }
        if rebuild {
            for Part { folder, manifest } in &self.parts {
                let _lock = Lock::take(folder, || ())?;
                let mut first = 0;
                for run in &manifest.runs {
                    let segments = &manifest.segments[first..first + run.segments];
                    note(compare_index(folder, segments, run));
                    first += run.segments;
                }
            }
        }
        for layer in &self.layers {
            note(self.check_layer(layer, rebuild));
        }
        Ok(wrong)
    }

    /// Whether an index over several databases has as many moves of games as theirs, in order; with `compare` whether it
    /// has the same for each position and move.
    fn check_layer(&self, layer: &Layer, compare: bool) -> Result<(), DbError> {
        let all = self.choose(&Filter::default());
        let mut steps = 0;
        for number in 0..layer.shards() {
            let Some(shard) = layer.shard(number)? else { continue };
            let wrong = |what: String| Err(DbError::damaged(shard.path(), what));
            let mut before = None;
            // What the databases have of the position that is read, as far as it has not been met.
            let mut left = Moves::new();
            for group in 0..shard.groups() {
                for row in shard.read(group, layer.games)? {
                    let (key, code) = (row.key(), row.code());
                    if !layer.is_of(key, number) || before >= Some((key as i64, code)) {
                        return wrong(format!("the position {key:016x} is not where it belongs"));
                    }
                    steps += row.games();
                    if compare {
                        if before.is_none_or(|(before, _)| before != key as i64) {
                            if let Some(code) = left.keys().next() {
                                return wrong(format!(
                                    "before {key:016x} the move {code} is missing"
                                ));
                            }
                            self.sum_up(key, layer.runs.clone(), &all, &mut left)?;
                            left.retain(|_, sums| sums.games > 0);
                        }
                        if left.remove(&code) != Some(self.layered(layer, &row)?) {
                            return wrong(format!(
                                "the databases have something else of the position {key:016x}, move {code}"
                            ));
                        }
                    }
                    before = Some((key as i64, code));
                }
            }
            if let Some(code) = left.keys().next() {
                return wrong(format!("at the end the move {code} is missing"));
            }
        }
        let known: u64 =
            self.runs[layer.runs.clone()].iter().map(|run| run.positions.counts.steps).sum();
        match steps == known {
            true => Ok(()),
            false => Err(DbError::damaged(
                layer.folder(),
                format!("it has {steps} moves of games, and the databases have {known}"),
            )),
        }
    }
}
