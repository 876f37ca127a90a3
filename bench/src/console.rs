//! The board's output: pairs of timer values, and counts of instructions, by case.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};

/// The instructions of one timer reading.
pub const READING: u64 = 3;

/// The tick of the board that everything is measured on, in nanoseconds: 25.6 of them are an instruction of 1024 ns.
pub const TICK: u64 = 40;

/// The timer's ticks before and after the measured code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Before.
    pub before: u64,
    /// After.
    pub after: u64,
}

/// The output of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Console {
    tick: u64,
    samples: BTreeMap<String, Vec<Sample>>,
    tallies: BTreeMap<String, Vec<u64>>,
}

impl Console {
    /// Parses the lines of a console, up to `end`: `sample <case> <before> <after>` and `tally <case>
    /// <instructions>x<samples> ..`. Empty lines are ignored. What a board with another `tick` has read, in nanoseconds, is
    /// converted to ticks of [`TICK`].
    ///
    /// # Errors
    /// If there is any other line, or no end.
    pub fn parse(text: &str, tick: u64) -> Result<Console> {
        let mut console = Console { tick, ..Console::default() };
        for line in text.lines().filter(|line| !line.is_empty()) {
            if line == "end" {
                return Ok(console);
            }
            console.read(line).with_context(|| format!("the board said `{line}`"))?;
        }
        bail!("the board didn't come to the end of its measurements; the run is too short for them")
    }

    fn read(&mut self, line: &str) -> Result<()> {
        let words: Vec<_> = line.split(' ').collect();
        match words.as_slice() {
            ["sample", case, before, after] => {
                let [before, after] = [before, after].map(|reading| self.ticks(reading));
                let sample = Sample { before: before?, after: after? };
                self.samples.entry((*case).to_owned()).or_default().push(sample);
            }
            ["tally", case, counts @ ..] => {
                let tally = self.tallies.entry((*case).to_owned()).or_default();
                for count in counts {
                    let (instructions, samples) = count.split_once('x').context("a count without `x`")?;
                    tally.extend(std::iter::repeat_n(instructions.parse::<u64>()?, samples.parse()?));
                }
            }
            _ => bail!("it is neither a sample nor a tally"),
        }
        Ok(())
    }

    /// A reading of the board's clock in ticks of [`TICK`].
    fn ticks(&self, reading: &str) -> Result<u64> {
        let ticks = reading.parse::<u64>()?.checked_mul(self.tick).context("the board's timer is off")?;
        Ok(ticks / TICK)
    }

    /// The samples of a case, in output order.
    ///
    /// # Errors
    /// If there are none.
    pub fn samples(&self, case: &str) -> Result<&[Sample]> {
        let samples = self.samples.get(case).with_context(|| format!("{case}: the board has no samples"))?;
        Ok(samples)
    }

    /// The instructions in a case's tally, each as often as it was counted.
    ///
    /// # Errors
    /// If there are none.
    pub fn tally(&self, case: &str) -> Result<&[u64]> {
        let tally = self.tallies.get(case).with_context(|| format!("{case}: the board has no tally"))?;
        Ok(tally)
    }
}

impl Sample {
    /// The instructions between the readings, including one reading; each takes 25.6 ticks.
    ///
    /// # Errors
    /// If the second reading is the earlier one.
    pub fn with_reading(self) -> Result<u64> {
        let ticks = self.after.checked_sub(self.before).context("the board's timer went back")?;
        let scaled = ticks.checked_mul(10).context("the board's timer is off")?;
        Ok((scaled + 128) / 256)
    }

    /// The instructions of the measured code.
    ///
    /// # Errors
    /// As [`Sample::with_reading`], and if a sample is shorter than a reading.
    pub fn instructions(self) -> Result<u64> {
        self.with_reading()?.checked_sub(READING).context("a sample is shorter than reading the timer")
    }
}

/// The time from one thread to another: each reading before, in `from`, with the next reading after, in `to`.
///
/// # Errors
/// If a reading in `from` has no partner before the next one.
pub fn handed(from: &[Sample], to: &[Sample]) -> Result<Vec<Sample>> {
    let mut afters: Vec<_> = to.iter().map(|sample| sample.after).collect();
    afters.sort_unstable();
    let mut befores: Vec<_> = from.iter().map(|sample| sample.before).collect();
    befores.sort_unstable();
    let next = |before: u64| afters.iter().copied().find(|after| *after > before);
    let ends = befores.iter().skip(1).copied().chain([u64::MAX]);
    befores
        .iter()
        .zip(ends)
        .map(|(before, end)| {
            let after = next(*before).filter(|after| *after < end);
            Ok(Sample { before: *before, after: after.context("a thread was told and didn't run")? })
        })
        .collect()
}

/// The time between threads that take turns: each reading before a call with the next reading in time, which
/// another thread made after an earlier call of its own.
///
/// # Errors
/// If two readings have the same time.
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
    fn lines_become_samples_and_tallies_by_case() {
        let text = "sample a 1 2\nsample b 3 4\n\ntally c 7x2 9x1\nsample a 5 6\ntally c 8x1\nend\nanything";
        let console = Console::parse(text, TICK).expect("right");
        assert_eq!(console.samples("a").expect("two"), [sample(1, 2), sample(5, 6)]);
        assert_eq!(console.samples("b").expect("one"), [sample(3, 4)]);
        assert_eq!(console.tally("c").expect("four"), [7, 7, 9, 8]);
        assert!(console.samples("c").is_err() && console.tally("a").is_err());
    }

    #[test]
    fn readings_of_another_clock_are_converted() {
        // 100 instructions and a reading, as boards with ticks of 50 and 100 ns see them.
        for (tick, ticks) in [(TICK, 2637), (50, 2110), (100, 1055)] {
            let text = format!("sample a 7 {}\nend", 7 + ticks);
            let console = Console::parse(&text, tick).expect("right");
            let samples = console.samples("a").expect("one");
            assert_eq!(samples[0].instructions().expect("forwards"), 100, "{tick}");
        }
        assert!(Console::parse("sample a 1 18446744073709551615\nend", TICK).is_err());
    }

    #[test]
    fn what_is_no_sample_is_refused() {
        let wrong = [
            "",
            "sample a 1 2",
            "sample a 1\nend",
            "sample a 1 x\nend",
            "hello\nend",
            "sample a 1 -2\nend",
            "tally a 5\nend",
            "tally a 5x\nend",
            "tally a x5\nend",
            "tally\nend",
        ];
        for console in wrong {
            assert!(Console::parse(console, TICK).is_err(), "{console:?}");
        }
    }

    #[test]
    fn ticks_become_instructions() {
        let instructions = |ticks: u64| sample(1000, 1000 + ticks).with_reading().expect("forwards");
        assert_eq!([0, 25, 26, 51, 76, 77, 2560].map(instructions), [0, 1, 1, 2, 3, 3, 100]);
        assert_eq!(sample(0, 2560).instructions().expect("forwards"), 97);
        assert!(sample(0, 51).instructions().is_err(), "shorter than a reading");
        assert!(sample(2, 1).instructions().is_err());
        assert!(sample(0, u64::MAX).instructions().is_err());
    }

    #[test]
    fn threads_that_take_turns_are_put_in_order() {
        // One thread calls at 10, 30, 50; the other, which begins in between, at 20 and 40.
        let own = [sample(10, 22), sample(20, 33), sample(30, 44), sample(40, 55)];
        assert_eq!(across(&own).expect("no two at once"), [sample(20, 22), sample(30, 33), sample(40, 44)]);
        assert!(across(&[sample(1, 2), sample(2, 3)]).is_err());
    }

    #[test]
    fn what_one_thread_hands_to_another_is_paired_in_time() {
        // One thread wakes the other at 10 and 50; the other, which waits at 5, 45 and 85, runs at 14 and 55.
        let (from, to) = ([sample(10, 30), sample(50, 70)], [sample(5, 14), sample(45, 55)]);
        assert_eq!(handed(&from, &to).expect("in turn"), [sample(10, 14), sample(50, 55)]);
        assert!(handed(&from, &to[..1]).is_err(), "the second isn't answered");
        assert!(handed(&from, &to[1..]).is_err(), "the first isn't answered before the second");
    }
}
