//! Critical sections next to the paper's, and what locks add to calls (OSPERT 2014, Tables II and III).

use anyhow::Result;

use super::{Page, markdown, tenths};
use crate::recorded::Recorded;
use crate::sections::{CALLS, OTHERS, SHAPES, nobody, told};

/// How much of a section by calls the paper's protocol with the next thread's priority saves, in tenths of a
/// per cent, on its first board: without any thread told to run, and with each of [`OTHERS`] at each point.
const SAVED: [&[u64]; 2] =
    [&[727, 367, 367, 140, 17, 149, 149], &[754, 525, 525, 525, 299, 199, 199, 288, 288, 288]];

/// What it adds to calls there, in tenths of a per cent: a call that does nothing, one that leaves the
/// processor to its thread, telling a less urgent thread, and a more urgent one.
const ADDED: [u64; 4] = [0, 91, 58, 78];

/// What each of the [`CALLS`] does.
const DONE: [&str; 4] = [
    "a call that does nothing",
    "giving up the processor, with nobody to take it",
    "telling a less urgent thread",
    "telling a more urgent thread, which runs and waits again",
];

pub fn page(recorded: &Recorded) -> Result<Page> {
    let tables = vec![("sections", sections(recorded)?), ("calls", calls(recorded)?)];
    Ok(Page { file: "sections.md", tables, plots: Vec::new() })
}

/// Table III.
fn sections(recorded: &Recorded) -> Result<String> {
    let mut rows = Vec::new();
    for ((shape, points), saved) in SHAPES.into_iter().zip(SAVED) {
        let others = OTHERS.iter().flat_map(|who| (1..=points).map(move |point| (*who, point)));
        let cases = [(format!("{shape}, nobody is told"), nobody(shape))].into_iter();
        let cases = cases.chain(
            others.map(|(who, point)| (format!("{shape}, {who} at {point}"), told(shape, who, point))),
        );
        for ((name, case), saved) in cases.zip(saved) {
            let most = |bench: &str| Ok::<_, anyhow::Error>(recorded.row(bench, &case)?.figures.max);
            let (locks, calls) = (most("section/locks")?, most("section/calls")?);
            rows.push(vec![
                name,
                calls.to_string(),
                locks.to_string(),
                change(locks, calls),
                format!("{} %", tenths(*saved)),
            ]);
        }
    }
    let header = ["section, who is told where", "by calls", "by locks", "saved", "the paper saves"];
    Ok(markdown(&header.map(str::to_owned), &rows))
}

/// Table II.
fn calls(recorded: &Recorded) -> Result<String> {
    let mut rows = Vec::new();
    for ((case, name), theirs) in CALLS.into_iter().zip(DONE).zip(ADDED) {
        let most = |bench: &str| Ok::<_, anyhow::Error>(recorded.row(bench, case)?.figures.max);
        let (without, with) = (most("without-locks")?, most("with-locks")?);
        rows.push(vec![
            name.to_owned(),
            without.to_string(),
            with.to_string(),
            added(without, with),
            format!("{} %", tenths(theirs)),
        ]);
    }
    let header = ["call", "of a thread without locks", "with two locks", "added", "the paper adds"];
    Ok(markdown(&header.map(str::to_owned), &rows))
}

/// The increase of a figure.
fn added(from: u64, to: u64) -> String {
    format!("{} %", tenths((to.saturating_sub(from) * 1000 + from / 2) / from.max(1)))
}

/// The decrease of a figure, or the increase if the sign says so, in per cent of the original.
fn change(to: u64, from: u64) -> String {
    let sign = if to > from { "-" } else { "" };
    format!("{sign}{} %", tenths((to.abs_diff(from) * 1000 + from / 2) / from.max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rises_is_told_with_a_sign() {
        assert_eq!([change(10, 514), change(10, 10), change(1046, 764)], ["98.1 %", "0.0 %", "-36.9 %"]);
    }
}
