//! The stretches of a recorded period, from one release to the next, and who is to run in each, in which order.

use beryl_abi::ThreadId;

use super::Unwritten;
use super::jobs::{Jobs, Order};
use super::recording::{Note, Notes};
use super::reorder::Kept;
use super::tasks::Tasks;

/// A recorded period of a module.
#[derive(Clone, Copy)]
pub(super) struct Stretches<'m> {
    pub notes: Notes<'m>,
    pub period: u32,
    /// The module's.
    pub tasks: Tasks,
}

impl<'m> Stretches<'m> {
    /// Hands out the order of each stretch, and where the stretch ends. Where an instant is kept, whoever was
    /// there before it comes first, in the order of before. Returns at which other instants this would make a
    /// difference.
    pub fn each(
        &self,
        kept: Kept,
        mut take: impl FnMut(&[ThreadId], u32) -> Result<(), Unwritten>,
    ) -> Result<Kept, Unwritten> {
        let (mut jobs, mut before, mut choices) = (Jobs::NONE, Order::NONE, Kept::NONE);
        let (mut at, mut number) = (0, 0);
        // bound: the releases of a recording, each of which begins one stretch at most
        loop {
            let until = self.release_after(at).unwrap_or(self.period).min(self.period);
            jobs.forget(at);
            before.retain(|task| jobs.has(task));
            for (task, due) in self.stretch(at).filter_map(|note| Some((note.task, note.release()?.1))) {
                jobs.add(task, due)?;
            }
            let ran = self.stretch(at).filter(|note| note.release().is_none()).map(|note| note.task);
            let own = jobs.in_order(ran);
            let other = own.behind(&before);
            before = if kept.has(number) { other } else { own };
            if before != other {
                choices = choices.with(number);
            }
            take(before.tasks(), until)?;
            if until >= self.period {
                return if jobs.were_any() { Ok(choices) } else { Err(Unwritten::Nothing) };
            }
            (at, number) = (until, number + 1);
        }
    }

    /// How often a task went on after another one of the module had the processor in between.
    pub fn preemptions(&self) -> u32 {
        let (mut begun, mut running, mut count) = (Tasks::NONE, ThreadId::NONE, 0);
        for note in self.own() {
            if note.release().is_some() {
                begun.remove(note.task);
            } else {
                count += u32::from(note.task != running && begun.has(note.task));
                begun.insert(note.task);
                running = note.task;
            }
        }
        count
    }

    fn own(&self) -> impl Iterator<Item = Note> + 'm {
        let tasks = self.tasks;
        self.notes.iter().filter(move |note| tasks.has(note.task))
    }

    fn release_after(&self, at: u32) -> Option<u32> {
        self.own().filter_map(|note| Some(note.release()?.0)).filter(|other| *other > at).min()
    }

    /// The notes from an instant's first release up to the next instant's.
    fn stretch(&self, at: u32) -> impl Iterator<Item = Note> + 'm {
        let is_before = move |note: &Note| note.release().is_none_or(|(own, _)| own < at);
        let is_in = move |note: &Note| note.release().is_none_or(|(own, _)| own == at);
        self.own().skip_while(is_before).take_while(is_in)
    }
}
