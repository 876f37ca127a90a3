//! Wake-ups: which run of which thread ended another one's wait.

use beryl_abi::{Awaited, DecodedNote, Instant, ThreadId};

use crate::event::{Event, Happening};
use crate::jobs::History;

/// A thread's wait ended by what another one did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wake {
    /// When the wait ended.
    pub at: Instant,
    /// The position of the run in which that was done.
    pub by: usize,
    /// The position of the woken thread's next run.
    pub woken: usize,
}

/// All wake-ups by other threads, in order. Nobody wakes who waited for an instant, and what an interrupt ends is not the
/// doing of the thread that it comes upon.
#[must_use]
pub fn wakes(events: &[Event], history: &History) -> Vec<Wake> {
    let mut of_thread: Vec<Vec<usize>> = vec![Vec::new(); usize::from(u8::MAX) + 1];
    history.runs.iter().enumerate().for_each(|(index, run)| of_thread[run.thread.index()].push(index));
    let runs = |thread: ThreadId, is_before: &dyn Fn(Instant) -> bool| {
        let own = &of_thread[thread.index()];
        (own, own.partition_point(|index| is_before(history.runs[*index].from)))
    };
    let mut follower = Follower::default();
    let mut found = Vec::new();
    for event in events {
        let Some((by, woken)) = follower.follow(event) else { continue };
        let at = event.time;
        let (own, begun) = runs(by, &|from| from <= at);
        let by = begun.checked_sub(1).and_then(|last| own.get(last)).copied();
        let (its, begun) = runs(woken, &|from| from < at);
        found.extend(by.zip(its.get(begun).copied()).map(|(by, woken)| Wake { at, by, woken }));
    }
    found
}

/// What is known of the threads so far.
struct Follower {
    runner: Option<ThreadId>,
    awaited: Vec<Option<Awaited>>,
    /// Whether an interrupt has come for a thread.
    interrupted: Vec<bool>,
}

impl Default for Follower {
    fn default() -> Follower {
        let all = usize::from(u8::MAX) + 1;
        Follower { runner: None, awaited: vec![None; all], interrupted: vec![false; all] }
    }
}

impl Follower {
    /// Who has woken whom by this event, if anybody has.
    fn follow(&mut self, event: &Event) -> Option<(ThreadId, ThreadId)> {
        match event.happening {
            Happening::Switch { to, .. } => self.runner = Some(to),
            Happening::Note(
                DecodedNote::Block { thread, awaited, .. } | DecodedNote::Lend { thread, awaited, .. },
            ) => {
                self.awaited[thread.index()] = Some(awaited);
                self.interrupted[thread.index()] = false;
            }
            Happening::Note(DecodedNote::Interrupt { thread, .. }) => self.interrupted[thread.index()] = true,
            // Who waits for a lock has it then.
            Happening::Note(DecodedNote::Wake { thread } | DecodedNote::Hold { thread, .. }) => {
                let awaited = self.awaited[thread.index()].take()?;
                let is_by_a_thread = !matches!(awaited, Awaited::Period | Awaited::Time);
                let is_by_an_interrupt = std::mem::take(&mut self.interrupted[thread.index()]);
                let by = self.runner.filter(|runner| *runner != thread)?;
                return (is_by_a_thread && !is_by_an_interrupt).then_some((by, thread));
            }
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beryl_abi::{Line, SemaphoreId};

    #[test]
    fn threads_wake_and_interrupts_and_instants_do_not() {
        let [one, two, three] = [0, 1, 2].map(ThreadId);
        let block = |thread, awaited| DecodedNote::Block { thread, awaited, object: 0 };
        let note = Happening::Note;
        let told = [
            (0, Happening::Switch { from: three, to: one }),
            (1, note(block(one, Awaited::Receive))),
            (2, Happening::Switch { from: one, to: two }),
            // It sends, and goes on.
            (3, note(DecodedNote::Wake { thread: one })),
            (5, note(block(two, Awaited::Time))),
            (5, Happening::Switch { from: two, to: one }),
            (6, note(DecodedNote::Wake { thread: two })),
            (7, note(block(one, Awaited::Semaphore))),
            (7, Happening::Switch { from: one, to: two }),
            // It gives the lock back.
            (8, note(DecodedNote::Hold { thread: one, lock: SemaphoreId(0) })),
            (8, Happening::Switch { from: two, to: one }),
            (9, note(block(one, Awaited::Notification))),
            (9, Happening::Switch { from: one, to: two }),
            (10, note(DecodedNote::Interrupt { thread: one, line: Line(3) })),
            (10, note(DecodedNote::Wake { thread: one })),
            (10, Happening::Switch { from: two, to: one }),
            (12, Happening::Switch { from: one, to: three }),
        ];
        let at = Instant::from_ticks;
        let events = told.map(|(ticks, happening)| Event { time: at(ticks), happening });
        let history = History::of(&events);
        let threads = |wake: Wake| {
            let run = |index: usize| (history.runs[index].thread, history.runs[index].from);
            (wake.at, run(wake.by), run(wake.woken))
        };
        let found: Vec<_> = wakes(&events, &history).into_iter().map(threads).collect();
        assert_eq!(found, [(at(3), (two, at(2)), (one, at(5))), (at(8), (two, at(7)), (one, at(8)))]);
    }
}
