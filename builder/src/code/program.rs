//! A program: a module's or a band's system code.

use std::collections::BTreeSet;

use beryl_abi::Duration;
use beryl_syscode::Condition;

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
    /// Where it goes on when a job is in its way, if the default won't do: behind everything else.
    pub handler: Option<u16>,
    /// Where completions of tasks enter it: index of the thread, address.
    pub completions: Vec<(usize, u16)>,
    /// What its threads wait for, and its rounds.
    pub conditions: Vec<Condition>,
    /// The sensors that it may come to more than once at an instant, as their getters.
    pub read_again: BTreeSet<usize>,
    /// How many threads it has at most at one time.
    pub threads: u8,
    /// The numbers that show that its jobs are never late in what its module's slot has; none if there are none.
    pub certificate: Vec<u32>,
    /// The band that it schedules, if it is one that does.
    pub band: Option<usize>,
    /// Where its modes are, if it is a module's: in the order of the text and of the code.
    pub modes: Vec<ModeBlocks>,
}

/// Where a mode is in a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModeBlocks {
    /// The mode.
    pub name: String,
    /// The address of its first block; it has all up to the next mode's.
    pub from: u16,
    /// The blocks that test switches.
    pub asks: Vec<u16>,
}
