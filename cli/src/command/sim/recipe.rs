//! Recipes: the inputs that identify a simulated run. The same inputs give the same trace, to the byte.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use beryl_builder::board::Board;
use beryl_builder::workshop::replace;
use serde::{Deserialize, Serialize};

use super::{Costs, Ending, Times, When};
use crate::command::board::named;

/// Everything that a run depends on apart from the system, and a print of the result. Kept as `sim.run`
/// beside the trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// The system's folder, relative to the folder in which the run was made.
    pub folder: PathBuf,
    /// The board for which it was, if not the described one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// How long the run was, in nanoseconds.
    #[serde(rename = "length_ns")]
    pub length: u64,
    /// How execution times were chosen.
    pub times: Times,
    /// How long each step of the kernel took.
    #[serde(default, skip_serializing_if = "Costs::is_none")]
    pub costs: Costs,
    /// The seed of random execution times and steps.
    pub seed: u64,
    /// The seed of the environment.
    pub plant_seed: u64,
    /// When outputs became visible, if not as described.
    pub outputs: Option<When>,
    /// What ended the run early.
    pub until: Option<Ending>,
    /// Whether it ran without a proof.
    pub unchecked: bool,
    /// What was picked at each choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub picks: Vec<u8>,
    /// Interrupts that might come: line and tick.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chances: Vec<String>,
    /// Injected faults, as the simulation program takes them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// The resulting trace.
    pub trace: Print,
}

/// A fingerprint that tells traces apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Print {
    /// Its length.
    pub bytes: usize,
    /// Its checksum, CRC-32.
    pub crc32: u32,
}

impl Print {
    /// The print of a trace.
    pub fn of(trace: &[u8]) -> Print {
        Print { bytes: trace.len(), crc32: crc32fast::hash(trace) }
    }
}

impl Recipe {
    /// A run with the longest execution times and no other options.
    pub fn of(folder: &Path) -> Recipe {
        Recipe {
            folder: folder.to_owned(),
            board: None,
            length: 0,
            times: Times::Worst,
            costs: Costs::None,
            seed: 0,
            plant_seed: 1,
            outputs: None,
            until: None,
            unchecked: true,
            picks: Vec::new(),
            chances: Vec::new(),
            faults: Vec::new(),
            trace: Print::of(&[]),
        }
    }

    /// The board, if not the described one.
    ///
    /// # Errors
    /// If there is none of its name.
    pub fn board(&self) -> Result<Option<&'static Board>> {
        let board = self.board.as_deref().map(named).transpose();
        board.map_err(|reason| anyhow!("the run was for another board than there is: {reason}"))
    }

    /// Reads a recipe.
    ///
    /// # Errors
    /// If the file can't be read or isn't a recipe; the error gives the line and column.
    pub fn read(file: &Path) -> Result<Recipe> {
        let text = fs::read_to_string(file).with_context(|| {
            format!("can't read {}; `beryl sim` leaves `sim.run` beside its trace", file.display())
        })?;
        serde_json::from_str(&text)
            .map_err(|reason| anyhow!("{} doesn't say how a run was made: {reason}", file.display()))
    }

    /// Writes it.
    pub fn keep(&self, file: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self).context("the recipe")? + "\n";
        Ok(replace(file, text.as_bytes())?)
    }
}

/// Where two traces differ: the number of the first record that differs, from 1, and its kernel time.
pub fn first_difference(recorded: &[u8], replayed: &[u8], names: &beryl_trace::Names) -> String {
    use beryl_trace::decode::readable;
    let ((recorded, _), (replayed, _)) = (readable(recorded), readable(replayed));
    let same = recorded.iter().zip(&replayed).take_while(|(one, other)| one == other).count();
    let at = |events: &[beryl_trace::Event]| match events.get(same) {
        Some(event) => format!("{:?} at {}", event.happening, names.tick.logical(event.time)),
        None => "nothing any more".to_owned(),
    };
    format!(
        "record {} is the first that differs: recorded {}; now {}",
        same + 1,
        at(&recorded),
        at(&replayed)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe() -> Recipe {
        Recipe {
            folder: "examples/helicopter".into(),
            board: Some("mps2-an386".to_owned()),
            length: 1_000_000,
            times: Times::Between(730),
            costs: Costs::Random,
            seed: 7,
            plant_seed: u64::MAX,
            outputs: Some(When::Completion),
            until: Some(Ending::Miss),
            unchecked: true,
            picks: vec![0, 2, 1],
            chances: vec!["4@25000".to_owned()],
            faults: vec!["drop:4@25000".to_owned()],
            trace: Print::of(b"a trace"),
        }
    }

    #[test]
    fn a_recipe_survives_its_file() {
        let file = std::env::temp_dir().join(format!("beryl-recipe-{}.run", std::process::id()));
        recipe().keep(&file).expect("written");
        assert_eq!(Recipe::read(&file).expect("read"), recipe());
        fs::write(&file, "{\"folder\": 3}").expect("written");
        let error = Recipe::read(&file).expect_err("no recipe").to_string();
        assert!(
            error.contains("doesn't say how a run was made: invalid type") && error.contains("line 1"),
            "{error}"
        );
        fs::remove_file(&file).expect("removed");
        assert!(Recipe::read(&file).expect_err("gone").to_string().contains("`beryl sim` leaves `sim.run`"));
    }

    #[test]
    fn traces_are_told_apart() {
        assert_ne!(Print::of(b"a trace"), Print::of(b"b trace"));
        assert_ne!(Print::of(b""), Print::of(b"\0"));
    }
}
