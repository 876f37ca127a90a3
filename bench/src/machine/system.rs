//! The systems: generated, built with the schedule of their case, run, counted.

use anyhow::{Context, Result, ensure};
use beryl_abi::{Instant, ThreadId};
use beryl_builder::code::Program;
use beryl_builder::workshop::{Workshop, replace};
use beryl_builder::{Project, Variant};
use beryl_syscode::Instruction;

use super::cases::{Case, Way};
use super::spin::Round;
use super::statics::Statics;
use crate::generated::band;
use crate::observed;
use crate::row::BOARD;
use crate::step::Kernel;

/// An instruction takes 2^2 ns: the closest to the 206 MHz of the paper's StrongARM.
pub const SPEED: u32 = 2;
/// A hyperperiod in ns.
const LENGTH: u64 = 60_000_000;
/// Instructions that fit into a hyperperiod.
pub const HYPERPERIOD: u64 = LENGTH >> SPEED;
/// Nanoseconds per tick of the board.
pub const TICK: u64 = 40;
/// How many hyperperiods to count.
pub const ROUNDS: u64 = 2;

/// The counts.
pub struct Counted {
    /// Instructions of each system call.
    pub completions: Vec<u64>,
    /// Instructions of each alarm.
    pub instants: Vec<u64>,
    /// Instructions of E code.
    pub e_words: u64,
    /// Instructions of S code.
    pub s_words: u64,
}

/// Builds the system of a case.
pub fn built(workshop: &Workshop, case: &Case, round: &Round, statics: &Statics) -> Result<Kernel> {
    let policy = if case.way == Way::Bands { "dynamic" } else { "code" };
    let name = format!("bench_machine_{policy}_{}", case.tasks);
    let rounds = round.rounds(case.job(HYPERPERIOD)).context("jobs are too short")?;
    let project = project(workshop, &name, policy, case, rounds)?;
    let threads: Vec<_> = project.assembly.threads.iter().map(|thread| thread.name.as_str()).collect();
    let programs = project.programs.iter().map(|program| match program.band {
        Some(_) => scheduled(program, statics, &threads),
        None => Ok(program.clone()),
    });
    let programs = programs.collect::<Result<Vec<_>>>()?;
    Kernel::of(project.with(|system| system.programs = programs), workshop)
}

/// Builds the system of a case, runs it for some hyperperiods, and counts. All jobs have to be done in time.
pub fn count(workshop: &Workshop, case: &Case, round: &Round, statics: &Statics) -> Result<Counted> {
    let kernel = built(workshop, case, round, statics)?;
    let entries = observed::entries(&kernel, workshop, end(ROUNDS));
    let [completions, instants] = entries.with_context(|| case.name())?;
    let done = u64::try_from(completions.len())?;
    let expected = ROUNDS * case.jobs();
    ensure!(done == expected, "{}: {done} jobs are done, expected {expected}", case.name());
    let words = |is_schedule: bool| {
        let programs = kernel.project.programs.iter();
        let programs = programs.filter(|program| program.band.is_some() == is_schedule);
        u64::try_from(programs.map(|program| program.code.len()).sum::<usize>())
    };
    Ok(Counted { completions, instants, e_words: words(false)?, s_words: words(true)? })
}

/// The end of a run over this many hyperperiods: just before the next one.
pub fn end(rounds: u64) -> Instant {
    Instant::from_ticks(rounds * LENGTH / TICK - 1)
}

/// Writes a system and loads it. Each job has this many rounds.
pub fn project(workshop: &Workshop, name: &str, policy: &str, case: &Case, rounds: u64) -> Result<Project> {
    let folder = workshop.folder(name).join("system");
    replace(&folder.join("beryl.toml"), description(name, policy, case.tasks).as_bytes())?;
    replace(&folder.join("machine.tdl"), timing(case, rounds).as_bytes())?;
    Project::load(&folder, Variant::default()).with_context(|| format!("reading {}", folder.display()))
}

/// The builder's program of a band, with another schedule. The builder makes only preemptive ones, and counts
/// the longest steps; here each job counts as longer by that much.
fn scheduled(own: &Program, statics: &Statics, threads: &[&str]) -> Result<Program> {
    let schedule = &statics.schedule;
    let number = |task: ThreadId| -> Result<ThreadId> {
        let name = schedule.tasks.get(task.index()).context("the schedule names a task that isn't there")?;
        let thread = threads.iter().position(|thread| thread == name).context("no such task")?;
        Ok(ThreadId(u8::try_from(thread)?))
    };
    let renamed = |word: &u32| -> Result<u32> {
        Ok(match Instruction::decode(*word) {
            Some(Instruction::Dispatch { task }) => Instruction::Dispatch { task: number(task)? }.encode(),
            Some(Instruction::DispatchUntil { task, until, otherwise }) => {
                Instruction::DispatchUntil { task: number(task)?, until, otherwise }.encode()
            }
            _ => *word,
        })
    };
    Ok(Program {
        code: schedule.code.iter().map(renamed).collect::<Result<_>>()?,
        durations: schedule.durations.clone(),
        start: schedule.start,
        conditions: schedule.conditions.clone(),
        threads: schedule.thread_places,
        ..own.clone()
    })
}

fn description(name: &str, policy: &str, tasks: u64) -> String {
    let mut text = format!(
        "# Written by ./x bench; changes are lost.\n[system]\nname = {name:?}\ntiming = [\"machine.tdl\"]\n\
         application = \"../../../bench/app\"\n\n\
         [board]\nname = {BOARD:?}\nflash = \"256k\"\nram = \"256k\"\nspeed = {SPEED}\n\n\
         [process.only]\nmemory = \"64\"\n"
    );
    text += &band("all", policy);
    for task in 0..tasks {
        text += &format!("\n[task.t{task}]\nprocess = \"only\"\nworst = \"1us\"\nstack = \"256\"\n");
    }
    text
}

/// Tasks in four groups, the first the slowest; each task's input is its own output.
fn timing(case: &Case, rounds: u64) -> String {
    let mut text = "// Written by ./x bench; changes are lost.\nmodule Machine {\n".to_owned();
    for task in 0..case.tasks {
        text += &format!(
            "  task t{task} {{\n    input int value;\n    output int handed := {rounds};\n    uses hand_on(value, handed);\n  }}\n"
        );
    }
    text += "  start mode run [period = 60ms] {\n";
    for (task, group) in (0..case.tasks).zip(case.groups()) {
        text += &format!("    task [freq = {group}] t{task}(t{task}.handed);\n");
    }
    text + "  }\n}\n"
}

#[cfg(test)]
mod tests {
    use super::super::cases::{GROUPS, Length};
    use super::*;

    #[test]
    fn each_group_has_a_quarter_of_the_tasks() {
        let text = timing(&Case { tasks: 100, way: Way::Preemptive, length: Length::Short }, 7);
        for group in GROUPS {
            assert_eq!(text.matches(&format!("[freq = {group}]")).count(), 25);
        }
        assert_eq!(text.matches("handed := 7;").count(), 100);
        assert_eq!(description("name", "code", 100).matches("[task.").count(), 100);
    }
}
