//! The events as columns of small numbers, in the order in which `read.js` reads them.
//!
//! A number is written in groups of seven bits, the lowest first; the highest bit of a byte tells whether
//! another byte follows. A number that may be negative is doubled first, and made odd if it is negative.
//! Instants are differences to the previous one, so most take a byte or two. An optional number is 0 if it is
//! missing; otherwise it is stored plus one.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use beryl_abi::Instant;

use super::packed::packed;
use super::words::Words;
use crate::clock::Tick;
use crate::event::Event;
use crate::incident::Incident;
use crate::jobs::{History, Outcome};
use crate::log::Log;
use crate::names::Names;

/// A page keeps this many different values that aren't numbers; of any others it only knows that there was one.
pub(super) const MOST_VALUES: usize = 100_000;
/// And this many troubles.
pub(super) const MOST_TROUBLES: usize = 100_000;

/// The bytes so far.
#[derive(Debug, Default)]
pub(super) struct Columns {
    bytes: Vec<u8>,
    /// In which ticks instants come, and in which the page tells them; nothing if these are the same.
    ticks: Option<(Tick, Tick)>,
}

impl Columns {
    /// From here on instants come in ticks of this length, and the page tells them in others.
    pub(super) fn come_in(&mut self, own: Tick, page: Tick) {
        self.ticks = (own != page).then_some((own, page));
    }

    /// An instant in ticks of the page.
    pub(super) fn at(&self, instant: Instant) -> Instant {
        self.ticks.map_or(instant, |(own, page)| page.instant(own.logical(instant)))
    }

    /// Writes how long it is from one instant to another.
    pub(super) fn length(&mut self, from: Instant, to: Instant) {
        self.number(self.at(to).since(self.at(from)).ticks().into());
    }

    /// The bytes, packed, as text.
    pub(super) fn to_base64(&self) -> String {
        STANDARD.encode(packed(&self.bytes))
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
        let (from, to) = (self.at(from), self.at(to));
        let forward = u128::from(to.ticks().saturating_sub(from.ticks()));
        let backward = u128::from(from.ticks().saturating_sub(to.ticks()));
        self.number(if backward == 0 { forward * 2 } else { backward * 2 + 1 });
    }

    /// The same of whole numbers.
    pub(super) fn difference(&mut self, from: i64, to: i64) {
        let difference = i128::from(to) - i128::from(from);
        self.number(difference.unsigned_abs() * 2 + u128::from(difference < 0));
    }

    /// The same of positions.
    pub(super) fn positions(&mut self, from: usize, to: usize) {
        let number = |position| i64::try_from(position).unwrap_or(i64::MAX);
        self.difference(number(from), number(to));
    }

    /// Writes bytes as they are.
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The same, if the second may be missing.
    fn maybe(&mut self, from: Instant, to: Option<Instant>) {
        let from = self.at(from);
        self.number(to.map_or(0, |to| u128::from(self.at(to).since(from).ticks()) + 1));
    }

    /// Runs: thread, from the end of the run before, length.
    pub(super) fn runs(&mut self, history: &History) {
        self.count(history.runs.len());
        let mut reached = Instant::START;
        for run in &history.runs {
            self.number(run.thread.0.into());
            self.step(reached, run.from);
            self.length(run.from, run.to);
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
            self.length(Instant::START, Instant::START.after(job.executed));
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

    /// Troubles: whether it is more than news, which thread is to blame, when, position of the words. Returns
    /// the words.
    pub(super) fn troubles(
        &mut self,
        events: &[Event],
        history: &History,
        names: &Names,
        log: Option<&Log>,
    ) -> Vec<String> {
        let found = events.iter().filter_map(|event| Incident::of(event, history, names));
        let said = log.into_iter().flat_map(Log::incidents);
        let told: Vec<Incident> = found.take(MOST_TROUBLES).chain(said.take(MOST_TROUBLES)).collect();
        let mut words = Words::default();
        self.count(told.len());
        let mut before = Instant::START;
        for trouble in &told {
            let position = words.position(trouble.words.clone());
            self.number(trouble.is_trouble.into());
            self.number(trouble.thread.map_or(0, |thread| u128::from(thread.0) + 1));
            self.step(before, trouble.at);
            self.count(position);
            before = trouble.at;
        }
        words.all
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
