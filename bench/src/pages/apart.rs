//! A kernel with a core of its own, beside the ordinary one: jobs, and calls.

use anyhow::Result;

use super::{Page, markdown};
use crate::apart::{BESIDE, CALL, CASES, ENTRIES, JOB, SWITCHES, WITHOUT_WAITING};
use crate::recorded::Recorded;

pub fn page(recorded: &Recorded) -> Result<Page> {
    let tables = vec![("jobs", jobs(recorded)?), ("calls", calls(recorded)?)];
    Ok(Page { file: "apart.md", tables, plots: Vec::new() })
}

fn jobs(recorded: &Recorded) -> Result<String> {
    let mut rows = Vec::new();
    for case in CASES {
        let [job, entries, beside] =
            [JOB, ENTRIES, BESIDE].map(|bench| recorded.row(bench, case).map(|row| row.figures));
        let (job, entries, beside) = (job?, entries?, beside?);
        let figures = [job.min, job.max, job.max - job.min, entries.max, beside.max];
        rows.push(
            [vec![case.to_owned(), job.n.to_string()], figures.map(|figure| figure.to_string()).to_vec()]
                .concat(),
        );
    }
    let header = [
        "the kernel is on",
        "jobs",
        "least",
        "most",
        "variation",
        "most entries of the kernel",
        "most that the kernel's core does meanwhile",
    ];
    Ok(markdown(&header.map(str::to_owned), &rows))
}

fn calls(recorded: &Recorded) -> Result<String> {
    let [same, other] = CASES;
    let mut rows = Vec::new();
    for (bench, what) in [(CALL, "a call that lets its caller go on"), (SWITCHES, "two calls that switch")] {
        let most = |case: &str| Ok::<_, anyhow::Error>(recorded.row(bench, case)?.figures.max.to_string());
        rows.push(vec![what.to_owned(), most(same)?, most(WITHOUT_WAITING)?, most(other)?]);
    }
    let header = ["", "same core", "other core, without waiting", "other core, until the answer"];
    Ok(markdown(&header.map(str::to_owned), &rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's result, to the instruction: what the kernel does on its core takes nothing from a job.
    #[test]
    fn no_job_varies_whose_kernel_is_on_another_core() -> Result<()> {
        let recorded = Recorded::read()?;
        let [same, other] = CASES;
        let job = |case| Ok::<_, anyhow::Error>(recorded.row(JOB, case)?.figures);
        let (same, other) = (job(same)?, job(other)?);
        assert!(same.min < same.max, "there it varies");
        assert_eq!((other.min, other.max), (same.min, same.min));
        assert_eq!(recorded.row(ENTRIES, CASES[1])?.figures.max, 0);
        assert!(recorded.row(BESIDE, CASES[1])?.figures.max > 0, "the kernel's core was at work");
        Ok(())
    }
}
