//! Figures 14 and 15: contention for a semaphore with n threads in the band, next to the paper's own methods
//! on its own lists.

use anyhow::{Context, Result};

use super::{Page, markdown};
use crate::contention::{self, Way, with_switches};
use crate::plot::{Line, Plot};
use crate::recorded::Recorded;
use crate::semaphores::{ALONE, NAMES, POLICIES, THREADS, WAYS, case};

pub fn page(recorded: &Recorded) -> Result<Page> {
    Ok(Page {
        file: "semaphores.md",
        tables: vec![("cycle", cycles(recorded)?), ("paper", papers(recorded)?), ("pair", pairs(recorded)?)],
        plots: vec![
            ("semaphores-dynamic.svg", plot(recorded, "Contention in a dynamic band", "dynamic")?),
            ("semaphores-fixed.svg", plot(recorded, "Contention in a fixed band", "fixed")?),
        ],
    })
}

fn most(recorded: &Recorded, way: &str, policy: &str, threads: usize) -> Result<u64> {
    Ok(recorded.row(NAMES[0], &case(way, policy, threads))?.figures.max)
}

/// The semaphore's cost on top of the signal and the wait around it.
fn pair(recorded: &Recorded, way: &str, policy: &str, threads: usize) -> Result<u64> {
    let alone = most(recorded, ALONE, policy, threads)?;
    Ok(most(recorded, way, policy, threads)?.saturating_sub(alone))
}

/// A row of a table: a name, and a value for each number of threads.
fn row<T: ToString>(name: String, value: impl Fn(usize) -> Result<T>) -> Result<Vec<String>> {
    let values = THREADS.iter().map(|threads| Ok(value(*threads)?.to_string()));
    Ok([vec![name], values.collect::<Result<_>>()?].concat())
}

fn table(rows: &[Vec<String>]) -> String {
    let mut header = vec!["band, hand-over".to_owned()];
    header.extend(THREADS.iter().map(|threads| format!("n = {threads}")));
    markdown(&header, rows)
}

fn less(standard: u64, early: u64) -> i128 {
    i128::from(standard) - i128::from(early)
}

/// How much less the first is than the second, in per cent.
fn share(early: u64, standard: u64) -> String {
    format!(
        "{} %",
        (less(standard, early) * 100 + i128::from(standard / 2)).div_euclid(i128::from(standard.max(1)))
    )
}

fn cycles(recorded: &Recorded) -> Result<String> {
    let mut rows = Vec::new();
    for policy in POLICIES {
        for way in WAYS {
            rows.push(row(format!("{policy}, {way}"), |threads| most(recorded, way, policy, threads))?);
        }
        rows.push(row(format!("{policy}, saved by early"), |threads| {
            let [early, standard] = WAYS.map(|way| most(recorded, way, policy, threads));
            Ok(less(standard?, early?))
        })?);
    }
    Ok(table(&rows))
}

/// The paper's methods for a band: the new one, the standard one.
fn ways(policy: &str) -> Result<[&'static Way; 2]> {
    let ways: Vec<_> = contention::WAYS.iter().filter(|way| way.policy == policy).collect();
    ways.try_into()
        .ok()
        .with_context(|| format!("the paper has two ways in each band, and not in a {policy} one"))
}

fn papers(recorded: &Recorded) -> Result<String> {
    let mut rows = Vec::new();
    for policy in POLICIES {
        for way in ways(policy)? {
            let work = |threads: usize| {
                Ok(recorded.row(contention::NAMES[0], &contention::case(way, threads))?.figures.max)
            };
            rows.push(row(format!("{policy}, {}, functions alone", way.name), work)?);
            rows.push(row(format!("{policy}, {}, with calls and switches", way.name), |threads| {
                Ok(with_switches(recorded, way, threads)?[0])
            })?);
        }
    }
    Ok(table(&rows))
}

fn pairs(recorded: &Recorded) -> Result<String> {
    let mut rows = Vec::new();
    for policy in POLICIES {
        let papers = ways(policy)?;
        for way in papers {
            let value = |threads: usize| Ok(with_switches(recorded, way, threads)?[1]);
            rows.push(row(format!("{policy}, {}", way.name), value)?);
        }
        rows.push(row(format!("{policy}, the paper's saves"), |threads| {
            let [new, standard] = papers.map(|way| with_switches(recorded, way, threads));
            Ok(share(new?[1], standard?[1]))
        })?);
        for way in WAYS {
            rows.push(row(format!("{policy}, Beryl {way}"), |threads| pair(recorded, way, policy, threads))?);
        }
        rows.push(row(format!("{policy}, Beryl's saves"), |threads| {
            let [early, standard] = WAYS.map(|way| pair(recorded, way, policy, threads));
            Ok(share(early?, standard?))
        })?);
    }
    Ok(table(&rows))
}

fn plot(recorded: &Recorded, title: &str, policy: &str) -> Result<String> {
    let line = |name: &str, value: &dyn Fn(usize) -> Result<u64>| -> Result<Line> {
        let point = |threads: &usize| Ok((u64::try_from(*threads)?, value(*threads)?));
        Ok(Line { name: name.to_owned(), points: THREADS.iter().map(point).collect::<Result<_>>()? })
    };
    let mut lines = Vec::new();
    for way in WAYS {
        lines.push(line(&format!("Beryl, {way}"), &|threads| most(recorded, way, policy, threads))?);
    }
    for way in ways(policy)? {
        lines.push(line(way.name, &|threads| Ok(with_switches(recorded, way, threads)?[0]))?);
    }
    Ok(Plot { title, across: "threads in the band", up: "instructions a cycle", lines }.svg())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_hundredths_of_the_dearer() {
        assert_eq!([share(72, 100), share(100, 100), share(110, 100)], ["28 %", "0 %", "-10 %"]);
        assert_eq!(share(1, 3), "67 %");
    }

    /// The two claims of the paper's captions, checked against the records.
    #[test]
    fn the_papers_lines_have_the_forms_of_its_figures() -> Result<()> {
        let recorded = Recorded::read()?;
        let growth = |way: &Way| -> Result<u64> {
            let [few, many] = [THREADS[0], THREADS[6]].map(|threads| with_switches(&recorded, way, threads));
            Ok(many?[1] - few?[1])
        };
        let [new, standard] = ways("dynamic")?.map(growth);
        assert_eq!(standard?, 2 * new?, "Figure 14: twice as rapidly");
        let [new, standard] = ways("fixed")?.map(growth);
        assert_eq!(new?, 0, "Figure 15: constant");
        assert!(standard? > 300, "Figure 15: linear");
        Ok(())
    }
}
