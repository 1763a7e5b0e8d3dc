//! Whether a database is as it should be.

use crate::database::Database;
use crate::error::DbError;
use crate::importer::compare_index;
use crate::manifest::Lock;
use crate::run::{part, steps};
use crate::segment::Columns;

impl Database {
    /// Looks at everything: checksums, whether every game can be played, and whether the indexes are those of the games.
    /// With `rebuild` they are made anew and compared byte by byte, while nobody may add games. Tells of each thing
    /// that is wrong.
    pub fn check(
        &self,
        rebuild: bool,
        mut progress: impl FnMut(u64),
    ) -> Result<Vec<DbError>, DbError> {
        let mut wrong = Vec::new();
        let mut note = |result: Result<(), DbError>| wrong.extend(result.err());
        for (entry, run) in self.manifest.runs.iter().zip(&self.runs) {
            note(run.positions.check());
            for kind in ["heads", "players", "events", "seen"] {
                note(crate::heads::check(&part(&self.folder, &entry.name, kind)));
            }
        }
        let segments = self.manifest.segments.iter().zip(&self.segments);
        for ((entry, segment), &before) in segments.zip(&self.firsts) {
            let path = self.folder.join(&entry.file);
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
            let _lock = Lock::take(&self.folder, || ())?;
            let mut first = 0;
            for run in &self.manifest.runs {
                let segments = &self.manifest.segments[first..first + run.segments];
                note(compare_index(&self.folder, segments, run));
                first += run.segments;
            }
        }
        Ok(wrong)
    }
}
