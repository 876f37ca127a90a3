//! Systems on several cores: what the kernel of each carries out while they run together, from the emulator's log of instructions.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use beryl_abi::Instant;
use beryl_builder::emulator::{self, Accesses, Core, LOG, log};
use beryl_builder::workshop::Workshop;
use beryl_builder::{Nodes, Variant, plugged};

use crate::step::Kernel;

/// The kernels of a system, each built for its part of the board.
pub struct Cores {
    name: String,
    /// The plugin that ends their turns.
    turns: PathBuf,
    /// One for each core, in the order of the description.
    pub kernels: Vec<Kernel>,
}

impl Cores {
    /// Builds all cores of the system in a folder.
    ///
    /// # Errors
    /// Those of the description and of the builder; the system has no cores.
    pub fn build(folder: &Path, variant: Variant, workshop: &Workshop) -> Result<Cores> {
        let nodes = Nodes::load(folder, variant);
        let nodes = nodes.with_context(|| format!("reading {}", folder.display()))?;
        let nodes = nodes.with_context(|| format!("{} has no cores", folder.display()))?;
        let turns = plugged::build_turns(&nodes, workshop)?;
        let kernels = nodes.on_boards().into_iter().map(|part| Kernel::of(part.project, workshop));
        Ok(Cores { kernels: kernels.collect::<Result<_>>()?, name: nodes.name, turns })
    }

    /// Runs all of them together up to an instant, and answers what each has carried out of the code in some ranges.
    ///
    /// # Errors
    /// Those of the run.
    pub fn executed(&self, workshop: &Workshop, code: &[Range<u32>], end: Instant) -> Result<Vec<Vec<u32>>> {
        let cores = self.kernels.iter().enumerate().map(|(number, Kernel { project, built, .. })| {
            let board = project.description.board.board.value;
            Ok(Core {
                number,
                name: &project.assembly.name,
                board,
                image: built.image.clone(),
                window: Accesses::default().window_without_trace(board, end)?,
                speaks: number == 0,
            })
        });
        let cores = cores.collect::<Result<Vec<_>>>()?;
        let speed = self.kernels.first().context("there is no core")?.project.description.board.speed;
        let folder = workshop.folder(&self.name).join("steps");
        emulator::on_one_board_logged(&cores, speed, &self.turns, &folder, code)?;
        let path = folder.join(LOG);
        let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        // Nobody reads it again, and it may be large.
        fs::remove_file(&path).with_context(|| format!("removing {}", path.display()))?;
        Ok(log::executed_by_each(&text, cores.len()))
    }
}
