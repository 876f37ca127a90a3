//! The past that is part of a state, because an assertion compares it with the future.

use beryl_abi::{Duration, Instant, Record};

use crate::fingerprint::Digest;
use crate::scenario::Past;

/// A piece of the past, as it stands now.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Kept {
    what: Past,
    all: Digest,
    /// The last release and the last end.
    last: [Option<Instant>; 2],
    /// The shortest and the longest delay.
    spread: Option<(Duration, Duration)>,
}

impl Kept {
    pub(crate) fn new(what: Past) -> Kept {
        Kept { what, all: Digest::default(), last: [None; 2], spread: None }
    }

    /// Notes a record, if it is relevant.
    pub(crate) fn see(&mut self, record: &Record, time: Instant) {
        match (self.what, *record) {
            (
                Past::All(thread),
                Record::Release { task, .. }
                | Record::Complete { task }
                | Record::Violation { task, .. }
                | Record::Switch { to: task, .. },
            ) if thread == task => self.all.add((record, time)),
            (Past::Last(thread), Record::Release { task, instant, .. }) if thread == task => {
                self.last[0] = Some(instant);
            }
            (Past::Last(thread), Record::Complete { task }) if thread == task => self.last[1] = Some(time),
            (Past::Spread(one), Record::Driver { driver, instant, .. }) if one == driver => {
                let delay = time.since(instant);
                let (least, most) = self.spread.unwrap_or((delay, delay));
                self.spread = Some((least.min(delay), most.max(delay)));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Kept;
    use crate::scenario::Past;
    use beryl_abi::{Instant, Record, ThreadId};

    /// What is kept of a task's jobs that end at these ticks.
    fn kept(past: fn(ThreadId) -> Past, ends: &[u64]) -> Kept {
        let mut kept = Kept::new(past(ThreadId(1)));
        for end in ends {
            kept.see(&Record::Complete { task: ThreadId(1) }, Instant::from_ticks(*end));
            kept.see(&Record::Complete { task: ThreadId(2) }, Instant::from_ticks(end + 1));
        }
        kept
    }

    #[test]
    fn the_last_forgets_what_was_before_it_and_all_does_not() {
        assert_eq!(kept(Past::Last, &[3, 9]), kept(Past::Last, &[4, 9]));
        assert_ne!(kept(Past::Last, &[3, 9]), kept(Past::Last, &[3, 8]));
        assert_ne!(kept(Past::All, &[3, 9]), kept(Past::All, &[4, 9]));
    }
}
