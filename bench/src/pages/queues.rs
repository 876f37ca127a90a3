//! Table 3: the cost of ready queues with n tasks.

use anyhow::Result;

use super::{Page, markdown, tenths};
use crate::plot::{Line, Plot};
use crate::queues::{ALL, NAMES, RANDOM, STRUCTURES, TASKS, case};
use crate::recorded::Recorded;

/// The numbers of tasks in the tables; the plots have all.
const SHOWN: [u32; 7] = [5, 10, 15, 30, 50, 70, 100];

pub fn page(recorded: &Recorded) -> Result<Page> {
    let plot = |title, value: fn(&Recorded, &str, u32) -> Result<u64>| -> Result<String> {
        let line = |structure: &&str| -> Result<Line> {
            let point = |tasks: &u32| Ok((u64::from(*tasks), value(recorded, structure, *tasks)?));
            let points = TASKS.iter().map(point).collect::<Result<_>>()?;
            Ok(Line { name: (*structure).to_owned(), points })
        };
        let lines = STRUCTURES.iter().map(line).collect::<Result<_>>()?;
        let up = "instructions for block + unblock + 2 select";
        Ok(Plot { title, across: "tasks", up, lines }.svg())
    };
    Ok(Page {
        file: "queues.md",
        tables: vec![
            (
                "worst",
                table(recorded, |recorded, structure, operation, tasks| {
                    Ok(recorded.row(operation, &case(structure, tasks, ALL))?.figures.max.to_string())
                })?,
            ),
            (
                "mean",
                table(recorded, |recorded, structure, operation, tasks| {
                    Ok(tenths(recorded.row(operation, &case(structure, tasks, RANDOM))?.figures.tenths()))
                })?,
            ),
        ],
        plots: vec![
            ("queues-worst.svg", plot("Ready queues, worst case", worst)?),
            ("queues-mean.svg", plot("Ready queues, mean of random operations", mean)?),
        ],
    })
}

type Cell = fn(&Recorded, &str, &str, u32) -> Result<String>;

fn table(recorded: &Recorded, cell: Cell) -> Result<String> {
    let mut header = vec!["structure, operation".to_owned()];
    header.extend(SHOWN.iter().map(|tasks| format!("n = {tasks}")));
    let mut rows = Vec::new();
    for structure in STRUCTURES {
        for operation in NAMES {
            let mut row = vec![format!("{structure}, {}", operation.trim_start_matches("queue/"))];
            for tasks in SHOWN {
                row.push(cell(recorded, structure, operation, tasks)?);
            }
            rows.push(row);
        }
    }
    Ok(markdown(&header, &rows))
}

/// The least cost of a job: it becomes ready once and blocks once, each time with a selection.
fn worst(recorded: &Recorded, structure: &str, tasks: u32) -> Result<u64> {
    let [block, unblock, select] =
        operations(|operation| Ok(recorded.row(operation, &case(structure, tasks, ALL))?.figures.max))?;
    Ok(block + unblock + 2 * select)
}

/// The same with means.
fn mean(recorded: &Recorded, structure: &str, tasks: u32) -> Result<u64> {
    let [block, unblock, select] = operations(|operation| {
        Ok(recorded.row(operation, &case(structure, tasks, RANDOM))?.figures.tenths())
    })?;
    Ok((block + unblock + 2 * select + 5) / 10)
}

fn operations(value: impl Fn(&str) -> Result<u64>) -> Result<[u64; 3]> {
    Ok([value(NAMES[0])?, value(NAMES[1])?, value(NAMES[2])?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dispatch_tables_win_nowhere() -> Result<()> {
        let recorded = Recorded::read()?;
        for tasks in TASKS {
            for worth in [worst, mean] {
                let of = |structure| worth(&recorded, structure, tasks);
                let (tables, ring) = (of("dispatch-tables")?, of("ring-by-deadline")?);
                assert!(ring < tables, "{tasks} tasks: {ring} by a ring, {tables} by tables");
            }
        }
        Ok(())
    }
}
