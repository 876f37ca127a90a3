//! The events as columns of small numbers, in the order in which `read.js` reads them.
//!
//! A number is written in groups of seven bits, the lowest first; the highest bit of a byte tells whether
//! another byte follows. A number that may be negative is doubled first, and made odd if it is negative.
//! Instants are differences to the previous one, so most take a byte or two. An optional number is 0 if it is
//! missing; otherwise it is stored plus one.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use beryl_abi::Instant;

use crate::event::Event;
use crate::incident::Incident;
use crate::jobs::{History, Outcome};
use crate::names::Names;
use crate::ports::Ports;
use crate::signals::Signals;

/// A page keeps this many different values of sensors, actuators and ports; of any others it only knows that
/// there was a value.
pub(super) const MOST_VALUES: usize = 100_000;
/// And this many troubles.
pub(super) const MOST_TROUBLES: usize = 100_000;

/// The bytes so far.
#[derive(Debug, Default)]
pub(super) struct Columns {
    bytes: Vec<u8>,
}

impl Columns {
    /// The bytes as text.
    pub(super) fn to_base64(&self) -> String {
        STANDARD.encode(&self.bytes)
    }

    pub(super) fn number(&mut self, number: u128) {
        let mut rest = number;
        while rest >= 0x80 {
            self.bytes.push(low_bits(rest) | 0x80);
            rest >>= 7;
        }
        self.bytes.push(low_bits(rest));
    }

    pub(super) fn count(&mut self, count: usize) {
        self.number(u128::try_from(count).unwrap_or(u128::MAX));
    }

    /// Writes the difference between two instants.
    pub(super) fn step(&mut self, from: Instant, to: Instant) {
        let forward = u128::from(to.ticks().saturating_sub(from.ticks()));
        let backward = u128::from(from.ticks().saturating_sub(to.ticks()));
        self.number(if backward == 0 { forward * 2 } else { backward * 2 + 1 });
    }

    /// The same, if the second may be missing.
    fn maybe(&mut self, from: Instant, to: Option<Instant>) {
        self.number(to.map_or(0, |to| u128::from(to.since(from).ticks()) + 1));
    }

    /// Runs: thread, from the end of the run before, length.
    pub(super) fn runs(&mut self, history: &History) {
        self.count(history.runs.len());
        let mut reached = Instant::START;
        for run in &history.runs {
            self.number(run.thread.0.into());
            self.step(reached, run.from);
            self.number(run.to.since(run.from).ticks().into());
            reached = run.to;
        }
    }

    /// Jobs: thread, release, told, deadline, first start, end, execution time, outcome.
    pub(super) fn jobs(&mut self, history: &History) {
        self.count(history.jobs.len());
        let mut before = Instant::START;
        for job in &history.jobs {
            self.number(job.task.0.into());
            self.step(before, job.release);
            self.step(job.release, job.told);
            self.step(job.release, job.deadline);
            self.maybe(job.told, job.start);
            self.maybe(job.told, job.end);
            self.number(job.executed.ticks().into());
            self.number(match job.outcome {
                Outcome::Open => 0,
                Outcome::Completed => 1,
                Outcome::Missed => 2,
                Outcome::Violated => 3,
                Outcome::Faulted => 4,
            });
            before = job.release;
        }
    }

    /// Sensors, actuators and ports: signal (ports are numbered after all signals), logical instant, physical
    /// time, position of the value. Returns the values.
    pub(super) fn drivers(&mut self, events: &[Event], names: &Names) -> Vec<String> {
        let mut values = Values::default();
        let mut marks = Vec::new();
        let (signals, ports) = (Signals::of(names), Ports::of(names));
        for event in events {
            if let Some(moved) = signals.moved(event) {
                let value = signals.known(moved.signal).map(|known| known.value.describe(moved.value));
                marks.push((moved.signal.0, moved.instant, moved.time, values.position(value)));
            }
            marks.extend(
                ports.published(event).map(|one| {
                    (signals.count() + one.port, one.instant, one.time, values.position(one.value))
                }),
            );
        }
        self.count(marks.len());
        let mut before = Instant::START;
        for (signal, instant, time, position) in marks {
            self.count(signal);
            self.step(before, instant);
            self.step(instant, time);
            self.count(position.map_or(0, |position| position + 1));
            before = instant;
        }
        values.sorted()
    }

    /// Troubles: whether it is more than news, which thread is to blame, when, position of the words. Returns
    /// the words.
    pub(super) fn troubles(&mut self, events: &[Event], history: &History, names: &Names) -> Vec<String> {
        let told: Vec<Incident> = events
            .iter()
            .filter_map(|event| Incident::of(event, history, names))
            .take(MOST_TROUBLES)
            .collect();
        let mut words: BTreeMap<&str, usize> = BTreeMap::new();
        let mut texts = Vec::new();
        self.count(told.len());
        let mut before = Instant::START;
        for trouble in &told {
            let position = *words.entry(&trouble.words).or_insert_with(|| {
                texts.push(trouble.words.clone());
                texts.len() - 1
            });
            self.number(trouble.is_trouble.into());
            self.number(trouble.thread.map_or(0, |thread| u128::from(thread.0) + 1));
            self.step(before, trouble.at);
            self.count(position);
            before = trouble.at;
        }
        texts
    }
}

/// Values, each once, by their positions.
#[derive(Default)]
struct Values {
    positions: BTreeMap<String, usize>,
}

impl Values {
    /// The position of a value; `None` if there is no value, or no room for another.
    fn position(&mut self, value: Option<String>) -> Option<usize> {
        let value = value?;
        let next = self.positions.len();
        match self.positions.get(&value) {
            Some(position) => Some(*position),
            None if next < MOST_VALUES => {
                self.positions.insert(value, next);
                Some(next)
            }
            None => None,
        }
    }

    fn sorted(self) -> Vec<String> {
        let mut sorted: Vec<(String, usize)> = self.positions.into_iter().collect();
        sorted.sort_unstable_by_key(|(_, position)| *position);
        sorted.into_iter().map(|(value, _)| value).collect()
    }
}

fn low_bits(number: u128) -> u8 {
    u8::try_from(number & 0x7F).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(write: impl Fn(&mut Columns)) -> Vec<u8> {
        let mut columns = Columns::default();
        write(&mut columns);
        columns.bytes
    }

    #[test]
    fn small_numbers_take_a_byte() {
        assert_eq!(bytes(|columns| columns.number(127)), [127]);
        assert_eq!(bytes(|columns| columns.number(300)), [0xAC, 2]);
        let at = Instant::from_ticks;
        assert_eq!(bytes(|columns| columns.step(at(5), at(9))), [8]);
        assert_eq!(bytes(|columns| columns.step(at(9), at(5))), [9]);
        assert_eq!(bytes(|columns| columns.maybe(at(9), None)), [0]);
        assert_eq!(bytes(|columns| columns.maybe(at(9), Some(at(9)))), [1]);
        assert_eq!(bytes(|columns| columns.step(at(0), at(u64::MAX))).len(), 10);
    }
}
