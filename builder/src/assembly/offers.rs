//! Offers: bands whose tasks the programs of a slot may take over, to run them by threads of S code.

use std::collections::BTreeSet;

use super::{Assembly, Mode, Module, Role};

/// Places for threads of S code in the kernel, for each slot whose programs may have one: a power of two.
const PLACES: usize = 2;

impl Assembly {
    /// The slot to whose programs the tasks of a band are offered.
    #[must_use]
    pub fn offered_to(&self, band: usize) -> Option<usize> {
        self.objects.slots.iter().position(|slot| slot.offers == Some(band))
    }

    /// The slots to whose programs tasks are offered, with the bands.
    pub fn offers(&self) -> impl Iterator<Item = (usize, usize)> {
        let slots = self.objects.slots.iter().enumerate();
        slots.filter_map(|(slot, row)| Some((slot, row.offers?)))
    }

    /// The module of a slot.
    #[must_use]
    pub fn module_of(&self, slot: usize) -> Option<usize> {
        self.modules.iter().position(|module| module.slot == Some(slot))
    }

    /// The first place for threads of a slot's programs, and how many there are: none if nothing is offered to them.
    #[must_use]
    pub fn thread_places(&self, slot: usize) -> Option<(usize, usize)> {
        let number = self.offers().position(|(other, _)| other == slot)?;
        Some((self.threads_by_code(self.bands.len()) + PLACES * number, PLACES))
    }

    /// How many places there are for threads of system code: those of bands that are scheduled by code, and
    /// those of slots.
    #[must_use]
    pub fn schedules(&self) -> usize {
        self.threads_by_code(self.bands.len()) + PLACES * self.offers().count()
    }

    /// The most instructions in a block of a thread that is made of a recorded period of one of a module's programs.
    ///
    /// `beryl_syscode::generate` writes them: for each stretch between releases a dispatch for each job that is
    /// released and not due yet, and an `idle`; at the end a `fork` and a `return`.
    #[must_use]
    pub fn longest_block(&self, bodies: &[&Module], band: usize) -> usize {
        let modes = bodies.iter().flat_map(|body| &body.modes);
        modes.map(|mode| self.block_of(mode, band)).max().unwrap_or(0)
    }

    fn block_of(&self, mode: &Mode, band: usize) -> usize {
        let is_offered = |task: usize| self.threads.get(task).is_some_and(|thread| thread.band == band);
        let activities = mode.activities.iter().filter(|activity| activity.task().is_some_and(is_offered));
        let windows: Vec<_> = activities.flat_map(|activity| activity.windows(mode.period)).collect();
        let starts: BTreeSet<_> = windows.iter().map(|window| window.start).collect();
        let at_work = |at: &beryl_abi::Duration| {
            windows.iter().filter(|window| window.start <= *at && *at < window.end).count()
        };
        starts.iter().map(at_work).max().unwrap_or(0).max(1) + 1
    }

    /// Threads of a band that can't be offered to a module's programs: all but its tasks.
    pub(super) fn others_in(
        &self,
        band: usize,
        module: Option<usize>,
    ) -> impl Iterator<Item = &super::Thread> {
        let members =
            self.threads.iter().filter(move |thread| thread.band == band && thread.role.is_applications());
        members.filter(move |thread| !matches!(&thread.role, Role::Task(task) if Some(task.module) == module))
    }
}
