//! The page docs/measurements/servers.md: prose by hand, tables and plots from recorded figures.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use beryl_breakdown::plot::{Line, Plot};
use beryl_breakdown::{folder, markdown, with_table};

use crate::application::Experiment;
use crate::claims::{CLAIMS, Figures, Held, OF_SERVERS};
use crate::policy::{Costs, Period, Way};
use crate::record::{By, Record, Set};

const FILE: &str = "servers.md";

/// Plots: file, experiment, what it is against, costs, and its title.
const PLOTS: [(&str, Experiment, By, Costs, &str); 4] = [
    ("servers.svg", Experiment::Nearly, By::Hard, Costs::None, "Responses by hard load, no costs"),
    ("servers-soft.svg", Experiment::Nearly, By::Soft, Costs::None, "Responses by soft load, no costs"),
    ("servers-ten.svg", Experiment::Nearly, By::Tasks, Costs::Ten, "By hard tasks, ten times Beryl's costs"),
    ("servers-gain.svg", Experiment::Gain, By::Gain, Costs::None, "Responses by gain time, no costs"),
];

/// Writes tables and plots.
///
/// # Errors
/// A figure isn't recorded, the page lacks a region, or a file can't be written.
pub fn write(record: &Record, of_kernel: &Record) -> Result<()> {
    beryl_breakdown::write(files(record, of_kernel)?)
}

fn files(record: &Record, of_kernel: &Record) -> Result<Vec<(PathBuf, String)>> {
    let path = folder().join(FILE);
    let mut text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    text = with_table(&text, "claims", &claims(record, Costs::ALL)?)?;
    text = with_table(&text, "claims on the kernel", &claims(of_kernel, Costs::ON_KERNEL)?)?;
    text = with_table(&text, "periods of servers", &periods(record)?)?;
    for (name, experiment) in [("first", Experiment::Nearly), ("second", Experiment::Gain)] {
        let model = overall(record, experiment, Costs::ALL)?;
        text = with_table(&text, &format!("{name} experiment"), &model)?;
        let kernel = overall(of_kernel, experiment, Costs::ON_KERNEL)?;
        text = with_table(&text, &format!("{name} experiment on the kernel"), &kernel)?;
        let kernel = by_parameters(of_kernel, experiment, Costs::Reckoned)?;
        text = with_table(&text, &format!("{name} experiment on the kernel, everything counted"), &kernel)?;
        for costs in Costs::ALL {
            let table = by_parameters(record, experiment, costs)?;
            text = with_table(&text, &format!("{name} experiment, {}", costs.name()), &table)?;
        }
    }
    let mut files = vec![(path, text)];
    for (file, experiment, by, costs, title) in PLOTS {
        files.push((folder().join(file), plot(record, experiment, by, costs, title)?));
    }
    Ok(files)
}

fn claims(record: &Record, all: [Costs; 3]) -> Result<String> {
    let header = std::iter::once("the paper says").chain(all.map(Costs::name)).map(str::to_owned);
    let row = |claim: &crate::claims::Claim| -> Result<Vec<String>> {
        let mut row = vec![claim.says.to_owned()];
        for costs in all {
            let Held(held, of) = (claim.holds)(&Figures { record, costs, period: Period::Soft })?;
            row.push(if of == 0 { "not run".to_owned() } else { format!("{held} of {of}") });
        }
        Ok(row)
    };
    Ok(markdown(header.collect(), CLAIMS.iter().map(row).collect::<Result<_>>()?))
}

/// What the period of servers does, without costs.
fn periods(record: &Record) -> Result<String> {
    let servers = || Way::ALL.into_iter().filter(|way| way.server().is_some());
    let names = |number: &str| servers().map(|way| format!("{}, {number} experiment", way.name())).collect();
    let [first, second]: [Vec<String>; 2] = ["first", "second"].map(names);
    let claims = OF_SERVERS.map(|claim| CLAIMS[claim].says.to_owned());
    let header = std::iter::once("period".to_owned()).chain(first).chain(second).chain(claims).collect();
    let row = |period: Period| -> Result<Vec<String>> {
        let mut row = vec![period.name().to_owned()];
        for experiment in Experiment::ALL {
            for way in servers() {
                let set = Set(experiment, Costs::None, period);
                row.push(ratio(record.row(set, way, By::All, 0)?.mean_response()));
            }
        }
        for claim in OF_SERVERS {
            let Held(held, of) = (CLAIMS[claim].holds)(&Figures { record, costs: Costs::None, period })?;
            row.push(format!("{held} of {of}"));
        }
        Ok(row)
    };
    Ok(markdown(header, Period::ALL.into_iter().map(row).collect::<Result<_>>()?))
}

/// Responses and switches over all applications.
fn overall(record: &Record, experiment: Experiment, all: [Costs; 3]) -> Result<String> {
    let of = |what: &str| all.map(|costs| format!("{what}, {}", costs.name()));
    let header = std::iter::once("policy".to_owned()).chain(of("response")).chain(of("switches")).collect();
    let row = |way: &Way| -> Result<Vec<String>> {
        let row = |costs| record.row(Set(experiment, costs, Period::Soft), *way, By::All, 0);
        let responses = all.map(|costs| Ok(ratio(row(costs)?.mean_response())));
        let switches = all.map(|costs| Ok(ratio(row(costs)?.mean_switches())));
        let name = Ok(way.name().to_owned());
        std::iter::once(name).chain(responses).chain(switches).collect()
    };
    let ways = Way::ALL.iter().filter(|way| record.has(**way));
    Ok(markdown(header, ways.map(row).collect::<Result<_>>()?))
}

/// Responses at all places of the plots.
fn by_parameters(record: &Record, experiment: Experiment, costs: Costs) -> Result<String> {
    let places = || {
        let by = By::of(experiment).iter().filter(|by| **by != By::All);
        by.flat_map(|by| by.values(experiment).iter().map(move |value| (*by, *value)))
    };
    let header = places().map(|(by, value)| format!("{} {value}", by.name()));
    let header = std::iter::once("policy".to_owned()).chain(header).collect();
    let row = |way: &Way| -> Result<Vec<String>> {
        let at = |(by, value)| {
            Ok(ratio(record.row(Set(experiment, costs, Period::Soft), *way, by, value)?.mean_response()))
        };
        std::iter::once(Ok(way.name().to_owned())).chain(places().map(at)).collect()
    };
    let ways = Way::ALL.iter().filter(|way| **way != Way::Background && record.has(**way));
    Ok(markdown(header, ways.map(row).collect::<Result<_>>()?))
}

fn plot(record: &Record, experiment: Experiment, by: By, costs: Costs, title: &str) -> Result<String> {
    let line = |way: &Way| -> Result<Line> {
        let point = |value: &u64| {
            Ok((
                *value,
                (record.row(Set(experiment, costs, Period::Soft), *way, by, *value)?.mean_response() + 50)
                    / 100,
            ))
        };
        let points = by.values(experiment).iter().map(point).collect::<Result<_>>()?;
        Ok(Line { name: way.name().to_owned(), points })
    };
    let lines = Way::ALL.iter().map(line).collect::<Result<_>>()?;
    let across = if by == By::Tasks { "hard tasks".to_owned() } else { format!("{} in %", by.name()) };
    Ok(Plot { title, across: &across, up: "mean response, in % of that in the background", lines }.svg())
}

/// Ten-thousandths as a number with three digits behind the point.
fn ratio(ten_thousandths: u64) -> String {
    let thousandths = (ten_thousandths + 5) / 10;
    format!("{}.{:03}", thousandths / 1000, thousandths % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_page_of_servers_is_what_the_recorded_figures_make() -> Result<()> {
        for (path, text) in files(&Record::read()?, &Record::of_kernel()?)? {
            let committed = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            assert!(committed == text, "{} is old; run it with --plots", path.display());
        }
        Ok(())
    }

    #[test]
    fn ratios_have_three_digits() {
        assert_eq!([ratio(10_000), ratio(9_994), ratio(55)], ["1.000", "0.999", "0.006"]);
    }
}
