//! Where S code leaves more of the processor: the measured system code of a band and of S code, beside a band whose queue
//! is the list that the programmable microkernel's paper schedules by.

use anyhow::{Context, Result};

use super::markdown;
use crate::machine::{Case, ENTRY, HYPERPERIOD, Length, ROUNDS, Way};
use crate::queues::{NAMES, RANDOM, case};
use crate::recorded::Recorded;

/// Numbers of tasks for which both the machine and the queues are measured.
pub const TASKS: [u32; 3] = [10, 50, 100];

/// How much slower the second board is: each instruction takes 32 ns instead of 4.
const SLOWER: u64 = 8;

/// Who says which task is next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chooser {
    /// A band of the kernel: a ring in the order of deadlines.
    Band,
    /// The same with a list of all tasks, which is searched.
    List,
    /// S code.
    Code,
}

impl Chooser {
    const ALL: [Chooser; 3] = [Chooser::Band, Chooser::List, Chooser::Code];

    fn name(self) -> &'static str {
        match self {
            Chooser::Band => "EDF band",
            Chooser::List => "EDF band with a list (computed)",
            Chooser::Code => "EDF S code",
        }
    }

    /// Instructions of system code in a hyperperiod, with long jobs.
    ///
    /// # Errors
    /// If something isn't recorded.
    pub fn system_code(self, recorded: &Recorded, tasks: u32) -> Result<u64> {
        let of = |way| -> Case { Case { tasks: u64::from(tasks), way, length: Length::Long } };
        let measured =
            |way| -> Result<u64> { Ok(recorded.row(ENTRY, &of(way).name())?.figures.sum / ROUNDS) };
        match self {
            Chooser::Band => measured(Way::Bands),
            Chooser::Code => measured(Way::Preemptive),
            Chooser::List => {
                let (list, ring) =
                    (worth(recorded, "unsorted-list", tasks)?, worth(recorded, "ring-by-deadline", tasks)?);
                let longer = list.checked_sub(ring).context("the list is cheaper than the ring")?;
                Ok(measured(Way::Bands)? + of(Way::Bands).jobs() * longer / 10)
            }
        }
    }
}

/// What a job is worth in a queue: it becomes ready once and blocks once, each time with a selection. In tenths of
/// instructions, the mean of random steps.
fn worth(recorded: &Recorded, structure: &str, tasks: u32) -> Result<u64> {
    let of = |operation: &str| -> Result<u64> {
        Ok(recorded.row(operation, &case(structure, tasks, RANDOM))?.figures.tenths())
    };
    let [block, unblock, select] = NAMES.map(of);
    Ok(block? + unblock? + 2 * select?)
}

/// The table of the page.
///
/// # Errors
/// If something isn't recorded.
pub fn table(recorded: &Recorded) -> Result<String> {
    let header =
        ["tasks, who says what is next", "instructions in 60 ms", "of 250 million/s", "of 31.25 million/s"];
    let mut rows = Vec::new();
    for tasks in TASKS {
        for chooser in Chooser::ALL {
            let instructions = chooser.system_code(recorded, tasks)?;
            let permille = |of: u64| instructions * 1000 * of / HYPERPERIOD;
            rows.push(vec![
                format!("{tasks}, {}", chooser.name()),
                instructions.to_string(),
                format!("0.{:03}", permille(1)),
                format!("0.{:03}", permille(SLOWER)),
            ]);
        }
    }
    Ok(markdown(&header.map(str::to_owned), &rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_code_leaves_more_than_a_list_and_the_more_the_more_tasks_there_are() -> Result<()> {
        let recorded = Recorded::read()?;
        let mut before = 0;
        for tasks in TASKS {
            let of = |chooser: Chooser| chooser.system_code(&recorded, tasks);
            let (list, code) = (of(Chooser::List)?, of(Chooser::Code)?);
            let gain = list.saturating_sub(code);
            assert!(gain >= before, "{tasks} tasks: {gain} instructions, and {before} with fewer");
            before = gain;
        }
        // The paper has 0.786 against 0.517.
        let permille = before * SLOWER * 1000 / HYPERPERIOD;
        assert!((250..300).contains(&permille), "{permille} thousandths of the slower processor");
        Ok(())
    }

    /// A band and S code differ by less than a thousandth of the processor, with few tasks and many.
    #[test]
    fn a_ring_leaves_as_much_as_system_code() -> Result<()> {
        let recorded = Recorded::read()?;
        for tasks in TASKS {
            let of = |chooser: Chooser| chooser.system_code(&recorded, tasks);
            let apart = of(Chooser::Band)?.abs_diff(of(Chooser::Code)?);
            assert!(apart * 1000 < HYPERPERIOD, "{tasks} tasks: {apart} instructions");
        }
        Ok(())
    }
}
