//! Runs the contestants in turns.

use std::process::Stdio;
use std::time::{Duration, Instant};

use super::contestant::{Answer, Contestant};
use super::sample::Sample;
use flyball::outcome::Failed;
use flyball::progress::Progress;

/// How many rounds there are.
#[derive(Clone, Copy)]
pub(super) struct Rounds {
    /// Rounds that fill caches and count for nothing.
    pub(super) warm_up: usize,
    pub(super) counted: usize,
}

/// Runs each contestant once and checks its answer.
pub(super) fn rehearse(contestants: &[Contestant]) -> Result<(), Failed> {
    for contestant in contestants {
        let mut command = contestant.command(0)?;
        let done = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output();
        let done = done.map_err(|cause| contestant.failed(&cause.to_string()))?;
        if !done.status.success() || !contestant.input.answer.matches(&done.stdout) || !done.stderr.is_empty()
        {
            let printed = [done.stdout, done.stderr].concat();
            return Err(contestant.failed(&format!(
                "{}: {}",
                done.status,
                String::from_utf8_lossy(&printed).trim()
            )));
        }
    }
    Ok(())
}

/// The race: in each round everybody runs once.
///
/// The order is shuffled anew for each round. With a fixed order, also a rotated one, somebody
/// always follows Node and finds the caches of the processor empty.
pub(super) fn run(
    contestants: &[Contestant],
    rounds: Rounds,
    progress: &Progress,
) -> Result<Vec<Sample>, Failed> {
    let mut times = vec![Vec::with_capacity(rounds.counted); contestants.len()];
    let mut chance = Random(0x2545_f491_4f6c_dd1d);
    for round in 0..rounds.warm_up + rounds.counted {
        progress.set_text(&format!("round {} of {}", round + 1, rounds.warm_up + rounds.counted));
        let mut order: Vec<_> = contestants.iter().zip(&mut times).collect();
        chance.shuffle(&mut order);
        for (contestant, times) in order {
            // Run 0 was the rehearsal.
            let time = run_once(contestant, round + 1)?;
            if round >= rounds.warm_up {
                times.push(time);
            }
        }
    }
    Ok(times.into_iter().map(Sample::from_times).collect())
}

/// Pseudo-random numbers, the same ones each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        // xorshift64
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        list.sort_by_cached_key(|_| self.next());
    }
}

fn run_once(contestant: &Contestant, run: usize) -> Result<Duration, Failed> {
    let mut command = contestant.command(run)?;
    let started = Instant::now();
    let status = command.spawn().and_then(|mut child| child.wait());
    let took = started.elapsed();
    match status {
        Ok(status) if status.success() => Ok(took),
        // Nobody reads the answer here, so that it is refused by exit code.
        Ok(status) if contestant.input.answer == Answer::Block && status.code() == Some(2) => Ok(took),
        Ok(status) => Err(contestant.failed(&status.to_string())),
        Err(cause) => Err(contestant.failed(&cause.to_string())),
    }
}

/// Checks that the contestants recorded their events.
pub(super) fn check_records(contestants: &[Contestant], runs: usize) -> Result<(), Failed> {
    for contestant in contestants {
        let Some(record) = &contestant.record else { continue };
        let new = contestant.recorded(record).saturating_sub(record.before);
        if new < runs {
            return Err(contestant.failed(&format!("it recorded {new} of {runs} events")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_occurs() {
        let mut chance = Random(1);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..200 {
            let mut order = [0, 1, 2, 3];
            chance.shuffle(&mut order);
            seen.insert(order);
        }
        assert_eq!(seen.len(), 24);
    }
}
