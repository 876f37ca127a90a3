//! The tables of buffers whose values are those of zero time.

use anyhow::Result;

use super::{Page, markdown};
use crate::buffers::Read::{Before, Behind, BehindDelayed};
use crate::buffers::{NAMES, READERS, Read, STEPS, case, needs};
use crate::recorded::Recorded;

/// Writers, by what reads from them; periods of readers in tenths of the writer's.
const WRITERS: [(&str, &[Read]); 9] = [
    ("a reader of the same period", &[Behind(10)]),
    ("four of the same period", &[Behind(10); 4]),
    ("eight of the same period", &[Behind(10); 8]),
    ("one of twice the period", &[Behind(20)]),
    ("one of five thirds of it", &[Behind(25)]),
    ("one of ten times the period", &[Behind(100)]),
    ("the same, delayed", &[BehindDelayed(100)]),
    ("two, four, five and ten times", &[Behind(20), Behind(40), Behind(50), Behind(100)]),
    ("a faster one before it", &[Before(5)]),
];

/// Bytes of a value in the table.
const VALUES: [usize; 2] = [4, 64];

pub fn page(recorded: &Recorded) -> Result<Page> {
    let tables = vec![("buffers", buffers()?), ("steps", steps(recorded)?)];
    Ok(Page { file: "buffers.md", tables, plots: Vec::new() })
}

fn buffers() -> Result<String> {
    let mut header: Vec<String> = ["read by", "DBP", "TCCP", "logical"].map(|name| name.to_owned()).into();
    for value in VALUES {
        header.extend(["DBP", "TCCP", "logical"].map(|name| format!("bytes of {name}, values of {value}")));
    }
    let row = |(name, readers): &(&str, &[Read])| -> Result<Vec<String>> {
        let needs = needs(readers)?;
        let mut cells = vec![needs.dynamic, needs.circular, needs.logical];
        for value in VALUES {
            cells.extend([
                needs.dynamic_bytes(value),
                needs.circular_bytes(value),
                needs.logical_bytes(value),
            ]);
        }
        Ok(std::iter::once((*name).to_owned()).chain(cells.iter().map(usize::to_string)).collect())
    };
    Ok(markdown(&header, &WRITERS.iter().map(row).collect::<Result<Vec<_>>>()?))
}

/// The least and the most that a step takes.
fn steps(recorded: &Recorded) -> Result<String> {
    let header = std::iter::once("step".to_owned());
    let header: Vec<_> = header.chain(READERS.map(|readers| format!("readers: {readers}"))).collect();
    let row = |step: &&str| -> Result<Vec<String>> {
        let cell = |readers: u32| -> Result<String> {
            let figures = recorded.row(NAMES[0], &case(step, readers))?.figures;
            Ok(format!("{} to {}", figures.min, figures.max))
        };
        std::iter::once(Ok((*step).to_owned())).chain(READERS.map(cell)).collect()
    };
    Ok(markdown(&header, &STEPS.iter().map(row).collect::<Result<Vec<_>>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_takes_as_long_whatever_the_number_of_readers() -> Result<()> {
        let recorded = Recorded::read()?;
        for step in STEPS {
            let most =
                |readers| -> Result<u64> { Ok(recorded.row(NAMES[0], &case(step, readers))?.figures.max) };
            let most = READERS.map(most).into_iter().collect::<Result<Vec<_>>>()?;
            assert!(most.windows(2).all(|pair| pair[0] == pair[1]), "{step}: {most:?}");
        }
        Ok(())
    }
}
