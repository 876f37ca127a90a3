//! System code from activities: one block an instant of the period, one program a module.
//!
//! ```text
//!            jump first            at the start no task has ended yet
//!   block 0  call publish ...      phase outputs
//!     first: period              where the module has a slot: another program may take over
//!            phase actuators
//!            call set ...
//!            phase releases
//!            call read, call copy, release ...
//!            future distance, block 1
//!            return
//!   block 1  ...
//!            future distance, block 0
//! ```

use std::collections::BTreeSet;

use beryl_abi::{DriverId, Duration, ThreadId};
use beryl_syscode::instruction::{Instruction, phase};
use beryl_syscode::verify::Parts;
use beryl_syscode::{Condition, Limits, VerifyError, verify};

use crate::assembly::{Activity, Assembly, Input, Module, Role};

/// A module's system code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The module's name.
    pub module: String,
    /// Its instructions.
    pub code: Vec<u32>,
    /// The durations that they name.
    pub durations: Vec<Duration>,
    /// Where it starts.
    pub start: u16,
    /// Where completions of tasks enter it: index of the thread, address.
    pub completions: Vec<(usize, u16)>,
    /// What its threads wait for.
    pub conditions: Vec<Condition>,
    /// How many threads it has at most at one time.
    pub threads: u8,
    /// The band that it schedules, if it is one that does.
    pub band: Option<usize>,
}

/// Why there is no system code for a module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeError {
    /// More instructions than an address can tell apart.
    #[error("module `{module}` needs {instructions} instructions; a program has at most 65535")]
    TooLong {
        /// The module.
        module: String,
        /// How many it would be.
        instructions: usize,
    },
    /// More different durations than the pool has places.
    #[error("module `{module}` has {durations} different times; a program has at most 256")]
    TooManyDurations {
        /// The module.
        module: String,
        /// How many it has.
        durations: usize,
    },
    /// There is no schedule for a band.
    #[error("band `{band}` can't be scheduled by code: {reason}")]
    Unscheduled {
        /// The band.
        band: String,
        /// Why.
        reason: String,
    },
    /// The verifier refused what was generated.
    #[error("the system code of module `{module}` breaks a rule of its own: {error}")]
    Refused {
        /// The module.
        module: String,
        /// The rule.
        error: VerifyError,
    },
}

/// Generates and verifies the system code of every module.
///
/// # Errors
/// [`CodeError`] for the first module that can't be expressed.
pub fn generate(assembly: &Assembly) -> Result<Vec<Program>, CodeError> {
    let programs = assembly.modules.iter().enumerate().map(|(index, module)| {
        let program = Generator::new(assembly, module).generate(index)?;
        check(assembly, &program)?;
        Ok(program)
    });
    programs.collect()
}

/// Generates and verifies the system code of the other programs of modules.
///
/// # Errors
/// [`CodeError`] for the first that can't be expressed.
pub fn alternatives(assembly: &Assembly) -> Result<Vec<Program>, CodeError> {
    let programs = assembly.alternatives.iter().map(|row| {
        let program = Generator::new(assembly, &row.body).generate(row.module)?;
        check(assembly, &program)?;
        Ok(program)
    });
    programs.collect()
}

fn check(assembly: &Assembly, program: &Program) -> Result<(), CodeError> {
    let completions: Vec<_> = program.completions.iter().map(|(_, address)| *address).collect();
    let parts = Parts {
        code: &program.code,
        durations: program.durations.len(),
        start: program.start,
        completions: &completions,
    };
    let limits = Limits {
        drivers: u16::try_from(assembly.drivers.len()).unwrap_or(u16::MAX),
        tasks: u8::try_from(assembly.tasks().count()).unwrap_or(u8::MAX),
    };
    let mut scratch = vec![Default::default(); program.code.len()];
    verify(&parts, limits, &mut scratch)
        .map_err(|error| CodeError::Refused { module: program.module.clone(), error })
}

/// An instruction whose address isn't known yet.
enum Draft {
    Ready(Instruction),
    Jump { target: usize },
    Future { delay: u8, block: usize },
}

struct Generator<'a> {
    assembly: &'a Assembly,
    module: &'a Module,
    durations: Vec<Duration>,
    drafts: Vec<Draft>,
    blocks: Vec<usize>,
}

impl<'a> Generator<'a> {
    fn new(assembly: &'a Assembly, module: &'a Module) -> Self {
        Generator { assembly, module, durations: Vec::new(), drafts: Vec::new(), blocks: Vec::new() }
    }

    fn generate(mut self, module: usize) -> Result<Program, CodeError> {
        let instants = self.instants();
        self.drafts.push(Draft::Jump { target: 0 });
        for (index, instant) in instants.iter().enumerate() {
            self.blocks.push(self.drafts.len());
            self.outputs(*instant);
            if index == 0 {
                self.drafts[0] = Draft::Jump { target: self.drafts.len() };
                if self.module.slot.is_some() {
                    self.put(Instruction::Period {});
                }
            }
            self.actuators(*instant);
            self.releases(*instant);
            let next = instants.get(index + 1).copied().unwrap_or(self.module.period);
            let delay = self.duration(next.minus(*instant));
            self.drafts.push(Draft::Future { delay, block: (index + 1) % instants.len() });
            self.put(Instruction::Return {});
        }
        let completions = self.completions(module);
        self.finish(completions)
    }

    /// The instants of the period at which something is due, as distances from its start.
    fn instants(&self) -> Vec<Duration> {
        let period = self.module.period.ticks();
        let due = self.module.activities.iter().flat_map(|activity| {
            let every = activity.every().ticks().max(1);
            (0..period / every).map(move |k| Duration::from_ticks(k * every))
        });
        let instants: BTreeSet<_> = due.chain([Duration::ZERO]).collect();
        instants.into_iter().collect()
    }

    fn due(&self, instant: Duration) -> impl Iterator<Item = &'a Activity> + use<'a> {
        let activities = self.module.activities.iter();
        activities.filter(move |activity| instant.ticks().is_multiple_of(activity.every().ticks().max(1)))
    }

    fn outputs(&mut self, instant: Duration) {
        if self.assembly.publishes_at_completion {
            return;
        }
        for activity in self.due(instant) {
            if let Activity::Release { task, .. } = activity
                && let Some(publisher) = self.publisher(*task)
            {
                self.call(publisher);
            }
        }
    }

    fn actuators(&mut self, instant: Duration) {
        let updates: Vec<_> = self
            .due(instant)
            .filter_map(|activity| match activity {
                Activity::Actuate { update, .. } => Some(*update),
                Activity::Release { .. } => None,
            })
            .collect();
        if updates.is_empty() {
            return;
        }
        self.put(Instruction::Phase { phase: phase::ACTUATORS });
        let mut read = BTreeSet::new();
        updates.into_iter().for_each(|update| self.input(update, &mut read));
    }

    /// For each task that is due: its inputs, then its release. Nothing runs before the instant is
    /// complete, so all inputs are what the ports held at this instant.
    fn releases(&mut self, instant: Duration) {
        let mut read = self.sensors_of_actuators(instant);
        let mut first = true;
        for activity in self.due(instant) {
            let Activity::Release { task, every, inputs } = activity else { continue };
            if std::mem::take(&mut first) {
                self.put(Instruction::Phase { phase: phase::RELEASES });
            }
            inputs.iter().for_each(|input| self.input(*input, &mut read));
            let deadline = self.duration(*every);
            self.put(Instruction::Release { task: thread(*task), deadline });
        }
    }

    /// Sensors that the actuators of this instant have read already; a sensor is read at most once.
    fn sensors_of_actuators(&self, instant: Duration) -> BTreeSet<usize> {
        let getters = self.due(instant).filter_map(|activity| match activity {
            Activity::Actuate { update, .. } => update.getter,
            Activity::Release { .. } => None,
        });
        getters.collect()
    }

    fn input(&mut self, input: Input, read: &mut BTreeSet<usize>) {
        if let Some(getter) = input.getter
            && read.insert(getter)
        {
            self.call(getter);
        }
        self.call(input.driver);
    }

    /// Code that publishes a task's outputs when it completes.
    fn completions(&mut self, module: usize) -> Vec<(usize, u16)> {
        if !self.assembly.publishes_at_completion {
            return Vec::new();
        }
        let mut completions = Vec::new();
        for (index, thread) in self.assembly.threads.iter().enumerate() {
            let Role::Task(task) = &thread.role else { continue };
            if let (true, Some(publisher)) = (task.module == module, task.publisher) {
                completions.push((index, u16::try_from(self.drafts.len()).unwrap_or(u16::MAX)));
                self.call(publisher);
                self.put(Instruction::Return {});
            }
        }
        completions
    }

    fn publisher(&self, thread: usize) -> Option<usize> {
        match &self.assembly.threads[thread].role {
            Role::Task(task) => task.publisher,
            _ => None,
        }
    }

    fn call(&mut self, driver: usize) {
        self.put(Instruction::Call { driver: DriverId(u16::try_from(driver).unwrap_or(u16::MAX)) });
    }

    fn put(&mut self, instruction: Instruction) {
        self.drafts.push(Draft::Ready(instruction));
    }

    /// The number of a duration in the pool; `finish` refuses pools that are too large.
    fn duration(&mut self, duration: Duration) -> u8 {
        let known = self.durations.iter().position(|other| *other == duration);
        let number = known.unwrap_or_else(|| {
            self.durations.push(duration);
            self.durations.len() - 1
        });
        u8::try_from(number).unwrap_or(u8::MAX)
    }

    fn finish(self, completions: Vec<(usize, u16)>) -> Result<Program, CodeError> {
        let module = self.module.name.clone();
        if self.durations.len() > 256 {
            return Err(CodeError::TooManyDurations { module, durations: self.durations.len() });
        }
        if self.drafts.len() > usize::from(u16::MAX) {
            return Err(CodeError::TooLong { module, instructions: self.drafts.len() });
        }
        let address = |place: usize| u16::try_from(place).unwrap_or(u16::MAX);
        let code = self.drafts.iter().map(|draft| {
            let instruction = match *draft {
                Draft::Ready(instruction) => instruction,
                Draft::Jump { target } => Instruction::Jump { address: address(target) },
                Draft::Future { delay, block } => {
                    Instruction::Future { delay, address: address(self.blocks[block]) }
                }
            };
            instruction.encode()
        });
        Ok(Program {
            module,
            code: code.collect(),
            durations: self.durations,
            start: 0,
            completions,
            conditions: Vec::new(),
            threads: 0,
            band: None,
        })
    }
}

fn thread(index: usize) -> ThreadId {
    ThreadId(u8::try_from(index).unwrap_or(u8::MAX))
}
