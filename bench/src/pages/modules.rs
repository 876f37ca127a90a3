//! The table and the picture of what modules cost.

use anyhow::Result;

use super::{Page, markdown};
use crate::modules::{CYCLE, LONGEST, MOST, SET, on_one, on_two};
use crate::plot::{Line, Plot};
use crate::recorded::Recorded;

pub fn page(recorded: &Recorded) -> Result<Page> {
    Ok(Page {
        file: "modules.md",
        tables: vec![("modules", table(recorded)?)],
        plots: vec![("modules.svg", picture(recorded)?)],
    })
}

fn most(recorded: &Recorded, bench: &str, case: &str) -> Result<u64> {
    Ok(recorded.row(bench, case)?.figures.max)
}

/// Numbers of modules of which a third may be elsewhere.
fn whole_sets() -> impl Iterator<Item = u64> {
    (1..=MOST).filter(|modules| modules.is_multiple_of(SET))
}

fn table(recorded: &Recorded) -> Result<String> {
    let mut rows = Vec::new();
    for modules in 1..=MOST {
        let mut row = vec![modules.to_string()];
        for bench in [CYCLE, LONGEST] {
            row.push(most(recorded, bench, &on_one(modules))?.to_string());
        }
        for bench in [CYCLE, LONGEST] {
            row.push(match modules.is_multiple_of(SET) {
                true => most(recorded, bench, &on_two(modules))?.to_string(),
                false => String::new(),
            });
        }
        rows.push(row);
    }
    let header = ["modules", "in a cycle", "longest entry", "in a cycle, a third elsewhere", "longest entry"];
    Ok(markdown(&header.map(str::to_owned), &rows))
}

fn picture(recorded: &Recorded) -> Result<String> {
    let points = |numbers: &mut dyn Iterator<Item = u64>, case: fn(u64) -> String| {
        numbers
            .map(|modules| Ok((modules, most(recorded, CYCLE, &case(modules))?)))
            .collect::<Result<Vec<_>>>()
    };
    let lines = vec![
        Line { name: "one node".to_owned(), points: points(&mut (1..=MOST), on_one)? },
        Line { name: "first of two nodes".to_owned(), points: points(&mut whole_sets(), on_two)? },
    ];
    let title = "The kernel in a cycle of 10 ms";
    Ok(Plot { title, across: "modules", up: "instructions", lines }.svg())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policing::slope;

    /// Each more module takes as much as any other, and what is elsewhere is less here.
    #[test]
    fn what_modules_cost_is_on_a_line() -> Result<()> {
        let recorded = Recorded::read()?;
        let points = (1..=MOST).map(|modules| Ok((modules, most(&recorded, CYCLE, &on_one(modules))?)));
        let points = points.collect::<Result<Vec<_>>>()?;
        let (tenths, beside) = slope(&points)?;
        let last = points.last().map_or(0, |(_, instructions)| *instructions);
        assert!(beside * 20 < last, "{beside} of {last} beside a line of {tenths} tenths a module");
        for modules in whole_sets() {
            let [one, two] = [on_one(modules), on_two(modules)].map(|case| most(&recorded, CYCLE, &case));
            assert!(two? < one?, "{modules}");
        }
        Ok(())
    }
}
