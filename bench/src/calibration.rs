//! What must come out before anything else is believed.

use anyhow::{Context, Result, ensure};

use crate::row::Figures;
use crate::sample::Samples;

/// Instructions of a reading of the timer.
pub const READING: u64 = 3;

/// Cases with known results, the reading included.
const KNOWN: [(&str, u64); 3] = [
    ("calibration/nothing", READING),
    ("calibration/100-nops", READING + 100),
    // One move, then a subtraction and a branch in each of 1000 rounds.
    ("calibration/1000-rounds", READING + 2001),
];

/// Checks that the board counts instructions exactly.
///
/// # Errors
/// A case that is missing or has any other result than the known one.
pub fn check(samples: &Samples) -> Result<()> {
    for (case, expected) in KNOWN {
        let values = samples.get(case).with_context(|| format!("{case}: the board has no samples"))?;
        let counts = values.iter().map(|sample| sample.instructions()).collect::<Result<Vec<_>>>()?;
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
    use crate::sample::Sample;

    fn samples(nops: u64) -> Samples {
        let of = |instructions: u64| vec![Sample { before: 512, after: 512 + instructions * 128 / 5 }; 3];
        let cases = [("nothing", 3), ("100-nops", nops), ("1000-rounds", 2004)];
        cases.map(|(case, count)| (format!("calibration/{case}"), of(count))).into_iter().collect()
    }

    #[test]
    fn only_exact_counts_are_believed() {
        assert!(check(&samples(103)).is_ok());
        for wrong in [102, 104, 0] {
            let error = check(&samples(wrong)).expect_err("it is off").to_string();
            assert!(error.contains("100-nops"), "{error}");
        }
        let mut one_is_off = samples(103);
        one_is_off.entry("calibration/nothing".to_owned()).or_default()[1].after += 26;
        assert!(check(&one_is_off).is_err());
        let mut missing = samples(103);
        missing.remove("calibration/1000-rounds");
        assert!(check(&missing).is_err());
        assert!(check(&Samples::new()).is_err());
    }
}
