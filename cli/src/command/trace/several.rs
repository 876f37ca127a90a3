//! The recorded run of several kernels: kept beside the results of the system, and opened again.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use beryl_builder::Nodes;
use beryl_builder::nodes::Node;
use beryl_builder::workshop::replace;
use beryl_trace::Nanoseconds;
use beryl_trace::several::{Crossing, Frame, Kernel, Several};

use super::opened::Opened;
use crate::console::Console;
use crate::files::Place;

/// What the names of these files end in.
const ENDING: &str = "kernels.json";

/// Whether a file is one.
pub fn is_several(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name.to_string_lossy().ends_with(&format!(".{ENDING}")))
}

/// Keeps a run whose results have this name, and in which the traces of the kernels have these; answers where.
///
/// # Errors
/// It can't be written.
pub fn keep(system: &Nodes, name: &str, traces: &[String], fates: &str) -> Result<PathBuf> {
    let told = told(system, traces, fates);
    let path = Place::of_nodes(&system.name, name).file(ENDING);
    let text = serde_json::to_string(&told).context("the run of several kernels can't be told")?;
    replace(&path, text.as_bytes())?;
    Ok(path)
}

fn told(system: &Nodes, traces: &[String], fates: &str) -> Several {
    let nanoseconds = |length: beryl_builder::quantity::Nanoseconds| Nanoseconds::new(length.get());
    let crossings = system.crossings();
    let numbers = |links: &[usize]| -> Vec<usize> {
        let number = |link: &usize| crossings.iter().position(|crossing| crossing.link == *link);
        links.iter().filter_map(number).collect()
    };
    let schedule = &system.schedule;
    let frames = schedule.frames.iter().map(|frame| Frame {
        kernel: frame.node,
        start: nanoseconds(frame.start),
        end: nanoseconds(frame.end),
        counts: nanoseconds(frame.counts),
        crossings: numbers(&frame.links),
    });
    let value = |link: usize| system.links.get(link).map(|link| link.name.clone()).unwrap_or_default();
    Several {
        system: system.name.clone(),
        word: system.word().to_owned(),
        kernels: system.parts.iter().zip(traces).map(|(part, trace)| kernel(part, trace)).collect(),
        cycle: nanoseconds(schedule.cycle),
        frames: frames.collect(),
        fates: fates.to_owned(),
        crossings: crossings
            .iter()
            .map(|crossing| Crossing {
                value: value(crossing.link),
                from: crossing.from.clone(),
                to: crossing.to.clone(),
                counts_after: crossing.counts_after.map(Nanoseconds::new),
            })
            .collect(),
    }
}

fn kernel(Node { name, machine, word, core_of, project }: &Node, trace: &str) -> Kernel {
    let title = match core_of {
        Some(node) => format!("{name}, {word} of {node}"),
        None => format!("{name}, {word}"),
    };
    let folder = Path::new("..").join(&project.assembly.name);
    Kernel { name: name.clone(), title, machine: *machine, trace: folder.join(format!("{trace}.trace")) }
}

/// A run of several kernels with all its traces.
pub struct OpenedSeveral {
    /// What it is.
    pub several: Several,
    /// The trace of each kernel.
    pub kernels: Vec<Opened>,
    folder: PathBuf,
    stem: String,
}

impl OpenedSeveral {
    /// Reads what was kept, and the traces beside it.
    ///
    /// # Errors
    /// One can't be read, or is of no use.
    pub fn read(file: &Path, console: &Console) -> Result<OpenedSeveral> {
        let text = fs::read_to_string(file).with_context(|| format!("can't read {}", file.display()))?;
        let several: Several =
            serde_json::from_str(&text).with_context(|| format!("{} is damaged", file.display()))?;
        let folder = file.parent().map(Path::to_owned).unwrap_or_default();
        let each = several.kernels.iter().map(|kernel| Opened::read(&folder.join(&kernel.trace), console));
        let kernels = each.collect::<Result<Vec<_>>>()?;
        if kernels.is_empty() {
            return Err(anyhow!("{} tells of no kernel", file.display()));
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let stem = name.trim_end_matches(ENDING).trim_end_matches('.').to_owned();
        Ok(OpenedSeveral { several, kernels, folder, stem })
    }

    /// What the run is called: its system, and which of its runs it is.
    pub fn title(&self) -> String {
        format!("{}, {}", self.several.system, self.stem)
    }

    /// Where to write a file made from it: the given path, or beside it.
    pub fn result(&self, wanted: Option<&Path>, extension: &str) -> PathBuf {
        wanted.map_or_else(|| self.folder.join(format!("{}.{extension}", self.stem)), Path::to_owned)
    }
}
