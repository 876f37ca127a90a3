//! Known results that must come out right before any other is believed.

use anyhow::{Context, Result, ensure};

#[cfg(test)]
use crate::console::TICK;
use crate::console::{Console, READING};
use crate::row::Figures;

/// Cases with known results, including the reading of the timer.
const KNOWN: [(&str, u64); 3] = [
    ("calibration/nothing", READING),
    ("calibration/100-nops", READING + 100),
    // One move, then a subtraction and a branch in each of 1000 rounds.
    ("calibration/1000-rounds", READING + 2001),
];

/// Checks that the board counts instructions exactly.
///
/// # Errors
/// If a case is missing or its result isn't the known one.
pub fn check(console: &Console) -> Result<()> {
    for (case, expected) in KNOWN {
        let samples = console.samples(case)?;
        let counts = samples.iter().map(|sample| sample.with_reading()).collect::<Result<Vec<_>>>()?;
        let figures = Figures::of(&counts).with_context(|| format!("{case}: the board has no samples"))?;
        ensure!(
            figures.min == expected && figures.max == expected,
            "{case}: {} to {} instructions, where {expected} are executed; nothing here can be believed",
            figures.min,
            figures.max
        );
    }
    Ok(())
}

/// The calibration in words.
pub fn words() -> String {
    let cases = KNOWN.map(|(case, expected)| {
        format!("{} = {}", case.trim_start_matches("calibration/"), expected - READING)
    });
    format!(
        "calibration, exact in all samples: {} (reading the timer: {READING}, subtracted)",
        cases.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A console with three samples per case, in instructions including the reading.
    fn console(cases: &[(&str, [u64; 3])]) -> Console {
        let mut text = String::new();
        for (case, counts) in cases {
            for count in counts {
                text += &format!("sample calibration/{case} 512 {}\n", 512 + count * 128 / 5);
            }
        }
        Console::parse(&(text + "end\n"), TICK).expect("samples")
    }

    #[test]
    fn only_exact_counts_are_believed() {
        let nothing = ("nothing", [3; 3]);
        let rounds = ("1000-rounds", [2004; 3]);
        let with = |nops| console(&[nothing, ("100-nops", nops), rounds]);
        assert!(check(&with([103; 3])).is_ok());
        for wrong in [[102; 3], [104; 3], [0; 3], [103, 104, 103]] {
            let error = check(&with(wrong)).expect_err("it is off").to_string();
            assert!(error.contains("100-nops"), "{error}");
        }
        assert!(check(&console(&[nothing, rounds])).is_err(), "a case is missing");
        assert!(check(&Console::default()).is_err());
    }
}
