//! Whose each instruction is, and where jobs begin and end.
//!
//! ```text
//!              first instruction of the thread
//!   (nothing) -------------------------------->  at work  --- a call that ends the job --->  at work, next job
//!                                                  |  ^
//!                            another gets the      |  |  the thread gets
//!                            processor             v  |  the processor again
//!                                                waiting
//! ```
//!
//! A thread that begins at its first instruction again has given up the job before: that one isn't counted.

use std::collections::BTreeMap;
use std::vec::IntoIter;

use beryl_abi::CallNumber;
use beryl_abi::call::{Operand, POLL};

use super::code::Code;
use super::{Paths, Subject, Way};
use crate::assembly::{Role, lenders};
use crate::emulator::log::{Instructions, Registers};
use crate::error::BuildError;
use crate::project::Project;

/// Follows a run.
pub struct Watch<'a> {
    project: &'a Project,
    code: &'a Code,
    calls: Vec<u32>,
    registers: IntoIter<Registers>,
    instructions: Instructions,
    running: Option<usize>,
    open: Vec<Option<Open>>,
    jobs: BTreeMap<Subject, Paths>,
    differs: Option<u32>,
}

/// A job that goes on.
#[derive(Clone, Copy)]
struct Open {
    hash: Hash,
    instructions: u64,
    calls: u64,
    /// The driver that it came to.
    driver: Option<(usize, usize)>,
    /// Whether the thread has begun with it: whoever waits for work has done none yet.
    is_first: bool,
}

/// FNV-1a over the addresses of instructions.
#[derive(Clone, Copy)]
struct Hash(u64);

impl Hash {
    const NOTHING: Hash = Hash(0xCBF2_9CE4_8422_2325);

    fn with(self, address: u32) -> Hash {
        let add = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        Hash(address.to_le_bytes().into_iter().fold(self.0, add))
    }
}

impl Open {
    fn new(is_first: bool) -> Open {
        Open { hash: Hash::NOTHING, instructions: 0, calls: 0, driver: None, is_first }
    }
}

impl<'a> Watch<'a> {
    /// Nothing is running yet. The registers are those of all instructions that are asked for.
    pub fn new(project: &'a Project, code: &'a Code, registers: Vec<Registers>) -> Watch<'a> {
        let mut calls = code.calls.clone();
        calls.sort_unstable();
        Watch {
            project,
            code,
            calls,
            registers: registers.into_iter(),
            instructions: Instructions::default(),
            running: None,
            open: vec![None; project.assembly.threads.len()],
            jobs: BTreeMap::new(),
            differs: None,
        }
    }

    /// Takes a line of the log.
    pub fn line(&mut self, line: &str) {
        if let Some(address) = self.instructions.line(line) {
            self.instruction(address);
        }
    }

    /// All jobs that came to their end. The one under way isn't whole.
    pub fn end(self) -> Result<BTreeMap<Subject, Paths>, BuildError> {
        match self.differs {
            None => Ok(self.jobs),
            Some(address) => Err(BuildError::Step {
                what: "measuring jobs".to_owned(),
                output: format!("two runs of one image differ at {address:#x}: measure again"),
            }),
        }
    }

    fn instruction(&mut self, address: u32) {
        if address == self.code.gives.address {
            let Some(row) = self.asked(address) else { return };
            let pointer = row.of(self.code.gives.register);
            let stacks = &self.project.places.stacks;
            self.running =
                stacks.iter().position(|stack| pointer.wrapping_sub(stack.address) <= stack.length);
            return;
        }
        // The emulator's ranges have their last address in them.
        if !self.code.text.contains(&address) {
            return;
        }
        if let Some(thread) = self.code.entries.get(&address) {
            // The first thread of all gets the processor from the boot.
            self.running = Some(*thread);
            self.open[*thread] = Some(Open::new(true));
        }
        let Some(thread) = self.running else { return };
        let driver = self.code.drivers.get(&address).copied();
        let Some(open) = &mut self.open[thread] else { return };
        open.hash = open.hash.with(address);
        open.instructions += 1;
        open.driver = open.driver.or(driver);
        if self.calls.binary_search(&address).is_ok() {
            self.call(thread, address);
        }
    }

    /// What was in the registers before an instruction that was asked for.
    fn asked(&mut self, address: u32) -> Option<Registers> {
        let row = self.registers.next().filter(|row| row.address == address);
        if row.is_none() {
            self.differs = self.differs.or(Some(address));
        }
        row
    }

    fn call(&mut self, thread: usize, address: u32) {
        let Some(row) = self.asked(address) else { return };
        let Some(open) = &mut self.open[thread] else { return };
        let [number, object, limit] = self.code.processor.asked().map(|register| row.of(register));
        let asked = Asked { number, object, limit };
        let is_owned = |semaphore| lenders::has_owner(&self.project.assembly, semaphore);
        if !asked.ends_job_of(&self.project.assembly.threads[thread].role, is_owned) {
            open.calls += 1;
            return;
        }
        let done = std::mem::replace(open, Open::new(false));
        let subject = match self.project.assembly.threads[thread].role {
            Role::Task(_) | Role::Periodic(_) => Some(Subject::Thread(thread)),
            // Before its first wait, it makes itself ready.
            Role::Free { sporadic: Some(_), .. } => Some(Subject::Thread(thread)).filter(|_| !done.is_first),
            Role::Drivers => self.driver_of(thread, &done),
            Role::Free { .. } | Role::Idle => None,
        };
        let Some(subject) = subject else { return };
        let way = Way { instructions: done.instructions, calls: done.calls, jobs: 0 };
        self.jobs.entry(subject).or_default().entry(done.hash.0).or_insert(way).jobs += 1;
    }

    /// Which driver it was. Where a process has one only, the compiler may have put it into line.
    fn driver_of(&self, thread: usize, done: &Open) -> Option<Subject> {
        let process = self.project.assembly.threads[thread].process;
        let only = (self.project.assembly.processes[process].functions.len() == 1).then_some((process, 0));
        let (process, number) = done.driver.or(only).filter(|_| !done.is_first)?;
        Some(Subject::Driver(process, number))
    }
}

/// What was asked of the kernel.
#[derive(Clone, Copy)]
struct Asked {
    number: u32,
    /// The word that names an object, where the call has one.
    object: u32,
    /// How long the call may wait, likewise.
    limit: u32,
}

impl Asked {
    /// Whether this ends a job of such a thread. A thread without a period waits for its next job wherever it waits, but
    /// for its turn in a queue: for a lock, a server, or room. What never waits ends nothing.
    fn ends_job_of(self, role: &Role, is_owned: impl Fn(usize) -> bool) -> bool {
        let Some(number) = CallNumber::decode(self.number) else { return false };
        let may_wait = self.limit != POLL;
        match (role, number) {
            (Role::Task(_), CallNumber::Complete)
            | (Role::Periodic(_), CallNumber::WaitPeriod)
            | (Role::Drivers, CallNumber::DriverDone)
            | (Role::Free { .. }, CallNumber::SleepUntil | CallNumber::EndpointReply) => true,
            (Role::Free { .. }, CallNumber::SemaphoreWait) => {
                may_wait && !is_owned(usize::from(Operand(self.object).number()))
            }
            (
                Role::Free { .. },
                CallNumber::ConditionWait
                | CallNumber::MailboxReceive
                | CallNumber::EndpointReceive
                | CallNumber::NotificationWait
                | CallNumber::EventGroupWait,
            ) => may_wait,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beryl_abi::call::FOREVER;

    #[test]
    fn what_never_waits_ends_no_job() {
        let free = Role::Free { entry: String::new(), deadline: None, sporadic: None };
        let ends = |number: CallNumber, limit| {
            let asked = Asked { number: number as u32, object: 1, limit };
            asked.ends_job_of(&free, |semaphore| semaphore == 1)
        };
        assert!(ends(CallNumber::NotificationWait, FOREVER) && ends(CallNumber::MailboxReceive, 1));
        assert!(ends(CallNumber::SleepUntil, POLL), "it has no limit, and sleeps");
        assert!(!ends(CallNumber::MailboxReceive, POLL) && !ends(CallNumber::NotificationWait, POLL));
        // Its turn in a queue is a part of the job.
        assert!(!ends(CallNumber::SemaphoreWait, FOREVER) && !ends(CallNumber::MailboxSend, FOREVER));
        assert!(!ends(CallNumber::Notify, FOREVER) && !ends(CallNumber::Yield, FOREVER));
        let counting = Asked { number: CallNumber::SemaphoreWait as u32, object: 2, limit: FOREVER };
        assert!(counting.ends_job_of(&free, |semaphore| semaphore == 1));
        let unknown = Asked { number: u32::MAX, object: 0, limit: FOREVER };
        assert!(!unknown.ends_job_of(&free, |_| false));
    }

    #[test]
    fn another_order_of_instructions_is_another_path() {
        let path = |addresses: &[u32]| addresses.iter().fold(Hash::NOTHING, |hash, one| hash.with(*one)).0;
        assert_ne!(path(&[2, 4, 6]), path(&[2, 6, 4]));
        assert_ne!(path(&[2]), path(&[2, 2]));
        assert_eq!(path(&[2, 4]), path(&[2, 4]));
    }
}
