//! Breaks samples down. A system is run twice, identical to the instruction: the first run tells where the
//! samples are, the second is logged.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use beryl_builder::Project;
use beryl_builder::emulator;
use beryl_builder::workshop::Workshop;

use super::between::Between;
use super::breakdown::Breakdown;
use super::code::Code;
use super::executed::Executed;
use super::origin::Origins;
use super::purpose::Purpose;
use super::rules::purpose;
use super::system::{System, Taken};
use crate::row::Row;
use crate::systems::{Measured, measured};

/// A system after its first run, and the samples to find in its second.
pub struct Ready {
    system: System,
    project: Project,
    measured: Measured,
    folder: PathBuf,
    rows: Vec<(Row, Taken)>,
}

/// A row broken down, with each instruction of the kernel.
pub struct Apart {
    /// The counts by purpose.
    pub breakdown: Breakdown,
    /// The instructions in order, each as text with its purpose and origin.
    pub instructions: Vec<String>,
}

impl Ready {
    /// Builds a system and makes its first run.
    ///
    /// # Errors
    /// If it can't be built, or doesn't reach its end.
    pub fn of(system: System, rows: &[Row], workshop: &Workshop) -> Result<Ready> {
        let project = system.project(workshop)?;
        let measured = measured(&project, workshop, system.millions())?;
        let last = |row: &Row| Ok((row.clone(), system.last(row, &measured.console)?));
        let rows = rows.iter().map(last).collect::<Result<_>>()?;
        let folder = workshop.folder(&project.assembly.name);
        Ok(Ready { system, project, measured, folder, rows })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.project.assembly.name
    }

    /// Makes its second run, and breaks the rows down.
    ///
    /// # Errors
    /// If the log doesn't match the measurement.
    pub fn take(&self) -> Result<Vec<Apart>> {
        let Ready { system, project, measured, folder, rows } = self;
        let elf = fs::read(&measured.built.kernel)
            .with_context(|| format!("reading {}", measured.built.kernel.display()))?;
        let processes = project.assembly.processes.iter();
        let files: Vec<_> = processes.map(|process| folder.join(format!("{}.elf", process.name))).collect();
        let processor = project.description.board.board.value.processor;
        let code = Code::of(processor, &elf, &files, Between::new(system.between_samples()))
            .with_context(|| self.name().to_owned())?;
        let parts: Vec<_> = rows.iter().map(|(_, taken)| taken.part).collect();
        let mut executed = Executed::new(&parts, code.sleeps.clone(), code.interrupts.clone());
        let board = project.description.board;
        let line = |line: &str| -> ControlFlow<()> { executed.line(line) };
        let (image, window) = (&measured.built.image, &measured.window);
        emulator::run_watched(
            board.board.value,
            image,
            window,
            board.speed,
            &folder.join("purposes"),
            &code.logged(),
            line,
        )?;
        let mut origins = Origins::new(&elf, processor)?;
        let all = rows.iter().zip(executed.parts());
        all.map(|((row, taken), executed)| {
            let executed = executed.with_context(|| format!("{}: its sample has no end", row.bench))?;
            apart(row, taken, &executed, &code, &mut origins)
        })
        .collect()
    }
}

/// Breaks one row down.
fn apart(
    row: &Row,
    taken: &Taken,
    executed: &[u32],
    code: &Code,
    origins: &mut Origins<'_>,
) -> Result<Apart> {
    let (inside, outside): (Vec<u32>, Vec<u32>) =
        executed.iter().partition(|address| code.kernel.contains(address));
    let [inside_count, outside_count] = [inside.len(), outside.len()].map(u64::try_from);
    let (inside_count, outside_count) = (inside_count?, outside_count?);
    let expected = taken.instructions + taken.reading - taken.unlogged;
    ensure!(
        inside_count + outside_count == expected,
        "{}, {}: {inside_count} instructions of the kernel and {outside_count} outside were logged, {expected} were counted; \
         is a function in the sample that `between_samples` in bench/src/purposes/system.rs leaves out?",
        row.bench,
        row.case
    );
    let (purposes, instructions) = attributed(&inside, origins)?;
    let breakdown = Breakdown {
        bench: row.bench.clone(),
        case: row.case.clone(),
        figure: taken.figure,
        rounds: taken.rounds,
        instructions: taken.instructions,
        outside: outside_count + taken.unlogged - taken.reading,
        purposes,
    };
    breakdown.must_be_whole()?;
    Ok(Apart { breakdown, instructions })
}

/// The counts by purpose, and each instruction as text.
///
/// # Errors
/// If there is no instruction at an address.
pub fn attributed(
    addresses: &[u32],
    origins: &mut Origins<'_>,
) -> Result<(BTreeMap<Purpose, u64>, Vec<String>)> {
    let mut purposes: BTreeMap<Purpose, u64> = BTreeMap::new();
    let mut instructions = Vec::new();
    for address in addresses {
        let origin = origins.origin(*address)?;
        let purpose = purpose(origin);
        *purposes.entry(purpose).or_default() += 1;
        instructions.push(format!(
            "{address:6x}  {:14}  {:40}  {}",
            purpose.name(),
            origin.text,
            origin.places()
        ));
    }
    Ok((purposes, instructions))
}
