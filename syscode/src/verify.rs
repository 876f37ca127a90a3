//! The structural verifier: what every program must satisfy before today's kernel runs it, which is one
//! of E code scheduled by the bands.
//!
//! A program is a set of *activations*: stretches of code that begin at the start address, at the
//! target of a `future`, behind a `phase`, or at a completion entry, and end with `return` or
//! `phase`. Inside an activation jumps go forward only, so it is bounded by the code's length and
//! one pass over the code sees every path. The trigger queue has one place a program, so that each
//! activation leaves at most one trigger pending.
//!
//! Time and space are linear in the code; the scratch memory is the caller's.

use core::fmt;

use crate::instruction::{Instruction, phase};

/// What a program may refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Number of drivers in the image.
    pub drivers: u16,
    /// Number of tasks in the image.
    pub tasks: u8,
}

/// A program's parts, as the verifier needs them.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// The instructions.
    pub code: &'a [u32],
    /// Number of durations in the pool.
    pub durations: usize,
    /// Where the program starts.
    pub start: u16,
    /// Where completions of tasks enter it.
    pub completions: &'a [u16],
}

/// Why a program was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The instruction at fault.
    pub address: usize,
    /// What is wrong with it.
    pub reason: Reason,
}

/// What can be wrong with an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The program has no instruction, or more than 65535.
    Length,
    /// The scratch memory is shorter than the code.
    Scratch,
    /// No such opcode.
    Opcode,
    /// No such driver in the image.
    Driver,
    /// No such task in the image.
    Task,
    /// No such duration in the pool.
    Duration,
    /// An address outside the code.
    Address,
    /// A jump or branch that doesn't go forward.
    Backward,
    /// A phase that doesn't come later than the one before, or doesn't exist.
    Phase,
    /// A second trigger where the queue has one place.
    SecondTrigger,
    /// An activation that leaves no trigger: the program would stop for good.
    NoTrigger,
    /// Two ways to this instruction disagree on the phase or on the pending trigger.
    Disagreement,
    /// The code runs past its end.
    End,
    /// The kernel doesn't carry out this instruction yet.
    Unsupported,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self.reason {
            Reason::Length => "the program is empty or has more than 65535 instructions",
            Reason::Scratch => "the verifier was given too little memory",
            Reason::Opcode => "unknown opcode",
            Reason::Driver => "there is no such driver",
            Reason::Task => "there is no such task",
            Reason::Duration => "there is no such duration",
            Reason::Address => "the address lies outside the program",
            Reason::Backward => "a jump or branch goes backward; only `future` may",
            Reason::Phase => "phases of an instant must come in order",
            Reason::SecondTrigger => "a second trigger is set in one activation; the queue has one place",
            Reason::NoTrigger => "the program returns without a trigger and would never run again",
            Reason::Disagreement => "two paths meet here in different phases or with different triggers",
            Reason::End => "the code runs past its end",
            Reason::Unsupported => {
                "today's kernel doesn't carry out this instruction; the reference machine does"
            }
        };
        write!(out, "instruction {}: {reason}", self.address)
    }
}

/// What is known about reaching an instruction: nothing yet, or phase and pending trigger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark(u8);

impl Mark {
    const TRIGGER: u8 = 0x10;
    const SEEN: u8 = 0x80;

    const fn new(phase: u8, trigger: bool) -> Mark {
        Mark(Mark::SEEN | phase | if trigger { Mark::TRIGGER } else { 0 })
    }

    const fn phase(self) -> u8 {
        self.0 & 0xF
    }

    const fn has_trigger(self) -> bool {
        self.0 & Mark::TRIGGER != 0
    }
}

/// Checks a program. `scratch` must be as long as the code; its content doesn't matter.
///
/// # Errors
/// The first instruction that breaks a rule, with the rule.
pub fn verify(parts: &Parts<'_>, limits: Limits, scratch: &mut [Mark]) -> Result<(), VerifyError> {
    let length = parts.code.len();
    if length == 0 || length > usize::from(u16::MAX) {
        return Err(VerifyError { address: 0, reason: Reason::Length });
    }
    let Some(marks) = scratch.get_mut(..length) else {
        return Err(VerifyError { address: 0, reason: Reason::Scratch });
    };
    marks.fill(Mark::default());
    enter(marks, usize::from(parts.start), Mark::new(phase::OUTPUTS, false))?;
    for completion in parts.completions {
        enter(marks, usize::from(*completion), Mark::new(phase::OUTPUTS, true))?;
    }
    // Targets of futures may lie behind; marking them first keeps it to one pass over the paths.
    for (address, word) in parts.code.iter().enumerate() {
        if let Some(Instruction::Future { address: target, .. }) = Instruction::decode(*word) {
            enter(marks, usize::from(target), Mark::new(phase::OUTPUTS, false))
                .map_err(|error| VerifyError { address, ..error })?;
        }
    }
    (0..length).try_for_each(|address| check(parts, limits, marks, address))
}

/// Checks one instruction and marks what follows it. Code that nothing reaches is only decoded.
fn check(parts: &Parts<'_>, limits: Limits, marks: &mut [Mark], address: usize) -> Result<(), VerifyError> {
    let at = |reason| VerifyError { address, reason };
    let word = parts.code.get(address).copied().ok_or(at(Reason::End))?;
    let mark = marks.get(address).copied().unwrap_or_default();
    let instruction = Instruction::decode(word).ok_or(at(Reason::Opcode))?;
    check_operands(parts, limits, instruction).map_err(at)?;
    if mark == Mark::default() {
        return Ok(());
    }
    let next = address + 1;
    match instruction {
        Instruction::Call { .. }
        | Instruction::Calls { .. }
        | Instruction::Release { .. }
        | Instruction::Releases { .. }
        | Instruction::Period {} => follow(marks, address, next, mark),
        Instruction::Future { .. } if mark.has_trigger() => Err(at(Reason::SecondTrigger)),
        Instruction::Future { .. } => follow(marks, address, next, Mark::new(mark.phase(), true)),
        Instruction::Phase { .. } if mark.has_trigger() => Err(at(Reason::SecondTrigger)),
        Instruction::Phase { phase } if phase <= mark.phase() => Err(at(Reason::Phase)),
        Instruction::Phase { phase } => follow(marks, address, next, Mark::new(phase, false)),
        Instruction::Jump { address: target } => forward(marks, address, usize::from(target), mark),
        Instruction::Branch { address: target }
        | Instruction::Late { address: target, .. }
        | Instruction::Owed { address: target, .. } => {
            forward(marks, address, usize::from(target), mark)?;
            follow(marks, address, next, mark)
        }
        Instruction::Return {} if !mark.has_trigger() => Err(at(Reason::NoTrigger)),
        Instruction::Return {} => Ok(()),
        _ => Err(at(Reason::Unsupported)),
    }
}

fn check_operands(parts: &Parts<'_>, limits: Limits, instruction: Instruction) -> Result<(), Reason> {
    let inside = |address: u16| usize::from(address) < parts.code.len();
    let known = |duration: u8| usize::from(duration) < parts.durations;
    match instruction {
        Instruction::Call { driver } if driver.0 >= limits.drivers => Err(Reason::Driver),
        Instruction::Calls { first, count }
            if count == 0 || u32::from(first.0) + u32::from(count) > u32::from(limits.drivers) =>
        {
            Err(Reason::Driver)
        }
        Instruction::Releases { first, count, .. }
            if count == 0 || u32::from(first.0) + u32::from(count) > u32::from(limits.tasks) =>
        {
            Err(Reason::Task)
        }
        Instruction::Releases { deadline, .. } if !known(deadline) => Err(Reason::Duration),
        Instruction::Release { task, .. } if task.0 >= limits.tasks => Err(Reason::Task),
        Instruction::Release { deadline, .. } if !known(deadline) => Err(Reason::Duration),
        Instruction::Future { delay, .. } if !known(delay) => Err(Reason::Duration),
        Instruction::Future { address, .. } if !inside(address) => Err(Reason::Address),
        Instruction::Jump { address } | Instruction::Branch { address } if !inside(address) => {
            Err(Reason::Address)
        }
        Instruction::Late { task, .. } | Instruction::Owed { task, .. } if task.0 >= limits.tasks => {
            Err(Reason::Task)
        }
        Instruction::Late { address, .. } | Instruction::Owed { address, .. } if !inside(address) => {
            Err(Reason::Address)
        }
        Instruction::Phase { phase } if phase >= phase::COUNT => Err(Reason::Phase),
        Instruction::Call { .. }
        | Instruction::Calls { .. }
        | Instruction::Release { .. }
        | Instruction::Releases { .. }
        | Instruction::Future { .. }
        | Instruction::Phase { .. }
        | Instruction::Jump { .. }
        | Instruction::Branch { .. }
        | Instruction::Late { .. }
        | Instruction::Owed { .. }
        | Instruction::Period {}
        | Instruction::Return {} => Ok(()),
        _ => Err(Reason::Unsupported),
    }
}

fn forward(marks: &mut [Mark], from: usize, to: usize, mark: Mark) -> Result<(), VerifyError> {
    if to <= from {
        return Err(VerifyError { address: from, reason: Reason::Backward });
    }
    follow(marks, from, to, mark)
}

fn follow(marks: &mut [Mark], from: usize, to: usize, mark: Mark) -> Result<(), VerifyError> {
    if to >= marks.len() {
        return Err(VerifyError { address: from, reason: Reason::End });
    }
    enter(marks, to, mark)
}

/// Notes that `to` is reached with `mark`; a second way there must agree.
fn enter(marks: &mut [Mark], to: usize, mark: Mark) -> Result<(), VerifyError> {
    let reason = match marks.get_mut(to) {
        None => Reason::Address,
        Some(known) if *known == Mark::default() => {
            *known = mark;
            return Ok(());
        }
        Some(known) if *known == mark => return Ok(()),
        Some(_) => Reason::Disagreement,
    };
    Err(VerifyError { address: to, reason })
}
