//! Values at an instant: sensors are read at most once, guards are asked, inputs copied.

use std::collections::BTreeSet;

use super::draft::{Drafts, Label};
use crate::assembly::{Guard, Input};

/// The sensors that have been read at an instant, as their getters.
pub(super) type Read = BTreeSet<usize>;

impl Drafts {
    /// Asks a guard; answers where to go on if it says no. The sensors of what it guards are read before, so that
    /// no guard decides when a sensor is read.
    pub(super) fn guard(
        &mut self,
        guard: Option<&Guard>,
        inputs: &[Input],
        read: &mut Read,
    ) -> Option<Label> {
        let guard = guard?;
        let own = guard.getters.iter().copied();
        for getter in own.chain(inputs.iter().filter_map(|input| input.getter)) {
            self.read(getter, read);
        }
        self.call(guard.driver);
        let no = self.label();
        self.branch(no);
        Some(no)
    }

    pub(super) fn otherwise(&mut self, no: Option<Label>) {
        no.into_iter().for_each(|no| self.place(no));
    }

    pub(super) fn input(&mut self, input: Input, read: &mut Read) {
        input.getter.into_iter().for_each(|getter| self.read(getter, read));
        self.call(input.driver);
    }

    pub(super) fn read(&mut self, getter: usize, read: &mut Read) {
        if read.insert(getter) {
            self.call(getter);
        }
    }
}
