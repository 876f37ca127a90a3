//! Tables 1 to 3 and Figures 18 to 22 of the programmable-microkernel paper: the cost of system code for 4 to
//! 100 tasks.

use anyhow::{Context, Result};

use super::{Page, gain, markdown, tenths};
use crate::machine::{
    COMPLETION, Case, E_WORDS, ENTRY, HYPERPERIOD, INSTANT, LENGTHS, Length, PAPER, PREEMPTIONS, ROUNDS,
    S_WORDS, TASKS, WAYS, Way,
};
use crate::plot::{Line, Plot};
use crate::recorded::Recorded;
use crate::row::Figures;

pub fn page(recorded: &Recorded) -> Result<Page> {
    let mut tables = Vec::new();
    for (name, length) in ["table-1", "table-2", "table-3"].into_iter().zip(LENGTHS) {
        tables.push((name, table(recorded, length)?));
    }
    tables.push(("check", checks(recorded)?));
    tables.push(("gain", gain::table(recorded)?));
    let plot = |title, up, value: fn(&Measured<'_>) -> Result<u64>| plot(recorded, title, up, value);
    let plots = vec![
        ("machine-18.svg", plot("System code", "instructions of E and S code", |case| case.words())?),
        ("machine-19.svg", plot("E code", "instructions an alarm, mean", |case| case.mean(INSTANT))?),
        (
            "machine-20.svg",
            plot("Who runs next", "instructions a completion, mean", |case| case.mean(COMPLETION))?,
        ),
        (
            "machine-21.svg",
            plot("System code as a whole", "instructions an entry, mean", |case| case.mean(ENTRY))?,
        ),
        ("machine-22.svg", plot("Utilisation", "percent", |case| Ok((case.utilisation()? + 5) / 10))?),
    ];
    Ok(Page { file: "machine.md", tables, plots })
}

/// A measured case.
struct Measured<'a> {
    recorded: &'a Recorded,
    case: Case,
}

impl Measured<'_> {
    fn figures(&self, bench: &str) -> Result<Figures> {
        Ok(self.recorded.row(bench, &self.case.name())?.figures)
    }

    fn mean(&self, bench: &str) -> Result<u64> {
        Ok((self.figures(bench)?.tenths() + 5) / 10)
    }

    fn words(&self) -> Result<u64> {
        Ok(self.figures(E_WORDS)?.sum + self.figures(S_WORDS)?.sum)
    }

    /// The share of the kernel's and the jobs' instructions, in thousandths.
    fn utilisation(&self) -> Result<u64> {
        let kernel = self.figures(ENTRY)?.sum / ROUNDS;
        Ok((kernel + self.case.jobs() * self.case.job(HYPERPERIOD)) * 1000 / HYPERPERIOD)
    }

    fn cells(&self) -> Result<Vec<String>> {
        let paper = PAPER.row(self.case.tasks, self.case.way, self.case.length);
        let paper = paper.with_context(|| format!("the paper has no {}", self.case.name()))?;
        let entry = self.figures(ENTRY)?;
        let system = paper.system.unwrap_or(["-"; 3]);
        // The scheduler: the kernel's band, or S code.
        let decision = if self.case.way == Way::Bands { paper.parts[2] } else { paper.parts[0] };
        let beside = |own: String, paper: &str| format!("{own} ({paper})");
        let permille = self.utilisation()?;
        Ok(vec![
            format!("{}, {}", self.case.tasks, self.case.way.name()),
            beside(entry.max.to_string(), system[0]),
            beside(entry.min.to_string(), system[1]),
            beside(tenths(entry.tenths()), system[2]),
            beside(format!("0.{permille:03}"), paper.load[0]),
            beside(self.figures(PREEMPTIONS)?.sum.to_string(), paper.load[1]),
            beside(tenths(self.figures(COMPLETION)?.tenths()), decision),
            beside(tenths(self.figures(INSTANT)?.tenths()), paper.parts[1]),
            beside(self.words()?.to_string(), paper.instructions[0]),
            beside(self.figures(S_WORDS)?.sum.to_string(), paper.instructions[1]),
        ])
    }
}

const HEADER: [&str; 10] = [
    "tasks, scheduled by",
    "entry, peak",
    "min",
    "mean",
    "U",
    "P",
    "a completion",
    "an alarm",
    "E + S code",
    "S code",
];

fn table(recorded: &Recorded, length: Length) -> Result<String> {
    let mut rows = Vec::new();
    for tasks in TASKS {
        for way in WAYS {
            rows.push(Measured { recorded, case: Case { tasks, way, length } }.cells()?);
        }
    }
    Ok(markdown(&HEADER.map(str::to_owned), &rows))
}

/// The cost of the checker: all steps, and the longest one.
fn checks(recorded: &Recorded) -> Result<String> {
    let header = ["tasks, scheduled by: part", "steps", "longest step", "all"].map(str::to_owned);
    let rows = recorded.rows().iter().filter_map(|row| {
        let part = row.bench.strip_prefix("machine/check/")?;
        let Figures { n, max, sum, .. } = row.figures;
        Some(vec![format!("{}: {part}", row.case), n.to_string(), max.to_string(), sum.to_string()])
    });
    Ok(markdown(&header, &rows.collect::<Vec<_>>()))
}

/// A line for each scheduler, over the number of tasks, with long jobs.
fn plot(
    recorded: &Recorded,
    title: &str,
    up: &str,
    value: impl Fn(&Measured<'_>) -> Result<u64>,
) -> Result<String> {
    let line = |way: Way| -> Result<Line> {
        let point = |tasks: u64| -> Result<(u64, u64)> {
            let case = Case { tasks, way, length: Length::Long };
            Ok((tasks, value(&Measured { recorded, case })?))
        };
        Ok(Line { name: way.name().to_owned(), points: TASKS.into_iter().map(point).collect::<Result<_>>()? })
    };
    let lines = WAYS.into_iter().map(line).collect::<Result<_>>()?;
    Ok(Plot { title, across: "tasks", up, lines }.svg())
}
