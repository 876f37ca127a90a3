//! The system code interpreter (Algorithms 2 and 5 in one).

use beryl_abi::{DriverId, ThreadId};
use beryl_syscode::{Condition, Exception, Instruction};

use crate::machine::{Machine, Trap};
use crate::state::{Awaited, Binding, Job, Thread, Timeout, Trigger};
use crate::trace::Event;
use crate::world::Action;

/// What the interpreter is doing.
pub(crate) struct Activation {
    pub program: usize,
    pub address: usize,
    /// The instant from which delays and timeouts count.
    pub reference: u64,
    /// How many objects of the run at the address are done.
    pub done: usize,
    /// The instruction whose exception is being handled, which object of it, and the tasks that are in its way.
    pub handling: Option<(usize, usize, Vec<usize>)>,
    /// The next instruction isn't checked.
    pub is_forced: bool,
}

/// Whether the interpreter goes on.
pub(crate) enum Next {
    At(usize),
    End,
}

impl Machine {
    /// Carries out instructions until one ends the work.
    pub(crate) fn interpret(&mut self, program: usize, address: usize, reference: u64) -> Result<(), Trap> {
        self.has_worked = true;
        let mut activation =
            Activation { program, address, reference, done: 0, handling: None, is_forced: false };
        loop {
            self.patience = self.patience.checked_sub(1).ok_or(Trap::Endless { at: self.now })?;
            let word = self.programs.get(program).and_then(|row| row.code.get(activation.address)).copied();
            let meaningless = Trap::Meaningless { program, address: activation.address };
            let instruction = word.and_then(Instruction::decode).ok_or(meaningless)?;
            match self.perform(&mut activation, instruction)? {
                Next::At(address) => activation.address = address,
                Next::End => return Ok(()),
            }
        }
    }

    fn perform(&mut self, activation: &mut Activation, instruction: Instruction) -> Result<Next, Trap> {
        let next = activation.address + 1;
        self.must_be_there(activation, instruction)?;
        let single = one_of(instruction, activation.done);
        let offenders = self.offenders(activation, single)?;
        if !offenders.is_empty() && !std::mem::take(&mut activation.is_forced) {
            return self.violation(activation, single, offenders);
        }
        activation.is_forced = false;
        match single {
            Instruction::Call { driver } => {
                self.call(driver.index());
                return Ok(self.behind(activation));
            }
            Instruction::Release { task, deadline } => {
                let deadline = self.duration(activation, deadline)?;
                self.release(task.index(), deadline);
                return Ok(self.behind(activation));
            }
            // They have been made single ones.
            Instruction::Calls { .. } | Instruction::Releases { .. } => {}
            Instruction::Future { delay, address } => {
                let due = activation.reference + self.duration(activation, delay)?;
                self.bind(activation, Trigger::At(due), 0, address.into())?;
            }
            Instruction::When { condition, address } => {
                let condition = self.condition(activation, condition)?;
                self.bind(activation, Trigger::When(self.awaited(condition)), 0, address.into())?;
            }
            Instruction::Phase { phase } => {
                self.bind(activation, Trigger::At(self.now), phase, next)?;
                return Ok(Next::End);
            }
            Instruction::Next { round, address } => {
                let (length, ahead) = self.next_beat(activation, round)?;
                self.bind(activation, Trigger::At(activation.reference + ahead), 0, address.into())?;
                let position = (self.position(activation.program) + ahead) % length;
                self.set_position(activation.program, position);
            }
            Instruction::Beat { beat, address } => {
                let beat = self.duration(activation, beat)?;
                let is_now = self.position(activation.program).is_multiple_of(beat);
                return Ok(Next::At(if is_now { next } else { address.into() }));
            }
            Instruction::Round {} => self.set_position(activation.program, 0),
            // Another program takes over from outside; here there is none.
            Instruction::Period {} => {}
            Instruction::Jump { address } => return Ok(Next::At(address.into())),
            Instruction::Branch { address } => {
                let verdict = self.programs.get(activation.program).is_some_and(|row| row.verdict);
                return Ok(Next::At(if verdict { next } else { address.into() }));
            }
            Instruction::Late { task, address } => {
                return Ok(Next::At(if self.late.remove(&task.index()) { next } else { address.into() }));
            }
            Instruction::Owed { task, address } => {
                let owed = self.owed.entry(task.index()).or_default();
                let is_owed = *owed > 0;
                *owed = owed.saturating_sub(1);
                return Ok(Next::At(if is_owed { next } else { address.into() }));
            }
            Instruction::Return {} => return Ok(Next::End),
            Instruction::Dispatch { task } => {
                self.begin_wait(activation, Some(task.index()), None, next)?;
                return Ok(Next::End);
            }
            Instruction::DispatchUntil { task, until, otherwise } => {
                let timeout = self.timeout(activation, until)?;
                let otherwise = next + usize::from(otherwise);
                self.begin_wait(activation, Some(task.index()), Some(timeout), otherwise)?;
                return Ok(Next::End);
            }
            Instruction::Idle { until } => {
                let timeout = self.timeout(activation, until)?;
                self.begin_wait(activation, None, Some(timeout), next)?;
                return Ok(Next::End);
            }
            Instruction::Fork { address } => {
                let forked = Activation { reference: self.now, handling: None, ..*activation };
                self.begin_wait(&forked, None, Some(Timeout::Now), address.into())?;
            }
            Instruction::Terminate {}
            | Instruction::Resume {}
            | Instruction::Retry {}
            | Instruction::Offender { .. }
            | Instruction::Postpone { .. }
            | Instruction::Tolerate { .. }
            | Instruction::Change { .. } => return self.handle(activation, instruction),
        }
        Ok(Next::At(next))
    }

    /// Where a program goes on behind an object: at the next of the run, or behind the instruction.
    pub(crate) fn behind(&self, activation: &mut Activation) -> Next {
        let word = self.programs.get(activation.program).and_then(|row| row.code.get(activation.address));
        let count = match word.copied().and_then(Instruction::decode) {
            Some(Instruction::Calls { count, .. } | Instruction::Releases { count, .. }) => {
                usize::from(count)
            }
            _ => 1,
        };
        activation.done += 1;
        if activation.done < count {
            return Next::At(activation.address);
        }
        activation.done = 0;
        Next::At(activation.address + 1)
    }

    /// A trap where an instruction names what isn't there.
    fn must_be_there(&self, activation: &Activation, instruction: Instruction) -> Result<(), Trap> {
        self.offenders(activation, instruction).map(drop)
    }

    /// The tasks that are in an instruction's way, or a trap where it names what isn't there.
    fn offenders(&self, activation: &Activation, instruction: Instruction) -> Result<Vec<usize>, Trap> {
        let tasks = self.world.tasks.len();
        let drivers = self.world.drivers.len();
        let trap = Trap::Meaningless { program: activation.program, address: activation.address };
        let range = |first: usize, count: u8, length: usize| {
            let range = first..first + usize::from(count);
            if count > 0 && range.end <= length { Ok(range) } else { Err(trap) }
        };
        let at_work = |task: &usize| self.jobs.contains_key(task);
        Ok(match instruction {
            Instruction::Call { driver } => self.touched(range(driver.index(), 1, drivers)?),
            Instruction::Calls { first, count } => self.touched(range(first.index(), count, drivers)?),
            Instruction::Release { task, .. } => range(task.index(), 1, tasks)?.filter(at_work).collect(),
            Instruction::Releases { first, count, .. } => {
                range(first.index(), count, tasks)?.filter(at_work).collect()
            }
            Instruction::Late { task, .. }
            | Instruction::Offender { task, .. }
            | Instruction::Owed { task, .. } => {
                range(task.index(), 1, tasks)?;
                Vec::new()
            }
            Instruction::Dispatch { task } => {
                range(task.index(), 1, tasks)?;
                self.holders(task.index())
            }
            Instruction::DispatchUntil { task, until, .. } => {
                range(task.index(), 1, tasks)?;
                let timeout = self.timeout(activation, until)?;
                if self.has_expired(&timeout) { Vec::new() } else { self.holders(task.index()) }
            }
            _ => Vec::new(),
        })
    }

    /// The tasks of its rank that threads hold, if the one that is to be dispatched is released.
    fn holders(&self, task: usize) -> Vec<usize> {
        let is_beside = |other: &usize| self.world.rank(*other) == self.world.rank(task);
        match self.jobs.contains_key(&task) {
            true => self.threads.iter().filter_map(|thread| thread.task).filter(is_beside).collect(),
            false => Vec::new(),
        }
    }

    /// The tasks at work that drivers share ports with.
    fn touched(&self, drivers: std::ops::Range<usize>) -> Vec<usize> {
        let shares = |task: usize, driver: usize| {
            let (task, driver) = (self.world.tasks.get(task), self.world.drivers.get(driver));
            task.zip(driver).is_some_and(|(task, driver)| driver.touches(task))
        };
        let tasks = self.jobs.keys().copied();
        tasks.filter(|task| drivers.clone().any(|driver| shares(*task, driver))).collect()
    }

    /// Carries out a driver, in no time.
    pub(crate) fn call(&mut self, driver: usize) {
        let Some(row) = self.world.drivers.get(driver).cloned() else { return };
        self.note(Event::Driver(driver));
        let values: Vec<i32> = row.reads.iter().map(|port| self.port(*port)).collect();
        match row.action {
            Action::Copy => {
                row.writes.iter().zip(values).for_each(|(port, value)| self.write(*port, value));
            }
            Action::Guard => {
                let verdict = values.first().is_some_and(|value| *value != 0);
                self.programs.iter_mut().for_each(|program| program.verdict = verdict);
            }
            Action::Sensor(sensor) => {
                let value = self.read(sensor);
                row.writes.iter().for_each(|port| self.write(*port, value));
            }
        }
    }

    /// A sensor's value at this instant: read once, whoever asks.
    fn read(&mut self, sensor: usize) -> i32 {
        if let Some(value) = self.sensors.get(&sensor) {
            return *value;
        }
        self.note(Event::Read(sensor));
        let readings = self.readings.entry(sensor).or_default();
        let value = (self.world.sensor)(sensor, *readings);
        *readings += 1;
        self.sensors.insert(sensor, value);
        value
    }

    pub(crate) fn port(&self, port: usize) -> i32 {
        self.ports.get(port).copied().unwrap_or_default()
    }

    pub(crate) fn write(&mut self, port: usize, value: i32) {
        let Some(place) = self.ports.get_mut(port) else { return };
        if std::mem::replace(place, value) != value {
            self.note(Event::Write(port, value));
        }
    }

    pub(crate) fn release(&mut self, task: usize, deadline: u64) {
        let number = self.releases.entry(task).or_default();
        let left = (self.world.execution)(task, *number).max(1);
        *number += 1;
        let job = Job {
            left,
            released: self.now,
            deadline: self.now + deadline,
            has_started: false,
            inputs: Vec::new(),
            left_out: 0,
        };
        // Without a check, the job in the way is gone.
        if self.jobs.insert(task, job).is_some() {
            self.end_dispatch(task);
        }
        self.note(Event::Release(task));
    }

    fn bind(
        &mut self,
        activation: &Activation,
        trigger: Trigger,
        phase: u8,
        address: usize,
    ) -> Result<(), Trap> {
        let program = activation.program;
        self.triggers.push(Binding { program, trigger, phase, address });
        let count = self.triggers.iter().filter(|binding| binding.program == program).count();
        let places = self.programs.get(program).map_or(0, |row| row.trigger_places);
        if count > places { Err(Trap::Triggers { program }) } else { Ok(()) }
    }

    fn begin_wait(
        &mut self,
        activation: &Activation,
        task: Option<usize>,
        timeout: Option<Timeout>,
        otherwise: usize,
    ) -> Result<(), Trap> {
        let program = activation.program;
        let (then, reference) = (activation.address + 1, activation.reference);
        // What isn't released has ended.
        let is_done = task.is_some_and(|task| !self.jobs.contains_key(&task));
        let task = task.filter(|_| !is_done);
        self.threads.push(Thread { program, task, then, timeout, otherwise, reference, is_done });
        let count = self.threads.iter().filter(|thread| thread.program == program).count();
        let places = self.programs.get(program).map_or(0, |row| row.thread_places);
        if count > places { Err(Trap::Threads { program }) } else { Ok(()) }
    }

    pub(crate) fn duration(&self, activation: &Activation, number: u8) -> Result<u64, Trap> {
        let row = self.programs.get(activation.program);
        let duration = row.and_then(|row| row.durations.get(usize::from(number))).copied();
        duration.ok_or(Trap::Meaningless { program: activation.program, address: activation.address })
    }

    fn condition(&self, activation: &Activation, number: u8) -> Result<Condition, Trap> {
        let row = self.programs.get(activation.program);
        let condition = row.and_then(|row| row.conditions.get(usize::from(number))).copied();
        condition.ok_or(Trap::Meaningless { program: activation.program, address: activation.address })
    }

    /// How long the round is, and how long until its next instant: tick by tick.
    fn next_beat(&self, activation: &Activation, number: u8) -> Result<(u64, u64), Trap> {
        let Condition::Round { length, beats } = self.condition(activation, number)? else {
            return Err(Trap::Meaningless { program: activation.program, address: activation.address });
        };
        let length = self.duration(activation, length)?;
        let mut durations = vec![length];
        for beat in beats {
            durations.push(self.duration(activation, beat)?);
        }
        let position = self.position(activation.program) % length;
        let is_instant = |ahead: &u64| durations.iter().any(|beat| (position + ahead).is_multiple_of(*beat));
        let ahead = (1..=length).find(is_instant).unwrap_or(length);
        Ok((length, ahead))
    }

    fn position(&self, program: usize) -> u64 {
        self.programs.get(program).map_or(0, |row| row.position)
    }

    fn set_position(&mut self, program: usize, position: u64) {
        if let Some(row) = self.programs.get_mut(program) {
            row.position = position;
        }
    }

    /// A wait for an event that begins now.
    fn awaited(&self, condition: Condition) -> Awaited {
        let before = match condition {
            Condition::Changed(port) => self.value(port),
            _ => Vec::new(),
        };
        Awaited { condition, since: self.now, before }
    }

    fn timeout(&self, activation: &Activation, number: u8) -> Result<Timeout, Trap> {
        match self.condition(activation, number)? {
            Condition::Clock(duration) => {
                Ok(Timeout::At(activation.reference + self.duration(activation, duration)?))
            }
            Condition::Released(task) => Ok(Timeout::Released(task.index())),
            condition if condition.is_event() => Ok(Timeout::When(self.awaited(condition))),
            _ => Err(Trap::Meaningless { program: activation.program, address: activation.address }),
        }
    }

    /// The handler of an exception.
    pub(crate) fn handler(&self, program: usize, exception: Exception) -> Option<usize> {
        let row = self.programs.get(program)?;
        row.handlers.iter().find(|(other, _)| *other == exception).map(|(_, address)| *address)
    }
}

/// A run means the same as its objects one by one: the instruction for one of them.
pub(crate) fn one_of(instruction: Instruction, number: usize) -> Instruction {
    match instruction {
        Instruction::Calls { first, .. } => {
            let number = u16::try_from(number).unwrap_or(u16::MAX);
            Instruction::Call { driver: DriverId(first.0.saturating_add(number)) }
        }
        Instruction::Releases { first, deadline, .. } => {
            let number = u8::try_from(number).unwrap_or(u8::MAX);
            Instruction::Release { task: ThreadId(first.0.saturating_add(number)), deadline }
        }
        other => other,
    }
}
