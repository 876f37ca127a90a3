//! The program of one module, block by block.

use std::collections::BTreeMap;

use beryl_abi::Duration;
use beryl_syscode::container::MOST_DURATIONS;
use beryl_syscode::instruction::{Instruction, phase};

use super::draft::{Drafts, Label};
use super::instants::{Due, Instants, count, instants};
use super::values::Read;
use super::{CodeError, ModeBlocks, Program};
use crate::assembly::{Activity, Assembly, Mode, Module, Role};

/// From how many tasks at an instant on their releases come together.
const MANY: usize = 4;

/// Many activities without guards, in the order of their tasks, whose numbers follow each other where their rates are the same; others as
/// they are, in the order of the text.
fn by_task<T: Clone>(mode: &Mode, due: &[T], index: impl Fn(&T) -> usize) -> Vec<T> {
    let task = |item: &T| match mode.activities.get(index(item)) {
        Some(Activity::Release { task, guard: None, .. }) => Some(*task),
        _ => None,
    };
    let mut due = due.to_vec();
    if due.len() >= MANY && due.iter().all(|item| task(item).is_some()) {
        due.sort_by_key(task);
    }
    due
}

pub(super) struct Generator<'a> {
    assembly: &'a Assembly,
    module: &'a Module,
    modes: Vec<Blocks<'a>>,
    code: Drafts,
    /// Where switches enter a mode, by its index and what has been read before.
    entries: BTreeMap<(usize, Read), Label>,
}

/// A mode with its instants, and where the block of each begins.
struct Blocks<'a> {
    mode: &'a Mode,
    instants: Instants,
    labels: Vec<Label>,
}

impl Blocks<'_> {
    /// Where the mode is, in code that is complete.
    fn found_in(&self, code: &Drafts) -> ModeBlocks {
        let blocks = self.labels.iter().zip(self.instants.values());
        let asks = blocks.filter(|(_, due)| !due.switches.is_empty());
        ModeBlocks {
            name: self.mode.name.clone(),
            from: self.labels.first().map_or(0, |label| code.address(*label)),
            asks: asks.map(|(label, _)| code.address(*label)).collect(),
        }
    }
}

impl<'a> Generator<'a> {
    /// # Errors
    /// [`CodeError::TooLong`] if more is due than there are addresses.
    pub(super) fn new(assembly: &'a Assembly, module: &'a Module) -> Result<Self, CodeError> {
        let due = module.modes.iter().map(count).fold(0, u64::saturating_add);
        if due > u64::from(u16::MAX) {
            let instructions = usize::try_from(due).unwrap_or(usize::MAX);
            return Err(CodeError::TooLong { module: module.name.clone(), instructions });
        }
        let mut code = Drafts::default();
        let modes = module.modes.iter().map(|mode| {
            let instants = instants(mode);
            let labels = instants.iter().map(|_| code.label()).collect();
            Blocks { mode, instants, labels }
        });
        let modes = modes.collect();
        Ok(Generator { assembly, module, modes, code, entries: BTreeMap::new() })
    }

    pub(super) fn generate(mut self, module: usize) -> Result<Program, CodeError> {
        let first = self.code.label();
        self.code.jump(first);
        for mode in 0..self.modes.len() {
            for index in 0..self.modes[mode].labels.len() {
                let begin = (mode == self.module.start && index == 0).then_some(first);
                self.block(mode, index, begin);
            }
        }
        for ((mode, read), label) in std::mem::take(&mut self.entries) {
            self.code.place(label);
            self.releases(mode, 0, read);
        }
        let completions = self.completions(module);
        let handler = self.code.handler(self.assembly, module);
        self.finish(completions, handler)
    }

    /// Everything at one instant of a mode; the module begins at `begin`, behind the outputs.
    fn block(&mut self, mode: usize, index: usize, begin: Option<Label>) {
        let Blocks { mode: row, instants, labels } = &self.modes[mode];
        let (Some(due), Some(label)) = (instants.values().nth(index).cloned(), labels.get(index)) else {
            return;
        };
        let row = *row;
        self.code.place(*label);
        self.outputs(row, &due);
        begin.into_iter().for_each(|begin| self.code.place(begin));
        if index == 0 && self.module.slot.is_some() {
            self.code.put(Instruction::Period {});
        }
        let mut read = Read::new();
        self.actuators(row, &due, &mut read);
        if self.switches(row, &due, &mut read) {
            self.releases(mode, index, read);
        }
    }

    fn outputs(&mut self, mode: &Mode, due: &Due) {
        if self.assembly.publishes_at_completion {
            return;
        }
        for index in &by_task(mode, &due.ends, |index| *index) {
            if let Some(Activity::Release { task, .. }) = mode.activities.get(*index)
                && let Some(publisher) = self.publisher(*task)
            {
                self.code.call(publisher);
            }
        }
    }

    fn actuators(&mut self, mode: &'a Mode, due: &Due, read: &mut Read) {
        self.phase(phase::ACTUATORS, due.updates.is_empty());
        for index in &due.updates {
            let Some(Activity::Actuate { update, guard, .. }) = mode.activities.get(*index) else { continue };
            let no = self.code.guard(guard.as_ref(), &[*update], read);
            self.code.input(*update, read);
            self.code.otherwise(no);
        }
    }

    /// Tests the switches that are due, in their order. Answers whether the mode may go on.
    fn switches(&mut self, mode: &'a Mode, due: &Due, read: &mut Read) -> bool {
        self.phase(phase::SWITCHES, due.switches.is_empty());
        for switch in due.switches.iter().filter_map(|index| mode.switches.get(*index)) {
            let no = match switch.late {
                Some(task) => Some(self.code.was_late(task)),
                None => self.code.guard(switch.guard.as_ref(), &[], read),
            };
            let entry = (switch.target, read.clone());
            let entry = match self.entries.get(&entry) {
                Some(label) => *label,
                None => *self.entries.entry(entry).or_insert(self.code.label()),
            };
            self.code.jump(entry);
            if no.is_none() {
                return false;
            }
            self.code.otherwise(no);
        }
        true
    }

    /// For each task that is due: its guard, its inputs, then its release; at last the next instant. Nothing runs before
    /// the instant is complete, so all inputs are what the ports held at this instant.
    fn releases(&mut self, mode: usize, index: usize, mut read: Read) {
        let Blocks { mode: row, instants, labels } = &self.modes[mode];
        let row = *row;
        let (Some((instant, due)), Some(first)) = (instants.iter().nth(index), labels.first().copied())
        else {
            return;
        };
        let next = instants.keys().nth(index + 1).copied().zip(labels.get(index + 1).copied());
        let (next, label) = next.unwrap_or((row.period, first));
        let delay = next.minus(*instant);
        let releases = by_task(row, &due.releases, |(index, _)| *index);
        self.phase(phase::RELEASES, releases.is_empty());
        // Many tasks get all their inputs first: then their releases follow each other.
        let is_many = releases.len() >= MANY;
        for (index, length) in &releases {
            self.release(row, *index, *length, &mut read, is_many);
        }
        for (index, length) in releases.iter().filter(|_| is_many) {
            if let Some(Activity::Release { task, guard: None, .. }) = row.activities.get(*index) {
                self.code.release(*task, self.due(*task, *length));
            }
        }
        self.code.future(delay, label);
        self.code.put(Instruction::Return {});
    }

    /// A task's guard, its inputs and its release; without the release, if there is no guard and that comes later.
    fn release(
        &mut self,
        mode: &'a Mode,
        index: usize,
        length: Duration,
        read: &mut Read,
        comes_later: bool,
    ) {
        let Some(Activity::Release { task, guard, inputs, .. }) = mode.activities.get(index) else { return };
        let no = self.code.guard(guard.as_ref(), inputs, read);
        inputs.iter().for_each(|input| self.code.input(*input, read));
        if !comes_later || guard.is_some() {
            self.code.release(*task, self.due(*task, length));
        }
        self.code.otherwise(no);
    }

    fn phase(&mut self, phase: u8, is_empty: bool) {
        if !is_empty {
            self.code.put(Instruction::Phase { phase });
        }
    }

    /// Code for when tasks complete: what publishes their outputs, if that is then, or makes up for what is owed to them.
    fn completions(&mut self, module: usize) -> Vec<(usize, Label)> {
        let mut completions = Vec::new();
        for (index, task) in self.assembly.released_by(module) {
            if let Some(catch_up) = &task.reaction.catch_up {
                completions.push((index, self.code.make_up(index, catch_up)));
            }
            if let (true, Some(publisher)) = (self.assembly.publishes_at_completion, task.publisher) {
                let begin = self.code.label();
                self.code.place(begin);
                completions.push((index, begin));
                self.code.call(publisher);
                self.code.put(Instruction::Return {});
            }
        }
        completions
    }

    /// How long after its release a job shall be done.
    fn due(&self, thread: usize, length: Duration) -> Duration {
        match &self.assembly.threads[thread].role {
            Role::Task(task) => task.due(length),
            _ => length,
        }
    }

    fn publisher(&self, thread: usize) -> Option<usize> {
        match &self.assembly.threads[thread].role {
            Role::Task(task) => task.publisher,
            _ => None,
        }
    }

    fn finish(
        mut self,
        completions: Vec<(usize, Label)>,
        handler: Option<Label>,
    ) -> Result<Program, CodeError> {
        let module = self.module.name.clone();
        if self.code.durations.len() > MOST_DURATIONS {
            return Err(CodeError::TooManyDurations { module, durations: self.code.durations.len() });
        }
        self.code.join_runs();
        let address = |(task, label)| (task, self.code.address(label));
        let completions = completions.into_iter().map(address).collect();
        let modes = self.modes.iter().map(|mode| mode.found_in(&self.code)).collect();
        if self.code.length() > usize::from(u16::MAX) {
            return Err(CodeError::TooLong { module, instructions: self.code.length() });
        }
        Ok(Program {
            module,
            handler: handler.map(|label| self.code.address(label)),
            code: self.code.words(),
            durations: self.code.durations,
            start: 0,
            completions,
            conditions: Vec::new(),
            threads: 0,
            certificate: Vec::new(),
            band: None,
            modes,
        })
    }
}
