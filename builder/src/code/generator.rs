//! The program of one module, block by block.

use std::collections::BTreeMap;

use beryl_abi::Duration;
use beryl_syscode::container::MOST_DURATIONS;
use beryl_syscode::instruction::{Instruction, phase};

use super::draft::{Drafts, Label};
use super::error::CodeError;
use super::instants::{Apart, Due, Instants, Item, Together, count, instants, shorter, together};
use super::program::{ModeBlocks, Program};
use super::values::Read;

use crate::assembly::{Activity, Assembly, DriverKind, Entering, Input, Mode, Module, Role};

/// The fewest tasks at an instant whose releases are put together.
const MANY: usize = 4;

/// Many activities without guards, in the order of their tasks: tasks of one rate have numbers that follow each other.
/// Other activities stay in the order of the text.
fn by_task<T: Clone>(mode: &Mode, due: &[Item<T>], index: impl Fn(&T) -> usize) -> Vec<Item<T>> {
    let task = |item: &Item<T>| match mode.activities.get(index(&item.what)) {
        Some(Activity::Release { task, guard: None, .. }) => Some(*task),
        _ => None,
    };
    let mut due = due.to_vec();
    if due.len() >= MANY && due.iter().all(|item| task(item).is_some()) {
        due.sort_by_key(task);
    }
    due
}

/// The beat of all of these, if they have one in common.
fn common_beat<T>(items: &[Item<T>]) -> Option<Duration> {
    let beat = items.first()?.beat;
    beat.filter(|_| items.iter().all(|item| item.beat == beat))
}

/// A mode whose instants have more to do than there are addresses.
fn too_long(module: &Module, mode: &Mode) -> CodeError {
    let instructions = usize::try_from(count(mode)).unwrap_or(usize::MAX);
    CodeError::TooLong {
        module: module.name.clone(),
        mode: mode.name.clone(),
        apart: together(mode).err(),
        instructions,
    }
}

pub(super) struct Generator<'a> {
    assembly: &'a Assembly,
    module: &'a Module,
    modes: Vec<Blocks<'a>>,
    code: Drafts,
    /// Where switches enter a mode, by its index and what has been read before.
    entries: BTreeMap<(usize, Read), Label>,
}

/// A mode with its instants, and where the block of each begins; or one block for all of them.
struct Blocks<'a> {
    mode: &'a Mode,
    instants: Instants,
    labels: Vec<Label>,
    /// The beats whose instants the only block has. None if each instant has a block of its own.
    beats: Vec<Duration>,
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

    /// Whether something in the block comes with a beat: then the program keeps track of its round.
    fn goes_round(&self, has_period: bool) -> bool {
        let period = self.beats != [self.mode.period] && has_period;
        !self.beats.is_empty()
            && (self.beats.len() > 1 || period || self.instants.values().any(Due::has_beats))
    }
}

impl<'a> Generator<'a> {
    /// # Errors
    /// [`CodeError::TooLong`] if more is due than there are addresses.
    pub(super) fn new(assembly: &'a Assembly, module: &'a Module) -> Result<Self, CodeError> {
        let mut code = Drafts::default();
        let mut modes = Vec::new();
        for mode in &module.modes {
            let (instants, beats) = match shorter(mode) {
                Some(Together { due, beats }) => (Instants::from([(Duration::ZERO, due)]), beats),
                None if count(mode) > u64::from(u16::MAX) => return Err(too_long(module, mode)),
                None => (instants(mode), Vec::new()),
            };
            let labels = instants.iter().map(|_| code.label()).collect();
            modes.push(Blocks { mode, instants, labels, beats });
        }
        Ok(Generator { assembly, module, modes, code, entries: BTreeMap::new() })
    }

    pub(super) fn generate(mut self, module: usize) -> Result<Program, CodeError> {
        let first = self.code.label();
        self.start(first);
        for mode in 0..self.modes.len() {
            for index in 0..self.modes[mode].labels.len() {
                let begin = (mode == self.module.start && index == 0).then_some(first);
                self.block(mode, index, begin);
            }
        }
        for ((mode, read), label) in std::mem::take(&mut self.entries) {
            self.code.place(label);
            if self.goes_round(mode) {
                self.code.put(Instruction::Round {});
            }
            let read = self.entering(mode, read);
            self.releases(mode, 0, read);
        }
        let completions = self.completions(module);
        let handler = self.code.handler(self.assembly, module);
        self.finish(completions, handler)
    }

    fn goes_round(&self, mode: usize) -> bool {
        self.modes[mode].goes_round(self.module.slot.is_some())
    }

    /// The beginning of the program: the first block of the start mode, without outputs, at `first`. Where something is
    /// done on entering that mode it has code of its own, since the block comes again with each period.
    fn start(&mut self, first: Label) {
        let start = self.module.start;
        let Some(Blocks { mode, instants, .. }) = self.modes.get(start) else { return };
        let (mode, due) = (*mode, instants.values().next().cloned());
        let Some(mut due) = due.filter(|_| !mode.entering.is_empty()) else {
            return self.code.jump(first);
        };
        due.is_always_due();
        if self.module.slot.is_some() {
            self.code.put(Instruction::Period {});
        }
        let mut read = Read::new();
        self.actuators(mode, &due, &mut read);
        let is_asked = !due.switches.is_empty();
        if self.switches(mode, &due, &mut read) {
            if !is_asked {
                self.code.put(Instruction::Phase { phase: phase::SWITCHES });
            }
            let entry = self.entry(start, read.taken_along());
            self.code.jump(entry);
        }
    }

    /// What is done on entering a mode, in the phase of the switches; answers what has been read then.
    fn entering(&mut self, mode: usize, mut read: Read) -> Read {
        let mode = self.modes[mode].mode;
        for Entering { guard, update } in &mode.entering {
            let no = self.code.guard(guard.as_ref(), &[*update], &mut read);
            self.code.input(*update, &mut read);
            self.code.otherwise(no);
        }
        read
    }

    /// Everything in one block of a mode; the module begins at `begin`, behind the outputs.
    fn block(&mut self, mode: usize, index: usize, begin: Option<Label>) {
        let Blocks { mode: row, instants, labels, .. } = &self.modes[mode];
        let (Some(due), Some(label)) = (instants.values().nth(index).cloned(), labels.get(index)) else {
            return;
        };
        let row = *row;
        self.code.place(*label);
        self.outputs(row, &due);
        begin.into_iter().for_each(|begin| self.code.place(begin));
        if index == 0 && self.module.slot.is_some() {
            let is_only_instant = [&[][..], &[row.period]].contains(&self.modes[mode].beats.as_slice());
            let skip = self.only_with(Some(row.period).filter(|_| !is_only_instant));
            self.code.put(Instruction::Period {});
            self.code.otherwise(skip);
        }
        let mut read = Read::new();
        self.actuators(row, &due, &mut read);
        if self.switches(row, &due, &mut read) {
            self.releases(mode, index, read);
        }
    }

    /// What follows comes only with a beat; answers where the code goes on otherwise.
    fn only_with(&mut self, beat: Option<Duration>) -> Option<Label> {
        let beat = beat?;
        let skip = self.code.label();
        self.code.beat(beat, skip);
        Some(skip)
    }

    /// Writes what is due, with one question for neighbours that come with the same beat.
    fn each<T: Copy>(
        &mut self,
        items: &[Item<T>],
        read: &mut Read,
        mut write: impl FnMut(&mut Self, T, &mut Read),
    ) {
        for group in items.chunk_by(|one, next| one.beat == next.beat) {
            let beat = group.first().and_then(|item| item.beat);
            let skip = self.only_with(beat);
            self.all_with(beat, group, read, &mut write);
            self.code.otherwise(skip);
        }
    }

    /// Writes what comes with a beat, once the beat has been asked for.
    fn all_with<T: Copy>(
        &mut self,
        beat: Option<Duration>,
        items: &[Item<T>],
        read: &mut Read,
        mut write: impl FnMut(&mut Self, T, &mut Read),
    ) {
        read.comes_with(beat);
        items.iter().for_each(|item| write(self, item.what, read));
        read.comes_with(None);
    }

    /// The same in a phase. If nothing is due in it, the program doesn't wait for it.
    fn in_phase<T: Copy>(
        &mut self,
        phase: u8,
        items: &[Item<T>],
        read: &mut Read,
        write: impl FnMut(&mut Self, T, &mut Read),
    ) {
        if items.is_empty() {
            return;
        }
        let beat = common_beat(items);
        let skip = self.only_with(beat);
        self.code.put(Instruction::Phase { phase });
        match beat {
            None => self.each(items, read, write),
            Some(_) => self.all_with(beat, items, read, write),
        }
        self.code.otherwise(skip);
    }

    fn outputs(&mut self, mode: &Mode, due: &Due) {
        if self.assembly.publishes_at_completion {
            return;
        }
        let ends = by_task(mode, &due.ends, |index| *index);
        let publisher = |item: &Item<usize>| match mode.activities.get(item.what)? {
            Activity::Release { task, .. } => {
                self.publisher(*task).map(|what| Item { what, beat: item.beat })
            }
            Activity::Actuate { .. } => None,
        };
        let publishers: Vec<_> = ends.iter().filter_map(publisher).collect();
        self.each(&publishers, &mut Read::new(), |generator, publisher, _| generator.code.call(publisher));
    }

    fn actuators(&mut self, mode: &'a Mode, due: &Due, read: &mut Read) {
        self.in_phase(phase::ACTUATORS, &due.updates, read, |generator, index, read| {
            let Some(Activity::Actuate { update, guard, .. }) = mode.activities.get(index) else { return };
            let no = generator.code.guard(guard.as_ref(), &[*update], read);
            generator.code.input(*update, read);
            generator.code.otherwise(no);
        });
    }

    /// Tests the switches that are due, in their order. Answers whether the mode may go on.
    fn switches(&mut self, mode: &'a Mode, due: &Due, read: &mut Read) -> bool {
        let row = |item: &Item<usize>| mode.switches.get(item.what);
        let is_certain =
            |item: &Item<usize>| row(item).is_some_and(|row| row.late.is_none() && row.guard.is_none());
        let ends = |item: &Item<usize>| item.beat.is_none() && is_certain(item);
        let last = due.switches.iter().position(ends);
        let tested = last.map_or(due.switches.as_slice(), |last| &due.switches[..=last]);
        self.in_phase(phase::SWITCHES, tested, read, |generator, index, read| {
            let Some(switch) = mode.switches.get(index) else { return };
            let no = match switch.late {
                Some(task) => Some(generator.code.was_late(task)),
                None => generator.code.guard(switch.guard.as_ref(), &[], read),
            };
            let entry = generator.entry(switch.target, read.taken_along());
            generator.code.jump(entry);
            generator.code.otherwise(no);
        });
        last.is_none()
    }

    /// Where a mode is entered after so much has been read.
    fn entry(&mut self, mode: usize, read: Read) -> Label {
        let code = &mut self.code;
        *self.entries.entry((mode, read)).or_insert_with(|| code.label())
    }

    /// For each task that is due: its guard, its inputs, then its release; and at the end the next instant. Nothing
    /// runs before the instant is complete, so all inputs are what the ports hold at this instant.
    fn releases(&mut self, mode: usize, index: usize, mut read: Read) {
        let Blocks { mode: row, instants, .. } = &self.modes[mode];
        let row = *row;
        let Some(due) = instants.values().nth(index) else { return };
        let is_fed = self.assembly.links() > 0;
        let releases = match is_fed {
            true => self.by_urgency(row, &due.releases),
            false => by_task(row, &due.releases, |(index, _)| *index),
        };
        // Many tasks get all their inputs first: then their releases follow each other. Where values are of one instant,
        // a writer is released before its readers get them.
        let is_many = releases.len() >= MANY && !is_fed;
        self.in_phase(phase::RELEASES, &releases, &mut read, |generator, (index, length), read| {
            generator.release(row, index, length, read, is_many);
        });
        let is_guarded =
            |index: usize| !matches!(row.activities.get(index), Some(Activity::Release { guard: None, .. }));
        let later: Vec<_> = releases.into_iter().filter(|item| is_many && !is_guarded(item.what.0)).collect();
        self.each(&later, &mut read, |generator, (index, length), _| {
            if let Some(Activity::Release { task, .. }) = row.activities.get(index) {
                generator.code.release(*task, generator.due(*task, length));
            }
        });
        self.go_on(mode, index);
        self.code.put(Instruction::Return {});
    }

    /// What is released, the most urgent first.
    fn by_urgency(&self, mode: &Mode, due: &[Item<(usize, Duration)>]) -> Vec<Item<(usize, Duration)>> {
        let mut due = due.to_vec();
        due.sort_by_key(|item| match mode.activities.get(item.what.0) {
            Some(Activity::Release { task, .. }) => {
                let thread = &self.assembly.threads[*task];
                (thread.band, std::cmp::Reverse(thread.place))
            }
            _ => (usize::MAX, std::cmp::Reverse(0)),
        });
        due
    }

    /// The next instant.
    fn go_on(&mut self, mode: usize, index: usize) {
        let goes_round = self.goes_round(mode);
        let Blocks { mode: row, instants, labels, beats } = &self.modes[mode];
        let (Some(instant), Some(first)) = (instants.keys().nth(index), labels.first().copied()) else {
            return;
        };
        if goes_round {
            return self.code.next(row.period, beats, first);
        }
        let next = instants.keys().nth(index + 1).copied().zip(labels.get(index + 1).copied());
        let round = beats.first().copied().unwrap_or(row.period);
        let (next, label) = next.unwrap_or((round, first));
        self.code.future(next.minus(*instant), label);
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
        for input in inputs {
            if self.is_of_length(input, length) {
                self.code.input(*input, read);
            }
        }
        if !comes_later || guard.is_some() {
            self.code.release(*task, self.due(*task, length));
        }
        self.code.otherwise(no);
    }

    /// Code for the completions of tasks: it publishes their outputs, if they become visible then, feeds those who read
    /// them at once, or makes up for releases that are owed.
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
            if !task.feeds.is_empty() {
                let begin = self.code.label();
                self.code.place(begin);
                completions.push((index, begin));
                task.feeds.iter().for_each(|feed| self.code.call(*feed));
                self.code.put(Instruction::Return {});
            }
        }
        completions
    }

    /// Whether a release for so long gets an input: of those that say when its outputs count, one.
    fn is_of_length(&self, input: &Input, length: Duration) -> bool {
        let getter = input.getter.and_then(|getter| self.assembly.drivers.get(getter));
        !matches!(getter.map(|driver| driver.kind), Some(DriverKind::Ahead { by }) if by != length)
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

    /// Of the modes with a block for each instant, the one with the most instants, and why it has so many blocks. Any
    /// mode if there is none.
    fn longest(&self) -> (String, Option<Apart>) {
        let longest = self.modes.iter().max_by_key(|blocks| blocks.labels.len());
        longest
            .map_or_else(Default::default, |blocks| (blocks.mode.name.clone(), together(blocks.mode).err()))
    }

    fn finish(
        mut self,
        completions: Vec<(usize, Label)>,
        handler: Option<Label>,
    ) -> Result<Program, CodeError> {
        let module = self.module.name.clone();
        if self.code.durations.len() > MOST_DURATIONS {
            let (mode, apart) = self.longest();
            return Err(CodeError::TooManyDurations {
                module,
                mode,
                apart,
                durations: self.code.durations.len(),
            });
        }
        self.code.join_runs();
        let address = |(task, label)| (task, self.code.address(label));
        let completions = completions.into_iter().map(address).collect();
        let modes = self.modes.iter().map(|mode| mode.found_in(&self.code)).collect();
        if self.code.length() > usize::from(u16::MAX) {
            let (mode, apart) = self.longest();
            return Err(CodeError::TooLong { module, mode, apart, instructions: self.code.length() });
        }
        Ok(Program {
            module,
            handler: handler.map(|label| self.code.address(label)),
            code: self.code.words(),
            durations: self.code.durations,
            start: 0,
            completions,
            conditions: self.code.conditions,
            read_again: self.code.read_again,
            threads: 0,
            certificate: Vec::new(),
            band: None,
            modes,
        })
    }
}
