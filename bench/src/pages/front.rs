//! The table in the project's `README.md`, the first rows with those of other kernels; and that of the
//! chapter on costs.

use anyhow::Result;

use super::{Page, markdown, peers};
use crate::aims::aim;
use crate::jobs::case;
use crate::recorded::Recorded;

/// A line: its name, and the rows whose largest values it shows, each with bench and case, or no case if the
/// bench has only one.
type Line<'a> = (&'a str, &'a [(&'a str, &'a str)]);

pub fn page(recorded: &Recorded) -> Result<Page> {
    let tables = vec![("peers", peers::first(recorded)?)];
    Ok(Page { file: "../../README.md", tables, plots: Vec::new() })
}

pub fn costs(recorded: &Recorded) -> Result<Page> {
    let job = [("job/one/15", case("fixed")), ("job/one/15", case("dynamic"))];
    let job = job.each_ref().map(|(bench, case)| (*bench, case.as_str()));
    let lines: [Line<'_>; 13] = [
        ("a system call that does nothing, from caller to caller", &[("null-call", "")]),
        ("ceiling lock, enter and leave", &[("ceiling-lock/pair", "")]),
        (
            "semaphore, take and give back: in one process; across two",
            &[("semaphore/pair", ""), ("semaphore/pair-across", "")],
        ),
        (
            "state message of 8 bytes: write; read",
            &[("state-message/write-8", ""), ("state-message/read-8", "")],
        ),
        ("mailbox, send and receive 8 bytes", &[("mailbox/pair-8", "")]),
        (
            "yield: to a thread of the same process; of another",
            &[("yield/same-process", ""), ("yield/two-processes", "")],
        ),
        ("endpoint, there and back, 8 bytes each way", &[("endpoint/round-trip", "two processes")]),
        ("interrupt until its thread runs", &[("interrupt/to-thread", "")]),
        ("a periodic job among 15 threads: by priority; by deadline", &job),
        ("from the alarm's instant to the first instruction of a task's job", &[("release/to-task", "")]),
        (
            "longest kernel step of the helicopter: bound from its binary; seen",
            &[("kernel/step", "static bound, helicopter"), ("kernel/step", "observed, helicopter")],
        ),
        ("kernel code, constants and vectors, without tables", &[("size/kernel-text", "")]),
        ("kernel data for each thread, without its own stack", &[("size/data-per-thread", "")]),
    ];
    let rows = lines.iter().map(|line| cells(recorded, line)).collect::<Result<Vec<_>>>()?;
    let header = ["", "measured", "aim"].map(str::to_owned);
    Ok(Page { file: "../08-costs.md", tables: vec![("costs", markdown(&header, &rows))], plots: Vec::new() })
}

fn cells(recorded: &Recorded, (name, which): &Line<'_>) -> Result<Vec<String>> {
    let (mut values, mut aims, mut unit) = (Vec::new(), Vec::new(), "");
    for (bench, case) in *which {
        let row = match *case {
            "" => recorded.only(bench)?,
            case => recorded.row(bench, case)?,
        };
        values.push(row.figures.max.to_string());
        aims.extend(aim(row, recorded.rows()).map(|aim| aim.most.to_string()));
        unit = row.unit.name();
    }
    Ok(vec![(*name).to_owned(), format!("{} {unit}", values.join("; ")), aims.join("; ")])
}
