//! What the board printed: pairs of the timer's ticks, and the instructions between them.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};

/// Ticks before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Before.
    pub before: u64,
    /// After.
    pub after: u64,
}

/// All samples by their case.
pub type Samples = BTreeMap<String, Vec<Sample>>;

/// Reads the lines `sample <case> <before> <after>` of a console, up to `end`.
///
/// # Errors
/// A line that is something else, or no end.
pub fn parse(console: &str) -> Result<Samples> {
    let mut samples = Samples::new();
    for line in console.lines() {
        if line == "end" {
            return Ok(samples);
        }
        let words: Vec<_> = line.split(' ').collect();
        let ["sample", case, before, after] = words.as_slice() else { bail!("the board said `{line}`") };
        let ticks = |word: &str| word.parse().with_context(|| format!("the board said `{line}`"));
        let sample = Sample { before: ticks(before)?, after: ticks(after)? };
        samples.entry((*case).to_owned()).or_default().push(sample);
    }
    bail!("the board didn't come to the end of its measurements; the run is too short for them")
}

impl Sample {
    /// The instructions between the readings; one takes 25.6 ticks.
    ///
    /// # Errors
    /// The second reading is the earlier one.
    pub fn instructions(self) -> Result<u64> {
        let ticks = self.after.checked_sub(self.before).context("the board's timer went back")?;
        let scaled = ticks.checked_mul(10).context("the board's timer is off")?;
        Ok((scaled + 128) / 256)
    }
}

/// What lies between threads that take turns: each reading before a call with the reading that follows it
/// in time, which another thread made behind an earlier call of its own.
///
/// # Errors
/// Two readings at the same time.
pub fn across(samples: &[Sample]) -> Result<Vec<Sample>> {
    let befores = samples.iter().map(|sample| (sample.before, true));
    let afters = samples.iter().map(|sample| (sample.after, false));
    let mut readings: Vec<_> = befores.chain(afters).collect();
    readings.sort_unstable();
    let mut pairs = Vec::new();
    for pair in readings.windows(2) {
        let [(before, first), (after, second)] = pair else { continue };
        ensure!(before != after, "two threads read the timer at once");
        if *first && !*second {
            pairs.push(Sample { before: *before, after: *after });
        }
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn sample(before: u64, after: u64) -> Sample {
        Sample { before, after }
    }

    #[test]
    fn lines_become_samples_by_case() {
        let samples = parse("sample a 1 2\nsample b 3 4\nsample a 5 6\nend\nanything").expect("right");
        assert_eq!(samples["a"], [sample(1, 2), sample(5, 6)]);
        assert_eq!(samples["b"], [sample(3, 4)]);
        assert_eq!(samples.len(), 2);
    }

    #[test]
    fn what_is_no_sample_is_refused() {
        for console in
            ["", "sample a 1 2", "sample a 1\nend", "sample a 1 x\nend", "hello\nend", "sample a 1 -2\nend"]
        {
            assert!(parse(console).is_err(), "{console:?}");
        }
    }

    #[test]
    fn ticks_become_instructions() {
        let instructions = |ticks: u64| sample(1000, 1000 + ticks).instructions().expect("forwards");
        assert_eq!([0, 25, 26, 51, 76, 77, 2560].map(instructions), [0, 1, 1, 2, 3, 3, 100]);
        assert!(sample(2, 1).instructions().is_err());
        assert!(sample(0, u64::MAX).instructions().is_err());
    }

    #[test]
    fn threads_that_take_turns_are_put_in_order() {
        // One calls at 10, 30, 50; the other, which begins in between, at 20 and 40.
        let own = [sample(10, 22), sample(20, 33), sample(30, 44), sample(40, 55)];
        assert_eq!(across(&own).expect("no two at once"), [sample(20, 22), sample(30, 33), sample(40, 44)]);
        assert!(across(&[sample(1, 2), sample(2, 3)]).is_err());
    }
}
