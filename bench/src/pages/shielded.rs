//! A shielded core: overhead and latency in the paper's five cases, beside the paper's figures.

use anyhow::{Context, Result};

use super::{Page, markdown};
use crate::recorded::Recorded;
use crate::shielded::{BASE, CASES, ENTRIES, LATENCY, LOOP, OVERHEAD};

/// Of ASMP-Linux (EURASIP 2008), for each case: Table 2, the average overhead on S2 and S3 in milliseconds, and its share of the loop's
/// 466.649 ms and 545.469 ms. Then Table 3, on S3, in microseconds: the average latency, the standard deviation, and the most.
const PRINTED: [[&str; 7]; 5] = [
    ["18513.615", "3967 %", "20065.194", "3679 %", "182577.713", "936480.576", "9095000"],
    ["4.215", "0.90 %", "3.477", "0.64 %", "1.999", "1.619", "66.883"],
    ["1.420", "0.30 %", "0.554", "0.10 %", "1.756", "0.650", "63.985"],
    ["1.490", "0.32 %", "0.556", "0.10 %", "1.721", "0.034", "3.228"],
    ["0.000", "0.00 %", "0.000", "0.00 %", "1.639", "0.025", "2.466"],
];

pub fn page(recorded: &Recorded) -> Result<Page> {
    let tables = vec![("overhead", overhead(recorded)?), ("latency", latency(recorded)?)];
    Ok(Page { file: "shielded.md", tables, plots: Vec::new() })
}

fn overhead(recorded: &Recorded) -> Result<String> {
    let base = recorded.row(BASE, LOOP)?.figures.median;
    let mut rows = Vec::new();
    for (case, printed) in CASES.iter().zip(PRINTED) {
        let entries = recorded.row(ENTRIES, case.name)?.figures;
        let others = recorded.row(OVERHEAD, case.name)?.figures;
        // In hundredths of a percent.
        let share = (others.tenths() * 1_000).checked_div(base).context("the loop takes nothing")?;
        let own = [
            format!("{} to {}", entries.min, entries.max),
            others.min.to_string(),
            others.median.to_string(),
            others.max.to_string(),
            format!("{}.{:02} %", share / 100, share % 100),
        ];
        let printed = printed.into_iter().take(4).map(str::to_owned);
        rows.push([case.name.to_owned()].into_iter().chain(own).chain(printed).collect());
    }
    let header = [
        "case",
        "entries of the kernel",
        "least",
        "median",
        "most",
        "of the loop",
        "S2, ms",
        "of the loop there",
        "S3, ms",
        "of the loop there",
    ];
    Ok(markdown(&header.map(str::to_owned), &rows))
}

fn latency(recorded: &Recorded) -> Result<String> {
    let mut rows = Vec::new();
    for (case, printed) in CASES.iter().zip(PRINTED) {
        let figures = recorded.row(LATENCY, case.name)?.figures;
        let own = [
            figures.n.to_string(),
            figures.min.to_string(),
            figures.median.to_string(),
            figures.max.to_string(),
            (figures.max - figures.min).to_string(),
        ];
        let printed = printed.into_iter().skip(4).map(str::to_owned);
        rows.push([case.name.to_owned()].into_iter().chain(own).chain(printed).collect());
    }
    let header =
        ["case", "n", "least", "median", "most", "spread", "S3: average, us", "deviation, us", "most, us"];
    Ok(markdown(&header.map(str::to_owned), &rows))
}
